"""The points of a conversation: whole sentences with their speaker, none twice."""

import re

import pytest
from hypothesis import given
from logs import event, logs

from ricordo.core.conversation.points import (
    LONGEST,
    clip_clause,
    condense_words,
    finish,
    retell,
    score,
    split_sentences,
)


def test_what_says_something_is_retold_and_pleasantries_are_not():
    told = retell(
        [
            event(1, "hi there"),
            event(2, "Hello! How can I help?", "assistant"),
            event(3, "my sister Marta moves to Gent on 4 June. can you plan the van"),
            event(4, "Great, happy to.", "assistant"),
        ]
    )

    assert "- user: My sister Marta moves to Gent on 4 June." in told
    assert "Hello" not in told
    assert "happy to" not in told


def test_a_point_is_made_once():
    told = retell([event(n, "The ferry to Bergen leaves at nine") for n in range(1, 30)])

    assert told == "- user: The ferry to Bergen leaves at nine."


def test_people_are_named():
    told = retell([event(1, "I have the spare key of the base", name="Dev")])

    assert told == "- Dev: I have the spare key of the base."


def test_a_long_conversation_is_retold_in_whole_sentences_within_bounds():
    said = [
        f"Point {n} is settled: room {n * 7} goes to group {n * 3} on day {n}." for n in range(99)
    ]

    told = retell([event(n, text) for n, text in enumerate(said)])

    assert len(told) <= LONGEST + 200
    assert {line.removeprefix("- user: ") for line in told.splitlines()} <= set(said)


@given(logs())
def test_every_sentence_of_a_retelling_was_said(events):
    told = retell(events)

    assert told.strip()
    assert told == retell(events)


def test_sentences_end_at_their_marks_and_not_at_abbreviations():
    text = "Dr. Weiss is in. **Call** her, e.g. at 9!\n- Bring `x`\n```\ncode. here\n```"

    assert split_sentences(text) == ["Dr. Weiss is in.", "Call her, e.g. at 9!", "Bring x"]


def test_a_text_is_condensed_to_its_best_sentences():
    text = "Good question. " + "It is long and winding and says little, so nobody reads it. " * 4
    text += "The budget is 4,200 euros."

    short = condense_words(text, 120)

    assert "The budget is 4,200 euros." in short
    assert len(short) <= 120
    assert re.fullmatch(r"(?:[^.]+\.)+", short)


def test_a_sentence_that_is_too_long_ends_at_a_clause():
    text = "We take the early train to Gent, then the bus to the coast and walk the rest of it"

    assert clip_clause(text, 66) == "We take the early train to Gent, then the bus to the coast..."
    assert clip_clause(text, 50) == "We take the early train to Gent..."
    assert clip_clause("x" * 20, 10) == "x" * 10 + "..."


@pytest.mark.parametrize(
    "talk",
    [
        "Teşekkürler! Ayşe'nin doğum günü 14 Mayıs'ta. Sence hangisi güzel?",
        "شكرا! عيد ميلاد سلمى في 14 أيار. أيّ لون تفضل؟",
        "こんにちは！さくらの誕生日は5月14日です。どの色がいいですか？",
        "你好！小美的生日是5月14日。你觉得哪种颜色好看？",
        "Привет! День рождения Алисы 14 мая. Какой цвет лучше?",
        "नमस्ते! सीमा का जन्मदिन 14 मई को है। कौन सा रंग अच्छा लगेगा?",
        "Hallo! Annikas Geburtstag ist am 14. Mai. Welche Farbe ist schöner?",
        "안녕! 지우 생일은 5월 14일이야. 어떤 색이 더 예쁠까?",
        "Cześć! Urodziny Zosi są 14 maja. Jaki kolor będzie ładniejszy?",
    ],
)
def test_in_other_languages_what_says_something_counts_more_than_greetings_and_questions(talk):
    greeting, told, asked = map(score, split_sentences(talk))

    assert told > max(greeting, asked, 0)


def test_sentences_end_at_the_marks_of_every_script():
    assert split_sentences("أين تسكن؟ في عمان.") == ["أين تسكن؟", "في عمان."]
    assert split_sentences("यह पहला है। दूसरा यहाँ है।") == ["यह पहला है।", "दूसरा यहाँ है।"]
    assert split_sentences("「行きます。」と言った。次は木曜です。") == [
        "「行きます。」と言った。",
        "次は木曜です。",
    ]
    assert split_sentences("他说：“明天来。”我们等他。") == ["他说：“明天来。”", "我们等他。"]
    assert split_sentences("Am 14. Mai kommt sie. Am 3. geht sie.") == [
        "Am 14. Mai kommt sie.",
        "Am 3. geht sie.",
    ]
    assert finish("أين تسكن؟") == "أين تسكن؟"
    assert finish("यह पहला है।") == "यह पहला है।"
