"""The awaitable mirror of `ricordo`: the same handles, names and parameters, for asyncio.

    async with ricordo.aio.open("agent.db") as memory:
        await memory.space("ana").remember("Prefers window seats")

No logic lives here. Every call runs the whole sync method on one thread of a small pool, where
`progress` is called too. Cancelling drops a call that has not started; others run to their end.
"""

from collections.abc import Callable, Generator
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from ricordo.handles import (
    approvals,
    documents,
    dreams,
    exchange,
    files,
    macros,
    records,
    reminders,
    schedules,
)
from ricordo.handles import memory as sync
from ricordo.handles.references import SessionName, SpaceName
from ricordo.mirrors import Calls, Handle, mirror, unwrap
from ricordo.model import Durability, KeyGiven

__all__ = ["Memory", "Opening", "Session", "Space", "open"]


class Opening:
    """A memory that is being opened: await it, or enter it with `async with`."""

    def __init__(self, opened: Callable[[], sync.Memory]) -> None:
        self._opened = opened
        self._memory: Memory | None = None

    def __await__(self) -> Generator[Any, Any, "Memory"]:
        return self._open().__await__()

    async def _open(self) -> "Memory":
        calls = Calls()
        return Memory(await calls.run(self._opened), calls)

    async def __aenter__(self) -> "Memory":
        self._memory = await self._open()
        return self._memory

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._memory is not None:
            await self._memory.close()


def open(
    path: str | Path = ":memory:",
    *,
    embedder: object = None,
    durability: Durability | None = None,
    read_only: bool = False,
    clock: Callable[[], datetime] | None = None,
    config: object = None,
    redact: Callable[[str], str] | None = None,
    keep: bool | None = None,
    key: KeyGiven | None = None,
) -> Opening:
    """Open a memory: a file path, ":memory:", or the URL of an installed backend.

    Without a path, as with ":memory:", it lives in RAM and is forgotten when it is closed or the
    process ends. Nothing is created before the first write; an existing file is opened, one that is
    not a memory is refused untouched. Close it, or use `with`: then one file is left. `embedder` is
    "bundled" (default), "minilm", "multilingual", "hash", "none", "static:/path", a URL, or an
    object with `embed(texts)` and `dim`. With `redact` every text goes through that function before
    it is kept, indexed, embedded or committed. After the first write the keeper does the background
    work (see `Memory.keeper`); `keep=False` leaves it to other processes. Schedules that `config`
    declares are brought in step, each in the space that it names. `key` opens an encrypted file, or
    makes a new one encrypted: 32 bytes, 64 hexadecimal digits, a passphrase, or a function that
    returns one of them.
    """

    def start() -> sync.Memory:
        return sync.open(
            path, embedder=embedder, durability=durability, read_only=read_only, clock=clock,
            config=config, redact=redact, keep=keep, key=key,
        )  # fmt: skip

    return Opening(start)


class Memory(Handle[sync.Memory]):
    """One memory. All data is reached through `space`."""

    def space(self, name: SpaceName) -> "Space":
        """The space of that name; its first write creates it."""
        return Space(self._sync.space(unwrap(name)), self._calls)

    async def rename(self, space: SpaceName, new: str) -> "Space":
        """Give a space another name; its folder in the workspace follows.

        Whoever still uses the old name begins an empty space with it. Tokens, hooks and the
        configuration know spaces by their names: change them as well.
        """
        found = await self._calls.run(lambda: self._sync.rename(unwrap(space), new))
        return Space(found, self._calls)

    spaces = mirror(sync.Memory.spaces)
    drop = mirror(sync.Memory.drop)
    recall = mirror(sync.Memory.recall)
    claim = mirror(sync.Memory.claim)
    finish = mirror(sync.Memory.finish)
    renew = mirror(sync.Memory.renew)
    release = mirror(sync.Memory.release)
    claim_reminders = mirror(sync.Memory.claim_reminders)
    flush = mirror(sync.Memory.flush)
    check = mirror(sync.Memory.check)
    backup = mirror(sync.Memory.backup)
    maintain = mirror(sync.Memory.maintain)
    erase = mirror(sync.Memory.erase)
    copy = mirror(sync.Memory.copy)
    index = mirror(sync.Memory.index)
    stats = mirror(sync.Memory.stats)

    @property
    def keeper(self) -> "Keeper":
        """What this memory does by itself: `status`, `start`, `stop` and `run_due`."""
        return Keeper(self._sync.keeper, self._calls)

    async def close(self) -> None:
        """Finish pending work and leave one file. Closing twice is fine."""
        await self._calls.stop(self._sync.close)

    async def __aenter__(self) -> "Memory":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class Keeper(Handle[sync.Keeper]):
    """Does the background work of a memory. It starts by itself with the first write."""

    start = mirror(sync.Keeper.start)
    stop = mirror(sync.Keeper.stop)
    run_due = mirror(sync.Keeper.run_due)
    run_schedules = mirror(sync.Keeper.run_schedules)
    status = mirror(sync.Keeper.status)


