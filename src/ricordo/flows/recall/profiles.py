"""The ways to find candidates, one per profile, and the legs they stand on."""

import heapq
from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ricordo.core.learning import concepts
from ricordo.core.recall import bm25, fusion
from ricordo.core.recall.fusion import Fused, Leg
from ricordo.core.recall.nearest import unit_vector
from ricordo.core.text import speaker_names, tags, tokens
from ricordo.embed import built_in
from ricordo.errors import RicordoError, StoreError, Unavailable
from ricordo.flows.engine import Engine
from ricordo.flows.recall.model_choice import standings
from ricordo.flows.recall.views import mask_of
from ricordo.model import Profile
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import HitRow
from ricordo.store.tables.embeddings import ModelRow

if TYPE_CHECKING:
    from ricordo.core.recall.growable import Array
    from ricordo.embed import Embedder

Phrase = tuple[int, ...]  # numbers of stems that stand side by side; mostly just one

CANDIDATES = 200  # chunks that are scored exactly
_HOLDING = 10_000  # chunks looked at for one word, the newest ones
MINMAX = {"vector": 0.7, "text": 0.3}
_PHRASE_BONUS = 0.25  # of the BM25 score, when the words stand together as in the query


class QueryVector(NamedTuple):
    """A query's vector, the model it belongs to, and the space that was looked at for it."""

    space: int
    model: ModelRow
    vector: "Array"


class ServingModel(NamedTuple):
    """Which embedder to ask, its model, and the query without the names of speakers."""

    bare: str
    embedder: "Embedder | None" = None
    model: ModelRow | None = None
    is_behind: bool = False  # the active model has not seen all of the space
    space: int = 0


class SearchInput(NamedTuple):
    """Everything a way needs to find its candidates."""

    space: int
    query: str
    limit: int
    mode: str
    meaning: QueryVector | None
    allowed: list[int] | None
    profile: Profile


class Candidate(NamedTuple):
    """A candidate with its place decided."""

    chunk: int
    score: float
    parts: dict[str, float]
    confidence: float | None = None


def query_tags(given: Iterable[str] | None) -> tuple[str, ...] | None:
    """The tags of a query, normalised as stored ones are."""
    return None if given is None else tags.normalise(given)


def embed_query(engine: Engine, space: str, query: str, mode: str) -> QueryVector | None:
    """The query's vector under the model that serves this space, or None.

    Called without a transaction: it opens a short one to see which model serves.
    """
    if mode == "keyword":
        return None
    if not engine.embedders:
        if mode == "vector":
            raise Unavailable(
                "vector recall needs an embedder and this memory was opened without one; "
                "use mode='keyword', or open it with embedder='bundled'"
            )
        return None
    try:
        serving = _find_serving_model(engine, space, query)
        if serving.is_behind:
            engine.embedding.catch_up(space)
            serving = _find_serving_model(engine, space, query)
        if mode == "vector":
            _refuse_foreign(engine, space, serving)
        if serving.embedder is None or serving.model is None:
            return None
        return QueryVector(serving.space, serving.model, serving.embedder.embed([serving.bare])[0])
    except StoreError:
        raise  # no fault of the model
    except Exception as error:
        # Keyword recall goes on serving while a model fails, whatever it raises.
        if mode != "vector":
            return None
        if isinstance(error, RicordoError):
            raise
        raise Unavailable(
            f"the query cannot be embedded ({error}); recall in mode 'keyword'"
        ) from error


def _find_serving_model(engine: Engine, space: str, query: str) -> ServingModel:
    engine.embedding.reach()

    def work(tx: Tx) -> ServingModel:
        found = tx.spaces.find(space)
        if found is None:
            return ServingModel(query)
        number, state = found
        chosen = _choose_model(engine, tx, number, state.last_chunk)
        if chosen.model is None:
            return chosen._replace(bare=query)
        with engine.views.fresh(tx, number, chosen.model.model, state) as view:
            return chosen._replace(
                bare=speaker_names.strip(query, view.people.names()), space=number
            )

    return engine.views.read(engine.store, work)


def _choose_model(engine: Engine, tx: Tx, space: int, last: int) -> ServingModel:
    """The model of the space once it covers it; until then an older one we can still ask."""
    (embedder, active, covered), *others = standings(tx, space, engine.embedders)
    if covered < last or any(each.embedder is engine.embedders[-1] for each in others):
        engine.embedding.wake()  # after a crash or a change of model nothing else may do so
    if covered >= last:
        return ServingModel("", embedder, active)
    for model, upto in tx.embeddings.list_serving(space):
        older = None if model == active or upto <= covered else built_in(model.fingerprint)
        if older is not None:
            return ServingModel("", older, model, is_behind=True)
    return ServingModel("", embedder, active, is_behind=True)


