"""Working memory: the newest events of each session, kept in RAM, fresh across processes.

There is no lock: each step on the table is one that nothing divides, and what two threads or an
interrupt leave behind is compared with the head of the log before it is used.
"""

import contextlib
import copy
from collections import OrderedDict
from typing import NamedTuple

from ricordo.flows.engine import Engine
from ricordo.flows.writing.message_counts import MessageCount
from ricordo.model import Event
from ricordo.store.tables.sessions import LogHead

Address = tuple[str, str]


class RecentEvents(NamedTuple):
    """Events in RAM, the first user message, and the head of the log they were true for."""

    head: LogHead
    anchor: Event | None
    events: list[Event]
    is_followed: bool = False  # since it was read, events were appended here


class Recent:
    """A bounded queue per session. The first user message stays as the anchor."""

    def __init__(self, cap: int, sessions: int) -> None:
        self._cap = cap
        self._sessions = sessions
        self._kept: OrderedDict[Address, RecentEvents] = OrderedDict()
        self.counts: dict[Address, MessageCount] = {}

    def renew(self) -> "Recent":
        """The same without anything in it."""
        return Recent(self._cap, self._sessions)

    def add(self, events: list[Event], before: LogHead, after: LogHead) -> None:
        """Follow an append of ours; a session not kept yet is read when it is asked for."""
        address = (events[0].space, events[0].session)
        kept = self._kept.pop(address, None)
        if kept is not None and kept.head == before:
            events = [_own(event) for event in events]
            anchor = kept.anchor or next((e for e in events if e.role == "user"), None)
            newest = [*kept.events, *events][-self._cap :]
            self._kept[address] = RecentEvents(after, anchor, newest, is_followed=True)

    def drop(self, address: Address) -> None:
        self._kept.pop(address, None)

    def drop_space(self, space: str) -> None:
        """Forget every session of a space."""
        for address in [each for each in list(self._kept) if each[0] == space]:
            self.drop(address)

    def read(self, engine: Engine, address: Address, limit: int | None) -> list[Event]:
        """The newest events, oldest first; from RAM if no other process appended meanwhile."""
        with engine.store.read() as tx:
            space = tx.spaces.number(address[0])
            head = None if space is None else tx.sessions.head(space, address[1])
            if space is None or head is None:
                self.drop(address)
                return []
            kept = self._kept.get(address)
            if kept is None or kept.head != head:
                anchor = tx.events.first_by(space, address, "user")
                kept = RecentEvents(head, anchor, tx.events.latest(space, address, self._cap))
            events = kept.events
            if limit is not None and limit > self._cap:  # more than is kept
                events = tx.events.latest(space, address, limit)
        self._keep(address, kept)
        is_queue = limit is None and kept.is_followed
        return [_own(event) for event in newest(events, limit, kept.anchor, always=is_queue)]

    def _keep(self, address: Address, kept: RecentEvents) -> None:
        self._kept.pop(address, None)
        self._kept[address] = kept  # at the end: the newest
        while len(self._kept) > self._sessions:
            with contextlib.suppress(KeyError):  # another thread was quicker
                self._kept.popitem(last=False)


def _own(event: Event) -> Event:
    """An event that others cannot change; one of plain text nobody can."""
    is_plain = isinstance(event.content, str) and not event.tool_calls and not event.metadata
    return event if is_plain else copy.deepcopy(event)


def newest(
    events: list[Event], limit: int | None, anchor: Event | None, *, always: bool
) -> list[Event]:
    """The newest of these, and for the oldest the anchor where they would open without a user.

    `always` keeps the anchor whoever opens. Where there is room for one event, that is the newest.
    """
    tail = events if limit is None else events[-limit:] if limit else []
    if anchor is None or len(tail) < 2 or anchor.seq >= tail[0].seq:
        return list(tail)
    return list(tail) if tail[0].role == "user" and not always else [anchor, *tail[1:]]
