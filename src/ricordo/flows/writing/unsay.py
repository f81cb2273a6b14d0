"""Unsay: events leave their log or change, and with them what recall would find of them.

The hash chain keeps a digest of what was said, so that the log can still be verified.
"""

from collections.abc import Iterable

from ricordo.core.text import content
from ricordo.flows.engine import Engine
from ricordo.flows.writing.append import put, sameness
from ricordo.flows.writing.chunk_rows import MESSAGE, Subject, spans
from ricordo.model import Event
from ricordo.store.codec import DAY, micros
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import ChunkRow, Placed
from ricordo.store.tables.upkeep import Spoken

_PAGE = 64  # events that are read at once to find another that says the same
Log = tuple[str, int, str]  # the name and the number of a space, and a session


def take_out(engine: Engine, tx: Tx, log: Log, seqs: set[int]) -> dict[str, int]:
    """Take events out of a log with their chunks; what went, by table."""
    _, number, session = log
    first = min(seqs)
    spoken = {
        chunk
        for chunk in tx.upkeep.list_chunks_from(number, session, first)
        if seqs & {chunk.seq_start, chunk.seq_end}
    }
    tx.upkeep.take_out(number, session, sorted(seqs))
    tx.sessions.rewrite(number, session, len(seqs))
    return {"events": len(seqs)} | drop_chunks(engine, tx, log, seqs, spoken)


def drop_chunks(
    engine: Engine, tx: Tx, log: Log, seqs: set[int], spoken: Iterable[Spoken]
) -> dict[str, int]:
    """Drop what only these events said; what others of the session say too becomes theirs."""
    number = log[1]
    gone: list[Spoken] = []
    for chunk in sorted(spoken):
        first = _find_first(engine, tx, log, chunk, seqs)
        if first is None:
            gone.append(chunk)
            continue
        seq, row = first
        last = chunk.seq_end if chunk.seq_end not in seqs else _find_last(engine, tx, log, chunk)
        if row is None:
            tx.upkeep.move_chunk(number, chunk.chunk, seq, max(seq, last))
        else:
            gone.append(chunk)
            put(tx, number, [Placed(row, seq, max(seq, last))])
    return tx.upkeep.drop_chunks(number, gone)


def _find_first(
    engine: Engine, tx: Tx, log: Log, chunk: Spoken, seqs: set[int]
) -> tuple[int, ChunkRow | None] | None:
    """The first event that still says a chunk, with a row of its own if that is another one."""
    if chunk.seq_start not in seqs:
        return chunk.seq_start, None
    name, number, session = log
    after = chunk.seq_start
    while after < chunk.seq_end:
        events = tx.events.after(number, (name, session), after, _PAGE)
        for event in events:
            if event.seq <= chunk.seq_end and event.seq not in seqs:
                for row in _list_same(engine, event, chunk):
                    return event.seq, row
        after = events[-1].seq if events else chunk.seq_end
    return None


def _find_last(engine: Engine, tx: Tx, log: Log, chunk: Spoken) -> int:
    """The last event before the end of a chunk that says it as well."""
    name, number, session = log
    before = chunk.seq_end
    while before > chunk.seq_start:
        events = tx.events.latest(number, (name, session), _PAGE, before)
        for event in reversed(events):
            if event.seq > chunk.seq_start and _list_same(engine, event, chunk):
                return event.seq
        before = events[0].seq if events else chunk.seq_start
    return chunk.seq_start


def _list_same(engine: Engine, event: Event, chunk: Spoken) -> list[ChunkRow]:
    """The rows of an event that say what a chunk says."""
    if micros(event.at) // DAY != sameness(chunk)[1]:
        return []
    return [row for row in list_rows(engine, event) if sameness(row) == sameness(chunk)]


def list_rows(engine: Engine, event: Event) -> list[ChunkRow]:
    """The chunks of an event, as if it were appended now."""
    if event.kind != MESSAGE or not event.index:
        return []
    words = content.extract(
        event.content, event.tool_calls, arguments=engine.settings.index_tool_arguments
    )
    author, at = event.name or "", micros(event.at)
    subject = Subject(MESSAGE, event.session, None, event.role, author, event.origin, at)
    return spans(subject, words)
