"""Sessions: where each log stands."""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from ricordo.model import SessionInfo
from ricordo.store.codec import end_of_prefix, moment

if TYPE_CHECKING:
    from ricordo.store.database import Record, Tx


class LogHead(NamedTuple):
    """Where a log stands; events may also leave it or change, which its links do not tell."""

    last_seq: int
    link: bytes
    events: int
    rewrites: int = 0


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

    def find_end(self, space: int, session: str, at: int, start: bytes) -> LogEnd:
        """Where the log of a session stands that is about to grow; it is created if need be."""
        row = self._tx.row("sessions.end", space=space, session=session)
        if row is None:
            return self.touch(space, session, at, start)
        last_seq, link, events, rewrites, secret = row
        return LogEnd(LogHead(last_seq, link, events, rewrites), secret)

    def touch(self, space: int, session: str, at: int, start: bytes) -> LogEnd:
        """Create the session, or move its time; where its log stands."""
        row = self._tx.row("sessions.touch", space=space, session=session, at=at, head=start)
        assert row is not None
        last_seq, link, events, rewrites, secret = row
        return LogEnd(LogHead(last_seq, link, events, rewrites), secret)

    def advance(self, space: int, session: str, head: LogHead, events: int, at: int) -> None:
        """The log grew by so many events; the session was active at that time."""
        self._tx.rows(
            "sessions.advance",
            space=space,
            session=session,
            last_seq=head.last_seq,
            head=head.link,
            events=events,
            at=at,
        )

    def rewrite(self, space: int, session: str, gone: int = 0) -> None:
        """Note that the log was cut, by so many events, or edited."""
        self._tx.rows("sessions.rewrite", space=space, session=session, events=gone)

    def assign(self, space: int, session: str, agent: str) -> None:
        """Note which agent holds a session."""
        self._tx.rows("sessions.assign", space=space, session=session, agent=agent)

    def recent(
        self, space: int, name: str, limit: int, prefix: str = "", agent: str | None = None
    ) -> list[SessionInfo]:
        """Sessions whose name begins so, of one agent or of all, most recently active first."""
        wanted = {"space": space, "limit": limit, "agent": agent}
        if not prefix:
            rows = self._tx.rows("sessions.list", **wanted)
        else:
            beyond = end_of_prefix(prefix)
            rows = self._tx.rows("sessions.beginning", **wanted, prefix=prefix, beyond=beyond)
        return [_info(name, row) for row in rows]

    def list_newest(self, space: int, limit: int, depth: int) -> list[tuple[str, datetime]]:
        """Names, and how new the last `depth` events of each are: the newest first."""
        rows = self._tx.rows("sessions.newest", space=space, limit=limit, depth=depth)
        return [(session, moment(newest)) for session, newest in rows]

    def info(self, space: int, name: str, session: str) -> SessionInfo | None:
        row = self._tx.row("sessions.info", space=space, session=session)
        return _info(name, row) if row else None

    def delete(self, space: int, session: str) -> None:
        self._tx.rows("sessions.delete", space=space, session=session)


def _info(space: str, row: "Record") -> SessionInfo:
    session, events, last_seq, created, updated, agent = row
    return SessionInfo(space, session, events, last_seq, moment(created), moment(updated), agent)
