"""Word forms: the pieces by which a word is found in another form."""

import pytest

from ricordo.core.text.stopwords import stopwords
from ricordo.core.text.tokens import words
from ricordo.core.text.word_forms import (
    LEAST_SHARE,
    list_all_pieces,
    list_asked_pieces,
    list_pieces,
    list_signs,
)


def share(text, asked):
    """How much of a word of a question is found in a text."""
    said = words(text)
    held = {*list_all_pieces(said, stopwords(said)), *list_signs(said)}
    pieces = list_asked_pieces(words(asked)[0])
    return len(held.intersection(pieces)) / len(pieces)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Der Heizungsmonteur kommt Montag", "Heizung"),
        ("die Heizung ist kaputt", "Heizungsmonteur"),
        ("Frau Schröder hat angerufen", "Schroeder"),
        ("Herr Schroeder hat angerufen", "Schröder"),
        ("arabanın muayenesi yarın", "araba"),
        ("el contrato que firmamos", "firmar"),
        ("едем на дачу", "дача"),
        ("мы были в доме", "дом"),
        ("ذهبنا لمعرض دبي", "معرض"),
        ("किताबें अलमारी में", "किताब"),
        ("昨日は早く走った", "走る"),
        ("서버를 옮겼다", "옮기다"),
    ],
)
def test_a_word_shares_pieces_with_its_other_forms(text, asked):
    assert share(text, asked) >= LEAST_SHARE


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("принтер сломан", "принести"),
        ("Das Fenster ist offen", "Finsternis"),
        ("la mesa grande", "mensaje"),
    ],
)
def test_words_that_only_begin_alike_do_not(text, asked):
    assert share(text, asked) < LEAST_SHARE


def test_numbers_and_single_letters_have_no_pieces():
    assert list_pieces("4711") == []
    assert list_pieces("ab12") == []
    assert list_pieces("x") == []


def test_a_piece_is_never_taken_for_a_word():
    assert not set(list_pieces("tasche")) & set(words("tasc asch sche tas"))


def test_signs_are_words_of_scripts_without_blanks():
    assert list_signs(words("我养了一只猫")) == ["我", "养", "了", "一", "只", "猫"]
    assert list_signs(words("水を飲む")) == ["水", "饮"]
    assert list_signs(words("a plain text")) == []
