"""Record rows: how the index stores the texts of a record, and a row read as a noun."""

from ricordo.core.text import chunking
from ricordo.core.text.record_paths import decode_path
from ricordo.flows.writing.chunk_rows import Subject, make_row
from ricordo.model import Json, Record
from ricordo.store.codec import loads, moment
from ricordo.store.tables.chunks import Placed
from ricordo.store.tables.metadata import StoredValue, list_values
from ricordo.store.tables.records import PastRow, RecordRow

RECORD = "record"
NO_TEXTS = "[]"


def place_chunks(row: RecordRow) -> list[Placed]:
    """The chunks of a record's texts, ready to be written."""
    subject = Subject(RECORD, None, row.id, "", "", row.origin, row.updated_at, row.expires_at)
    placed: list[Placed] = []
    for text in loads(row.texts):
        pieces = chunking.chunks(text)
        length = pieces[-1].start + len(pieces[-1].text) if pieces else 0
        for piece in pieces:
            placed.append(Placed(make_row(subject, len(placed), piece, length)))
    return placed


def find_text(row: RecordRow, part: int) -> str:
    """The text of a record that its chunk of this number is a part of."""
    for text in loads(row.texts):
        part -= len(chunking.chunks(text))
        if part < 0:
            return str(text)
    return ""


def list_record_values(row: RecordRow, copy: Json = None) -> list[tuple[str, StoredValue]]:
    """What `where` finds a record by: its metadata if it has some, else its value.

    Whoever has read the value already gives a copy of it.
    """
    text = row.metadata or row.value
    if not text or text[0] != "{":
        return []
    return list_values(loads(text) if row.metadata or copy is None else copy)


def make_record(space: str, row: RecordRow, copy: Json = None) -> Record:
    """A row as a noun, with a copy of its value from whoever has read it already."""
    path, key, _, revision, created, updated, expires, ttl, origin, texts, metadata, value, raw = (
        row
    )
    return Record(
        space,
        decode_path(path),
        key,
        raw if value is None else loads(value) if copy is None else copy,
        revision,
        moment(created),
        moment(updated),
        None if expires is None else moment(expires),
        None if ttl is None else ttl / 1_000_000,
        loads(metadata) if metadata else {},
        () if texts == NO_TEXTS else tuple(loads(texts)),
        origin,  # type: ignore[arg-type]  # only origins are written
    )


def make_past(row: RecordRow, until: int) -> PastRow:
    """What a record says, as it is kept once it says something else."""
    return PastRow(
        row.id, row.revision, row.updated_at, until, row.origin, row.texts, row.metadata,
        row.value, row.bytes,
    )  # fmt: skip


def make_earlier(space: str, row: RecordRow, past: PastRow) -> Record:
    """What a record said before, as a noun."""
    then = row._replace(
        revision=past.revision, updated_at=past.updated_at, expires_at=None, ttl=None,
        origin=past.origin, texts=past.texts, metadata=past.metadata, value=past.value,
        bytes=past.bytes,
    )  # fmt: skip
    return make_record(space, then)
