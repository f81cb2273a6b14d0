"""Contradictions: older texts that a newer fact contradicts. Pure.

Only addresses and words are compared: two facts under one key with different values, and a note
that still says what a fact said before. Nothing is decided.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ricordo.core.text import tokens

# Keys that everybody has: the name of the user and of the project do not contradict each other.
_GENERIC_KEYS = """
name title email phone address url id type kind status state version age date birthday role owner
location language description note notes value default
"""
GENERIC = frozenset(_GENERIC_KEYS.split())
MOST = 100


class FactHistory(NamedTuple):
    """A fact as it stands, and what it said before."""

    entry: int
    category: str
    key: str
    value: str
    since: int
    before: tuple[str, ...] = ()


class NoteText(NamedTuple):
    entry: int
    since: int
    stems: tuple[str, ...]


class Clash(NamedTuple):
    older: int
    newer: int
    kind: str  # "key": two facts; "value": a note holds what a fact said before


def clashes(facts: Sequence[FactHistory], notes: Iterable[NoteText]) -> list[Clash]:
    """Every contradiction between these, by their numbers."""
    return sorted({*_rivals(facts), *_find_outdated_notes(facts, notes)})[:MOST]


def _rivals(facts: Sequence[FactHistory]) -> Iterable[Clash]:
    """Facts of one key in different drawers with different values; the newest one holds."""
    by_key: dict[str, list[FactHistory]] = {}
    for fact in facts:
        if fact.key not in GENERIC:
            by_key.setdefault(fact.key, []).append(fact)
    for same in by_key.values():
        newest = max(same, key=lambda fact: (fact.since, fact.entry))
        for fact in same:
            if _stems_of(fact.value) != _stems_of(newest.value):
                yield Clash(fact.entry, newest.entry, "key")


def _find_outdated_notes(
    facts: Sequence[FactHistory], notes: Iterable[NoteText]
) -> Iterable[Clash]:
    """Notes that speak of a fact's key and hold a value it had, not the one it has."""
    by_stem: dict[str, list[tuple[FactHistory, tuple[str, ...]]]] = {}
    for fact in facts:
        for value in fact.before:
            stems = _stems_of(value)
            if stems and stems != _stems_of(fact.value) and not set(stems) <= tokens.STOP_STEMS:
                by_stem.setdefault(stems[0], []).append((fact, stems))
    for note in notes:
        said = set(note.stems)
        for stem in said & by_stem.keys():
            for fact, stems in by_stem[stem]:
                if note.since < fact.since and _speaks_of(note, said, fact, stems):
                    yield Clash(note.entry, fact.entry, "value")


def _speaks_of(note: NoteText, said: set[str], fact: FactHistory, before: tuple[str, ...]) -> bool:
    about = {stem for stem in tokens.stems(fact.key.replace("_", " ")) if stem not in GENERIC}
    about -= tokens.STOP_STEMS
    if about and not about & said:
        return False
    return _holds(note.stems, before) and not _holds(note.stems, _stems_of(fact.value))


def _holds(stems: Sequence[str], inner: Sequence[str]) -> bool:
    """Whether some stems stand side by side in a text."""
    size = len(inner)
    return any(tuple(stems[at : at + size]) == inner for at in range(len(stems) - size + 1))


def _stems_of(value: str) -> tuple[str, ...]:
    return tuple(tokens.stems(value))
