"""Language: which texts the multilingual model is for, told by little words and by the script."""

import pytest

from ricordo.core.text.language import is_foreign

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
SILENT = ["Pizza Margherita", "42", "ok", "", "def main(): return x1"]


@pytest.mark.parametrize("text", ENGLISH + SILENT)
def test_english_and_what_tells_nothing_is_not_foreign(text):
    assert not is_foreign(text)


@pytest.mark.parametrize("text", FOREIGN)
def test_the_languages_of_the_multilingual_model_are_told(text):
    assert is_foreign(text)


@pytest.mark.parametrize("text", UNREAD)
def test_languages_that_it_does_not_read_are_not_meant(text):
    assert not is_foreign(text)
