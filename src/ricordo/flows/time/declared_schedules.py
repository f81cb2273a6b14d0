"""Declare: keep the schedules of a space in step with those that a configuration declares.

They are known by their name and by coming from there. What did not change is not touched, so a
start never postpones a run; what is gone from the declaration is removed.
"""

import logging
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ricordo.errors import InvalidInput, StoreError, shorten
from ricordo.flows.engine import Engine, check_name
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
_log = logging.getLogger("ricordo")

Table = Mapping[str, Json]  # one schedule as it is declared


class Comparison(NamedTuple):
    """What a declaration would change: rows to delete, and each row beside its old one."""

    gone: list[ScheduleRow]
    pairs: list[tuple[ScheduleRow | None, ScheduleRow]]

    @property
    def is_same(self) -> bool:
        return not self.gone and all(row is old for old, row in self.pairs)


def declare(engine: Engine, space: str, declared: str | Path | Iterable[Table]) -> list[Schedule]:
    """Bring the space in step with the declaration; the schedules that it declares."""
    plans: dict[str, SchedulePlan] = {}
    for plan in map(_plan, _read(declared, space)):
        if plan.name in plans:
            raise InvalidInput(f"{plan.name!r} is declared twice; give each schedule its own name")
        plans[plan.name or ""] = plan
    now = planning_time(engine)

    def work(tx: Tx) -> list[Schedule]:
        number = engine.ensure_space(tx, space)
        found = _compare(engine, tx, number, plans, now)
        for row in found.gone:
            tx.schedules.delete(number, row.id)
        for old, row in found.pairs:
            if old is None:
                tx.schedules.insert(number, row)
            elif row is not old:
                tx.schedules.change(number, row)
        return [to_schedule(space, row) for _, row in found.pairs]

    with engine.store.read() as tx:  # most starts find nothing to change, and write nothing
        found = _compare(engine, tx, tx.spaces.number(space), plans, now)
    if found.is_same:
        return [to_schedule(space, row) for _, row in found.pairs]
    return engine.store.write(work)


def declare_each(declared: object, sync: Callable[[str, list[Table]], object]) -> None:
    """Bring each space that the tables of a configuration name in step, by `sync`.

    A table without a space is for `schedules.sync`, which knows one: it is logged. So is a store
    that cannot be written to now, as the memory can still be read; the next opening tries again.
    """
    tables = _check_tables(declared, "the configuration")
    spaces: dict[str, list[Table]] = {}
    for table in tables:
        if "space" in table:
            spaces.setdefault(check_name(table["space"], "space"), []).append(_drop_space(table))
        else:
            _log.warning(
                "schedule %r of the configuration names no space; add space = NAME, or call "
                "schedules.sync with the file",
                table.get("name"),
            )
    for space, meant in spaces.items():
        try:
            sync(space, meant)
        except StoreError as error:
            _log.warning("the declared schedules of space %r wait: %s", space, error)


def _compare(
    engine: Engine, tx: Tx, space: int | None, plans: Mapping[str, SchedulePlan], now: int
) -> Comparison:
    wanted = Filter(source="config")
    there = [] if space is None else tx.schedules.page(space, wanted, _EVERYTHING, 0)
    known = {row.name: row for row in there}
    return Comparison(
        [row for name, row in known.items() if name not in plans],
        [(known.get(n), _make_row(engine, known.get(n), p, now)) for n, p in plans.items()],
    )


def _make_row(engine: Engine, old: ScheduleRow | None, plan: SchedulePlan, now: int) -> ScheduleRow:
    """The row of a plan; the old one itself if nothing changed."""
    if old is None:
        return new_row(engine, plan, now)
    same_time = plan.cadence == old.phrase and (plan.tz or "UTC") == to_schedule("", old).cadence.tz
    if same_time:
        plan = _drop_times(plan)
    row = patch_row(engine, old, plan, now)
    return old if row._replace(updated_at=old.updated_at) == old else row


def _drop_times(plan: SchedulePlan) -> SchedulePlan:
    values = {field: getattr(plan, field) for field in SchedulePlan.__slots__}
    return SchedulePlan(**(values | {"cadence": None, "tz": None}))


def _read(declared: str | Path | Iterable[Table], space: str) -> list[Table]:
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
    tables = _check_tables(found, repr(str(declared)))
    return [_drop_space(item) for item in tables if item.get("space", space) == space]


def _check_tables(found: object, place: str) -> list[Table]:
    if not isinstance(found, list) or not all(isinstance(item, Mapping) for item in found):
        raise InvalidInput(f"{place} needs tables [[schedules]], one for each schedule")
    return found


def _drop_space(table: Table) -> Table:
    return {key: value for key, value in table.items() if key != "space"}


def _plan(item: Table) -> SchedulePlan:
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
