"""Check: look for broken promises. It reads everything and changes nothing."""

from collections.abc import Iterator

from ricordo.core.integrity import chain
from ricordo.core.text import chunking, passages
from ricordo.core.text import content as text
from ricordo.errors import Corrupt, StoreError, shorten
from ricordo.flows.engine import Engine
from ricordo.flows.recall.index import is_outdated
from ricordo.flows.recall.make_blocks import find_faults
from ricordo.flows.writing.append import verifies
from ricordo.flows.writing.chunk_rows import FILE, Subject, index_span
from ricordo.flows.writing.document_rows import list_pieces
from ricordo.flows.writing.record_rows import place_chunks
from ricordo.flows.writing.remember import title
from ricordo.model import Event, Violation
from ricordo.store.check import Checks, StoredText
from ricordo.store.codec import FIRST
from ricordo.store.database import Database, Tx
from ricordo.store.seals import Seals
from ricordo.store.tables.due import OUTBOX, REMINDER, SCHEDULE
from ricordo.store.tables.events import ChainRow
from ricordo.store.tables.records import RecordPage
from ricordo.store.tables.upkeep import Gap

_UNLISTED = "conditions on its metadata do not find it; ricordo index lists it again"


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
                found += _readable(_contents(tx, checks, space.space, space.name), space.name)
                found += _readable(_values(checks, space.space, space.name), space.name)
                found += _readable(_seals(tx, space.space, space.name), space.name)
                found += _readable(_times(checks, space.space, space.name), space.name)
                found += _readable(_blocks(tx, space.space, space.name), space.name)
            outdated = [*_readable(_find_outdated_index(tx), "")]
            found += outdated or _readable(_index(tx, checks), "")
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
    for session in checks.backward(space):
        detail = "it was last active before it began; ricordo salvage takes the times of its events"
        yield Violation("session", f"{name}/{session}", detail)
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
    yield from _links(checks, space, name)
    for session, seq, chunk, hash in checks.echoes(space):
        event = tx.events.one(space, (name, session), seq)
        if event is not None and hash not in _hashes(event):
            detail = f"event {seq} does not say what chunk {chunk} holds"
            yield Violation("session", f"{name}/{session}", detail)
    documents, tokens, counted, summed = checks.statistics(space)
    if (documents, tokens) != (counted, summed):
        detail = f"{documents} chunks and {tokens} words counted, {counted} and {summed} there"
        yield Violation("statistics", name, detail)
    yield from _due(tx, space, name)
    yield from _find_unlisted_work(tx, space, name)


def _hashes(event: Event) -> set[bytes]:
    """The chunks that an event can be made of, with the arguments of its tools or without."""
    said = {
        text.extract(event.content, event.tool_calls, arguments=arguments)
        for arguments in (True, False)
    }
    return {piece.hash for words in said for piece in chunking.chunks(words)}


def _links(checks: Checks, space: int, name: str) -> Iterator[Violation]:
    """What rows say of each other, and numbers that would be given twice."""
    for alias in checks.odd_names(space):
        yield Violation("name", f"{name}/{alias}", "it is neither canonical nor an alias")
    for session, chunk in checks.find_unspoken_chunks(space):
        yield Violation("session", f"{name}/{session}", f"no event says what chunk {chunk} holds")
    for chunk in checks.misheard(space):
        yield Violation("chunk", f"{name}/{chunk}", "it names another speaker than its event")
    for chunk in checks.unlike(space):
        yield Violation("chunk", f"{name}/{chunk}", "it differs from what it was made of")
    for document in checks.find_miscounted(space):
        yield Violation("document", f"{name}/{document}", "it counts other chunks than it has")
    for reminder in checks.odd_reminders(space):
        yield Violation("reminder", f"{name}/{reminder}", "it is delivered, and at no time or due")
    for what, next_number, highest in checks.counters(space):
        if next_number <= highest:
            detail = f"the next {what} would be {next_number}, there is one of number {highest}"
            yield Violation("space", name, detail)


