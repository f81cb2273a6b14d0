"""Compact: archive entry, marker event and new summary epoch in one transaction.

Nothing is lost: the archive points at the exact range of events, and they stay in the log. Whatever
was appended while a model wrote the summary is after the range and stays in the working context.
"""

from dataclasses import dataclass
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ricordo.core.conversation import compaction, extract_facts
from ricordo.core.conversation.messages import groups, plain
from ricordo.core.conversation.plain_summary import Use, how_many
from ricordo.core.text.token_cost import cost, estimate
from ricordo.errors import InvalidInput, NotFound, StaleEpoch
from ricordo.flows.conversation import archive_files, summarize
from ricordo.flows.conversation.summarize import Summarizer
from ricordo.flows.engine import Engine, check_name, whole
from ricordo.flows.writing import append, remember
from ricordo.flows.writing.append import Logged, Message
from ricordo.flows.writing.wishes import EntryWish, checked_wish
from ricordo.model import Entry, Event, Json, Spending, Summary
from ricordo.store.codec import moment
from ricordo.store.database import Tx
from ricordo.store.tables.archive_spans import Retelling

CATEGORY = "conversation"
_TARGET = 0.5  # of what makes a log full, for the messages that stay


@dataclass(frozen=True, slots=True)
class Order:
    """What to compact and how."""

    name: str | None = None
    keep: int = 0
    summarizer: Summarizer | str | None = None
    folder: str | Path | None = None


class Range(NamedTuple):
    """Events to archive, and the summary so far."""

    events: list[Event]
    summary: Summary | None

    @property
    def bounds(self) -> tuple[int, int]:
        return self.events[0].seq, self.events[-1].seq

    @property
    def epoch(self) -> int:
        return 0 if self.summary is None else self.summary.epoch

    @property
    def upto(self) -> int:
        """How far the new summary reaches; it may already reach beyond the range."""
        return max(self.bounds[1], -1 if self.summary is None else self.summary.upto)

    def summarize(self, summarizer: Summarizer) -> str:
        """The summary continued over the events that it does not cover yet."""
        if self.summary is None:
            return summarizer("", self.events)
        fresh = [event for event in self.events if event.seq > self.summary.upto]
        text = self.summary.text
        return summarizer(text, fresh) if fresh or not text.strip() else text


class Made(NamedTuple):
    entry: Entry
    logged: Logged


def compact(engine: Engine, space: str, session: str, order: Order) -> Entry:
    """Archive the log since the last marker; the newest `keep` events stay in the context."""
    base = _base(order.name, session)
    keep = whole(order.keep, "keep", 0, 2**31)
    summarizer, model = summarize.choose_summarizer(
        order.summarizer, engine.settings.context_budget
    )
    archive_files.finish(engine, space)
    found = _range(engine, space, session, keep)
    before = summarize.measure_spending(model)
    told = found.summarize(partial(summarize.ask_summarizer, engine, summarizer))
    paid = summarize.measure_spending(model, before)

    work = _Work(engine, (space, session), base, order.folder, found, told, paid)

    try:
        made = engine.store.write(work.write)
    except StaleEpoch:
        if paid is not None:
            _spend(engine, space, paid)
        raise
    append.follow(engine, made.logged)
    archive_files.finish(engine, space)
    return made.entry


def compact_if_full(
    engine: Engine, space: str, session: str, *, most: int, summarizer: Summarizer | str | None
) -> Entry | None:
    """Compact once the log since the last marker costs more tokens; half of them stay as they are.

    None if there is room, or somebody else was faster.
    """
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return None
        start = archived_upto(tx.events.last_marker(number, (space, session)))
        events = tx.events.after(number, (space, session), start)
    said = [event for event in events if event.kind == "message"]
    use = Use(0, [cost(plain(event), estimate) for event in said], most)
    keep = len(said) - how_many(use, _TARGET)
    if use.ratio <= 1 or not _but_newest(said, keep):
        return None
    order = Order(keep=keep, summarizer=summarizer)
    try:
        return compact(engine, space, session, order)
    except StaleEpoch:
        return None


def _base(name: str | None, session: str) -> str:
    """What the archive's name begins with; a name without a letter gives way."""
    given = "" if name is None else compaction.plain_name(check_name(name, "name"))
    return given or compaction.plain_name(session) or compaction.FALLBACK


def _range(engine: Engine, space: str, session: str, keep: int) -> Range:
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None or tx.sessions.head(number, session) is None:
            raise NotFound(f"there is no session {session!r} in space {space!r}")
        start = archived_upto(tx.events.last_marker(number, (space, session)))
        events = tx.events.after(number, (space, session), start)
        summary = tx.summaries.get(number, session)
    said = [event for event in events if event.kind == "message"]
    chosen = _but_newest(said, keep)
    if not chosen:
        since = f" after seq {start}" if start >= 0 else ""
        fewer = f", or keep fewer than {keep}" if said else ""
        raise InvalidInput(
            f"session {session!r} has nothing to compact{since}; append first{fewer}"
        )
    return Range(chosen, summary)


