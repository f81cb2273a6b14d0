"""Quick recall: a look into a space that costs next to nothing, for hosts that wait for it.

Keyword recall in plain Python over few candidates, without numpy, views or vectors, and without
leaving signals. It is not `recall`: it knows words only, and gives little.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from ricordo.core.conversation.packing import clip
from ricordo.core.recall import bm25
from ricordo.core.text import quotation, tokens
from ricordo.core.text.stopwords import stopwords
from ricordo.flows.recall.source_texts import read_sources
from ricordo.model import Entry
from ricordo.store.codec import moment
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import HitRow

MOST_WORDS = 200  # of a question that are looked up
MOST_STEMS = 8  # of a question, the rarest
EACH = 40  # candidates of each stem, the newest
LONGEST = 500  # characters shown of a text
LEAST_COVERED = 0.34  # of the weight of the question's words
_ARCHIVE = 0.5  # what an archive counts: it holds a bit of everything
_ENTRY = 1.2  # somebody meant an entry to be remembered


class Section(NamedTuple):
    """Quoted texts, and the line of ours that stands above them; "" for none."""

    heading: str
    quoted: list[str]


class VisibleTail(NamedTuple):
    """A session whose newest events the reader has before its eyes: those after `after`."""

    session: str
    after: int


class FoundText(NamedTuple):
    """What a server recalled: a text of an entry, of a session or of a document."""

    text: str
    name: tuple[str, int] | None  # of an entry, with its id
    session: str | None
    seq: int | None
    uri: str
    origin: str
    at: datetime
    author: str
    role: str


def recall(
    tx: Tx, space: int, query: str, limit: int, seen: VisibleTail | None, now: int
) -> list[HitRow]:
    """The chunks that share the most telling words with a question, the best first."""
    asked = _pick_rare_words(tx, space, query)
    if not any(asked.values()):
        return []
    expired = set(tx.chunks.list_expired(space, now))
    known = [(number,) for number, held in asked.items() if held]
    held = tx.search.find_phrases(space, known, None, EACH, tags=True)
    found = {chunk for chunks in held for chunk in chunks} - expired
    scored = _score_chunks(tx, space, asked, sorted(found))
    rows = tx.chunks.hydrate(space, [chunk for chunk, _ in scored[: 4 * limit]])
    known_rows = [row for chunk, _ in scored if (row := rows.get(chunk))]
    shown = [row for row in known_rows if not is_seen(row.session, row.seq_start, seen)]
    order = dict(scored)
    shown.sort(key=lambda row: -order[row.chunk] * _weight(row))
    return shown[:limit]


def name_space(name: str) -> str:
    """The line above what comes from another space than the project's."""
    return f'From the space "{quotation.label(name)}":'


def quote_found(found: FoundText) -> str:
    """A text that a server recalled, as quoted data."""
    if found.name is not None:
        cite = quotation.cite_entry(*found.name)
    elif found.session is not None and found.seq is not None:
        cite = quotation.citation(found.session, found.seq)
    else:
        cite = quotation.cite_uri(found.uri)
    shown = clip(found.text, LONGEST)
    return quotation.quote_text(shown, cite, found.origin, found.at, found.author, found.role)


def quote_hit(tx: Tx, space: int, row: HitRow) -> str:
    """A hit as quoted data, with how to cite it."""
    is_cited_by_uri = row.kind in ("file", "record")
    held = [] if row.entry is None or is_cited_by_uri else [row.entry]
    entries = {entry.id: entry for entry in tx.entries.several(space, "", held)}
    shown = read_sources(tx, ("", space), [row], entries)[0]
    if is_cited_by_uri:
        cite = quotation.cite_uri(shown.source.uri or "")
    elif row.entry is not None:
        names = tx.entries.names(space, row.entry)
        cite = quotation.cite_entry(names[0] if names else "", row.entry)
    else:
        cite = quotation.citation(row.session or "", row.seq_start or 0)
    author = row.author if row.session is not None else ""
    return quotation.quote_text(
        clip(shown.text, LONGEST), cite, row.origin, moment(row.at), author, row.role
    )


def quoted_entry(entry: Entry) -> str:
    """An entry as quoted data."""
    return quotation.quote_text(
        clip(entry.content, LONGEST),
        quotation.cite_entry(entry.name, entry.id),
        entry.origin,
        entry.updated_at,
    )


def _pick_rare_words(tx: Tx, space: int, query: str) -> dict[int, int]:
    """The rarest words of a question, each with the number of chunks that hold it.

    Words that nobody has said also count while there is room: they show that the question is about
    something else.
    """
    said = tokens.words(query)
    little = stopwords(said)
    content = [tokens.stem(word) for word in said if word not in little] or tokens.stem_each(said)
    distinct = dict.fromkeys(content[:MOST_WORDS])
    held = tx.search.frequencies(space, map(tokens.number, distinct))
    rarest = sorted(held, key=lambda number: (held[number] == 0, held[number]))[:MOST_STEMS]
    return {number: held[number] for number in rarest}


def _score_chunks(
    tx: Tx, space: int, asked: dict[int, int], chunks: Sequence[int]
) -> list[tuple[int, float]]:
    state = tx.spaces.state(space)
    documents = max(state.documents, 1)
    stats = bm25.Statistics(documents, max(state.tokens, 1) / documents, asked)
    weight = {number: bm25.idf(stats, number, form="entries") for number in asked}
    least = LEAST_COVERED * sum(weight.values())
    scored = []
    for chunk, terms, extra in tx.chunks.terms(space, chunks):
        held = [*_numbers(terms), *_numbers(extra)]
        if sum(weight[number] for number in weight.keys() & set(held)) >= least:
            scored.append((chunk, bm25.score(stats, list(asked), held, form="entries")))
    return sorted(scored, key=lambda item: (-item[1], -item[0]))


def _numbers(packed: bytes) -> list[int]:
    return [int.from_bytes(packed[at : at + 4], "little") for at in range(0, len(packed), 4)]


def is_seen(session: str | None, seq: int | None, seen: VisibleTail | None) -> bool:
    """Whether the reader has a message before its eyes."""
    if seen is None or session != seen.session:
        return False
    return seq is not None and seq > seen.after


def _weight(row: HitRow) -> float:
    if row.entry is None:
        return 1.0
    return _ARCHIVE if row.kind == "archive" else _ENTRY
