"""Consolidate: events that are an hour old become notes and facts, each event once.

One transaction per batch: the note, the facts and the marks that say so, or nothing. A session
whose model fails is not marked and comes again with the next pass. The events stay in the log.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from ricordo.core.conversation import compaction, extract_facts, importance, points
from ricordo.core.conversation.batching import WaitingEvent, choose_batch
from ricordo.core.conversation.stated_facts import StatedFact
from ricordo.core.learning import fact_keys
from ricordo.errors import Conflict, InvalidInput, shorten
from ricordo.flows.conversation import summarize
from ricordo.flows.conversation.ask_model import ask_model
from ricordo.flows.conversation.summarize import Summarizer
from ricordo.flows.engine import Engine, whole
from ricordo.flows.writing import facts as fact_flow
from ricordo.flows.writing import remember
from ricordo.flows.writing.wishes import EntryWish, checked_wish
from ricordo.model import Consolidation, Event, Spending
from ricordo.store.codec import micros
from ricordo.store.database import Tx
from ricordo.store.tables.archive_spans import Retelling

CATEGORY = "conversation"
_LONGEST = timedelta(days=366 * 1_000)
PREFIX = "consolidated-"


@dataclass(frozen=True, slots=True)
class Pass:
    """Which events are due, and what turns them into text."""

    model: Summarizer | str | None = None
    min_importance: float = 0.0
    older_than: timedelta = timedelta(hours=1)
    per_session: int = 30  # events of one batch
    limit: int = 300


class EventBatch(NamedTuple):
    session: str
    events: list[Event]


class ConsolidationDraft(NamedTuple):
    """What came of a batch before it is written."""

    text: str
    facts: list[StatedFact]
    paid: Spending | None


def consolidate(engine: Engine, space: str, due: Pass) -> Consolidation:
    """One pass over a space."""
    _check(due)
    notes: list[str] = []
    stated: list[str] = []
    failed: dict[str, str] = {}
    count = 0
    for batch in _batches(engine, space, due):
        if batch.session in failed:
            continue
        try:
            found = _think(engine, batch, due)
            note, written = engine.store.write(_make_write(engine, space, batch, found))
        except Exception as error:  # noqa: BLE001 - whatever a model raises, others go on
            failed[batch.session] = f"{type(error).__name__}: {error}"
            continue
        if note:
            notes.append(note)
            stated += written
            count += len(batch.events)
    if notes:
        engine.wake()
    return Consolidation(count, tuple(notes), tuple(stated), failed)


def _check(due: Pass) -> None:
    whole(due.per_session, "per_session", 1, 10_000)
    whole(due.limit, "limit", 1, 1_000_000)
    importance.check_share(due.min_importance, "min_importance")
    if not isinstance(due.older_than, timedelta) or abs(due.older_than) > _LONGEST:
        raise InvalidInput(f"older_than is {shorten(due.older_than)}; give a timedelta")


def _batches(engine: Engine, space: str, due: Pass) -> list[EventBatch]:
    """What is due, up to the limit: a batch of every session in turn, the important ones first."""
    before = engine.now() - due.older_than // timedelta(microseconds=1)
    found: list[EventBatch] = []
    left = due.limit
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return found
        names = tx.consolidations.list_waiting(number, due.min_importance, before)
        queues = [_Queue(tx, number, (space, name), due.min_importance, before) for name in names]
        while queues and left > 0:
            for queue in list(queues):
                events = queue.take(min(left, due.per_session))
                if not events:
                    queues.remove(queue)
                    continue
                found.append(EventBatch(queue.address[1], events))
                left -= len(events)
                if left <= 0:
                    break
    return found


class _Queue:
    """The events of one session that wait; read when the first batch is taken."""

    def __init__(
        self, tx: Tx, space: int, address: tuple[str, str], least: float, before: int
    ) -> None:
        self._tx, self._space, self.address = tx, space, address
        self._bounds = least, before
        self._waiting: list[WaitingEvent] | None = None
        self._spans: list[tuple[int, int]] = []

    def take(self, most: int) -> list[Event]:
        """The next batch, taken out of the queue."""
        session = self.address[1]
        if self._waiting is None:
            found = self._tx.consolidations.candidates(self._space, session, *self._bounds)
            self._waiting = [WaitingEvent(*row) for row in found]
            spans = self._tx.retellings.of_session(self._space, session)
            self._spans = [(span.first_seq, span.last_seq) for span in spans]
        seqs = choose_batch(self._waiting, self._spans, most)
        if not seqs:
            return []
        taken = set(seqs)
        self._waiting = [event for event in self._waiting if event.seq not in taken]
        self._spans.append((seqs[0], seqs[-1]))
        events = self._tx.events.between(self._space, self.address, seqs[0], seqs[-1])
        return [event for event in events if event.seq in taken]


def _think(engine: Engine, batch: EventBatch, due: Pass) -> ConsolidationDraft:
    """Ask the model, with no transaction open; an answer that cannot be read is a failure."""
    summarizer, chat = summarize.choose_summarizer(due.model)
    if due.model is None:
        summarizer = _retell
    before = summarize.measure_spending(chat)
    told = summarize.ask_summarizer(engine, summarizer, "", batch.events)
    source = extract_facts.sources(batch.events)
    extract = getattr(summarizer, "facts", None)
    if not source:
        stated = []
    elif extract is None:
        found = extract_facts.find_facts(source) if due.model is None else []
        stated = [_redact(engine, fact) for fact in found]
    else:
        answer = ask_model(engine, summarizer, "facts", lambda: extract(source))
        stated = [_redact(engine, fact) for fact in extract_facts.parse(answer)]
    return ConsolidationDraft(told, stated, summarize.measure_spending(chat, before))


def _retell(_previous: str, events: Sequence[Event]) -> str:
    return points.retell(events)


def _redact(engine: Engine, fact: StatedFact) -> StatedFact:
    category, key, value = map(engine.redact_text, (fact.category, fact.key, fact.value))
    return StatedFact(category, key, value, fact.seq)


def _make_write(engine: Engine, space: str, batch: EventBatch, found: ConsolidationDraft):  # type: ignore[no-untyped-def]
    def work(tx: Tx) -> tuple[str, list[str]]:
        now = engine.now()
        number = engine.ensure_space(tx, space)
        if found.paid is not None:
            tx.summaries.spend(number, found.paid, now)
        marks = [tx.consolidations.mark(number, batch.session, e.seq, now) for e in batch.events]
        if not any(marks):
            return "", []  # another pass was faster
        written = [
            name for fact in found.facts if (name := _state(engine, tx, number, batch, fact))
        ]
        return _note(engine, tx, number, batch, found.text), written

    return work


def _note(engine: Engine, tx: Tx, space: int, batch: EventBatch, told: str) -> str:
    base = PREFIX + (compaction.plain_name(batch.session) or compaction.FALLBACK)
    name = compaction.next_name(base, tx.retellings.names(space, f"{base}-"))
    first, last = batch.events[0].seq, batch.events[-1].seq
    wish = EntryWish(
        content=told,
        name=name,
        category=CATEGORY,
        origin=extract_facts.pick_least_trusted(event.origin for event in batch.events),
        source=f"{batch.session}#{first}-{last}",
        metadata={"session": batch.session, "first_seq": first, "last_seq": last},
    )
    now = engine.now()
    entry = remember.add(tx, space, checked_wish(engine, wish), now)
    tx.retellings.insert(space, Retelling(entry, batch.session, first, last))
    return name


def _state(engine: Engine, tx: Tx, space: int, batch: EventBatch, fact: StatedFact) -> str | None:
    """Write a fact, unless somebody stated another one themselves, or later."""
    said = [event for event in batch.events if event.seq == fact.seq]
    sources = said or extract_facts.sources(batch.events)
    last = sources[-1]
    wish = EntryWish(
        content=fact.value,
        origin=extract_facts.pick_least_trusted([fact_flow.DREAM, *(e.origin for e in sources)]),
        source=f"{batch.session}#{last.seq}",
        metadata={fact_flow.DREAMT: True, fact_flow.SAID_AT: micros(last.at)},
    )
    address = fact.category, fact_keys.key(fact.key)
    try:
        checked = checked_wish(engine, wish)
        entry = fact_flow.put(tx, space, address, checked, engine.now())
    except Conflict:
        return None
    return tx.entries.names(space, entry)[0]
