"""Marks: where the words of a query stand in a text."""

from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.text.marks import MOST, find_marks


def words(query, text):
    return [text[start:end] for start, end in find_marks(query, text)]


def test_other_forms_of_a_word_are_marked():
    assert words("window seat", "Two Windows, no seating; seats") == ["Windows", "seating", "seats"]


def test_accents_and_case_make_no_difference():
    assert words("CAFE", "Un café noir") == ["café"]


def test_words_that_say_nothing_are_not_marked():
    assert words("where is the seat", "Where the seat is") == ["seat"]


def test_scripts_without_blanks_are_marked_by_their_pairs():
    assert words("東京", "私は東京に住む") == ["東京"]


@given(st.text(max_size=60), st.text(max_size=300))
def test_marks_lie_in_the_text_in_order_and_apart(query, text):
    found = find_marks(query, text)

    assert len(found) <= MOST
    ends = [0, *(end for _, end in found)]
    assert all(
        before <= start < end <= len(text)
        for before, (start, end) in zip(ends, found, strict=False)
    )
