import pytest
from conversations import filled, message

from recollect.core.question import read, strip_names
from recollect.core.tokens import number, stem

VIEW = filled([message(1, "Tove", "I bought a kayak"), message(2, "Ruben", "Will you race?")])


def numbered(*words: str) -> tuple[int, ...]:
    return tuple(number(stem(word.lower())) for word in words)


def test_content_is_what_is_neither_stop_word_nor_name():
    question = read("Where did Tove buy the kayak, the red kayak?", VIEW)

    assert question.stems == numbered("buy", "kayak", "red")
    assert question.people == ("Tove",)
    assert question.bare == "Where did buy the kayak, the red kayak?"


def test_possessives_go_with_their_name():
    assert strip_names("What is Tove's boat and RUBEN’s plan?", {"tove", "ruben"}) == (
        "What is boat and plan?"
    )


def test_a_text_of_names_alone_stays_whole():
    assert strip_names("Tove?", {"tove"}) == "Tove?"
    assert read("Tove?", VIEW).stems == numbered("Tove")


def test_a_question_of_stop_words_keeps_them_all():
    assert read("What is this?", VIEW).stems == numbered("what", "is", "this")


def test_pairs_skip_stop_words_and_keep_names():
    question = read("Did Tove race the kayak?", VIEW)

    assert question.pairs == (numbered("Tove", "race"), numbered("race", "kayak"))


def test_longer_names_are_found_before_their_parts():
    view = filled([message(1, "Tove Lind", "hello"), message(2, "Tove", "hello")])

    assert read("What did Tove Lind say?", view).people == ("Tove Lind",)
    assert read("What did Tove say?", view).people == ("Tove",)


def test_a_name_that_is_a_stop_word_needs_a_capital_inside_the_sentence():
    view = filled([message(1, "Will", "hello"), message(2, "Tove", "hello")])

    assert read("Will it rain? What will she do?", view).people == ()
    assert read("What did Will do?", view).people == ("Will",)


def test_names_are_found_in_their_cases():
    view = filled([message(1, "Jana", "hello"), message(2, "Гриша", "hello")])

    assert read("Wo steht Janas Fahrrad?", view).people == ("Jana",)
    assert read("Что Ира подарила Грише на день рождения?", view).people == ("Гриша",)
    assert read("Was war in Janasburg?", view).people == ()


def test_names_are_found_where_nothing_stands_between_words():
    view = filled(
        [message(1, "森田", "hello"), message(2, "森", "hello"), message(3, "Tove", "hi")]
    )

    question = read("森田さんは東京で何を買いましたか？", view)

    assert question.people == ("森田",)
    assert question.bare == "さんは東京で何を買いましたか？"


def test_words_that_ask_in_another_language_are_no_content():
    question = read("Wann und wo hat Tove das Kajak gekauft?", VIEW)

    assert question.stems == numbered("kajak", "gekauft")
    assert not question.is_english


@pytest.mark.parametrize(
    ("text", "is_english"),
    [("Where is the kayak?", True), ("kayak", True), ("", True), ("Где?", False), ("何を?", False)],
)
def test_a_question_is_english_unless_it_shows_otherwise(text, is_english):
    assert read(text, VIEW).is_english is is_english


@pytest.mark.parametrize(
    ("text", "addressed"),
    [
        ("What did you suggest for the lake?", True),
        ("Who was on Thursday in the rotation you gave me?", True),
        ("You've already mentioned a shop. Which?", True),
        ("What was your second recommendation?", True),
        ("Can you tell me where I live?", False),
        ("Could you list my appointments?", False),
        ("Where do you like to sit?", False),
    ],
)
def test_a_question_for_what_you_said_names_the_assistant(text, addressed):
    talk = filled([message(1, "user", "hello"), message(2, "assistant", "hello")])

    assert read(text, talk).people == (("assistant",) if addressed else ())
    assert read(text, VIEW).people == ()


def test_roles_are_no_names():
    view = filled([message(1, "user", "hello"), message(2, "assistant", "hello")])

    assert read("What did the user say?", view).people == ()


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("What did Tove do?", False),
        ("What did Tove do in March 2024?", False),
        ("Where is the kayak?", True),
        ("What is this?", True),
    ],
)
def test_names_and_dates_alone_are_no_subject(text, about):
    assert read(text, VIEW).is_about_subject is about


def test_dates_and_questions_for_them_are_read():
    question = read("When in March 2024 did Tove race?", VIEW)

    assert (question.date.year, question.date.month, question.date.day) == (2024, 3, None)
    assert question.asks_when
    assert read("Where is it?", VIEW).date is None


def test_a_word_whose_stem_looks_like_a_stop_word_still_counts():
    question = read("which one does she use?", VIEW)

    assert question.stems == numbered("one", "use")
