"""Tokens: words, stems and their numbers."""

import struct
import unicodedata
import zlib
from itertools import product

import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.text import tokens
from ricordo.core.text.stopwords import ENGLISH
from ricordo.core.text.tokens import (
    BM25_STOPWORDS,
    STOP_STEMS,
    entry_terms,
    number,
    numbers,
    stem,
    stems,
    words,
)

ORDINARY = """
able about accept according account across action activity actually address administration
adoption adventures affected afternoon agencies agreement allowed already although amazing ancient
animals anniversary another anxiety apartment appearance applied apply appointment appreciate
argued arrived artists asked attending awareness babies background baking ballet basically
basketball beaches beautiful becoming believes benefits berries bicycle birthdays boxes breathing
brought buddies building business busily buying cabin cancelled candies caring carried caution
celebrated challenging charities cheese children cities classes clearly climbing closely clothes
coaches colleagues colours comfortable commitment communities comparison competitions concerned
conditions confidence connected considered consolidated controlled conversation cooking counselling
creativity cries crossing curious cutting daily dancing decided decisions deeply definitely
delicious department depressed designing determined developing dictionaries difference differently
dinner disappointed discovered discussion dishes dogs donated drawing dressed driving dying each
earlier easily eating education effective electricity embarrassed emotional employees encouraged
ended energetic engagement enjoying enough entirely equality especially essays eventually everyday
examples excellent excited exercises expected expensive experiences explained exploring eyes
faced failing falling families fantastic farmers favourite feedback feelings festivals fields
figured finally finished fishing fitness flies flowers flying focused following foods foreign
forgetting formally fortunately founded friendly friendship fries funny furniture futures gained
gallery gardening generally generations gentle getting gives glasses goals going gradually
graduated grateful grocery groups growing guitar habits handled happening happily happiness hardly
healthier healthy hearing helpful hesitant hiking historical hobbies holidays homeless honestly
hoped hopefully hoping hopping horses hospitals hosting houses hugs humorous hurried ideas identify
imagination immediately importance impressed improving incredible independently inspired
installation instead instruments intelligence intended interesting internally introduced invited
involved issues jealous jewellery joining journeys joyfully judges juggled jumping keeping kindly
knees knitting knowledge ladies lately laughing leadership learned leaves lessons letting libraries
lighter limited listening lively living locally logically lonely looked losing loved lovely loyalty
luckily lying machines magical making managed marriage matches meaningful measured medicine
meetings memorable memories mentioned messages mindfulness missed mistakes mixed modelling moments
monkeys mornings motivated mountains mothers movements moved multiple museums music mysteries
naming nationality naturally nearby necessarily neighbours nervously networks nicely nightly noises
normally noticed novels nursing objects obviously occasionally offered offices opening operations
opinions opportunities organized originally others outside owned packed painting panicked parents
participated particularly parties passionate patience peaceful people performance perhaps personally
photography physical pianist pictures places planned planning plants played pleased poetry pointed
policies politely popular possessions possibility posted pottery powerful practically practised
prefers preparing presents pretty previously prices primarily priorities privacy probably processes
producing professional programmer progress promised properly protected proudly provided psychology
published pulling purposes pushing puzzles qualities quickly quietly raising rational reached
reactions reading realized really reasons receiving recently recipes recommended recording
recovered referred reflections regularly relational relationships relaxing relied religious
remembered reminding renting repeated replied representative requires rescued researching
resilience respectful responsibilities restaurants results retired returned reviewing rivers
roasted rolling romantic routines running sadly safely sailing sandwiches satisfied saved says
scared scenery scheduled schooling scientists searching seasons secretly seemed selling senses
separately seriously services settled several sewing shared shelves shining shoes shopping shortly
showed siblings sides silently similarly simply singing sister sites sitting situations skiing
skilled sleeping slightly slowly smiling societies software solved something sometimes songs
specifically spending spiritual splendid spotted staring started states staying stepping stolen
stopped stories strangers strategies strengthened stressful strongly struggles studied studies
studying stunning styles succeeded successful suddenly suggested summers sunsets supplies supportive
supposed surely surprisingly swimming symbols talented talking tasty taught teaching technology
terrified terribly thanks themselves therapist thinking thoroughly thoughtful threatened throwing
tickets tidying tiring together tomatoes touched towards traditions training transgender
transitions travelling treasures tried trips trophies truly trusted trying turned types ugly
unbelievable understanding unexpectedly unique universities unless unusual updated upset useful
usually vacations valuable varieties various vegetables veterinary victories videos visited
volunteering waited walking wanted washed watched weakness weddings weekends weighed welcoming
whenever widely winning wishes wonderful wondering workshops worried worries worthwhile writing
written yearly yelled yesterday yoga younger yourself zones
"""
ROOTS = """
hop hopp plan fail fil tann mak cr control rol mot act relat connect y say boy cry fly happ sk gr
oper gener rat adopt r tr ab toy obey feed agre troubl siz fall hiss fizz condit valenc digit
conform radic different vile analog predic feudal decis sensit form triplic electr hope good reviv
allow infer airl gyroscop defens irrit replac adjust depend communic homolog effect bowdler prob
ceas roll sy why queu eye ooz
"""
SUFFIXES = """
s es ies sses ss ed eed ing ational tional enci ency anci ancy izer abli ably alli ally entli ently
eli ely ousli ously ization ation ator alism iveness fulness ousness aliti ality iviti ivity biliti
bility icate ative alize iciti icity ical ful ness al ance ence er ic able ible ant ement ment ent
ion sion tion ou ism ate iti ity ous ive ize e ll y yed ying at bl iz ated bling izing
"""
# The paper undoubles every consonant before -ed and -ing, the reference only bdfgmnprt.
DOUBLED_ELSEWHERE = ("cc", "hh", "jj", "kk", "qq", "vv", "ww", "xx")


