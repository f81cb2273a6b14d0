"""Keyword candidates: chunks that hold words of a question, scored by figures of their space."""

import heapq
from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence

from ricordo.core.recall import bm25
from ricordo.core.text import tokens
from ricordo.flows.recall.search_input import SearchInput
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import HitRow

Phrase = tuple[int, ...]  # numbers of stems that stand side by side; mostly just one

CANDIDATES = 200  # chunks that are scored exactly
_HOLDING = 10_000  # chunks looked at for one word, the newest ones
_PHRASE_BONUS = 0.25  # of the BM25 score, when the words stand together as in the query


def find_by_words(
    tx: Tx, sight: SearchInput, limit: int, words: str | None = None, *, tags: bool = False
) -> dict[int, float]:
    """The keyword leg: any word counts, those of the query that stand together count more."""
    if sight.mode == "vector":
        return {}
    words = sight.query if words is None else words
    stems = [(tokens.number(stem),) for stem in dict.fromkeys(tokens.stems(words))]
    scores = score_words(tx, sight, stems, tags=tags)
    best = sort_by_score(scores)
    if len(best) > limit:
        rows = tx.chunks.hydrate(sight.space, best)
        best = best[: count_candidates([_unit(rows[chunk]) for chunk in best], limit)]
    return {chunk: scores[chunk] for chunk in best}


def score_words(
    tx: Tx, sight: SearchInput, phrases: Sequence[Phrase], *, tags: bool
) -> dict[int, float]:
    """BM25 of the keyword candidates with the statistics of this space alone."""
    state = tx.spaces.state(sight.space)
    frequency = _frequencies(tx, sight.space, phrases)
    mean = state.tokens / state.documents if state.documents else 0.0
    stats = bm25.Statistics(state.documents, mean, frequency)
    chunks = _candidates(tx, sight, stats, tags=tags)
    longest = max(map(len, phrases), default=0)
    together = read_phrase(sight.query)
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


def read_phrase(words: str) -> Phrase:
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


def sort_by_score(scores: Mapping[int, float]) -> list[int]:
    """Best first; of equal ones the newer, whose number is higher."""
    return sorted(scores, key=lambda chunk: (-scores[chunk], -chunk))


def count_candidates(units: Sequence[Hashable], limit: int) -> int:
    """Where a list of candidates ends that may hold `limit` different messages or entries."""
    seen: set[Hashable] = set()
    for place, unit in enumerate(units):
        if unit not in seen and len(seen) == limit:
            return place
        seen.add(unit)
    return len(units)


def _unit(row: HitRow) -> Hashable:
    return row.session, row.seq_start, row.entry
