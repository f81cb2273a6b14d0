"""Remember: entries and their names, each write in one transaction with its revision."""

import os
from datetime import datetime
from typing import Any

from ricordo.core.integrity import ids
from ricordo.core.learning import concepts
from ricordo.errors import Conflict, NameTaken
from ricordo.flows.engine import Engine, check_name
from ricordo.flows.writing.append import put
from ricordo.flows.writing.chunk_rows import Subject, spans
from ricordo.flows.writing.entry_names import locate
from ricordo.flows.writing.show_writes import show_entries, show_entry_write
from ricordo.flows.writing.unnamed import UNNAMED, find_name
from ricordo.flows.writing.wishes import (
    EntryWish,
    amend_wish,
    checked_wish,
    read_wishes,
    too_many_aliases,
)
from ricordo.model import Entry
from ricordo.store.codec import dumps, loads, micros
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import Placed
from ricordo.store.tables.entries import EntryRow

_KEPT = (  # what an entry keeps if a wish leaves it out
    "category", "tags", "origin", "source", "importance", "metadata", "expires_at", "pin", "mute",
    "embed_name",
)  # fmt: skip


def remember(engine: Engine, space: str, wish: EntryWish) -> Entry:
    """Write an entry: a new one, or the next revision of the one that has the name."""
    return _remember_all(engine, space, [wish])[0]


def remember_many(engine: Engine, space: str, entries: object) -> list[Entry]:
    """Write entries in one transaction: all of them, or none."""
    wishes = read_wishes(entries, engine.settings)
    return _remember_all(engine, space, wishes) if wishes else []


def _remember_all(engine: Engine, space: str, wishes: list[EntryWish]) -> list[Entry]:
    checked = [checked_wish(engine, wish) for wish in wishes]
    now = engine.now()

    def work(tx: Tx) -> list[Entry]:
        number = engine.ensure_space(tx, space)
        written = [_put(tx, number, wish, now) for wish in checked]
        for entry in written:
            _check_alias_count(tx, number, entry, engine.settings.max_aliases)
        return [load(tx, number, space, entry) for entry in written]

    with engine.steps.begin("remember", space=space) as step:
        entries = engine.store.write(work)
        show_entries(step, entries)
    engine.wake()
    return entries


def _put(tx: Tx, space: int, wish: EntryWish, now: int) -> int:
    """Write a checked wish; the number of its entry."""
    at = now if wish.at is None else micros(wish.at)
    uid = ids.uuid7(at, os.urandom(10))
    if wish.name is None:
        name = find_name(tx, space, wish, now, uid) if wish.replace else UNNAMED + uid
        wish = amend_wish(wish, name=name, replace=True)
    known = tx.entries.resolve(space, str(wish.name))
    if known is not None:
        entry = revise(tx, space, known, wish, at)
    elif wish.if_revision:
        raise Conflict(f"there is no entry {wish.name!r} with revision {wish.if_revision}")
    else:
        entry = add(tx, space, wish, at, uid)
    for alias in wish.aliases:
        add_alias(tx, space, entry, alias, now)
    return entry


@show_entry_write("write")
def write(
    engine: Engine, space: str, name: str | int, content: str, if_revision: int | None = None
) -> Entry:
    """Replace the content of an existing entry; all else stays."""
    checked = checked_wish(engine, EntryWish(content, if_revision=if_revision))

    def work(tx: Tx) -> Entry:
        number, entry = locate(tx, space, name)
        row = tx.entries.row(number, entry)
        assert row is not None
        kept = amend_wish(checked, kind=row.kind, name=None, replace=True)
        revise(tx, number, entry, kept, engine.now(), keeps_archive=False)
        return load(tx, number, space, entry)

    found = engine.store.write(work)
    engine.wake()
    return found


def rename(engine: Engine, space: str, name: str | int, new: str, *, keep: bool = False) -> Entry:
    """Give an entry another canonical name; the old one stops resolving unless kept as alias."""
    new = check_name(new, "new name")
    now = engine.now()

    def work(tx: Tx) -> Entry:
        number, entry = locate(tx, space, name)
        move_name(tx, number, entry, new, now, keep=keep)
        return load(tx, number, space, entry)

    found = engine.store.write(work)
    engine.wake()
    return found