def test_stems_agree_with_the_reference_on_ordinary_and_built_words():
    roots, suffixes = ROOTS.split(), SUFFIXES.split()
    built = {root + suffix for root, suffix in product(roots, suffixes)}
    built |= {root + one + two for root, one, two in product(roots, suffixes, suffixes)}
    asked = sorted(word for word in built.union(ORDINARY.split()) if len(word) > 2)

    expected = snowballstemmer.stemmer("porter").stemWords(asked)

    assert len(asked) > 200_000
    assert [(w, e, stem(w)) for w, e in zip(asked, expected, strict=True) if stem(w) != e] == []


@given(st.text(alphabet="abcdefghiklmnoprstuvwxyz", min_size=3, max_size=12))
def test_stems_agree_with_the_reference_on_any_letters(word):
    expected = snowballstemmer.stemmer("porter").stemWord(word)

    assert stem(word) == expected or any(double in word for double in DOUBLED_ELSEWHERE)


def test_documented_differences_from_the_reference():
    assert stem("trekked") == "trek"  # the reference: trekk
    assert [stem(word) for word in ("as", "is", "us")] == ["as", "is", "us"]  # a, i, u


@pytest.mark.parametrize("word", ["is", "a", "東京", "naïves", "mp3s", "1990s", "備份", ""])
def test_only_ascii_words_of_three_letters_or_more_are_stemmed(word):
    assert stem(word) == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't stop, foo_bar!", ["don", "t", "stop", "foo", "bar"]),
        ("CAFÉ cafe\u0301 café cafe", ["cafe"] * 4),
        ("Straße ﬁne １２３ Łódź Søren", ["strasse", "fine", "123", "lodz", "soren"]),
        ("備份を確認", ["备份", "份を", "を确", "确认"]),
        ("京", ["京"]),
        ("ガ行とｶﾞ", ["が行", "行と", "とが"]),
        ("٤٥٠٠ २२००० ４", ["4500", "22000", "4"]),
        ("محمـــد کتاب علی", ["محمد", "كتاب", "علي"]),
        ("ज़रूरी दाँत", ["जरूरी", "दांत"]),
        ("電腦 电脑 渡邊 渡辺", ["电脑", "电脑", "渡边", "渡边"]),
        ("안녕하세요", ["안녕", "녕하", "하세", "세요"]),
        ("GPT模型v2", ["gpt", "模型", "v2"]),
        ("東京・大阪、京都。", ["东京", "大阪", "京都"]),
        ("मराठी भाषा", ["मराठी", "भाषा"]),
        ("naïve—co\u00adoperate “yes”… 🦊", ["naive", "cooperate", "yes"]),
        ("", []),
        ("?! _ --", []),
    ],
)
def test_text_splits_into_folded_words(text, expected):
    assert words(text) == expected


