"""The hash chain: every bit before an event shows in its link."""

from itertools import accumulate

import blake3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.integrity.chain import START, digest, link
from ricordo.errors import InvalidInput

KEY = bytes(range(32))


def chained(payloads: list[bytes]) -> list[bytes]:
    numbered = enumerate(payloads, start=1)
    return list(
        accumulate(
            numbered, lambda last, item: link(last, item[0], digest(KEY, item[1])), initial=START
        )
    )


def test_a_digest_is_keyed_blake3():
    assert digest(KEY, b"hello") == blake3.blake3(b"hello", key=KEY).digest()
    assert digest(KEY, b"hello") != digest(bytes(32), b"hello")


def test_a_link_covers_the_link_before_the_seq_and_the_digest():
    inner = digest(KEY, b"hello")

    expected = blake3.blake3(START + (7).to_bytes(8, "big") + inner).digest()

    assert link(START, 7, inner) == expected
    assert len(START) == len(expected) == 32


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=5), st.data())
def test_a_changed_payload_changes_every_later_link_and_no_earlier_one(payloads, data):
    at = data.draw(st.integers(0, len(payloads) - 1))
    changed = [*payloads]
    changed[at] += b"!"

    before, after = chained(payloads), chained(changed)

    assert before[: at + 1] == after[: at + 1]
    assert all(one != other for one, other in zip(before[at + 1 :], after[at + 1 :], strict=True))


def test_moving_an_event_to_another_seq_shows():
    assert link(START, 1, digest(KEY, b"x")) != link(START, 2, digest(KEY, b"x"))


def test_a_key_of_the_wrong_size_is_refused():
    with pytest.raises(InvalidInput, match="31 bytes; it must have 32"):
        digest(bytes(31), b"x")
