"""Dates in words: made absolute, recognised, and read out of questions."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.text.dates import DateHint, asks_when, expand, find_date, has_time_word, stamp

MONDAY = date(2023, 5, 8)


def test_a_day_is_stamped_in_english():
    assert stamp(MONDAY) == "8 May 2023"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I saw her yesterday", ["7 May 2023"]),
        ("LAST NIGHT was long", ["7 May 2023"]),
        ("today or tonight", ["8 May 2023"]),
        ("Tomorrow!", ["9 May 2023"]),
        ("the day before yesterday", ["6 May 2023"]),
        ("the day after tomorrow", ["10 May 2023"]),
        ("3 days ago", ["5 May 2023"]),
        ("a week ago", ["1 May 2023"]),
        ("two weeks  ago", ["24 April 2023"]),
        ("six months ago", ["November 2022"]),
        ("5 months ago", ["December 2022"]),
        ("a year ago", ["2022"]),
        ("10 years ago", ["2013"]),
        ("last week", ["1 May 2023"]),
        ("next week", ["15 May 2023"]),
        ("this week", ["8 May 2023"]),
        ("last month", ["April 2023"]),
        ("next month", ["June 2023"]),
        ("this month", ["May 2023"]),
        ("last year", ["2022"]),
        ("last weekend", ["6 May 2023"]),
        ("this weekend", ["13 May 2023"]),
        ("tomorrow, not yesterday, tomorrow", ["9 May 2023", "7 May 2023"]),
        ("the lasting thistle of Chicago", []),
        ("it will last month after month", ["April 2023"]),
        ("seven days ago", []),
        ("no time at all", []),
    ],
)
def test_relative_expressions_become_dates(text, expected):
    assert expand(text, MONDAY) == expected


@pytest.mark.parametrize(
    ("day", "text", "expected"),
    [
        (date(2023, 5, 6), "this weekend", "6 May 2023"),
        (date(2023, 5, 7), "this weekend", "6 May 2023"),
        (date(2023, 5, 7), "last weekend", "29 April 2023"),
        (date(2024, 2, 29), "last year", "2023"),
        (date(2024, 3, 31), "last month", "February 2024"),
        (date(2024, 1, 31), "last month", "December 2023"),
        (date(2024, 12, 31), "next month", "January 2025"),
        (date(2024, 3, 1), "yesterday", "29 February 2024"),
    ],
)
def test_edges_of_weeks_months_and_years(day, text, expected):
    assert expand(text, day) == [expected]


@pytest.mark.parametrize("text", ["9999 years ago", "yesterday", "9999 months ago", "last month"])
def test_a_date_before_the_calendar_is_left_out(text):
    assert expand(text, date(1, 1, 1)) == []


def test_a_date_after_the_calendar_is_left_out():
    assert expand("tomorrow, next month, next week", date(9999, 12, 31)) == []


@given(st.text(), st.dates())
def test_any_text_on_any_day_expands_without_error(text, day):
    assert isinstance(expand(text + " last week, 40 months ago", day), list)


@pytest.mark.parametrize(
    "text",
    [
        "I went yesterday",
        "years ago",
        "Since then",
        "on Monday",
        "in May",
        "the weekend was fun",
        "recently",
        "every morning",
        "in 2019",
        "It’s been days",
        "LAST one",
    ],
)
def test_texts_that_speak_of_time_are_recognised(text):
    assert has_time_word(text)


@pytest.mark.parametrize(
    "text", ["I like pottery", "lasting sincerely", "room 12345", "flat 12", "yesterdays", "…"]
)
def test_texts_that_do_not_speak_of_time_are_not(text):
    assert not has_time_word(text)


@pytest.mark.parametrize(
    "question",
    [
        "When did she go?",
        "  when?",
        "How long did it take?",
        "What day was it?",
        "Which year did he move?",
        "what  time is it",
        "“When was that?”",
    ],
)
def test_questions_for_a_time_are_recognised(question):
    assert asks_when(question)


@pytest.mark.parametrize(
    "question", ["Whenever did", "What did she do when?", "How did it go?", "What daylight?", ""]
)
def test_other_questions_are_not(question):
    assert not asks_when(question)


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        ("What happened on 7 May 2023?", (2023, 5, 7)),
        ("What happened on May 7, 2023?", (2023, 5, 7)),
        ("What happened on the 7th of May?", (None, 5, 7)),
        ("What happened on May 7th?", (None, 5, 7)),
        ("What happened on May the 3rd, 2022?", (2022, 5, 3)),
        ("What happened in May 2023?", (2023, 5, None)),
        ("What happened in May?", (None, 5, None)),
        ("What happened in Sept. 2022?", (2022, 9, None)),
        ("in september of 2022", (2022, 9, None)),
        ("Who came on 2023-05-07?", (2023, 5, 7)),
        ("Who came on 2023/5/7?", (2023, 5, 7)),
        ("Who came in 2023-05?", (2023, 5, None)),
        ("Who came in 2023?", (2023, None, None)),
        ("Which October events?", (None, 10, None)),
        ("What may she do?", (None, None, None)),
        ("May I ask?", (None, None, None)),
        ("Who joined the march?", (None, None, None)),
        ("What did June say to Jan?", (None, None, None)),
        ("before March", (None, 3, None)),
        ("15 people came in 12 cars", (None, None, None)),
        ("In the 1990s, or 12345 of them", (None, None, None)),
        ("from May 2022 to June 2023", (None, None, None)),
        ("in May 2022 or in May 2023", (None, 5, None)),
        ("between 3 May and 9 May", (None, 5, None)),
        ("on 3 May or on 3 June", (None, None, None)),
        ("on 32 December", (None, 12, None)),
        ("on 2023-13-07", (2023, None, None)),
        ("", (None, None, None)),
    ],
)
def test_the_date_in_a_question_is_read(question, hint):
    assert find_date(question) == DateHint(*hint)


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_a_stamped_day_reads_back(day):
    expected = DateHint(day.year, day.month, day.day)

    assert find_date(f"What happened on {stamp(day)}?") == expected
    assert find_date(f"What happened on {day.isoformat()}?") == expected


@given(st.text())
def test_any_question_is_read_without_error(question):
    assert len(find_date(question)) == 3
    assert asks_when(question) in (True, False)
    assert has_time_word(question) in (True, False)


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("Was war im März 2024?", (2024, 3, None)),
        ("Was haben wir am 5. Mai 2024 besprochen?", (2024, 5, 5)),
        ("¿Qué dije el 12 de febrero de 2023?", (2023, 2, 12)),
        ("Qu'est-ce qu'on a dit en août 2022 ?", (2022, 8, None)),
        ("Что было в мае 2024?", (2024, 5, None)),
        ("Co mówiłam w październiku 2024?", (2024, 10, None)),
        ("Mart 2024'te ne konuştuk?", (2024, 3, None)),
        ("ماذا قلنا في مارس 2024؟", (2024, 3, None)),
        ("2024年5月12日说了什么？", (2024, 5, 12)),
        ("2024년 5월에 뭐라고 했지?", (2024, 5, None)),
        ("Was stand am 05.03.2024 an?", (2024, 3, 5)),
        ("Wer war in Mai?", (None, None, None)),
        ("Was kostet 3.5.2 im Jahr 2024?", (2024, None, None)),
    ],
)
def test_a_date_with_its_year_is_read_in_other_languages(question, date):
    assert tuple(find_date(question)) == date


@pytest.mark.parametrize(
    ("question", "month"),
    [
        ("Was war im Januar an der Heizung kaputt?", 1),
        ("¿Qué dije en mayo?", 5),
        ("Pourquoi est-elle arrivée si tard en juin ?", 6),
        ("Qu'a-t-on vu au mois d'août ?", 8),
        ("In che reparto lavorava a dicembre?", 12),
        ("Como estava em março?", 3),
        ("Wat had Noor in januari?", 1),
        ("Co mówiłam w kwietniu?", 4),
        ("Что было в мае?", 5),
        ("Mayıs'ta ne oldu?", 5),
        ("Ocak ayında ne oldu?", 1),
        ("ماذا قلنا في مارس؟", 3),
        ("मई में क्या हुआ?", 5),
        ("豆包六月份得了什么病？", 6),
        ("十二月去了哪里？", 12),
        ("6月に何をした？", 6),
        ("11월에 뭐 했어?", 11),
        ("Was war im Januar oder im Mai?", None),
        ("Wer ist Mai?", None),
        ("Quel âge a Martine ?", None),
        ("Ocakta ne var?", None),
        ("3个月以前呢？", None),
        ("5月3日去了哪里？", None),
        ("7月の発表会で弾く曲は？", None),
        ("13월에 뭐 했어?", None),
        ("Was haben wir am 5. Mai 2024 und im Juni besprochen?", 5),
    ],
)
def test_a_month_alone_counts_in_a_form_that_says_when(question, month):
    assert find_date(question).month == month
