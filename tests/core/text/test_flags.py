from ricordo.core.text.flags import ASKS, ENDS_ASKING, TELLS_TIME, marks, vocatives


def test_a_question_at_the_end_is_told_from_one_inside():
    assert marks("How are you?") == ASKS | ENDS_ASKING
    assert marks("How are you? I am fine") == ASKS
    assert marks("I am fine") == 0


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
