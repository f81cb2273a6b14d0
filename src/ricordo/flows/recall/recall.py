"""Recall: from a query to hits that explain themselves.

query → terms, names stripped → embedding (no transaction open)
      → [filters · candidates · features · hydrate: ONE read transaction]
      → a second look at the first hits → signals → hits
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ricordo.core.recall.dedupe import LOOKED_AT, DocumentSpan, Varied, set_repeats_apart
from ricordo.core.text import tokens
from ricordo.flows.engine import Engine
from ricordo.flows.recall.leave_signals import entry_of, record, score_entries
from ricordo.flows.recall.look_back import embed_past
from ricordo.flows.recall.pending import count_pending, report_pending
from ricordo.flows.recall.query_vector import embed_query
from ricordo.flows.recall.request import Ask, RecallPlan, check_request
from ricordo.flows.recall.search_input import Candidate, SearchInput
from ricordo.flows.recall.second_look import Looked, calls_for_reading, look_again
from ricordo.flows.recall.shown import Shown
from ricordo.flows.recall.sight import sight
from ricordo.flows.recall.source_texts import ShownText, read_sources
from ricordo.model import Entry, Hit, Hits, Json
from ricordo.store.codec import moment
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import HitRow

_SPARE = 2  # hits read beyond the limit at first: few lists hold more repeats


class FoundHits(NamedTuple):
    """What one read transaction gave: candidates with their rows, and the hits they make."""

    space: int
    pairs: list[tuple[Candidate, HitRow]]
    hits: list[Hit]
    pending: int = 0  # texts that have no vector yet


def recall(engine: Engine, space: str, ask: Ask) -> Hits:
    """The best hits of a space, each with its source, score and parts."""
    with engine.steps.begin("recall", space=space, session=ask.session) as step:
        plan = check_request(engine, ask)
        step.note(mode=plan.mode, profile=plan.profile.name)
        hits = _recall(engine, space, plan)
        step.note(records=len(hits))
        step.show(lambda: _show(plan.query, hits))
    return hits


def _show(query: str, hits: Hits) -> dict[str, Json]:
    shown: list[Json] = [
        {"id": str(hit.source.place), "content": hit.text, "score": hit.score} for hit in hits
    ]
    return {"query": query, "records": shown}


def _recall(engine: Engine, space: str, plan: RecallPlan) -> Hits:
    if plan.is_empty:
        return Hits()
    meaning = embed_query(engine, space, plan.query, plan.mode, plan.vector)
    vectors = embed_past(engine, plan, meaning)
    reads = plan.looks_again and calls_for_reading(engine, plan.query, meaning, plan.rerank)

    def work(tx: Tx) -> FoundHits:
        # A space keeps its number, so who embedded the query need not ask for it again.
        number = tx.spaces.number(space) if meaning is None else meaning.space
        if number is None:
            return FoundHits(0, [], [])
        pending = count_pending(engine, tx, number, plan.mode, meaning)
        seen = sight(engine, tx, number, plan, meaning, vectors)
        pairs = choose_hits(engine, tx, seen, plan.way.find(engine, tx, seen), plan)
        hits = _hydrate(tx, (space, number), pairs, plan.as_of)
        return FoundHits(number, pairs, hits, pending)

    found = engine.views.read(engine.store, work)
    hits, signals = _finish(found, plan, reads=reads)
    asker = plan.asker if plan.query.strip() else None  # a vector tells nobody what was asked
    if asker is not None and signals and not engine.store.read_only:
        asked = plan.scope.shown or Shown()
        record(engine, found.space, plan.query, signals, asker, asked)
    report_pending(space, hits)
    return hits


def _finish(
    found: FoundHits, plan: RecallPlan, *, reads: bool
) -> tuple[Hits, list[tuple[int, float]]]:
    """The hits in their last order, and the entries that get a signal."""
    looked = [Looked(item, row) for item, row in found.pairs]
    if plan.looks_again:
        looked = look_again(found.pairs, plan.query, plan.profile, reads=reads)
    if plan.abstain is not None and not _is_sure(looked, plan.abstain):
        return Hits(pending=found.pending), []
    hits = {row.chunk: hit for (_, row), hit in zip(found.pairs, found.hits, strict=True)}
    shown = looked[plan.offset : plan.limit]
    marked = [_mark(hits[each.row.chunk], each, looked, hits) for each in shown]
    signals = score_entries(
        [(each.candidate, each.row) for each in shown],
        is_guess=plan.way.is_sure and plan.mode != "keyword",
    )
    return Hits(marked, found.pending), signals


def _mark(hit: Hit, each: Looked, looked: list[Looked], hits: Mapping[int, Hit]) -> Hit:
    """The hit with what the second look made of it."""
    item = each.candidate
    newer = None if each.newer is None else hits[looked[each.newer].row.chunk].source
    return replace(
        hit, score=item.score, parts=item.parts, confidence=item.confidence, superseded_by=newer
    )


def _is_sure(found: list[Looked], abstain: float) -> bool:
    """Whether any hit is confident enough."""
    return any((each.candidate.confidence or 0.0) >= abstain for each in found)


def choose_hits(
    engine: Engine, tx: Tx, seen: SearchInput, found: list[Candidate], plan: RecallPlan
) -> list[tuple[Candidate, HitRow]]:
    """The hits to give: the best ones, without repeats where the way minds them."""
    if not plan.is_varied:
        return _pairs(tx, seen, found)[: plan.depth]
    wanted = plan.depth
    pairs = _pairs(tx, seen, found[: wanted + _SPARE])
    best = _set_repeats_apart(pairs, plan)
    if len(best.first) < wanted < len(found):
        pairs = _pairs(tx, seen, found)
        best = _set_repeats_apart(pairs, plan)
    furthest = wanted + LOOKED_AT
    if len(best.first) < wanted and seen.limit <= min(len(found), furthest):
        # Repeats crowd the list, and there is more: look further down.
        pairs = _pairs(tx, seen, plan.way.find(engine, tx, seen._replace(limit=furthest)))
        best = _set_repeats_apart(pairs, plan)
    later = [(pairs[place][0]._replace(is_repeat=True), pairs[place][1]) for place in best.later]
    return [*(pairs[place] for place in best.first), *later][:wanted]


def _pairs(tx: Tx, seen: SearchInput, found: list[Candidate]) -> list[tuple[Candidate, HitRow]]:
    """What was found with its texts; one hit per message, entry or passage of a document."""
    rows = tx.chunks.hydrate(seen.space, [item.chunk for item in found])
    if seen.past is not None:
        rows |= seen.past.hit_rows()
    units: dict[tuple[object, ...], tuple[Candidate, HitRow]] = {}
    for item in found:
        if (row := rows.get(item.chunk)) is not None:
            is_old = row.kind == "file" and row.seq_start is None  # it has no passages yet
            part = row.chunk if is_old else None
            units.setdefault((row.session, row.seq_start, row.entry, part), (item, row))
    return list(units.values())


def _set_repeats_apart(pairs: list[tuple[Candidate, HitRow]], plan: RecallPlan) -> Varied:
    texts = (frozenset(tokens.words(row.text)) for _, row in pairs)
    archived = {place for place, (_, row) in enumerate(pairs) if row.kind == "archive"}
    spans = {
        place: DocumentSpan(row.entry or 0, row.author, row.seq_start, row.seq_end or 0)
        for place, (_, row) in enumerate(pairs)
        if row.kind == "file" and row.seq_start is not None
    }
    most = max(1, plan.limit // 3)
    return set_repeats_apart(texts, archived, spans, wanted=plan.depth, most=most)


def _hydrate(
    tx: Tx, space: tuple[str, int], pairs: list[tuple[Candidate, HitRow]], as_of: int | None
) -> list[Hit]:
    """Hits with their sources and entries, the latter as they stood at the time of the recall."""
    name, number = space
    asked = sorted({entry for _, row in pairs if (entry := entry_of(row)) is not None})
    if as_of is None:
        found = tx.entries.several(number, name, asked)
    else:
        found = tx.entries.several_then(number, name, asked, as_of)
    entries = {entry.id: entry for entry in found}
    shown = read_sources(tx, space, [row for _, row in pairs], entries)
    return [
        _hit(None if (entry := entry_of(row)) is None else entries.get(entry), item, row, text)
        for (item, row), text in zip(pairs, shown, strict=True)
    ]


def _hit(entry: Entry | None, item: Candidate, row: HitRow, shown: ShownText) -> Hit:
    return Hit(
        text=shown.text,
        score=item.score,
        source=shown.source,
        at=moment(row.at),
        parts=item.parts,
        entry=entry,
        role=row.role or None,
        author=row.author.partition("\n")[0] or None if entry is None else None,
        origin=row.origin,
        confidence=item.confidence,
    )
