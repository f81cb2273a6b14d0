"""The handle of a space: the only way to its data. Everything it does is a flow."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from ricordo.flows.engine import Engine, check_name
from ricordo.flows.erasure import erase
from ricordo.flows.redaction import guard
from ricordo.flows.writing import facts, read, remember
from ricordo.flows.writing.remember import EntryWish
from ricordo.handles.documents import Library
from ricordo.handles.dreams import Dreams
from ricordo.handles.exchange import Ported
from ricordo.handles.files import Filed
from ricordo.handles.macros import Learned
from ricordo.handles.schedules import Timed
from ricordo.handles.session import Session
from ricordo.model import (
    Entry,
    Explanation,
    Hit,
    Json,
    Profile,
    Receipt,
    Revision,
    SessionInfo,
    Signal,
    Stats,
)


class Space(Timed, Library, Learned, Filed, Dreams, Ported):
    """An isolated part of a memory: nothing crosses into or out of it."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self.name = name

    def __repr__(self) -> str:
        return f"<Space {self.name!r}>"

    def session(self, name: str) -> Session:
        """The session of that name; it comes into being with its first event."""
        made = Session(self._engine, self.name, check_name(name, "session"))
        return guard(made, self._engine.redact)

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
        wish = EntryWish(
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

    def forget(self, name: str | int, *, dry_run: bool = False) -> Receipt:
        """Remove an entry and everything derived from it; the receipt says what went.

        With `dry_run` nothing goes; the receipt counts what would.
        """
        return erase.forget(self._engine, self.name, name, tells=True, dry_run=dry_run)

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
            return facts.find(self._engine, self.name, category, key)
        wish = EntryWish(value, origin=origin, source=source, tags=tags, metadata=metadata)
        return facts.fact(self._engine, self.name, category, key, wish)

    def entries(
        self,
        *,
        kind: str | None = None,
        category: str | None = None,
        tags: Iterable[str] | None = None,
        prefix: str | None = None,
        limit: int | None = 100,
        after: str | int | None = None,
    ) -> list[Entry]:
        """Entries, most recently written first; `after` names the last one of the page before.

        Without a limit (None) all of them.
        """
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
        abstain: float | None = None,
    ) -> list[Hit]:
        """Search messages and entries by words ("keyword"), meaning ("vector") or both ("hybrid").

        Filters apply before ranking. `asker` says who wants to know, for the signals; None leaves
        no trace. With `abstain` there are no hits unless one has at least that confidence.
        """
        self._engine.store.check_alive()  # first: in a forked child the import could wait forever
        from ricordo.flows.recall.recall import Ask, recall  # needs numpy, which opening does not

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
            abstain=abstain,
        )
        return recall(self._engine, self.name, ask)

    def explain(
        self,
        query: str,
        target: str | int | tuple[str, int],
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
    ) -> Explanation:
        """Say why an entry, or a message given as (session, seq), is or is not recalled."""
        self._engine.store.check_alive()
        from ricordo.flows.recall.explain import explain  # needs numpy, which opening does not
        from ricordo.flows.recall.recall import Ask

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
        )
        return explain(self._engine, self.name, ask, target)

    def sessions(self, limit: int | None = None) -> list[SessionInfo]:
        """Sessions, most recently active first."""
        return read.sessions(self._engine, self.name, limit)

    def signals(self, name: str | int | None = None, limit: int = 100) -> list[Signal]:
        """Which entries were recalled for what, newest first."""
        return read.signals(self._engine, self.name, name, limit)

    def stats(self) -> Stats:
        """Counts of this space."""
        return read.stats(self._engine, self.name)
