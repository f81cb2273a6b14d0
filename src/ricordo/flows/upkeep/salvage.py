"""Salvage: get every intact row out of a damaged file into a new memory.

The damaged file is only read. Events are verified against their keyed digests; what does not is
left behind and named. Everything derived (chunks, index, due work) is rebuilt, vectors later.
"""

import contextlib
import os
import time
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ricordo import config
from ricordo.core.integrity import chain
from ricordo.core.text import content, passages, tokens
from ricordo.errors import Corrupt, InvalidInput, NotFound
from ricordo.flows.engine import check_name
from ricordo.flows.recall.index import list_again
from ricordo.flows.upkeep.salvage_times import KEPT, mend_times
from ricordo.flows.writing.append import digest_of, put, sameness, verifies
from ricordo.flows.writing.chunk_rows import MESSAGE, Subject, spans
from ricordo.flows.writing.document_rows import cut_document
from ricordo.flows.writing.record_rows import place_chunks
from ricordo.flows.writing.remember import reindex
from ricordo.model import EVENT_KINDS, KINDS, Event, KeyGiven, Salvage
from ricordo.store.check import Checks
from ricordo.store.codec import FIRST, is_time, loads, micros
from ricordo.store.database import Tx
from ricordo.store.salvage_writes import Labels, SalvageWrites, SessionEnd
from ricordo.store.seals import Seals
from ricordo.store.sqlite import salvage as store
from ricordo.store.sqlite.cipher import find_cipher
from ricordo.store.sqlite.driver import SQLite
from ricordo.store.sqlite.key_sources import find_secret
from ricordo.store.tables.chunks import Placed
from ricordo.store.tables.due import OUTBOX, REMINDER, SCHEDULE
from ricordo.store.tables.events import ChainRow
from ricordo.store.tables.records import RecordPage
from ricordo.store.tables.spaces import Numbered
from ricordo.store.tables.upkeep import Gap

NAME = "salvaged-"  # what begins the name of a space or entry whose own is lost
_SECRET_BYTES = 32


@dataclass(slots=True)
class Lost:
    """What stayed behind, in words; and of what was read already, how many rows by table."""

    words: list[str] = field(default_factory=list)
    rows: Counter[str] = field(default_factory=Counter)
    keyless: set[int] = field(default_factory=set)  # spaces whose events can no longer be verified


def salvage(
    damaged: str, new: str, *, arguments: bool = True, key: KeyGiven | None = None
) -> Salvage:
    """Read `damaged` page by page and write what can be read to the new file `new`."""
    if Path(damaged).is_dir():
        raise InvalidInput(f"{damaged!r} is a folder; give the file of the damaged memory in it")
    if not Path(damaged).is_file():
        raise NotFound(f"there is no file {damaged!r}; give the path of the damaged memory")
    if Path(new).exists():
        raise InvalidInput(f"{new} exists already; give a new path for what is saved")
    secret = find_secret(damaged, key, config.load(None).key_file)
    cipher = find_cipher(damaged, secret)
    lost = Lost()
    try:
        found = store.copy_rows(damaged, new, partial(_adopt, lost=lost), cipher)
        if not found.saved:
            raise Corrupt(
                f"nothing in {damaged!r} can be read as a memory, so nothing was saved; give the "
                "path of the damaged memory"
            )
        target = SQLite(new, secret=None if cipher is None else secret)
        try:
            with target.read() as tx:
                spaces = tx.spaces.numbers()
            for space in spaces:
                target.write(partial(_mend, space=space, lost=lost))
                target.write(partial(_derive, space=space, arguments=arguments))
            if spaces:
                target.write(lambda tx: tx.spaces.set_tokenizer(tokens.VERSION))
        finally:
            target.close()
    except BaseException:
        _clear(new)
        raise
    saved = found.saved - found.dropped - lost.rows
    return Salvage(new, dict(sorted(saved.items())), (*_describe_losses(found), *lost.words))


