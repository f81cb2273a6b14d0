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

from ricordo.core.time.moments import read_moment
from ricordo.errors import InvalidInput, NotFound
from ricordo.model import Json

_AGE = re.compile(r"(\+?)([0-9]{1,6})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_CONDITION = re.compile(r"([^=<>!]+)(!=|>=|<=|=|<|>)(.*)", re.DOTALL)
_SIGNS = {"=": "$eq", "!=": "$ne", ">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte"}


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
        return read_moment(value, datetime.now(UTC), None)
    except InvalidInput as error:
        raise click.BadParameter(str(error)) from error


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
