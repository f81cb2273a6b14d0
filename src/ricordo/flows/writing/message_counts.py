"""Message counts: how many messages a session has, without reading all of it each time.

What was counted once is kept in RAM with the last event's link, which stands for all that was
before it, and with the number of events that left the log. While both are as they were, only newer
messages are counted.
"""

from collections.abc import MutableMapping
from typing import NamedTuple

from ricordo.store.database import Tx

Address = tuple[str, str]
_MOST = 4_096  # sessions whose count is kept


class MessageCount(NamedTuple):
    """The messages of a session up to its last event, and those that its summary covers."""

    space: int
    last: int
    link: bytes
    gone: int  # events that left the log
    upto: int
    messages: int
    summarized: int


def count_messages(
    tx: Tx, kept: MutableMapping[Address, MessageCount], space: int, address: Address, upto: int
) -> tuple[int, int]:
    """How many messages a session has, and how many of them up to a seq."""
    session = address[1]
    head = tx.sessions.head(space, session)
    if head is None:
        return 0, 0
    known = kept.get(address)
    if known is not None and (known.space, known.upto) == (space, upto):
        newer, link, gone = tx.events.count_after(space, session, known.last)
        if (link, gone) == (known.link, known.gone):
            messages = known.messages + newer
            if head.last_seq > known.last:
                known = known._replace(last=head.last_seq, link=head.link, messages=messages)
                kept[address] = known
            return messages, known.summarized
    messages, summarized = tx.events.count_messages(space, session, upto)
    _, link, gone = tx.events.count_after(space, session, head.last_seq)
    if link is not None:
        if len(kept) >= _MOST:
            kept.clear()
        kept[address] = MessageCount(space, head.last_seq, link, gone, upto, messages, summarized)
    return messages, summarized
