"""How values of metadata stand in the tables: in one order on every backend."""

import gzip
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import ricordo
from ricordo.core.recall import where
from ricordo.store.tables import metadata
from ricordo.store.tables.metadata import MOST_VALUES, list_values, pack_value

numbers = st.integers(-(2**70), 2**70) | st.floats(-1e20, 1e20)


@given(numbers, numbers)
def test_numbers_keep_their_order_and_their_digits(one, other):
    def place(value):
        packed = pack_value(value)
        return packed.number, packed.text

    assert (place(one) < place(other)) == (one < other)
    assert (place(one) == place(other)) == (one == other)


def test_huge_numbers_are_kept_as_the_largest_float():
    assert pack_value(10**400) == pack_value(10**500)
    assert pack_value(-(10**400)).number < pack_value(-(10**20)).number


def test_values_are_listed_from_the_top_and_each_once():
    deep = {"a": {"b": {"c": 1}}, "d": ["x", "x", {"e": 2}], "": 3, "k" * 200: 4}

    keys = [key for key, _ in list_values(deep)]

    assert keys == ["a", "d", "a.b", "d", "a.b.c", "d.e"]


def test_a_large_object_is_listed_up_to_a_limit_from_the_top():
    listed = list_values({"inner": {f"k{n}": n for n in range(1_000)}, "last": 1})

    assert len(listed) == MOST_VALUES
    assert [key for key, _ in listed][:2] == ["inner", "last"]


def test_what_can_be_asked_for_is_what_is_listed():
    assert where.LONGEST_KEY == metadata.LONGEST_KEY
    assert where.LONGEST_TEXT == metadata.LONGEST_TEXT
    assert pack_value("x" * 300) != pack_value("x" * 256)


def test_metadata_of_an_older_file_is_found(tmp_path: Path):
    packed = Path(__file__).parent.parent / "fixtures" / "schema-008.db.gz"
    path = tmp_path / "old.db"
    path.write_bytes(gzip.decompress(packed.read_bytes()))

    with ricordo.open(path, embedder="none") as memory:
        held = [
            (memory.space(name), entry, key, value)
            for name in memory.spaces()
            for entry in memory.space(name).entries(limit=None)
            for key, value in entry.metadata.items()
            if isinstance(value, str | int | float) and len(str(value)) <= 256
        ]
        for space, entry, key, value in held:
            assert entry in space.entries(where={key: value}, limit=None)
        assert [found for found in memory.check() if found.rule == "metadata"] == []
    assert held
