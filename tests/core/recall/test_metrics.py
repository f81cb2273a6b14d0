"""Measures of a ranking, by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.recall.metrics import MEASURES, gain, interval, measure, reciprocal, share

GOLD = frozenset(["b", "d"])


def test_the_share_counts_gold_among_the_first_k():
    assert share(["a", "b", "c", "d"], GOLD, 2) == 0.5
    assert share(["a", "b", "c", "d"], GOLD, 4) == 1.0


def test_the_reciprocal_rank_is_that_of_the_first_gold():
    assert reciprocal(["a", "b", "d"], GOLD) == 0.5
    assert reciprocal(["a", "c"], GOLD) == 0.0
    assert reciprocal([f"x{n}" for n in range(100)] + ["b"], GOLD) == 0.0


def test_the_gain_is_one_for_a_perfect_list_and_less_for_a_late_one():
    assert gain(["b", "d", "a"], GOLD, 10) == 1.0
    late = (1 / math.log2(3) + 1 / math.log2(4)) / (1 + 1 / math.log2(3))
    assert gain(["a", "b", "d"], GOLD, 10) == pytest.approx(late)


def test_a_question_gets_every_measure():
    found = measure(["a", "b"], GOLD, ["s1", "s2"], frozenset(["s2"]))

    assert set(found) == set(MEASURES)
    assert (found["R@5"], found["hit@10"], found["all@10"]) == (0.5, 1.0, 0.0)
    assert (found["session any@5"], found["session all@5"]) == (1.0, 1.0)


def test_a_question_whose_evidence_is_not_found_scores_nothing():
    found = measure(["x", "y"], GOLD, ["s1", "s3"], frozenset(["s2"]))

    assert set(found.values()) == {0.0}


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_the_mean_lies_within_its_interval(values):
    bounds = interval(values, resamples=200)

    assert bounds.low <= bounds.mean + 1e-9
    assert bounds.high >= bounds.mean - 1e-9
