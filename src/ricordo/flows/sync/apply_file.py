"""Apply file: what an edited or new file does to its entry, each in one transaction."""

from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from ricordo.core.exchange.sync_plan import FoundFile, name_of
from ricordo.core.integrity import erasure_digests
from ricordo.core.learning import fact_keys
from ricordo.core.text import markdown, tags
from ricordo.core.text.markdown import NoteFile
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine, check_name
from ricordo.flows.writing import entry_names, remember
from ricordo.flows.writing import facts as fact_flow
from ricordo.flows.writing.wishes import EntryWish, amend_wish, checked_wish
from ricordo.model import Entry
from ricordo.store.database import Tx
from ricordo.store.tables.workspaces import FileRow

ORIGIN = "user"  # a file is edited by a person
_MIRRORED = ("note", "fact")


class SyncFolder(NamedTuple):
    """The files of a space in a folder, as rows are filed under."""

    space: str
    folder: str  # '' for the space's own


def read(text: str) -> NoteFile:
    """What a file says, in the form in which entries say it."""
    note = markdown.parse(text)
    return note if note.tags is None else replace(note, tags=tags.normalise(note.tags))


def hash_of(text: str) -> bytes:
    return sha256(text.encode()).digest()


def state_of(entry: Entry) -> bytes:
    return hash_of(markdown.text_of(entry))


def take(engine: Engine, place: SyncFolder, entry: Entry, file: FoundFile) -> Entry | None:
    """Let an entry follow its file; None if it has changed since it was looked at."""
    note = file.note
    _refuse_other_kind(entry, note)
    aliases = None if note.aliases is None else [check_name(each, "alias") for each in note.aliases]
    wish = _wish(engine, file, EntryWish(note.content, kind=entry.kind, category=note.category))
    now = engine.now()

    def work(tx: Tx) -> Entry | None:
        number, found = entry_names.locate(tx, place.space, entry.id)
        if state_of(_load(tx, number, place, found)) != state_of(entry):
            return None
        if note.name is not None:
            remember.move_name(tx, number, found, check_name(note.name, "name"), now)
        remember.revise(tx, number, found, wish, now)
        if aliases is not None:
            _set_aliases(tx, number, found, aliases, now)
        return _note_in_step(tx, number, place, _load(tx, number, place, found), file, now)

    return engine.store.write(work)


def create(engine: Engine, place: SyncFolder, file: FoundFile) -> Entry:
    """Make an entry of a new file; a name that is taken gives way to the file's own."""
    note = file.note
    if note.kind not in (None, *_MIRRORED):
        raise InvalidInput(f"its kind is {note.kind!r}; a file is one of {', '.join(_MIRRORED)}")
    kind = note.kind or "note"
    wish = _wish(engine, file, EntryWish(note.content, kind=kind, category=note.category))
    wanted = check_name(note.name or name_of(file.path), "name")
    aliases = [check_name(each, "alias") for each in note.aliases or ()]
    now = engine.now()

    def work(tx: Tx) -> Entry:
        number = engine.ensure_space(tx, place.space)
        _refuse_erased(tx, number, note)
        if kind == "fact":
            told = _fact(tx, number, wish, wanted)
        else:
            told = amend_wish(wish, name=_free_name(tx, number, wanted, file.path))
        entry = remember.add(tx, number, told, now)
        for alias in aliases:
            if tx.entries.resolve(number, alias) is None:
                remember.add_alias(tx, number, entry, alias, now)
        return _note_in_step(tx, number, place, _load(tx, number, place, entry), file, now)

    return engine.store.write(work)


def _wish(engine: Engine, file: FoundFile, wish: EntryWish) -> EntryWish:
    told = amend_wish(wish, tags=file.note.tags, origin=ORIGIN, source=file.path)
    return checked_wish(engine, told)


def _refuse_other_kind(entry: Entry, note: NoteFile) -> None:
    if note.kind not in (None, entry.kind):
        raise InvalidInput(f"its kind is {note.kind!r}, but the entry is a {entry.kind}")
    is_moved = note.name not in (None, entry.name) or note.category not in (None, entry.category)
    if entry.kind == "fact" and is_moved:
        raise InvalidInput(
            f"it is the fact {entry.name!r}, whose name and category are its address; "
            "state another fact instead"
        )


def _refuse_erased(tx: Tx, space: int, note: NoteFile) -> None:
    """A file that was ours once does not bring back what was erased; a person's own may say it."""
    if note.uid is None:
        return
    key = tx.spaces.secret(space)
    buried = (erasure_digests.of_uid(key, note.uid), erasure_digests.of_content(key, note.content))
    if any(tx.tombstones.holds(space, digest) for digest in buried):
        raise InvalidInput("it holds what was erased; remove the file, or its uid to keep it")


def _fact(tx: Tx, space: int, wish: EntryWish, name: str) -> EntryWish:
    category, separator, key = name.partition("/")
    if wish.category is not None and name.startswith(f"{wish.category}/"):
        category, separator, key = wish.category, "/", name[len(wish.category) + 1 :]
    if not separator or not category.strip() or not key.strip():
        raise InvalidInput(f"its kind is 'fact', but its name {name!r} is not 'category/key'")
    told = fact_flow.name_of(category, fact_keys.key(key))
    if tx.entries.resolve(space, told) is not None:
        raise InvalidInput(f"the fact {told!r} has a file already; keep one of the two")
    return amend_wish(wish, name=told, category=category)


def _free_name(tx: Tx, space: int, wanted: str, path: str) -> str:
    """The name wanted, else that of the file, else the first with a number that is free."""
    base = name_of(path)
    tries = [wanted, base, *(f"{base}-{number}" for number in range(2, 10_000))]
    return next(name for name in tries if tx.entries.resolve(space, name) is None)


def _set_aliases(tx: Tx, space: int, entry: int, aliases: list[str], now: int) -> None:
    canonical, *had = tx.entries.names(space, entry)
    for alias in aliases:
        if alias != canonical:
            remember.add_alias(tx, space, entry, alias, now)
    for alias in had:
        if alias not in aliases:
            tx.entries.retire_name(space, alias, entry, now)


def _note_in_step(
    tx: Tx, space: int, place: SyncFolder, entry: Entry, file: FoundFile, now: int
) -> Entry:
    """Note that the entry is what the file says; the file still has to be written in full."""
    intent = hash_of(markdown.render(entry))
    row = FileRow(entry.id, file.path, file.hash, state_of(entry), intent, now)
    tx.workspaces.put(space, place.folder, [row])
    return entry


def _load(tx: Tx, space: int, place: SyncFolder, entry: int) -> Entry:
    found = tx.entries.get(space, place.space, entry)
    assert found is not None
    return found
