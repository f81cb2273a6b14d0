"""Check: look for broken promises. It reads everything and changes nothing."""

from collections.abc import Iterator

from recollect.core import chain, chunking, text
from recollect.errors import Corrupt, StoreError
from recollect.flows.engine import Engine
from recollect.flows.ingest import payload
from recollect.flows.spans import Subject, indexed
from recollect.model import Violation
from recollect.store.check import Checks
from recollect.store.database import Database, Tx
from recollect.store.due import OUTBOX, REMINDER, SCHEDULE
from recollect.store.events import ChainRow
from recollect.store.upkeep import Gap


def check(engine: Engine) -> list[Violation]:
    """Every broken promise in the file, in the order found; empty when all is well."""
    engine.store.settle()
    found: list[Violation] = []
    try:
        found += [Violation("file", "", line) for line in engine.store.inspect()]
        with engine.store.read() as tx:
            checks = Checks(tx)
            for space in tx.spaces.numbers():
                found += _readable(_space(tx, checks, space.space, space.name), space.name)
                found += _readable(_contents(checks, space.space, space.name), space.name)
            found += _readable(_index(tx, checks), "")
    except Corrupt as error:
        found.append(Violation("file", "", str(error)))
    return found


def intact(store: Database) -> list[Violation]:
    """The quick part of a check: the hash chain of every session, and nothing derived."""
    with store.read() as tx:
        return [
            violation
            for space in tx.spaces.numbers()
            for session, *_ in Checks(tx).sessions(space.space)
            for violation in _readable(_chain(tx, space.space, space.name, session), space.name)
        ]


def _readable(part: Iterator[Violation], where: str) -> Iterator[Violation]:
    """What one part of the check finds; rows that cannot even be read are a finding as well."""
    try:
        yield from part
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - nothing is known about a damaged row
        yield Violation("file", where, f"rows cannot be read: {error!r}")


def _space(tx: Tx, checks: Checks, space: int, name: str) -> Iterator[Violation]:
    for session, events, last, counted, highest in checks.sessions(space):
        if (events, last) != (counted, highest):
            detail = f"it counts {events} events up to {last}, there are {counted} up to {highest}"
            yield Violation("session", f"{name}/{session}", detail)
        yield from _chain(tx, space, name, session)
    for session, seq in checks.orphan_events(space):
        yield Violation("event", f"{name}/{session}", f"event {seq} belongs to no session")
    for entry, names in checks.nameless(space):
        yield Violation("entry", f"{name}/{entry}", f"it has {names} canonical names")
    for alias, entry in checks.dangling_names(space):
        yield Violation("name", f"{name}/{alias}", f"it leads to entry {entry}, which is gone")
    for chunk in checks.stray_chunks(space):
        yield Violation("chunk", f"{name}/{chunk}", "its session or entry is gone")
    for chunk in checks.stray_vectors(space):
        yield Violation("embedding", f"{name}/{chunk}", "its chunk is gone")
    documents, tokens, counted, summed = checks.statistics(space)
    if (documents, tokens) != (counted, summed):
        detail = f"{documents} chunks and {tokens} words counted, {counted} and {summed} there"
        yield Violation("statistics", name, detail)
    yield from _due(tx, space, name)


def _contents(checks: Checks, space: int, name: str) -> Iterator[Violation]:
    """Entries and documents carry no digest of their own; their chunks do."""
    held: dict[int, list[bytes]] = {}
    for owner, hash, said in checks.spans(space):
        if text.digest(said) != hash:
            yield Violation("chunk", name, f"the text of a chunk was changed: {said[:40]!r}")
        if owner is not None:
            held.setdefault(owner, []).append(hash)
    for owner, content in checks.contents(space):
        if [piece.hash for piece in chunking.chunks(content)] != held.get(owner, []):
            yield Violation("entry", f"{name}/{owner}", "its content differs from its chunks")


def _due(tx: Tx, space: int, name: str) -> Iterator[Violation]:
    """What polls look at has to agree with the schedules and reminders themselves."""
    listed = tx.due.listed(space)
    for kind in (SCHEDULE, REMINDER, OUTBOX):
        earliest = tx.due.earliest(space, kind)
        if listed.get(kind) != earliest:
            detail = f"the next {kind} is due at {earliest}, polls are told {listed.get(kind)}"
            yield Violation("due", name, detail)


def _chain(tx: Tx, space: int, name: str, session: str) -> Iterator[Violation]:
    """Follow the hash chain: a lost tail or a flipped bit breaks it, upkeep does not."""
    secret = tx.spaces.counters(space).secret
    link = chain.START
    where = f"{name}/{session}"
    left: list[ChainRow | Gap] = [*tx.events.chain(space, session)]
    left += tx.upkeep.gaps(space, session)
    for row in sorted(left, key=lambda each: each.seq):
        if isinstance(row, ChainRow) and row.digest != chain.digest(secret, _said(row)):
            yield Violation("chain", where, f"the payload of event {row.seq} was changed")
        link = chain.link(link, row.seq, row.digest)
        if link != row.link:
            yield Violation("chain", where, f"event {row.seq} does not follow the one before it")
            link = row.link
    head = tx.sessions.head(space, session)
    if head is not None and head.link != link:
        yield Violation("chain", where, f"the log ends before its head, seq {head.last_seq}")


def _said(row: ChainRow) -> bytes:
    return payload(row.kind, row.role, row.content, row.body, row.origin, row.at, row.importance)


def _index(tx: Tx, checks: Checks) -> Iterator[Violation]:
    """Compare the keyword index with the texts, both ways."""
    rows: set[int] = set()
    for space in tx.spaces.numbers():
        for item in checks.texts(space.space):
            rows.add(item.row)
            where = f"{space.name}/{item.chunk}"
            subject = Subject(item.kind, None, None, "", item.author, "", 0)
            if indexed(subject, item.part, item.text).terms != item.terms:
                yield Violation("index", where, "its stems differ from its text")
            elif not checks.is_indexed(space.space, item):
                yield Violation("index", where, "the keyword index does not hold its words")
    for row in set(checks.indexed_rows()) ^ rows:
        yield Violation("index", f"row {row}", "index and chunks disagree about it")
