"""Confidence: how likely a space speaks of what a question asks, judged by one hit. Pure.

Two figures of a hit say most: its cosine, and its coverage (the share of the question's content
stems that it holds, rare ones weighing more, unknown ones included). Their logistic weights were
learnt on conversations asked their own questions and those of others at even odds; the best
confidence among the hits is calibrated for that mix. It tells a foreign subject, no false detail.
"""

import math

import numpy as np

from ricordo.core.recall.growable import Array, Floats
from ricordo.core.recall.nearest import unit_vector
from ricordo.core.recall.question import Question
from ricordo.core.recall.space_index import View

# Cosine, coverage and constant, by what the model is good for.
WEIGHTS = {
    "minilm": (11.0, 4.8, -6.1),  # in English
    "multilingual": (7.1, 6.2, -4.9),
    "words": (0.0, 7.2, -3.05),  # any other model, whose cosines have their own scale
}


def judge(
    view: View, question: Question, vector: Array | None, chunks: list[int], *, by: str
) -> list[float]:
    """The confidence of each chunk by one of `WEIGHTS`; without a vector by words."""
    if not chunks:
        return []
    rows = np.searchsorted(view.chunks, np.array(chunks, np.int64))
    direction = None if vector is None or by == "words" else unit_vector(vector)
    share = _coverage(view, question, rows)
    near = np.zeros(len(rows)) if direction is None else view.vectors.scores(rows, direction)
    by_cosine, by_coverage, constant = WEIGHTS["words" if direction is None else by]
    return [
        1 / (1 + math.exp(-(by_cosine * cosine + by_coverage * covered + constant)))
        for cosine, covered in zip(near.tolist(), share.tolist(), strict=True)
    ]


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
