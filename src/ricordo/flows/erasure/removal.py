"""What goes with an entry, a document or a session, inside a transaction of the caller's."""

from collections.abc import Iterable

from ricordo.core.integrity import erasure_digests, erasure_scan
from ricordo.flows.erasure import derivatives, note_files
from ricordo.flows.erasure.deletion import Deletion
from ricordo.flows.learning import learn
from ricordo.flows.writing.remember import remove
from ricordo.store.codec import loads
from ricordo.store.database import Tx

Space = tuple[str, int]  # its name and its number


def remove_entry(tx: Tx, space: Space, entry: int, going: Deletion) -> None:
    """An entry goes with its names, revisions, chunks, vectors, signals and files."""
    number = space[1]
    if going.buries:
        _note_entry(tx, space, entry, going)
    retelling = tx.retellings.get(number, entry)
    if retelling is not None:
        tx.retellings.delete(number, entry)
        going.files += [retelling.path] if retelling.path else []
    going.copies += note_files.of_entry(tx, number, entry)
    tx.sweeps.forget(number, entry)
    going.count(remove(tx, number, entry))


def _note_entry(tx: Tx, space: Space, entry: int, going: Deletion) -> None:
    name, number = space
    found = tx.entries.get(number, name, entry)
    assert found is not None
    key = tx.spaces.secret(number)
    past = tx.entries.revisions(number, entry)
    said = [found.content, *(old.content for old in past)]
    going.tombs |= {
        erasure_digests.of_uid(key, found.uid),
        *(erasure_digests.of_content(key, text) for text in said),
    }
    going.note(*said, found.name, *found.aliases, *(old.name for old in past))
    for held in (found.metadata, *(old.metadata for old in past)):
        going.note(*erasure_scan.texts(dict(held)))
    _note_vectors(tx, number, tx.chunks.of_entry(number, entry), going)


def _note_vectors(tx: Tx, space: int, chunks: Iterable[int], going: Deletion) -> None:
    going.note_embeddings(tx.upkeep.vectors(space, chunks))


def remove_document(tx: Tx, space: int, uri: str, going: Deletion) -> bool:
    """A document goes with its chunks; the file that it was read from is not ours to remove."""
    document = tx.documents.by_uri(space, uri)
    if document is None:
        return False
    if going.buries:
        going.note(document.text)
        _note_vectors(tx, space, tx.chunks.of_entry(space, document.id), going)
        going.tombs.add(erasure_digests.of_content(tx.spaces.secret(space), document.text))
        if uri.startswith("file:"):
            going.remains.append(f"the file that the document was read from: {uri}")
    going.count(tx.chunks.delete_entry(space, document.id))
    tx.entries.set_tags(space, document.id, ())
    tx.documents.delete(space, document.id)
    going.count({"documents": 1})
    return True


def remove_session(tx: Tx, space: Space, session: str, going: Deletion) -> None:
    """A session goes with its events, state, and the entries that retell it."""
    number = space[1]
    log = tx.events.chain(number, session)
    if going.buries:
        _note_session(tx, space, session, going)
        going.count(learn.unlearn(tx, number, (space[0], session)))
    for entry in derivatives.entries(tx, number, session, facts=going.buries):
        remove_entry(tx, space, entry, going)
    going.count({"events": len(log)} | tx.chunks.delete_session(number, session))
    state = {
        "summaries": tx.summaries.delete(number, session),
        "past_summaries": tx.summaries.delete_earlier(number, session),
        "scratchpads": tx.scratchpads.delete(number, session),
        "consolidations": tx.consolidations.delete(number, session),
        "signals": tx.signals.delete_asked(number, session),
    }
    going.count({table: rows for table, rows in state.items() if rows})
    tx.upkeep.delete_gaps(number, session)
    tx.events.delete(number, session)
    tx.sessions.delete(number, session)
    going.count({"sessions": 1})


def _note_session(tx: Tx, space: Space, session: str, going: Deletion) -> None:
    name, number = space
    key = tx.spaces.secret(number)
    going.tombs.add(erasure_digests.of_session(key, session))
    for event in tx.events.after(number, (name, session)):
        going.tombs.add(erasure_digests.of_uid(key, event.uid))
    spoken: set[str] = set()
    for row in tx.events.chain(number, session):
        texts = {row.content or "", *erasure_scan.texts(loads(row.body) if row.body else None)} - {
            ""
        }
        going.note(*texts)
        spoken |= texts
    asked = derivatives.signals(tx, number, spoken)
    tx.upkeep.drop_signals(number, asked)
    going.count({"signals": len(asked)} if asked else {})
    summary = tx.summaries.get(number, session)
    going.note(None if summary is None else summary.text)
    going.note(*(earlier.text for earlier in tx.summaries.list_earlier(number, session)))
    going.note(*tx.scratchpads.get(number, session))
    _note_vectors(tx, number, tx.upkeep.chunks_of(number, session), going)
    for entry, revision, said in derivatives.revisions(tx, number, session):
        going.note(said)
        tx.upkeep.drop_revisions(number, [(entry, revision)])
        going.count({"revisions": 1})
    going.remains += derivatives.mentions(tx, space, session)
