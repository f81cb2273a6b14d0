"""A memory: open it, reach its spaces, look after its file.

Handles are cheap and hold only names. Every method calls a flow.
"""

import atexit
import contextlib
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType

from ricordo import config as settings
from ricordo.background.keeper import JobLoop
from ricordo.embed import resolve_all
from ricordo.embed.worker import end_all
from ricordo.errors import InvalidInput, RicordoError, shorten, without_password
from ricordo.flows import erasure, exchange, files, learning, time, upkeep, writing
from ricordo.flows.engine import Engine, check_name
from ricordo.flows.recall.embedding import Embedding
from ricordo.flows.redaction import guard
from ricordo.flows.signals import leave_no_signals
from ricordo.flows.time.clocks import Watch
from ricordo.flows.writing.recent import Recent
from ricordo.handles.keeper import Keeper
from ricordo.handles.references import Excludable, SpaceName, choose_own, refer
from ricordo.handles.session import Session
from ricordo.handles.space import Space
from ricordo.handles.suggesting import Suggesting
from ricordo.model import (
    Asker,
    Claim,
    Copied,
    Durability,
    Hit,
    Json,
    KeyGiven,
    Mode,
    Origin,
    Profile,
    ProfileName,
    RecallKind,
    Receipt,
    Reminder,
    Run,
    Salvage,
    Stats,
    Upkeep,
    Violation,
)
from ricordo.store.codec import micros
from ricordo.store.opening import open_copy, open_database

__all__ = ["Keeper", "Memory", "Session", "Space", "leave_no_signals", "open", "salvage"]

Progress = Callable[[int, int], None]

_unclosed: "weakref.WeakSet[Engine]" = weakref.WeakSet()


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
) -> "Memory":
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
    for name, given in (("clock", clock), ("redact", redact)):
        if given is not None and not callable(given):
            raise InvalidInput(f"{name} is {shorten(given)}; give a function, or leave it out")
    chosen, declared = settings.load(config), settings.read_schedules(config)
    if keep is not None:
        chosen = replace(chosen, keep=_check_flag(keep, "keep"))
    store = open_database(
        path, read_only, durability or chosen.durability, key=key, key_file=chosen.key_file
    )
    embedders = resolve_all(chosen.embedder if embedder is None else embedder)
    watch = Watch(clock)
    engine = Engine(
        store=store,
        embedders=embedders,
        clock=watch.wall,
        watch=watch,
        settings=chosen,
        recent=Recent(chosen.recent_cap, chosen.recent_sessions),
        embedding=Embedding(store, embedders, lambda: micros(watch.wall())),
        redact=redact,
    )
    engine.background = JobLoop(engine)
    _unclosed.add(engine)
    if chosen.workspace and not read_only:
        learning.dream_files.finish_all(engine)  # write the files that a crash prevented
    memory = guard(Memory(engine), redact)
    if declared is not None and not read_only:
        _declare_schedules(memory, declared)
    return memory


def _declare_schedules(memory: "Memory", declared: object) -> None:
    """Bring schedules in step with the tables of the configuration."""
    try:
        time.declared_schedules.declare_each(
            declared, lambda space, tables: memory.space(space).schedules.sync(tables)
        )
    except BaseException:
        memory.close()
        raise


@atexit.register
def _close_all() -> None:
    """Leave one file for every memory that was not closed; `python -X dev` names them.

    Background threads are stopped first, with a limited wait.
    """
    end_all()
    for engine in list(_unclosed):
        warnings.warn(f"unclosed memory {engine.store.url!r}", ResourceWarning, stacklevel=1)
        with contextlib.suppress(RicordoError):
            engine.store.close()


def _check_flag(given: object, name: str) -> bool:
    if not isinstance(given, bool):
        raise InvalidInput(f"{name} is {shorten(given)}; give True or False")
    return given


def salvage(damaged: str | Path, new: str | Path, *, key: KeyGiven | None = None) -> Salvage:
    """Copy every intact row of a damaged file to a new memory; the damaged file is only read.

    What is saved from an encrypted file is encrypted with the same key.
    """
    return upkeep.salvage.salvage(str(damaged), str(new), key=key)


