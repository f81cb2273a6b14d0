"""Addressed: asking for what the assistant said is told from asking it to say something."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.core.recall.asks_assistant import LANGUAGES, asks_assistant, fold

SAID = """
What did you suggest for the lake?|Which paint had you recommended?|What was your advice?
Welches Restaurant hast du mir empfohlen?|Was war dein Vorschlag für das Wochenende?
Quel vin m'as-tu conseillé ?|Le livre que tu m'avais recommandé ?|C'était quoi ta suggestion ?
¿Qué hotel me recomendaste?|¿Qué me has dicho del contrato?|¿Cuál era tu consejo?
Quale ristorante mi hai consigliato?|Qual livro você me recomendou?|Welk boek heb je me aangeraden?
Vilken bok rekommenderade du?|Jaką książkę mi poleciłeś?|Какую книгу ты мне посоветовал?
Hangi kitabı önerdin?|ما الكتاب الذي اقترحته علي؟|بماذا نصحتني؟|你给我推荐的书是哪一本？
勧めてくれた本は何でしたか|추천해 준 책이 뭐였지?|Vad sa du om resan?
Das Buch, das du mir empfohlen hast?|네가 추천한 책
"""
ASKED = """
Can you suggest a lake?|What should I tell you?|Do you know my sister?|When did I tell you about it?
Kannst du mir ein Restaurant empfehlen?|Wann habe ich dir das gesagt?
Tu peux me conseiller un vin ?|¿Puedes recomendarme un hotel?|Mi consigli un ristorante?
Você pode me recomendar um livro?|Kun je een boek aanraden?|Kan du rekommendera en bok?
Możesz polecić książkę?|Можешь посоветовать книгу?|Bana kitap önerir misin?
هل يمكنك أن تقترح كتابا؟|你能推荐一本书吗？|本を教えてください|책 추천해 줘
Weißt du, was der Arzt mir empfohlen hat?|Weißt du noch, wem ich das Buch gegeben habe?
Weet je wat de dokter heeft gezegd?|母が勧めてくれた本は？|友達が教えてくれた店
엄마가 추천한 식당|医生给你推荐的药
"""


@pytest.mark.parametrize("question", SAID.strip().replace("\n", "|").split("|"))
def test_what_you_said_is_asked_for(question):
    assert asks_assistant(question)


@pytest.mark.parametrize("word", ["tu", "vous", "du", "je", "you", "ты", "a", "가", "が"])
def test_a_long_text_is_read_as_fast_as_it_is_long(word):
    assert not asks_assistant(word + " " * 20_000 + "!")
    assert not asks_assistant(f"{word} " * 20_000)


@pytest.mark.parametrize("question", ASKED.strip().replace("\n", "|").split("|"))
def test_a_request_does_not_ask_for_what_you_said(question):
    assert not asks_assistant(question)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.cues[0])
@settings(max_examples=30)
@given(data=st.data())
def test_whatever_a_language_asks_holds_one_of_its_cues(language, data):
    asked = re.compile(language.asked.pattern, re.IGNORECASE | re.VERBOSE)

    text = data.draw(st.from_regex(asked))

    assert any(cue in fold(text) for cue in language.cues)
