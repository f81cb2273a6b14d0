"""Dedupe: near-duplicates, neighbours and too many archives go behind the other hits. Pure."""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

ALIKE = 0.85  # shared stems of all stems of both
LOOKED_AT = 40  # places; whoever reads further down does not mind a repeat
_BLANKS = 8  # characters between two passages with nothing between them
_FEW = 3  # stems; shorter texts are only alike when equal


class DocumentSpan(NamedTuple):
    """Where a passage stands: in which document, under which titles, from where to where."""

    document: int
    title: str
    start: int
    end: int


class Varied(NamedTuple):
    """Places: those worth showing, and repeats, neighbours and archives to fill up with."""

    first: list[int]
    later: list[int]


def set_repeats_apart(
    texts: Iterable[frozenset[str]],
    archived: Collection[int] = (),
    spans: Mapping[int, DocumentSpan] = MappingProxyType({}),
    *,
    wanted: int,
    most: int = 1,
) -> Varied:
    """The places of the first `wanted` texts; repeats and archives beyond `most` stand apart.

    Archives are long and hold a word of everything: they have a lane of their own. Passages of a
    document that stand side by side in one section are one thing to a reader: the first is shown,
    its neighbours stand apart. Texts are looked at only as far as needed.
    """
    first: dict[int, frozenset[str]] = {}
    later: list[int] = []
    lane = 0
    for place, stems in enumerate(texts):
        is_archive = place in archived
        crowds = (is_archive and lane >= most) or (
            place in spans and any(_adjoin(spans[place], spans.get(one)) for one in first)
        )
        if place < LOOKED_AT and (crowds or any(_alike(stems, one) for one in first.values())):
            later.append(place)
        else:
            first[place] = stems
            lane += is_archive
        if len(first) == wanted:
            break
    return Varied(list(first), sorted(later, key=lambda place: place in archived))


def _adjoin(one: DocumentSpan, other: DocumentSpan | None) -> bool:
    if other is None or one[:2] != other[:2]:
        return False
    return max(one.start, other.start) - min(one.end, other.end) <= _BLANKS


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    fewer, more = len(one), len(other)
    if fewer > more:
        fewer, more = more, fewer
    if fewer < _FEW:
        return one == other
    return fewer >= ALIKE * more and len(one & other) >= ALIKE * len(one | other)
