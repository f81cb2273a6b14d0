"""Every zone over ten years against a brute-force oracle: no run missed, none doubled.

The oracle shares no code with the implementation. It asks each zone for its offset over and over,
writes down what the wall clock shows minute by minute, and reads the runs off that list.

The default run takes one zone for each way in which clocks run, looks around every jump, and walks
some of the zones through all ten years. RICORDO_ORACLE=clocks walks all of these zones through
them, but for the two cadences that fire every hour. RICORDO_ORACLE=all takes every zone by name,
asks it at each quarter of an hour, and walks every cadence through all ten years.
"""

import os
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

import numpy as np
import pytest

from ricordo.core.time import cadence

IS_WHOLE = os.environ.get("RICORDO_ORACLE") == "all"
IS_LONG = IS_WHOLE or os.environ.get("RICORDO_ORACLE") == "clocks"
HOURLY = ("*/30 * * * *", "45 * * * *")
START = datetime(2020, 1, 1, tzinfo=UTC)
END = datetime(2030, 1, 1, tzinfo=UTC)
MINUTES = int((END - START).total_seconds()) // 60
MARGIN = 3 * 1440  # minutes of wall clock kept before and after
NAIVE = np.datetime64("2020-01-01T00:00") - MARGIN + np.arange(MINUTES + 2 * MARGIN)

# Rare enough to be walked through ten years; each at an hour at which some clock jumps.
FIXED = (
    ("30 2 * * *", lambda c: (c.minute == 30) & (c.hour == 2)),
    ("0 0 * * *", lambda c: (c.minute == 0) & (c.hour == 0)),
    ("15,45 1,23 * * 0,6", lambda c: _in(c.minute, 15, 45) & _in(c.hour, 1, 23) & _in(c.day, 0, 6)),
    (
        "0 3 13 * 5",
        lambda c: (c.minute == 0) & (c.hour == 3) & ((c.date == 13) | (c.day == 5)),
    ),
    ("30 0 29 2 *", lambda c: (c.minute == 30) & (c.hour == 0) & (c.date == 29) & (c.month == 2)),
)
RUNNING = (
    ("*/30 * * * *", lambda c: c.minute % 30 == 0),
    ("45 * * * *", lambda c: c.minute == 45),
    ("*/20 2 * * *", lambda c: (c.minute % 20 == 0) & (c.hour == 2)),
    (
        "0 */6 * 3,10 0",
        lambda c: (c.minute == 0) & (c.hour % 6 == 0) & _in(c.month, 3, 10) & (c.day == 0),
    ),
)


class Clock(NamedTuple):
    """What the wall clock shows, field by field, for every minute of `NAIVE`."""

    minute: np.ndarray
    hour: np.ndarray
    date: np.ndarray
    month: np.ndarray
    day: np.ndarray  # 0 is Sunday


