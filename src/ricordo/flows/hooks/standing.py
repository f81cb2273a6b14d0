"""Where things stand when a session begins: the last session, open questions, entries.

Everything is quoted data under a line of ours that says what it is, and short: a host reads this
before every first prompt.
"""

from typing import NamedTuple

from ricordo.core.conversation import plain_summary
from ricordo.core.conversation.messages import words
from ricordo.core.conversation.packing import clip
from ricordo.core.text import quotation
from ricordo.flows.hooks import quick_recall
from ricordo.flows.hooks.quick_recall import Section, name_space
from ricordo.model import Entry, Event
from ricordo.store.database import Tx
from ricordo.store.tables.entries import EntryFilter

SESSIONS = 5  # the newest ones, in which questions may be open
TAIL = 40  # events looked at, from the end of a session
LAST_WORDS = 4  # messages shown that the summary does not cover
QUESTIONS = 3  # shown without an answer
PINS = 20  # pinned entries
NOTES = 5  # entries shown for their importance
LATEST = 3  # entries shown because they were written last
USER_NOTES = 3  # entries of the user's own space
LONGEST_SUMMARY = 2_000
LONGEST_MESSAGE = 300
_MOST_ENTRIES = 50  # the newest, among which the important ones are chosen


class SpaceRef(NamedTuple):
    """A space in an open transaction."""

    tx: Tx
    number: int
    name: str


def describe_own(here: SpaceRef, session: str) -> list[Section]:
    """Where a session that goes on stands: the host has its messages, or has just cut them."""
    return [Section("Where this session stands:", _quote_summary(here, session))]


def describe_last(here: SpaceRef, session: str) -> list[Section]:
    """The questions that nobody answered, and where the session before this one stood."""
    recent = here.tx.sessions.recent(here.number, here.name, SESSIONS)
    tails = [_read_tail(here, each.session) for each in recent if each.session != session]
    tails = [tail for tail in tails if tail]
    asked = [event for tail in tails for event in _find_unanswered(tail)][:QUESTIONS]
    told = [Section("Asked and not answered yet:", [*map(_quote_event, asked)])]
    if tails:
        ended = _describe_end(here, [event for event in tails[0] if event not in asked])
        told.append(Section("Where the last session stood:", ended))
    return told


def describe_entries(here: SpaceRef, now: int) -> list[Section]:
    """Pinned entries, the most important other ones, then those that were written last."""
    pinned = here.tx.entries.list_pinned(here.number, now, PINS)
    kept = here.tx.entries.several(here.number, here.name, pinned)
    found = [entry for entry in _list_entries(here, now) if entry.id not in pinned]
    first = sorted(found, key=lambda entry: -entry.importance)[:NOTES]
    latest = [entry for entry in found if entry not in first][:LATEST]
    return [
        Section("Pinned:", [*map(quick_recall.quoted_entry, kept)]),
        Section("Entries:", [*map(quick_recall.quoted_entry, first)]),
        Section("Written last:", [*map(quick_recall.quoted_entry, latest)]),
    ]


def describe_user(here: SpaceRef, now: int) -> Section:
    """The most important entries of the user's own space, pinned ones first."""
    found = _list_entries(here, now)
    found = sorted(found, key=lambda entry: (not entry.pin, -entry.importance))[:USER_NOTES]
    return Section(name_space(here.name), [*map(quick_recall.quoted_entry, found)])


def _list_entries(here: SpaceRef, now: int) -> list[Entry]:
    """Notes and facts that are not muted, the latest first."""
    page = EntryFilter(
        kind=None, category=None, tags=None, prefix=None, now=now, limit=_MOST_ENTRIES
    )
    ids = here.tx.entries.page(here.number, page)
    found = here.tx.entries.several(here.number, here.name, ids)
    return [entry for entry in found if entry.kind != "archive" and not entry.mute]


def _read_tail(here: SpaceRef, session: str) -> list[Event]:
    """The newest messages of a session."""
    found = here.tx.events.latest(here.number, (here.name, session), TAIL)
    return [event for event in found if event.kind == "message"]


def _find_unanswered(tail: list[Event]) -> list[Event]:
    """What users said after the last answer; a call of a tool does not answer yet."""
    asked: list[Event] = []
    for event in reversed(tail):
        if event.role == "assistant" and _says(event):
            break
        if event.role == "user" and _says(event):
            asked.append(event)
    return asked[::-1]


def _describe_end(here: SpaceRef, tail: list[Event]) -> list[str]:
    """The summary of a session and the last words that it does not cover."""
    if not tail:
        return []
    session = tail[0].session
    summary = here.tx.summaries.get(here.number, session)
    upto = -1 if summary is None else summary.upto
    spoken = [event for event in tail if event.seq > upto and event.role != "tool" and _says(event)]
    return [*_quote_summary(here, session), *map(_quote_event, spoken[-LAST_WORDS:])]


def _quote_summary(here: SpaceRef, session: str) -> list[str]:
    summary = here.tx.summaries.get(here.number, session)
    if summary is None or not summary.text.strip():
        return []
    lines = plain_summary.parse(summary.text)
    is_plain = bool(lines.recent or lines.folded)
    text = str(plain_summary.fit(lines, LONGEST_SUMMARY)) if is_plain else summary.text
    shown = clip(text, LONGEST_SUMMARY)
    return [quotation.quote_text(shown, session, "agent", summary.at, "summary")]


def _quote_event(event: Event) -> str:
    cite = quotation.citation(event.session, event.seq)
    said = clip(words(event), LONGEST_MESSAGE)
    return quotation.quote_text(said, cite, event.origin, event.at, event.name or "", event.role)


def _says(event: Event) -> bool:
    return bool(words(event).strip())
