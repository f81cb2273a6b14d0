import pytest

from ricordo.core.recall.told_words import find_told, read_words


@pytest.mark.parametrize(
    ("query", "text", "is_told"),
    [
        ("Haftalık toplantısı ne zaman?", "toplantı salıya alındı", True),
        ("Когда собрание жильцов?", "собрания больше нет", True),
        ("今の車は？", "車を手放した", True),
        ("Wann kommt der Heizungsmonteur?", "die Heizung ist kaputt", True),
        ("When is the meeting?", "meetings moved to Tuesday", True),
        ("When is the meeting?", "the meter was read", False),
        ("Kde je pes?", "the roof has slates", False),
    ],
)
def test_a_word_is_told_in_any_of_its_forms(query, text, is_told):
    assert bool(find_told(read_words(query), text)) == is_told


def test_words_of_an_english_question_have_no_other_forms():
    assert set(read_words("When is the meeting?").values()) == {()}
