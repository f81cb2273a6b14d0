"""Names of authors in a question."""

import pytest

from ricordo.core.text.speaker_names import find, names_of, strip


def named(text: str, *authors: str) -> list[str]:
    return [name.author for name in find(text, names_of({a.casefold(): a for a in authors}))]


def stripped(text: str, *authors: str) -> str:
    return strip(text, names_of({author.casefold(): author for author in authors}))


def test_possessives_go_with_their_name():
    text = "What is Tove's boat and RUBEN’s plan?"

    assert stripped(text, "Tove", "Ruben") == "What is boat and plan?"


def test_a_text_of_names_alone_stays_whole():
    assert stripped("Tove?", "Tove") == "Tove?"


def test_longer_names_are_found_before_their_parts():
    assert named("What did Tove Lind say?", "Tove Lind", "Tove") == ["Tove Lind"]
    assert named("What did Tove say?", "Tove Lind", "Tove") == ["Tove"]
    assert named("森田さんは東京で", "森田", "森") == ["森田"]


def test_a_name_that_is_a_stop_word_needs_a_capital_inside_the_sentence():
    assert named("Will it rain? What will she do?", "Will") == []
    assert named("What did Will do?", "Will") == ["Will"]


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("Wo steht Janas Fahrrad?", "Jana"),
        ("Что Ира подарила Грише на день рождения?", "Гриша"),
        ("Куда поехал брат Игоря?", "Игорь"),
    ],
)
def test_names_are_found_in_their_cases(text, author):
    assert named(text, author, "Tove") == [author]


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("When did we pay the bills?", "Bill"),
        ("How many customers complained?", "Customer"),
        ("Это было два года тому назад", "Том"),
        ("Was war in Janasburg?", "Jana"),
    ],
)
def test_a_word_that_only_looks_like_a_case_names_nobody(text, author):
    assert named(text, author) == []


def test_a_case_of_two_names_means_neither():
    assert named("Что подарили Александру?", "Александр", "Александра") == []
    assert named("Anns Kleid", "Ann", "Anns") == ["Anns"]


def test_names_are_found_where_nothing_stands_between_words():
    assert stripped("森田さんは東京で何を買った？", "森田") == "さんは東京で何を買った？"
    assert stripped("ßßß森田さんは東京", "森田") == "ßßßさんは東京"
    assert named("森林公園はどこですか", "森") == []
    assert named("a.*b 森田", "森.田", "a.*b") == []
