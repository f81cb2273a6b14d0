"""A second look at the first hits: a model reads them with the question, outside of a transaction;
what is superseded and what only asks go behind."""

from typing import NamedTuple

from ricordo.core.recall import confidence
from ricordo.core.recall.first_hits import (
    READ,
    FirstHit,
    Judged,
    add_reading,
    list_compared,
    put_newer_first,
    put_telling_first,
)
from ricordo.core.recall.question import is_english
from ricordo.core.recall.weights import WEIGHTS
from ricordo.embed import ENGLISH_ONLY, reader
from ricordo.errors import InvalidInput, Unavailable, shorten
from ricordo.flows.engine import Engine
from ricordo.flows.recall.query_vector import QueryVector
from ricordo.flows.recall.search_input import Candidate
from ricordo.flows.writing.chunk_rows import embedded_text
from ricordo.model import Profile
from ricordo.store.tables.chunks import HitRow

PART = "reading"
Pair = tuple[Candidate, HitRow]


class Looked(NamedTuple):
    """A hit after the second look, and the place in the list of the one that supersedes it."""

    candidate: Candidate
    row: HitRow
    newer: int | None = None


def check_rerank(given: object) -> bool | None:
    if given is None or isinstance(given, bool):
        return given
    raise InvalidInput(f"rerank is {shorten(given)}; give True or False, or leave it out")


def calls_for_reading(
    engine: Engine, query: str, meaning: QueryVector | None, rerank: bool | None
) -> bool:
    """Whether a model is to read the first hits: in spaces of the model that reads English only,
    unless the caller or the settings say otherwise."""
    wanted = engine.settings.rerank if rerank is None else rerank
    if not wanted or meaning is None or not is_english(query):
        return False
    if rerank and reader() is None:
        raise Unavailable("the model that reads hits is not installed; leave rerank=True out")
    is_its_own = meaning.model.fingerprint.startswith(ENGLISH_ONLY)
    return reader() is not None and (is_its_own or bool(rerank))


def look_again(pairs: list[Pair], query: str, profile: Profile, *, reads: bool) -> list[Looked]:
    """The hits in their last order, each with the scores, parts and confidence it has then.

    Repeats, which only fill up, stay behind as they are.
    """
    told = [pair for pair in pairs if not pair[0].is_repeat]
    hits = [_first_hit(place, *pair) for place, pair in enumerate(told)]
    weight = profile.weights.get(PART, WEIGHTS["hybrid"][PART])
    judged = None
    if reads and weight and hits:
        hits = _read(told, hits, query, weight)
        judged = _compare(told, hits, query)
    hits = put_newer_first(hits, query, judged)
    hits = put_telling_first(hits, query, confidence.FLOOR)
    order = {hit.place: place for place, hit in enumerate(hits)}
    looked = [
        Looked(
            told[hit.place][0]._replace(
                score=hit.score, parts=hit.parts, confidence=hit.confidence
            ),
            told[hit.place][1],
            None if hit.newer is None else order[hit.newer],
        )
        for hit in hits
    ]
    return looked + [Looked(*pair) for pair in pairs if pair[0].is_repeat]


def _first_hit(place: int, item: Candidate, row: HitRow) -> FirstHit:
    told = item.evidence
    vector, by = (told.vector, told.by) if told else (None, "words")
    cosine = told.figures.cosine if told else 0.0
    speaker = (row.author or row.role) if row.session else ""
    talk = row.session, row.seq_start or 0, speaker, cosine
    known = FirstHit(
        place, item.score, item.parts, row.text, row.at, item.confidence, vector, *talk
    )
    return known._replace(judged_by=by)


def _read(pairs: list[Pair], hits: list[FirstHit], query: str, weight: float) -> list[FirstHit]:
    """The hits with what the model makes of the first of them, and with its confidence."""
    model = reader()
    assert model is not None
    logits = model.read(query, [cite_for_reading(row) for _, row in pairs[:READ]])
    return add_reading(_judge(pairs, hits, logits), logits, weight)


def _compare(pairs: list[Pair], hits: list[FirstHit], query: str) -> Judged:
    """What the model makes of an earlier and a later one of the first hits."""
    model = reader()
    assert model is not None
    places = list_compared(hits, query)
    cited = {place: cite_for_reading(pairs[place][1]) for pair in places for place in pair}
    logits = model.compare(query, [(cited[new], cited[old]) for old, new in places])
    return dict(zip(places, logits, strict=True))


def cite_for_reading(row: HitRow) -> str:
    """A text as the model reads it: with its speaker or title in front."""
    return embedded_text(row.author or (row.role if row.session else ""), row.text)


def _judge(pairs: list[Pair], hits: list[FirstHit], logits: list[float]) -> list[FirstHit]:
    judged = []
    for hit, logit in zip(hits, logits, strict=False):
        evidence = pairs[hit.place][0].evidence
        assert evidence is not None
        judged.append(hit._replace(confidence=confidence.judge(evidence.figures, PART, logit)))
    least = min((hit.confidence or 0.0 for hit in judged), default=1.0)
    rest = hits[len(judged) :]
    return judged + [hit._replace(confidence=min(hit.confidence or 0.0, least)) for hit in rest]
