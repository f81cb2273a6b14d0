"""The public handles: a memory, a space in it, a session in that.

Handles are cheap and hold no state but their names. Everything they do is a flow.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path
from types import TracebackType

from recollect import config as settings
from recollect.embed import resolve
from recollect.errors import InvalidInput, Unavailable
from recollect.flows import ingest, read, remember
from recollect.flows.embedding import Embedding
from recollect.flows.engine import Engine, named, whole
from recollect.flows.ingest import Message
from recollect.flows.recent import Recent
from recollect.flows.remember import Wish
from recollect.model import (
    Entry,
    Event,
    Hit,
    Json,
    Profile,
    Receipt,
    Revision,
    SessionInfo,
    Signal,
    Stats,
    Violation,
)
from recollect.store.codec import micros
from recollect.store.database import Database
from recollect.store.sqlite import SQLite

Progress = Callable[[int, int], None]


def open(
    path: str | Path = ":memory:",
    *,
    embedder: object = None,
    durability: str | None = None,
    read_only: bool = False,
    clock: Callable[[], datetime] | None = None,
    config: object = None,
) -> "Memory":
    """Open a memory: a file path, ":memory:", or the URL of an installed backend.

    Nothing is created before the first write. `embedder` is "minilm" (default), "hash", "none",
    "static:/path", a URL, or an object with `embed(texts)` and `dim`.
    """
    chosen = settings.load(config)
    store = _connect(str(path), read_only, durability or chosen.durability)
    model = resolve(chosen.embedder if embedder is None else embedder)
    tick = clock or _now
    engine = Engine(
        store=store,
        embedder=model,
        clock=tick,
        settings=chosen,
        recent=Recent(chosen.recent_cap, chosen.recent_sessions),
        embedding=Embedding(store, model, lambda: micros(tick())),
    )
    return Memory(engine)


def _now() -> datetime:
    return datetime.now(UTC)


def _connect(path: str, read_only: bool, durability: str) -> Database:
    scheme, separator, _ = path.partition("://")
    if not separator:
        return SQLite(path, read_only=read_only, durability=durability)
    found = {point.name: point for point in entry_points(group="recollect.backends")}
    if scheme not in found:
        raise Unavailable(
            f"no backend for {scheme}:// is installed; known are {', '.join(sorted(found))}"
        )
    backend: Database = found[scheme].load()(path, read_only=read_only, durability=durability)
    return backend


class Memory:
    """One memory. The only way to its data is `space`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def space(self, name: str) -> "Space":
        """The space of that name; it comes into being with its first write."""
        return Space(self._engine, named(name, "space"))

    def spaces(self) -> list[str]:
        """The names of all spaces."""
        with self._engine.store.read() as tx:
            return tx.spaces.names()

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until every chunk has its vector or a recorded error, and signals are durable."""
        if not self._engine.store.read_only:
            self._engine.store.settle()
        return self._engine.embedding.flush(timeout)

    def check(self) -> list[Violation]:
        """Look for broken promises; an empty list means that all is well."""
        from recollect.flows.check import check

        return check(self._engine)

    def backup(self, path: str | Path, progress: Progress | None = None) -> None:
        """Copy the memory to a new file while it is in use."""
        self._engine.store.backup(str(path), progress)

    def index(self, progress: Progress | None = None, *, vectors: bool = False) -> int:
        """Build the keyword index anew from the texts, and with `vectors` the embeddings too."""
        from recollect.flows.index import index

        return index(self._engine, progress, vectors=vectors)

    def stats(self) -> Stats:
        """Counts of the whole memory."""
        return read.stats(self._engine, None)

    def close(self) -> None:
        """Finish what is under way and leave one file. Closing twice is fine."""
        self._engine.embedding.stop()
        self._engine.store.close()

    def __enter__(self) -> "Memory":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Space:
    """An isolated part of a memory: nothing crosses into or out of it."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self.name = name

    def session(self, name: str) -> "Session":
        """The session of that name; it comes into being with its first event."""
        return Session(self._engine, self.name, named(name, "session"))

    def remember(
        self,
        content: str,
        name: str | None = None,
        *,
        kind: str = "note",
        category: str | None = None,
        tags: Iterable[str] | None = None,
        aliases: Iterable[str] = (),
        origin: str | None = None,
        source: str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, Json] | None = None,
        expires_at: datetime | None = None,
        replace: bool = True,
    ) -> Entry:
        """Keep something under a name. A known name gets a new revision; what is left out stays.

        A new entry has category "core", origin "agent", importance 0.5 and no tags unless given.
        """
        wish = Wish(
            content=content,
            name=name,
            kind=kind,
            category=category,
            tags=tags,
            aliases=aliases,
            origin=origin,
            source=source,
            importance=importance,
            metadata=metadata,
            expires_at=expires_at,
            replace=replace,
        )
        return remember.remember(self._engine, self.name, wish)

    def get(self, name: str | int, as_of: datetime | None = None) -> Entry | None:
        """The entry behind a name, alias, id or uid, or None; with `as_of` as it stood then."""
        return read.get(self._engine, self.name, name, as_of)

    def write(self, name: str | int, content: str) -> Entry:
        """Replace the content of an entry; the old one stays in its history."""
        return remember.write(self._engine, self.name, name, content)

    def rename(self, name: str | int, new: str, *, keep: bool = False) -> Entry:
        """Give an entry another name; with `keep` the old one remains as an alias."""
        return remember.rename(self._engine, self.name, name, new, keep=keep)

    def alias(self, name: str | int, alias: str, *, rebind: bool = False) -> Entry:
        """Let another name lead to the entry; `rebind` takes the alias from another entry."""
        return remember.alias(self._engine, self.name, name, alias, rebind=rebind)

    def forget(self, name: str | int) -> Receipt:
        """Remove an entry and everything derived from it; the receipt says what went."""
        return remember.forget(self._engine, self.name, name)

    def fact(
        self,
        category: str,
        key: str,
        value: str | None = None,
        *,
        origin: str | None = None,
        source: str | None = None,
        tags: Iterable[str] | None = None,
        metadata: Mapping[str, Json] | None = None,
    ) -> Entry | None:
        """State a fact, or without a value look it up. The last statement is the one that holds."""
        if value is None:
            return remember.find_fact(self._engine, self.name, category, key)
        wish = Wish(value, origin=origin, source=source, tags=tags, metadata=metadata)
        return remember.fact(self._engine, self.name, category, key, wish)

    def entries(
        self,
        *,
        kind: str | None = None,
        category: str | None = None,
        tags: Iterable[str] | None = None,
        prefix: str | None = None,
        limit: int = 100,
        after: str | int | None = None,
    ) -> list[Entry]:
        """Entries, most recently written first; `after` names the last one of the page before."""
        return read.entries(
            self._engine,
            self.name,
            kind=kind,
            category=category,
            tags=tags,
            prefix=prefix,
            limit=limit,
            after=after,
        )

    def history(self, name: str | int) -> list[Revision]:
        """What an entry said before, oldest first."""
        return read.history(self._engine, self.name, name)

    def recall(
        self,
        query: str,
        limit: int = 5,
        mode: str = "hybrid",
        *,
        kinds: Iterable[str] | None = None,
        category: str | None = None,
        tags: Iterable[str] | None = None,
        session: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        origins: Iterable[str] | None = None,
        profile: str | Profile = "default",
        asker: str | None = "agent",
    ) -> list[Hit]:
        """Search messages and entries by words ("keyword"), meaning ("vector") or both ("hybrid").

        Filters apply before ranking. `asker` says who wants to know, for the signals; None leaves
        no trace.
        """
        from recollect.flows.recall import Ask, recall  # needs numpy, which opening does not

        ask = Ask(
            query=query,
            limit=limit,
            mode=mode,
            kinds=kinds,
            category=category,
            tags=tags,
            session=session,
            since=since,
            until=until,
            origins=origins,
            profile=profile,
            asker=asker,
        )
        return recall(self._engine, self.name, ask)

    def sessions(self, limit: int | None = None) -> list[SessionInfo]:
        """Sessions, most recently active first."""
        return read.sessions(self._engine, self.name, limit)

    def signals(self, name: str | int | None = None, limit: int = 100) -> list[Signal]:
        """Which entries were recalled for what, newest first."""
        return read.signals(self._engine, self.name, name, limit)

    def stats(self) -> Stats:
        """Counts of this space."""
        return read.stats(self._engine, self.name)


