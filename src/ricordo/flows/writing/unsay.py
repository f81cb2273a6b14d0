"""Unsay: events leave their log or change, and with them what recall would find of them.

The hash chain keeps a digest of what was said, so that the log can still be verified.
"""

from collections.abc import Iterable

from ricordo.core.text import content
from ricordo.flows.engine import Engine
from ricordo.flows.writing.append import put, sameness
from ricordo.flows.writing.chunk_rows import MESSAGE, Subject, spans
from ricordo.model import Event
from ricordo.store.codec import micros
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import ChunkRow, Placed
from ricordo.store.tables.upkeep import Spoken

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
    name, number, session = log
    gone: list[Spoken] = []
    for chunk in sorted(spoken):
        bounds = chunk.seq_start, chunk.seq_end
        events = tx.events.between(number, (name, session), *bounds) if len(set(bounds)) > 1 else []
        same = sameness(chunk)
        said = [
            (event.seq, row)
            for event in events
            if event.seq not in seqs
            for row in list_rows(engine, event)
            if sameness(row) == same
        ]
        if said and chunk.seq_start not in seqs:
            tx.upkeep.move_chunk(number, chunk.chunk, chunk.seq_start, said[-1][0])
            continue
        gone.append(chunk)
        if said:
            put(tx, number, [Placed(said[0][1], said[0][0], said[-1][0])])
    return tx.upkeep.drop_chunks(number, gone)


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
