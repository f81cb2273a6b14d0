"""Types of arguments on the command line: texts, paths, times and JSON.

The help shows the names of these functions as placeholders for values.
"""

import re
import sys
from datetime import UTC, datetime, timedelta
from json import loads
from math import inf
from pathlib import Path

import click

from ricordo.errors import NotFound
from ricordo.model import Json

_AGE = re.compile(r"(\+?)([0-9]{1,6})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_AGO = re.compile(r"([0-9]{1,6}|an?|last) (minute|hour|day|week)s?(?: ago)?")
_NEAR = {"now": 0, "today": 0, "yesterday": 1}
_CONDITION = re.compile(r"([^=<>!]+)(!=|>=|<=|=|<|>)(.*)", re.DOTALL)
_SIGNS = {"=": "$eq", "!=": "$ne", ">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte"}
_HOW = "2026-03-01, 2026-03-01T09:30+01:00, yesterday, 7d or 2 days ago, or +30d (from now)"


def text(value: str) -> str:
    """The text itself, or for "-" all of standard input without its last line break."""
    if value != "-" or _is_completing():
        return value
    try:
        read = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise click.BadParameter(
            f"standard input is not UTF-8 ({error.reason}); convert it first"
        ) from error
    return read.removesuffix("\n").removesuffix("\r")


def _is_completing() -> bool:
    """Whether a shell asks for words to complete a line, which must not wait for its input."""
    context = click.get_current_context(silent=True)
    return context is not None and context.resilient_parsing


def path(value: str) -> Path:
    """A file or folder that exists."""
    if not value.strip():
        raise click.BadParameter("the path is empty; give a file or a folder, or . for this one")
    found = Path(value)
    if not found.exists():
        raise NotFound(f"there is no file {value!r}")
    return found


def file(value: str) -> Path:
    """A file that exists."""
    found = path(value)
    if found.is_dir():
        raise click.BadParameter(f"{value!r} is a folder; give a file in it")
    return found


def time(value: str) -> datetime:
    """A time in ISO 8601, UTC unless it names a zone, or an age such as 7d, or yesterday."""
    try:
        said = " ".join(value.lower().split())
        if said in _NEAR:
            return _find_day(said)
        if ago := _AGO.fullmatch(said):
            many = int(ago[1]) if ago[1].isdigit() else 1
            return datetime.now(UTC) - timedelta(**{f"{ago[2]}s": many})
        if age := _AGE.fullmatch(value):
            sign, count, unit = age.groups()
            span = timedelta(**{_UNITS[unit]: int(count)})
            return datetime.now(UTC) + (span if sign else -span)
        moment = datetime.fromisoformat(value)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(f"{value!r} is not a valid time; write {_HOW}") from error


def _find_day(said: str) -> datetime:
    """The beginning of a day on the clock of this machine; now is now."""
    now = datetime.now().astimezone()
    if said == "now":
        return now.astimezone(UTC)
    day = now.date() - timedelta(days=_NEAR[said])
    return datetime(day.year, day.month, day.day).astimezone().astimezone(UTC)


def ahead(value: str) -> datetime:
    """A time in ISO 8601, UTC unless it names a zone, or how long from now, such as 30d."""
    return time("+" + value if _AGE.fullmatch(value) and value[0] != "+" else value)


def expiry(value: str) -> datetime | str:
    """A time or a duration from now, as above, or "never"."""
    return value if value == "never" else ahead(value)


def age(value: str) -> timedelta:
    """A duration such as 45m, 12h, 7d or 2w."""
    found = _AGE.fullmatch(value)
    if found is None or found[1]:
        raise click.BadParameter(f"{value!r} is not a valid duration; write 45m, 12h, 7d or 2w")
    return timedelta(**{_UNITS[found[3]]: int(found[2])})


def seconds(value: str) -> float:
    """A number of seconds, more than 0."""
    try:
        found = float(value)
    except ValueError:
        found = 0.0
    if not 0 < found < inf:
        raise click.BadParameter(f"{value!r} is not valid; give seconds, more than 0")
    return found


def where(value: str) -> Json:
    """A condition on metadata, such as lang=pt, year>=2020 or '{"$not": {"lang": "pt"}}'."""
    if value.startswith("{"):
        return json(value)
    found = _CONDITION.fullmatch(value)
    if found is None:
        raise click.BadParameter(f"{value!r} is not valid; write key=value, or year>=2020")
    key, sign, said = found.groups()
    try:
        wanted = loads(said)
    except (ValueError, RecursionError):
        wanted = said
    return {key: {_SIGNS[sign]: said if isinstance(wanted, dict | list) else wanted}}


def join_conditions(
    _context: click.Context, _option: click.Parameter, given: tuple[Json, ...]
) -> Json:
    """One `where` out of all that were given; None for none."""
    return {"$and": list(given)} if given else None


def claim(value: str) -> Json:
    """A line of `claim`, or for "-" the one on standard input."""
    line = text(value)
    if not line.strip():
        raise NotFound("no claim: nothing was due")
    return json(line)


def json(value: str) -> Json:
    """A JSON text, such as '{"lang": "pt"}', or for "-" the one on standard input."""
    value = text(value)
    try:
        return loads(value)
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"{value!r} is not valid JSON ({error})") from error


where_option = click.option(
    "--where",
    type=where,
    multiple=True,
    callback=join_conditions,
    help="Only with such metadata: lang=pt, year>=2020 or JSON; may be given several times.",
)