def move_name(tx: Tx, space: int, entry: int, new: str, now: int, *, keep: bool = False) -> None:
    """Make a checked name the canonical one of an entry."""
    held = tx.entries.names(space, entry)
    old = held[0]
    if new == old:
        return
    owner = tx.entries.resolve(space, new)
    if owner is not None and owner != entry:
        raise _refuse_name(tx, space, new, owner)
    now = _keep_revision(tx, space, entry, now)
    if keep:
        tx.entries.mark_canonical(space, old, canonical=False)
    else:
        tx.entries.retire_name(space, old, entry, now)
    if new in held:
        tx.entries.mark_canonical(space, new, canonical=True)
    else:
        tx.entries.add_name(space, new, entry, now, canonical=True)
    reindex(tx, space, entry)


def alias(
    engine: Engine, space: str, name: str | int, other: str, *, rebind: bool = False
) -> Entry:
    """Let another name lead to the entry. `rebind` moves an alias that belongs to another one."""
    other = check_name(other, "alias")
    now = engine.now()

    def work(tx: Tx) -> Entry:
        at = now
        number, entry = locate(tx, space, name)
        owner = tx.entries.resolve(number, other)
        if rebind and owner is not None and owner != entry:
            stored = tx.entries.find_spelling(number, other)
            if tx.entries.names(number, owner)[0] == stored:
                raise _refuse_name(tx, number, other, owner)
            at = tx.entries.retire_name(number, stored, owner, now)
        add_alias(tx, number, entry, other, at)
        _check_alias_count(tx, number, entry, engine.settings.max_aliases)
        return load(tx, number, space, entry)

    return engine.store.write(work)


def remove(tx: Tx, space: int, entry: int) -> dict[str, int]:
    """Delete everything an entry left behind; what went, by table."""
    removed = tx.chunks.delete_entry(space, entry)
    removed |= {"signals": tx.signals.delete_of(space, entry)}
    return tx.entries.delete(space, entry) | removed


def title(names: list[str]) -> str:
    """The part of a name that says something; a generated one says nothing."""
    name = names[0]
    return "" if name.startswith(UNNAMED) and ids.is_uuid(name[len(UNNAMED) :]) else name


def add(tx: Tx, space: int, wish: EntryWish, now: int, uid: str | None = None) -> int:
    """A new entry from a checked wish; its number."""
    uid = uid or ids.uuid7(now, os.urandom(10))
    entry = tx.spaces.next_entry(space)
    tx.entries.insert(space, _row(entry, uid, wish, now))
    tx.entries.set_tags(space, entry, wish.tags or ())
    tx.entries.add_name(space, wish.name or UNNAMED + uid, entry, now, canonical=True)
    reindex(tx, space, entry)
    return entry


def _row(entry: int, uid: str, wish: EntryWish, now: int) -> EntryRow:
    return EntryRow(
        id=entry,
        uid=uid,
        kind=wish.kind,
        category="core" if wish.category is None else wish.category,
        content=wish.content,
        tags=dumps(list(wish.tags or ()), "tags"),
        concept_tags=dumps(list(concepts.concepts(wish.content)), "concept tags"),
        origin=wish.origin or "agent",
        source=wish.source or "",
        importance=0.5 if wish.importance is None else wish.importance,
        metadata=dumps(dict(wish.metadata or {}), "metadata"),
        created_at=now,
        updated_at=now,
        expires_at=micros(wish.expires_at) if isinstance(wish.expires_at, datetime) else None,
        since=now,
        pin=int(wish.pin or False),
        mute=int(wish.mute or False),
        embed_name=int(wish.embed_name is not False),
    )


def revise(
    tx: Tx, space: int, entry: int, wish: EntryWish, now: int, *, keeps_archive: bool = True
) -> int:
    """The next revision of an entry; nothing but the time moves if it says the same."""
    old = tx.entries.row(space, entry)
    assert old is not None
    now = _not_before(old, now)
    name = tx.entries.names(space, entry)[0]
    _check_revision(tx, space, old, name, wish)
    if not wish.replace:
        raise NameTaken(f"the name {wish.name!r} exists already; choose another or use write")
    if old.kind == "archive" and keeps_archive:
        raise Conflict(f"{name!r} is an archive and stays as written; choose another name")
    if old.kind != wish.kind:
        raise Conflict(f"{name!r} is a {old.kind}, not a {wish.kind}; choose another name")
    is_over = old.expires_at is not None and old.expires_at <= now
    # An expired entry is written again: its old expiry no longer holds.
    new = _merge(old._replace(expires_at=None) if is_over else old, wish)
    if new == old:
        tx.entries.touch(space, entry, now)
        return entry
    if _says_the_same(new, old):
        tx.entries.update(space, new._replace(updated_at=now))
        if (new.mute, new.embed_name) != (old.mute, old.embed_name):
            reindex(tx, space, entry)
        elif new.expires_at != old.expires_at:
            tx.chunks.expire(space, entry, new.expires_at)
        return entry
    tx.entries.keep_revision(space, name, old, now)
    tx.entries.update(space, new._replace(updated_at=now, since=now))
    tx.entries.set_tags(space, entry, loads(new.tags))
    reindex(tx, space, entry)
    return entry


