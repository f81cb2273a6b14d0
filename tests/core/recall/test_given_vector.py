"""A vector that a caller made: numbers with a direction, scaled to length one."""

import math

import numpy as np
import pytest

from ricordo import InvalidInput
from ricordo.core.recall.given_vector import check_dimensions, read_vector


@pytest.mark.parametrize(
    "given",
    [
        [3.0, 4.0],
        (3, 4),
        np.array([3.0, 4.0], np.float16),
        (each for each in (3, 4)),
        [3e300, 4e300],
        [3e-300, 4e-300],
    ],
)
def test_any_list_of_numbers_has_length_one(given):
    assert read_vector(given).tolist() == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize(
    "given",
    [
        *("text", b"bytes", 7, {"a": 1.0}, [], ["1", "2"], [True, False], [None], [[1.0, 2.0]]),
        *([1.0, math.nan], [1.0, math.inf], [0.0, 0.0], [[1.0], [1.0, 2.0]], [10**400, 1]),
        [1.0] * 65_537,
    ],
)
def test_whatever_has_no_direction_is_refused(given):
    with pytest.raises(InvalidInput, match="vector"):
        read_vector(given)


def test_other_dimensions_are_refused_with_both_numbers():
    with pytest.raises(InvalidInput, match=r"3 dimensions.* 2 \(mine\)"):
        check_dimensions(read_vector([1, 2, 3]), 2, "mine")
