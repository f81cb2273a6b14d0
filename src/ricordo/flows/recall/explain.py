"""Explain: why an entry, a message or a document was recalled for a query, or why it was not."""

from typing import NamedTuple

from ricordo.core.recall import question
from ricordo.core.recall.ranking import Ranked
from ricordo.core.text.quotation import read_citation
from ricordo.errors import InvalidInput, NotFound, shorten
from ricordo.flows.engine import Engine
from ricordo.flows.recall import default_profile
from ricordo.flows.recall.look_back import embed_past
from ricordo.flows.recall.past import PastChunks, open_view
from ricordo.flows.recall.query_vector import embed_query
from ricordo.flows.recall.recall import choose_hits
from ricordo.flows.recall.request import Ask, RecallPlan, check_request
from ricordo.flows.recall.search_input import Candidate, SearchInput
from ricordo.flows.recall.second_look import calls_for_reading, look_again
from ricordo.flows.recall.sight import sight
from ricordo.flows.writing.document_rows import to_file_uri
from ricordo.flows.writing.entry_names import resolve
from ricordo.model import Explanation, Reached
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import HitRow

Target = str | int | tuple[str, int]  # an entry or document by its names, or (session, seq)

HELD = {
    "found": "it is among the hits",
    "ranked": "it ranks behind the hits, or repeats one of them; compare the parts with the last",
    "filtered": "a filter or the time of this recall excludes it, or it has expired",
    "unmatched": "it shares no word with the query; try mode 'hybrid'",
    "waiting": "it has no vector yet and ranks behind the hits; a flush makes it",
    "textless": "it has no text that could be found, or it is muted",
}


def explain(engine: Engine, space: str, ask: Ask, target: Target) -> Explanation:
    """Where a target stands in the default ranking of a query, beside the last hit."""
    plan = check_request(engine, ask)
    meaning = embed_query(engine, space, plan.query, plan.mode)
    reads = plan.looks_again and calls_for_reading(engine, plan.query, meaning, plan.rerank)
    vectors, file = embed_past(engine, plan, meaning), to_file_uri(target)

    def work(tx: Tx) -> TargetPlace:
        number = tx.spaces.number(space)
        if number is not None:
            look = sight(engine, tx, number, plan, meaning, vectors)
            chunks = _chunks(tx, (space, number), target, file, look.past)
            if chunks is not None:
                return _find_place(engine, tx, look, plan, chunks)
        raise NotFound(f"there is no {_name_target(target)} in space {space!r}")

    return _explain(engine.views.read(engine.store, work), plan, reads=reads)


def _chunks(
    tx: Tx, place: tuple[str, int], target: Target, file: str | None, past: PastChunks | None
) -> set[int] | None:
    """The chunks of the target, `file` if it is a path; None when it does not exist."""
    space = place[1]
    if isinstance(target, tuple):
        if [type(each) for each in target] != [str, int]:
            raise InvalidInput(f"{shorten(target)} is not a message; give (session, seq)")
        return _chunks_of_message(tx, place, *target)
    entry = resolve(tx, space, target)
    for uri in (target, file):
        if entry is None and isinstance(uri, str):
            entry = tx.documents.number(space, uri)
    if entry is not None:
        said = set() if past is None else past.of_entry(entry)
        return said or tx.chunks.of_entry(space, entry)
    cited = read_citation(target) if isinstance(target, str) else []
    found = (_chunks_of_message(tx, place, *each) for each in cited)
    return next((chunks for chunks in found if chunks is not None), None)


def _chunks_of_message(tx: Tx, place: tuple[str, int], session: str, seq: int) -> set[int] | None:
    name, space = place
    is_number = 0 <= seq < 2**63  # beyond there is no message, and no column
    event = tx.events.one(space, (name, session), seq) if is_number else None
    return None if event is None else tx.chunks.of_event(space, session, seq)


def _name_target(target: Target) -> str:
    """A target as one would type it."""
    if isinstance(target, tuple):
        return f"message {target[0]}#{target[1]}"
    is_cited = isinstance(target, str) and read_citation(target)
    return f"{'message, ' if is_cited else ''}entry or document {target!r}"


class TargetPlace(NamedTuple):
    """What one read transaction gave: where a target stands, and what the recall found."""

    chunks: set[int]
    allowed: list[int] | None
    waits: bool
    order: list[int]  # the chunks of the whole space, by features
    target: Ranked | None  # the first of them that is one of the target
    pairs: list[tuple[Candidate, HitRow]]


def _find_place(
    engine: Engine, tx: Tx, look: SearchInput, plan: RecallPlan, chunks: set[int]
) -> TargetPlace:
    model = None if look.meaning is None else look.meaning.model.model
    with open_view(engine, tx, look, model) as view:
        asked = question.read(plan.query, view)
        view.prepare(asked.words)
        whole = look._replace(limit=max(1, view.units))
        order, first = default_profile.locate(view, whole, asked, chunks)
        waits = model is not None and not view.has_vectors(chunks)
    return TargetPlace(chunks, look.allowed, waits, order, first, _hits(engine, tx, look, plan))


def _explain(found: TargetPlace, plan: RecallPlan, *, reads: bool) -> Explanation:
    looked = [item for item, _ in found.pairs]
    if plan.looks_again:
        again = look_again(found.pairs, plan.query, plan.profile, reads=reads)
        looked = [each.candidate for each in again]
    place, seen = _place(found, looked)
    given = looked[: plan.limit]
    last = given[-1] if given else None
    is_hit = any(item.chunk in found.chunks for item in given)
    verdict = _verdict(found.allowed, found.chunks, place, is_hit=is_hit, waits=found.waits)
    return Explanation(
        verdict=verdict,
        reason=HELD[verdict],
        rank=None if place is None else place + 1,
        score=None if seen is None else seen.score,
        parts={} if seen is None else seen.parts,
        last_score=None if last is None else last.score,
        last_parts={} if last is None else last.parts,
    )


def _place(
    found: TargetPlace, looked: list[Candidate]
) -> tuple[int | None, Candidate | Ranked | None]:
    """Where the target stands: among the hits looked at, else in the order behind them."""
    for place, item in enumerate(looked):
        if item.chunk in found.chunks:
            return place, item
    if found.target is None:
        return None, None
    shown = {item.chunk for item in looked}
    before = found.order[: found.order.index(found.target.chunk)]
    return len(looked) + sum(chunk not in shown for chunk in before), found.target


def _hits(
    engine: Engine, tx: Tx, look: SearchInput, plan: RecallPlan
) -> list[tuple[Candidate, HitRow]]:
    """What the recall finds, before the second look."""
    return (
        choose_hits(engine, tx, look, plan.way.find(engine, tx, look), plan) if plan.limit else []
    )


def _verdict(
    allowed: list[int] | None, chunks: set[int], place: int | None, *, is_hit: bool, waits: bool
) -> Reached:
    if not chunks:
        return "textless"
    if allowed is not None and chunks.isdisjoint(allowed):
        return "filtered"
    if is_hit:
        return "found"
    if place is None:
        return "waiting" if waits else "unmatched"
    return "waiting" if waits else "ranked"
