"""Export: a space as JSON Lines, read in one transaction and put in its place as a whole."""

import os
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ricordo.core.exchange import export_format
from ricordo.core.exchange.given import (
    Given,
    GivenDocument,
    GivenEntry,
    GivenEvent,
    GivenPast,
    GivenRecord,
    GivenRevision,
    GivenSession,
    GivenSummary,
)
from ricordo.core.text.record_paths import decode_path
from ricordo.errors import InvalidInput, NotFound, StoreError
from ricordo.flows.engine import Engine
from ricordo.flows.exchange.export_plans import list_learnt, list_plans
from ricordo.flows.writing.read import holds
from ricordo.model import Entry, Export, Json, SessionInfo
from ricordo.store.codec import loads, moment
from ricordo.store.database import Tx
from ricordo.store.tables.records import PastRow, RecordPage, RecordRow

_ALL = -1


def export(engine: Engine, space: str, path: str | Path) -> Export:
    """Write everything of a space that cannot be derived from the rest."""
    target = _target(path)
    at = moment(engine.now())
    counted: Counter[str] = Counter()
    lines = [export_format.header(space, at)]
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            raise NotFound(f"there is no space {space!r} in this memory")
        for given in _records(engine, tx, (space, number)):
            lines.append(export_format.line(given))
            counted[export_format.name_of(given)] += 1
    lines.append(export_format.end(counted.total()))
    body = ("\n".join(lines) + "\n").encode()
    _write(target, body)
    return Export(space, str(target), dict(counted), len(body), at)


def _target(path: str | Path) -> Path:
    if not isinstance(path, str | Path) or "\0" in str(path):
        raise InvalidInput(f"{path!r} is not a valid path; give another")
    target = Path(path).expanduser()
    if os.path.lexists(target):
        raise InvalidInput(f"{target} exists already; give a new path for the export")
    if not target.parent.is_dir():
        raise InvalidInput(f"the folder {str(target.parent)!r} does not exist; create it first")
    return target


def _write(target: Path, body: bytes) -> None:
    """The whole file or none, and for its owner alone."""
    aside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with os.fdopen(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        os.link(aside, target)  # unlike a rename it never replaces what came meanwhile
    except FileExistsError as error:
        raise InvalidInput(f"{target} exists already; give a new path for the export") from error
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        aside.unlink(missing_ok=True)


def _records(engine: Engine, tx: Tx, space: tuple[str, int]) -> Iterator[Given]:
    name, number = space
    for session in tx.sessions.recent(number, name, _ALL):
        yield from _session(tx, space, session)
    uids: dict[str, str] = {}
    for id in tx.porting.entries(number):
        entry = tx.entries.get(number, name, id)
        if entry is not None and holds(entry, engine.now()):
            uids[entry.name] = entry.uid
            yield _entry(tx, number, entry)
    for row in tx.documents.list_by_prefix(number, ""):
        yield GivenDocument(
            row.uri, row.text, row.origin, loads(row.metadata), tuple(loads(row.tags))
        )
    for record in tx.records.list(number, RecordPage("", engine.now())):
        yield _record(tx, number, record)
    yield from list_plans(tx, number)
    yield from list_learnt(tx, number, uids)


def _record(tx: Tx, space: int, row: RecordRow) -> GivenRecord:
    return GivenRecord(
        decode_path(row.path),
        row.key,
        *_read_value(row),
        row.origin,
        row.revision,
        None if row.ttl is None else row.ttl / 1_000_000,
        None if row.expires_at is None else moment(row.expires_at),
        moment(row.created_at),
        moment(row.updated_at),
        tuple(
            GivenPast(
                old.revision, moment(old.updated_at), moment(old.until), old.origin,
                tuple(loads(old.texts)), loads(old.metadata) if old.metadata else None,
                *_read_value(old)[:2],
            )
            for old in tx.records.history(space, row.id)
        ),
    )  # fmt: skip


def _read_value(
    row: RecordRow | PastRow,
) -> tuple[Json, str | None, tuple[str, ...], dict[str, Json] | None]:
    """Value, bytes in base64, texts and metadata."""
    return (
        None if row.value is None else loads(row.value),
        None if row.bytes is None else b64encode(row.bytes).decode(),
        tuple(loads(row.texts)),
        loads(row.metadata) if row.metadata else None,
    )


def _session(tx: Tx, space: tuple[str, int], info: SessionInfo) -> Iterator[Given]:
    (name, number), session = space, info.session
    for event in tx.events.after(number, (name, session)):
        marked = tx.consolidations.at(number, session, event.seq)
        yield GivenEvent(
            session=session,
            uid=event.uid,
            role=event.role,
            content=event.content,
            at=event.at,
            seq=event.seq,
            kind=event.kind,
            name=event.name,
            tool_calls=event.tool_calls,
            tool_call_id=event.tool_call_id,
            importance=event.importance,
            origin=event.origin,
            metadata=event.metadata,
            consolidated_at=None if marked is None else moment(marked),
            index=event.index,
        )
    summary = tx.summaries.get(number, session)
    head = tx.sessions.head(number, session)
    yield GivenSession(
        session,
        tx.scratchpads.get(number, session),
        None if summary is None else summary.text,
        None if summary is None else summary.upto,
        None if summary is None else summary.at,
        tuple(
            GivenSummary(old.text, old.upto, old.at)
            for old in tx.summaries.list_earlier(number, session)
        ),
        None if head is None else head.last_seq,
        info.agent,
    )


def _entry(tx: Tx, space: int, entry: Entry) -> GivenEntry:
    retelling = tx.retellings.get(space, entry.id)
    return GivenEntry(
        uid=entry.uid,
        content=entry.content,
        created_at=entry.created_at,
        updated_at=entry.updated_at,
        name=entry.name,
        aliases=entry.aliases,
        kind=entry.kind,
        category=entry.category,
        tags=entry.tags,
        origin=entry.origin,
        source=entry.source,
        importance=entry.importance,
        metadata=entry.metadata,
        expires_at=entry.expires_at,
        revisions=tuple(
            GivenRevision(
                old.name, old.category, old.content, list(old.tags), old.origin, old.source,
                old.importance, dict(old.metadata), old.since, old.until,
            )
            for old in tx.entries.revisions(space, entry.id)
        ),
        retells=None
        if retelling is None
        else (retelling.session, retelling.first_seq, retelling.last_seq),
        pin=entry.pin,
        mute=entry.mute,
        embed_name=entry.embed_name,
    )  # fmt: skip
