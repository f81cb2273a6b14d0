"""Unit groups: the units of each session of a view, and the best of them by some figure. Pure."""

from typing import NamedTuple

import numpy as np

from ricordo.core.recall.growable import Array, Floats, Ints, spans
from ricordo.core.recall.space_index import View


class UnitGroups(NamedTuple):
    """Units ordered by group, and where each group begins in that order."""

    order: Array | None  # None where they stand in it: each session was written at once
    starts: Array

    def find_best(self, values: Floats) -> Floats:
        """The largest value of each group, of values by unit."""
        ordered = values if self.order is None else values[self.order]
        return np.asarray(np.maximum.reduceat(ordered, self.starts))

    def list_units(self, view: View, groups: Ints) -> tuple[Array, Array]:
        """The units of these groups, and for each the position of its group among them."""
        ends = np.append(self.starts[1:], view.units)
        places, owners = spans(self.starts[groups], ends[groups])
        return places if self.order is None else self.order[places], owners


def order_by_group(view: View) -> UnitGroups:
    groups = view.column("group")
    if bool(np.all(groups[1:] >= groups[:-1])):
        return UnitGroups(None, np.searchsorted(groups, np.arange(view.groups, dtype=np.int32)))
    order = np.argsort(groups, kind="stable")
    return UnitGroups(order, np.searchsorted(groups[order], np.arange(view.groups)))
