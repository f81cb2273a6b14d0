"""Context: what an agent puts in front of its model at every turn, under a token budget.

Profile `default` shows the log as far as it fits, with notes in the place of old messages that were
consolidated, condenses the rest, and recalls from the whole space; profile `tri` joins the last
messages, the salient ones and the nearest ones of the session. Both show the rolling summary, the
scratchpad and reminders that are due.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ricordo.core.conversation import messages, packing
from ricordo.core.conversation.batching import Span, find_span, join_spans
from ricordo.core.conversation.front import MOST_CONDENSED, SessionNote
from ricordo.core.conversation.packing import ContextPiece, Draft, Packed
from ricordo.core.text import content, quotation, token_cost
from ricordo.core.text.token_cost import Counter
from ricordo.errors import InvalidInput, RicordoError, shorten
from ricordo.flows.engine import Engine, one_of, whole
from ricordo.flows.files import workspace
from ricordo.flows.time import remind
from ricordo.model import Context, Event, Hit, Reminder
from ricordo.store.codec import moment
from ricordo.store.database import Tx
from ricordo.store.tables.archive_spans import NoteRow

PROFILES = ("default", "tri")
END = 2**63 - 1
AUTOMATIC_WORDS = 8  # of the last user message, when no query is given
RECENT_SHARE = 0.6  # of what the summary leaves, for the log, when there is a query
_PAGE = 64
_NOTES = 40  # of a session, the newest
_STEP = 8  # where notes end and the log begins moves by so many messages

_log = logging.getLogger("ricordo")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much each leg may add."""

    recent: int = 10
    salient: int = 5
    relevant: int = 5
    importance: float = 0.8
    cosine: float = 0.65
    hits: int = 8


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """A context as the caller put it."""

    query: str | None
    budget: int
    profile: str = "default"
    limits: Limits = Limits()
    tokens: Counter | None = None
    due: Callable[[str], Iterable[str]] | None = None
    files: bool | None = None  # None: where there is a workspace


class Log(NamedTuple):
    """What one read transaction gave."""

    summary: str
    upto: int  # the last seq that the summary covers
    events: list[Event]
    is_cut: bool  # whether older ones after the summary were not read
    salient: list[Event]
    scratchpad: list[str]
    notes: list[NoteRow]
    messages: int  # of the whole session
    summarized: int  # of them, up to the summary's last


def context(engine: Engine, space: str, session: str, wanted: ContextRequest) -> Context:
    """Everything worth showing that fits, with the newest message always there."""
    one_of(wanted.profile, "profile", PROFILES)
    _check(wanted.limits)
    budget = whole(wanted.budget, "budget", 1, 2**31)
    count = token_cost.counter(wanted.tokens)
    log = _read(engine, (space, session), wanted, budget)
    query, is_automatic = _query(engine, wanted.query, log.events)
    if wanted.profile == "tri":
        from ricordo.flows.conversation.tri import relevant  # needs numpy, like every recall

        near = relevant(engine, (space, session), query, log.events + log.salient, wanted.limits)
        draft, hits = _tri(log, near), []
    else:
        hits = _recall(engine, space, query, is_automatic, wanted.limits)
        hits = [hit for hit in hits if hit.entry is None or hit.entry.content != log.summary]
        draft = _default(log, session, hits, wanted.limits)
        draft = draft._replace(share=RECENT_SHARE if query.strip() else 1.0)
    said = f"{query} {_find_last_words(log.events)}"
    due = [] if wanted.due is not None else _due(engine, space, said)
    told = [each.text for each in due] if wanted.due is None else _ask_hook(wanted.due, said)
    filed = _quote_files(engine, space, budget, wanted.files)
    pieces = [*_notes(told, log.scratchpad), *(ContextPiece("files", text) for text in filed)]
    draft = draft._replace(pieces=[*pieces, *draft.pieces])
    packed = packing.pack(draft, budget, count)
    _give_out(engine, space, [due[place] for place in packed.pieces if place < len(due)])
    return _context(packed, draft, hits, budget, log)


