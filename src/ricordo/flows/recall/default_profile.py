"""The default way to find candidates: the linear ranker over the view of the space."""

from collections.abc import Mapping

import numpy as np

from ricordo.core.recall import confidence, question, ranking
from ricordo.core.recall.first_hits import CHANGED, READ
from ricordo.core.recall.growable import Array
from ricordo.core.recall.ranking import Ranked, RankOptions
from ricordo.core.recall.space_index import View
from ricordo.core.recall.weights import WEIGHTS
from ricordo.embed import ENGLISH_ONLY, MANY_LANGUAGES, MEANINGLESS
from ricordo.flows.engine import Engine
from ricordo.flows.recall.past import open_view
from ricordo.flows.recall.search_input import Candidate, Evidence, SearchInput
from ricordo.flows.recall.views import mask_of
from ricordo.store.database import Tx

FEATURES = frozenset(WEIGHTS["hybrid"])


def by_features(engine: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `default`: rank by features, with a confidence for each hit."""
    model = None if sight.meaning is None else sight.meaning.model.model
    vector = _vector(sight)
    with open_view(engine, tx, sight, model) as view:
        asked = question.read(sight.query, view)
        view.prepare(asked.words)
        ranked = order(view, sight, asked)
        chunks = [item.chunk for item in ranked]
        by = _judged_by(sight, asked)
        known = confidence.measure(view, asked, None if by == "words" else vector, chunks)
        # Only vectors of models that were measured tell which text supersedes another.
        compared = chunks[: 2 * READ] if by in CHANGED else []
        first = view.find_rows(np.array(compared, np.int64))
        vectors = [view.vectors.one(int(row)) for row in first]
    return [
        Candidate(
            item.chunk,
            item.score,
            item.parts,
            confidence.judge(figures, by),
            Evidence(figures, by, vectors[place] if place < len(vectors) else None),
        )
        for place, (item, figures) in enumerate(zip(ranked, known, strict=True))
    ]


def order(view: View, sight: SearchInput, asked: question.Question) -> list[Ranked]:
    """The units of a view in the order of a recall."""
    if sight.mode == "vector":
        return _order_by_cosine(view, sight)
    return ranking.rank(view, asked, _vector(sight), **_options(view, sight, asked))


def locate(
    view: View, sight: SearchInput, asked: question.Question, targets: set[int]
) -> tuple[list[int], Ranked | None]:
    """The chunks of a view in the order of a recall, and the first of them that is a target."""
    if sight.mode == "vector":
        found = _order_by_cosine(view, sight)
        first = next((item for item in found if item.chunk in targets), None)
        return [item.chunk for item in found], first
    wanted = np.array(sorted(targets), np.int64)
    return ranking.locate(view, asked, _vector(sight), wanted, **_options(view, sight, asked))


def _order_by_cosine(view: View, sight: SearchInput) -> list[Ranked]:
    vector = _vector(sight)
    if vector is None:
        return []
    return ranking.by_cosine(view, vector, mask=mask_of(view, sight.allowed), limit=sight.limit)


def _vector(sight: SearchInput) -> Array | None:
    return None if sight.meaning is None else sight.meaning.vector


def _options(view: View, sight: SearchInput, asked: question.Question) -> RankOptions:
    return {
        "weights": {**_weights(sight, asked), **sight.profile.weights},
        "mask": mask_of(view, sight.allowed),
        "limit": sight.limit,
        "strict": sight.mode == "keyword",
        "shown": mask_of(view, sight.shown),
    }


def _weights(sight: SearchInput, asked: question.Question) -> Mapping[str, float]:
    """The weights that suit the vectors: some say nothing, or nothing in this language."""
    if sight.meaning is None or sight.meaning.model.fingerprint == MEANINGLESS:
        return WEIGHTS["keyword"]
    if not _reads_english_only(sight):
        return WEIGHTS["multilingual" if _reads_many(sight) else "hybrid"]
    if asked.is_english:
        return WEIGHTS["hybrid"]
    return ranking.FOREIGN if asked.is_latin else WEIGHTS["keyword"]


def _judged_by(sight: SearchInput, asked: question.Question) -> str:
    """What the confidence of a hit rests on: cosines of models that were measured, or words."""
    if _reads_many(sight):
        return "multilingual"
    if sight.meaning is None or not _reads_english_only(sight) or not asked.is_english:
        return "words"
    return "minilm"


def _reads_english_only(sight: SearchInput) -> bool:
    return sight.meaning is not None and sight.meaning.model.fingerprint.startswith(ENGLISH_ONLY)


def _reads_many(sight: SearchInput) -> bool:
    return sight.meaning is not None and sight.meaning.model.fingerprint.startswith(MANY_LANGUAGES)
