"""Import of records: what a line of a file becomes. A key that is there stays as it is."""

from base64 import b64decode
from binascii import Error
from typing import NamedTuple

from ricordo.core.exchange.given import GivenPast, GivenRecord
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine
from ricordo.flows.erasure.record_removal import find_tomb
from ricordo.flows.records.requests import RecordWish, locate, read_put
from ricordo.flows.writing.append import put as put_chunks
from ricordo.flows.writing.record_rows import list_record_values, place_chunks
from ricordo.model import Json
from ricordo.store.codec import micros
from ricordo.store.database import Tx
from ricordo.store.tables.records import PastRow, RecordRow


class ReadyRecord(NamedTuple):
    """A record to be written, and what it said before."""

    row: RecordRow
    past: tuple[PastRow, ...] = ()


def read_record(engine: Engine, given: GivenRecord, origin: str | None) -> ReadyRecord:
    """The rows of a record, or InvalidInput."""
    made = _read_row(engine, given, given, origin)
    past = []
    for old in given.past:
        row = _read_row(engine, given, old, origin)
        past.append(
            PastRow(
                0,
                old.revision,
                micros(old.updated_at),
                micros(old.until),
                row.origin,
                row.texts,
                row.metadata,
                row.value,
                row.bytes,
            )
        )
    return ReadyRecord(made, tuple(past))


def _read_row(
    engine: Engine, given: GivenRecord, said: GivenRecord | GivenPast, origin: str | None
) -> RecordRow:
    wish = RecordWish(
        _read_value(said),
        said.texts,
        said.metadata,
        origin or said.origin,
        given.ttl,
    )
    request = read_put(engine.settings, locate(tuple(given.path), given.key), wish)
    if given.revision < 1 or given.updated_at < given.created_at:
        raise InvalidInput("revision is below 1, or updated_at is before created_at")
    return RecordRow(
        *request.address,
        0,
        given.revision,
        micros(given.created_at),
        micros(given.updated_at),
        None if given.expires_at is None else micros(given.expires_at),
        request.ttl,
        request.origin,
        request.texts,
        request.metadata,
        request.value,
        request.bytes,
    )


def _read_value(said: GivenRecord | GivenPast) -> Json | bytes:
    if said.base64 is None:
        return said.value
    try:
        return b64decode(said.base64, validate=True)
    except (Error, ValueError) as error:
        raise InvalidInput(f"base64 cannot be read: {error}") from error


def add_record(tx: Tx, space: int, key: bytes, ready: ReadyRecord) -> str:
    """Write a record: "added", or why not: "known" or "erased"."""
    row = ready.row
    if tx.records.find(space, [(row.path, row.key)], values=False):
        return "known"
    if tx.tombstones.holds(space, find_tomb(key, row)):
        return "erased"
    row = row._replace(id=tx.spaces.next_entry(space))
    tx.records.put(space, [row])
    tx.metadata.replace_records(space, [], [(row.id, list_record_values(row))])
    put_chunks(tx, space, place_chunks(row))
    if ready.past:
        tx.records.keep(space, [each._replace(record=row.id) for each in ready.past])
    return "added"
