"""Candidates: of a big view only some units are scored, and the hits stay the same."""

import random

import numpy as np
import pytest
from conversations import ask, filled, message, random_vectors, vector, with_vectors

from ricordo.core.recall.question import read
from ricordo.core.recall.ranking import rank


@pytest.mark.parametrize("exact_rows", [20_000, 0])
def test_candidates_give_the_hits_that_scoring_everything_gives(exact_rows):
    rng = random.Random(5)
    words = [f"word{n}" for n in range(400)]
    texts = [" ".join(rng.choices(words, range(400, 0, -1), k=8)) for _ in range(2500)]
    rows = [
        message(n, "Tove" if n % 2 else "Ruben", text, session=f"s{n // 20}")
        for n, text in enumerate(texts, 1)
    ]
    view = with_vectors(rows, texts, exact_rows)
    agreed = 0
    for n in range(0, 2500, 50):
        text = " ".join(texts[n].split()[:4])
        every = [hit.chunk for hit in ask(view, text, full_units=10**9)]
        agreed += len(set(every) & {hit.chunk for hit in ask(view, text, full_units=0)})

    assert agreed >= 0.97 * 500


def test_what_a_big_view_scores_has_the_meaning_it_has_in_a_small_one():
    """Also by the question before it, which by itself is too far away to be looked at closely."""
    texts = ["Is rye bread good?", "kayak", *(f"word{n} kayak" for n in range(700))]
    texts += [f"other{n}" for n in range(700)]
    rows = [message(n, "Tove", text, session=f"s{n // 3}") for n, text in enumerate(texts, 1)]

    small, big = (
        {hit.chunk: hit.parts for hit in ask(view, "kayak", limit=900, full_units=0)}
        for view in (with_vectors(rows, texts), with_vectors(rows, texts, exact_rows=0))
    )

    assert small[2]["question_meaning"] > 0
    for name in ("meaning", "question_meaning", "session_meaning"):
        assert big[2].get(name, 0) == pytest.approx(small[2].get(name, 0))


def test_a_big_view_gives_as_many_hits_as_a_large_limit_asks_for():
    view = filled([message(n, "Tove", f"kayak {n}") for n in range(1, 1001)])

    assert len(ask(view, "kayak", vectors=False, limit=700, full_units=0)) == 700


@pytest.mark.parametrize(
    ("as_good", "as_near"), [(60, slice(0, 200)), (200, slice(-20, None))], ids=["words", "meaning"]
)
def test_a_unit_that_is_good_by_words_or_by_meaning_alone_is_scored(as_good, as_near):
    """Word pairs are not cheap to find, so units cannot be chosen by them."""
    texts = [f"filler{n}" for n in range(900)] + ["bank river"] * as_good
    texts.append("there is a very steep and rather long way down to the old river bank")
    rows = [message(n, "Tove", text, session=f"s{n}") for n, text in enumerate(texts, 1)]
    vectors = random_vectors(len(rows))
    vectors[as_near] = vector("river bank")
    view = filled(rows)
    view.put_vectors(np.array([row.chunk for row in rows]), vectors)
    question, pairs = read("river bank", view), {"word_pairs": 1.0}

    best = rank(view, question, vector("river bank"), weights=pairs, limit=1, full_units=0)

    assert [(hit.chunk, hit.score) for hit in best] == [(len(rows), 1.0)]