def test_the_inner_part_of_unspaced_text_shares_terms_with_it():
    assert set(words("数据库")) <= set(words("我们的数据库备份"))


@given(st.text())
def test_words_of_words_are_the_same_words(text):
    assert words(" ".join(words(text))) == words(text)


@given(st.text())
def test_composed_and_decomposed_text_have_the_same_words(text):
    forms = {tuple(words(unicodedata.normalize(form, text))) for form in ("NFC", "NFD", "NFKC")}

    assert forms == {tuple(words(text))}


@given(st.text(alphabet=st.characters(max_codepoint=0x17F)))
def test_case_does_not_matter(text):
    assert words(text.upper()) == words(text) == words(text.lower())


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_text_beside_a_foreign_word_splits_as_it_does_alone(text):
    assert words(text + " щ") == [*words(text), "щ"]


def test_stems_keep_order_repeats_and_stop_words():
    assert stems("The dogs and the dog") == ["the", "dog", "and", "the", "dog"]


@given(st.text())
def test_words_are_numbered_by_their_stems(text):
    packed = numbers(words(text))

    assert [each[0] for each in struct.iter_unpack("<I", packed)] == [
        number(stem) for stem in stems(text)
    ]


def test_numbers_are_the_same_on_every_machine():
    assert number("dog") == zlib.crc32(b"dog") == 0x812C397D
    assert numbers(["dog", "東京"]) == struct.pack("<2I", number("dog"), number("東京"))


def test_a_full_cache_starts_again_and_answers_alike(monkeypatch):
    monkeypatch.setattr(tokens, "_CACHE_LIMIT", 2)
    tokens._STEMS.clear()  # what other tests have looked up would never be looked up again
    tokens._NUMBERS.clear()

    assert stems("running dogs chased running") == ["run", "dog", "chase", "run"]
    assert len(tokens._STEMS) <= 2
    assert numbers(["run", "dog", "chase"]) == b"".join(map(numbers, (["run"], ["dog"], ["chase"])))
    assert len(tokens._NUMBERS) <= 2


def test_long_noise_is_not_kept_in_the_cache():
    noise = "z" * 1000

    assert stems(noise) == [noise]
    assert noise not in tokens._STEMS


def test_the_stop_lists_have_their_documented_size():
    assert (len(ENGLISH), len(BM25_STOPWORDS)) == (95, 49)
    assert {stem(word) for word in ENGLISH} == STOP_STEMS
    assert all(words(word) == [word] for word in ENGLISH | BM25_STOPWORDS)


def test_entry_terms_are_stems_without_stop_words_and_single_characters():
    assert entry_terms("The deploys of x: Rust, rust & memory") == [
        "deploi",
        "rust",
        "rust",
        "memori",
    ]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("مدرسة المدرسة والمدرسة مدرستي بالمدرسة", {"مدرس", "مدرست"}),
        ("زوج زوجي وزوجي زوجها زوجه", {"زوج"}),
        ("موسيقى الموسيقى للموسيقى", {"موسيق"}),
        ("ولد", {"ولد"}),
        ("وال", {"وال"}),
        ("ال", {"ال"}),
    ],
)
def test_an_arabic_word_is_found_with_what_it_carries(said, found):
    assert {stem(word) for word in words(said)} == found


def test_a_cyrillic_word_is_found_in_all_its_cases():
    assert {stem(case) for case in words("Поезд поезда поезду поездом поезде")} == {"поезд"}
    assert stem("мама") == "мама"
