"""Variety: near-duplicates and too many archives go behind the other hits. Pure."""

from collections.abc import Collection, Sequence

ALIKE = 0.85  # shared stems of all stems of both
LOOKED_AT = 40  # places; whoever reads further down does not mind a repeat
_FEW = 3  # stems; shorter texts are only alike when equal


def varied(
    texts: Sequence[frozenset[str]], archived: Collection[int] = (), *, most: int = 1
) -> list[int]:
    """The order of places with repeats last, and archives beyond `most`; else the order is kept.

    Archives are long and hold a word of everything: they have a lane of their own.
    """
    first: list[int] = []
    later: list[int] = []
    lane = 0
    for place, stems in enumerate(texts[:LOOKED_AT]):
        is_archive = place in archived
        if (is_archive and lane >= most) or any(_alike(stems, texts[other]) for other in first):
            later.append(place)
        else:
            first.append(place)
            lane += is_archive
    return first + later + list(range(LOOKED_AT, len(texts)))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    fewer, more = sorted((len(one), len(other)))
    if fewer < _FEW:
        return one == other
    if fewer < ALIKE * more:
        return False
    return len(one & other) >= ALIKE * len(one | other)
