import pytest
from conversations import filled, message

from ricordo.core.recall.question import read
from ricordo.core.text.tokens import number, stem

VIEW = filled([message(1, "Tove", "I bought a kayak"), message(2, "Ruben", "Will you race?")])


def numbered(*words: str) -> tuple[int, ...]:
    return tuple(number(stem(word.lower())) for word in words)


def test_content_is_what_is_neither_stop_word_nor_name():
    question = read("Where did Tove buy the kayak, the red kayak?", VIEW)

    assert question.subject == numbered("buy", "kayak", "red")
    assert question.people == ("Tove",)
    assert question.bare == "Where did buy the kayak, the red kayak?"


def test_a_question_of_names_alone_is_about_them():
    assert read("Tove?", VIEW).stems == numbered("Tove")


def test_a_question_of_stop_words_keeps_them_all():
    assert read("What is this?", VIEW).stems == numbered("what", "is", "this")


def test_pairs_skip_stop_words_and_keep_names():
    question = read("Did Tove race the kayak?", VIEW)

    assert question.pairs == (numbered("Tove", "race"), numbered("race", "kayak"))


def test_words_that_ask_in_another_language_are_no_content():
    question = read("Wann und wo hat Tove das Kajak gekauft?", VIEW)

    assert question.subject == numbered("kajak", "gekauft")
    assert not question.is_english


@pytest.mark.parametrize(
    ("text", "is_english"),
    [
        ("Where is the kayak?", True),
        ("kayak", True),
        ("2023", True),
        ("", True),
        ("Где мой iPhone?", False),
        ("байдарка", False),
        ("байдарка 2023 2024", False),
        ("2023年に何を買った?", False),
        ("내 iPhone은 어디에 있어?", False),
    ],
)
def test_a_question_is_english_unless_it_shows_otherwise(text, is_english):
    assert read(text, VIEW).is_english is is_english


@pytest.mark.parametrize("text", ["Wer ist Mia?", "¿Quién es Mia?", "Who is Mia?"])
def test_a_question_that_only_names_somebody_asks_for_the_name(text):
    talk = filled([message(1, "Mia", "hello"), message(2, "Ben", "hello")])

    assert read(text, talk).stems == (number("mia"),)


def test_what_hangs_on_an_unspaced_name_is_not_asked_for():
    talk = filled([message(1, "태경", "안녕"), message(2, "하은", "안녕")])

    asked = read("태경이가 산 신발", talk)

    assert asked.people == ("태경",)
    assert set(asked.subject) == {number(word) for word in ("산", "신발")}


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

    assert question.subject == numbered("one", "use")
