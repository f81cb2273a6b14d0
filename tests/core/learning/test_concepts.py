"""Concept tags: derived labels, the same for the same text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.learning import concepts as module
from ricordo.core.learning.concepts import concepts


def test_a_known_term_comes_first():
    assert concepts("quota monitoring endpoint of OpenAI")[0] == "openai"


def test_an_ordinary_text_gives_its_subject_words():
    assert concepts("OpenAI quota monitoring endpoint") == (
        "openai",
        "quota",
        "monitoring",
        "endpoint",
    )


@pytest.mark.parametrize(
    "text",
    [
        "12345",
        "2026-04-22",
        "2026-04-22.md",
        "memory",
        "para",
        "ab",
        "x" * 33,
        "",
        "?!",
        "3.14",
        "the and with",
        "かな",
    ],
)
def test_words_that_tell_nothing_give_no_tag(text):
    assert concepts(text) == ()


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("foo_bar", "foo-bar"),
        ("备份", "备份"),
        ("src/main.rs", "src/main.rs"),
        ("s3 bucket", "s3"),
        ("the KV store", "kv"),
        ("x" * 32, "x" * 32),
        ("漢" * 32, "漢" * 32),
        ("データベースの備份", "データベース"),
        ("データベースの備份", "備份"),
        ("ＯｐｅｎＡＩ", "openai"),
        ("मराठी", "मराठी"),
    ],
)
def test_telling_words_become_tags(text, tag):
    assert tag in concepts(text)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", ["a", "a_", "a.", "a-/", "漢"])
def test_an_endless_word_is_read_once(unit):
    """A pattern that goes back over every letter would take hours here."""
    assert concepts(unit * 300_000) == ()


@pytest.mark.parametrize("text", ["egyptian", "gpts", "keygit"])
def test_a_known_term_inside_another_word_does_not_count(text):
    assert concepts(text) == (text,)


def test_a_limit_is_kept():
    text = "apple banana cherry damson elder fig3 grape hazel iris"

    assert len(concepts(text)) == 8
    assert concepts(text, 3) == ("apple", "banana", "cherry")
    assert concepts(text, 0) == concepts(text, -1) == ()


def test_repeats_give_one_tag():
    assert concepts("Redis redis REDIS") == ("redis",)


def test_the_lists_have_their_documented_sizes():
    assert len(module._GLOSSARY) == 38
    assert len(set(module._TECHNICAL_WORDS.split())) == 64
    assert len(set(module._ENGLISH_WORDS.split())) == 8
    assert len(set(module._SPANISH_WORDS.split())) == 23
    assert len(set(module._EXTENSIONS.split())) == 15
    assert not module._GLOSSARY & module._STOPPED


@given(st.text())
def test_tags_are_few_short_different_and_never_stop_words(text):
    found = concepts(text)

    assert len(found) <= 8
    assert len(set(found)) == len(found)
    assert all(len(tag) <= 32 and tag not in module._STOPPED for tag in found)


def test_words_of_other_languages_are_whole_and_tell_something():
    assert "izmir" in concepts("İzmir'de bir ev tuttuk")
    assert concepts("Der Schlüssel liegt bei der Nachbarin") == ("schlüssel", "liegt", "nachbarin")
    assert concepts("L'ordinateur est dans l'armoire") == ("ordinateur", "armoire")
    assert concepts("Le chiavi dell'armadio sono qui")[:2] == ("chiavi", "armadio")
    assert concepts("IŞIK lisesi API") == ("ışık", "lisesi", "api")
    assert concepts("할머니가 토요일에 오신다") == ("할머니", "토요일", "오신다")
    assert concepts("전문가 회의") == ("전문가", "회의")
    assert concepts("小美的生日在五月") == ("小美", "生日", "五月")
    assert concepts("目的地是北京") == ("目的地", "北京")