class SpaceSchedules(Handle[schedules.SpaceSchedules]):
    """What a space does at set times; `Space.schedule` adds one."""

    list = mirror(schedules.SpaceSchedules.list)
    get = mirror(schedules.SpaceSchedules.get)
    count = mirror(schedules.SpaceSchedules.count)
    due = mirror(schedules.SpaceSchedules.due)
    claim = mirror(schedules.SpaceSchedules.claim)
    has_worker = mirror(schedules.SpaceSchedules.has_worker)
    update = mirror(schedules.SpaceSchedules.update)
    pause = mirror(schedules.SpaceSchedules.pause)
    resume = mirror(schedules.SpaceSchedules.resume)
    delete = mirror(schedules.SpaceSchedules.delete)
    sync = mirror(schedules.SpaceSchedules.sync)
    runs = mirror(schedules.SpaceSchedules.runs)
    get_run = mirror(schedules.SpaceSchedules.get_run)
    upcoming = mirror(schedules.SpaceSchedules.upcoming)


class SpaceReminders(Handle[reminders.SpaceReminders]):
    """Texts to deliver at a time or on a cue; `Space.remind` adds one."""

    list = mirror(reminders.SpaceReminders.list)
    get = mirror(reminders.SpaceReminders.get)
    claim = mirror(reminders.SpaceReminders.claim)
    deliver = mirror(reminders.SpaceReminders.deliver)
    release = mirror(reminders.SpaceReminders.release)
    due = mirror(reminders.SpaceReminders.due)
    give_out = mirror(reminders.SpaceReminders.give_out)
    put_back = mirror(reminders.SpaceReminders.put_back)
    delete = mirror(reminders.SpaceReminders.delete)


class SpaceDocuments(Handle[documents.SpaceDocuments]):
    """The documents of a space; `Space.ingest` adds one."""

    list = mirror(documents.SpaceDocuments.list)
    get = mirror(documents.SpaceDocuments.get)
    chunks = mirror(documents.SpaceDocuments.chunks)
    ingest_folder = mirror(documents.SpaceDocuments.ingest_folder)


class SpaceDreams(Handle[dreams.SpaceDreams]):
    """What a space learns from its use; `Space.dream` makes a sweep."""

    list = mirror(dreams.SpaceDreams.list)
    get = mirror(dreams.SpaceDreams.get)
    undo = mirror(dreams.SpaceDreams.undo)
    promotions = mirror(dreams.SpaceDreams.promotions)
    signals = mirror(dreams.SpaceDreams.signals)
    consolidate = mirror(dreams.SpaceDreams.consolidate)
    spending = mirror(dreams.SpaceDreams.spending)


class SpaceMacros(Handle[macros.SpaceMacros]):
    """Which tool call usually follows which."""

    list = mirror(macros.SpaceMacros.list)
    get = mirror(macros.SpaceMacros.get)
    learn = mirror(macros.SpaceMacros.learn)
    suggest = mirror(macros.SpaceMacros.suggest)
    use = mirror(macros.SpaceMacros.use)
    delete = mirror(macros.SpaceMacros.delete)


class SpaceApprovals(Handle[approvals.SpaceApprovals]):
    """The user's answers about commands."""

    list = mirror(approvals.SpaceApprovals.list)
    allow = mirror(approvals.SpaceApprovals.allow)
    deny = mirror(approvals.SpaceApprovals.deny)
    verdict = mirror(approvals.SpaceApprovals.verdict)
    is_allowed = mirror(approvals.SpaceApprovals.is_allowed)
    delete = mirror(approvals.SpaceApprovals.delete)


class SpaceFiles(Handle[files.SpaceFiles]):
    """The files of a space."""

    list = mirror(files.SpaceFiles.list)
    read = mirror(files.SpaceFiles.read)
    write = mirror(files.SpaceFiles.write)
    sync = mirror(files.SpaceFiles.sync)
    checkpoint = mirror(files.SpaceFiles.checkpoint)
    checkpoints = mirror(files.SpaceFiles.checkpoints)


class SpaceRecords(Handle[records.SpaceRecords]):
    """The records below a path. Keys and prefixes are given from that path on."""

    put = mirror(records.SpaceRecords.put)
    get = mirror(records.SpaceRecords.get)
    delete = mirror(records.SpaceRecords.delete)
    put_many = mirror(records.SpaceRecords.put_many)
    get_many = mirror(records.SpaceRecords.get_many)
    delete_many = mirror(records.SpaceRecords.delete_many)
    batch = mirror(records.SpaceRecords.batch)
    touch = mirror(records.SpaceRecords.touch)
    delete_expired = mirror(records.SpaceRecords.delete_expired)
    touch_many = mirror(records.SpaceRecords.touch_many)
    list = mirror(records.SpaceRecords.list)
    paths = mirror(records.SpaceRecords.paths)
    recall = mirror(records.SpaceRecords.recall)
    history = mirror(records.SpaceRecords.history)
    erase = mirror(records.SpaceRecords.erase)


