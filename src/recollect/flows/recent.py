"""Working memory: the newest events of each session, kept in RAM, fresh across processes."""

import threading
from collections import OrderedDict
from typing import NamedTuple

from recollect.flows.engine import Engine
from recollect.model import Event
from recollect.store.database import Tx

Address = tuple[str, str]


class Kept(NamedTuple):
    """Events in RAM, and the head of the log they were true for."""

    head: bytes
    events: list[Event]


class Recent:
    """A bounded queue per session. The first user message stays as the anchor."""

    def __init__(self, cap: int, sessions: int) -> None:
        self._cap = cap
        self._sessions = sessions
        self._kept: OrderedDict[Address, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, events: list[Event], before: bytes, after: bytes) -> None:
        """Follow an append of ours; a session not kept yet is read when it is asked for."""
        address = (events[0].space, events[0].session)
        with self._lock:
            kept = self._kept.pop(address, None)
            if kept is not None and kept.head == before:
                self._kept[address] = Kept(after, capped(kept.events + events, self._cap))

    def drop(self, address: Address) -> None:
        with self._lock:
            self._kept.pop(address, None)

    def read(self, engine: Engine, address: Address, limit: int | None) -> list[Event]:
        """The newest events, oldest first; from RAM if no other process appended meanwhile."""
        with engine.store.read() as tx:
            space = tx.spaces.number(address[0])
            head = None if space is None else tx.sessions.head(space, address[1])
            if space is None or head is None:
                self.drop(address)
                return []
            with self._lock:
                kept = self._kept.get(address)
            if limit is not None and limit > self._cap:  # more than is kept
                return _load(tx, space, address, limit)
            if kept is None or kept.head != head.link:
                kept = Kept(head.link, _load(tx, space, address, self._cap))
        self._keep(address, kept)
        return cut(kept.events, limit)

    def _keep(self, address: Address, kept: Kept) -> None:
        with self._lock:
            self._kept[address] = kept
            self._kept.move_to_end(address)
            while len(self._kept) > self._sessions:
                self._kept.popitem(last=False)


def _load(tx: Tx, space: int, address: Address, count: int) -> list[Event]:
    """The newest events as the log has them; the anchor where they would open without a user."""
    events = tx.events.latest(space, address, count)
    anchor = tx.events.first_by(space, address, "user")
    if anchor is None or events[0].role == "user":
        return events
    return _anchored(anchor, events)


def capped(events: list[Event], cap: int) -> list[Event]:
    """Drop the oldest beyond the cap, but never the first user message."""
    anchor = next((event for event in events if event.role == "user"), None)
    tail = events[-cap:]
    return tail if anchor is None else _anchored(anchor, tail)


def _anchored(anchor: Event, tail: list[Event]) -> list[Event]:
    """The anchor in place of the oldest; but where there is room for one, that is the newest."""
    return tail if anchor.seq >= tail[0].seq or len(tail) == 1 else [anchor, *tail[1:]]


def cut(events: list[Event], limit: int | None) -> list[Event]:
    """The newest `limit`; the anchor comes along where the rest would open without a user."""
    if limit is None or limit >= len(events):
        return list(events)
    if limit == 0:
        return []
    tail = events[-limit:]
    if tail[0].role == "user":
        return tail
    return capped(events, limit)