class Memory(Suggesting):
    """One memory. All data is reached through `space`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __repr__(self) -> str:
        return f"<Memory {without_password(self._engine.store.url)!r}>"

    def space(self, name: SpaceName) -> Space:
        """The space of that name; its first write creates it."""
        return guard(Space(self._engine, self._name_of(name)), self._engine.redact)

    def spaces(self, prefix: str = "", limit: int | None = None, *, after: str = "") -> list[str]:
        """The names of the spaces, in order: those that begin so, from the one past `after` on."""
        return writing.read.spaces(self._engine, prefix, limit, after)

    def rename(self, space: SpaceName, new: str) -> Space:
        """Give a space another name; its folder in the workspace follows.

        Whoever still uses the old name begins an empty space with it. Tokens, hooks and the
        configuration know spaces by their names: change them as well.
        """
        return self.space(files.rename_space.rename_space(self._engine, self._name_of(space), new))

    def drop(self, space: SpaceName, *, dry_run: bool = False) -> Receipt:
        """Erase everything in a space down to the last byte, and its name as well.

        Its tombstones go as well, so an import can bring its contents back. With `dry_run` nothing
        is deleted; the receipt counts what would be.
        """
        return erasure.drop_space.drop(self._engine, self._name_of(space), dry_run=dry_run)

    def recall(
        self,
        query: str,
        spaces: Iterable[SpaceName],
        limit: int = 5,
        mode: Mode = "hybrid",
        *,
        kinds: Iterable[RecallKind] | None = None,
        category: str | None = None,
        tags: Iterable[str] | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        origins: Iterable[Origin] | None = None,
        profile: ProfileName | Profile = "default",
        asker: Asker | None = "agent",
        abstain: float | None = None,
        vector: Iterable[float] | None = None,
        exclude: Excludable | Iterable[Excludable] | None = None,
        uri: str | None = None,
        prefix: str | None = None,
        offset: int = 0,
        where: Mapping[str, Json] | None = None,
        rerank: bool | None = None,
        variety: bool | None = None,
        as_of: datetime | str | None = None,
    ) -> list[Hit]:
        """Ask several spaces at once, those named and no other; each hit says its `space`.

        The filters are those of `Space.recall`. A name in `exclude` stands for what has it in each
        space, an object for itself.
        """
        from ricordo.flows.recall.several_spaces import check_page, check_spaces, merge_hits

        found, page = {}, check_page(limit, offset)
        for name in dict.fromkeys(self._name_of(space) for space in check_spaces(spaces)):
            found[name] = self.space(name).recall(
                query, page, mode, kinds=kinds, category=category, tags=tags, since=since,
                until=until, origins=origins, profile=profile, asker=asker, abstain=abstain,
                vector=vector, exclude=choose_own(exclude, name), uri=uri, prefix=prefix,
                where=where, rerank=rerank, variety=variety, as_of=as_of,
            )  # fmt: skip
        return merge_hits(found, page)[offset:]

    def claim(
        self, limit: int = 1, worker: str = "worker", lease: float | timedelta = 300.0
    ) -> list[Claim]:
        """Take due schedules of all spaces, oldest first in each, for `lease` seconds.

        Nobody else gets them during the lease. Give each worker its own name.
        """
        return time.claims.claim(self._engine, None, limit, worker, lease)

    def finish(self, claim: Claim, run: Run) -> Run:
        """Record a run and plan the next; `notice` of the result is what to tell the user, or None.

        Raises ClaimLost if the lease expired and somebody else took over.
        """
        return time.claims.finish(self._engine, claim, run)

    def renew(self, claim: Claim, lease: float | timedelta = 300.0) -> Claim:
        """Extend a claim, counted from now; raises ClaimLost if somebody else has it."""
        return time.claims.renew(self._engine, claim, lease)

    def release(self, claim: Claim) -> bool:
        """Return a claim unused, so that it can be claimed again; False if it was lost."""
        return time.claims.release(self._engine, claim)

    def claim_reminders(
        self, limit: int = 32, worker: str = "worker", lease: float | timedelta = 300.0
    ) -> list[Reminder]:
        """Take due reminders of all spaces; deliver or release each through its space."""
        return time.remind.claim(self._engine, None, limit, worker, lease)

    def _probe(self) -> None:
        """Commit a test write, and raise what prevents writes."""
        upkeep.probe.probe(self._engine)

    @property
    def keeper(self) -> Keeper:
        """What this memory does by itself: `status`, `start`, `stop` and `run_due`."""
        loop = self._engine.background
        assert isinstance(loop, JobLoop)
        return Keeper(loop)

    def flush(self, timeout: float | None = None, progress: Progress | None = None) -> bool:
        """Wait until every chunk has its vector or a recorded error, and signals are durable.

        `progress` is called with the number of chunks done so far and in all. False: time ran out.
        """
        if not self._engine.store.read_only:
            self._engine.store.settle()
        return self._engine.embedding.flush(timeout, progress)

    def check(self) -> list[Violation]:
        """Look for broken promises; an empty list means that there are none."""
        return upkeep.check.check(self._engine)

    def backup(self, path: str | Path, progress: Progress | None = None) -> None:
        """Copy the memory to a new file while it is in use, and verify the copy."""
        upkeep.backup.backup(self._engine, str(path), progress)

    def copy(
        self, target: str | Path, space: SpaceName | None = None, progress: Progress | None = None
    ) -> list[Copied]:
        """Copy one space or all into another memory, a file or a URL, and compare the two.

        Each space is copied in its state at the start of its own copy. An interrupted copy
        continues where it stopped; a complete and equal one stays as it is.
        """
        self._engine.store.check_alive()
        if not self._engine.store.read_only:
            self._engine.store.settle()
        if target == ":memory:":
            raise InvalidInput("a copy in ':memory:' would be lost; give a file path or a URL")
        other = open_copy(
            self._engine.store,
            target,
            self._engine.settings.durability,
            self._engine.settings.key_file,
        )
        try:
            wanted = None if space is None else self._name_of(space)
            return exchange.copy_space.copy(self._engine.store, other, wanted, progress)
        finally:
            other.close()

    def maintain(
        self,
        *,
        dry_run: bool = False,
        deep: bool = False,
        confirm_clock: bool = False,
        progress: Progress | None = None,
    ) -> Upkeep:
        """Delete expired data, free its space and finish erasures.

        Others can work in the meantime. With `dry_run` nothing is changed, only counted. With
        `deep` the whole file is rewritten. While the clock may be wrong, nothing is deleted because
        of its age, and `doubts` says why; `confirm_clock` confirms the present time.
        """
        return upkeep.maintain.maintain(
            self._engine,
            dry_run=dry_run,
            deep=deep,
            confirm_clock=confirm_clock,
            progress=progress,
        )

    def _clock_doubts(self) -> list[str]:
        """Reasons why the present time may be wrong; empty if there are none."""
        return time.clocks.find_doubts(self._engine)

    def erase(self, space: SpaceName, *, dry_run: bool = False) -> Receipt:
        """Erase everything in a space down to the last byte; only its name stays.

        With `dry_run` nothing is deleted; the receipt counts what would be.
        """
        return erasure.erase.erase_space(self._engine, self._name_of(space), dry_run=dry_run)

    def index(self, progress: Progress | None = None, *, vectors: bool = False) -> int:
        """Rebuild the keyword index from the texts, and with `vectors` also the embeddings."""
        from ricordo.flows.recall.index import index

        return index(self._engine, progress, vectors=vectors)

    def stats(self) -> Stats:
        """Counts of the whole memory."""
        return upkeep.stats.stats(self._engine, None)

    def close(self) -> None:
        """Finish pending work and leave one file. Closing twice is fine."""
        _unclosed.discard(self._engine)
        self.keeper.stop()
        self._engine.embedding.stop()
        self._engine.store.close()

    def _name_of(self, space: SpaceName) -> str:
        return check_name(refer(self._engine, None, space, Space), "space")

    def __enter__(self) -> "Memory":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
