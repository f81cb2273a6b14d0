"""Record removal: what goes with records that are erased, and what betrays them afterwards."""

from collections.abc import Sequence

from ricordo.core.integrity import erasure_digests, erasure_scan
from ricordo.core.text.record_paths import decode_path
from ricordo.flows.erasure.deletion import Deletion
from ricordo.flows.writing.record_rows import NO_TEXTS
from ricordo.store.codec import loads
from ricordo.store.database import Tx
from ricordo.store.tables.records import PastRow, RecordRow


def remove_records(tx: Tx, space: int, rows: Sequence[RecordRow], going: Deletion) -> None:
    """Records go with their values, texts, vectors and revisions."""
    key = tx.spaces.secret(space) if going.buries else b""
    for row in rows:
        past = tx.records.history(space, row.id)
        if going.buries:
            going.tombs.add(find_tomb(key, row))
            going.note(row.key, *decode_path(row.path))
            _note(row, going)
            for said in past:
                _note(said, going)
            going.note_embeddings(tx.upkeep.vectors(space, tx.chunks.of_entry(space, row.id)))
        if row.texts != NO_TEXTS:
            going.count(tx.chunks.delete_entry(space, row.id))
        going.count({"record_revisions": len(past)} if past else {})
    tx.records.delete(space, [row.id for row in rows])
    going.count({"records": len(rows)} if rows else {})


def find_tomb(key: bytes, row: RecordRow) -> bytes:
    """By what a record is known once it is erased: its key with its value; another may come."""
    held = row.value if row.bytes is None else row.bytes.hex()
    return erasure_digests.of_content(key, f"{row.path}\n{row.key}\n{held}")


def _note(said: RecordRow | PastRow, going: Deletion) -> None:
    going.note(*loads(said.texts))
    for text in (said.metadata, said.value):
        going.note(*erasure_scan.texts(loads(text) if text else None))
    if said.bytes is not None:
        going.note_vectors([bytes(said.bytes)])
