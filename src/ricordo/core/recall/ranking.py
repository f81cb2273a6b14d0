"""The default ranker: one weighted sum of features for every shape of conversation. Pure.

Small views score every unit. Big ones choose candidates first (by words, by meaning, and their
neighbours) and score those alike.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple, Required, TypedDict, Unpack

import numpy as np

from ricordo.core.recall.cosine import Cosines, measure_units, refine_units
from ricordo.core.recall.features import (
    Units,
    Words,
    about_place,
    add_weighted,
    by_form,
    by_number,
    by_person,
    by_place,
    by_time,
    by_word,
    days_of_units,
    find_mentions,
    fits,
    score_form,
    score_meaning,
    stripes,
    total,
    words,
)
from ricordo.core.recall.growable import Array, Bools, Floats, Ints, among
from ricordo.core.recall.nearest import unit_vector
from ricordo.core.recall.question import Question
from ricordo.core.recall.space_index import KINDS, WINDOW, View
from ricordo.core.recall.top_values import largest
from ricordo.core.recall.weights import WEIGHTS

FULL_UNITS = 3_000
_TOP = 400  # candidates by all that is cheap to know
_NEVER = np.float32(-np.inf)
_NOTHING = np.zeros(0, np.int64)
_LOOKED = 2_000  # candidates that are scored exactly when all are put in order
_SINGLE = 100  # candidates by words alone, by meaning alone

# A model that does not read the language of a question is trusted half as much as one that does.
FOREIGN: Mapping[str, float] = {
    name: (weight + WEIGHTS["keyword"].get(name, 0.0)) / 2
    for name, weight in WEIGHTS["hybrid"].items()
}


class Ranked(NamedTuple):
    """A unit with its score. `parts` are weight times feature and add up to the score."""

    chunk: int  # the unit's chunk that fits best
    kind: str
    session: str | None
    seq: int
    entry: int | None
    at: int
    score: float
    parts: dict[str, float]


class RankOptions(TypedDict, total=False):
    """How units are ordered: see `_order`, which has the defaults."""

    weights: Required[Mapping[str, float]]
    mask: Bools | None
    limit: int
    strict: bool
    full_units: int
    shown: Bools | None


class Ordered(NamedTuple):
    """Units in their order, best first, as arrays: what describes one is made when asked for."""

    units: Array
    chunks: Array  # the chunk of each that fits best
    values: Mapping[str, Floats]  # features of more units than these
    places: Array  # where these stand among them


def rank(
    view: View, question: Question, vector: Array | None, **options: Unpack[RankOptions]
) -> list[Ranked]:
    """Order the units by their score, equal ones by their time, the newest first.

    Archives come on top of the limit: they hold a word of everything and must crowd out nobody.
    Without a vector only units that match are found: a word of the question stands in their text
    or, unless `strict`, in that of two neighbours on either side, or they are of its date. With a
    vector the nearest are always found. Rows that are `shown` elsewhere are neither found nor
    compared with: the others are scored as if they were not there.
    """
    found = _order(view, question, vector, **options)
    parts = _parts(found.values, options["weights"], found.places)
    return _results(view, found.units, found.chunks, parts)


def locate(
    view: View,
    question: Question,
    vector: Array | None,
    targets: Ints,
    **options: Unpack[RankOptions],
) -> tuple[list[int], Ranked | None]:
    """The chunks in the order of `rank`, and the first of them that is a target.

    Of a big space the targets and the first thousand are where `rank` has them; behind them the
    places are about right.
    """
    found = _order(view, question, vector, targets=targets, **options)
    first = np.flatnonzero(among(found.chunks, targets))[:1]
    parts = _parts(found.values, options["weights"], found.places[first])
    described = _results(view, found.units[first], found.chunks[first], parts)
    return found.chunks.tolist(), described[0] if described else None


def _order(
    view: View,
    question: Question,
    vector: Array | None,
    *,
    weights: Mapping[str, float],
    mask: Bools | None = None,
    limit: int = 10,
    strict: bool = False,
    full_units: int = FULL_UNITS,
    shown: Bools | None = None,
    targets: Ints | None = None,
) -> Ordered:
    """Order the units; where `targets` are looked for, those far behind by estimated cosines."""
    if not view.units or limit <= 0:
        return Ordered(_NOTHING, _NOTHING, {}, _NOTHING)
    direction = _direction(view, vector)
    full = view.units <= full_units
    absent = _mask_units(view, shown)
    found = words(view, question.stems, question.forms, thin=not full, absent=absent)
    allowed = _mask_units(view, mask)
    if absent is not None:
        allowed = ~absent if allowed is None else allowed & ~absent
    if direction is None:
        allowed = _find_by_words(view, question, found, allowed, strict=strict)
    meaning = None if direction is None else measure_units(view, direction, absent)
    findings = Findings(question, found, meaning, find_mentions(view, question))
    units = exact = np.arange(view.units)
    if not full:
        about = _about(view, findings, weights)
        units = exact = _candidates(found, meaning, allowed, about, max(_TOP, 2 * limit))
        if targets is not None:
            best = _candidates(found, meaning, allowed, about, _LOOKED)
            exact = np.union1d(best, view.unit_of[view.find_rows(targets)])
    scored = slice(0, view.units) if full else units
    values = _cheap(view, findings, scored) | by_form(view, scored)
    if meaning is not None and direction is not None and not view.vectors.is_exact:
        meaning = refine_units(view, direction, meaning, exact)
        values |= score_meaning(view, meaning, units)
    values |= by_place(view, question.pairs, found, units)
    values |= by_number(view, question.named, units)
    scores = total(values, weights)
    places = np.arange(len(units)) if allowed is None else np.flatnonzero(allowed[units])
    best = _best(view, units, scores, places, limit)
    if (archived := values["archive"] > 0)[best].any():
        others = _best(view, units, scores, places[~archived[places]], limit)
        best = _best(view, units, scores, np.union1d(best, others), 2 * limit)
    chunks = _chunks(view, units[best], found, question, meaning)
    return Ordered(units[best], chunks, values, best)


def describe_units(view: View, question: Question, vector: Array | None) -> dict[str, Floats]:
    """Every feature of every unit, exact whatever the size: what the weights are learnt from."""
    direction = _direction(view, vector)
    units = np.arange(view.units)
    found = words(view, question.stems, question.forms, thin=False)
    meaning = None if direction is None else measure_units(view, direction)
    findings = Findings(question, found, meaning, find_mentions(view, question))
    values = _cheap(view, findings, slice(0, view.units)) | by_form(view, slice(0, view.units))
    values |= by_place(view, question.pairs, found, units)
    return values | by_number(view, question.named, units)


def by_cosine(
    view: View, vector: Array, *, mask: Bools | None = None, limit: int = 10
) -> list[Ranked]:
    """Order the units by the cosine of their best chunk alone."""
    direction = _direction(view, vector)
    if direction is None or limit <= 0:
        return []
    seen = _nearest_units(view, direction, mask, limit)
    units = np.array(list(seen), np.intp)
    chunks = view.chunks[[row for row, _ in seen.values()]]
    return _results(view, units, chunks, [{"cosine": cosine} for _, cosine in seen.values()])


def _nearest_units(
    view: View, direction: Floats, mask: Bools | None, limit: int
) -> dict[int, tuple[int, float]]:
    """The nearest units in order, each with its nearest row and the cosine."""
    most = limit
    while True:
        near = view.vectors.nearest(direction, most, mask)
        seen: dict[int, tuple[int, float]] = {}
        for row, cosine in zip(near.rows.tolist(), near.cosines.tolist(), strict=True):
            seen.setdefault(int(view.unit_of[row]), (row, cosine))
        if len(seen) >= limit or len(near.rows) < most:
            return dict(list(seen.items())[:limit])
        most *= 4  # long messages take several of the nearest rows each


def _direction(view: View, vector: Array | None) -> Floats | None:
    direction = None if vector is None else unit_vector(vector)
    if direction is None or view.vectors.is_empty:
        return None
    view.vectors.look(direction)
    return direction if view.vectors.count else None


def _mask_units(view: View, mask: Bools | None) -> Bools | None:
    if mask is None or view.is_plain:
        return mask
    return np.logical_or.reduceat(mask, view.column("start"))


def _find_by_words(
    view: View, question: Question, found: Words, allowed: Bools | None, *, strict: bool
) -> Bools:
    """Units to be found without a vector."""
    good = found.own
    if not strict:
        padded = np.append(good, False)
        for name in WINDOW:
            good = good | padded[view.column(name)]
    if question.date is not None and not (strict and question.is_about_subject):
        good = good | fits(view.derive(days_of_units), question.date)
    if not question.is_about_subject:
        # Only names or a date were given: who wrote it, and a date in its words, are the match.
        every, mentions = slice(0, view.units), find_mentions(view, question)
        for feature in by_person(view, question, mentions, every).values():
            good = good | (feature > 0)
        if question.date is not None:
            good = good | (found.bm25[:-1] > 0)
    return good if allowed is None else good & allowed


# --- features and candidates -------------------------------------------------------------


class Findings(NamedTuple):
    """What was found out about every unit for a question."""

    question: Question
    found: Words
    meaning: Cosines | None
    mentions: Bools | None


def _cheap(view: View, findings: Findings, units: Units) -> dict[str, Floats]:
    """The features of a question that cost little even for every unit of a big space."""
    values = by_word(view, findings.found, units)
    if findings.meaning is not None:
        values |= score_meaning(view, findings.meaning, units)
    values |= by_person(view, findings.question, findings.mentions, units)
    return values | by_time(view, findings.question, units)


def _about(view: View, findings: Findings, weights: Mapping[str, float]) -> Floats:
    """About the score of every unit, to choose candidates by."""
    weight = np.float32(weights.get("words_covered", 0.0))
    score = score_form(view, weights).copy()
    for part in stripes(view.units):
        score[part] += weight * about_place(view, findings.found, part)
        add_weighted(score[part], _cheap(view, findings, part), weights)
    return score


def _candidates(
    found: Words, meaning: Cosines | None, allowed: Bools | None, about: Floats, count: int
) -> Array:
    """Units worth scoring: the best by all that is cheap, and the best by each signal alone."""
    chosen = np.zeros(len(about), bool)
    tops = [(about, count), (found.bm25[:-1], _SINGLE)]
    if meaning is not None:
        tops.append((meaning.near[:-1], _SINGLE))
    for values, most in tops:
        if allowed is not None:
            values = np.where(allowed, values, _NEVER)
        chosen[largest(values, most)] = True
    if allowed is not None:
        chosen &= allowed
    return np.flatnonzero(chosen)


# --- results -----------------------------------------------------------------------------


def _best(view: View, units: Array, scores: Array, places: Array, limit: int) -> Array:
    """Those of the places with the largest scores, best first; of equal ones the newest."""
    if len(places) > limit:
        held = scores[places]
        places = places[held >= np.partition(held, len(held) - limit)[len(held) - limit]]
    times = view.times(units[places])
    return places[np.lexsort((places, -times, -scores[places]))[:limit]]


def _chunks(
    view: View, units: Array, found: Words, question: Question, meaning: Cosines | None
) -> Array:
    """For each unit the chunk that fits best: by cosine, else by stems, else its first."""
    rows, whose = view.rows_of(units)
    if len(rows) == len(units):
        return view.chunks[rows]
    fit = np.zeros(len(rows)) if meaning is None else meaning.rows[rows].astype(np.float64)
    if meaning is None and len(found.idf):
        flow, owners = view.flow_of(rows)
        matched = among(flow, np.array(question.stems, np.uint32))
        fit += np.bincount(owners[matched], minlength=len(rows))
    order = np.lexsort((rows, -fit, whose))
    heads = np.flatnonzero(np.append(True, np.diff(whose[order]) != 0))
    return view.chunks[rows[order[heads]]]


def _parts(
    values: Mapping[str, Floats], weights: Mapping[str, float], places: Array
) -> list[dict[str, float]]:
    """Weight times feature, for the units at these places."""
    names = [name for name, weight in weights.items() if weight and name in values]
    if not names:
        return [{} for _ in places]
    table = np.array([values[name][places] for name in names], np.float64).T
    table *= np.array([weights[name] for name in names])
    return [
        {name: part for name, part in zip(names, row, strict=True) if part}
        for row in table.tolist()
    ]


def _results(
    view: View, units: Array, chunks: Array, parts: list[dict[str, float]]
) -> list[Ranked]:
    places = zip(units.tolist(), chunks.tolist(), view.column("kind")[units], parts, strict=True)
    return [
        Ranked(chunk, KINDS[kind], *view.address(unit), round(math.fsum(part.values()), 6), part)
        for unit, chunk, kind, part in places
    ]
