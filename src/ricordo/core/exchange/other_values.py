"""Values in other programs' rows: times, ids and texts, read as ours. Pure."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from ricordo.core.integrity import ids
from ricordo.errors import InvalidInput
from ricordo.model import Json

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM = 100_000_000_000  # a number above it counts milliseconds, not seconds
_HEX = 32

Row = Mapping[str, Json]


def moment(value: Json) -> datetime:
    """A time as other programs keep it: ISO text, UTC unless it says so, or a number since 1970."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        thousandths = value if abs(value) >= _MILLISECONDS_FROM else value * 1000
        try:
            return _EPOCH + timedelta(milliseconds=thousandths)
        except OverflowError as error:
            raise InvalidInput(f"time {value!r} is in no calendar") from error
    try:
        at = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise InvalidInput(f"time {value!r} is neither ISO 8601 nor a number") from error
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def uid(table: str, *key: Json) -> str:
    """A row's own UUID, or one made from its table and key: the same row, the same uid."""
    own = key[-1] if len(key) == 1 else None
    if isinstance(own, str) and ids.is_uuid(own):
        return own.lower()
    digits = own.lower() if isinstance(own, str) and len(own) == _HEX else ""
    if not digits or set(digits) - set("0123456789abcdef"):
        try:
            told = json.dumps([table, *key], ensure_ascii=False)
        except TypeError as error:
            raise InvalidInput(f"id {key!r} is neither text nor a number") from error
        raw = bytearray(sha256(told.encode()).digest()[:16])
        raw[6], raw[8] = raw[6] & 0x0F | 0x80, raw[8] & 0x3F | 0x80  # a UUID of version 8
        digits = raw.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def text(row: Row, column: str) -> str:
    value = row[column]
    if not isinstance(value, str):
        raise InvalidInput(f"{column} is {type(value).__name__}, not text")
    return value


def number(row: Row, column: str) -> float:
    value = row[column]
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        raise InvalidInput(f"{column} is {value!r}, not a number")
    return value


def optional(row: Row, column: str) -> str | None:
    return None if row.get(column) is None else text(row, column)
