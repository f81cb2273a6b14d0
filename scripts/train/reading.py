"""Learn what the second look rests on: the weight of a reading, and the tables of confidence.

The first hits of every question of the held-out sets are taken before the second look, each with
its cosine, its coverage, what the re-ranker makes of it, and whether it answers.
"""

from pathlib import Path
from typing import NamedTuple

import held_out
import numpy as np
from listwise import Listed, learn

from ricordo.core.recall.first_hits import READ
from ricordo.embed import reader
from ricordo.flows.recall.query_vector import embed_query
from ricordo.flows.recall.recall import choose_hits
from ricordo.flows.recall.request import Ask, check_request
from ricordo.flows.recall.second_look import cite_for_reading
from ricordo.flows.recall.sight import sight

FOREIGN = 20  # questions of another set that each set is asked
STEPS = 30
STRENGTH = 1e-3
TABLES = {
    "reading": ("reading", "cosine", "covered"),
    "minilm": ("cosine", "covered"),
    "words": ("covered",),
}


class ReadHit(NamedTuple):
    """One of the first hits of a question."""

    score: float
    reading: float
    cosine: float
    covered: float
    answers: bool
    is_stale: bool


class ReadQuestion(NamedTuple):
    """A question with its first hits, and how much it counts."""

    hits: list[ReadHit]
    counts: float


def collect(
    names: tuple[str, ...],
    embedder: object,
    folder: Path = held_out.FOLDER,
    *,
    reads: bool = True,
) -> list[ReadQuestion]:
    """The first hits of the questions of sets, and of some questions of other sets."""
    found = []
    sets = [held_out.read(name, folder) for name in names]
    for place, items in enumerate(sets):
        other = sets[place - 1].asked[:: len(items.asked) // FOREIGN][:FOREIGN]
        asked = [*items.asked, *(each._replace(gold=[]) for each in other)]
        with held_out.write(items, embedder) as (space, places):
            for each in asked:
                hits = look(space, each, places, reads=reads)
                found.append(ReadQuestion(hits, 1 / len(asked)))
    return found


def look(
    space: "held_out.ricordo.Space",
    asked: held_out.Asked,
    places: dict[held_out.Place, int],
    *,
    reads: bool,
) -> list[ReadHit]:
    engine = space._engine
    plan = check_request(engine, Ask(asked.text, limit=READ))
    meaning = embed_query(engine, space.name, plan.query, plan.mode)
    assert meaning is not None

    def work(tx):
        seen = sight(engine, tx, meaning.space, plan, meaning)
        pairs = choose_hits(engine, tx, seen, plan.way.find(engine, tx, seen), plan)[:READ]
        rows = [row for _, row in pairs]
        return pairs, [places[place] for place in held_out.locate(tx, meaning.space, rows)]

    pairs, numbers = engine.views.read(engine.store, work)
    model = reader() if reads else None
    texts = [cite_for_reading(row) for _, row in pairs]
    logits = model.read(plan.query, texts) if model else [0.0] * len(texts)
    return [
        ReadHit(
            item.score, logit, *item.evidence.figures, number in asked.gold, asked.is_stale(number)
        )
        for (item, _), logit, number in zip(pairs, logits, numbers, strict=True)
    ]


def learn_reading(asked: list[ReadQuestion]) -> float:
    """The weight of a reading beside the score of the features."""
    lists = []
    for each in asked:
        hits = [hit for hit in each.hits if not hit.is_stale]
        gold = [place for place, hit in enumerate(hits) if hit.answers]
        if gold:
            table = np.array([(hit.score, hit.reading) for hit in hits])
            lists.append(Listed(table, gold, each.counts))
    by_score, by_reading = learn(lists, STRENGTH)
    return round(float(by_reading / by_score), 2)


def learn_confidence(asked: list[ReadQuestion], names: tuple[str, ...]) -> dict[str, float]:
    """The logistic weights of figures of a hit, such that it answers as often as it says."""
    hits = [(hit, each.counts / len(each.hits)) for each in asked for hit in each.hits]
    table = np.array([[*(getattr(hit, name) for name in names), 1.0] for hit, _ in hits])
    answers = np.array([hit.answers for hit, _ in hits], np.float64)
    counts = np.array([count for _, count in hits])
    counts /= counts.sum()
    weights = np.zeros(table.shape[1])
    pull = STRENGTH / 100 * np.eye(len(weights))
    for _ in range(STEPS):
        sure = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (counts * (answers - sure)) - pull @ weights
        bend = (table.T * (counts * sure * (1 - sure))) @ table + pull
        weights = weights + np.linalg.solve(bend, slope)
    figures = (*names, "constant")
    return {name: round(float(each), 2) for name, each in zip(figures, weights, strict=True)}
