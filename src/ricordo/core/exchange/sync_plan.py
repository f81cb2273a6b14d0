"""Syncing: which file belongs to which entry, and what to do with the two. Pure.

Nothing is decided against a person: what they wrote in a file wins over what an entry says, and
what loses is kept beside it. Only a file that nobody has touched is removed or written over.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ricordo.core.text import markdown
from ricordo.core.text.markdown import NoteFile
from ricordo.model import Entry

NOTHING = "nothing"
WRITE = "write"  # the file follows the entry
TAKE = "take"  # the entry follows the file
CREATE = "create"  # a new entry for a file
CONFLICT = "conflict"  # the entry follows the file, and what it said is kept in a file as well
RESTORE = "restore"  # the file was deleted and comes back
FORGET = "forget"  # the file was deleted and the entry goes too
REMOVE = "remove"  # the entry is gone and the file goes too
DROP = "drop"  # both are gone


class Base(NamedTuple):
    """What was known of a file and its entry when they were last in step."""

    entry: int
    path: str
    hash: bytes  # of the file, empty if it was never written
    state: bytes  # of the entry
    intent: bytes  # of what was being written to the file, empty if nothing was


class FoundFile(NamedTuple):
    """A file as it lies in the folder."""

    path: str
    hash: bytes
    note: NoteFile


class SyncPair(NamedTuple):
    """A file and an entry that belong together, or what there is of them."""

    file: FoundFile | None
    entry: Entry | None
    base: Base | None
    leftover: FoundFile | None = None  # the file's former place, when moving it was cut short


def pairs(
    files: Iterable[FoundFile], entries: Mapping[int, Entry], bases: Mapping[int, Base]
) -> list[SyncPair]:
    """Bring files and entries together: by uid, else by path, else by name."""
    claims, strays = _claims(files, entries, bases)
    paired: dict[int, SyncPair] = {}
    for number in [*entries, *(each for each in bases if each not in entries)]:
        base, claimants = bases.get(number), claims.get(number, [])
        own, leftover = _own(claimants, base)
        strays += [file for file in claimants if file not in (own, leftover)]
        paired[number] = SyncPair(own, entries.get(number), base, leftover)
    named = {name: e.id for e in entries.values() for name in (e.name, *e.aliases)}
    alone = []
    for file in sorted(strays):
        number = named.get(file.note.name or name_of(file.path), 0)
        if number and paired[number].file is None:
            paired[number] = paired[number]._replace(file=file)
        else:
            alone.append(SyncPair(file, None, None))
    return [*paired.values(), *alone]


def _claims(
    files: Iterable[FoundFile], entries: Mapping[int, Entry], bases: Mapping[int, Base]
) -> tuple[dict[int, list[FoundFile]], list[FoundFile]]:
    """Files by the entry that they say, or are known, to belong to; and the others."""
    uids = {entry.uid: entry.id for entry in entries.values()}
    paths = {base.path: base for base in bases.values()}
    claims: dict[int, list[FoundFile]] = {}
    strays: list[FoundFile] = []
    for file in files:
        base = paths.get(file.path)
        number = uids.get((file.note.uid or "").lower())
        # A copy still carries the uid of the original until it is written in full.
        if base is not None and (number is None or file.hash in (base.hash, base.intent)):
            number = base.entry
        (strays if number is None else claims.setdefault(number, [])).append(file)
    return claims, strays


def _own(
    claimants: list[FoundFile], base: Base | None
) -> tuple[FoundFile | None, FoundFile | None]:
    """Which of several files is the entry's own; the others are copies, or left by a move."""
    if base is None:
        return (min(claimants) if claimants else None), None
    home = next((file for file in claimants if file.path == base.path), None)
    moved = [file for file in claimants if file != home and file.hash == base.intent != b""]
    if home is not None and home.hash == base.hash and moved:
        return moved[0], home
    return home or (min(claimants) if claimants else None), None


def decide(pair: SyncPair, state: bytes, *, deletes: bool) -> str:
    """What to do with a pair whose entry is in this state.

    With `deletes` a deleted file takes its entry along.
    """
    file, entry, base = pair.file, pair.entry, pair.base
    is_edited = file is not None and (base is None or file.hash not in (base.hash, base.intent))
    is_changed = base is None or state != base.state
    if entry is None:
        return DROP if file is None else CREATE if is_edited else REMOVE
    if file is None:
        was_there = base is not None and base.hash != b""
        restored = FORGET if deletes and not is_changed else RESTORE
        return restored if was_there else WRITE
    if is_edited and not markdown.agrees(file.note, entry):
        return CONFLICT if is_changed else TAKE
    is_unfinished = base is None or base.intent != b""
    return WRITE if is_edited or is_changed or is_unfinished else NOTHING


def name_of(path: str) -> str:
    """The name that a file without one gives to its entry."""
    return path.partition("/")[2].removesuffix(markdown.SUFFIX)


def follows(path: str, name: str) -> bool:
    """Whether a file is called after a name, perhaps with a number."""
    rest = path.rpartition("/")[2].removesuffix(markdown.SUFFIX).removeprefix(markdown.stem(name))
    return rest == "" or (rest[0] == "-" and rest[1:].isdigit())
