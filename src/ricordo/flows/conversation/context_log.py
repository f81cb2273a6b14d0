"""The log of a session as a context shows it: read newest first, as far as it can fit."""

from collections.abc import Sequence
from typing import NamedTuple

from ricordo.core.conversation import messages
from ricordo.core.conversation.batching import Span, find_span, join_spans
from ricordo.core.conversation.front import MOST_CONDENSED
from ricordo.core.text import token_cost
from ricordo.flows.engine import Engine
from ricordo.flows.writing.message_counts import count_messages
from ricordo.model import Event
from ricordo.store.database import Tx
from ricordo.store.tables.archive_spans import NoteRow

END = 2**63 - 1
_PAGE = 64
_NOTES = 40  # of a session, the newest
_STEP = 8  # where notes end and the log begins moves by so many messages


class LogWish(NamedTuple):
    """How much of a log is wanted."""

    budget: int
    recent: int
    salient: int
    importance: float
    is_tri: bool


class Log(NamedTuple):
    """What one read transaction gave."""

    summary: str = ""
    upto: int = -1  # the last seq that the summary covers
    events: Sequence[Event] = ()
    is_cut: bool = False  # whether older ones after the summary were not read
    salient: Sequence[Event] = ()
    scratchpad: Sequence[str] = ()
    notes: Sequence[NoteRow] = ()
    messages: int = 0  # of the whole session
    summarized: int = 0  # of them, up to the summary's last


def read_log(engine: Engine, address: tuple[str, str], wish: LogWish) -> Log:
    """What a context may show of a session, in one read transaction."""
    with engine.store.read() as tx:
        number = tx.spaces.number(address[0])
        if number is None:
            return Log()
        summary = tx.summaries.get(number, address[1])
        upto = -1 if summary is None else summary.upto
        notes: list[NoteRow] = []
        is_cut = False
        if wish.is_tri:
            events = tx.events.before(number, address, END, wish.recent)[::-1]
        else:
            notes = tx.retellings.list_notes(number, address[1], upto, engine.now(), _NOTES)
            events, is_cut = _read_after_summary(
                tx, number, address, _Window(upto, wish.budget, _hide(notes), wish.recent)
            )
            shown = {event.seq for event in events}
            notes = [note for note in notes if note.first_seq not in shown]
        before = events[0].seq if events else END
        salient = tx.events.salient(number, address, before, wish.importance, wish.salient)
        return Log(
            "" if summary is None else summary.text,
            upto,
            events,
            is_cut,
            salient,
            tx.scratchpads.get(number, address[1]),
            notes,
            *count_messages(tx, engine.recent.counts, number, address, upto),
        )


class _Window(NamedTuple):
    """How far the log is read: after a seq, for a budget, without what notes stand for."""

    upto: int
    budget: int
    spans: list[Span]
    recent: int

    def hides(self, found: list[Event], seq: int) -> Span | None:
        """The span of notes that stands for an event, once enough newer ones are shown."""
        if not self.spans or len(found) < self.recent:
            return None
        edge = (found[0].seq - self.recent + 1) // _STEP * _STEP
        return find_span(self.spans, seq) if seq < edge else None


def _hide(notes: list[NoteRow]) -> list[Span]:
    """The runs that notes stand for; before the oldest of so many, everything."""
    spans = [(note.first_seq, note.last_seq) for note in notes]
    if len(notes) == _NOTES:
        spans.append((0, notes[-1].first_seq))
    return join_spans(spans)


def _read_after_summary(
    tx: Tx, space: int, address: tuple[str, str], window: _Window
) -> tuple[list[Event], bool]:
    """Messages after the summary, as many as can fit or be condensed, and whether there are more.

    They are read newest first, page by page.
    """
    found: list[Event] = []
    spent = 0
    before = END
    while spent <= window.budget or len(found) < MOST_CONDENSED:
        page = tx.events.before(space, address, before, _PAGE)
        span = None
        for event in page:
            if event.seq <= window.upto and found:
                return found[::-1], False
            if (span := window.hides(found, event.seq)) is not None:
                break
            found.append(event)
            if spent <= window.budget:
                spent += token_cost.cost(messages.plain(event), _at_least)
        if span is None and len(page) < _PAGE:
            return found[::-1], False
        before = page[-1].seq if span is None else span[0]
    return found[::-1], True


def _at_least(words: str) -> int:
    """A cheap bound for when to stop reading: few tokenizers put more than eight to a token."""
    return len(words) // 8
