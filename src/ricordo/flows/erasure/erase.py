"""Erase: forget entries and documents, delete sessions, with everything derived from them.

Forgetting and deleting take one transaction. Erasing adds a tombstone, and then the bytes: index
and WAL are rewritten, the files are scanned, and the receipt says what the scan found. A dry run
does the work of the transaction and rolls it back.
"""

import os
from collections.abc import Callable
from dataclasses import replace

from ricordo.core.integrity import erasure_digests, ids
from ricordo.errors import NotFound
from ricordo.flows.engine import Engine
from ricordo.flows.erasure import note_files, remnants
from ricordo.flows.erasure.closing import close, describe_server, note_files_gone
from ricordo.flows.erasure.deletion import Deletion, rows, try_and_roll_back
from ricordo.flows.erasure.note_files import FileRemoval
from ricordo.flows.erasure.record_removal import remove_records
from ricordo.flows.erasure.removal import remove_document, remove_entry, remove_session
from ricordo.flows.learning import dream_files
from ricordo.flows.writing.choice import Choice
from ricordo.flows.writing.document_rows import to_file_uri
from ricordo.flows.writing.entry_names import address, resolve
from ricordo.flows.writing.read import list_numbers
from ricordo.flows.writing.show_writes import show_deletion
from ricordo.model import Receipt
from ricordo.store.codec import moment
from ricordo.store.database import Tx
from ricordo.store.tables.records import RecordRow

PATIENCE_SECONDS = 2.0  # for readers of the old state, before an erasure is called pending
BATCH = 500  # entries of a space that go in one transaction
EVERYTHING = 2**31

Space = tuple[str, int]  # its name and its number
ChooseRecords = Callable[[Tx, int], list[RecordRow]]


@show_deletion("forget", "record")
def forget(
    engine: Engine, space: str, name: str | int, *, tells: bool = False, dry_run: bool = False
) -> Receipt:
    """Remove an entry by name, alias, id or uid, or a document by its URI.

    With `tells` lines in the files of dreams go at once. A sync, which holds those files, leaves
    that to the next one.
    """
    target, going = _forget_entry(engine, space, name, buries=False, dry_run=dry_run)
    if dry_run:
        return _plan_receipt(engine, space, target, going)
    return _receipt(engine, space, target, going, tells=tells)


@show_deletion("forget", None)
def forget_chosen(
    engine: Engine, space: str, chosen: Choice, *, erase: bool, dry_run: bool
) -> Receipt:
    """Remove the entries that a filter chooses, in one transaction; the receipt names them."""

    def work(tx: Tx) -> tuple[str, Deletion]:
        going, number = Deletion(erase), tx.spaces.number(space)
        for entry in [] if number is None else list_numbers(tx, number, *chosen):
            assert number is not None
            going.entries.append(tx.entries.names(number, entry)[0])
            remove_entry(tx, (space, number), entry, going)
        if number is not None:
            _bury(engine, tx, (space, number), going)
        return f"{len(going.entries)} entries", going

    target, going = try_and_roll_back(engine, work) if dry_run else engine.delete(work)
    if dry_run:
        return _plan_receipt(engine, space, target, going)
    receipt = _receipt(engine, space, target, going, tells=True)
    return _scrub(engine, receipt, going) if erase and going.removed else receipt


@show_deletion("forget", "session")
def delete(
    engine: Engine, space: str, session: str, *, prefix: bool = False, dry_run: bool = False
) -> Receipt:
    """Remove a session with its events, summary, scratchpad, archives and their files.

    With `prefix` every session whose name begins so goes, in one transaction.
    """
    going = _delete_session(engine, space, session, buries=False, prefix=prefix, dry_run=dry_run)
    if dry_run:
        return _plan_receipt(engine, space, session, going)
    return _receipt(engine, space, session, going, tells=True)


@show_deletion("forget", "record")
def erase(engine: Engine, space: str, name: str | int, *, dry_run: bool = False) -> Receipt:
    """Forget an entry or document and leave no byte of it."""
    target, going = _forget_entry(engine, space, name, buries=True, dry_run=dry_run)
    if dry_run:
        return _plan_receipt(engine, space, target, going)
    return _scrub(engine, _receipt(engine, space, target, going, tells=True), going)


