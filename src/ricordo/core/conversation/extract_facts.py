"""Extract facts: what people stated, from a model's answer or from plain patterns."""

import json
from collections.abc import Iterable, Sequence

from ricordo.core.conversation.messages import words
from ricordo.core.conversation.stated_facts import CATEGORIES, StatedFact
from ricordo.model import Event

# The least trusted first: derived text carries the least trusted origin of its sources.
_TRUST = ("web", "import", "tool", "dream", "agent", "user")


def parse(answer: str) -> list[StatedFact]:
    """The facts between the first `[` and the last `]` of an answer; ValueError if it has none."""
    start, end = answer.find("["), answer.rfind("]")
    if start < 0 or end < start:
        raise ValueError("the answer has no JSON array")
    items = json.loads(answer[start : end + 1])
    return [_read_fact(item) for item in items]


def find_facts(events: Iterable[Event]) -> list[StatedFact]:
    """Facts that people state explicitly; of two under one key the later one counts.

    What a named speaker says is a fact about that speaker, not about the user.
    """
    facts: dict[tuple[str, str], StatedFact] = {}
    for event in events:
        if event.role != "user":
            continue
        for fact in read_text(words(event)):
            stated = fact._replace(seq=event.seq)
            if event.name and stated.category in ("user", "preference"):
                stated = stated._replace(category="people", key=f"{event.name} {stated.key}")
            facts[stated.category, stated.key.lower()] = stated
    return list(facts.values())


def read_text(text: str) -> list[StatedFact]:
    """The facts that a text states, each once."""
    # Patterns take 0.3 s to compile, and most programs never read a text here.
    from ricordo.core.conversation.certainty import list_assertions
    from ricordo.core.conversation.facts.read_facts import read_constructions
    from ricordo.core.conversation.foreign_facts import read_foreign
    from ricordo.core.conversation.plain_facts import read_clause

    found: dict[tuple[str, str], StatedFact] = {}
    for clause in list_assertions(text):
        for fact in read_clause(clause.text, is_greeting=clause.is_greeting):
            found.setdefault((fact.category, fact.key.lower()), fact)
    for fact in read_constructions(text):
        if not any(_overlaps(fact, other) for other in found.values()):
            found.setdefault((fact.category, fact.key.lower()), fact)
    for fact in read_foreign(text):
        found.setdefault((fact.category, fact.key.lower()), fact)
    return list(found.values())


def _overlaps(fact: StatedFact, other: StatedFact) -> bool:
    """Whether another fact says it already: its words are there, or hold all of the other value."""
    value = f" {fact.value} ".lower()
    said = f"{other.key} {other.value}".lower()
    return set(value.split()) <= set(said.split()) or f" {other.value} ".lower() in value


def pick_least_trusted(origins: Iterable[str]) -> str:
    """The least trusted of these origins, for text derived from them."""
    return min(origins, key=_TRUST.index, default="agent")


def sources(events: Sequence[Event]) -> list[Event]:
    """Events that facts may come from: what an assistant said does not count."""
    return [event for event in events if event.role != "assistant"]


def _read_fact(item: object) -> StatedFact:
    if not isinstance(item, dict):
        raise ValueError(f"{item!r} is not an object with category, key and value")
    category, key, value = (item.get(field) for field in ("category", "key", "value"))
    if category not in CATEGORIES or not isinstance(key, str) or not isinstance(value, str):
        raise ValueError(f"{item!r} is not a fact; categories are {', '.join(CATEGORIES)}")
    if not value.strip() or not any(map(str.isalnum, key)):
        raise ValueError(f"{item!r} has a blank key or value")
    return StatedFact(category, key, value)