class SpaceExchange(Handle[exchange.SpaceExchange]):
    """Export, import, and what changed lately."""

    export = mirror(exchange.SpaceExchange.export)
    changes = mirror(exchange.SpaceExchange.changes)
    import_file = mirror(exchange.SpaceExchange.import_file)


class Space(Handle[sync.Space]):
    """An isolated part of a memory: no data crosses its border."""

    @property
    def name(self) -> str:
        return self._sync.name

    def session(self, name: SessionName) -> "Session":
        """The session of that name; its first event creates it."""
        return Session(self._sync.session(unwrap(name)), self._calls)

    def records(self, *path: str, history: bool = False) -> SpaceRecords:
        """The records below a path: values under keys, for whoever keeps them.

        With `history` a put through this handle keeps what the record said before.
        """
        return SpaceRecords(self._sync.records(*path, history=history), self._calls)

    remember = mirror(sync.Space.remember)
    remember_many = mirror(sync.Space.remember_many)
    get = mirror(sync.Space.get)
    write = mirror(sync.Space.write)
    rename = mirror(sync.Space.rename)
    alias = mirror(sync.Space.alias)
    forget = mirror(sync.Space.forget)
    fact = mirror(sync.Space.fact)
    entries = mirror(sync.Space.entries)
    history = mirror(sync.Space.history)
    recall = mirror(sync.Space.recall)
    explain = mirror(sync.Space.explain)
    context = mirror(sync.Space.context)
    sessions = mirror(sync.Space.sessions)
    stats = mirror(sync.Space.stats)
    ingest = mirror(sync.Space.ingest)
    schedule = mirror(sync.Space.schedule)
    remind = mirror(sync.Space.remind)
    dream = mirror(sync.Space.dream)

    @property
    def schedules(self) -> SpaceSchedules:
        """Its schedules: list, change, pause and delete them, and read their runs."""
        return SpaceSchedules(self._sync.schedules, self._calls)

    @property
    def reminders(self) -> SpaceReminders:
        """Its reminders: list, claim and deliver them."""
        return SpaceReminders(self._sync.reminders, self._calls)

    @property
    def documents(self) -> SpaceDocuments:
        """Its documents: list them and their chunks, or ingest a folder."""
        return SpaceDocuments(self._sync.documents, self._calls)

    @property
    def dreams(self) -> SpaceDreams:
        """Its dreams: list and undo sweeps; signals, promotions and consolidation."""
        return SpaceDreams(self._sync.dreams, self._calls)

    @property
    def macros(self) -> SpaceMacros:
        """Its macros: learn and suggest what follows a tool call."""
        return SpaceMacros(self._sync.macros, self._calls)

    @property
    def approvals(self) -> SpaceApprovals:
        """Its approvals: allow, deny and judge commands."""
        return SpaceApprovals(self._sync.approvals, self._calls)

    @property
    def files(self) -> SpaceFiles:
        """The files of its workspace: read, write, sync and commit them."""
        return SpaceFiles(self._sync.files, self._calls)

    @property
    def exchange(self) -> SpaceExchange:
        """Export it, import into it, or follow its changes."""
        return SpaceExchange(self._sync.exchange, self._calls)


class Session(Handle[sync.Session]):
    """One conversation of a space: a log of events, which grows at its end."""

    @property
    def space(self) -> str:
        return self._sync.space

    @property
    def name(self) -> str:
        return self._sync.name

    append = mirror(sync.Session.append)
    extend = mirror(sync.Session.extend)
    events = mirror(sync.Session.events)
    tail = mirror(sync.Session.tail)
    info = mirror(sync.Session.info)
    create = mirror(sync.Session.create)
    truncate = mirror(sync.Session.truncate)
    replace = mirror(sync.Session.replace)
    edit = mirror(sync.Session.edit)
    recent = mirror(sync.Session.recent)
    delete = mirror(sync.Session.delete)
    erase = mirror(sync.Session.erase)
    close = mirror(sync.Session.close)
    context = mirror(sync.Session.context)
    replay = mirror(sync.Session.replay)
    restore = mirror(sync.Session.restore)
    scratchpad = mirror(sync.Session.scratchpad)
    scratchpad_at = mirror(sync.Session.scratchpad_at)
    write_scratchpad = mirror(sync.Session.write_scratchpad)
    clear_scratchpad = mirror(sync.Session.clear_scratchpad)
    summary = mirror(sync.Session.summary)
    summaries = mirror(sync.Session.summaries)
    write_summary = mirror(sync.Session.write_summary)
    summarize = mirror(sync.Session.summarize)
    compact = mirror(sync.Session.compact)
    expand = mirror(sync.Session.expand)

    async def fork(self, name: str, *, at: int | None = None) -> "Session":
        """A new session with the messages up to the seq `at`, or with all of them.

        Seqs, times and metadata are those of this session; keys and compactions stay behind.
        """
        made = await self._calls.run(lambda: self._sync.fork(name, at=at))
        return Session(made, self._calls)
