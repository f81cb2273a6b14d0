"""Features: what speaks for a unit as an answer, each a figure that a weight multiplies.

The names are those of `parts` in a hit. Arrays over units have one more place at the end, which
is zero: a missing neighbour has index -1 and so adds nothing.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.chunk_rows import days
from ricordo.core.recall.cosine import Cosines
from ricordo.core.recall.growable import Array, Bools, Floats, distinct
from ricordo.core.recall.question import Question
from ricordo.core.recall.space_index import KINDS, WINDOW, View
from ricordo.core.recall.unit_groups import order_by_group
from ricordo.core.recall.units import LONG, shorten
from ricordo.core.recall.word_matches import NO_FORMS, Forms, find_word
from ricordo.core.text.dates import DateHint
from ricordo.core.text.flags import ASKS, TELLS_TIME

_GAIN, _SLOPE = np.float32(2.2), np.float32(1.2)
_RARELY = 1e-6  # the least weight of a stem
_MOST_PAIRS = 3
_ARCHIVE = KINDS.index("archive")
_STRIPE = 16_384  # units


Pairs = tuple[tuple[int, int], ...]
Named = tuple[tuple[int, ...], ...]
Units = Array | slice  # which units, as indices or as a range of all


class Words(NamedTuple):
    """How the question's stems lie in the space."""

    stems: tuple[int, ...]  # those known here
    idf: Floats
    counts: Array  # uint8: stem by unit
    bm25: Floats  # by unit, from 0 to about 2: a share of the weight of the whole question
    best: Floats  # by group, the largest of its units
    own: Bools  # by unit: a stem stands in its own text
    whole: float  # the weight of all stems, those included that are not known here


def words(
    view: View,
    stems: tuple[int, ...],
    forms: Forms = NO_FORMS,
    *,
    thin: bool,
    absent: Bools | None = None,
) -> Words:
    """Look up the stems; `thin` leaves out those in most units when rarer ones are there.

    Units that are `absent` count as if they were not there.
    """
    count = view.units
    present = count if absent is None else count - int(absent.sum())
    matches = {stem: find_word(view, stem, forms.get(stem, ()), absent) for stem in stems}
    weights = {stem: _idf(present, len(match.units)) for stem, match in matches.items()}
    found = {stem: match for stem, match in matches.items() if len(match.units)}
    idf = {stem: weights[stem] for stem in found}
    if thin and max(idf.values(), default=0.0) > _RARELY:
        idf = {stem: weight for stem, weight in idf.items() if weight > _RARELY}
    counts = np.zeros((len(idf), count + 1), np.uint8)
    bm25 = np.zeros(count + 1, np.float32)
    own = np.zeros(count, bool)
    lengths = view.column("length")
    for row, (stem, weight) in zip(counts, idf.items(), strict=True):
        match = found[stem]
        units = match.units.astype(np.intp)
        row[units] = match.counts
        times = match.counts.astype(np.float32)
        norm = _SLOPE * np.maximum(1, lengths[units].astype(np.float32) / LONG)
        bm25[units] += match.likeness * times * (_GAIN * np.float32(weight)) / (times + norm)
        own[units[match.own > 0]] = True
    whole = sum(weights.values())
    if whole:
        bm25 /= np.float32(whole)
    best = view.derive(order_by_group).find_best(bm25[:-1])
    return Words(tuple(idf), np.array([*idf.values()], np.float32), counts, bm25, best, own, whole)


def _idf(count: int, holding: int) -> float:
    return max(_RARELY, math.log((count - holding + 0.5) / (holding + 0.5)))


def by_word(view: View, found: Words, units: Units) -> dict[str, Floats]:
    """Features from the question's words in the unit and in the messages around it."""
    own, before = found.bm25[units], found.bm25[view.column("prev")[units]]
    return {
        "words": own,
        "session_words": found.best[view.column("group")[units]] - own,
        "question_words": before * view.column("answers")[units],
        "previous_words": before * shorten(view.column("length")[units]),
    }


def by_place(view: View, pairs: Pairs, found: Words, units: Array) -> dict[str, Floats]:
    """Features from where the question's words stand: in neighbours, and side by side."""
    values = {"words_covered": _cover(view, found, units)} if len(found.idf) else {}
    if pairs:
        values["word_pairs"] = _pairs(view, pairs, found, units)
    return values


