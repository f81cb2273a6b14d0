import pytest

from ricordo.core.text.change_words import adds_something, announces_change, asks_for_past

CHANGES = [
    "Der Mietvertrag wurde verlängert",
    "Rocío dejó la cerámica, ahora nada",
    "Côme ne joue plus au foot",
    "Ginevra ha smesso con la danza",
    "A Leonor trocou o violino pela guitarra",
    "Femke is gestopt met het koor",
    "Zosia zrezygnowała z szachów",
    "Алиса бросила шахматы",
    "Defne baleyi bıraktı",
    "سلمى تركت الرسم",
    "例会改到周三",
    "会議は木曜に変更",
    "지우는 첼로를 그만두고 탁구를 친다",
    "أُجّل العرض إلى الخميس",  # with points
    "وصار دوامها نهارياً",  # "and" is written with the word
    "Kredinin yeni taksiti 9.400 lira",
    "Spółdzielnia podniosła czynsz",
    "小美不学钢琴了",
    "회의가 다음 주로 밀렸다",
]
STATEMENTS = [
    "Der Mietvertrag läuft bis Ende August",
    "Rocío va a clase de cerámica los martes",
    "Yann est pompier volontaire depuis deux ans",
    "Nonno Ettore fa la visita il 18 aprile",
    "O Duarte é enfermeiro no hospital",
    "De auto moet in februari gekeurd worden",
    "Kacper pracuje jako kucharz w Gdyni",
    "Глеб работает машинистом в метро",
    "Kerem bir fırında çalışıyor",
    "يوسف يعمل نجاراً في طنطا",
    "阿哲在机场当调度员",
    "拓也は水族館で飼育員をしている",
    "현우는 소방서에서 일한다",
    "اشترينا هدية من أجل سلمى",  # "for the sake of" holds the word for "put off"
    "The nun sold her cambio and left",  # English has its own words for it
]


@pytest.mark.parametrize("text", CHANGES)
def test_a_change_is_seen_in_many_languages(text):
    assert announces_change(text)


@pytest.mark.parametrize("text", STATEMENTS)
def test_what_only_tells_something_announces_no_change(text):
    assert not announces_change(text)


def test_what_comes_on_top_is_told_from_what_replaces():
    assert adds_something("Annika geht jetzt auch klettern")
    assert adds_something("Ahora también nada")
    assert not adds_something("Annika geht jetzt klettern")


def test_a_question_about_the_past_is_seen_in_many_languages():
    assert asks_for_past("Was hat Annika früher gemacht?")
    assert asks_for_past("Чем Алиса занималась раньше?")
    assert asks_for_past("小雯以前学什么？")
    assert not asks_for_past("Was macht Annika donnerstags?")