def _clear(new: str) -> None:
    for suffix in ("", "-wal", "-shm", "-head"):
        Path(new + suffix).unlink(missing_ok=True)


def _describe_losses(found: store.Yield) -> list[str]:
    """What the pages themselves say is missing."""
    lines = []
    if found.lost_pages:
        lines.append(f"{found.lost_pages} pages cannot be read")
    if found.bad_frames:
        lines.append(f"{found.bad_frames} pages of the WAL do not verify")
    lines += [f"{count} rows of {table} make no sense" for table, count in found.broken.items()]
    lines += [
        f"{count} rows of {table} belong to something that is lost"
        for table, count in found.dropped.items()
    ]
    return lines


# what rows need that are still there


def _adopt(tx: Tx, spaces: list[int], lost: Lost) -> None:
    """Spaces and sessions that are lost get a row again if something of theirs is left."""
    for space in spaces:
        name = f"{NAME}{space}"
        SalvageWrites(tx, space).found_space(name, os.urandom(32), _now())
        lost.keyless.add(space)
        lost.words.append(f"the name of space {space} is lost; it is {name!r} now")
    SalvageWrites(tx, 0).count_spaces()
    for found in tx.spaces.numbers():
        for session in SalvageWrites(tx, found.space).found_sessions(chain.START):
            lost.words.append(f"{found.name}/{session}: its own row; rebuilt from its events")
        _drop_unsealed(tx, found, lost)
        each = _rename(tx, found, lost)
        for row in mend_times(tx, each, _now()):
            lost.rows[row.table] += row.is_dropped
            lost.words.append(row.words)


def _rename(tx: Tx, space: Numbered, lost: Lost) -> Numbered:
    """A space whose name nobody could ask for gets one that says where it comes from."""
    with contextlib.suppress(InvalidInput):
        if check_name(space.name, "space") == space.name:
            return space
    name = f"{NAME}{space.space}"
    SalvageWrites(tx, space.space).rename_space(name)
    lost.words.append(f"the name of space {space.space} is lost; it is {name!r} now")
    return space._replace(name=name)


def _rekey(tx: Tx, space: Numbered, lost: Lost) -> None:
    """A damaged secret must not cost the log: without it nothing could be verified."""
    mending, secret = SalvageWrites(tx, space.space), tx.spaces.secret(space.space)
    events = (e for end in mending.sessions() for e in tx.events.chain(space.space, end.session))
    if len(secret) == _SECRET_BYTES and any(verifies(secret, event) for event in events):
        return
    mending.rekey_space(os.urandom(_SECRET_BYTES))
    lost.keyless.add(space.space)
    lost.words.append(f"{space.name}: the secret of its log is lost; events are kept as they read")


def _drop_unsealed(tx: Tx, space: Numbered, lost: Lost) -> None:
    """Leave behind rows that differ from their seals, except those that others depend on."""
    seals = Seals(tx)
    broken = list(seals.find_broken(space.space))
    for row in broken:
        where = " ".join([row.table, *map(str, row.key.values())])
        if row.table in KEPT or row.is_missing:  # an older ricordo writes no seals
            seals.renew(space.space, row)
            lost.words.append(f"{space.name}: {where} does not verify; kept as it reads")
        else:
            seals.drop(space.space, row)
            lost.rows[row.table] += 1
            lost.words.append(f"{space.name}: {where} does not verify")
    if any(row.table == "spaces" for row in broken):
        _rekey(tx, space, lost)


def _now() -> int:
    return time.time_ns() // 1_000


# source rows