def _check(limits: Limits) -> None:
    for name in ("recent", "salient", "relevant", "hits"):
        whole(getattr(limits, name), name, 1 if name == "recent" else 0, 1_000)
    for name in ("importance", "cosine"):
        value = getattr(limits, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 1:
            raise InvalidInput(f"min_{name} is {shorten(value)}; give a number up to 1")


def _read(engine: Engine, address: tuple[str, str], wanted: ContextRequest, budget: int) -> Log:
    with engine.store.read() as tx:
        number = tx.spaces.number(address[0])
        if number is None:
            return Log("", -1, [], False, [], [], [], 0, 0)
        summary = tx.summaries.get(number, address[1])
        upto = -1 if summary is None else summary.upto
        notes: list[NoteRow] = []
        is_cut = False
        if wanted.profile == "tri":
            events = tx.events.before(number, address, END, wanted.limits.recent)[::-1]
        else:
            notes = tx.retellings.list_notes(number, address[1], upto, engine.now(), _NOTES)
            events, is_cut = _read_after_summary(
                tx, number, address, _Window(upto, budget, _hide(notes), wanted.limits.recent)
            )
            shown = {event.seq for event in events}
            notes = [note for note in notes if note.first_seq not in shown]
        before = events[0].seq if events else END
        limits = wanted.limits
        salient = tx.events.salient(number, address, before, limits.importance, limits.salient)
        return Log(
            "" if summary is None else summary.text,
            upto,
            events,
            is_cut,
            salient,
            tx.scratchpads.get(number, address[1]),
            notes,
            *tx.events.count_messages(number, address[1], upto),
        )


class _Window(NamedTuple):
    """How far the log is read: after a seq, for a budget, without what notes stand for."""

    upto: int
    budget: int
    spans: list[Span]
    recent: int

    def hides(self, found: list[Event], seq: int) -> Span | None:
        """The span of notes that stands for an event, once enough newer ones are shown."""
        if len(found) < self.recent:
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
            spent += token_cost.cost(messages.plain(event), _at_least)
        if span is None and len(page) < _PAGE:
            return found[::-1], False
        before = page[-1].seq if span is None else span[0]
    return found[::-1], True


def _at_least(words: str) -> int:
    """A cheap bound for when to stop reading: few tokenizers put more than eight to a token."""
    return len(words) // 8


def _query(engine: Engine, given: str | None, events: list[Event]) -> tuple[str, bool]:
    """The query, or the first words of the last user message if none is given."""
    if given is not None:
        return content.clean(given, "query", limit=engine.settings.max_text), False
    return " ".join(_find_last_words(events).split()[:AUTOMATIC_WORDS]), True


def _find_last_words(events: list[Event]) -> str:
    """What the user said last, if anything."""
    told = (messages.words(event) for event in reversed(events) if event.role == "user")
    return next((said for said in told if said.strip()), "")


def _recall(
    engine: Engine, space: str, query: str, is_automatic: bool, limits: Limits
) -> list[Hit]:
    """Hits from the whole space. Nobody asked for them: they leave no trace that counts."""
    if not query.strip() or limits.hits == 0:
        return []
    from ricordo.flows.recall.recall import Ask, recall  # needs numpy, which the rest does not

    asker = None if is_automatic else "auto"
    return recall(engine, space, Ask(query, limit=limits.hits, asker=asker))


def _default(log: Log, session: str, hits: list[Hit], limits: Limits) -> Draft:
    told = [event for event in reversed(log.events) if event.importance >= limits.importance]
    pieces = [_recalled_piece(hit, session) for hit in hits]
    pieces += [_salient_piece(event) for event in [*told, *log.salient]]
    groups = messages.groups(log.events)
    notes = [_session_note(note) for note in log.notes]
    return Draft(
        log.summary,
        groups,
        (),
        True,
        pieces,
        most_salient=limits.salient,
        notes=notes,
        upto=log.upto,
        is_cut=log.is_cut,
    )


def _session_note(note: NoteRow) -> SessionNote:
    cite = quotation.cite_entry(note.name, note.entry)
    quoted = quotation.quote_text(note.content, cite, note.origin, moment(note.created_at), "")
    span = note.first_seq, note.last_seq
    return SessionNote(note.name, quoted, note.content, span, note.messages)


def _recalled_piece(hit: Hit, session: str) -> ContextPiece:
    author = hit.author or hit.role or ""
    quoted = quotation.quote_text(hit.text, quotation.of_hit(hit), hit.origin, hit.at, author)
    is_own = hit.source.session == session
    named = None if hit.entry is None else hit.entry.name
    return ContextPiece("recalled", quoted, hit.source.seq_end if is_own else None, named)


def _salient_piece(event: Event) -> ContextPiece:
    said = content.extract(event.content, event.tool_calls)
    cite = quotation.citation(event.session, event.seq)
    author = event.name or event.role
    return ContextPiece(
        "salient", quotation.quote_text(said, cite, event.origin, event.at, author), event.seq
    )


def _tri(log: Log, near: list[Event]) -> Draft:
    """The union of the three legs in the order of time, wanted in the order of the legs."""
    legs = [*reversed(log.events), *log.salient, *near]
    chosen = {event.seq: event for event in legs}
    groups = messages.groups(chosen[seq] for seq in sorted(chosen))
    place = {event.seq: n for n, group in enumerate(groups) for event in group.events}
    order = dict.fromkeys(place[event.seq] for event in legs)
    order.pop(len(groups) - 1, None)
    return Draft(log.summary, groups, list(order), False)


def _notes(due: list[str], scratchpad: list[str]) -> list[ContextPiece]:
    """What goes in before anything recalled: reminders that are due, and the scratchpad."""
    pieces = [ContextPiece("reminders", f"Reminder due now: {_line(reminder)}") for reminder in due]
    if scratchpad:
        lines = "\n".join(f"- {_line(line)}" for line in scratchpad)
        pieces.append(ContextPiece("scratchpad", f"Scratchpad:\n{lines}"))
    return pieces


def _quote_files(engine: Engine, space: str, budget: int, wanted: bool | None) -> list[str]:
    """The files to show. A folder that cannot be read is an error only for who asked for it."""
    if wanted is False:
        return []
    try:
        return workspace.quote_files(engine, space, budget)
    except (RicordoError, OSError) as error:
        if wanted:
            raise
        _log.warning("the files of space %r are not in its context: %s", space, error)
        return []


def _due(engine: Engine, space: str, said: str) -> list[Reminder]:
    """Reminders of the space to show, not yet delivered."""
    return remind.due_reminders(engine, space, said, deliver=False)


def _ask_hook(due: Callable[[str], Iterable[str]], said: str) -> list[str]:
    """Reminders to show that the caller's hook knows of."""
    found = due(said) if callable(due) else None
    if not isinstance(found, Iterable):
        raise InvalidInput(f"due is {shorten(due)}; give a function from text to lines")
    return list(found)


def _give_out(engine: Engine, space: str, shown: list[Reminder]) -> None:
    """Mark reminders as delivered, now that they are in a context."""
    if shown and not engine.store.read_only:
        remind.give_out(engine, space, shown)


def _line(given: object) -> str:
    if not isinstance(given, str):
        raise InvalidInput(f"a reminder is text, not {type(given).__name__}")
    return " ".join(given.split())


def _context(packed: Packed, draft: Draft, hits: list[Hit], budget: int, log: Log) -> Context:
    recalled = [n for n, piece in enumerate(draft.pieces) if piece.section == "recalled"]
    shown = [hit for n, hit in zip(recalled, hits, strict=True) if n in packed.pieces]
    covered = _count_covered(packed, log)
    return Context(
        messages=tuple(packed.messages),
        text="\n\n".join(f"{m['role']}: {_words_of(m)}" for m in packed.messages),
        events=packed.events,
        hits=tuple(shown),
        tokens=packed.tokens,
        budget=budget,
        parts=packed.parts,
        covered=covered,
        omitted=max(0, log.messages - len(packed.events) - covered),
    )


def _count_covered(packed: Packed, log: Log) -> int:
    """Messages that are not shown themselves, but that summary or notes stand for."""
    seqs = [event.seq for event in packed.events]
    covered = packed.condensed
    if packed.has_summary:
        covered += log.summarized - sum(seq <= log.upto for seq in seqs)
    spans = [(note.messages, note.span) for note in packed.notes]
    return covered + sum(
        messages - sum(first <= seq <= last for seq in seqs) for messages, (first, last) in spans
    )


def _words_of(message: messages.ChatMessage) -> str:
    return content.extract(message.get("content"), message.get("tool_calls"))
