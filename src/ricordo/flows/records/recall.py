"""Recall of records: by the nearest or the best of their texts, one hit for each record."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from ricordo.core.recall import question, ranking
from ricordo.core.recall.given_vector import read_vector
from ricordo.core.recall.growable import Array, Bools, among
from ricordo.core.recall.ranking import Ranked
from ricordo.core.recall.space_index import View
from ricordo.core.recall.where import Where, parse_where
from ricordo.core.text import content
from ricordo.core.text.record_paths import Path, encode_path
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine, one_of, whole
from ricordo.flows.recall.default_profile import order
from ricordo.flows.recall.profiles import check_profile
from ricordo.flows.recall.query_vector import QueryVector, embed_query
from ricordo.flows.recall.search_input import SearchInput
from ricordo.flows.writing.conditions import find_entries
from ricordo.flows.writing.record_rows import RECORD, find_text, make_record
from ricordo.model import MODES, Json, Mode, RecordHit
from ricordo.store.database import Tx

_ALL_SECONDS = 3_600.0  # what was put before has to be found: a recall of records waits for it


class RecordAsk(NamedTuple):
    """A recall of records with everything in it checked."""

    prefix: Path
    query: str
    vector: Array | None
    where: Where | None
    limit: int
    offset: int
    mode: Mode


def read_ask(
    engine: Engine,
    prefix: Path,
    query: str | None,
    vector: Iterable[float] | None,
    where: Mapping[str, Json] | None,
    page: tuple[int, int],
    mode: str | None,
) -> RecordAsk:
    """The request of a recall, or InvalidInput."""
    if (query is None) == (vector is None):
        raise InvalidInput("a recall of records needs a query or a vector; give one of them")
    most = engine.settings.max_limit
    said = content.clean(query or "", "query", limit=engine.settings.max_text)
    default: Mode = "vector" if engine.embedders else "keyword"
    chosen = default if mode is None else one_of(mode, "mode", MODES)
    given = None if vector is None else read_vector(vector)
    if given is not None and chosen != "vector":
        raise InvalidInput(f"mode {chosen!r} needs words; give a query, or use mode 'vector'")
    limit, offset = whole(page[0], "limit", 0, most), whole(page[1], "offset", 0, most)
    cut = said[: engine.settings.max_query]
    return RecordAsk(prefix, cut, given, parse_where(where), limit, offset, chosen)


def recall_records(engine: Engine, space: str, ask: RecordAsk) -> list[RecordHit]:
    """The records whose texts are nearest or fit best, each with that text."""
    with engine.steps.begin("recall", space=space, mode=ask.mode) as step:
        hits = _recall_records(engine, space, ask)
        step.note(records=len(hits))
    return hits


def _recall_records(engine: Engine, space: str, ask: RecordAsk) -> list[RecordHit]:
    if ask.limit == 0 or (ask.vector is None and not ask.query.strip()):
        return []
    if ask.mode != "keyword":
        engine.embedding.catch_up(space, _ALL_SECONDS)
    meaning = embed_query(engine, space, ask.query, ask.mode, ask.vector)
    now = engine.now()

    def work(tx: Tx) -> list[RecordHit]:
        number = tx.spaces.number(space) if meaning is None else meaning.space
        if number is None:
            return []
        ids = _choose_numbers(tx, number, ask, now)
        model = None if meaning is None else meaning.model.model
        with engine.views.fresh(tx, number, model) as view:
            mask = view.select([RECORD])
            if ids is not None:
                mask &= among(view.derive(_list_owners), np.fromiter(ids, np.int64))
            ranked = _rank(view, number, ask, meaning, mask)
        return _make_hits(tx, (space, number), ranked[ask.offset :], now)

    return engine.views.read(engine.store, work)


def _choose_numbers(tx: Tx, space: int, ask: RecordAsk, now: int) -> list[int] | None:
    """The numbers of the records to look among; None for all of them."""
    prefix = encode_path(ask.prefix)
    if ask.where is None:
        has_expired = prefix == "" and tx.records.list_expired(space, now, 1)
        return (
            None if prefix == "" and not has_expired else [*tx.records.numbers(space, prefix, now)]
        )
    chosen = find_entries(tx, space, ask.where)
    if not chosen.is_complement:
        return [place.id for place in tx.records.places(space, prefix, now, chosen.items)]
    return [id for id in tx.records.numbers(space, prefix, now) if id not in chosen.items]


def _rank(
    view: View, space: int, ask: RecordAsk, meaning: QueryVector | None, mask: Bools
) -> list[Ranked]:
    """The best records; all texts of a record are one unit of the view."""
    most = ask.offset + ask.limit
    if ask.mode == "vector":
        if meaning is None:
            return []
        return ranking.by_cosine(view, meaning.vector, mask=mask, limit=most)
    allowed = view.chunks[mask].tolist()
    profile = check_profile("default")
    seen = SearchInput(space, ask.query, most, ask.mode, meaning, allowed, profile)
    asked = question.read(ask.query, view)
    view.prepare(asked.words)
    return order(view, seen, asked)


def _list_owners(view: View) -> Array:
    """The number of the record, entry or document of each row; 0 for a message."""
    owners = np.array([entry or 0 for _, entry in view.keys], np.int64)
    return np.asarray(owners[view.column("group")[view.unit_of]])


def _make_hits(tx: Tx, space: tuple[str, int], ranked: list[Ranked], now: int) -> list[RecordHit]:
    name, number = space
    rows = tx.records.of(number, [item.entry for item in ranked if item.entry is not None], now)
    chunks = tx.chunks.hydrate(number, [item.chunk for item in ranked])
    hits = []
    for item in ranked:
        row, chunk = rows.get(item.entry or 0), chunks.get(item.chunk)
        if row is not None and chunk is not None:
            text = find_text(row, chunk.part)
            hits.append(RecordHit(make_record(name, row), item.score, text))
    return hits