def _mend(tx: Tx, space: Numbered, lost: Lost) -> None:
    """Make the rows of a space agree with each other again, without inventing anything."""
    mending = SalvageWrites(tx, space.space)
    for end in mending.sessions():
        _log(tx, space, end, lost)
    for entry, names in Checks(tx).nameless(space.space):
        lost.words += _name(tx, space, entry, names)
    for labels in mending.labels():
        lost.words += _entry(tx, space, labels)
    for session in mending.mend_sessions(_now()):
        lost.words.append(f"{space.name}/{session}: its times; taken from its events")
    for entry in mending.mend_entries():
        lost.words.append(f"{space.name}: when entry {entry} was last said")
    mending.recount()
    for kind in (SCHEDULE, REMINDER, OUTBOX):
        tx.due.refresh(space.space, kind)


def _log(tx: Tx, space: Numbered, end: SessionEnd, lost: Lost) -> None:
    """Keep the events that verify and link them again; say where links were missing."""
    secret = tx.spaces.secret(space.space)
    key = None if space.space in lost.keyless else secret
    mending, where = SalvageWrites(tx, space.space), f"{space.name}/{end.session}"
    old = link = chain.START
    last, kept = -1, 0
    rows, edited = _links(tx, space.space, end.session)
    for row in rows:
        is_intact = _is_intact(row, key)
        is_linked = row.seq >= 0 and chain.link(old, row.seq, row.digest) == row.link
        if not is_intact or not (is_linked or _is_in_place(row, rows)):
            mending.drop_event(end.session, row.seq)
            lost.rows["events"] += isinstance(row, ChainRow)
            lost.words.append(f"{where}: event {row.seq} does not verify")
            old = old if is_intact or row.seq < 0 else row.link
            continue
        if not is_linked:
            lost.words.append(f"{where}: events are missing before seq {row.seq}")
        digest = digest_of(secret, row) if key is None and isinstance(row, ChainRow) else row.digest
        old, link, last = row.link, chain.link(link, row.seq, digest), row.seq
        if isinstance(row, ChainRow):
            kept += 1
            mending.relink(end.session, row.seq, digest, link)
        else:
            mending.relink_gap(end.session, row.seq, link)
            event = edited.get(row.seq)
            is_kept = _keep_edited(mending, end.session, event, (key, secret), link)
            kept += is_kept
            if event is not None and not is_kept:
                lost.rows["events"] += 1
                lost.words.append(f"{where}: event {row.seq} does not verify")
    if end.head not in (old, chain.START):
        lost.words.append(f"{where}: events are missing between seq {last} and {end.last_seq}")
    mending.close_session(SessionEnd(end.session, last, link), kept)


def _is_intact(row: ChainRow | Gap, key: bytes | None) -> bool:
    """Whether an event is what it was; one that nothing verifies has at least to be readable."""
    if row.seq < 0 or isinstance(row, Gap):
        return row.seq >= 0
    if key is not None:
        return verifies(key, row)
    return is_time(row.at) and row.kind in EVENT_KINDS and _readable(row.body or "{}", dict)


def _is_in_place(row: ChainRow | Gap, rows: list[ChainRow | Gap]) -> bool:
    """False if a flipped bit of its seq moved an event: its link tells where it belongs."""
    others = [each for each in rows if each is not row and each.seq >= 0]
    for bit in range(63):
        seq = row.seq ^ 1 << bit
        place = bisect_left(others, seq, key=lambda each: each.seq)
        before = others[place - 1].link if place else chain.START
        if chain.link(before, seq, row.digest) == row.link:
            return False
    return True


def _keep_edited(
    mending: SalvageWrites,
    session: str,
    event: ChainRow | None,
    keys: tuple[bytes | None, bytes],
    place: bytes,
) -> bool:
    """Link an edited event to the place of what it said first, if it is what it was."""
    if event is None:
        return False
    key, secret = keys
    if not _is_intact(event, key):
        mending.drop_edited(session, event.seq)
        return False
    digest = digest_of(secret, event) if key is None else event.digest
    mending.relink(session, event.seq, digest, chain.link(place, event.seq, digest))
    return True


