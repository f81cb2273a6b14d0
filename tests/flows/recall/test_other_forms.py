"""Words are found in other forms than they were written in, in many languages, by words alone."""

import pytest

OTHERS = ["A note about boats and harbours", "Ein anderer Text ohne Bezug", "Совсем другая запись"]
CASES = [
    ("Der Heizungsmonteur kommt am Montag", "Heizung"),
    ("Zahnärztin Dr. Böhm", "boehm"),
    ("wir brauchen drei Lampen", "Lampe"),
    ("pagamos el alquiler el día 5", "pagar"),
    ("les journaux sont à la cave", "journal"),
    ("as reuniões são às terças", "reunião"),
    ("i parchi sono chiusi", "parco"),
    ("едем к бабушке на дачу", "дача"),
    ("anahtarlar çekmecede", "çekmece"),
    ("ذهبت إلى المستشفى", "المستشفي"),
    ("الشقة رقم ٤٥٠٠", "4500"),
    ("ज़रूरी काग़ज़", "जरूरी कागज"),
    ("किराया २२००० रुपये", "22000"),
    ("我养了一只猫", "猫"),
    ("犬を飼っている", "犬"),
    ("りんごを買う", "リンゴ"),
    ("我的電腦放在辦公室", "电脑"),
    ("我的电脑放在办公室", "電腦"),
    ("隣の渡邊さんに渡す", "渡辺"),
    ("집에서 일한다", "집"),
    ("jadę do Krakowa", "Kraków"),
]


@pytest.mark.parametrize(("text", "asked"), CASES)
def test_a_word_is_found_in_another_form(space, text, asked):
    """LNG-2"""
    for other in OTHERS:
        space.remember(other)
    space.remember(text)

    assert space.recall(asked, mode="keyword")[0].text == text


def test_the_form_that_was_asked_for_comes_first(space):
    space.remember("Der Heizungsmonteur kommt am Montag")
    space.remember("Die Heizung ist noch immer kaputt")

    found = [hit.text for hit in space.recall("Heizung", mode="keyword")]

    assert found == ["Die Heizung ist noch immer kaputt", "Der Heizungsmonteur kommt am Montag"]


def test_english_words_keep_to_their_stems(space):
    space.remember("The planetarium opens at nine")

    assert space.recall("the plane", mode="keyword") == []
