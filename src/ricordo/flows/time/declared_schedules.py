"""Declare: keep the schedules of a space in step with those that a configuration declares.

They are known by their name and by coming from there. What did not change is not touched, so a
start never postpones a run; what is gone from the declaration is removed.
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from ricordo.errors import InvalidInput, shorten
from ricordo.flows.engine import Engine
from ricordo.flows.time.clocks import planning_time
from ricordo.flows.time.schedule import SchedulePlan, new_row, patch_row, to_schedule
from ricordo.model import Json, Schedule
from ricordo.store.database import Tx
from ricordo.store.tables.schedules import Filter, ScheduleRow

_FIELDS = {
    "name": str,
    "goal": str,
    "cadence": str,
    "tz": str,
    "notify": str,
    "trusted": bool,
    "missed": str,
    "keep": bool,
    "channel": str,
    "channel_context": str,
}
_DEFAULTS = {"notify": "always", "trusted": False, "missed": "once", "keep": True, "tz": "UTC"}
_NEEDED = ("name", "goal", "cadence")
_EVERYTHING = 1_000_000


def declare(
    engine: Engine, space: str, declared: str | Path | Iterable[Mapping[str, Json]]
) -> list[Schedule]:
    """Bring the space in step with the declaration; the schedules that it declares."""
    plans: dict[str, SchedulePlan] = {}
    for plan in map(_plan, _read(declared, space)):
        if plan.name in plans:
            raise InvalidInput(f"{plan.name!r} is declared twice; give each schedule its own name")
        plans[plan.name or ""] = plan
    now = planning_time(engine)

    def work(tx: Tx) -> list[Schedule]:
        number = engine.ensure_space(tx, space)
        there = tx.schedules.page(number, Filter(source="config"), _EVERYTHING, 0)
        known = {row.name: row for row in there}
        for name, row in known.items():
            if name not in plans:
                tx.schedules.delete(number, row.id)
        kept = [_put(engine, tx, number, known.get(n), p, now) for n, p in plans.items()]
        return [to_schedule(space, row) for row in kept]

    return engine.store.write(work)


def _put(
    engine: Engine, tx: Tx, space: int, old: ScheduleRow | None, plan: SchedulePlan, now: int
) -> ScheduleRow:
    if old is None:
        row = new_row(engine, plan, now)
        tx.schedules.insert(space, row)
        return row
    same_time = plan.cadence == old.phrase and (plan.tz or "UTC") == to_schedule("", old).cadence.tz
    if same_time:
        plan = _drop_times(plan)
    row = patch_row(engine, old, plan, now)
    if row._replace(updated_at=old.updated_at) == old:
        return old
    tx.schedules.change(space, row)
    return row


def _drop_times(plan: SchedulePlan) -> SchedulePlan:
    values = {field: getattr(plan, field) for field in SchedulePlan.__slots__}
    return SchedulePlan(**(values | {"cadence": None, "tz": None}))


def _read(
    declared: str | Path | Iterable[Mapping[str, Json]], space: str
) -> list[Mapping[str, Json]]:
    """The tables `[[schedules]]` of a TOML file that are meant for the space, or those given."""
    if not isinstance(declared, str | Path):
        listed = list(declared) if isinstance(declared, Iterable) else [declared]
        if not all(isinstance(item, Mapping) for item in listed):
            raise InvalidInput(
                f"{shorten(declared)} declares no schedules; give a list of mappings"
            )
        return listed
    try:
        found = tomllib.loads(Path(declared).read_text(encoding="utf-8")).get("schedules", [])
    except (OSError, ValueError) as error:
        raise InvalidInput(f"schedules cannot be read from {str(declared)!r}: {error}") from error
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise InvalidInput(f"{str(declared)!r} needs tables [[schedules]], one for each schedule")
    meant = [item for item in found if item.get("space", space) == space]
    return [{key: value for key, value in item.items() if key != "space"} for item in meant]


def _plan(item: Mapping[str, Json]) -> SchedulePlan:
    for field in _NEEDED:
        if not item.get(field):
            raise InvalidInput(f"a declared schedule lacks its {field}: {shorten(dict(item)):.200}")
    for field, value in item.items():
        kind = _FIELDS.get(field)
        if kind is None:
            raise InvalidInput(
                f"unknown field {field!r} of a declared schedule; use {list(_FIELDS)}"
            )
        if not isinstance(value, kind):
            raise InvalidInput(f"{field} of a declared schedule is {value!r}, not {kind.__name__}")
    values: dict[str, Json] = _DEFAULTS | dict(item)
    return SchedulePlan(**values, source="config")