@cache
def clock() -> Clock:
    days = NAIVE.astype("datetime64[D]")
    months = NAIVE.astype("datetime64[M]")
    of_day = (NAIVE - days).astype(int)
    return Clock(
        (of_day % 60).astype(np.int8),
        (of_day // 60).astype(np.int8),
        ((days - months).astype(int) + 1).astype(np.int8),
        (months.astype(int) % 12 + 1).astype(np.int8),
        ((days.astype(int) + 4) % 7).astype(np.int8),
    )


def _in(values: np.ndarray, *wanted: int) -> np.ndarray:
    return np.isin(values, wanted)


@cache
def matches(expression: str) -> np.ndarray:
    """Which wall-clock minutes the expression names."""
    return dict(FIXED + RUNNING)[expression](clock())


class Stretch(NamedTuple):
    """Minutes from `start` up to `end` (since START) in which the wall clock is `ahead` of UTC."""

    start: int
    end: int
    ahead: int


@cache
def stretches(name: str) -> tuple[Stretch, ...]:
    """How a clock runs, found by asking it again and again and closing in on each change."""
    place, step = ZoneInfo(name), 15 if IS_WHOLE else 4 * 1440
    found, begun, ahead = [], 0, _ahead(place, 0)
    for minute in range(step, MINUTES + step, step):
        now = _ahead(place, minute)
        if now != ahead:
            low, high = minute - step, minute
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if _ahead(place, middle) == ahead else (low, middle)
            found.append(Stretch(begun, high, ahead))
            begun, ahead = high, now
    return (*found, Stretch(begun, MINUTES, ahead))


def _ahead(place: ZoneInfo, minute: int) -> int:
    at = (START + timedelta(minutes=minute)).astimezone(place)
    return int(at.utcoffset().total_seconds()) // 60


def expected(expression: str, spans: tuple[Stretch, ...], *, is_fixed: bool) -> set[int]:
    """Every minute since START at which the expression fires."""
    named = matches(expression)
    shown = np.concatenate([np.arange(s.start, s.end) + s.ahead for s in spans]) + MARGIN
    if not is_fixed:
        return set(np.flatnonzero(named[shown]).tolist())
    # A fixed time fires at the first minute at which the clock shows it, or has jumped past it.
    furthest = np.maximum.accumulate(shown)
    wanted = np.flatnonzero(named)
    wanted = wanted[(wanted > shown[0]) & (wanted <= furthest[-1])]
    return set(np.searchsorted(furthest, wanted).tolist())


@cache
def zones() -> list[str]:
    """One zone for every way in which clocks run over these ten years, or all of them."""
    names = sorted(available_timezones() - {"localtime", "Factory"}, reverse=True)
    return names if IS_WHOLE else list({stretches(name): name for name in names}.values())


def windows(spans: tuple[Stretch, ...]) -> list[tuple[int, int]]:
    """The minutes around each jump of the clock."""
    jumps = [span.start for span in spans[1:]]
    return [(max(0, jump - 720), min(MINUTES, jump + 720)) for jump in jumps] or [(0, 2880)]


def found(expression: str, name: str, low: int, high: int) -> set[int]:
    given = cadence.parse("cron", expression, name)
    at, end = START + timedelta(minutes=low, seconds=-1), START + timedelta(minutes=high)
    minutes = set()
    while (at := cadence.next_run(given, at)) < end:
        minute, rest = divmod(int((at - START).total_seconds()), 60)
        assert rest == 0
        assert minute not in minutes, f"{expression} in {name} fires twice at {at}"
        minutes.add(minute)
    return minutes


def compare(expression: str, name: str, *, is_fixed: bool, is_whole: bool) -> int:
    spans = stretches(name)
    right = expected(expression, spans, is_fixed=is_fixed)
    compared = 0
    for low, high in [(1440, MINUTES)] if is_whole else windows(spans):
        wanted = {minute for minute in right if low <= minute < high}
        got = found(expression, name, low, high)
        assert got == wanted, f"{expression} in {name}: {sorted(got ^ wanted)[:5]}"
        compared += len(got)
    return compared


SHARDS = 8


@pytest.mark.parametrize("shard", range(SHARDS))
def test_ten_years_in_every_zone_agree_with_the_oracle(shard):
    """CAD-4: gap, overlap, leap day, weekdays, in every zone there is."""
    compared = 0
    for place, name in enumerate(zones()[shard::SHARDS]):
        for expression, _ in FIXED:
            is_whole = IS_LONG or place % 24 == 0
            compared += compare(expression, name, is_fixed=True, is_whole=is_whole)
        for expression, _ in RUNNING:
            is_whole = IS_WHOLE or (IS_LONG and expression not in HOURLY)
            compared += compare(expression, name, is_fixed=False, is_whole=is_whole)

    assert compared > 1_000


def test_the_oracle_knows_a_gap_and_an_overlap_when_it_sees_them():
    """By hand: New York, 2026. Without this the oracle could be wrong in the same way."""
    spans = stretches("America/New_York")

    def fired(expression, day, *, is_fixed):
        start = int((datetime.fromisoformat(f"{day}T04:00Z") - START).total_seconds()) // 60
        right = expected(expression, spans, is_fixed=is_fixed)
        return [
            (START + timedelta(minutes=m)).strftime("%H:%M")
            for m in sorted(right)
            if start <= m < start + 240
        ]

    assert fired("30 2 * * *", "2026-03-08", is_fixed=True) == ["07:00"]
    assert fired("*/20 2 * * *", "2026-03-08", is_fixed=False) == []
    assert fired("15,45 1,23 * * 0,6", "2026-11-01", is_fixed=True) == ["05:15", "05:45"]
    assert fired("45 * * * *", "2026-11-01", is_fixed=False) == ["04:45", "05:45", "06:45", "07:45"]