def _but_newest(events: list[Event], keep: int) -> list[Event]:
    """All but the newest events; a tool call is not parted from its results."""
    if keep == 0:
        return events
    kept = 0
    bound = groups(events)
    while bound and kept < keep:
        kept += len(bound.pop().events)
    left = {event.seq for group in bound for event in group.events}
    first_kept = min((e.seq for e in events if e.seq not in left), default=0)
    return [event for event in events if event.seq < first_kept]


def archived_upto(marker: Event | None) -> int:
    """The last seq that the marker's archive covers; replay starts after it."""
    if marker is None:
        return -1
    upto = (marker.metadata or {}).get("upto")
    return upto if isinstance(upto, int) else marker.seq


def archive_name(marker: Event) -> str:
    """The archive that a marker names."""
    return str((marker.metadata or {}).get("archive_name", ""))


@dataclass(frozen=True, slots=True)
class _Work:
    """A compaction with everything that takes time done; `write` is its one transaction."""

    engine: Engine
    address: tuple[str, str]
    base: str
    folder: str | Path | None
    found: Range
    told: str
    paid: Spending | None

    def write(self, tx: Tx) -> Made:
        """Marker, summary and archive, or nothing of them."""
        now = self.engine.now()
        number = self.engine.ensure_space(tx, self.address[0])
        name = self._name(tx, number)
        last = self.found.bounds[1]
        marked = {"archive_name": name, "upto": last}
        logged = _mark(self.engine, tx, number, self.address, marked)
        self._swap(tx, number, now)
        entry = self._archive(tx, number, name, now)
        _add_key(tx, number, entry, name, now)
        if self.paid is not None:
            tx.summaries.spend(number, self.paid, now)
        made = tx.entries.get(number, self.address[0], entry)
        assert made is not None
        return Made(made, logged)

    def _name(self, tx: Tx, number: int) -> str:
        """A name that no entry has, nor the last archive had if it is gone."""
        marker = tx.events.last_marker(number, self.address)
        taken = tx.retellings.names(number, f"{self.base}-")
        known = [*taken, archive_name(marker)] if marker is not None else taken
        return compaction.next_name(self.base, known)

    def _swap(self, tx: Tx, number: int, now: int) -> None:
        session, epoch = self.address[1], self.found.epoch
        summary = Summary(session, epoch + 1, self.found.upto, self.told, None, moment(now))
        done = summarize.swap(self.engine, tx, number, summary)
        if not done.applied:
            raise StaleEpoch(
                f"session {session!r} was summarised meanwhile (epoch {done.current_epoch} "
                f"instead of {epoch}); nothing was written, call compact again"
            )

    def _archive(self, tx: Tx, number: int, name: str, now: int) -> int:
        """The archive entry and the range of events that it retells."""
        session, (first, last) = self.address[1], self.found.bounds
        wish = EntryWish(
            content=self.told,
            name=name,
            kind="archive",
            category=CATEGORY,
            origin=extract_facts.pick_least_trusted(event.origin for event in self.found.events),
            source=f"{session}#{first}-{last}",
            metadata={"session": session, "first_seq": first, "last_seq": last},
            replace=False,
        )
        entry = remember.add(tx, number, checked_wish(self.engine, wish), now)
        path = archive_files.choose_path(self.engine, self.address[0], self.folder, name)
        row = Retelling(entry, session, first, last, path, is_filed=int(not path))
        tx.retellings.insert(number, row)
        return entry


def _add_key(tx: Tx, space: int, entry: int, name: str, now: int) -> None:
    """The archive also answers to conversation-DATE-NAME, unless that name is taken."""
    key = f"{CATEGORY}-{moment(now).astimezone(UTC):%Y-%m-%d}-{name}"
    if tx.entries.resolve(space, key) is None:
        tx.entries.add_name(space, key, entry, now, canonical=False)


def _mark(
    engine: Engine, tx: Tx, number: int, address: tuple[str, str], metadata: dict[str, Json]
) -> Logged:
    now = engine.now()
    archived_at = moment(now).isoformat()
    message = Message(
        role="system", kind="marker", metadata={**metadata, "archived_at": archived_at}
    )
    return append.log(tx, number, address, append.prepare(engine, address[1], [message], now), now)


def _spend(engine: Engine, space: str, paid: Spending) -> None:
    """What was paid stays paid, also when the text came too late."""

    def work(tx: Tx) -> None:
        tx.summaries.spend(engine.ensure_space(tx, space), paid, engine.now())

    engine.store.write(work)
