"""Time zones: from wall clock to instant and back, also where a clock jumps. Pure."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from ricordo.errors import InvalidInput, shorten

_SECOND = timedelta(seconds=1)


def zone(name: object) -> ZoneInfo:
    """The zone of an IANA name."""
    if not isinstance(name, str):
        raise _unknown(name)
    return _zone(name)


@lru_cache(maxsize=1024)
def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise _unknown(name) from error


def _unknown(name: object) -> InvalidInput:
    return InvalidInput(
        f"unknown time zone {shorten(name)}; give an IANA name such as 'Europe/Berlin' or 'UTC'"
    )


def wall(at: datetime, place: ZoneInfo) -> datetime:
    """What the clock on the wall shows at an instant, without a zone."""
    return at.astimezone(place).replace(tzinfo=None, fold=0)


def offset(at: datetime, place: ZoneInfo) -> timedelta:
    """How far the wall clock is ahead of UTC at an instant."""
    found = at.astimezone(place).utcoffset()
    assert found is not None
    return found


def first(local: datetime, place: ZoneInfo) -> datetime:
    """The instant of a wall time: the first of two; in a gap the moment the clock jumps."""
    at = local.replace(tzinfo=place, fold=0).astimezone(UTC)
    if wall(at, place) == local:
        return at
    # In a gap the two readings of the time lie on either side of the jump.
    return jump(local.replace(tzinfo=place, fold=1).astimezone(UTC), at, place)


def only(local: datetime, place: ZoneInfo) -> datetime | None:
    """The instant of a wall time, the earlier of two; None if no clock ever shows it."""
    at = local.replace(tzinfo=place, fold=0).astimezone(UTC)
    return at if wall(at, place) == local else None


def jump(low: datetime, high: datetime, place: ZoneInfo) -> datetime:
    """The instant between two, not before `low`, from which the offset of `high` holds."""
    before = offset(low, place)
    while high - low > _SECOND:
        middle = low + timedelta(seconds=(high - low) // _SECOND // 2)
        if offset(middle, place) == before:
            low = middle
        else:
            high = middle
    return high
