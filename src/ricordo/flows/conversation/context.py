"""Context: what an agent puts in front of its model at every turn, under a token budget.

Profile `default` shows the log as far as it fits, with notes in the place of old messages that were
consolidated, condenses the rest, and recalls from the whole space; profile `tri` joins the last
messages, the salient ones and the nearest ones of the session. Both show the rolling summary, the
scratchpad and reminders that are due.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ricordo.core.conversation import messages, packing
from ricordo.core.conversation.floor import choose_floor
from ricordo.core.conversation.front import SessionNote
from ricordo.core.conversation.packing import ContextPiece, Draft, Packed
from ricordo.core.text import content, quotation, token_cost
from ricordo.core.text.token_cost import Counter
from ricordo.errors import InvalidInput, RicordoError, shorten
from ricordo.flows.conversation.context_log import Log, LogWish, read_log
from ricordo.flows.engine import Engine, one_of, whole
from ricordo.flows.files import workspace
from ricordo.flows.recall.shown import Shown, list_hashes
from ricordo.flows.time import remind
from ricordo.model import Context, Entry, Event, Hit, LeftOut, Reminder
from ricordo.store.codec import moment
from ricordo.store.tables.archive_spans import NoteRow

PROFILES = ("default", "tri")
RECENT_SHARE = 0.6  # of what the summary leaves, for the log, when there is a query
_MOST_PINS = 1_000  # looked at

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
    signals: bool = True  # whether it is noted what was recalled


class Address(NamedTuple):
    """A space and, if there is one, the session that the context is for."""

    space: str
    session: str | None


def context(engine: Engine, space: str, session: str | None, wanted: ContextRequest) -> Context:
    """Everything worth showing that fits, with the newest message always there.

    Without a session: what is pinned, due and recalled.
    """
    with engine.steps.begin("context", space=space, session=session) as step:
        made = _make_context(engine, space, session, wanted)
        step.note(records=len(made.hits), tokens=made.tokens)
    return made


def _make_context(
    engine: Engine, space: str, session: str | None, wanted: ContextRequest
) -> Context:
    one_of(wanted.profile, "profile", PROFILES)
    _check(wanted.limits)
    budget = whole(wanted.budget, "budget", 1, 2**31)
    count = token_cost.counter(wanted.tokens)
    at = Address(space, session)
    log = _read_log(engine, at, wanted, budget)
    query, is_automatic = _query(engine, wanted.query, log.events)
    pins = _list_pinned(engine, space)
    draft = _draft(engine, at, log, query, wanted)._replace(pins=[*map(_quote_pin, pins)])
    layout = packing.lay_out(draft, budget, count)
    hits: list[Hit] = []
    unlikely: list[Hit] = []
    if wanted.profile == "default":
        shown = _list_shown(engine, session, log, pins, layout.list_events(draft))
        is_unnoted = is_automatic or not wanted.signals
        hits, unlikely = _recall(engine, space, query, is_unnoted, wanted.limits, shown)
        hits = [hit for hit in hits if hit.entry is None or hit.entry.content != log.summary]
    said = f"{query} {_find_last_words(log.events)}"
    due = [] if wanted.due is not None else _due(engine, space, said)
    told = [each.text for each in due] if wanted.due is None else _ask_hook(wanted.due, said)
    filed = _quote_files(engine, space, budget, wanted.files)
    pieces = [*_notes(told, log.scratchpad), *(ContextPiece("files", text) for text in filed)]
    pieces += [_recalled_piece(hit, session) for hit in hits]
    draft = draft._replace(pieces=[*pieces, *draft.pieces])
    packed = packing.pack(draft, budget, count, layout)
    given = _give_out(engine, space, [due[place] for place in packed.pieces if place < len(due)])
    left_out = [*_list_left_out(packed, draft, hits), *map(_tell_unlikely, unlikely)]
    made = _context(packed, draft, hits, budget, log)
    return replace(made, left_out=tuple(left_out), reminders=tuple(given))


def _check(limits: Limits) -> None:
    for name in ("recent", "salient", "relevant", "hits"):
        whole(getattr(limits, name), name, 1 if name == "recent" else 0, 1_000)
    for name in ("importance", "cosine"):
        value = getattr(limits, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 1:
            raise InvalidInput(f"min_{name} is {shorten(value)}; give a number up to 1")


def _read_log(engine: Engine, at: Address, wanted: ContextRequest, budget: int) -> Log:
    if at.session is None:
        return Log()
    limits = wanted.limits
    is_tri = wanted.profile == "tri"
    wish = LogWish(budget, limits.recent, limits.salient, limits.importance, is_tri)
    return read_log(engine, (at.space, at.session), wish)


def _list_pinned(engine: Engine, space: str) -> list[Entry]:
    """The entries that stand in every context."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        pinned = tx.entries.list_pinned(number, engine.now(), _MOST_PINS)
        return tx.entries.several(number, space, pinned)


