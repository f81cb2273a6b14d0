"""Tags: one form for every spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.text.tags import normalise
from ricordo.errors import InvalidInput


def test_spellings_of_one_tag_are_one_tag():
    assert normalise([" Work ", "work", "WORK"]) == ("work",)


def test_order_is_kept_and_blanks_are_dropped():
    assert normalise(["b", "", "  ", "a", "B"]) == ("b", "a")


def test_the_seventeenth_tag_is_dropped_without_an_error():
    assert normalise(f"tag{i}" for i in range(17)) == tuple(f"tag{i}" for i in range(16))


def test_long_tags_are_cut_at_64_characters_before_repeats_are_dropped():
    assert normalise(["é" * 70, "é" * 64 + "x"]) == ("é" * 64,)


def test_a_letter_that_grows_in_lower_case_does_not_exceed_the_limit():
    assert [len(tag) for tag in normalise(["İ" * 64])] == [64]


@pytest.mark.parametrize("tags", ["work", b"work", 5, None])
def test_something_that_is_not_a_list_is_refused(tags):
    with pytest.raises(InvalidInput, match="pass a list"):
        normalise(tags)


@pytest.mark.parametrize("tag", [5, None, b"work", "a\0b", "\ud800"])
def test_a_tag_that_is_not_text_is_refused(tag):
    with pytest.raises(InvalidInput, match="tag"):
        normalise(["fine", tag])


@given(
    st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
)
def test_tags_are_few_short_and_different(tags):
    found = normalise(tags)

    assert len(found) <= 16
    assert len(set(found)) == len(found)
    assert all(0 < len(tag) <= 64 for tag in found)
