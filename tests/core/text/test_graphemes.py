import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.text.graphemes import cut_front, cut_text, find_next

CHARACTERS = [
    "a",
    "é",
    "e\u0301",
    "👨\u200d👩\u200d👧\u200d👦",
    "👍🏽",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "🇩🇪",
    "नि",
    "क्ष",
    "שָׁ",
    "مُّ",
    "각",
    unicodedata.normalize("NFD", "각"),
    "❤\ufe0f",
    "\r\n",
]


@pytest.mark.parametrize("one", CHARACTERS)
def test_a_character_is_cut_away_whole_or_kept_whole(one):
    for size in range(len(one)):
        assert cut_text(f"x{one}y", 1 + size) == "x"
        assert cut_front(f"x{one}y", 1 + size) == "y"
    assert cut_text(f"x{one}y", 1 + len(one)) == f"x{one}"
    assert cut_front(f"x{one}y", 1 + len(one)) == f"{one}y"
    assert find_next(f"x{one}y", 1) == 1 + len(one)


@given(st.lists(st.sampled_from(CHARACTERS)), st.integers(0, 40))
def test_a_cut_falls_between_two_characters(listed, size):
    text = "".join(listed)
    ends = {len("".join(listed[:count])) for count in range(len(listed) + 1)}

    assert len(cut_text(text, size)) in ends
    assert len(text) - len(cut_front(text, size)) in ends
    assert len(cut_text(text, size)) <= size or not text
    assert text.startswith(cut_text(text, size))
    assert text.endswith(cut_front(text, size))


@given(st.text(), st.integers(0, 20))
def test_any_text_is_cut_within_its_size(text, size):
    assert len(cut_text(text, size)) <= size
    assert len(cut_front(text, size)) <= size
