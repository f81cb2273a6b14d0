"""Confidence: how likely a hit answers a question. Pure.

Three figures of a hit say most: what the model that reads question and text together makes of it,
its cosine, and its coverage (the share of the question's content stems that it holds, rare ones
weighing more, unknown ones included). `make train` learns their weights from hits of questions with
and without an answer.
"""

import math
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.growable import Array, Floats
from ricordo.core.recall.nearest import unit_vector
from ricordo.core.recall.question import Question
from ricordo.core.recall.space_index import View
from ricordo.core.recall.weights import CONFIDENCE

FLOOR = 0.1  # below, one hit of thirty answers


class Figures(NamedTuple):
    """What the confidence of a hit rests on."""

    cosine: float
    covered: float


def measure(
    view: View, question: Question, vector: Array | None, chunks: list[int]
) -> list[Figures]:
    """The figures of each chunk."""
    if not chunks:
        return []
    rows = view.find_rows(np.array(chunks, np.int64))
    direction = None if vector is None else unit_vector(vector)
    share = _coverage(view, question, rows)
    near = np.zeros(len(rows)) if direction is None else view.vectors.scores(rows, direction)
    return [Figures(*pair) for pair in zip(near.tolist(), share.tolist(), strict=True)]


def judge(figures: Figures, by: str, reading: float = 0.0) -> float:
    """The confidence by one of the tables of `CONFIDENCE`."""
    table = CONFIDENCE[by]
    told = {"reading": reading, "cosine": figures.cosine, "covered": figures.covered}
    total = table["constant"] + math.fsum(table.get(name, 0.0) * told[name] for name in told)
    return 1 / (1 + math.exp(-total))


def _coverage(view: View, question: Question, rows: Array) -> Floats:
    """The share of the question's stems in each row, weighed by rarity."""
    share = np.zeros(len(rows), np.float32)
    flow, owners = view.flow_of(rows)
    total = 0.0
    for stem in question.subject:
        weight = math.log(1 + view.units / (1 + len(view.postings.find(stem).units)))
        total += weight
        holds = np.zeros(len(rows), bool)
        holds[owners[flow == np.uint32(stem)]] = True
        share += np.float32(weight) * holds
    return share / np.float32(total) if total else share
