"""Cosine: how near the units of a view are to a question's vector, from 0 to 1.

Small spaces are measured exactly. Big ones are estimated from sign bits, with exact figures for the
nearest rows; `refine_units` makes the candidates exact.
"""

from typing import NamedTuple

import numpy as np

from ricordo.core.recall.growable import Array, Bools, Floats, among, distinct
from ricordo.core.recall.nearest import FAR, count_to_rescore
from ricordo.core.recall.space_index import View
from ricordo.core.recall.top_values import closest
from ricordo.core.recall.unit_groups import order_by_group

_FARTHEST = 64  # rows scored to learn the smallest cosine
_FLAT = 1e-6
_NONE = np.float32(-2)  # the cosine of a row without a vector
# Nearness of a unit without a vector yet: the usual figure, which favours neither side.
_USUAL = np.float32(0.4)


class Cosines(NamedTuple):
    """Nearness by unit (one more place at the end, zero) and by group; cosines by row."""

    near: Floats
    best: Floats
    rows: Floats
    exact: Array  # the rows with an exact cosine, in big spaces
    low: float
    high: float
    absent: Bools | None = None


def measure_units(view: View, direction: Floats, absent: Bools | None = None) -> Cosines:
    """Measure every unit: exactly, or in big spaces by signs. Absent units are near to nothing."""
    vectors = view.vectors
    exact = np.empty(0, np.intp)
    if vectors.is_exact:
        rows = vectors.cosines(direction)
    else:
        rows, exact = _by_signs(view, direction)
    known = rows
    if absent is not None or not vectors.is_complete:
        has = vectors.has if absent is None else vectors.has & ~absent[view.unit_of]
        known = rows[has]
        rows = np.where(has, rows, _NONE)
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    near = np.zeros(view.units + 1, np.float32)
    _spread(_best_of_unit(view, rows), low, high, near[:-1])
    if absent is not None:
        near[:-1][absent] = 0
    best = view.derive(order_by_group).find_best(near[:-1])
    return Cosines(near, best, rows, exact, low, high, absent)


def refine_units(view: View, direction: Floats, meaning: Cosines, units: Array) -> Cosines:
    """Make these units exact, what precedes them, and the nearest unit of their sessions.

    The estimates are overwritten: nobody asks for them again.
    """
    if not len(units):
        return meaning
    groups = distinct(view.column("group")[units])
    prev = view.column("prev")[units]
    scored = np.concatenate([units, prev[prev >= 0], _nearest_of(view, meaning, groups)])
    scored = distinct(scored)
    rows, whose = view.rows_of(scored)
    near, best, cosines = meaning.near, meaning.best, meaning.rows
    unsure = rows[~among(rows, meaning.exact)]
    cosines[unsure] = view.vectors.scores(unsure, direction)
    if not view.vectors.is_complete:
        cosines[rows[~view.vectors.has[rows]]] = _NONE
    heads = np.flatnonzero(np.append(True, np.diff(whose) != 0))
    exact = np.maximum.reduceat(cosines[rows], heads)
    near[scored] = _spread(exact, meaning.low, meaning.high, np.empty_like(exact))
    if meaning.absent is not None:
        near[:-1][meaning.absent] = 0
    best[groups] = 0
    np.maximum.at(best, view.column("group")[scored], near[scored])
    return meaning


def _by_signs(view: View, direction: Floats) -> tuple[Floats, Array]:
    """Estimate cosines from the share of equal signs; exact for the nearest and the farthest.

    The second value tells which rows are exact.
    """
    vectors = view.vectors
    distances = vectors.distances(direction)
    opposite = np.uint16(len(direction)) - distances
    opposite[distances == FAR] = len(direction)
    known = distinct(
        np.concatenate(
            [closest(distances, count_to_rescore(len(distances))), closest(opposite, _FARTHEST)]
        )
    )
    known = known[distances[known] < FAR]
    exact = vectors.scores(known, direction)
    slope, base = _line(distances[known].astype(np.float64), exact)
    rows = distances.astype(np.float32)
    rows *= np.float32(slope)
    rows += np.float32(base)
    np.clip(rows, exact.min(), exact.max(), out=rows)
    rows[known] = exact
    return rows, known


def _line(x: Array, y: Array) -> tuple[float, float]:
    """Slope and base of the straight line through the points."""
    across = x - x.mean()
    width = float(across @ across)
    slope = float(across @ y) / width if width else 0.0
    return slope, float(y.mean()) - slope * float(x.mean())


def _nearest_of(view: View, meaning: Cosines, groups: Array) -> Array:
    """The unit of each group that seems nearest; all of them if several do."""
    units, owners = view.derive(order_by_group).list_units(view, groups)
    return units[meaning.near[units] >= meaning.best[groups][owners]]


def _spread(cosines: Floats, low: float, high: float, out: Floats) -> Floats:
    """Stretch cosines to 0..1; where all are alike, or there is only one, all are near."""
    if high - low <= _FLAT:
        out[:] = 1
    else:
        np.subtract(cosines, np.float32(low), out=out)
        out *= np.float32(1 / (high - low))
        np.clip(out, 0, 1, out=out)
    out[cosines <= _NONE] = _USUAL
    return out


def _best_of_unit(view: View, cosines: Floats) -> Floats:
    return cosines if view.is_plain else np.maximum.reduceat(cosines, view.column("start"))
