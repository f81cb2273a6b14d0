"""Fact keys: when two spellings name the same fact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.learning.fact_keys import find_key, key
from ricordo.errors import InvalidInput


@pytest.mark.parametrize("text", ["dog name", "Dog-Name", "dog_name", "  DOG -- name! "])
def test_spellings_of_one_key_are_one_key(text):
    assert key(text) == "dog_name"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Straße 7", "strasse_7"),
        ("犬の名前", "犬の名前"),
        ("cafe\u0301", "café"),
        ("भाषा", "भाषा"),
    ],
)
def test_keys_are_made_of_letters_and_digits_of_any_script(text, expected):
    assert key(text) == expected


def test_words_that_differ_by_a_vowel_sign_stay_apart():
    assert key("की") != key("का")


@pytest.mark.parametrize("text", ["", "  ", "?!", "___"])
def test_a_key_without_letters_is_refused(text):
    with pytest.raises(InvalidInput, match="has no letter or digit"):
        key(text)


def test_a_key_that_is_not_text_is_refused():
    with pytest.raises(InvalidInput, match="fact key is int"):
        key(5)  # type: ignore[arg-type]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_a_key_is_its_own_key(text):
    try:
        found = key(text)
    except InvalidInput:
        return
    assert key(found) == found


@pytest.mark.parametrize(
    ("asked", "existing", "expected"),
    [
        ("dog_name", ["cat_name", "dog_name"], "dog_name"),
        ("name_dog", ["dog_name"], "dog_name"),
        ("editor", ["preferred_editor"], "preferred_editor"),
        ("preferred_editor", ["editor"], "editor"),
        ("current_main_editor", ["editor"], "editor"),
        ("birthday", ["carlos_birthday"], None),
        ("carlos_birthday", ["birthday"], None),
        ("email", ["work_email", "previous_email", "home_email"], None),
        ("default_editor", ["preferred_editor"], None),
        ("editor", [], None),
        ("editor", ["preferred_editor", "editor"], "editor"),
    ],
)
def test_only_wording_that_keeps_the_meaning_is_merged(asked, existing, expected):
    assert find_key(asked, existing) == expected


def test_the_closest_of_several_matches_wins_whatever_their_order():
    existing = ["current_default_editor", "main_editor", "fav_editor"]

    assert find_key("editor", existing) == find_key("editor", existing[::-1]) == "fav_editor"


@given(st.sets(st.sampled_from(["a", "b", "main", "fav"]), min_size=1))
def test_merging_works_both_ways(tokens):
    asked, other = "_".join(sorted(tokens)), "a_main"

    assert (find_key(asked, [other]) is None) == (find_key(other, [asked]) is None)
