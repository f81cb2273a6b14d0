import pytest

from ricordo.core.text.flags import ASKS, ENDS_ASKING, TELLS_TIME, marks, vocatives


def test_a_question_at_the_end_is_told_from_one_inside():
    assert marks("How are you?") == ASKS | ENDS_ASKING
    assert marks("How are you? I am fine") == ASKS
    assert marks("I am fine") == 0


@pytest.mark.parametrize(
    "question",
    [
        "你住在哪里？",
        "أين تسكن؟",
        "どこに住んでいますか",
        "何時でしたか。",
        "Πού μένεις\u037e",
        "¿Dónde?",
    ],
)
def test_a_question_is_seen_in_every_script(question):
    """LNG-3"""
    assert marks(question) == ASKS | ENDS_ASKING
    assert marks(f"{question} abc") == ASKS


@pytest.mark.parametrize("text", ["静かな山", "ですかなり", "He said so; then left"])
def test_what_only_looks_like_a_question_is_none(text):
    assert marks(text) == 0


def test_blanks_after_the_question_mark_do_not_matter():
    assert marks("Ready? \n") & ENDS_ASKING


def test_a_word_of_time_is_noticed():
    assert marks("We met last week") == TELLS_TIME


def test_names_after_greetings_and_before_exclamations_are_calls():
    assert vocatives("Hey Tove, how was it?") == "Tove"
    assert vocatives("That was fun, Ruben!") == "Ruben"
    assert vocatives("It rained. Thanks, Tove.") == "Tove"


def test_names_that_are_only_mentioned_are_no_calls():
    assert vocatives("I saw Ruben yesterday") == ""


def test_words_that_begin_a_sentence_are_no_calls():
    assert vocatives("Oh That is nice") == ""
    assert vocatives("Hi there") == ""
