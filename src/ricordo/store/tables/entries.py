"""Entries: named memory with aliases, tags and everything it said before."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from unicodedata import normalize

from ricordo.model import Entry, Kind, Origin, Revision
from ricordo.store.codec import end_of_prefix, loads, moment
from ricordo.store.seals import seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx


def _spell(name: str) -> list[str]:
    """The name as it is given, then in the other forms of Unicode that are equal to it."""
    if name.isascii():
        return [name]
    return list(dict.fromkeys((name, normalize("NFC", name), normalize("NFD", name))))


class EntryRow(NamedTuple):
    """An entry as it stands in its table; names are kept apart."""

    id: int
    uid: str
    kind: str
    category: str
    content: str
    tags: str
    concept_tags: str
    origin: str
    source: str
    importance: float
    metadata: str
    created_at: int
    updated_at: int
    expires_at: int | None
    since: int
    pin: int = 0
    mute: int = 0
    embed_name: int = 1


class PastEntryRow(NamedTuple):
    """What an entry said at a time, as it is recalled."""

    entry: int
    name: str
    kind: str
    category: str
    content: str
    tags: str
    concept_tags: str
    origin: str
    metadata: str
    since: int
    expires_at: int | None
    embed_name: int


class EntryFilter(NamedTuple):
    """Which entries to list."""

    kind: str | None
    category: str | None
    tags: tuple[str, ...] | None
    prefix: str | None
    now: int
    limit: int
    before: tuple[int, int] | None = None
    offset: int = 0
    without: frozenset[int] = frozenset()
    among: frozenset[int] | None = None  # numbers; None for all


class Entries:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def insert(self, space: int, row: EntryRow) -> None:
        self._tx.rows("entries.insert", space=space, **seal_row("entries", row._asdict()))
        self._tx.metadata.put_entry(space, row.id, row.metadata)

    def update(self, space: int, row: EntryRow) -> None:
        self._tx.rows("entries.update", space=space, **seal_row("entries", row._asdict()))
        self._tx.metadata.replace_entry(space, row.id, row.metadata)

    def touch(self, space: int, entry: int, at: int) -> None:
        self._tx.rows("entries.touch", space=space, id=entry, updated_at=at)

    def row(self, space: int, entry: int) -> EntryRow | None:
        row = self._tx.row("entries.by_id", space=space, id=entry)
        return EntryRow(*row) if row else None

    def by_uid(self, space: int, uid: str) -> int | None:
        row = self._tx.row("entries.by_uid", space=space, uid=uid)
        return int(row[0]) if row else None

    def get(self, space: int, name: str, entry: int) -> Entry | None:
        """The whole entry; `name` is the name of the space."""
        return next(iter(self.several(space, name, [entry])), None)

    def several(self, space: int, name: str, entries: Iterable[int]) -> list[Entry]:
        """The whole entries, in the order asked for, without missing ones."""
        asked = list(entries)
        if not asked:
            return []
        rows = self._tx.rows("entries.whole", space=space, ids=json.dumps(asked))
        known = {
            row[0]: _entry(name, EntryRow(*row[:-2]), loads(row[-2] or "[]"), row[-1])
            for row in rows
        }
        return [known[entry] for entry in asked if entry in known]

    def page(self, space: int, page: EntryFilter) -> list[int]:
        """The numbers of a page of entries, found by what leaves the fewest to be read."""
        before_at, before_id = page.before or (None, None)
        values = {
            "space": space,
            "kind": page.kind,
            "now": page.now,
            "limit": page.limit,
            "offset": page.offset,
            "before_at": before_at,
            "before_id": before_id,
            "without": json.dumps([*page.without]) if page.without else None,
        }
        among = self._among(space, page)
        if among is not None:
            listed = json.dumps(sorted(among))
            rows = self._tx.rows(
                "entries.list_among", among=listed, category=page.category, **values
            )
        elif page.category is not None:
            rows = self._tx.rows("entries.list_of", category=page.category, **values)
        else:
            rows = self._tx.rows("entries.list", **values)
        return [row[0] for row in rows]

    def _among(self, space: int, page: EntryFilter) -> set[int] | None:
        """The entries that a filter lists, by tags and prefix too; None where it has neither."""
        found = [] if page.among is None else [set(page.among)]
        if page.prefix is not None:
            found.append(self.find_by_prefix(space, page.prefix))
        for tag in page.tags or ():
            found.append({row[0] for row in self._tx.rows("tags.entries", space=space, tag=tag)})
        return set.intersection(*found) if found else None

    def find_by_prefix(self, space: int, prefix: str) -> set[int]:
        """The entries whose canonical names begin so."""
        beyond = end_of_prefix(prefix)
        rows = self._tx.rows("names.begin", space=space, prefix=prefix, beyond=beyond)
        return {row[0] for row in rows}

    def list_pinned(self, space: int, now: int, limit: int) -> list[int]:
        """The entries that stand in every context, the oldest first."""
        return [r[0] for r in self._tx.rows("entries.pinned", space=space, now=now, limit=limit)]

    def facts(self, space: int, category: str) -> list[str]:
        """The names of the facts of a category."""
        return [r[0] for r in self._tx.rows("entries.facts", space=space, category=category)]

    def resolve(self, space: int, name: str) -> int | None:
        """The entry behind a name, composed or decomposed: both look alike and mean the same."""
        for form in _spell(name):
            if row := self._tx.row("names.resolve", space=space, name=form):
                return int(row[0])
        return None

    def find_spelling(self, space: int, name: str) -> str:
        """The name as it is stored; as it is given if it is not."""
        known = (self._tx.row("names.resolve", space=space, name=form) for form in _spell(name))
        pairs = zip(_spell(name), known, strict=True)
        return next((form for form, row in pairs if row), name)

    def resolve_then(self, space: int, name: str, at: int) -> int | None:
        for form in _spell(name):
            if row := self._tx.row("names.then", space=space, name=form, at=at):
                return int(row[0])
        return None

    def names(self, space: int, entry: int) -> list[str]:
        """The canonical name first, then the aliases."""
        return [row[0] for row in self._tx.rows("names.of", space=space, entry=entry)]

    def add_name(self, space: int, name: str, entry: int, at: int, *, canonical: bool) -> None:
        row = seal_row("names", {"name": name, "entry": entry, "since": at})
        self._tx.rows("names.insert", space=space, canonical=int(canonical), **row)

    def mark_canonical(self, space: int, name: str, canonical: bool) -> None:
        self._tx.rows("names.promote", space=space, name=name, canonical=int(canonical))

    def retire_name(self, space: int, name: str, entry: int, at: int) -> int:
        """Take a name away, remembering from when until when it led here; the latter."""
        row = self._tx.row("names.since", space=space, name=name)
        since = row[0] if row else at
        until = max(at, since)  # a clock may be set back
        self._tx.rows("names.retire", space=space, name=name, entry=entry, since=since, until=until)
        self._tx.rows("names.delete", space=space, name=name)
        return int(until)

    def set_tags(self, space: int, entry: int, tags: Iterable[str]) -> None:
        self._tx.rows("tags.delete_of", space=space, entry=entry)
        self._tx.many("tags.insert", ({"space": space, "tag": t, "entry": entry} for t in tags))

    def keep_revision(self, space: int, name: str, row: EntryRow, until: int) -> None:
        """File what the entry says now as a revision that ends at `until`."""
        values = row._asdict()
        for field in ("id", "uid", "kind", "created_at", "pin", "mute", "embed_name"):
            del values[field]
        number = self.revision(space, row.id)
        values |= {"entry": row.id, "number": number, "name": name, "until": until}
        self._tx.rows("revisions.insert", space=space, **seal_row("revisions", values))

    def revision(self, space: int, entry: int) -> int:
        """The number of what an entry says now; what it said before has the lower ones."""
        found = self._tx.row("revisions.next", space=space, entry=entry)
        assert found is not None
        return int(found[0])

    def revisions(self, space: int, entry: int) -> list[Revision]:
        rows = self._tx.rows("revisions.list", space=space, entry=entry)
        return [_revision(row) for row in rows]

    def then(self, space: int, name: str, entry: int, at: int) -> Entry | None:
        """The entry as it stood at a time in the past."""
        row = self.row(space, entry)
        if row is None or row.created_at > at:
            return None
        held = [each[0] for each in self._tx.rows("names.of_then", space=space, entry=entry, at=at)]
        if row.since <= at:
            names = _first(self.names(space, entry)[0], held)
            return _entry(name, row, names, self.revision(space, entry))
        old = self._tx.row("revisions.then", space=space, entry=entry, at=at)
        if old is None:
            return None
        fields = ("category", "content", "tags", "concept_tags", "origin", "source", "importance")
        rest = ("metadata", "updated_at", "expires_at")
        past = row._replace(**dict(zip(fields + rest, old[1:-1], strict=True)))
        return _entry(name, past, _first(old[0], held), old[-1])

    def list_then(self, space: int, at: int) -> list[PastEntryRow]:
        """What entries said at a time that say something else now, and are not muted."""
        rows = self._tx.rows("revisions.all_then", space=space, at=at)
        return list({row[0]: PastEntryRow(*row) for row in rows}.values())

    def several_then(self, space: int, name: str, entries: Iterable[int], at: int) -> list[Entry]:
        """The entries as they stood at a time, those that did."""
        found = (self.then(space, name, entry, at) for entry in entries)
        return [entry for entry in found if entry is not None]

    def delete(self, space: int, entry: int) -> dict[str, int]:
        """Delete the entry with its names, tags and revisions; what went, by table."""
        removed = {
            "entries": 1,
            "names": len(self.names(space, entry)),
            "revisions": len(self.revisions(space, entry)),
        }
        for query in ("names.delete_of", "names.delete_past", "tags.delete_of"):
            self._tx.rows(query, space=space, entry=entry)
        self._tx.rows("revisions.delete_of", space=space, entry=entry)
        self._tx.metadata.delete_entry(space, entry)
        self._tx.rows("entries.delete", space=space, id=entry)
        return removed

    def list_expired(self, space: int, now: int) -> list[int]:
        return [row[0] for row in self._tx.rows("entries.expired", space=space, now=now)]


def _first(canonical: str, names: Iterable[str]) -> list[str]:
    """The names of an entry, each once, the canonical one first."""
    return list(dict.fromkeys([canonical, *names]))


def _entry(space: str, row: EntryRow, names: Sequence[str], revision: int) -> Entry:
    return Entry(
        space=space,
        id=row.id,
        uid=row.uid,
        name=names[0],
        aliases=tuple(names[1:]),
        kind=cast(Kind, row.kind),
        category=row.category,
        content=row.content,
        tags=tuple(loads(row.tags)),
        concept_tags=tuple(loads(row.concept_tags)),
        origin=cast(Origin, row.origin),
        source=row.source,
        importance=row.importance,
        metadata=loads(row.metadata),
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
        expires_at=None if row.expires_at is None else moment(row.expires_at),
        pin=bool(row.pin),
        mute=bool(row.mute),
        embed_name=bool(row.embed_name),
        revision=revision,
    )


def _revision(row: tuple[Any, ...]) -> Revision:
    number, name, category, content, tags, origin, source, importance, metadata, since, until = row
    return Revision(
        number=number,
        name=name,
        category=category,
        content=content,
        tags=tuple(loads(tags)),
        origin=origin,
        source=source,
        importance=importance,
        metadata=loads(metadata),
        since=moment(since),
        until=moment(until),
    )
