"""Restore: a session as chat messages again, and archived events as they were."""

from ricordo.core.conversation import compaction, packing
from ricordo.core.conversation.front import MOST_CONDENSED
from ricordo.core.conversation.messages import ChatMessage, groups
from ricordo.core.conversation.packing import Draft
from ricordo.core.text import token_cost
from ricordo.core.text.token_cost import Counter
from ricordo.errors import NotFound
from ricordo.flows.conversation import archive_files
from ricordo.flows.conversation.compact import archive_name, archived_upto
from ricordo.flows.conversation.context_log import END
from ricordo.flows.engine import Engine, whole
from ricordo.flows.writing.entry_names import address, resolve
from ricordo.model import Event
from ricordo.store.database import Tx


def replay(engine: Engine, space: str, session: str) -> list[ChatMessage]:
    """Everything since the last marker, with the archive's text in front as a user message."""
    archive_files.finish(engine, space)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        marker = tx.events.last_marker(number, (space, session))
        events = tx.events.after(number, (space, session), archived_upto(marker))
        front = [] if marker is None else [_front(tx, number, marker)]
    return front + [message for group in groups(events) for message in group.messages]


def restore(
    engine: Engine, space: str, session: str, budget: int, tokens: Counter | None
) -> list[ChatMessage]:
    """The newest messages that fit, oldest first, behind the summary of what came before them."""
    count = token_cost.counter(tokens)
    budget = whole(budget, "budget", 1, 2**31)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        summary = tx.summaries.get(number, session)
        events = tx.events.before(number, (space, session), END, _count_read(budget))[::-1]
    upto = -1 if summary is None else summary.upto
    told = "" if summary is None else summary.text
    is_cut = len(events) == _count_read(budget) and events[0].seq > upto + 1
    draft = Draft(told, groups(events), (), True, upto=upto, is_cut=is_cut)
    return list(packing.pack(draft, budget, count).messages)


def expand(engine: Engine, space: str, session: str, archive: str | int) -> list[Event]:
    """The events that an archive stands for, exactly as they were appended."""
    name = address(archive)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        entry = None if number is None else resolve(tx, number, name)
        if number is not None and entry is not None:
            row = tx.retellings.get(number, entry)
            if row is not None:
                return tx.events.between(number, (space, row.session), row.first_seq, row.last_seq)
    raise NotFound(f"there is no archive {archive!r} of session {session!r} in space {space!r}")


def _front(tx: Tx, space: int, marker: Event) -> ChatMessage:
    """What the marker's archive says. It is known by its events: a name may lead elsewhere now."""
    upto = archived_upto(marker)
    told = tx.retellings.of_session(space, marker.session)
    rows = [tx.entries.row(space, row.entry) for row in told if row.last_seq == upto]
    texts = [row.content for row in rows if row is not None and row.kind == "archive"]
    content = texts[-1] if texts else compaction.placeholder(archive_name(marker))
    return {"role": "user", "content": content}


def _count_read(budget: int) -> int:
    """Enough messages to fill any budget, none costs less than its frame, and more to condense."""
    return budget // token_cost.MESSAGE + 1 + MOST_CONDENSED
