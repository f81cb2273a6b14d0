"""How values stand in the database: times as integer microseconds UTC, structures as JSON text."""

import json
import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from ricordo.errors import Corrupt, InvalidInput, shorten
from ricordo.model import Json

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
DAY = 86_400_000_000  # microseconds
PIECES_FOLLOW = bytes(4)  # among the numbers of a chunk: no word, and only pieces of words after it
_WAY_OUT = "go back to a backup, or save what is intact in a file with ricordo salvage"
_LAST_CHARACTER = chr(0x10FFFF)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # escaped by JSON, not a backslash of the text's own


def drop_pieces(numbers: bytes) -> bytes:
    """The numbers of words, without the pieces of words after them."""
    at = numbers.find(PIECES_FOLLOW)
    while at > 0 and at % 4:  # a number may end in zero bytes
        at = numbers.find(PIECES_FOLLOW, at + 1)
    return numbers if at < 0 else numbers[:at]


def micros(moment: datetime) -> int:
    """Whole microseconds since 1970, UTC; a time without a zone is refused."""
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        what = "has no time zone" if isinstance(moment, datetime) else "is not a time"
        raise InvalidInput(
            f"time {shorten(moment)} {what}; pass an aware datetime, "
            "for example datetime.now(timezone.utc)"
        )
    us = (moment - _EPOCH) // _MICROSECOND
    if not FIRST <= us <= LAST:
        raise InvalidInput(f"time {moment!r} is outside the years 1 to 9999 in UTC; give another")
    return us


@lru_cache(1_024)  # what is written together has one time
def moment(us: int) -> datetime:
    """The aware datetime of a stored time."""
    try:
        return _EPOCH + timedelta(microseconds=us)
    except OverflowError as error:
        raise Corrupt(f"{us} in the memory is not a valid time; {_WAY_OUT}") from error


def is_time(us: object) -> bool:
    """Whether a stored number is a time of the calendar, the years 1 to 9999."""
    return isinstance(us, int) and FIRST <= us <= LAST


def end_of_prefix(prefix: str) -> str:
    """The first text after all that begin with `prefix`, in the order of their bytes."""
    kept = prefix.rstrip(_LAST_CHARACTER)
    if not kept:
        return _LAST_CHARACTER * 256
    following = ord(kept[-1]) + 1
    return kept[:-1] + chr(0xE000 if following == 0xD800 else following)


def dumps(value: Json, what: str) -> str:
    """JSON text that gives `value` back exactly, or InvalidInput."""
    return copy_json(value, what)[0]


def copy_json(value: Json, what: str) -> tuple[str, Json]:
    """The same text, and the copy of `value` that it gives back."""
    try:
        text = _ENCODER.encode(value)
        if not text.isascii():
            text.encode()
        copy = json.loads(text)
        same = copy == value
    except RecursionError as error:
        raise InvalidInput(f"{what} is nested too deeply to be kept as JSON") from error
    except UnicodeEncodeError as error:
        raise InvalidInput(f"{what} holds a lone surrogate; decode the text properly") from error
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{what} cannot be kept as JSON: {error}") from error
    if not same:
        raise InvalidInput(
            f"{what} would change when kept as JSON (keys must be text, lists not tuples)"
        )
    if "\\u0000" in text and _NUL.search(text):
        raise InvalidInput(f"{what} holds a NUL character; remove it")
    return text, copy


def loads(text: str) -> Json:
    """Read back what `dumps` wrote."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise Corrupt(f"JSON in the memory is broken ({error}); {_WAY_OUT}") from error
