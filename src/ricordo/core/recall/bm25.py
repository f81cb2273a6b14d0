"""BM25 of one document, from the statistics of its space alone. Pure Python, for checks and small
spaces; `ranking` scores many at once.

fts5     SQLite's bm25(): idf = max(1e-6, ln((N - n + .5) / (n + .5))); a repeated query term
         counts each time.
entries  the entry search: idf = ln(1 + (N - n + .5) / (n + .5)); repeats count once.

Both weigh a term tf * 2.2 / (tf + 1.2 * (.25 + .75 * length / mean length)).
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

K1 = 1.2
B = 0.75
Form = Literal["fts5", "entries"]
Term = Hashable  # a word, a stem, the number of one, or a phrase of several


class Statistics(NamedTuple):
    """What a space knows of its documents; `frequency` counts the documents that hold a term."""

    documents: int
    mean_length: float
    frequency: Mapping[Any, int]  # Any: mappings do not vary in their keys


def score(
    stats: Statistics, query: Sequence[Term], document: Sequence[Term], *, form: Form = "fts5"
) -> float:
    """Score a document's terms against a query's; 0 when they share none."""
    if not document or stats.mean_length <= 0:
        return 0.0
    counts = Counter(document)
    base = K1 * (1 - B + B * len(document) / stats.mean_length)
    terms: Iterable[Term] = query if form == "fts5" else dict.fromkeys(query)
    return math.fsum(
        idf(stats, term, form=form) * count * (K1 + 1) / (count + base)
        for term in terms
        if (count := counts[term])
    )


def idf(stats: Statistics, term: Term, *, form: Form = "fts5") -> float:
    """Weigh a term by its rarity; never zero or below."""
    holding = stats.frequency.get(term, 0)
    odds = (stats.documents - holding + 0.5) / (holding + 0.5)
    return max(1e-6, math.log(odds)) if form == "fts5" else math.log1p(odds)
