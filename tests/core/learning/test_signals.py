"""Which hits leave a signal, how its query is kept, and which may go: without a store."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.learning import promotion
from ricordo.core.learning.promotion import Tally
from ricordo.core.learning.signals import (
    COUNTED,
    LONGEST,
    MOST_WANTED,
    RecalledEntry,
    Trace,
    abridge,
    find_surplus,
    find_wanted,
    read_opening,
)

DAY = 86_400_000_000
NOW = 20_000 * DAY
MOST = 20

recalls = st.lists(
    st.tuples(
        st.sampled_from(["user", "agent", "auto", "schedule"]),
        st.integers(0, 30),  # which query
        st.sampled_from([0, 0, 0, 0, 1, 3]),  # days since the recall before
    ),
    max_size=200,
)


def made(history) -> list[Trace]:
    at, found = NOW - 1_000 * DAY, []
    for number, (asker, query, days) in enumerate(history, start=1):
        at += days * DAY + 1
        found.append(Trace(number, f"query {query}", asker, at))
    return found


def parts(traces: list[Trace]) -> dict[str, float]:
    """What a sweep makes of signals, all of one score."""
    counted = [each for each in traces if each.asker in COUNTED]
    queries = len({promotion.fold_query(each.query) for each in counted})
    days = len({each.at // DAY for each in counted})
    last = max((each.at for each in counted), default=0)
    return promotion.parts(Tally(1, len(counted), 1.0, last, queries, days), NOW)


@given(recalls, st.integers(1, 40))
def test_thinning_again_and_again_leaves_what_a_sweep_sees(history, step):
    kept: list[Trace] = []
    every = made(history)
    for start in range(0, len(every), step):
        kept += every[start : start + step]
        gone = set(find_surplus(kept, MOST))
        kept = [each for each in kept if each.signal not in gone]

    assert parts(kept) == parts(every)
    assert sum(each.asker in COUNTED for each in kept) <= MOST
    assert sum(each.asker not in COUNTED for each in kept) <= MOST // 4
    assert len(kept) >= min(len([e for e in every if e.asker in COUNTED]), MOST)


def test_one_query_asked_all_day_does_not_drive_out_another():
    other = Trace(1, "another", "user", NOW)
    same = [Trace(number, "the same", "user", NOW) for number in range(2, 100)]

    gone = find_surplus([other, *same], MOST)

    assert other.signal not in gone
    assert gone == sorted(gone, reverse=True)
    assert len(gone) == 99 - MOST


def test_a_busy_day_does_not_drive_out_the_days_before():
    quiet = [Trace(number, "the same", "user", NOW - (5 - number) * DAY) for number in range(5)]
    busy = [Trace(number, "the same", "user", NOW) for number in range(5, 100)]

    gone = find_surplus([*quiet, *busy], MOST)

    assert not {1, 2, 3, 4} & {*gone}


def test_what_machines_ask_does_not_drive_out_what_people_ask():
    asked = [Trace(number, f"query {number}", "user", NOW) for number in range(MOST)]
    injected = [Trace(number, "context", "auto", NOW) for number in range(MOST, 200)]

    assert {*find_surplus([*asked, *injected], MOST)} == {*range(MOST, 200 - MOST // 4)}


def test_a_short_query_is_kept_as_it_is():
    assert abridge("  Where is\nthe key? ") == "  Where is\nthe key? "


@pytest.mark.parametrize("tail", ["", " or in Bergen"])
def test_a_long_query_is_kept_short_and_still_tells_itself_from_others(tail):
    long = "where does she like to sit on the train to Oslo " * 50

    kept = abridge(long + "in Bergen")

    assert len(kept) < LONGEST
    assert long.startswith(kept.split("…")[0])
    assert (abridge(long + "IN  bergen" + tail) == kept) is (not tail)
    assert read_opening(kept) == read_opening(long)


def choose(*scores: float, sure: float = 1.0) -> list[int]:
    """The ranks that leave a signal when entries have these scores."""
    found = [RecalledEntry(10 + rank, rank, score, sure) for rank, score in enumerate(scores, 1)]
    return [each.rank for each in find_wanted(found)]


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        ((), []),
        ((8.0,), [1]),
        ((8.0, 6.0), [1, 2]),  # exactly three quarters
        ((8.0, 5.9), [1]),
        ((8.0, 8.0, 8.0), [1, 2]),
        ((0.0,), [1]),
        ((-2.0, -3.0), [1]),
    ],
)
def test_entries_near_the_best_are_wanted(scores, ranks):
    """SIG-4"""
    assert choose(*scores) == ranks


def test_what_nothing_speaks_for_is_not_wanted():
    """SIG-4"""
    assert choose(8.0, 7.0, sure=0.04) == [1, 2]
    assert choose(8.0, 7.0, sure=0.039) == []


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=20))
def test_the_best_first_entry_is_always_wanted(scores):
    """SIG-4"""
    ranks = choose(*sorted(scores, reverse=True))

    assert ranks[0] == 1
    assert ranks in ([1], list(range(1, MOST_WANTED + 1)))
