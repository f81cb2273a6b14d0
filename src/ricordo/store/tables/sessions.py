"""Sessions: where each log stands."""

from typing import TYPE_CHECKING, NamedTuple

from ricordo.model import SessionInfo
from ricordo.store.codec import moment

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class LogHead(NamedTuple):
    """Where a log stands; events may also leave it, which its links do not tell."""

    last_seq: int
    link: bytes
    events: int


class LogEnd(NamedTuple):
    """What the next event of a session is linked to, and the secret of its space."""

    head: LogHead
    secret: bytes


class Sessions:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def head(self, space: int, session: str) -> LogHead | None:
        row = self._tx.row("sessions.get", space=space, session=session)
        return LogHead(*row) if row else None

    def touch(self, space: int, session: str, at: int, start: bytes) -> LogEnd:
        """Create the session, or move its time; where its log stands."""
        row = self._tx.row("sessions.touch", space=space, session=session, at=at, head=start)
        assert row is not None
        last_seq, link, events, secret = row
        return LogEnd(LogHead(last_seq, link, events), secret)

    def advance(self, space: int, session: str, head: LogHead, events: int) -> None:
        self._tx.rows(
            "sessions.advance",
            space=space,
            session=session,
            last_seq=head.last_seq,
            head=head.link,
            events=events,
        )

    def recent(self, space: int, name: str, limit: int) -> list[SessionInfo]:
        return [
            SessionInfo(name, session, events, last, moment(created), moment(updated))
            for session, events, last, created, updated in self._tx.rows(
                "sessions.list", space=space, limit=limit
            )
        ]

    def delete(self, space: int, session: str) -> None:
        self._tx.rows("sessions.delete", space=space, session=session)