def _list_shown(
    engine: Engine, session: str | None, log: Log, pins: list[Entry], events: list[Event]
) -> Shown:
    """What a context shows anyway, so that no hit repeats it."""
    hashes = list_hashes(events, arguments=engine.settings.index_tool_arguments)
    notes = (note.entry for note in log.notes)
    last_seq = log.events[-1].seq if log.events else None
    return Shown(session, hashes, (*notes, *(entry.id for entry in pins)), last_seq)


def _query(engine: Engine, given: str | None, events: Sequence[Event]) -> tuple[str, bool]:
    """The query, or what the user said last if none is given."""
    if given is not None:
        return content.clean(given, "query", limit=engine.settings.max_text), False
    return _find_last_words(events), True


def _find_last_words(events: Sequence[Event]) -> str:
    """What the user said last, if anything."""
    told = (messages.words(event) for event in reversed(events) if event.role == "user")
    return next((said for said in told if said.strip()), "")


def _recall(
    engine: Engine, space: str, query: str, is_unnoted: bool, limits: Limits, shown: Shown
) -> tuple[list[Hit], list[Hit]]:
    """Hits from the whole space, and those that are too unlikely to be shown.

    Nobody asked for them: they leave no trace that counts.
    """
    least = choose_floor(query)
    if not query.strip() or limits.hits == 0 or least > 1:
        return [], []
    from ricordo.flows.recall.recall import recall  # needs numpy, which the rest does not
    from ricordo.flows.recall.request import Ask

    asker = None if is_unnoted else "auto"
    hits = recall(engine, space, Ask(query, limit=limits.hits, asker=asker, shown=shown))
    likely = [hit for hit in hits if hit.confidence is None or hit.confidence >= least]
    return likely, [hit for hit in hits if hit not in likely]


def _draft(engine: Engine, at: Address, log: Log, query: str, wanted: ContextRequest) -> Draft:
    """What is on offer besides what is recalled."""
    if wanted.profile != "tri":
        share = RECENT_SHARE if query.strip() else 1.0
        return _default(log, wanted.limits)._replace(share=share)
    if at.session is None:
        raise InvalidInput("profile 'tri' shows a session; use chat.context, or profile 'default'")
    from ricordo.flows.conversation.tri import relevant  # needs numpy, like every recall

    known = [*log.events, *log.salient]
    return _tri(log, relevant(engine, (at.space, at.session), query, known, wanted.limits))


def _default(log: Log, limits: Limits) -> Draft:
    told = [event for event in reversed(log.events) if event.importance >= limits.importance]
    return Draft(
        log.summary,
        messages.groups(log.events),
        (),
        True,
        [_salient_piece(event) for event in [*told, *log.salient]],
        most_salient=limits.salient,
        notes=[_session_note(note) for note in log.notes],
        upto=log.upto,
        is_cut=log.is_cut,
    )


def _session_note(note: NoteRow) -> SessionNote:
    cite = quotation.cite_entry(note.name, note.entry)
    quoted = quotation.quote_text(note.content, cite, note.origin, moment(note.created_at))
    span = note.first_seq, note.last_seq
    return SessionNote(note.name, quoted, note.content, span, note.messages)


def _quote_pin(entry: Entry) -> str:
    cite = quotation.cite_entry(entry.name, entry.id)
    return quotation.quote_text(entry.content, cite, entry.origin, entry.updated_at)


