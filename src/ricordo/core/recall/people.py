"""Who speaks in a space: authors, how long they write, and the names they are called by."""

from array import array
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ricordo.core.recall.growable import Array, Floats
from ricordo.core.text.speaker_names import Names, form, names_of

# Beyond twenty times shorter than the longest writer, an author is not more telling.
_MOST_BREVITY = 3.0
_LENGTH, _AUTHOR = 4, 300  # bytes in RAM: a length in an array, a name with its counts
_FEW_LENGTHS = 8  # so few are put in their places one by one
_FEW_MESSAGES = 4
_CALLED = 3
_SHARE = 0.8
_SILENT = frozenset({"", "tool", "system"})  # authors that nobody calls by name


class People:
    """Authors by code, in order of appearance."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._named: list[bool] = []
        self._lengths: list[array[int]] = []  # of each author, in rising order
        self._unsorted: list[tuple[int, array[int]]] = []  # what came since they were put in order
        self._calls: dict[str, Counter[int]] = {}
        self._tables: tuple[Floats, Floats] | None = None
        self._names: Names | None = None

    @property
    def nbytes(self) -> int:
        """About: the length of each message, and what is kept of each author."""
        messages = sum(map(len, self._lengths)) + sum(len(mine) for _, mine in self._unsorted)
        return _LENGTH * messages + _AUTHOR * (len(self._codes) + len(self._calls))

    @property
    def authors(self) -> list[str]:
        return list(self._codes)

    def code(self, author: str, named: bool) -> int:
        """Return the author's code, a new one for a new author."""
        code = self._codes.get(author)
        if code is None:
            code = self._codes[author] = len(self._named)
            self._named.append(named)
            self._lengths.append(array("i"))
            self._tables = self._names = None
        elif named and not self._named[code]:
            self._named[code] = True
            self._names = None
        return code

    def codes(self, authors: Iterable[str], named: Iterable[bool]) -> list[int]:
        """Return the code of each author."""
        pairs = list(zip(authors, named, strict=True))
        known = {pair: self.code(*pair) for pair in dict.fromkeys(pairs)}
        return [known[pair] for pair in pairs]

    def choose(self, codes: Iterable[int]) -> "People":
        """Some of the authors, numbered in this order, without what they wrote."""
        names, chosen = self.authors, People()
        for code in codes:
            chosen.code(names[code], self._named[code])
        return chosen

    def is_named(self, code: int) -> bool:
        return self._named[code]

    def find(self, author: str) -> int:
        """Return the author's code, -1 if nobody here has that name."""
        return self._codes.get(author, -1)

    def wrote(self, codes: Array, lengths: Array) -> None:
        """Count messages with their lengths in characters."""
        for code in np.flatnonzero(np.bincount(codes)).tolist():
            self._unsorted.append((code, array("i", lengths[codes == code].tobytes())))
        self._tables = None

    def _sort(self) -> None:
        """Put the lengths in order that came since they were asked for."""
        for code, mine in self._unsorted:
            if len(mine) < _FEW_LENGTHS:
                for length in mine:
                    insort(self._lengths[code], length)
        more: dict[int, list[array[int]]] = {}
        for code, mine in self._unsorted:
            if len(mine) >= _FEW_LENGTHS:
                more.setdefault(code, [self._lengths[code]]).append(mine)
        for code, parts in more.items():
            every = np.concatenate([np.frombuffer(part, np.int32) for part in parts])
            every.sort()
            self._lengths[code] = array("i", every.tobytes())
        self._unsorted = []

    def count_names(self, code: int, words: Iterable[str], times: int = 1) -> None:
        """Count the names by which this author calls somebody."""
        for word in words:
            self._calls.setdefault(word.casefold(), Counter())[code] += times
            self._names = None

    def brevity(self) -> Floats:
        """About ln(largest median length / own median), by author code, and 0 at the end."""
        return self._statistics()[0]

    def usual(self) -> Floats:
        """ln(median length + 10), by author code, and 0 at the end."""
        return self._statistics()[1]

    def names(self) -> Names:
        """Every form of a name with the author it means."""
        if self._names is None:
            full = {form(name): name for name, at in self._codes.items() if self._named[at]}
            full.pop("", None)
            self._names = names_of(
                {**self._aliases(full), **_find_first_names(full.values()), **full}
            )
        return self._names

    def _statistics(self) -> tuple[Floats, Floats]:
        if self._tables is None:
            self._sort()
            medians = [_median(held) for held in self._lengths]
            longest = max(1.0, max(medians, default=1.0))
            # Who wrote no message (the author of entries) is as the longest writer: no prior.
            wrote = np.array([*(max(1.0, median or longest) for median in medians), longest])
            brevity = np.clip(np.log(longest / wrote), 0, _MOST_BREVITY)
            # A median of a few messages says little yet.
            told = np.array([*(len(held) for held in self._lengths), 0])
            brevity *= told / (told + _FEW_MESSAGES)
            self._tables = brevity.astype(np.float32), np.log(wrote + 10).astype(np.float32)
        return self._tables

    def _aliases(self, full: Mapping[str, str]) -> dict[str, str]:
        """What one of two authors calls the other, again and again, is a name of the other."""
        talkers = [author for author in self._codes if author not in _SILENT]
        if len(talkers) != 2:
            return {}
        found = {}
        for word, counts in self._calls.items():
            (code, most), total = counts.most_common(1)[0], counts.total()
            other = talkers[0] if code == self._codes[talkers[1]] else talkers[1]
            if total >= _CALLED and most >= _SHARE * total and word not in full:
                found[word] = other
        return found


def _median(ordered: Sequence[int]) -> float:
    if not ordered:
        return 0.0
    middle = len(ordered) // 2
    return float(ordered[middle]) if len(ordered) % 2 else sum(ordered[middle - 1 : middle + 1]) / 2


def _find_first_names(names: Iterable[str]) -> dict[str, str]:
    """The first word of a longer name, where it can only mean one author."""
    firsts = sorted((words[0], name) for name in names if len(words := form(name).split()) > 1)
    counts = Counter(first for first, _ in firsts)
    return {first: name for first, name in firsts if counts[first] == 1}
