"""Salvage writes: those that no other use case needs. The flow says what is right."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ricordo.store.codec import FIRST, LAST
from ricordo.store.database import Tx
from ricordo.store.schema import find_table
from ricordo.store.seals import Seals, seal


class SessionEnd(NamedTuple):
    """A session and where its log ends, by its own row."""

    session: str
    last_seq: int
    head: bytes


class Labels(NamedTuple):
    """What of an entry is JSON, or one of a few words."""

    entry: int
    kind: str
    tags: str
    concept_tags: str
    metadata: str


class SalvageWrites:
    """One space of a salvaged memory, inside a transaction."""

    def __init__(self, tx: Tx, space: int) -> None:
        self._tx = tx
        self._space = space

    def found_space(self, name: str, secret: bytes, at: int) -> None:
        """Give the space a row again, under its old number."""
        self._tx.rows(
            "salvage.found_space", space=self._space, name=name, secret=secret, created_at=at
        )

    def count_spaces(self) -> None:
        """Give every space counters that has none."""
        self._tx.rows("salvage.count_spaces")

    def rename_space(self, name: str) -> None:
        self._tx.rows("salvage.rename_space", space=self._space, name=name)
        Seals(self._tx).renew_row(self._space, "spaces", {})

    def rekey_space(self, secret: bytes) -> None:
        self._tx.rows("salvage.rekey_space", space=self._space, secret=secret)
        Seals(self._tx).renew_row(self._space, "spaces", {})

    def found_sessions(self, head: bytes) -> list[str]:
        """Give sessions a row again that have events but no row; which they are."""
        lost = self._tx.rows("salvage.sessions", space=self._space)
        for session, began, ended in lost:
            self._tx.rows(
                "salvage.found_session",
                space=self._space,
                session=session,
                created_at=began,
                updated_at=ended,
                head=head,
            )
        return [str(row[0]) for row in lost]

    def sessions(self) -> list[SessionEnd]:
        rows = self._tx.rows("salvage.session_names", space=self._space)
        return [SessionEnd(*row) for row in rows]

    def drop_event(self, session: str, seq: int) -> None:
        self._tx.rows("salvage.unconsolidate", space=self._space, session=session, seq=seq)
        self._tx.rows("salvage.drop_event", space=self._space, session=session, seq=seq)
        self._tx.rows("salvage.drop_gap", space=self._space, session=session, seq=seq)

    def drop_edited(self, session: str, seq: int) -> None:
        """Drop an edited event that does not verify; its place in the chain stays."""
        self._tx.rows("salvage.unconsolidate", space=self._space, session=session, seq=seq)
        self._tx.rows("salvage.drop_event", space=self._space, session=session, seq=seq)

    def relink(self, session: str, seq: int, digest: bytes, link: bytes) -> None:
        """Give an event its place in the chain."""
        self._tx.rows(
            "salvage.relink_event",
            space=self._space,
            session=session,
            seq=seq,
            digest=digest,
            link=link,
        )

    def relink_gap(self, session: str, seq: int, link: bytes) -> None:
        self._tx.rows("salvage.relink_gap", space=self._space, session=session, seq=seq, link=link)

    def close_session(self, end: SessionEnd, events: int) -> None:
        self._tx.rows("salvage.close_session", space=self._space, events=events, **end._asdict())

    def labels(self) -> list[Labels]:
        return [Labels(*row) for row in self._tx.rows("salvage.entries", space=self._space)]

    def relabel(self, labels: Labels) -> None:
        row = self._tx.entries.row(self._space, labels.entry)
        assert row is not None
        told = labels._asdict()
        mark = seal("entries", row._asdict() | told)
        self._tx.rows("salvage.mend_entry", space=self._space, seal=mark, **told)

    def mend_entries(self) -> list[int]:
        """Put right when entries were last said; which they were."""
        return sorted(row[0] for row in self._tx.rows("salvage.mend_entries", space=self._space))

    def mend_sessions(self, now: int) -> list[str]:
        """Put right when sessions began and were last active; which they were."""
        rows = self._tx.rows(
            "salvage.mend_sessions", space=self._space, first=FIRST, last=LAST, now=now
        )
        return sorted(row[0] for row in rows)

    def drop_row(self, table: str, key: Mapping[str, Any]) -> None:
        self._tx.run(find_table(table).drop, space=self._space, **key)

    def retime(self, table: str, key: Mapping[str, Any], times: Mapping[str, int | None]) -> None:
        """Give the row of a key these times."""
        self._tx.run(find_table(table).retime, space=self._space, **{**times, **key})

    def recount(self) -> None:
        """Move the counters past every number in use; no chunk is there yet."""
        self._tx.rows("salvage.recount", space=self._space)

    def count_chunks(self, document: int, chunks: int, cut: int) -> None:
        self._tx.rows(
            "salvage.document_chunks", space=self._space, id=document, chunks=chunks, cut=cut
        )
