"""Extract facts: what people stated, from a model's answer or from plain patterns."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ricordo.core.conversation.messages import words
from ricordo.model import Event

CATEGORIES = (
    "user",
    "preference",
    "project",
    "technical",
    "relationship",
    "behavior",
    "people",
)
# The least trusted first: derived text carries the least trusted origin of its sources.
_TRUST = ("web", "import", "tool", "dream", "agent", "user")
_VALUE = r"(?P<value>[^.!?;\n]{1,120})"
_PATTERNS = (
    (re.compile(rf"\bmy (?P<key>[\w' -]{{2,40}}?) (?:is|are) {_VALUE}", re.I), "user", None),
    (re.compile(rf"\b(?:call me|i am called) {_VALUE}", re.I), "user", "name"),
    (re.compile(rf"\bi live in {_VALUE}", re.I), "user", "home"),
    (re.compile(rf"\bi work (?:at|for) {_VALUE}", re.I), "user", "employer"),
    (re.compile(rf"\bi prefer {_VALUE}", re.I), "preference", None),
)


class StatedFact(NamedTuple):
    category: str
    key: str
    value: str


def parse(answer: str) -> list[StatedFact]:
    """The facts between the first `[` and the last `]` of an answer; ValueError if it has none."""
    start, end = answer.find("["), answer.rfind("]")
    if start < 0 or end < start:
        raise ValueError("the answer holds no JSON array")
    items = json.loads(answer[start : end + 1])
    return [_read_fact(item) for item in items]


def find_facts(events: Iterable[Event]) -> list[StatedFact]:
    """Facts that people state in so many words: "my … is …", "I prefer …", "I live in …"."""
    facts: dict[tuple[str, str], StatedFact] = {}
    for event in events:
        if event.role != "user":
            continue
        for pattern, category, key in _PATTERNS:
            for match in pattern.finditer(words(event)):
                named = key or match.groupdict().get("key") or _first_words(match["value"])
                fact = StatedFact(category, named.strip(), match["value"].strip(" ,"))
                if fact.value and any(map(str.isalnum, fact.key)):
                    facts[category, fact.key.lower()] = fact
    return list(facts.values())


def pick_least_trusted(origins: Iterable[str]) -> str:
    """The origin that derived text carries."""
    return min(origins, key=_TRUST.index, default="agent")


def sources(events: Sequence[Event]) -> list[Event]:
    """Events that facts may come from: what an assistant said is no evidence."""
    return [event for event in events if event.role != "assistant"]


def _first_words(value: str) -> str:
    return " ".join(value.split()[:3])


def _read_fact(item: object) -> StatedFact:
    if not isinstance(item, dict):
        raise ValueError(f"{item!r} is no object with category, key and value")
    category, key, value = (item.get(field) for field in StatedFact._fields)
    if category not in CATEGORIES or not isinstance(key, str) or not isinstance(value, str):
        raise ValueError(f"{item!r} is no fact; categories are {', '.join(CATEGORIES)}")
    if not value.strip() or not any(map(str.isalnum, key)):
        raise ValueError(f"{item!r} has a blank key or value")
    return StatedFact(category, key, value)
