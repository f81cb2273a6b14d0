"""Row texts: the stems of those rows of a view that did not come in blocks. Pure."""

from functools import lru_cache

import numpy as np

from ricordo.core.recall.chunk_rows import TextStems
from ricordo.core.recall.growable import Array, Column, ColumnTable, Ints, among, spans
from ricordo.core.text.tokens import STOP_STEMS, number

_ENDS = {"own": np.int32, "all": np.int32, "flow": np.int32}


class RowTexts:
    """The stems of each row, and their flow: without stop words, with a 0 after each text."""

    def __init__(self, first: int = 0) -> None:
        self.first = first  # rows before this one are in blocks
        self._stems = Column(np.uint32)
        self._flow = Column(np.uint32)
        self._ends = ColumnTable(_ENDS)  # where the stems and the flow of each row end

    @property
    def nbytes(self) -> int:
        return self._stems.nbytes + self._flow.nbytes + self._ends.nbytes

    def add(self, texts: TextStems) -> None:
        """Add the stems of the next rows."""
        starts = np.append(0, texts.ends[:-1])
        flow, flow_ends = content_flow(texts.stems, starts, texts.own_ends)
        ends = {
            "own": texts.own_ends + self._stems.size,
            "all": texts.ends + self._stems.size,
            "flow": flow_ends + self._flow.size,
        }
        self._ends.extend(ends)
        self._stems.extend(texts.stems)
        self._flow.extend(flow)

    def cut(self, start: int, end: int) -> TextStems:
        """The stems of a range of rows, as if they began there."""
        held = slice(start - self.first, end - self.first)
        base = int(self._ends["all"][held.start - 1]) if held.start else 0
        ends = self._ends["all"][held]
        stems = self._stems.all[base : int(ends[-1]) if len(ends) else base]
        return TextStems(stems, self._ends["own"][held] - base, ends - base)

    def flow_of(self, rows: Ints) -> tuple[Array, Array]:
        """The flow of these rows, and for each stem the position of its row among them."""
        places = np.flatnonzero(rows >= self.first) if self.first else np.arange(len(rows))
        held = rows[places] - self.first
        ends = self._ends["flow"]
        found, owners = spans(_before(ends, held), ends[held])
        return self._flow.all[found], places[owners]

    def choose(self, rows: Ints) -> "RowTexts":
        """The texts of these rows in this order; those of blocks have none."""
        chosen = RowTexts()
        whole = {name: np.append(np.zeros(self.first, int), self._ends[name]) for name in _ENDS}
        starts, flow_starts = _before(whole["all"], rows), _before(whole["flow"], rows)
        ends, flow_ends = whole["all"][rows], whole["flow"][rows]
        chosen._stems.extend(self._stems.all[spans(starts, ends)[0]])
        chosen._flow.extend(self._flow.all[spans(flow_starts, flow_ends)[0]])
        at = np.cumsum(ends - starts)
        flows = np.cumsum(flow_ends - flow_starts)
        chosen._ends.extend({"own": at - (ends - whole["own"][rows]), "all": at, "flow": flows})
        return chosen


@lru_cache(1)
def _stop_numbers() -> Array:
    return np.array(sorted(number(stem) for stem in STOP_STEMS), np.uint32)


def content_flow(stems: Array, starts: Array, ends: Array) -> tuple[Array, Array]:
    """The stems of each text without stop words, with a 0 after each, and where each ends."""
    places, owners = spans(starts, ends)
    content = ~among(stems[places], _stop_numbers())
    counts = np.bincount(owners[content], minlength=len(starts)) + 1
    bounds = np.cumsum(counts)
    flow = np.zeros(int(bounds[-1]), np.uint32)
    filled = np.ones(len(flow), bool)
    filled[bounds - 1] = False
    flow[filled] = stems[places][content]
    return flow, bounds


def _before(ends: Array, rows: Ints) -> Array:
    """Where rows begin in a list of which `ends` tells where each row ends."""
    return np.where(rows > 0, ends[rows - 1], 0)
