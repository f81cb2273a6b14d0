"""Which events are consolidated together."""

from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.conversation.batching import WaitingEvent, choose_batch, find_span, join_spans


def waiting(*importances, start=1):
    return [WaitingEvent(start + n, given) for n, given in enumerate(importances)]


def test_the_run_with_the_most_important_event_comes_first():
    assert choose_batch(waiting(0.5, 0.5, 0.5, 0.9), [], 2) == [3, 4]
    assert choose_batch(waiting(0.5, 0.5, 0.5, 0.5), [], 2) == [1, 2]
    assert choose_batch([], [], 2) == []


def test_a_run_ends_where_another_note_begins():
    events = [*waiting(0.5, 0.5), *waiting(0.5, 0.5, start=6)]

    assert choose_batch(events, [], 10) == [1, 2, 6, 7]
    assert choose_batch(events, [(3, 5)], 10) == [1, 2]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(1, 12))
def test_every_event_is_taken_once_and_no_span_holds_another(importances, most):
    left, spans, taken = waiting(*importances), [], []
    while batch := choose_batch(left, spans, most):
        assert len(batch) <= most
        left = [event for event in left if event.seq not in batch]
        spans.append((batch[0], batch[-1]))
        taken += batch

    assert sorted(taken) == list(range(1, len(importances) + 1))
    assert all(
        last < first
        for (_, last), (first, _) in zip(sorted(spans), sorted(spans)[1:], strict=False)
    )


def test_spans_that_touch_are_one():
    assert join_spans([(31, 60), (1, 30), (80, 90)]) == [(1, 60), (80, 90)]
    assert find_span([(1, 60), (80, 90)], 45) == (1, 60)
    assert find_span([(1, 60), (80, 90)], 61) is None
