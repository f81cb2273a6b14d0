"""Public ids: UUID version 7."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.integrity.ids import is_uuid, uuid7
from ricordo.errors import InvalidInput

times = st.integers(0, (1 << 48) * 1000 - 1)
noise = st.binary(min_size=10, max_size=10)


@given(times, noise)
def test_an_id_is_a_version_7_uuid_of_its_millisecond(at_us, random):
    found = uuid.UUID(uuid7(at_us, random))

    assert found.version == 7
    assert found.variant == uuid.RFC_4122
    assert found.int >> 80 == at_us // 1000
    assert str(found) == uuid7(at_us, random)


@given(times, times, noise, noise)
def test_ids_sort_by_microsecond(one, other, random_one, random_other):
    if one != other:
        assert (uuid7(one, random_one) < uuid7(other, random_other)) == (one < other)


@given(st.integers(0, 63))
def test_64_random_bits_tell_ids_of_one_microsecond_apart(bit):
    # The top two bits go beside the microseconds, the low 62 into the tail.
    at = bit if bit < 62 else bit + 16

    assert uuid7(1, bytes(10)) != uuid7(1, (1 << at).to_bytes(10, "big"))


def test_the_text_form_is_exact():
    assert uuid7(1_645_557_742_000_000, b"\xff" * 10) == "017f22e2-79b0-7003-bfff-ffffffffffff"


@pytest.mark.parametrize("at_us", [-1, (1 << 48) * 1000])
def test_a_time_that_does_not_fit_is_refused(at_us):
    with pytest.raises(InvalidInput, match=str(at_us)):
        uuid7(at_us, bytes(10))


def test_too_little_randomness_is_refused():
    with pytest.raises(InvalidInput, match="10 random bytes, not 9"):
        uuid7(0, bytes(9))


@given(st.uuids())
def test_any_uuid_is_recognised_in_either_case(value):
    assert is_uuid(str(value))
    assert is_uuid(str(value).upper())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "seat",
        "017f22e279b07cc398c4dc0c0c07398f",
        "017f22e2-79b0-7003-bfff-fffffffffffg",
        "017f22e2-79b0-7003-bfff-ffffffffffff\n",
        " 017f22e2-79b0-7003-bfff-ffffffffffff",
        None,
        7,
    ],
)
def test_anything_else_is_not(text):
    assert not is_uuid(text)
