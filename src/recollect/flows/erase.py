"""Erase: forget entries and documents, delete sessions, with everything derived from them."""

from pathlib import Path

from recollect.errors import NotFound
from recollect.flows.engine import Engine
from recollect.flows.remember import address, remove, resolve
from recollect.model import Receipt
from recollect.store.codec import moment
from recollect.store.database import Tx

Erased = tuple[Receipt, list[str]]  # what went from the store, and files that go with it


def forget(engine: Engine, space: str, name: str | int) -> Receipt:
    """Remove an entry by name, alias, id or uid, or a document by its URI."""
    name = address(name)
    now = engine.now()

    def work(tx: Tx) -> Erased:
        number = tx.spaces.number(space)
        entry = None if number is None else resolve(tx, number, name)
        if number is not None and entry is not None:
            target = tx.entries.names(number, entry)[0]
            removed, files = _entry(tx, number, entry)
            return Receipt(space, target, removed, moment(now)), files
        document = None
        if number is not None and isinstance(name, str):
            document = tx.documents.by_uri(number, name)
        if number is None or document is None:
            raise NotFound(f"there is no entry {name!r} in space {space!r}")
        removed = tx.chunks.delete_entry(number, document.id)
        tx.documents.delete(number, document.id)
        return Receipt(space, document.uri, removed | {"documents": 1}, moment(now)), []

    return _finish(engine.store.write(work))


def delete(engine: Engine, space: str, session: str) -> Receipt:
    """Remove a session with its events, summary, scratchpad, archives and their files."""
    now = engine.now()

    def work(tx: Tx) -> Erased:
        number = tx.spaces.number(space)
        head = None if number is None else tx.sessions.head(number, session)
        if number is None or head is None:
            raise NotFound(f"there is no session {session!r} in space {space!r}")
        removed = {"events": len(tx.events.chain(number, session))}
        removed |= tx.chunks.delete_session(number, session)
        files = _state(tx, number, session, removed)
        tx.events.delete(number, session)
        tx.sessions.delete(number, session)
        return Receipt(space, session, removed | {"sessions": 1}, moment(now)), files

    receipt = _finish(engine.store.write(work))
    engine.recent.drop((space, session))
    return receipt


def _state(tx: Tx, space: int, session: str, removed: dict[str, int]) -> list[str]:
    """Everything that hangs on a session besides its events; the files to unlink."""
    files: list[str] = []
    for retelling in tx.retellings.of_session(space, session):
        went, paths = _entry(tx, space, retelling.entry)
        for table, count in went.items():
            removed[table] = removed.get(table, 0) + count
        files += paths
    counts = {
        "summaries": tx.summaries.delete(space, session),
        "scratchpads": tx.scratchpads.delete(space, session),
        "consolidations": tx.consolidations.delete(space, session),
    }
    removed |= {table: count for table, count in counts.items() if count}
    return files


def _entry(tx: Tx, space: int, entry: int) -> tuple[dict[str, int], list[str]]:
    retelling = tx.retellings.get(space, entry)
    if retelling is not None:
        tx.retellings.delete(space, entry)
    files = [retelling.path] if retelling is not None and retelling.path else []
    return remove(tx, space, entry), files


def _finish(erased: Erased) -> Receipt:
    """Unlink the files once the rows are gone; the receipt counts those that were there."""
    receipt, files = erased
    count = 0
    for path in map(Path, files):
        if path.is_file():
            path.unlink()
            count += 1
    if not count:
        return receipt
    removed = {**receipt.removed, "files": count}
    return Receipt(receipt.space, receipt.target, removed, receipt.at)
