import numpy as np
import pytest
from conversations import random_vectors

from ricordo.core.recall.nearest import Vectors, unit_vector
from ricordo.core.recall.top_values import closest, largest, rank_largest
from ricordo.errors import InvalidInput


def held(vectors: np.ndarray, exact_rows: int) -> Vectors:
    found = Vectors(exact_rows)
    found.grow(len(vectors))
    found.put(np.arange(len(vectors)), vectors)
    return found


@pytest.mark.parametrize("exact_rows", [10_000, 0])
def test_cosines_are_exact_in_both_forms(exact_rows):
    vectors = random_vectors(300)

    cosines = held(vectors, exact_rows).cosines(vectors[5].astype(np.float32))

    wide = vectors.astype(np.float32)
    assert np.allclose(cosines, wide @ wide[5], atol=1e-5)


def test_the_bit_scan_finds_nearly_all_of_the_exact_nearest():
    vectors = random_vectors(6_000, width=256)
    exact, bits = held(vectors, 10_000), held(vectors, 100)
    queries = random_vectors(40, seed=2, width=256).astype(np.float32) * 0.3 + vectors[:40]

    shared = [
        len(set(exact.nearest(q, 10).rows.tolist()) & set(bits.nearest(q, 10).rows.tolist()))
        for q in queries.astype(np.float32)
    ]

    assert sum(shared) / 400 >= 0.99


@pytest.mark.parametrize("exact_rows", [10_000, 50])
def test_rows_without_a_vector_never_appear(exact_rows):
    found = Vectors(exact_rows)
    found.grow(100)
    found.put(np.array([3, 70]), random_vectors(2))

    assert sorted(found.nearest(np.ones(64, np.float32), 10).rows.tolist()) == [3, 70]


def test_only_allowed_rows_are_found():
    vectors = random_vectors(5_000)
    allowed = np.arange(5_000) % 2 == 1

    for exact_rows in (10_000, 10):
        rows = held(vectors, exact_rows).nearest(vectors[0].astype(np.float32), 20, allowed).rows
        assert len(rows) == 20
        assert all(row % 2 for row in rows)


def test_growing_past_the_exact_size_keeps_all_vectors():
    vectors = random_vectors(40)
    found = Vectors(20)

    for row in range(40):
        found.grow(1)
        found.put(np.array([row]), vectors[row : row + 1])

    assert not found.is_exact
    assert np.array_equal(
        found.cosines(vectors[9].astype(np.float32)),
        held(vectors, 20).cosines(vectors[9].astype(np.float32)),
    )
    assert found.distances(vectors[9].astype(np.float32))[9] == 0


@pytest.mark.parametrize("left", [30, 15, 0])
def test_taking_rows_leaves_the_vectors_of_those_rows(left):
    vectors = random_vectors(40)
    found = held(vectors, 20)
    rows = np.arange(39, 39 - left, -1)

    found.take(rows)

    query = random_vectors(1, seed=3)[0].astype(np.float32)
    fresh = held(vectors[rows], 20)
    assert found.is_exact is fresh.is_exact
    assert found.cosines(query).tolist() == fresh.cosines(query).tolist()
    assert found.distances(query).tolist() == fresh.distances(query).tolist()


def test_equal_vectors_have_equal_cosines_wherever_they_stand():
    vectors = np.repeat(random_vectors(1), 37, axis=0)

    assert len(set(held(vectors, 100).cosines(random_vectors(1, 2)[0].astype("f4")).tolist())) == 1


def test_vectors_of_another_model_are_refused():
    found = held(random_vectors(3), 10)

    with pytest.raises(InvalidInput, match="32 dimensions"):
        found.put(np.array([0]), random_vectors(1, width=32))
    with pytest.raises(InvalidInput, match="32 dimensions"):
        found.cosines(np.ones(32, np.float32))


def test_a_vector_without_direction_is_none():
    assert unit_vector(np.zeros(4)) is None
    assert unit_vector(np.array([np.nan, 1])) is None
    assert unit_vector(np.array([3.0, 4.0])).tolist() == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize("seed", range(5))
def test_partial_orders_agree_with_a_stable_sort(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 30 if seed % 2 else 10_000, 3_000)

    for count in (0, 1, 10, 500, 3_000, 5_000):
        best = np.argsort(-values, kind="stable")[:count]
        assert rank_largest(values, count).tolist() == best.tolist()
        if count:
            assert largest(values, count).tolist() == sorted(best.tolist())
            nearest = np.argsort(values, kind="stable")[:count]
            assert closest(values.astype(np.uint16), count).tolist() == sorted(nearest.tolist())