def _recalled_piece(hit: Hit, session: str | None) -> ContextPiece:
    author = " > ".join(filter(None, (hit.author, *hit.source.headings)))
    quoted = quotation.quote_text(
        hit.text,
        quotation.of_hit(hit),
        hit.origin,
        hit.at,
        author,
        hit.role or "",
        is_superseded=hit.superseded_by is not None,
    )
    is_own = session is not None and hit.source.session == session
    named = None if hit.entry is None else hit.entry.name
    return ContextPiece("recalled", quoted, hit.source.seq_end if is_own else None, named)


def _salient_piece(event: Event) -> ContextPiece:
    said = content.extract(event.content, event.tool_calls)
    cite = quotation.citation(event.session, event.seq)
    quoted = quotation.quote_text(said, cite, event.origin, event.at, event.name or "", event.role)
    return ContextPiece("salient", quoted, event.seq)


def _tri(log: Log, near: list[Event]) -> Draft:
    """The union of the three legs in the order of time, wanted in the order of the legs."""
    legs = [*reversed(log.events), *log.salient, *near]
    chosen = {event.seq: event for event in legs}
    groups = messages.groups(chosen[seq] for seq in sorted(chosen))
    place = {event.seq: n for n, group in enumerate(groups) for event in group.events}
    order = dict.fromkeys(place[event.seq] for event in legs)
    order.pop(len(groups) - 1, None)
    return Draft(log.summary, groups, list(order), False)


def _notes(due: list[str], scratchpad: Sequence[str]) -> list[ContextPiece]:
    """What goes in before anything recalled: reminders that are due, and the scratchpad."""
    pieces = [
        ContextPiece("reminders", quotation.quote_under(remind.DUE_NOW, _check_text(each)))
        for each in due
    ]
    if scratchpad:
        pieces.append(ContextPiece("scratchpad", quotation.quote_under("Scratchpad:", *scratchpad)))
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


def _give_out(engine: Engine, space: str, shown: list[Reminder]) -> list[Reminder]:
    """Mark reminders as delivered, now that they are in a context; which were."""
    if not shown or engine.store.read_only:
        return []
    return remind.give_out(engine, space, shown)


def _check_text(given: object) -> str:
    if not isinstance(given, str):
        raise InvalidInput(f"a reminder is text, not {type(given).__name__}")
    return given


def _context(packed: Packed, draft: Draft, hits: list[Hit], budget: int, log: Log) -> Context:
    recalled = [n for n, piece in enumerate(draft.pieces) if piece.section == "recalled"]
    shown = [hit for n, hit in zip(recalled, hits, strict=True) if n in packed.pieces]
    covered = _count_covered(packed, log)
    return Context(
        messages=[dict(message) for message in packed.messages],
        text="\n\n".join(_show(packed, place) for place in range(len(packed.messages))),
        events=packed.events,
        hits=tuple(shown),
        tokens=packed.tokens,
        budget=budget,
        parts=packed.parts,
        covered=covered,
        omitted=max(0, log.messages - len(packed.events) - covered),
    )


def _list_left_out(packed: Packed, draft: Draft, hits: list[Hit]) -> list[LeftOut]:
    """The passages on offer that were not packed, and why."""
    recalled = [n for n, piece in enumerate(draft.pieces) if piece.section == "recalled"]
    found = dict(zip(recalled, hits, strict=True))
    told = []
    for place, piece in enumerate(draft.pieces):
        if place not in packed.pieces:
            hit, reason = found.get(place), packing.tell_reason(packed, draft, piece)
            text = piece.text if hit is None else hit.text
            source = None if hit is None else hit.source
            sure = None if hit is None else hit.confidence
            told.append(LeftOut(piece.section, text, reason, source, sure))
    return told


def _tell_unlikely(hit: Hit) -> LeftOut:
    return LeftOut("recalled", hit.text, "unlikely", hit.source, hit.confidence)


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


def _show(packed: Packed, place: int) -> str:
    """A message as text: ours as it is, one of the log quoted."""
    message = packed.messages[place]
    if place in packed.said:
        return messages.show_quoted(message)
    return f"{message['role']}: {message['content']}"