def _contents(tx: Tx, checks: Checks, space: int, name: str) -> Iterator[Violation]:
    """Chunks say what their entry or document says, and each what its digest says."""
    held: dict[int, list[bytes]] = {}
    parts: dict[int, list[tuple[object, ...]]] = {}
    for owner, hash, said, kind, *place in checks.spans(space):
        if text.digest(said) != hash:
            yield Violation("chunk", name, f"the text of a chunk was changed: {said[:40]!r}")
        if kind == FILE:
            parts.setdefault(owner, []).append((bytes(hash), *place))
        elif owner is not None:
            held.setdefault(owner, []).append(hash)
    for owner, content in checks.contents(space):
        if [piece.hash for piece in chunking.chunks(content)] != held.get(owner, []):
            yield Violation("entry", f"{name}/{owner}", "its content differs from its chunks")
    for row in tx.records.list(space, RecordPage("", FIRST, values=False)):
        if [item.row.hash for item in place_chunks(row)] != held.get(row.id, []):
            yield Violation("record", f"{name}/{row.id}", "its texts differ from its chunks")
    yield from _documents(tx, space, name, parts)


def _documents(
    tx: Tx, space: int, name: str, parts: dict[int, list[tuple[object, ...]]]
) -> Iterator[Violation]:
    """Chunks of documents are what the cut makes of the text: titles, places and all."""
    outdated = 0
    for row in tx.documents.list_by_prefix(space, ""):
        if row.cut != passages.VERSION:
            outdated += 1
            continue
        meant = [
            (piece.hash, title, passage.start, passage.end)
            for title, passage, piece in list_pieces(row)
        ]
        if meant != parts.get(row.id, []):
            yield Violation("document", f"{name}/{row.id}", "its text differs from its chunks")
    if outdated:
        detail = f"{outdated} documents were cut by another version; run: ricordo maintain"
        yield Violation("document", name, detail)


def _values(checks: Checks, space: int, name: str) -> Iterator[Violation]:
    """Conditions on metadata find what it says."""
    for entry, _ in checks.find_unlisted_entries(space):
        yield Violation("metadata", f"{name}/{entry}", _UNLISTED)
    for session, seq, _ in checks.find_unlisted_events(space):
        yield Violation("metadata", f"{name}/{session}#{seq}", _UNLISTED)


def _seals(tx: Tx, space: int, name: str) -> Iterator[Violation]:
    """What stands in one place only carries a digest of itself."""
    for row in Seals(tx).find_broken(space):
        where = "/".join([name, row.table, *map(str, row.key.values())])
        detail = "it has no seal" if row.is_missing else "the row does not match its seal"
        yield Violation("seal", where, detail)


def _times(checks: Checks, space: int, name: str) -> Iterator[Violation]:
    """Every stored time is one of the calendar; nobody could read another."""
    for row in checks.timeless(space):
        where = "/".join([name, row.table, *map(str, row.key.values())])
        for column in row.wrong:
            told = shorten(row.times[column])
            detail = f"{column} {told} is not a valid time; ricordo salvage puts it right"
            yield Violation("time", where, detail)


def _blocks(tx: Tx, space: int, name: str) -> Iterator[Violation]:
    """Blocks hold what their chunks and vectors give."""
    if not tx.blocks.is_there(space):
        return  # most spaces are small
    for first, detail in find_faults(tx, space):
        yield Violation("block", f"{name}/{first}", f"{detail}; run: ricordo index")


def _due(tx: Tx, space: int, name: str) -> Iterator[Violation]:
    """What polls look at has to agree with the schedules and reminders themselves."""
    listed = tx.due.list_due(space)
    for kind in (SCHEDULE, REMINDER, OUTBOX):
        earliest = tx.due.earliest(space, kind)
        if listed.get(kind) != earliest:
            detail = f"the next {kind} is due at {earliest}, but polls see {listed.get(kind)}"
            yield Violation("due", name, detail)


