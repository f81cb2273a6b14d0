"""Language: which texts are English, and which the multilingual model is for."""

import pytest

from ricordo.core.text.language import is_for_second_model, is_foreign
from ricordo.core.text.tokens import words
from ricordo.embed.vocabulary import list_english_words

ENGLISH = ["I walked the dog in the park", "She was at the office with Tom", "What a day!"]
FOREIGN = [
    "Ich war gestern mit dem Hund im Park",
    "Je suis allée au marché avec ma sœur",
    "Ayer estuve con mis hermanos porque hacía muy buen tiempo",
    "Вчера мы были на даче",
    "昨日は友達と映画を見ました",
    "어제 친구와 영화를 봤어요",
    "我昨天和朋友去看电影了",
    "ذهبت أمس مع صديقي إلى السينما",
    "เมื่อวานฉันไปดูหนังกับเพื่อน",
    "Dün akşam çok güzel bir yemek yedik",
]
UNREAD = [
    "Jag var på kontoret igår och det var inte roligt",
    "Jeg var på kontoret i går, og det var ikke sjovt",
    "Учора ми були на дачі, і це було дуже добре",
    "मैं कल अपने दोस्त के साथ गया था और यह अच्छा था",
    "Saya pergi ke pasar kemarin dan itu tidak mahal",
    "Χθες πήγα σινεμά με τους φίλους μου",
]
SILENT = ["Pizza", "42", "ok", "", "def main(): return x1"]


# Notes without a function word, as people write them.
NOTES = [
    "fıstık alerjisi var",
    "Las llaves están en la mesa",
    "Rendez-vous dentiste mardi 15h",
    "Klucze są w szufladzie",
    "Fietssleutel ligt bij buurvrouw",
    "Geheimzahl Tresor 4711",
    "Preferisce posto finestrino",
    "Alergia a amendoim",
]
ENGLISH_NOTES = [
    "Prefers window seats",
    "Allergic to peanuts",
    "Garage code 4711",
    "fix flaky keeper tests",
    "SELECT name FROM entries WHERE space = 1",
    "restart all pods",
]


def _is_foreign(text: str) -> bool:
    return is_foreign(words(text), list_english_words)


def _is_for_second(text: str) -> bool:
    return is_for_second_model(words(text), list_english_words)


@pytest.mark.parametrize("text", ENGLISH + SILENT + ENGLISH_NOTES)
def test_english_and_what_tells_nothing_is_not_foreign(text):
    assert not _is_foreign(text)
    assert not _is_for_second(text)


@pytest.mark.parametrize("text", FOREIGN + NOTES)
def test_the_languages_of_the_multilingual_model_are_recognised(text):
    assert _is_foreign(text)
    assert _is_for_second(text)


@pytest.mark.parametrize("text", UNREAD)
def test_languages_that_it_does_not_read_are_foreign_and_not_for_it(text):
    assert _is_foreign(text)
    assert not _is_for_second(text)


def test_function_words_alone_tell_most_texts():
    def unasked() -> frozenset[str]:
        raise AssertionError("the vocabulary was asked for")

    assert not is_foreign(words(ENGLISH[0]), unasked)
    assert is_foreign(words(FOREIGN[0]), unasked)
