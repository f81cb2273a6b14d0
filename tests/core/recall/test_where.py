"""Where: what conditions on metadata find, compared with a plain reading of them."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.recall.where import (
    DEEPEST,
    MOST_CONDITIONS,
    Condition,
    Negation,
    parse_where,
    select,
)
from ricordo.errors import InvalidInput

ITEMS = {1: {"a": 1, "b": "x"}, 2: {"a": 2}, 3: {"b": "y"}, 4: {}}
conditions = st.sampled_from(
    [
        {"a": 1},
        {"a": {"$gt": 1}},
        {"b": {"$in": ["x", "y"]}},
        {"b": {"$ne": "x"}},
        {"a": {"$exists": False}},
    ]
)
trees = st.recursive(
    conditions,
    lambda inner: (
        st.fixed_dictionaries({"$and": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"$or": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"$not": inner})
    ),
    max_leaves=8,
)


def find(condition: Condition) -> set[int]:
    """The items that have the key and meet the condition; enough for the conditions above."""
    key, operator, values = condition
    held = {item: metadata[key] for item, metadata in ITEMS.items() if key in metadata}
    if operator == "$exists":
        return set(held)
    if operator == "$gt":
        return {item for item, value in held.items() if value > values[0]}
    return {item for item, value in held.items() if value in values}


def meets(where: Mapping, item: int) -> bool:
    """The same, one item at a time, by the meaning of the words."""
    ((key, value),) = where.items()
    if key == "$and":
        return all(meets(each, item) for each in value)
    if key == "$or":
        return any(meets(each, item) for each in value)
    if key == "$not":
        return not meets(value, item)
    held = ITEMS[item].get(key)
    if not isinstance(value, Mapping):
        return held == value
    ((operator, wanted),) = value.items()
    return {
        "$gt": lambda: held is not None and held > wanted,
        "$in": lambda: held in wanted,
        "$ne": lambda: held != wanted,
        "$exists": lambda: (held is not None) == wanted,
    }[operator]()


@given(trees)
def test_combined_conditions_find_what_meets_them(where):
    found = select(parse_where(where), find)

    chosen = set(ITEMS) - found.items if found.is_complement else found.items
    assert chosen == {item for item in ITEMS if meets(where, item)}


def test_no_conditions_are_no_filter():
    assert parse_where(None) is None
    assert parse_where({}) is None


def test_not_equal_is_the_negation_of_equal():
    assert parse_where({"a": {"$ne": 1}}) == Negation(Condition("a", "$in", (1,)))


def test_conditions_that_go_round_in_a_circle_are_refused():
    circle: dict = {}
    circle["$not"] = circle
    inner: dict = {}
    inner["$not"] = inner

    with pytest.raises(InvalidInput, match=f"more than {DEEPEST} levels"):
        parse_where(circle)
    with pytest.raises(InvalidInput, match=f"more than {DEEPEST} levels"):
        parse_where({"a": inner})


def test_too_many_conditions_are_refused():
    with pytest.raises(InvalidInput, match=f"more than {MOST_CONDITIONS}"):
        parse_where({"$or": [{"a": n} for n in range(MOST_CONDITIONS + 1)]})
