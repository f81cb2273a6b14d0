"""Import batch: what one batch of records becomes, in one transaction. Nothing is written twice."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from ricordo.core.exchange.given import (
    Given,
    GivenDocument,
    GivenEntry,
    GivenEvent,
    GivenPromotion,
    GivenReminder,
    GivenRevision,
    GivenSession,
    GivenSignal,
    GivenSuccession,
)
from ricordo.core.integrity import chain, erasure_digests
from ricordo.flows import documents
from ricordo.flows.engine import Engine, check_name
from ricordo.flows.exchange.import_learnt import LearntWriter
from ricordo.flows.exchange.import_plans import ADDED, ERASED, KNOWN, PlanWriter
from ricordo.flows.exchange.import_records import ReadyRecord, add_record
from ricordo.flows.writing import append, remember
from ricordo.flows.writing.append import Logged, Prepared
from ricordo.flows.writing.wishes import EntryWish, amend_wish
from ricordo.model import Summary
from ricordo.store.codec import dumps, micros
from ricordo.store.database import Tx
from ricordo.store.tables.approvals import ApprovalRow
from ricordo.store.tables.archive_spans import Retelling
from ricordo.store.tables.entries import EntryRow
from ricordo.store.tables.macros import SuccessionRow
from ricordo.store.tables.schedules import RunRow, ScheduleRow
from ricordo.store.tables.upkeep import Gap


class Ready(NamedTuple):
    """A record and what it becomes; of some nothing has to be prepared."""

    given: Given
    message: Prepared | None = None
    wish: EntryWish | None = None
    row: ScheduleRow | RunRow | ApprovalRow | SuccessionRow | ReadyRecord | None = None
    refusal: str = ""  # why it cannot be taken, where the rest of the file can


@dataclass(slots=True)
class Taken:
    """What became of records."""

    added: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    erased: int = 0
    renamed: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    logged: list[Logged] = field(default_factory=list)
    present: set[str] = field(default_factory=set)  # sessions of which an event is here
    buried: set[str] = field(default_factory=set)  # sessions of which an event was erased here

    def add(self, other: "Taken") -> None:
        self.added += other.added
        self.known += other.known
        self.erased += other.erased
        self.renamed |= other.renamed
        self.notes += other.notes
        self.present |= other.present
        self.buried |= other.buried


def take(engine: Engine, space: str, batch: list[Ready], before: Taken) -> Taken:
    """One batch, after what was imported `before`; documents have their own flow."""

    def work(tx: Tx) -> Taken:
        taken = Taken(present=set(before.present), buried=set(before.buried))
        number = engine.ensure_space(tx, space)
        secret = tx.spaces.secret(number)
        learnt = LearntWriter(engine, tx, number, secret)
        plans = PlanWriter(engine, tx, number, secret)
        writer = _Writer(engine, tx, (space, number), secret, taken, learnt, plans)
        for key, group in groupby(batch, key=_session_of):
            items = list(group)
            if key is not None:
                writer.events(key, items)
            else:
                for item in items:
                    writer.one(item)
        return taken

    taken = engine.store.write(work)
    for logged in taken.logged:
        append.follow(engine, logged)
    for item in batch:
        if isinstance(item.given, GivenDocument):
            _document(engine, space, item.given, taken)
    return taken


def _session_of(item: Ready) -> str | None:
    return item.given.session if isinstance(item.given, GivenEvent) else None


def _document(engine: Engine, space: str, given: GivenDocument, taken: Taken) -> None:
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        assert number is not None
        key = tx.spaces.secret(number)
        if tx.tombstones.holds(number, erasure_digests.of_content(key, given.text)):
            taken.erased += 1
            return
        is_known = tx.documents.by_uri(number, given.uri) is not None
    if not is_known:
        documents.ingest(
            engine,
            space,
            given.text,
            uri=given.uri,
            origin=given.origin,
            metadata=given.metadata,
            tags=given.tags,
        )
    (taken.known if is_known else taken.added)["document"] += 1


@dataclass(frozen=True, slots=True)
class _Writer:
    """One transaction of an import."""

    engine: Engine
    tx: Tx
    space: tuple[str, int]
    key: bytes
    taken: Taken
    learnt: LearntWriter
    plans: PlanWriter

    def one(self, item: Ready) -> None:
        given = item.given
        if isinstance(given, GivenEntry):
            assert item.wish is not None
            self._entry(given, item.wish)
        elif isinstance(given, GivenSession):
            self._state(given)
        elif item.refusal:
            self.taken.notes.append(item.refusal)
        else:
            name, became = self._write(item)
            self._count(name, became)

    def _write(self, item: Ready) -> tuple[str, str]:
        """What a record is called, and what became of it."""
        given, row = item.given, item.row
        if isinstance(row, ReadyRecord):
            return "record", add_record(self.tx, self.space[1], self.key, row)
        if isinstance(row, ScheduleRow):
            return "schedule", self.plans.add_schedule(row)
        if isinstance(row, RunRow):
            return "run", self.plans.add_run(row)
        if isinstance(row, ApprovalRow):
            return "approval", self.plans.add_approval(row)
        if isinstance(row, SuccessionRow):
            name = "succession" if isinstance(given, GivenSuccession) else "macro"
            return name, self.learnt.add_succession(row)
        if isinstance(given, GivenReminder):
            return "reminder", self.plans.add_reminder(given)
        if isinstance(given, GivenSignal):
            return "signal", self.learnt.add_signal(given)
        if isinstance(given, GivenPromotion):
            return "promotion", self.learnt.add_promotion(given)
        return "document", ""  # documents have their own flow

    def _count(self, name: str, became: str) -> None:
        if became == ERASED:
            self.taken.erased += 1
        elif became in (ADDED, KNOWN):
            (self.taken.added if became == ADDED else self.taken.known)[name] += 1
        elif became:
            self.taken.notes.append(became)

    def events(self, session: str, items: list[Ready]) -> None:
        """Append what the session does not have; what would have to go in between is left out."""
        number = self.space[1]
        head = self.tx.sessions.head(number, session)
        last = -1 if head is None else head.last_seq
        seqs = [item.message.seq for item in items if item.message]
        is_new = all(seq is not None and seq > last for seq in seqs)
        known = set() if is_new else self.tx.porting.uids(number, session)
        new: list[Ready] = []
        late = 0
        for item in items:
            message = item.message
            assert message is not None
            if message.uid in known:
                self.taken.known["event"] += 1
                self.taken.present.add(session)
            elif self.tx.tombstones.holds(number, erasure_digests.of_uid(self.key, message.uid)):
                self.taken.erased += 1
                self.taken.buried.add(session)
            elif self._is_gap(session, message.seq):
                self.taken.known["event"] += 1
            elif message.seq is not None and message.seq <= last:
                late += 1
            else:
                known.add(message.uid)
                new.append(item)
                last = last if message.seq is None else message.seq
        if late:
            self.taken.notes.append(
                f"session {session!r} has gone on differently here: {late} events are not taken"
            )
        if new:
            self._append(session, [item.message for item in new if item.message], new)

    def _is_gap(self, session: str, seq: int | None) -> bool:
        return seq is not None and self.tx.upkeep.is_gap(self.space[1], session, seq)

    def _append(self, session: str, messages: list[Prepared], items: list[Ready]) -> None:
        number = self.space[1]
        first, last = min(m.at for m in messages), max(m.at for m in messages)
        self.tx.sessions.touch(number, session, first, chain.START)
        logged = append.log(self.tx, number, (self.space[0], session), messages, last)
        for event, item in zip(logged.events, items, strict=True):
            marked = item.given.consolidated_at if isinstance(item.given, GivenEvent) else None
            if marked is not None:
                self.tx.consolidations.mark(number, session, event.seq, micros(marked))
        self.taken.added["event"] += len(items)
        self.taken.present.add(session)
        self.taken.logged.append(logged)

    def _entry(self, given: GivenEntry, wish: EntryWish) -> None:
        number = self.space[1]
        if self.tx.entries.by_uid(number, given.uid) is not None:
            self.taken.known["entry"] += 1
            return
        marks = (
            erasure_digests.of_uid(self.key, given.uid),
            erasure_digests.of_content(self.key, given.content),
        )
        if any(self.tx.tombstones.holds(number, mark) for mark in marks):
            self.taken.erased += 1
            return
        wanted = str(wish.name)
        name = self._free(wanted)
        if name != wanted:
            self.taken.renamed[wanted] = name
        at = micros(given.updated_at)
        entry = remember.add(self.tx, number, amend_wish(wish, name=name), at)
        for alias in given.aliases:
            if self.tx.entries.resolve(number, alias) is None:
                remember.add_alias(self.tx, number, entry, alias, at)
        created = micros(given.created_at)
        since = max([created, *(micros(old.until) for old in given.revisions)])
        self._revisions(given, entry)
        self.tx.porting.adopt(number, entry, given.uid, created, since)
        if given.retells is not None:
            self.tx.retellings.insert(number, Retelling(entry, *given.retells))
        self.taken.added["entry"] += 1

    def _free(self, wanted: str) -> str:
        """The name, or if another entry has it the first with a number that is free."""
        name, number = wanted, 1
        while self.tx.entries.resolve(self.space[1], name) is not None:
            number += 1
            name = f"{wanted}-{number}"
        return name

    def _revisions(self, given: GivenEntry, entry: int) -> None:
        number = self.space[1]
        row = self.tx.entries.row(number, entry)
        assert row is not None
        for old in given.revisions:
            if not self.tx.tombstones.holds(
                number, erasure_digests.of_content(self.key, old.content)
            ):
                said = _row_at_revision(row, old)
                self.tx.entries.keep_revision(number, old.name, said, micros(old.until))

    def _state(self, given: GivenSession) -> None:
        """Summary and scratchpad, where the session has none of its own, and where its log ends."""
        number, session = self.space[1], given.session
        if not given.scratchpad and (given.summary, given.last_seq, given.agent) == (None,) * 3:
            return
        if self._was_erased(session):
            if given.summary is None and not given.scratchpad:
                return
            self.taken.erased += (given.summary is not None) + bool(given.scratchpad)
            self.taken.notes.append(
                f"session {session!r} was erased here: its summary and scratchpad are not taken"
            )
            return
        head = self.tx.sessions.head(number, session)
        if head is None:
            now = self.engine.now()
            self.tx.sessions.touch(number, session, now, chain.START)
            self.taken.added["session"] += 1
        told = self.tx.sessions.info(number, self.space[0], session)
        if given.agent is not None and told is not None and told.agent is None:
            self.tx.sessions.assign(number, session, check_name(given.agent, "agent"))
        self._close(given)
        if given.scratchpad and not self.tx.scratchpads.get(number, session):
            self.tx.scratchpads.put(number, session, given.scratchpad, self.engine.now())
            self.taken.added["scratchpad"] += 1
        if given.summary is not None and self.tx.summaries.get(number, session) is None:
            self._summaries(given, given.summary, 0 if head is None else max(head.last_seq, 0))

    def _close(self, given: GivenSession) -> None:
        """No seq that the session has ever used is used again, also of what was cut there."""
        number, session = self.space[1], given.session
        head, last = self.tx.sessions.head(number, session), given.last_seq
        if head is None or last is None or not head.last_seq < last <= append.LAST_SEQ:
            return
        digest = chain.digest(self.key, b"cut")
        link = chain.link(head.link, last, digest)
        self.tx.upkeep.put_gap(number, session, Gap(last, digest, link))
        self.tx.sessions.advance(number, session, head._replace(last_seq=last, link=link), 0, 0)

    def _summaries(self, given: GivenSession, text: str, last: int) -> None:
        """The summary and the newest of its earlier ones.

        What comes next here is not summarised, whatever seq it had in the file.
        """
        number, kept = self.space[1], self.engine.settings.summaries_kept
        assert given.upto is not None
        earlier = given.earlier[-kept:] if kept else ()
        for epoch, old in enumerate(earlier, 1):
            told = Summary(
                given.session, epoch, min(old.upto, last), old.summary, None, old.summarized_at
            )
            self.tx.summaries.keep(number, told, 1)
        at = given.summarized_at or self.engine.clock()
        told = Summary(given.session, len(earlier) + 1, min(given.upto, last), text, None, at)
        self.tx.summaries.put(number, told, micros(at))
        self.taken.added["summary"] += 1

    def _was_erased(self, session: str) -> bool:
        """Whether this is a session that was erased, not another one of its name.

        A summary tells of the events before it: one that was erased keeps it away.
        """
        if not self.tx.tombstones.holds(
            self.space[1], erasure_digests.of_session(self.key, session)
        ):
            return False
        return session in self.taken.buried or session not in self.taken.present


def _row_at_revision(row: EntryRow, old: GivenRevision) -> EntryRow:
    """The row of an entry as it was under a revision."""
    return row._replace(
        category=old.category,
        content=old.content,
        tags=dumps(list(old.tags), "tags"),
        concept_tags="[]",
        origin=old.origin,
        source=old.source,
        importance=old.importance,
        metadata=dumps(dict(old.metadata), "metadata"),
        updated_at=micros(old.since),
        expires_at=None,
        since=micros(old.since),
    )