def by_number(view: View, named: Named, units: Array) -> dict[str, Floats]:
    """Whether a unit holds a number by which the question names what it is about."""
    if not named:
        return {}
    values = np.zeros(len(units), np.float32)
    for stems in named:
        values[_follow(view, stems, units)] = 1
    return {"named_number": values}


def _follow(view: View, stems: tuple[int, ...], units: Array) -> Array:
    """The places of the units in which these stems follow each other."""
    likely = np.flatnonzero(np.logical_and.reduce([_knows(view, stem, units) for stem in stems]))
    if not len(likely):
        return likely
    rows, whose = view.rows_of(units[likely])
    flow, owners = view.flow_of(rows)
    last = len(flow) - len(stems) + 1
    beside = np.ones(max(last, 0), bool)
    for shift, stem in enumerate(stems):
        beside &= flow[shift : last + shift] == np.uint32(stem)
    return likely[distinct(whose[owners[: len(beside)][beside]])]


def about_place(view: View, found: Words, units: Units) -> Floats:
    """Cheaply, about how much of the question is covered; to choose candidates by."""
    around = found.bm25[units].copy()
    for name in WINDOW:
        around += found.bm25[view.column(name)[units]]
    np.minimum(around, 1, out=around)
    return around * view.column("shortw")[units]


def _cover(view: View, found: Words, units: Array) -> Floats:
    """The share of the question in the unit, with two neighbours on either side if short."""
    own = found.counts[:, units] > 0
    around = own.copy()
    for name in WINDOW:
        around |= found.counts[:, view.column(name)[units]] > 0
    with np.errstate(invalid="ignore"):  # some builds of BLAS complain of lanes they do not use
        alone, together = found.idf @ own, found.idf @ around
    covered = alone + (together - alone) * view.column("shortw")[units]
    return np.asarray(covered / np.float32(found.whole))


def _pairs(view: View, pairs: Pairs, found: Words, units: Array) -> Floats:
    """Count the neighbouring stems of the question that are neighbours in the text too."""
    values = np.zeros(len(units), np.float32)
    held: dict[int, Bools] = {}
    for stem in dict.fromkeys(stem for pair in pairs for stem in pair):
        held[stem] = _holds(view, stem, found, units)
    both = [held[first] & held[second] for first, second in pairs]
    likely = np.flatnonzero(np.logical_or.reduce(both))
    if not len(likely):
        return values
    rows, whose = view.rows_of(units[likely])
    flow, owners = view.flow_of(rows)
    for first, second in pairs:
        beside = (flow[:-1] == np.uint32(first)) & (flow[1:] == np.uint32(second))
        if beside.any():
            values[likely[distinct(whose[owners[:-1][beside]])]] += 1
    return np.minimum(values, _MOST_PAIRS)


def _holds(view: View, stem: int, found: Words, units: Array) -> Bools:
    """Which of these units hold the stem."""
    if stem in found.stems:
        held: Bools = found.counts[found.stems.index(stem)][units] > 0
        return held
    return _knows(view, stem, units)


def _knows(view: View, stem: int, units: Array) -> Bools:
    """Which of these units hold the stem, as their postings tell."""
    known = view.postings.find(stem).units
    if not len(known):
        return np.zeros(len(units), bool)
    places = np.minimum(np.searchsorted(known, units), len(known) - 1)
    return np.asarray(known[places] == units)


def score_meaning(view: View, meaning: Cosines, units: Units) -> dict[str, Floats]:
    """Features from the question's vector."""
    own, before = meaning.near[units], meaning.near[view.column("prev")[units]]
    return {
        "meaning": own,
        "session_meaning": meaning.best[view.column("group")[units]] - own,
        "question_meaning": before * view.column("answers")[units],
        "previous_meaning": before * shorten(view.column("length")[units]),
    }


def find_mentions(view: View, question: Question) -> Bools | None:
    """Units whose own text names the people of the question; None if it names nobody."""
    if not question.people:
        return None
    mentions = np.zeros(view.units, bool)
    for stem in question.mentions:
        match = view.postings.find(stem)
        mentions[match.units[match.own > 0]] = True
    return mentions


