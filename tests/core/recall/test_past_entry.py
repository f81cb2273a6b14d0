"""Past entries: filters and conditions on what is in no index, decided as the store decides."""

import pytest

from ricordo.core.recall.past_entry import PastEntry, PastFilter, meets, passes
from ricordo.core.recall.where import parse_where
from ricordo.store.tables.metadata import list_values, pack_value

ENTRY = PastEntry(7, "old/plan", "note", "work", frozenset({"a", "b"}), "user", 50, 90, frozenset())


@pytest.mark.parametrize(
    "given",
    [
        {}, {"at": 89}, {"kinds": ("fact", "note")}, {"category": "work"}, {"tags": ("b", "a")},
        {"tags": ()}, {"since": 50}, {"until": 51}, {"origins": ("user",)}, {"prefix": "old/"},
        {"without": (8,)},
    ],
)  # fmt: skip
def test_an_entry_passes_what_it_meets(given):
    assert passes(ENTRY, PastFilter(**{"at": 60, **given}))


@pytest.mark.parametrize(
    "given",
    [
        {"at": 90}, {"kinds": ("fact",)}, {"category": "home"}, {"tags": ("a", "c")},
        {"since": 51}, {"until": 50}, {"origins": ("agent",)}, {"prefix": "plan"},
        {"without": (7,)},
    ],
)  # fmt: skip
def test_one_condition_that_does_not_hold_is_enough(given):
    assert not passes(ENTRY, PastFilter(**{"at": 60, **given}))


@pytest.mark.parametrize(
    ("where", "holds"),
    [
        ({"year": 2001}, True), ({"year": "2001"}, False), ({"year": {"$gt": 2001}}, False),
        ({"year": {"$gte": 2001, "$lte": 2001}}, True), ({"year": {"$lt": "3"}}, False),
        ({"year": {"$in": [1, 2001]}}, True), ({"year": {"$in": []}}, False),
        ({"year": {"$ne": 2001}}, False), ({"none": {"$ne": 2001}}, True),
        ({"by.name": "Kim"}, True), ({"by": {"$exists": True}}, True),
        ({"by": {"$exists": False}}, False), ({"seen": None}, True), ({"seen": 1}, True),
        ({"big": {"$gt": 2**60}}, True), ({"big": 2**60}, False), ({"on": True}, True),
        ({"on": 1}, False), ({"$or": [{"year": 1}, {"on": True}]}, True),
        ({"$not": {"$or": [{"year": 1}, {"on": False}]}}, True),
    ],
)  # fmt: skip
def test_metadata_meets_conditions_as_in_the_store(where, holds):
    metadata = {
        "year": 2001, "by": {"name": "Kim"}, "seen": [1, None], "big": 2**60 + 1, "on": True
    }  # fmt: skip
    parsed = parse_where(where)
    assert parsed is not None

    assert meets(list_values(metadata), parsed, pack_value) is holds
