"""Facts out of what people said."""

import pytest
from logs import event

from ricordo.core.conversation.extract_facts import (
    StatedFact,
    find_facts,
    parse,
    pick_least_trusted,
    sources,
)


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
        StatedFact("user", "dog", "called Rex"),
        StatedFact("preference", "aisle seats", "aisle seats"),
        StatedFact("user", "name", "Ana"),
    ]


def test_the_last_statement_of_a_key_holds():
    assert find_facts([event(1, "I live in Oslo"), event(2, "I live in Bergen")]) == [
        StatedFact("user", "home", "Bergen")
    ]


def test_what_is_derived_is_trusted_as_little_as_its_worst_source():
    assert pick_least_trusted(["user", "web", "agent"]) == "web"
    assert pick_least_trusted(["user", "user"]) == "user"
    assert sources([event(1), event(2, "x", "assistant")]) == [event(1)]
