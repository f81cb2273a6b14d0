"""Index: rebuild everything derived from the texts. Events and entries stay unchanged."""

from collections.abc import Callable, Iterator
from functools import partial

from ricordo.core.text import tokens
from ricordo.flows.engine import Engine
from ricordo.flows.recall.make_blocks import make_blocks
from ricordo.flows.writing.chunk_rows import FILE, Subject, index_span
from ricordo.store.check import Checks
from ricordo.store.codec import loads
from ricordo.store.database import Tx

PAGE = 500

Progress = Callable[[int, int], None]


def index(engine: Engine, progress: Progress | None = None, *, vectors: bool = False) -> int:
    """Rebuild the keyword index, and with `vectors` the embeddings; how many chunks there are."""
    engine.store.settle()
    with engine.store.read() as tx:
        spaces = tx.spaces.numbers()
        total = sum(tx.spaces.counts(space.space)[3] for space in spaces)
    done = 0
    for space in spaces:
        for count in _pages(engine, space.space):
            done += count
            if progress:
                progress(done, total)
        engine.store.write(partial(_finish, space=space.space, vectors=vectors))
        make_blocks(engine.store, space.space)
    engine.store.write(lambda tx: tx.spaces.set_tokenizer(tokens.VERSION))
    engine.views.clear()
    engine.embedding.wake()
    return done


def is_outdated(tx: Tx) -> bool:
    """Whether an older tokenizer made rows of the index."""
    version = tx.spaces.tokenizer()
    return version is not None and version < tokens.VERSION


def _pages(engine: Engine, space: int) -> Iterator[int]:
    """Page by page, each in its own short transaction: others can write in between."""
    after: int | None = 0
    while after is not None:
        after, count = engine.store.write(partial(_page, space=space, after=after))
        yield count


def _page(tx: Tx, space: int, after: int) -> tuple[int | None, int]:
    """Read one page of texts again; where it ended, or None at the end."""
    rows = tx.chunks.page(space, after, PAGE)
    if rows:
        tx.spaces.shrank(space)  # whoever packs a block now reads it again
        tx.blocks.drop(space, [row.chunk for row in rows])
    for row in rows:
        subject = Subject(row.kind, None, row.entry, row.role, row.author, "", row.at)
        if row.entry is not None and row.kind == FILE:
            subject = subject._replace(tags=tx.documents.tags(space, row.entry))
        elif row.entry is not None and (entry := tx.entries.row(space, row.entry)) is not None:
            subject = subject._replace(tags=(*loads(entry.tags), *loads(entry.concept_tags)))
        tx.chunks.reindex(space, row, **index_span(subject, row.part, row.text)._asdict())
    return (rows[-1].chunk if rows else None), len(rows)


def list_again(tx: Tx, space: int) -> int:
    """List again the metadata whose values are missing or wrong; of how many things."""
    checks = Checks(tx)
    entries, events = checks.find_unlisted_entries(space), checks.find_unlisted_events(space)
    for entry, metadata in entries:
        tx.metadata.replace_entry(space, entry, metadata)
    for session, seq, body in events:
        tx.metadata.delete_event(space, session, seq)
        tx.metadata.put_events(space, session, [(seq, body)])
    return len(entries) + len(events)


def _finish(tx: Tx, space: int, vectors: bool) -> None:
    tx.search.prune()
    tx.spaces.recount(space)
    tx.blocks.clear(space)  # those of chunks that are gone, too
    tx.pending.mark(space)
    list_again(tx, space)
    if vectors:
        for found in tx.embeddings.list_serving(space)[:1]:  # it covers most, and serves meanwhile
            tx.embeddings.reset(space, found.model.model)
