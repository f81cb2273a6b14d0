"""Recall: from a query to hits that explain themselves.

query → terms, names stripped → embedding (no transaction open)
      → [filters · candidates · features · hydrate: ONE read transaction]
      → a second look at the first hits → signals → hits
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from ricordo.core.conversation import importance
from ricordo.core.recall.dedupe import LOOKED_AT, DocumentSpan, Varied, set_repeats_apart
from ricordo.core.recall.first_hits import READ
from ricordo.core.recall.given_vector import read_vector
from ricordo.core.recall.growable import Array
from ricordo.core.recall.where import Where, parse_where
from ricordo.core.text import content, tags, tokens
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine, check_name, one_of, whole
from ricordo.flows.recall.leave_signals import entry_of, record, score_entries
from ricordo.flows.recall.pending import count_pending, report_pending
from ricordo.flows.recall.profiles import PROFILES, ProfileSpec, check_profile
from ricordo.flows.recall.query_vector import QueryVector, embed_query
from ricordo.flows.recall.search_input import Candidate, SearchInput, check_time, check_variety
from ricordo.flows.recall.second_look import (
    Looked,
    calls_for_reading,
    check_rerank,
    look_again,
)
from ricordo.flows.recall.shown import Shown, find_shown
from ricordo.flows.recall.source_texts import ShownText, read_sources
from ricordo.flows.writing.conditions import filter_chunks
from ricordo.flows.writing.exclusion import (
    Excluded,
    check_exclude,
    check_prefix,
    find_documents,
    find_excluded,
)
from ricordo.model import (
    ASKERS,
    MODES,
    ORIGINS,
    RECALL_KINDS,
    Asker,
    Entry,
    Hit,
    Hits,
    Json,
    Profile,
)
from ricordo.store.codec import moment
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import HitRow
from ricordo.store.tables.search import Filters

_SPARE = 2  # hits read beyond the limit at first: few lists hold more repeats


@dataclass(frozen=True, slots=True)
class Ask:
    """A recall as the caller put it."""

    query: str
    limit: int = 5
    mode: str = "hybrid"
    kinds: Iterable[str] | None = None
    category: str | None = None
    tags: Iterable[str] | None = None
    session: str | None = None
    since: datetime | str | None = None
    until: datetime | str | None = None
    origins: Iterable[str] | None = None
    profile: str | Profile = "default"
    asker: str | None = "agent"
    abstain: float | None = None
    vector: Iterable[float] | None = None
    exclude: Iterable[str | int] | None = None
    uri: str | None = None
    prefix: str | None = None
    offset: int = 0
    where: Mapping[str, Json] | None = None
    rerank: bool | None = None
    shown: Shown | None = None
    variety: bool | None = None


class Scope(NamedTuple):
    """Filters by name and by metadata, which are looked up where the space is read."""

    exclude: Excluded | None = None
    uri: str | None = None
    prefix: str | None = None
    shown: Shown | None = None
    where: Where | None = None


class FoundHits(NamedTuple):
    """What one read transaction gave: candidates with their rows, and the hits they make."""

    space: int
    pairs: list[tuple[Candidate, HitRow]]
    hits: list[Hit]
    pending: int = 0  # texts that have no vector yet


class RecallPlan(NamedTuple):
    """A recall with everything in it checked."""

    way: ProfileSpec
    profile: Profile
    mode: str
    query: str
    limit: int
    filters: Filters
    asker: Asker | None
    abstain: float | None
    vector: Array | None
    scope: Scope = Scope()
    offset: int = 0  # of the `limit` hits, how many to leave out
    is_varied: bool = False  # near-duplicates go behind the others
    rerank: bool | None = None

    @property
    def looks_again(self) -> bool:
        """Whether the first hits are looked at again; the nearest are given as they are."""
        return self.way.is_sure and self.mode != "vector"

    @property
    def depth(self) -> int:
        """How many hits are gathered before the last look at their order."""
        return max(self.limit, READ) if self.looks_again and self.limit else self.limit

    @property
    def is_blank(self) -> bool:
        return self.limit == 0 or not self.query.strip()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for: a vector needs no words."""
        return self.limit == 0 or (self.is_blank and self.vector is None)


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
    reads = plan.looks_again and calls_for_reading(engine, plan.query, meaning, plan.rerank)

    def work(tx: Tx) -> FoundHits:
        # A space keeps its number, so who embedded the query need not ask for it again.
        number = tx.spaces.number(space) if meaning is None else meaning.space
        if number is None:
            return FoundHits(0, [], [])
        pending = count_pending(engine, tx, number, plan.mode, meaning)
        seen = sight(engine, tx, number, plan, meaning)
        pairs = choose_hits(engine, tx, seen, plan.way.find(engine, tx, seen), plan)
        return FoundHits(number, pairs, _hydrate(tx, number, space, pairs), pending)

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


