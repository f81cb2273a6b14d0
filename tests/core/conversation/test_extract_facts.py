"""Facts out of what people said."""

import pytest
from logs import event

from ricordo.core.conversation.extract_facts import (
    find_facts,
    parse,
    pick_least_trusted,
    read_text,
    sources,
)
from ricordo.core.conversation.stated_facts import StatedFact


def pairs(text):
    return [(fact.key, fact.value) for fact in read_text(text)]


def test_facts_are_read_between_the_outermost_brackets():
    answer = 'Sure: [{"category": "user", "key": "dog", "value": "Rex"}] Anything else?'

    assert parse(answer) == [StatedFact("user", "dog", "Rex")]
    assert parse("[]") == []


@pytest.mark.parametrize(
    "answer",
    [
        "none",
        "][",
        "[1]",
        '[{"category": "user"}]',
        '[{"category": "gossip", "key": "a", "value": "b"}]',
        '[{"category": "user", "key": "!", "value": "b"}]',
        '[{"category": "user", "key": "a", "value": " "}]',
    ],
)
def test_what_is_no_list_of_facts_is_refused(answer):
    with pytest.raises(ValueError, match=r"."):
        parse(answer)


def test_plain_statements_are_found_in_what_users_say():
    said = [
        event(1, "My dog is called Rex. I prefer aisle seats!"),
        event(2, "my name is Assistant", "assistant"),
        event(3, "Call me Ana"),
    ]

    assert find_facts(said) == [
        StatedFact("user", "dog name", "Rex", 1),
        StatedFact("preference", "prefers aisle seats", "aisle seats", 1),
        StatedFact("user", "name", "Ana", 3),
    ]


def test_the_last_statement_of_a_key_holds():
    assert find_facts([event(1, "I live in Oslo"), event(2, "I live in Bergen")]) == [
        StatedFact("user", "home", "Bergen", 2)
    ]


def test_what_a_named_speaker_says_is_a_fact_about_them():
    said = [event(1, "I live in Oslo", name="Dev"), event(2, "I live in Bergen", name="Rhona")]

    assert [fact[:3] for fact in find_facts(said)] == [
        ("people", "Dev home", "Oslo"),
        ("people", "Rhona home", "Bergen"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I live in Gent and work at Barco.", [("home", "Gent"), ("employer", "Barco")]),
        ("I live in Brno. Can you find me a climbing gym?", [("home", "Brno")]),
        ("My wife's birthday is on the 4th of May.", [("wife birthday", "4th of May")]),
        ("I hate jazz, sorry", [("dislikes jazz", "jazz")]),
    ],
)
def test_a_value_ends_where_its_clause_ends(text, found):
    assert pairs(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My sister works at St. Mary's Hospital.", [("sister employer", "St. Mary's Hospital")]),
        ("The budget is 2,500,000 dollars.", [("budget", "2,500,000 dollars")]),
        ("i work for spotify as a nurse", [("job", "nurse"), ("employer", "Spotify")]),
        ("I've been a vegetarian since 2014.", [("diet", "vegetarian")]),
        ("I'm an optimist.", [("is optimist", "optimist")]),
        ("I started at Acme in June.", [("joined", "Acme")]),
        ("I was born in Cork in 1987.", [("birthplace", "Cork"), ("year of birth", "1987")]),
        ("I have been sober for six years.", [("sober since", "six years")]),
    ],
)
def test_a_value_is_whole_and_under_a_key_that_fits(text, found):
    assert sorted(pairs(text)) == sorted(found)


