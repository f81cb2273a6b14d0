"""Fusion: scaled sums and reciprocal ranks."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.recall.fusion import Fused, Leg, minmax, rrf, sum_weighted
from ricordo.errors import InvalidInput

scores = st.dictionaries(st.integers(0, 9), st.floats(-1e6, 1e6))
lists = st.lists(st.integers(0, 9), unique=True)


def test_scores_are_scaled_to_their_range():
    assert minmax({1: -1.0, 2: 0.0, 3: 1.0}) == {1: 0.0, 2: 0.5, 3: 1.0}


@pytest.mark.parametrize("values", [{7: 0.2}, {1: 5.0, 2: 5.0}, {1: 5.0, 2: 5.0000005}])
def test_scores_that_do_not_differ_are_all_one(values):
    assert minmax(values) == dict.fromkeys(values, 1.0)


def test_no_scores_stay_none():
    assert minmax({}) == {}


@given(scores)
def test_scaled_scores_keep_their_order_within_zero_and_one(values):
    scaled = minmax(values)

    assert scaled.keys() == values.keys()
    assert all(0 <= value <= 1 for value in scaled.values())
    assert all(scaled[a] <= scaled[b] for a in values for b in values if values[a] < values[b])


def test_the_weighted_sum_gives_the_documented_example():
    a, b, c = 1, 2, 3  # a: nearest without the word; b, c: the word, b nearer

    fused = sum_weighted(
        {
            "vector": Leg(0.5, {a: 1.0, b: 0.0, c: -1.0}),
            "text": Leg(0.5, {b: 0.7, c: 0.7}),
        }
    )

    assert fused == {
        a: Fused(0.5, {"text": 0.0, "vector": 1.0}),
        b: Fused(0.75, {"text": 1.0, "vector": 0.5}),
        c: Fused(0.5, {"text": 1.0, "vector": 0.0}),
    }


def test_an_empty_leg_gives_zero():
    fused = sum_weighted({"vector": Leg(0.7, {}), "text": Leg(0.3, {4: 2.0})})

    assert fused == {4: Fused(0.3, {"text": 1.0, "vector": 0.0})}


@pytest.mark.parametrize(
    "weights", [(0.6, 0.6), (0.3, 0.3), (-0.1, 1.1), (math.nan, 0.5), (math.inf, 0.0)]
)
def test_weights_that_are_no_shares_of_a_whole_are_refused(weights):
    with pytest.raises(InvalidInput, match="weight"):
        sum_weighted({"vector": Leg(weights[0], {1: 1.0}), "text": Leg(weights[1], {1: 1.0})})


def test_weights_may_miss_one_by_a_rounding_error():
    assert (
        sum_weighted({n: Leg(w, {}) for n, w in zip("abc", (0.1, 0.2, 0.7 + 5e-7), strict=True)})
        == {}
    )


def test_reciprocal_ranks_give_the_reference_figures():
    fused = rrf({"keyword": [1, 2], "vector": [1, 3]})

    assert round(fused[1].score, 6) == 0.032787
    assert round(rrf({"keyword": [1], "vector": []})[1].score, 6) == 0.016393
    assert round(fused[2].score, 6) == round(fused[3].score, 6) == 0.016129
    assert fused[2].parts == {"keyword": 1 / 62, "vector": 0.0}


def test_a_repeat_in_a_list_counts_once_at_its_best_rank():
    assert rrf({"keyword": [5, 5, 6]}) == rrf({"keyword": [5, 6]})


def test_no_lists_give_nothing():
    assert rrf({}) == {}


@given(st.lists(scores, min_size=1, max_size=4), st.randoms())
def test_the_order_of_weighted_legs_does_not_matter(parts, random):
    legs = [(f"leg{n}", Leg(1 / len(parts), values)) for n, values in enumerate(parts)]
    shuffled = random.sample(legs, len(legs))

    one, other = sum_weighted(dict(legs)), sum_weighted(dict(shuffled))

    assert list(one.items()) == list(other.items())


@given(st.lists(lists, max_size=4), st.randoms())
def test_the_order_of_ranked_lists_does_not_matter(parts, random):
    legs = [(f"leg{n}", ids) for n, ids in enumerate(parts)]
    shuffled = random.sample(legs, len(legs))

    assert list(rrf(dict(legs)).items()) == list(rrf(dict(shuffled)).items())


@given(st.lists(lists, max_size=3))
def test_a_score_is_the_sum_of_its_parts(parts):
    for fused in rrf({f"leg{n}": ids for n, ids in enumerate(parts)}).values():
        assert fused.score == math.fsum(fused.parts.values())