def check_request(engine: Engine, ask: Ask) -> RecallPlan:
    """The recall as it can be carried out, or InvalidInput."""
    profile = check_profile(ask.profile)
    way = PROFILES[profile.name]
    mode = one_of(ask.mode, "mode", MODES)
    query = content.clean(ask.query, "query", limit=engine.settings.max_text)
    most = engine.settings.max_limit
    limit, offset = whole(ask.limit, "limit", 0, most), whole(ask.offset, "offset", 0, most)
    plan = RecallPlan(
        way=way,
        profile=profile,
        mode=mode if way.uses_vector else "keyword",
        query=query[: engine.settings.max_query],
        limit=limit + offset if limit else 0,
        filters=_filters(ask, engine.clock()),
        asker=None if ask.asker is None else one_of(ask.asker, "asker", ASKERS),
        abstain=None if ask.abstain is None else importance.check_share(ask.abstain, "abstain"),
        vector=None if ask.vector is None else read_vector(ask.vector),
        scope=_scope(ask),
        offset=offset,
        is_varied=check_variety(ask.variety, mode, can_vary=way.is_varied),
        rerank=check_rerank(ask.rerank),
    )
    if plan.vector is not None and plan.mode == "keyword":
        raise InvalidInput(
            f"profile {profile.name!r} in mode {mode!r} compares no vectors; leave vector out, or "
            "use mode 'hybrid' or 'vector' with profile 'default', 'minmax' or 'rrf'"
        )
    if plan.abstain is not None and not way.is_sure:
        raise InvalidInput(
            f"profile {profile.name!r} gives no confidence to abstain by; leave abstain="
            f"{plan.abstain} out, or use profile 'default'"
        )
    if way.refuses_blank and plan.is_blank:
        raise InvalidInput(f"profile {profile.name!r} needs a query and a limit of 1 or more")
    return plan


def sight(
    engine: Engine, tx: Tx, space: int, plan: RecallPlan, meaning: QueryVector | None
) -> SearchInput:
    """What a way is given to look at. Near-duplicates need others to take their places."""
    filters = _narrow(tx, space, plan.filters, plan.scope)
    allowed = _filter_chunks(tx, space, filters, engine.now())
    if plan.scope.where is not None:
        allowed = filter_chunks(tx, space, plan.scope.where, allowed)
    limit = 2 * plan.depth if plan.is_varied else plan.depth
    shown = find_shown(tx, space, plan.scope.shown)
    return SearchInput(space, plan.query, limit, plan.mode, meaning, allowed, plan.profile, shown)


def _is_sure(found: list[Looked], abstain: float) -> bool:
    """Whether any hit is confident enough."""
    return any((each.candidate.confidence or 0.0) >= abstain for each in found)


def _filters(ask: Ask, now: datetime) -> Filters:
    return Filters(
        kinds=_words(ask.kinds, "kinds", RECALL_KINDS),
        category=None if ask.category is None else check_name(ask.category, "category"),
        tags=None if ask.tags is None else tags.normalise(ask.tags),
        session=None if ask.session is None else check_name(ask.session, "session"),
        since=check_time(ask.since, now),
        until=check_time(ask.until, now),
        origins=_words(ask.origins, "origins", ORIGINS),
    )


