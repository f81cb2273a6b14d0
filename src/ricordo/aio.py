"""The awaitable mirror of `ricordo`: the same handles, names and parameters, for asyncio.

    async with ricordo.aio.open("agent.db") as memory:
        await memory.space("ana").remember("Prefers window seats")

No logic lives here. Every call runs the whole sync method in one hop on a small pool of threads.
Cancelling a call that has not begun takes it back; one that has begun runs to its end, so nothing
is left half done. A `progress` callback is called on the thread that does the work.
"""

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from ricordo.handles import memory as sync

__all__ = ["Memory", "Opening", "Session", "Space", "open"]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Mirrored = TypeVar("Mirrored", covariant=True)  # a space is also what it is made of
Awaited = Coroutine[Any, Any, Result]  # Any: what an event loop sends is its own affair

WORKERS = 8  # enough for writers to share a commit, few enough to be cheap


class Calls:
    """The threads that calls run on, until they are stopped."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(WORKERS, "ricordo-aio")
        self._is_stopped = False

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run `work` on a thread, with the context variables of the caller."""
        # Once stopped, the loop's own threads take over: the closed memory itself refuses the call.
        context = contextvars.copy_context()
        pool = None if self._is_stopped else self._pool
        return await asyncio.get_running_loop().run_in_executor(pool, context.run, work)

    async def stop(self, last: Callable[[], None]) -> None:
        """Let everything finish, then do one last thing, even if the caller is cancelled."""
        self._is_stopped = True

        def finish() -> None:
            self._pool.shutdown()  # whoever stops it a second time waits as well
            last()

        await asyncio.shield(asyncio.to_thread(finish))


class Handle(Generic[Mirrored]):
    """A sync handle and the threads to use it on."""

    def __init__(self, mirrored: Mirrored, calls: Calls) -> None:
        self._sync = mirrored
        self._calls = calls


def mirror(
    method: Callable[Concatenate[Mirrored, Parameters], Result],
) -> Callable[Concatenate[Handle[Mirrored], Parameters], Awaited[Result]]:
    """Make the awaitable twin of a sync method: same parameters, same docstring."""

    @functools.wraps(method)
    async def call(
        handle: Handle[Mirrored], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Result:
        # Looked up on the handle, not taken from its class: a memory may redact what it is given.
        bound: Callable[Parameters, Result] = getattr(handle._sync, method.__name__)
        return await handle._calls.run(lambda: bound(*args, **kwargs))

    return call


class Opening:
    """A memory about to be open: await it, or enter it with `async with`."""

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
    durability: str | None = None,
    read_only: bool = False,
    clock: Callable[[], datetime] | None = None,
    config: object = None,
    redact: Callable[[str], str] | None = None,
) -> Opening:
    """Open a memory: a file path, ":memory:", or the URL of an installed backend.

    Nothing is created before the first write. `embedder` is "bundled" (default), "minilm",
    "multilingual", "hash", "none", "static:/path", a URL, or an object with `embed(texts)` and
    `dim`. With `redact` every text goes through that function before it is kept, indexed,
    embedded or committed.
    """
    return Opening(
        lambda: sync.open(
            path,
            embedder=embedder,
            durability=durability,
            read_only=read_only,
            clock=clock,
            config=config,
            redact=redact,
        )
    )


class Memory(Handle[sync.Memory]):
    """One memory. The only way to its data is `space`."""

    def space(self, name: str) -> "Space":
        """The space of that name; it comes into being with its first write."""
        return Space(self._sync.space(name), self._calls)

    spaces = mirror(sync.Memory.spaces)
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

    async def close(self) -> None:
        """Finish what is under way and leave one file. Closing twice is fine."""
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


class Filed(Handle[sync.Space]):
    """What a space keeps in files; apart, because its `sync` would hide the module of that name."""

    files = mirror(sync.Space.files)
    read_file = mirror(sync.Space.read_file)
    write_file = mirror(sync.Space.write_file)
    checkpoint = mirror(sync.Space.checkpoint)
    checkpoints = mirror(sync.Space.checkpoints)
    sync = mirror(sync.Space.sync)


class Space(Filed):
    """An isolated part of a memory: nothing crosses into or out of it."""

    @property
    def name(self) -> str:
        return self._sync.name

    def session(self, name: str) -> "Session":
        """The session of that name; it comes into being with its first event."""
        return Session(self._sync.session(name), self._calls)

    remember = mirror(sync.Space.remember)
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
    sessions = mirror(sync.Space.sessions)
    signals = mirror(sync.Space.signals)
    stats = mirror(sync.Space.stats)
    ingest = mirror(sync.Space.ingest)
    ingest_folder = mirror(sync.Space.ingest_folder)
    documents = mirror(sync.Space.documents)
    consolidate = mirror(sync.Space.consolidate)
    spending = mirror(sync.Space.spending)
    schedule = mirror(sync.Space.schedule)
    get_schedule = mirror(sync.Space.get_schedule)
    schedules = mirror(sync.Space.schedules)
    count_schedules = mirror(sync.Space.count_schedules)
    due_schedules = mirror(sync.Space.due_schedules)
    update_schedule = mirror(sync.Space.update_schedule)
    pause = mirror(sync.Space.pause)
    resume = mirror(sync.Space.resume)
    unschedule = mirror(sync.Space.unschedule)
    sync_schedules = mirror(sync.Space.sync_schedules)
    runs = mirror(sync.Space.runs)
    get_run = mirror(sync.Space.get_run)
    upcoming = mirror(sync.Space.upcoming)
    remind = mirror(sync.Space.remind)
    reminders = mirror(sync.Space.reminders)
    claim_reminders = mirror(sync.Space.claim_reminders)
    deliver = mirror(sync.Space.deliver)
    release = mirror(sync.Space.release)
    due_reminders = mirror(sync.Space.due_reminders)
    forget_reminder = mirror(sync.Space.forget_reminder)
    erase = mirror(sync.Space.erase)
    export = mirror(sync.Space.export)
    import_file = mirror(sync.Space.import_file)
    dream = mirror(sync.Space.dream)
    undo = mirror(sync.Space.undo)
    sweeps = mirror(sync.Space.sweeps)
    promotions = mirror(sync.Space.promotions)
    learn = mirror(sync.Space.learn)
    suggest = mirror(sync.Space.suggest)
    macros = mirror(sync.Space.macros)
    use_macro = mirror(sync.Space.use_macro)
    forget_macro = mirror(sync.Space.forget_macro)
    approve = mirror(sync.Space.approve)
    approvals = mirror(sync.Space.approvals)
    verdict = mirror(sync.Space.verdict)
    is_approved = mirror(sync.Space.is_approved)
    forget_approval = mirror(sync.Space.forget_approval)


class Session(Handle[sync.Session]):
    """One conversation of a space: an append-only log of events."""

    @property
    def space(self) -> str:
        return self._sync.space

    @property
    def name(self) -> str:
        return self._sync.name

    append = mirror(sync.Session.append)
    extend = mirror(sync.Session.extend)
    events = mirror(sync.Session.events)
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
    write_summary = mirror(sync.Session.write_summary)
    summarize = mirror(sync.Session.summarize)
    compact = mirror(sync.Session.compact)
    expand = mirror(sync.Session.expand)