@pytest.mark.parametrize(
    "text",
    [
        "I hate Mondays, don't we all.",
        "I love Fridays, like everyone else.",
        "I live for Fridays.",
        "I study the diff and see nothing wrong.",
        "I keep the receipts.",
        "I moved in with my parents in October.",
        "The patient lives in Ulm.",
    ],
)
def test_a_joke_a_thing_at_hand_or_somebody_unknown_is_no_fact(text):
    assert pairs(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What should I cook for my sister Palesa?", [("sister name", "Palesa")]),
        ("Frontend: SvelteKit.", [("frontend", "SvelteKit")]),
        ("As a night-shift nurse, I need quiet mornings.", [("job", "night-shift nurse")]),
        ("Our lease ends on 30 June 2027.", [("lease ends", "30 June 2027")]),
        ("Jazz is a hard no for me.", [("dislikes Jazz", "Jazz")]),
    ],
)
def test_a_fact_is_found_in_any_construction(text, found):
    assert pairs(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Unless my dog is called Rex, the chip is wrong.",
        "I will call my dog Rex.",
        "What is it like living in Oslo?",
        "She lives in Oslo.",
        "As a lawyer, what would you advise?",
        "Performance: 41",
    ],
)
def test_a_construction_alone_states_nothing(text):
    assert pairs(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo?",
        "If I live in Oslo, I need a coat.",
        "I live in Oslo, I think.",
        "I don't live in Oslo.",
        "I live in Oslo until June.",
        "“I live in Oslo,” she said.",
        "Translate to Dutch: I live in Oslo.",
        "I live in Oslo. Translate that into Dutch.",
        "Write a story. I live in Oslo.",
        "You are a sailor. I live in Oslo.",
        "In my novel I live in Oslo.",
        "`I live in Oslo`",
        "> I live in Oslo",
        "Tom: I live in Oslo",
        "I live in Oslo. Just kidding!",
        "I live in Excel.",
    ],
)
def test_in_doubt_there_is_no_fact(text):
    assert pairs("I live in Oslo.") == [("home", "Oslo")]
    assert pairs(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich heiße Jonas und wohne in Ulm.", [("name", "Jonas"), ("home", "Ulm")]),
        ("Je m'appelle Luc et j'adore le vin.", [("name", "Luc")]),
        ("Soy alérgica al polen y a los gatos", [("polen", "polen"), ("gatos", "gatos")]),
        ("Я живу в Туле, мою собаку зовут Рекс.", [("home", "Туле"), ("dog name", "Рекс")]),
        ("أنا أسكن في عمّان", [("home", "عمّان")]),
        ("我對花生過敏。", [("花生", "花生")]),
        ("札幌に住んでいます。犬の名前はポチです。", [("home", "札幌"), ("dog name", "ポチ")]),
    ],
)
def test_other_languages_state_facts_in_their_own_words(text, expected):
    """ARC-8"""
    assert [(key.removeprefix("allergy to "), value) for key, value in pairs(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Ich wohne nicht in Ulm.",
        "Ich wohne in Ulm?",
        "¿Vivo en Sevilla y trabajo en Repsol?",
        "Wenn ich in Ulm wohne, fahre ich Rad.",
        "Ich wohne in Ulm, sagt Jana.",
        "Jana sagte: „Hallo. Ich wohne in Ulm. Bis bald.“",
        "Jana sagte: Ich wohne in Ulm.",
        "Ich wohne in Ulm, haha!",
        "Übersetze: Ich wohne in Ulm.",
        "Ein Beispiel. Ich wohne in Ulm.",
        "Ich wohne in Untermiete.",
        "Ich bin allergisch gegen Ulm.",
        "我叫外卖了。",
        "我对花生不过敏。",
        "私の名前は珍しいです。",
        "My naam is Pieter, my hond is Wagter en ek woon in Pretoria.",
        "Jag heter Nils och jag bor i Lund.",
    ],
)
def test_in_doubt_there_is_no_fact_in_other_languages(text):
    """ARC-8"""
    assert pairs("Ich wohne in Ulm.") == [("home", "Ulm")]
    assert pairs(text) == []


def test_passwords_are_not_kept():
    assert pairs("My password is Hunter2. My PIN is 4821.") == []


def test_what_is_derived_is_trusted_as_little_as_its_worst_source():
    assert pick_least_trusted(["user", "web", "agent"]) == "web"
    assert pick_least_trusted(["user", "user"]) == "user"
    assert sources([event(1), event(2, "x", "assistant")]) == [event(1)]
