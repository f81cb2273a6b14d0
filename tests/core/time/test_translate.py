"""Translate: times as other languages say them, and what is left alone."""

from datetime import UTC, datetime

import pytest

from ricordo.core.time import phrases
from ricordo.core.time.translate import translate
from ricordo.errors import InvalidInput

NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)  # a Sunday

TOMORROW = """
morgen um 9 | morgen früh | mañana a las 9 | mañana por la mañana | demain matin | demain à 9h
amanhã às 9 | amanhã de manhã | domani alle 9 | domani mattina | morgen om 9 uur | завтра в 9
завтра утром | jutro o 9 | jutro rano | yarın saat 9'da | yarın sabah | غدا الساعة 9 | غداً صباحا
कल सुबह 9 बजे | 明天早上九点 | 明日の朝9時 | 내일 오전 9시 | ２ | Morgen um ９ Uhr.
"""
DAILY = """
jeden Tag um 8 | täglich um 8 Uhr | cada día a las 8 | todos los días a las 8 | tous les jours à 8h
todos os dias às 8 | ogni giorno alle 8 | elke dag om 8 uur | каждый день в 8 | ежедневно в 8
codziennie o 8 | her gün 8'de | كل يوم الساعة 8 | हर दिन 8 बजे
रोज़ 8 बजे | 每天8点 | 毎日8時 | 매일 8시
"""
MONDAYS = """
jeden Montag um 9:30 | cada lunes a las 9:30 | los lunes a las 9:30 | chaque lundi à 9h30
toda segunda às 9:30 | ogni lunedì alle 9:30 | elke maandag om 9:30 | каждый понедельник в 9:30
każdy poniedziałek o 9:30 | her pazartesi 9:30 | हर सोमवार 9:30 | 每周一9点半 | 毎週月曜日9時30分
매주 월요일 9시 반
"""
IN_TWO_HOURS = """
in zwei Stunden | en dos horas | dentro de 2 horas | dans deux heures | daqui a duas horas
tra due ore | over twee uur | через 2 часа | za 2 godziny | 2 saat sonra | بعد 2 ساعة
2 घंटे बाद | 两个小时后 | 2時間後 | 2시간 후
"""
DATE = """
5. März 2027 um 15 Uhr | 5 de marzo de 2027 a las 15:00 | le 5 mars 2027 à 15h | 05.03.2027 15:00
5 de março de 2027 às 15:00 | 5 marzo 2027 alle 15 | 5 maart 2027 om 15 uur | 5 марта 2027 в 15:00
5 marca 2027 o 15 | 5 Mart 2027 15:00 | 5 مارس 2027 الساعة 15 | 5 मार्च 2027 15 बजे
2027年3月5日下午3点 | 2027年3月5日15時 | 2027년 3월 5일 오후 3시
"""

IN_HALF_AN_HOUR = """
in einer halben Stunde | dentro de media hora | dans une demi-heure | daqui a meia hora
tra mezz'ora | over een half uur | через полчаса | za pół godziny | yarım saat sonra
بعد نصف ساعة | आधे घंटे बाद | 半小时后 | 30分後 | 30분 후
"""
AT_SIX = """
um 18 Uhr | a las 18:00 | à 18h | às 18:00 | alle 18 | om 18 uur | в 18:00 | в 6 вечера | o 18:00
saat 18'de | الساعة 18 | الساعة السادسة مساء | शाम 6 बजे | 下午6点 | 午後6時に | 오후 6시에
"""
COMING_WEEK = """
nächste Woche Dienstag um 9 | martes de la próxima semana a las 9
mardi de la semaine prochaine à 9h | terça da próxima semana às 9 | martedì della prossima settimana
dinsdag volgende week om 9 | на следующей неделе во вторник в 9 | w przyszłym tygodniu we wtorek
haftaya salı saat 9'da | الثلاثاء من الأسبوع القادم الساعة 9 | 下周二9点 | 来週の火曜日9時
다음 주 화요일 9시 | Tuesday next week | next week on Tuesday at 9
"""


def listed(lines, without=()):
    found = [phrase.strip() for line in lines.strip().split("\n") for phrase in line.split("|")]
    return [phrase for phrase in found if phrase not in without]


@pytest.mark.parametrize("text", listed(TOMORROW, without="２"))
def test_tomorrow_at_nine_in_every_language(text):
    assert phrases.instant(text, NOW) == datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize("text", listed(DAILY))
def test_every_day_at_eight_in_every_language(text):
    assert phrases.cadence(text, NOW).expression == "0 8 * * *"


@pytest.mark.parametrize("text", listed(MONDAYS))
def test_every_monday_in_every_language(text):
    assert phrases.cadence(text, NOW).expression == "30 9 * * 1"


@pytest.mark.parametrize("text", listed(IN_TWO_HOURS))
def test_a_duration_in_every_language(text):
    assert phrases.instant(text, NOW) == datetime(2026, 3, 1, 14, 30, tzinfo=UTC)


@pytest.mark.parametrize("text", listed(IN_HALF_AN_HOUR))
def test_half_an_hour_in_every_language(text):
    assert phrases.instant(text, NOW) == datetime(2026, 3, 1, 13, tzinfo=UTC)