def _scope(ask: Ask) -> Scope:
    exclude = check_exclude(ask.exclude)
    uri, prefix = check_prefix(ask.uri, "uri"), check_prefix(ask.prefix, "prefix")
    return Scope(exclude, uri, prefix, ask.shown, parse_where(ask.where))


def _narrow(tx: Tx, space: int, filters: Filters, scope: Scope) -> Filters:
    """The filters with the numbers of what is named; names that lead nowhere exclude nothing."""
    among = []
    if scope.uri is not None:
        among.append(find_documents(tx, space, scope.uri))
    if scope.prefix is not None:
        among.append(tx.entries.find_by_prefix(space, scope.prefix))
    if among:
        filters = filters._replace(entries=tuple(set.intersection(*among)))
    if scope.exclude:
        sessions, entries = find_excluded(tx, space, scope.exclude)
        filters = filters._replace(without=entries, without_sessions=sessions)
    return filters


def _words(
    given: Iterable[str] | None, what: str, accepted: tuple[str, ...]
) -> tuple[str, ...] | None:
    if given is None:
        return None
    if not isinstance(given, Iterable):
        raise InvalidInput(f"{what} is {given!r}, not a list; use some of {', '.join(accepted)}")
    listed = (given,) if isinstance(given, str) else tuple(given)
    return tuple(one_of(word, what, accepted) for word in listed)


def _filter_chunks(tx: Tx, space: int, filters: Filters, now: int) -> list[int] | None:
    """Chunks that pass the filters and have not expired; None means all of them."""
    allowed = tx.search.filter_chunks(space, filters)
    expired = set(tx.chunks.list_expired(space, now))
    if not expired:
        return allowed
    every = tx.chunks.ids(space) if allowed is None else allowed
    return [chunk for chunk in every if chunk not in expired]


def choose_hits(
    engine: Engine, tx: Tx, seen: SearchInput, found: list[Candidate], plan: RecallPlan
) -> list[tuple[Candidate, HitRow]]:
    """The hits to give: the best ones, without repeats where the way minds them."""
    if not plan.is_varied:
        return _pairs(tx, seen.space, found)[: plan.depth]
    wanted = plan.depth
    pairs = _pairs(tx, seen.space, found[: wanted + _SPARE])
    best = _set_repeats_apart(pairs, plan)
    if len(best.first) < wanted < len(found):
        pairs = _pairs(tx, seen.space, found)
        best = _set_repeats_apart(pairs, plan)
    furthest = wanted + LOOKED_AT
    if len(best.first) < wanted and seen.limit <= min(len(found), furthest):
        # Repeats crowd the list, and there is more: look further down.
        pairs = _pairs(tx, seen.space, plan.way.find(engine, tx, seen._replace(limit=furthest)))
        best = _set_repeats_apart(pairs, plan)
    later = [(pairs[place][0]._replace(is_repeat=True), pairs[place][1]) for place in best.later]
    return [*(pairs[place] for place in best.first), *later][:wanted]


def _pairs(tx: Tx, space: int, found: list[Candidate]) -> list[tuple[Candidate, HitRow]]:
    """What was found with its texts; one hit per message, entry or passage of a document."""
    rows = tx.chunks.hydrate(space, [item.chunk for item in found])
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


def _hydrate(tx: Tx, space: int, name: str, pairs: list[tuple[Candidate, HitRow]]) -> list[Hit]:
    """Hits with their sources and entries."""
    numbers = {number for _, row in pairs if (number := entry_of(row)) is not None}
    entries = {entry.id: entry for entry in tx.entries.several(space, name, sorted(numbers))}
    shown = read_sources(tx, (name, space), [row for _, row in pairs], entries)
    return [
        _hit(None if (number := entry_of(row)) is None else entries.get(number), item, row, text)
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
