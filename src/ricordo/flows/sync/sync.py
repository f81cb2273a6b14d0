"""Sync: keep the notes of a space and the Markdown files of its workspace in step, both ways.

What was written to which file is remembered in rows: what is about to be written is noted first,
then the file is replaced, then the row says so. After a crash the next sync goes on from there.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ricordo.core.exchange import sync_plan
from ricordo.core.exchange.sync_plan import Base, FoundFile, SyncPair
from ricordo.core.text import markdown
from ricordo.errors import Conflict, InvalidInput, NotFound, shorten
from ricordo.flows.engine import Engine
from ricordo.flows.erasure import erase
from ricordo.flows.files.folder import files_of
from ricordo.flows.files.workspace import NOTES
from ricordo.flows.sync import apply_file
from ricordo.flows.sync.apply_file import SyncFolder, hash_of, state_of
from ricordo.model import Entry, Refusal, Sync
from ricordo.store.database import Tx
from ricordo.store.tables.entries import EntryFilter
from ricordo.store.tables.workspaces import FileRow
from ricordo.workspace.files import LARGEST, Files, fold

KINDS = ("note", "fact")  # archives have files of their own
_EVERYTHING = 2**31


class PendingWrite(NamedTuple):
    """A file about to be written from an entry."""

    entry: Entry
    path: str
    seen: bytes | None  # what lies there, None for nothing
    base: Base | None
    former: FoundFile | None = None  # where it lay before
    what: str = ""  # what to report it as


@dataclass(slots=True)
class SyncReport:
    """What happened so far."""

    done: dict[str, list[str]] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)

    def note(self, what: str, name: str) -> None:
        self.done.setdefault(what, []).append(name)

    def result(self, space: str, folder: Path) -> Sync:
        lists = {what: tuple(sorted(set(names))) for what, names in self.done.items()}
        refused = sorted(self.refused, key=lambda each: each.path)
        return Sync(space, str(folder), refused=tuple(refused), **lists)


def sync(
    engine: Engine, space: str, folder: str | Path | None = None, *, delete: bool = False
) -> Sync:
    """Bring files and entries in step; with `delete` a deleted file takes its entry along."""
    files, place = _choose_folder(engine, space, folder)
    with files.lock():
        files.sweep_up()
        run = _Run(engine, files, place)
        run.go(delete)
    engine.wake()
    return run.report.result(space, files.root)


def _choose_folder(
    engine: Engine, space: str, folder: str | Path | None
) -> tuple[Files, SyncFolder]:
    own = files_of(engine, space)
    if folder is None:
        if own is None:
            raise InvalidInput(
                "this memory has no workspace; set workspace to a folder, or name one to sync"
            )
        return own, SyncFolder(space, "")
    try:
        root = Path(folder).expanduser().resolve()
        root.exists()  # a name that no folder can have fails here
    except (TypeError, ValueError, OSError, RuntimeError) as error:
        raise InvalidInput(f"folder {shorten(folder)} cannot be used: {error}") from error
    if own is not None and root == own.root:
        return own, SyncFolder(space, "")
    if own is not None and root.is_relative_to(own.root.parent):
        raise InvalidInput(f"folder {str(root)!r} is not the one of space {space!r}; leave it out")
    return Files(root), SyncFolder(space, str(root))


class _Run:
    """One sync, with the folder locked."""

    def __init__(self, engine: Engine, files: Files, place: SyncFolder) -> None:
        self.engine = engine
        self.files = files
        self.place = place
        self.report = SyncReport()
        self.writings: list[PendingWrite] = []
        self.taken: set[str] = set()  # paths in use, folded

    def go(self, delete: bool) -> None:
        """Look, decide, let entries follow files, then files follow entries."""
        found, entries, bases = self._files(), *self._read_known()
        refused = {fold(each.path) for each in self.report.refused}
        self.taken = (
            refused | {fold(f.path) for f in found} | {fold(b.path) for b in bases.values()}
        )
        deletes = delete and self.files.exists(NOTES)  # a missing folder was not emptied
        for pair in sync_plan.pairs(found, entries, bases):
            if pair.base is not None and pair.file is None and fold(pair.base.path) in refused:
                continue  # its file is there, but cannot be read
            state = b"" if pair.entry is None else state_of(pair.entry)
            action = sync_plan.decide(pair, state, deletes=deletes)
            try:
                self._follow(action, pair)
            except (InvalidInput, Conflict, NotFound) as error:
                path = pair.file.path if pair.file else pair.base.path if pair.base else NOTES
                self.report.refused.append(Refusal(path, str(error)))
        self._write_files()

    def _files(self) -> list[FoundFile]:
        """Every note in the folder; what cannot be read is reported."""
        scan = self.files.scan(NOTES)
        self.report.refused += scan.refused
        found = []
        largest = min(LARGEST, self.engine.settings.max_text * 4 + 100_000)
        for path in scan.files:
            if not path.endswith(markdown.SUFFIX) or markdown.is_conflict(path):
                continue
            if (told := self.engine.redact_text(path)) != path:
                self.report.refused.append(Refusal(told, "its name holds what is redacted"))
                continue
            try:
                text = self.files.read(path, largest=largest)
                if text is not None:
                    note = apply_file.read(self.engine.redact_text(text))
                    found.append(FoundFile(path, hash_of(text), note))
            except InvalidInput as error:
                self.report.refused.append(Refusal(path, str(error)))
        return found

    def _read_known(self) -> tuple[dict[int, Entry], dict[int, Base]]:
        """The entries that have files, and what is known of those."""
        with self.engine.store.read() as tx:
            number = tx.spaces.number(self.place.space)
            if number is None:
                return {}, {}
            entries = {}
            for kind in KINDS:
                page = EntryFilter(kind, None, None, None, self.engine.now(), _EVERYTHING)
                ids = tx.entries.page(number, page)
                for entry in tx.entries.several(number, self.place.space, ids):
                    entries[entry.id] = entry
            rows = tx.workspaces.of_folder(number, self.place.folder)
        return dict(sorted(entries.items())), {row.entry: Base(*row[:5]) for row in rows}

    def _follow(self, action: str, pair: SyncPair) -> None:
        """Do what an entry has to follow; note what a file has to."""
        steps: dict[str, Callable[[SyncPair], None]] = {
            sync_plan.NOTHING: self._settle,
            sync_plan.WRITE: self._plan,
            sync_plan.RESTORE: partial(self._plan, what="restored"),
            sync_plan.TAKE: self._take,
            sync_plan.CONFLICT: self._conflict,
            sync_plan.CREATE: self._create,
            sync_plan.FORGET: self._forget,
            sync_plan.REMOVE: self._remove,
            sync_plan.DROP: self._drop,
        }
        steps[action](pair)

    def _settle(self, pair: SyncPair) -> None:
        """Nothing but perhaps another place for the file."""
        assert pair.file is not None
        assert pair.base is not None
        if pair.file.path != pair.base.path:
            row = FileRow(*pair.base._replace(path=pair.file.path), self.engine.now())
            self._put([row])
            self.report.note("moved", pair.file.path)

    def _plan(self, pair: SyncPair, what: str = "written") -> None:
        """Note that a file is to be written, and where."""
        entry, file, base = pair.entry, pair.file, pair.base
        assert entry is not None
        if file is None:
            path = self._free_path(entry.name) if base is None else base.path
            writing = PendingWrite(entry, path, None, base, what=what)
        elif self._is_outgrown(file, entry):
            path = self._free_path(entry.name)
            writing = PendingWrite(entry, path, None, base, former=file, what="moved")
        else:
            writing = PendingWrite(entry, file.path, file.hash, base, pair.leftover, what)
        self.writings.append(writing)

    def _is_outgrown(self, file: FoundFile, entry: Entry) -> bool:
        """Whether a file has a name that its entry no longer has."""
        old = file.note.name
        if old in (None, entry.name) or markdown.stem(str(old)) == markdown.stem(entry.name):
            return False
        return sync_plan.follows(file.path, str(old))

    def _take(self, pair: SyncPair) -> None:
        assert pair.entry is not None
        assert pair.file is not None
        entry = apply_file.take(self.engine, self.place, pair.entry, pair.file)
        if entry is not None:
            self._write_back(entry, pair.file)
            self.report.note("revised", entry.name)

    def _conflict(self, pair: SyncPair) -> None:
        """Keep both: the person's text becomes the entry's, and a file keeps what it said."""
        assert pair.entry is not None
        assert pair.file is not None
        day = pair.entry.updated_at.astimezone(UTC).date().isoformat()  # the same after a crash
        text = markdown.render(pair.entry)
        path = markdown.conflict_path(pair.file.path, day, state_of(pair.entry).hex())
        self.files.write(path, text)
        self._take(pair)
        self.report.note("conflicts", path)

    def _create(self, pair: SyncPair) -> None:
        assert pair.file is not None
        entry = apply_file.create(self.engine, self.place, pair.file)
        if pair.base is not None:
            self._drop(pair)  # the entry that it had was forgotten
        self._write_back(entry, pair.file)
        self.report.note("created", entry.name)

    def _write_back(self, entry: Entry, file: FoundFile) -> None:
        base = Base(entry.id, file.path, file.hash, state_of(entry), b"")
        self.writings.append(PendingWrite(entry, file.path, file.hash, base))

    def _forget(self, pair: SyncPair) -> None:
        assert pair.entry is not None
        erase.forget(self.engine, self.place.space, pair.entry.id)
        self._drop(pair)
        self.report.note("forgotten", pair.entry.name)

    def _remove(self, pair: SyncPair) -> None:
        assert pair.file is not None
        if self._hash(pair.file.path) == pair.file.hash:
            self.files.remove(pair.file.path)
            self._drop(pair)
            self.report.note("removed", pair.file.path)

    def _drop(self, pair: SyncPair) -> None:
        base = pair.base
        assert base is not None

        def work(tx: Tx) -> None:
            number = tx.spaces.number(self.place.space)
            if number is not None:
                tx.workspaces.delete(number, self.place.folder, base.entry)

        self.engine.store.write(work)

    def _write_files(self) -> None:
        """Note what is to be written, write it, note that it is."""
        if not self.writings:
            return
        texts = [markdown.render(each.entry) for each in self.writings]
        hashes = [hash_of(text) for text in texts]
        now = self.engine.now()
        self._put(
            FileRow(*_base(each)._replace(intent=hash), now)
            for each, hash in zip(self.writings, hashes, strict=True)
        )
        written = []
        for each, text, hash in zip(self.writings, texts, hashes, strict=True):
            if self._replace(each, text):
                if each.what:
                    self.report.note(each.what, each.path)
                state = state_of(each.entry)
                written.append(FileRow(each.entry.id, each.path, hash, state, b"", now))
        self._put(written)

    def _replace(self, writing: PendingWrite, text: str) -> bool:
        """Write one file, unless somebody else wrote it since: the next sync sees to that."""
        try:
            now = self._hash(writing.path)
            if now not in (writing.seen, hash_of(text)):
                return False
            self.files.write(writing.path, text)
            former = writing.former
            if former is not None and self._hash(former.path) == former.hash:
                self.files.remove(former.path)
        except InvalidInput as error:
            self.report.refused.append(Refusal(writing.path, str(error)))
            return False
        return True

    def _hash(self, path: str) -> bytes | None:
        found = self.files.read_bytes(path)
        return None if found is None else sha256(found).digest()

    def _free_path(self, name: str) -> str:
        stem = markdown.stem(name)
        number = 1
        while fold(path := f"{NOTES}/{markdown.number_stem(stem, number)}") in self.taken:
            number += 1
        self.taken.add(fold(path))
        return path

    def _put(self, rows: Iterable[FileRow]) -> None:
        kept = list(rows)

        def work(tx: Tx) -> None:
            number = self.engine.ensure_space(tx, self.place.space)
            tx.workspaces.put(number, self.place.folder, kept)

        if kept:
            self.engine.store.write(work)


def _base(writing: PendingWrite) -> Base:
    return writing.base or Base(writing.entry.id, writing.path, b"", b"", b"")