class Session:
    """One conversation of a space: an append-only log of events."""

    def __init__(self, engine: Engine, space: str, name: str) -> None:
        self._engine = engine
        self.space = space
        self.name = name

    def append(
        self,
        role: str,
        content: str | list[Json] | None = None,
        *,
        seq: int | None = None,
        at: datetime | None = None,
        importance: float | None = None,
        tool_calls: list[Json] | None = None,
        tool_call_id: str | None = None,
        name: str | None = None,
        origin: str | None = None,
        metadata: Mapping[str, Json] | None = None,
    ) -> Event:
        """Append a message; it is durable and found by its words when this returns."""
        message = Message(
            role=role,
            content=content,
            seq=seq,
            at=at,
            importance=importance,
            tool_calls=tool_calls,
            tool_call_id=tool_call_id,
            name=name,
            origin=origin,
            metadata=metadata,
        )
        return ingest.append(self._engine, self.space, self.name, [message])[0]

    def extend(self, messages: Iterable[Mapping[str, Json]]) -> list[Event]:
        """Append many messages in one transaction: all of them, or none."""
        if isinstance(messages, Mapping | str):
            raise InvalidInput("extend takes a list of messages; for one of them use append")
        prepared = [Message.of(message) for message in messages]
        return ingest.append(self._engine, self.space, self.name, prepared)

    def events(self, after: int | None = None, limit: int | None = None) -> list[Event]:
        """The log in order, from just after a seq."""
        return read.events(self._engine, self.space, self.name, after, limit)

    def recent(self, n: int | None = None) -> list[Event]:
        """The newest events, from working memory; the first user message stays in it."""
        limit = None if n is None else whole(n, "n", 0, 2**31)
        return self._engine.recent.read(self._engine, (self.space, self.name), limit)

    def delete(self) -> Receipt:
        """Remove the session with everything derived from it."""
        return ingest.delete(self._engine, self.space, self.name)
