"""Closing an erasure: the note that its bytes are gone, and what nobody here can see to."""

from ricordo.flows.engine import Engine
from ricordo.store.database import Tx

SERVER = (
    "what the server keeps of deleted rows: WAL, pages not used again, replicas and backups are "
    "its operator's to clear"
)


def describe_server(engine: Engine) -> list[str]:
    """What nobody here can see to or look into."""
    return [SERVER] if "://" in engine.store.url else []


def note_files_gone(engine: Engine, space: str) -> None:
    """Note that the files of every erasure of a space are gone."""

    def work(tx: Tx) -> None:
        number = tx.spaces.number(space)
        if number is not None:
            tx.tombstones.note_files_gone(number)

    engine.delete(work)


def close(engine: Engine, space: str) -> None:
    """Note that every erasure of a space is physical."""

    def work(tx: Tx) -> None:
        number = tx.spaces.number(space)
        for erasure in [] if number is None else tx.tombstones.list_pending(number):
            tx.tombstones.close(erasure.space, erasure.id)

    engine.delete(work)