def _links(tx: Tx, space: int, session: str) -> tuple[list[ChainRow | Gap], dict[int, ChainRow]]:
    """What the chain of a session runs over, and edited events, whose places are in it."""
    gaps = tx.upkeep.gaps(space, session)
    places = {gap.seq for gap in gaps}
    events = tx.events.chain(space, session)
    left: list[ChainRow | Gap] = [*gaps, *(each for each in events if each.seq not in places)]
    edited = {each.seq: each for each in events if each.seq in places}
    return sorted(left, key=lambda each: each.seq), edited


def _name(tx: Tx, space: Numbered, entry: int, names: int) -> list[str]:
    """Exactly one canonical name: the first that is there, or one that says where it comes from."""
    known = tx.entries.names(space.space, entry)
    if names == 0 and known:
        tx.entries.mark_canonical(space.space, known[0], canonical=True)
        return [f"{space.name}: the name of entry {entry}; it is {known[0]!r} now"]
    if names == 0:
        given = f"{NAME}{entry}"
        tx.entries.add_name(space.space, given, entry, _now(), canonical=True)
        return [f"{space.name}: the name of entry {entry}; it is {given!r} now"]
    for name in known[1:]:
        tx.entries.mark_canonical(space.space, name, canonical=False)
    return []


def _entry(tx: Tx, space: Numbered, labels: Labels) -> list[str]:
    """A kind, tags and metadata that cannot be read are lost; the entry is not."""
    mended = Labels(
        labels.entry,
        labels.kind if labels.kind in KINDS else KINDS[0],
        labels.tags if _is_list(labels.tags) else "[]",
        labels.concept_tags if _is_list(labels.concept_tags) else "[]",
        labels.metadata if _readable(labels.metadata, dict) else "{}",
    )
    if mended != labels:
        SalvageWrites(tx, space.space).relabel(mended)
    tx.entries.set_tags(space.space, labels.entry, loads(mended.tags))
    return (
        []
        if mended == labels
        else [f"{space.name}: kind, tags or metadata of entry {labels.entry}"]
    )


def _is_list(said: str) -> bool:
    return _readable(said, list) and all(isinstance(each, str) for each in loads(said))


def _readable(said: str, shape: type) -> bool:
    try:
        return isinstance(loads(said), shape)
    except Corrupt:
        return False


# what is derived


def _derive(tx: Tx, space: Numbered, arguments: bool) -> None:
    """Chunks and index rows of everything that can be searched."""
    mending = SalvageWrites(tx, space.space)
    for end in mending.sessions():
        events = tx.events.after(space.space, (space.name, end.session))
        _speak(tx, space.space, [event for event in events if event.kind == MESSAGE], arguments)
    list_again(tx, space.space)
    for labels in mending.labels():
        reindex(tx, space.space, labels.entry)
    for record in tx.records.list(space.space, RecordPage("", FIRST, values=False)):
        put(tx, space.space, place_chunks(record))
    for row in tx.documents.list_by_prefix(space.space, ""):
        if not _is_list(row.tags):
            row = row._replace(tags="[]")
            tx.documents.put(space.space, row)
        placed = cut_document(row)
        put(tx, space.space, placed)
        mending.count_chunks(row.id, len(placed), passages.VERSION)
        tx.entries.set_tags(space.space, row.id, loads(row.tags))


def _speak(tx: Tx, space: int, events: list[Event], arguments: bool) -> None:
    """The chunks of a session; a text that is said again on that day widens its chunk."""
    fresh: dict[tuple[bytes, int], Placed] = {}
    for event in events:
        if not event.index:
            continue
        words = content.extract(event.content, event.tool_calls, arguments=arguments)
        subject = Subject(
            MESSAGE, event.session, None, event.role, event.name or "", event.origin,
            micros(event.at),
        )  # fmt: skip
        for chunk in spans(subject, words):
            known = fresh.get(sameness(chunk), Placed(chunk, event.seq, event.seq))
            fresh[sameness(chunk)] = known._replace(seq_end=event.seq)
    put(tx, space, list(fresh.values()))