@pytest.mark.parametrize("text", listed(AT_SIX))
def test_a_time_of_day_alone_is_the_next_one_in_every_language(text):
    assert phrases.instant(text, NOW) == datetime(2026, 3, 1, 18, tzinfo=UTC)


@pytest.mark.parametrize("text", listed(COMING_WEEK))
def test_a_day_of_the_coming_week_is_not_the_first_one_after_today(text):
    monday = datetime(2026, 3, 2, 12, 30, tzinfo=UTC)

    assert phrases.cadence(text, monday).at == datetime(2026, 3, 10, 9, tzinfo=UTC)


@pytest.mark.parametrize("text", ["下周日9点", "Sunday next week"])
def test_a_day_that_is_in_two_weeks_is_refused_with_both(text):
    with pytest.raises(InvalidInput, match="2026-03-08 or 2026-03-15"):
        phrases.instant(text, datetime(2026, 3, 4, tzinfo=UTC))


def test_on_a_sunday_the_coming_week_may_have_begun():
    with pytest.raises(InvalidInput, match="2026-03-03 or 2026-03-10"):
        phrases.instant("下周二10点", NOW)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("كل يوم اثنين الساعة 10", "0 10 * * 1"),
        ("كل خميس الساعة 9", "0 9 * * 4"),
        ("по вторникам в 9", "0 9 * * 2"),
        ("w środy o 9", "0 9 * * 3"),
        ("월요일마다 9시에", "0 9 * * 1"),
        ("كل ساعتين", "0 */2 * * *"),
    ],
)
def test_a_day_that_comes_back_is_said_in_many_forms(text, expression):
    assert phrases.cadence(text, NOW).expression == expression


@pytest.mark.parametrize("text", listed(DATE))
def test_a_date_is_a_cadence_too_and_no_cron_fields(text):
    assert phrases.cadence(text, NOW).at == datetime(2027, 3, 5, 15, tzinfo=UTC)


@pytest.mark.parametrize("text", listed(DATE))
def test_a_date_in_every_language(text):
    assert phrases.instant(text, NOW) == datetime(2027, 3, 5, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("heute Abend um 8", datetime(2026, 3, 1, 20, tzinfo=UTC)),
        ("ce soir à 8h", datetime(2026, 3, 1, 20, tzinfo=UTC)),
        ("übermorgen um 10 Uhr", datetime(2026, 3, 3, 10, tzinfo=UTC)),
        ("nächsten Dienstag um 15 Uhr", datetime(2026, 3, 3, 15, tzinfo=UTC)),
        ("mardi prochain", datetime(2026, 3, 3, 9, tzinfo=UTC)),
        ("завтра в 9 часов вечера", datetime(2026, 3, 2, 21, tzinfo=UTC)),
        ("بعد يومين", datetime(2026, 3, 3, 12, 30, tzinfo=UTC)),
        ("morgen um halb neun", datetime(2026, 3, 2, 8, 30, tzinfo=UTC)),
        ("Sonntagabend um acht", datetime(2026, 3, 8, 20, tzinfo=UTC)),
        ("morgenochtend om 8 uur", datetime(2026, 3, 2, 8, tzinfo=UTC)),
        ("jutro o ósmej wieczorem", datetime(2026, 3, 2, 20, tzinfo=UTC)),
        ("yarın saat sekiz buçukta", datetime(2026, 3, 2, 8, 30, tzinfo=UTC)),
        ("bu akşam saat 8'de", datetime(2026, 3, 1, 20, tzinfo=UTC)),
        ("esta tarde a las 5", datetime(2026, 3, 1, 17, tzinfo=UTC)),
        ("the day after tomorrow at 10", datetime(2026, 3, 3, 10, tzinfo=UTC)),
    ],
)
def test_parts_of_days_and_coming_days(text, at):
    assert phrases.instant(text, NOW) == at


@pytest.mark.parametrize(
    "text",
    [
        "montags um 9",  # every Monday, or the next one?
        "le lundi à 9h",
        "晚上12点",
        "morgen abend 12 uhr",
        "gestern um 9",
        "um 9",
        "morgen um 9 oder 10",
        "jeden Tag um 8 und 20 Uhr",  # two times, not twenty past eight
        "her gün 8 ve 20'de",
        "codziennie o 8 i 20",
        "كل يوم 2 الساعة 10",
        "9",
        "irgendwann morgen",
        "5/3/2027",
        "",
    ],
)
def test_what_has_two_readings_or_an_unknown_word_is_not_translated(text):
    assert translate(text) is None


def test_an_error_says_which_languages_are_read():
    with pytest.raises(InvalidInput, match="the same in German, Spanish"):
        phrases.cadence("irgendwann", NOW)
    with pytest.raises(InvalidInput, match="the same in German, Spanish"):
        phrases.instant("irgendwann", NOW)


def test_an_hour_that_no_clock_has_is_named():
    with pytest.raises(InvalidInput, match="25"):
        phrases.instant("morgen um 25", NOW)