def by_person(
    view: View, question: Question, mentions: Bools | None, units: Units
) -> dict[str, Floats]:
    """Features from the people the question names."""
    if mentions is None:
        return {}
    mentioned = mentions[units]
    values = {"mentions": mentioned.astype(np.float32)}
    if len(question.people) == 1:
        code = view.people.find(question.people[0])
        spoken = view.column("kind")[units] == 0
        is_author = view.column("author")[units] == code
        values["speaker"] = np.where(spoken, is_author, mentioned).astype(np.float32)
    return values


def by_time(view: View, question: Question, units: Units) -> dict[str, Floats]:
    """Features from the date the question gives or asks for."""
    values = {}
    if question.date is not None:
        values["date"] = fits(view.derive(days_of_units)[units], question.date).astype(np.float32)
    if question.asks_when:
        values["tells_time"] = _flag(view, units, TELLS_TIME)
    return values


def days_of_units(view: View) -> Array:
    """When each unit was written: year * 10000 + month * 100 + day."""
    return days(view.times(slice(None))).astype(np.int32)


def fits(written: Array, date: DateHint) -> Bools:
    """Whether days (as year, month, day in one number) agree with all that the date gives."""
    good = np.ones(len(written), bool)
    if date.year is not None:
        good &= written // 10_000 == date.year
    if date.month is not None:
        good &= written // 100 % 100 == date.month
    if date.day is not None:
        good &= written % 100 == date.day
    return good


def by_form(view: View, units: Units) -> dict[str, Floats]:
    """Features of the unit alone: who wrote it, how long, where, in what form."""
    return view.derive(_form_of_all) if isinstance(units, slice) else _form(view, units)


def _form_of_all(view: View) -> dict[str, Floats]:
    return _form(view, slice(None))


def score_form(view: View, weights: Mapping[str, float]) -> Floats:
    """What the form of each unit adds to its score; kept, as questions weigh it alike."""
    held = view.derive(_form_scores)
    key = tuple(sorted(weights.items()))
    if key not in held:
        held.clear()
        held[key] = score = np.zeros(view.units, np.float32)
        for part in stripes(view.units):
            add_weighted(score[part], _form(view, part), weights)
    return held[key]


def _form_scores(_: View) -> dict[object, Floats]:
    return {}


def stripes(units: int) -> list[slice]:
    """Ranges of units that are worked on one after the other: their arrays fit the cache, and the
    memory of one serves the next.
    """
    return [slice(start, min(start + _STRIPE, units)) for start in range(0, units, _STRIPE)]


def add_weighted(score: Floats, values: Mapping[str, Floats], weights: Mapping[str, float]) -> None:
    """Add weight times feature to a score."""
    for name, feature in values.items():
        if factor := weights.get(name, 0.0):
            score += np.float32(factor) * feature


def _form(view: View, units: Units) -> dict[str, Floats]:
    kind, author = view.column("kind")[units], view.column("author")[units]
    spoken = kind == 0
    brevity = view.people.brevity()
    told = np.where(kind == _ARCHIVE, 0, brevity.max())
    lengths = view.column("length")[units]
    written = np.log(lengths.astype(np.float32) + 10)
    usual = np.clip(written - view.people.usual()[author], -2, 2)
    return {
        "brief_speaker": np.where(spoken, brevity[author], told).astype(np.float32),
        "length": np.where(spoken, usual, 0).astype(np.float32),
        "is_question": _flag(view, units, ASKS),
        "opens_session": (spoken & (view.column("prev2")[units] < 0)) * shorten(lengths),
        "archive": (kind == _ARCHIVE).astype(np.float32),
    }


def _flag(view: View, units: Units, flag: int) -> Floats:
    return (view.column("marks")[units] & flag > 0).astype(np.float32)


def total(values: Mapping[str, Floats], weights: Mapping[str, float]) -> Array:
    """The weighted sum, rounded so that equal units are equal wherever they stand."""
    score: Array = np.zeros(len(values["is_question"]))
    for name, feature in values.items():
        if weight := weights.get(name, 0.0):
            score += weight * feature.astype(np.float64)
    return np.round(score, 6)