def _find_unlisted_work(tx: Tx, space: int, name: str) -> Iterator[Violation]:
    """Texts without a vector stand in the table by which they are found, those of a retry too."""
    last, listed = tx.spaces.state(space).last_chunk, tx.pending.list_pending(space)
    models = tx.embeddings.models()
    furthest = max((tx.embeddings.upto(space, model.model) for model in models), default=last)
    if furthest < last and not listed and tx.chunks.count_after(space, furthest):
        detail = f"nothing finds its texts after {furthest} of {last} to embed them"
        yield Violation("pending", name, f"{detail}; run: ricordo index")
    for model in models:
        if tx.embeddings.next_try(space, model.model) is not None and not listed:
            detail = f"nothing finds what failed under {model.fingerprint}; run: ricordo index"
            yield Violation("pending", name, detail)


def _chain(tx: Tx, space: int, name: str, session: str) -> Iterator[Violation]:
    """Follow the hash chain: a lost tail or a flipped bit breaks it, upkeep does not."""
    secret = tx.spaces.secret(space)
    link = chain.START
    where = f"{name}/{session}"
    events = tx.events.chain(space, session)
    gaps = {gap.seq: gap for gap in tx.upkeep.gaps(space, session)}
    for event in events:
        if not verifies(secret, event):
            yield Violation("chain", where, f"the payload of event {event.seq} was changed")
        place = gaps.get(event.seq)  # of what an edited event said first
        if place and event.link != chain.link(place.link, event.seq, event.digest):
            yield Violation("chain", where, f"event {event.seq} was not edited by ricordo")
    left: list[ChainRow | Gap] = [each for each in events if each.seq not in gaps]
    for row in sorted([*left, *gaps.values()], key=lambda each: each.seq):
        link = chain.link(link, row.seq, row.digest)
        if link != row.link:
            yield Violation("chain", where, f"event {row.seq} does not follow the one before it")
            link = row.link
    head = tx.sessions.head(space, session)
    if head is not None and head.link != link:
        yield Violation("chain", where, f"the log ends before its head, seq {head.last_seq}")


def _find_outdated_index(tx: Tx) -> Iterator[Violation]:
    """An index of an older tokenizer differs from the texts, and is not damaged."""
    if is_outdated(tx):
        detail = "it was made by an older tokenizer; run: ricordo maintain"
        yield Violation("index", "", detail)


def _index(tx: Tx, checks: Checks) -> Iterator[Violation]:
    """Compare the keyword index with the texts, both ways."""
    rows: set[int] = set()
    for space in tx.spaces.numbers():
        labels, titles = checks.labels(space.space), _titles(checks, space.space)
        documents = tx.documents.list_by_prefix(space.space, "")
        outdated = {row.id for row in documents if row.cut != passages.VERSION}
        read: list[StoredText] = []  # what agrees with its text
        for item in checks.texts(space.space):
            rows.add(item.row)
            if item.entry in outdated:
                continue  # told above
            where = f"{space.name}/{item.chunk}"
            tags = labels.get(item.entry, ()) if item.entry is not None else ()
            subject = Subject(item.kind, None, None, "", item.author, "", item.at, tags=tags)
            if item.entry is not None and titles.get(item.entry, item.author) != item.author:
                yield Violation("chunk", where, "it has another title than what it belongs to")
            meant = index_span(subject, item.part, item.text)
            if meant.terms != item.terms:
                yield _misread(where, "its stems differ from its text")
            elif meant != (item.words, item.marks, item.calls, item.terms, item.extra):
                yield _misread(where, "what was read out of its text differs from it")
            else:
                read.append(item)
        missing = checks.find_unindexed(space.space, read)
        for item in read:
            if item.row in missing:
                where = f"{space.name}/{item.chunk}"
                yield _misread(where, "the keyword index does not hold its words")
    for row in set(checks.indexed_rows()) ^ rows:
        yield _misread(f"row {row}", "index and chunks disagree about it")


def _misread(where: str, detail: str) -> Violation:
    return Violation("index", where, f"{detail}; run: ricordo index")


def _titles(checks: Checks, space: int) -> dict[int, str]:
    """What the chunks of entries have to be called."""
    return {number: title([name]) for number, name in checks.titles(space)}
