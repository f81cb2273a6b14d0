"""Rows of other programs: vectors, times and ids are read as they were meant."""

import json
import struct
from datetime import UTC, datetime

import pytest

from ricordo.core.exchange import other_memories
from ricordo.core.integrity import ids
from ricordo.errors import InvalidInput


def test_a_vector_is_read_from_its_bytes_or_from_json_and_nothing_else():
    """EMB-1"""
    numbers = [float(number) / 8 for number in range(384)]
    packed = struct.pack("<384f", *numbers)

    assert (
        other_memories.vector(packed)
        == other_memories.vector(json.dumps(numbers).encode())
        == numbers
    )
    with pytest.raises(InvalidInput, match="100 bytes"):
        other_memories.vector(bytes(100))
    with pytest.raises(InvalidInput, match="0 bytes"):
        other_memories.vector(b"")


@pytest.mark.parametrize("blob", [b"[1, 2", b'["x"]', b"[[1]]", b"[" * 100_000])
def test_a_vector_that_is_no_list_of_numbers_is_refused(blob):
    with pytest.raises(InvalidInput, match="not a JSON list"):
        other_memories.vector(blob)


@pytest.mark.parametrize(
    "value",
    ["2024-03-01T12:00:00Z", "2024-03-01T13:00:00+01:00", "2024-03-01 12:00:00", 1709294400,
     1709294400000, 1709294400.0],
)  # fmt: skip
def test_a_time_is_text_or_a_number_of_seconds_or_milliseconds(value):
    assert other_memories.moment(value) == datetime(2024, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("value", ["yesterday", None, b"x", 10**30])
def test_what_is_no_time_is_refused(value):
    with pytest.raises(InvalidInput, match="time"):
        other_memories.moment(value)


def test_an_id_that_is_a_uuid_is_kept_and_any_other_always_gives_the_same_uuid():
    own = "0192F0C1-0000-7000-8000-000000000001"

    assert other_memories.uid("messages", own) == own.lower()
    assert other_memories.uid("memories", own.replace("-", "")) == own.lower()
    made = other_memories.uid("messages", 7)
    assert ids.is_uuid(made)
    assert made == other_memories.uid("messages", 7)
    assert len({made, other_memories.uid("messages", 8), other_memories.uid("memories", 7),
                other_memories.uid("messages", "7")}) == 4  # fmt: skip