@show_deletion("forget", "session")
def erase_session(engine: Engine, space: str, session: str, *, dry_run: bool = False) -> Receipt:
    """Delete a session and leave no byte of it."""
    going = _delete_session(engine, space, session, buries=True, dry_run=dry_run)
    if dry_run:
        return _plan_receipt(engine, space, session, going)
    return _scrub(engine, _receipt(engine, space, session, going, tells=True), going)


@show_deletion("forget", None)
def erase_records(
    engine: Engine, space: str, target: str, choose: ChooseRecords, *, dry_run: bool
) -> Receipt:
    """Delete records and leave no byte of them."""

    def work(tx: Tx) -> tuple[str, Deletion]:
        going, number = Deletion(buries=True), tx.spaces.number(space)
        if number is None or not (found := choose(tx, number)):
            raise NotFound(f"there is no record {target!r} in space {space!r}")
        remove_records(tx, number, found, going)
        _bury(engine, tx, (space, number), going)
        return target, going

    target, going = try_and_roll_back(engine, work) if dry_run else engine.delete(work)
    if dry_run:
        return _plan_receipt(engine, space, target, going)
    return _scrub(engine, _receipt(engine, space, target, going, tells=False), going)


@show_deletion("erase_space", None)
def erase_space(engine: Engine, space: str, *, dry_run: bool = False) -> Receipt:
    """Take everything out of a space and leave no byte of it; name and counters stay."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            raise NotFound(f"there is no space {space!r} in this memory")
    if dry_run:
        return _plan_receipt(engine, space, space, Deletion(removed=rows(engine, number)))
    going = Deletion(buries=True)
    for session in _names_of_sessions(engine, space):
        going.add(_delete_session(engine, space, session, buries=True))
    while (part := _run(engine, (space, number), _some_entries)).removed:
        going.add(part)
    going.remains = [f"the name of the space, {space!r}, and the numbers it has used"]
    going.add(_run(engine, (space, number), _everything_else))
    cleared = note_files.everything(engine, space)
    receipt = _receipt(engine, space, space, going, tells=False, cleared=cleared)
    return _scrub(engine, receipt, going)


# one transaction each


def _forget_entry(
    engine: Engine, space: str, name: str | int, *, buries: bool, dry_run: bool = False
) -> tuple[str, Deletion]:
    name = address(name)
    file = to_file_uri(name)

    def work(tx: Tx) -> tuple[str, Deletion]:
        going = Deletion(buries)
        number = tx.spaces.number(space)
        entry = None if number is None else resolve(tx, number, name)
        if number is not None and entry is not None:
            target = tx.entries.names(number, entry)[0]
            remove_entry(tx, (space, number), entry, going)
        else:
            uris = [uri for uri in (name, file) if isinstance(uri, str)]
            found = (uri for uri in uris if number and remove_document(tx, number, uri, going))
            target = next(found, "")
            if not target:
                raise NotFound(f"there is no entry {name!r} in space {space!r}")
        assert number is not None
        _bury(engine, tx, (space, number), going)
        return target, going

    return try_and_roll_back(engine, work) if dry_run else engine.delete(work)


def _delete_session(
    engine: Engine,
    space: str,
    session: str,
    *,
    buries: bool,
    prefix: bool = False,
    dry_run: bool = False,
) -> Deletion:
    names = [session]

    def work(tx: Tx) -> tuple[str, Deletion]:
        going = Deletion(buries)
        number = tx.spaces.number(space)
        if number is not None and prefix:
            names[:] = [s.session for s in tx.sessions.recent(number, space, -1, session)]
        if number is None or not names or tx.sessions.head(number, names[0]) is None:
            raise NotFound(f"there is no session {session!r} in space {space!r}")
        for name in names:
            remove_session(tx, (space, number), name, going)
        _bury(engine, tx, (space, number), going)
        return session, going

    if dry_run:
        return try_and_roll_back(engine, work)[1]
    _, going = engine.delete(work)
    for name in names:
        engine.recent.drop((space, name))
    return going


def _run(engine: Engine, space: Space, step: Callable[[Tx, Space, Deletion], None]) -> Deletion:
    def work(tx: Tx) -> Deletion:
        going = Deletion(buries=True)
        step(tx, space, going)
        _bury(engine, tx, space, going)
        return going

    return engine.delete(work)


def _some_entries(tx: Tx, space: Space, going: Deletion) -> None:
    for entry in tx.upkeep.entries(space[1], BATCH):
        remove_entry(tx, space, entry, going)


def _everything_else(tx: Tx, space: Space, going: Deletion) -> None:
    """Documents, and every table with rows of the space, except the ledgers of deletions."""
    number = space[1]
    for document in tx.documents.list_by_prefix(number, ""):
        remove_document(tx, number, document.uri, going)
    remove_records(tx, number, tx.records.all(number), going)
    key = tx.spaces.secret(number)
    for reminder in tx.reminders.page(number, pending=False, recipient=None, limit=EVERYTHING):
        going.tombs.add(erasure_digests.of_uid(key, reminder.id))
    for table, texts in tx.upkeep.empty(number).items():
        going.count({table: len(texts)} if texts else {})
        going.note(*texts)


def _names_of_sessions(engine: Engine, space: str) -> list[str]:
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return [] if number is None else [s.session for s in tx.sessions.recent(number, space, -1)]


def _bury(engine: Engine, tx: Tx, space: Space, going: Deletion) -> None:
    """Tombstones, and the note that bytes are still to be seen to, in the same transaction."""
    if not going.buries or not going.removed:
        return
    now = engine.now()
    notes = (note_files.where(engine, space[0], copy) for copy in going.copies)
    files = [*going.files, *(path for path in notes if path is not None)]
    tx.tombstones.put(space[1], going.tombs, now)
    id = ids.uuid7(max(now, 0), os.urandom(ids.RANDOM_BYTES))
    tx.tombstones.open(space[1], id, now, files)


# once the rows are gone


def _plan_receipt(engine: Engine, space: str, target: str, going: Deletion) -> Receipt:
    """The receipt of a dry run."""
    chosen, at = tuple(going.entries), moment(engine.now())
    return Receipt(space, target, going.removed, at, dry_run=True, entries=chosen)


def _receipt(
    engine: Engine,
    space: str,
    target: str,
    going: Deletion,
    *,
    tells: bool,
    cleared: FileRemoval | None = None,
) -> Receipt:
    """Remove the files; the receipt names those that were there, `cleared` among them."""
    parts = [cleared] if cleared is not None else []
    parts.append(note_files.remove_files(going.files))
    if going.buries:
        probes = {text.encode() for text in going.texts}
        parts.append(note_files.erase(engine, space, going.copies, probes))
    else:
        parts.append(note_files.clear(engine, space, going.copies))
    files = [path for part in parts for path in part.gone]
    remains = [*going.remains, *(told for part in parts for told in part.remains)]
    if tells and not dream_files.finish(engine, space):
        remains.append("lines in the files of dreams; the next sweep or sync takes them away")
    removed = going.removed | ({"files": len(files)} if files else {})
    at, chosen = moment(engine.now()), tuple(going.entries)
    return Receipt(space, target, removed, at, tuple(files), tuple(remains), entries=chosen)


def _scrub(engine: Engine, receipt: Receipt, going: Deletion) -> Receipt:
    """Make an erasure physical and look whether it is."""
    wanted = remnants.ErasedParts(frozenset(going.texts), frozenset(going.vectors))
    note_files_gone(engine, receipt.space)
    is_done = engine.store.scrub(PATIENCE_SECONDS)
    found = remnants.scan(engine, receipt.space, wanted)
    if found.remnants and is_done:
        # A page that was split or merged may keep what it once held: rewrite the file.
        is_done = engine.store.scrub(PATIENCE_SECONDS, deep=True)
        found = remnants.scan(engine, receipt.space, wanted)
    if is_done and not found.remnants:
        close(engine, receipt.space)
    history = note_files.history(engine, receipt.space, receipt.files)
    return replace(
        receipt,
        remains=(*receipt.remains, *found.copies, *history, *describe_server(engine)),
        pending=not is_done,
        remnants=found.remnants,
    )
