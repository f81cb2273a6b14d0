"""What a write touched: the watched addresses whose content it may have changed. Pure.

A tool call names what it changes, in its arguments or in its result: a name, an alias, an id, a
category and key, a folder. A watched address is found by these words in an index, so a write costs
the same however much is watched. A false find costs one read; the read decides.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ricordo.model import Json

_WORD = re.compile(r"[^\W_]+")
_ID = "#"  # before a number that is a whole name; no word begins with it
_MOST_WORDS = 64  # of a term: names are short, contents are not


@dataclass(frozen=True, slots=True)
class Write:
    """A completed tool call. `is_sweeping`: it changes things that it does not name."""

    terms: frozenset[str] = frozenset()
    is_sweeping: bool = False


def name_terms(*said: Json) -> frozenset[str]:
    """The words of arguments, results and names, for finding what they touch."""
    found = (each for value in said for each in _scalars(value))
    return frozenset(term for each in found for term in _terms_of(each))


@dataclass(slots=True)
class WatchIndex:
    """Addresses by the names of their contents, and by the ends of these names."""

    _found: dict[str, set[str]] = field(default_factory=dict)
    _terms: dict[str, frozenset[str]] = field(default_factory=dict)

    def put(self, address: str, names: Iterable[str]) -> None:
        """File an address under exactly these names."""
        terms = frozenset(end for name in names for end in _ends(name))
        if self._terms.get(address) == terms:
            return
        self.drop(address)
        self._terms[address] = terms
        for term in terms:
            self._found.setdefault(term, set()).add(address)

    def drop(self, address: str) -> None:
        for term in self._terms.pop(address, ()):
            self._found[term].discard(address)
            if not self._found[term]:
                del self._found[term]

    def find(self, terms: Iterable[str]) -> set[str]:
        """The addresses that a write with these terms may have touched."""
        return {address for term in terms for address in self._found.get(term, ())}


def _terms_of(scalar: str | int) -> Iterator[str]:
    """How to look up a value. A number is an id, not a digit at the end of a name."""
    if isinstance(scalar, int) or (scalar.isdecimal() and scalar.isascii()):
        yield f"{_ID}{scalar}"
    if isinstance(scalar, str) and (term := _plain(scalar)):
        yield term


def _scalars(value: Json) -> Iterator[str | int]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            waiting += each.values()
        elif isinstance(each, list | tuple):
            waiting += each
        elif isinstance(each, str | int) and not isinstance(each, bool):
            yield each


def _plain(text: str) -> str:
    """A text for comparison: its words, without what separates them."""
    words = _words(text)
    return " ".join(words) or text.strip()


def _words(text: str) -> list[str]:
    found = (match.group().casefold() for match in _WORD.finditer(text))
    return [word for word, _ in zip(found, range(_MOST_WORDS), strict=False)]


def _ends(name: str) -> Iterator[str]:
    """A name, its beginnings (folders, categories) and its ends (keys, ids after a prefix)."""
    if name.isdecimal() and name.isascii():
        yield f"{_ID}{name}"
        return
    words = _words(name)
    if not words:
        yield _plain(name)
    for place in range(len(words)):
        yield " ".join(words[: place + 1])
        yield " ".join(words[place:])