def _refuse_foreign(engine: Engine, space: str, serving: ServingModel) -> None:
    """Vectors of different models are never compared; say so where only another's are there."""
    asked = serving.embedder or engine.embedders[0]
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None or (serving.model and tx.embeddings.count(number, serving.model.model)):
            return
        present = [m for m in tx.embeddings.models() if tx.embeddings.count(number, m.model)]
    if present:
        model = present[0]
        raise Unavailable(
            f"the vectors here are of {model.fingerprint!r} with {model.dim} dimensions, the "
            f"embedder is {asked.fingerprint!r} with {asked.dim}; flush "
            "to embed anew, or recall in mode 'keyword' meanwhile"
        )


def by_minmax(engine: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `minmax`: both legs scaled to 0..1 and summed by weight, ties to the later seq."""
    weights = {**MINMAX, **sight.profile.weights}
    scores = {
        "vector": _nearest(engine, tx, sight, 4 * sight.limit),
        "text": _text_leg(tx, sight, 4 * sight.limit),
    }
    fused = fusion.sum_weighted({name: Leg(weights[name], scores[name]) for name in scores})
    rows = tx.chunks.hydrate(sight.space, fused)
    return _order(fused, rows, lambda row: row.seq_end or row.entry or 0)


def by_rank(engine: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `rrf`: reciprocal ranks of both legs, ties to the newer."""
    expanded = " ".join([sight.query, *concepts.concepts(sight.query, 3)])
    scores = {
        "vector": _nearest(engine, tx, sight, 2 * sight.limit),
        "text": _text_leg(tx, sight, 2 * sight.limit, expanded, tags=True),
    }
    fused = fusion.rrf({name: _by_score(leg) for name, leg in scores.items()})
    rows = tx.chunks.hydrate(sight.space, fused)
    return _order(fused, rows, lambda row: row.at)


def by_two_tiers(_: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `two_tier`: BM25 over literal words; only if that finds nothing, a substring."""
    phrases = [_phrase(word) for word in sight.query.split()]
    scores = _score(tx, sight, [phrase for phrase in phrases if phrase], tags=False)
    if scores:
        fused = {chunk: Fused(score, {"bm25": score}) for chunk, score in scores.items()}
        return _order(fused, tx.chunks.hydrate(sight.space, fused), lambda row: row.at)
    found = tx.search.substring(sight.space, sight.query.strip(), sight.allowed, sight.limit)
    return [Candidate(chunk, 0.0, {}) for chunk in found]


def by_entries(engine: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `bm25`: plain BM25 over names and contents of entries, ties to the smaller id."""
    query = tokens.entry_terms(sight.query)
    documents = engine.views.entry_terms.read(tx, sight.space) if query else {}
    stats = _statistics(documents)
    allowed = None if sight.allowed is None else set(sight.allowed)
    found = []
    for entry, (chunk, terms) in sorted(documents.items()):
        score = bm25.score(stats, query, terms, form="entries")
        if score > 0 and (allowed is None or chunk in allowed):
            found.append((-score, entry, Candidate(chunk, score, {"bm25": score})))
    return [item for _, _, item in sorted(found)[: sight.limit]]


def _statistics(documents: Mapping[int, tuple[int, list[str]]]) -> bm25.Statistics:
    filled = [terms for _, terms in documents.values() if terms]
    frequency = Counter(term for terms in filled for term in set(terms))
    total = sum(map(len, filled))
    return bm25.Statistics(len(filled), total / len(filled) if filled else 0.0, frequency)


def _nearest(engine: Engine, tx: Tx, sight: SearchInput, limit: int) -> dict[int, float]:
    """The vector leg: chunks by cosine, inside the space and the filters."""
    if sight.meaning is None:
        return {}
    with engine.views.fresh(tx, sight.space, sight.meaning.model.model) as view:
        direction = unit_vector(sight.meaning.vector)
        if direction is None:
            return {}
        mask, most = mask_of(view, sight.allowed), limit
        while True:
            near = view.vectors.nearest(direction, most, mask)
            units = view.unit_of[near.rows].tolist()
            if len(set(units)) >= limit or len(near.rows) < most:
                break
            most *= 4  # long texts take several of the nearest rows each
        chunks = view.chunks[near.rows].tolist()
        kept = _cut(units, limit)
        return dict(zip(chunks[:kept], near.cosines.tolist()[:kept], strict=True))


def _text_leg(
    tx: Tx, sight: SearchInput, limit: int, words: str | None = None, *, tags: bool = False
) -> dict[int, float]:
    """The keyword leg: any word counts, those of the query that stand together count more."""
    if sight.mode == "vector":
        return {}
    words = sight.query if words is None else words
    stems = [(tokens.number(stem),) for stem in dict.fromkeys(tokens.stems(words))]
    scores = _score(tx, sight, stems, tags=tags)
    best = _by_score(scores)
    if len(best) > limit:
        rows = tx.chunks.hydrate(sight.space, best)
        best = best[: _cut([_unit(rows[chunk]) for chunk in best], limit)]
    return {chunk: scores[chunk] for chunk in best}


def _cut(units: Sequence[Hashable], limit: int) -> int:
    """Where a list of candidates ends that may hold `limit` different messages or entries."""
    seen: set[Hashable] = set()
    for place, unit in enumerate(units):
        if unit not in seen and len(seen) == limit:
            return place
        seen.add(unit)
    return len(units)


def _unit(row: HitRow) -> Hashable:
    return row.session, row.seq_start, row.entry


def _score(
    tx: Tx, sight: SearchInput, phrases: Sequence[Phrase], *, tags: bool
) -> dict[int, float]:
    """BM25 of the keyword candidates with the statistics of this space alone."""
    state = tx.spaces.state(sight.space)
    frequency = _frequencies(tx, sight.space, phrases)
    mean = state.tokens / state.documents if state.documents else 0.0
    stats = bm25.Statistics(state.documents, mean, frequency)
    chunks = _candidates(tx, sight, stats, tags=tags)
    longest = max(map(len, phrases), default=0)
    together = _phrase(sight.query)
    scores = {}
    for chunk, terms, extra in tx.chunks.terms(sight.space, chunks):
        own = array("I", terms)
        words = _grams(own, longest) + [(n,) for n in array("I", extra) if tags]
        score = bm25.score(stats, phrases, words)
        if len(together) > 1 and _holds(own, together):
            score *= 1 + _PHRASE_BONUS
        scores[chunk] = score
    return scores


def _candidates(tx: Tx, sight: SearchInput, stats: bm25.Statistics, *, tags: bool) -> list[int]:
    """Chunks by the weight of the query's words in them, the rarest words first.

    The index has a rank of its own, but its statistics are those of the whole file: what others
    write would decide which chunks are looked at.
    """
    most = max(CANDIDATES, 4 * sight.limit)
    weights: dict[int, float] = {}

    def weigh(phrases: Sequence[Phrase]) -> None:
        held = tx.search.find_phrases(sight.space, phrases, sight.allowed, _HOLDING, tags=tags)
        for phrase, chunks in zip(phrases, held, strict=True):
            weight = bm25.idf(stats, phrase)
            for chunk in chunks:
                weights[chunk] = weights.get(chunk, 0.0) + weight

    rising = sorted(stats.frequency, key=lambda phrase: (stats.frequency[phrase], phrase))
    rare = [phrase for phrase in rising if stats.frequency[phrase] <= most]
    weigh(rare)
    for phrase in rising[len(rare) :]:
        if len(weights) >= most:
            break  # enough hold rarer words; a word so common decides nothing
        weigh([phrase])
    return heapq.nsmallest(most, weights, key=lambda chunk: (-weights[chunk], -chunk))


def _frequencies(tx: Tx, space: int, phrases: Iterable[Phrase]) -> dict[Phrase, int]:
    """In how many chunks each phrase can stand: no more than its rarest word does."""
    known = tx.search.frequencies(space, {number for phrase in phrases for number in phrase})
    return {phrase: min(known[number] for number in phrase) for phrase in phrases}


def _phrase(words: str) -> Phrase:
    return tuple(tokens.number(stem) for stem in tokens.stems(words))


def _grams(numbers: Sequence[int], longest: int) -> list[Phrase]:
    """Every run of up to `longest` stems; single ones are what the length of a text counts."""
    return [
        tuple(numbers[start : start + size])
        for size in range(1, longest + 1)
        for start in range(len(numbers) - size + 1)
    ]


def _holds(numbers: Sequence[int], phrase: Phrase) -> bool:
    return any(
        tuple(numbers[start : start + len(phrase)]) == phrase
        for start in range(len(numbers) - len(phrase) + 1)
    )


def _by_score(scores: Mapping[int, float]) -> list[int]:
    """Best first; of equal ones the newer, whose number is higher."""
    return sorted(scores, key=lambda chunk: (-scores[chunk], -chunk))


def _order(
    fused: Mapping[int, Fused], rows: Mapping[int, HitRow], later: Callable[[HitRow], int]
) -> list[Candidate]:
    """Score first, then what is later, then the smaller number: a total order."""
    known = [chunk for chunk in fused if chunk in rows]
    known.sort(key=lambda chunk: (-round(fused[chunk].score, 12), -later(rows[chunk]), chunk))
    return [Candidate(chunk, *fused[chunk]) for chunk in known]
