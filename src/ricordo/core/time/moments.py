"""Moments: when something was, as people say it: yesterday, 2 days ago, a date. Pure.

Beside `phrases`, which says when something will be. The clock is always an argument.
"""

from datetime import UTC, datetime, time, timedelta, tzinfo

from ricordo.core.text.late_pattern import compile_late
from ricordo.errors import InvalidInput

_HOW = "2026-03-01, 2026-03-01T09:30+01:00, yesterday, 7d or 2 days ago, or +30d (from now)"
_AGE = compile_late(r"(\+?)([0-9]{1,6})([mhdw])")
_AGO = compile_late(r"([0-9]{1,6}|an?|last) (minute|hour|day|week)s?(?: ago)?")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_NEAR = {"today": 0, "yesterday": 1}


def read_moment(text: str, now: datetime, place: tzinfo | None = UTC) -> datetime:
    """The time that a text means, in UTC. `place` is where a day begins; None: on this machine."""
    said = " ".join(text.lower().split())
    try:
        if said == "now":
            return now.astimezone(UTC)
        if said in _NEAR:
            day = now.astimezone(place).date() - timedelta(days=_NEAR[said])
            return datetime.combine(day, time(), place).astimezone(UTC)
        if ago := _AGO.fullmatch(said):
            many = int(ago[1]) if ago[1].isdigit() else 1
            return (now - timedelta(**{f"{ago[2]}s": many})).astimezone(UTC)
        if age := _AGE.fullmatch(said):
            span = timedelta(**{_UNITS[age[3]]: int(age[2])})
            return (now + span if age[1] else now - span).astimezone(UTC)
        moment = datetime.fromisoformat(text.strip())
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"{text!r:.80} is not a valid time; write {_HOW}") from error
