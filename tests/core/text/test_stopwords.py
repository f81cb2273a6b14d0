"""Stop words: the language of a question decides which of its words say little."""

import pytest

from ricordo.core.text.stopwords import ENGLISH, OTHERS, stopwords
from ricordo.core.text.tokens import words

ASKED = [
    ("Wann war Jana beim Zahnarzt und welche Zähne waren kaputt?", "jana zahnarzt zahne kaputt"),
    ("Où est-ce que Clémence a acheté son vélo ?", "clemence achete velo"),
    ("¿Cuándo empezó Leo las clases de guitarra?", "empezo leo clases guitarra"),
    ("Dove ha comprato Giulia la bicicletta?", "comprato giulia bicicletta"),
    ("Quando é que a Inês foi ao médico?", "ines medico"),
    ("Waar heeft Sanne haar fiets gekocht?", "sanne fiets gekocht"),
    ("Когда и куда Паша поехал на поезде?", "паша поехал поезде"),
    ("Kiedy Kinga była w szpitalu i ile dni tam leżała?", "kinga szpitalu dni lezala"),
    ("Var köpte Sanna sin cykel och vad kostade den?", "kopte sanna cykel kostade"),
    ("Hvor købte Freja sin cykel, og hvad kostede den?", "kobte freja cykel kostede"),
    ("Ayşe bisikletini nereden ve ne zaman aldı?", "ayse bisikletini aldi"),
    ("Siapa yang membeli sepeda untuk Dewi?", "membeli sepeda dewi"),
    ("Коли і де Оля купила велосипед?", "оля купила велосипед"),
    ("متى اشترت ليلى الدراجة ومن أين؟", "اشترت ليلي الدراجة"),
    ("नीता ने साइकिल कब और कहाँ खरीदी?", "नीता साइकिल खरीदी"),
    ("하은이는 언제 어디서 자전거 샀어?", "하은 은이 자전 전거 샀어"),
    ("What did Ana say about the trip to Oslo?", "ana say trip oslo"),
]


@pytest.mark.parametrize(("question", "left"), ASKED)
def test_words_that_ask_are_not_what_is_asked_for(question, left):
    said = words(question)

    assert [word for word in said if word not in stopwords(said)] == left.split()


def test_pairs_of_an_unspaced_question_that_only_ask_are_stop_words():
    said = words("太郎さんはどこで自転車を買ったのですか")

    assert {"どこ", "です", "すか"} <= stopwords(said)
    assert "自転" not in stopwords(said)


@pytest.mark.parametrize(
    "said",
    """
    |son age|die hard rating|jana zahnarzt|Tom's son's birthday|colour of van|man in hat|bis bald
    men who die in war|men want new door|portrait of Van Gogh|Las Vegas or Los Angeles
    I'd say I'm in|What does quando mean?|a flight to El Paso via La Guardia
    plus one for the prima donna|Kim and Han sit under the till|once the one pan is mine
    Hans Dina|Hans and Dina|Ham alt recipe|Saya Kita phone number|Mina and Ada
    Ben, Dan and Sue go far|the ten biz ideas of Jo|a man by the name of Bo
    """.replace("\n", "|").split("|"),
)
def test_in_doubt_words_are_english(said):
    assert stopwords(words(said)) is ENGLISH


@pytest.mark.parametrize(
    "question", ["Wo wohnt Jana?", "Mit wem?", "¿Dónde vive Ana?", "Где живёт Гриша?", "猫是谁的？"]
)
def test_a_word_that_opens_a_question_tells_its_language(question):
    assert stopwords(words(question)) is not ENGLISH


def test_every_stop_word_is_folded_as_words_are():
    for listed in (ENGLISH, *OTHERS):
        assert all(words(word) == [word] for word in listed)
