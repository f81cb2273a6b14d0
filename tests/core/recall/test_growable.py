"""Growing arrays, and the two set operations that ranking needs, against numpy's own."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.recall.growable import Column, among, distinct

numbers = st.lists(st.integers(-5, 40), max_size=60).map(lambda held: np.array(held, np.int64))


@given(numbers)
def test_distinct_values_are_those_of_numpy(values):
    assert distinct(values).tolist() == np.unique(values).tolist()


@given(numbers, numbers)
def test_membership_is_that_of_numpy(values, wanted):
    assert among(values, wanted).tolist() == np.isin(values, wanted).tolist()


@given(st.lists(numbers, max_size=8))
def test_a_column_holds_what_was_added_in_order(parts):
    column = Column(np.int64)
    for part in parts:
        column.extend(part)

    assert column.all.tolist() == [value for part in parts for value in part.tolist()]
