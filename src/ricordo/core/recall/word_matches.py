"""Word matches: the units that hold a word of the question, in its own form or in another. Pure."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.growable import Array, Bools, Floats
from ricordo.core.recall.space_index import View
from ricordo.core.text.word_forms import LEAST_SHARE

Forms = Mapping[int, tuple[int, ...]]  # by stem: the pieces by which its word is found otherwise
NO_FORMS: Forms = MappingProxyType({})
_OTHER_FORM = np.float32(0.6)  # what another form of a word counts for


class WordMatches(NamedTuple):
    """The units that hold a word."""

    units: Array
    counts: Array  # uint8, in the text and in what surrounds it
    own: Array  # uint8, in the text alone
    likeness: Floats  # 1 for its own form


def find_word(
    view: View, stem: int, pieces: tuple[int, ...], absent: Bools | None = None
) -> WordMatches:
    """The units that hold a stem, and those that hold its word in another form.

    Units that are `absent` count as if they were not there.
    """
    exact = view.postings.find(stem)
    found = WordMatches(*exact, np.ones(len(exact.units), np.float32))
    if pieces:
        found = _add_other_forms(view, found, pieces)
    if absent is None:
        return found
    kept = ~absent[found.units]
    return WordMatches(*(column[kept] for column in found))


def _add_other_forms(view: View, exact: WordMatches, pieces: tuple[int, ...]) -> WordMatches:
    shares = np.zeros(view.units, np.float32)
    for piece in pieces:
        shares[view.postings.find(piece).units] += np.float32(1 / len(pieces))
    shares[exact.units] = 0
    units = np.flatnonzero(shares >= np.float32(LEAST_SHARE)).astype(np.int32)
    once = np.ones(len(units), np.uint8)
    others = WordMatches(units, once, once, shares[units] * _OTHER_FORM)
    return WordMatches(*(np.concatenate(pair) for pair in zip(exact, others, strict=True)))