def _merge(old: EntryRow, wish: EntryWish) -> EntryRow:
    """The old row with what the wish gives; what it leaves out is kept."""
    fresh = _row(old.id, old.uid, wish, old.since)
    given: dict[str, Any] = {"content": fresh.content, "concept_tags": fresh.concept_tags}
    for field in _KEPT:
        if getattr(wish, field) is not None:
            given[field] = getattr(fresh, field)
    return old._replace(**given)


def _says_the_same(new: EntryRow, old: EntryRow) -> bool:
    """Whether only what is done with an entry differs, which makes no revision."""
    same = new._replace(pin=old.pin, mute=old.mute, embed_name=old.embed_name)
    return same._replace(expires_at=old.expires_at) == old


def _check_revision(tx: Tx, space: int, row: EntryRow, name: str, wish: EntryWish) -> None:
    """Refuse a write if somebody else wrote since the caller read."""
    if wish.if_revision is None:
        return
    held = tx.entries.revision(space, row.id)
    if held != wish.if_revision:
        raise Conflict(
            f"{name!r} has revision {held}, not {wish.if_revision}; read it again, then write"
        )


def _keep_revision(tx: Tx, space: int, entry: int, now: int) -> int:
    """A change of name is a change of what the entry says; since when it is."""
    row = tx.entries.row(space, entry)
    assert row is not None
    at = _not_before(row, now)
    tx.entries.keep_revision(space, tx.entries.names(space, entry)[0], row, at)
    tx.entries.update(space, row._replace(updated_at=at, since=at))
    return at


def _not_before(row: EntryRow, now: int) -> int:
    """When a change of an entry is made: a clock may be set back, what is newer stays newer."""
    return max(now, row.updated_at)


def reindex(tx: Tx, space: int, entry: int) -> None:
    """Replace the chunks of an entry by those of what it says now; a muted one has none."""
    row = tx.entries.row(space, entry)
    assert row is not None
    tx.chunks.delete_entry(space, entry)
    if row.mute:
        return
    subject = Subject(
        kind=row.kind,
        session=None,
        entry=entry,
        role="",
        author=title(tx.entries.names(space, entry)),
        origin=row.origin,
        at=row.updated_at,
        expires_at=row.expires_at,
        tags=(*loads(row.tags), *loads(row.concept_tags)),
    )
    put(tx, space, [Placed(row) for row in spans(subject, row.content)])


def add_alias(tx: Tx, space: int, entry: int, alias: str, now: int) -> None:
    """Let a checked name lead to an entry as well."""
    owner = tx.entries.resolve(space, alias)
    stored = tx.entries.find_spelling(space, alias)
    if owner is not None and owner != entry and _is_free(tx, space, owner, stored, now):
        now = tx.entries.retire_name(space, stored, owner, now)
        owner = None
    if owner is None:
        tx.entries.add_name(space, alias, entry, now, canonical=False)
    elif owner != entry:
        raise _refuse_name(tx, space, alias, owner)


def _is_free(tx: Tx, space: int, owner: int, alias: str, now: int) -> bool:
    """Whether a name is only the alias of an entry that has expired."""
    row = tx.entries.row(space, owner)
    is_over = row is not None and row.expires_at is not None and row.expires_at <= now
    return is_over and tx.entries.names(space, owner)[0] != alias


def _check_alias_count(tx: Tx, space: int, entry: int, most: int) -> None:
    if len(tx.entries.names(space, entry)) > most + 1:
        raise too_many_aliases(most)


def _refuse_name(tx: Tx, space: int, name: str, owner: int) -> NameTaken:
    holder = tx.entries.names(space, owner)[0]
    return NameTaken(f"{name!r} already names entry {holder!r}; forget it or choose another")


def load(tx: Tx, space: int, name: str, entry: int) -> Entry:
    found = tx.entries.get(space, name, entry)
    assert found is not None
    return found
