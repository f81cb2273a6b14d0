"""The handle of a space: the only way to its data. Every method calls a flow."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from ricordo import flows
from ricordo.flows import conversation, erasure, learning, upkeep, writing
from ricordo.flows.engine import check_name
from ricordo.flows.redaction import guard
from ricordo.handles.references import EntryName, Excludable, SessionName, refer_all
from ricordo.handles.session import Session
from ricordo.handles.space_plans import SpacePlans
from ricordo.handles.suggesting import Suggesting
from ricordo.model import (
    Asker,
    Context,
    Document,
    Entry,
    Event,
    Explanation,
    Hits,
    Json,
    Kind,
    Mode,
    Origin,
    Profile,
    ProfileName,
    RecallKind,
    Receipt,
    Revision,
    SessionInfo,
    Stats,
    Sweep,
)


class Space(SpacePlans, Suggesting):
    """An isolated part of a memory: no data crosses its border."""

    _key = ("name",)  # what identifies it where a name is expected

    def __repr__(self) -> str:
        return f"<Space {self.name!r}>"

    def session(self, name: SessionName) -> Session:
        """The session of that name; its first event creates it."""
        made = Session(self._engine, self.name, check_name(self._session_of(name), "session"))
        return guard(made, self._engine.redact)

    def remember(
        self,
        content: str,
        name: str | None = None,
        *,
        kind: Kind = "note",
        category: str | None = None,
        tags: Iterable[str] | None = None,
        aliases: Iterable[str] = (),
        origin: Origin | None = None,
        source: str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, Json] | None = None,
        expires_at: datetime | Literal["never"] | None = None,
        pin: bool | None = None,
        mute: bool | None = None,
        embed_name: bool | None = None,
        replace: bool = True,
        at: datetime | None = None,
        ttl: float | timedelta | None = None,
        if_revision: int | None = None,
    ) -> Entry:
        """Keep a text under a name. A known name gets a new revision; omitted fields stay.

        Defaults of a new entry: category "core", origin "agent", importance 0.5, no tags. With
        `pin` it stands in every context, with `mute` it is kept and never recalled, until it is
        remembered with False. With `embed_name=False` its name does not count for its meaning.
        `at` is when it was learnt, `ttl` in how many seconds it expires. With `if_revision` it is
        written only if the entry still has that revision, 0 for none; else Conflict.
        """
        about = (kind, category, tags, aliases, origin, source, importance, metadata, expires_at)
        switches = (pin, mute, embed_name, replace)
        wish = writing.wishes.EntryWish(content, name, *about, *switches, at, ttl, if_revision)
        return writing.remember.remember(self._engine, self.name, wish)

    def remember_many(self, entries: Iterable[str | Mapping[str, Any]]) -> list[Entry]:
        """Remember many texts in one transaction: all of them, or none.

        Each is a text, or an object with `content` and any other options of `remember`.
        """
        return writing.remember.remember_many(self._engine, self.name, entries)

    def get(
        self, name: EntryName, as_of: datetime | None = None, *, exact: bool = False
    ) -> Entry | None:
        """The entry with this name, alias, id or uid, or None; with `as_of` as it was then.

        With `exact` a text is a name or an alias only, never an id, a uid or SESSION#SEQ.
        """
        return writing.read.get(
            self._engine, self.name, self._refer(name, Entry), as_of, exact=exact
        )

    def write(self, name: EntryName, content: str, *, if_revision: int | None = None) -> Entry:
        """Replace the content of an entry; its history keeps the old one.

        With `if_revision` only if the entry still has that revision; else Conflict.
        """
        known = self._refer(name, Entry)
        return writing.remember.write(self._engine, self.name, known, content, if_revision)

    def rename(self, name: EntryName, new: str, *, keep: bool = False) -> Entry:
        """Give an entry another name; with `keep` the old one becomes an alias."""
        return writing.remember.rename(
            self._engine, self.name, self._refer(name, Entry), new, keep=keep
        )

    def alias(self, name: EntryName, alias: str, *, rebind: bool = False) -> Entry:
        """Add another name to the entry; `rebind` takes the alias from another entry."""
        return writing.remember.alias(
            self._engine, self.name, self._refer(name, Entry), alias, rebind=rebind
        )

    def forget(
        self,
        name: EntryName | Document | None = None,
        *,
        erase: bool = False,
        dry_run: bool = False,
        kind: Kind | None = None,
        category: str | None = None,
        tags: Iterable[str] | None = None,
        prefix: str | None = None,
        where: Mapping[str, Json] | None = None,
    ) -> Receipt:
        """Delete an entry or document and everything derived from it; the receipt counts it.

        `erase` leaves no byte of it in the memory and its files: the receipt says what a scan of
        the files found, and an import does not bring it back. With `dry_run` nothing is deleted;
        the receipt counts what would be. Instead of a name, the filters of `entries` choose what to
        delete, all in one transaction; the receipt lists it.
        """
        if name is None:
            chosen = writing.choice.check_choice(self._engine, kind, category, tags, prefix, where)
            return erasure.erase.forget_chosen(
                self._engine, self.name, chosen, erase=erase, dry_run=dry_run
            )
        writing.choice.refuse_both(name, kind, category, tags, prefix, where)
        known = self._refer(name, Entry, Document)
        if erase:
            return erasure.erase.erase(self._engine, self.name, known, dry_run=dry_run)
        return erasure.erase.forget(self._engine, self.name, known, tells=True, dry_run=dry_run)

    def fact(
        self,
        category: str,
        key: str,
        value: str | None = None,
        *,
        origin: Origin | None = None,
        source: str | None = None,
        tags: Iterable[str] | None = None,
        metadata: Mapping[str, Json] | None = None,
    ) -> Entry | None:
        """State a fact, or look it up if no value is given. The latest statement counts."""
        if value is None:
            return writing.facts.find(self._engine, self.name, category, key)
        wish = writing.wishes.EntryWish(
            value, origin=origin, source=source, tags=tags, metadata=metadata
        )
        return writing.facts.fact(self._engine, self.name, category, key, wish)

    def entries(
        self,
        *,
        kind: Kind | None = None,
        category: str | None = None,
        tags: Iterable[str] | None = None,
        prefix: str | None = None,
        limit: int | None = 100,
        after: EntryName | None = None,
        exclude: Excludable | Iterable[Excludable] | None = None,
        offset: int = 0,
        where: Mapping[str, Json] | None = None,
    ) -> list[Entry]:
        """Entries, most recently written first; `after` names the last one of the previous page.

        With `limit=None` all of them. `where` is about their metadata, as in `recall`.
        """
        return writing.read.entries(
            self._engine,
            self.name,
            kind=kind,
            category=category,
            tags=tags,
            prefix=prefix,
            limit=limit,
            after=self._refer(after, Entry),
            exclude=refer_all(self._engine, self.name, exclude, Entry),
            offset=offset,
            where=where,
        )

    def history(self, name: EntryName) -> list[Revision]:
        """The earlier revisions of an entry, oldest first."""
        return writing.read.history(self._engine, self.name, self._refer(name, Entry))

    def recall(
        self,
        query: str,
        limit: int = 5,
        mode: Mode = "hybrid",
        *,
        kinds: Iterable[RecallKind] | None = None,
        category: str | None = None,
        tags: Iterable[str] | None = None,
        session: SessionName | None = None,
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
        variety: bool | None = None,
        rerank: bool | None = None,
        as_of: datetime | str | None = None,
    ) -> Hits:
        """Search messages and entries by words ("keyword"), meaning ("vector") or both ("hybrid").

        Filters apply before ranking: `exclude` leaves out sessions, entries, documents; `uri` and
        `prefix` are beginnings of URIs and names, `where` is about metadata, such as
        {"year": {"$gte": 2020}}. `offset` skips hits. `since` and `until` are times, or texts such
        as "2 days ago". `asker` says who asks, for
        the signals; None records none. `abstain` is the least confidence that one hit must have.
        `vector` is the query embedded elsewhere, with the space's own model. `variety` puts repeats
        behind other hits; default: yes, except in mode "vector", which gives the nearest. `pending`
        of the answer counts texts that have no vector yet. `rerank=False`
        spares the time of the model that reads the first hits with the query. `as_of` asks the
        space as it stood at a time, with what entries said then, and leaves no signals.
        """
        self._engine.store.check_alive()  # first: the import could hang in a forked child
        from ricordo.flows.recall.recall import recall  # needs numpy, which opening does not
        from ricordo.flows.recall.request import Ask

        chat = self._session_of(session)
        filters = (kinds, category, tags, chat, since, until, origins)
        out = refer_all(self._engine, self.name, exclude, Entry, Document, Session, SessionInfo)
        named = (out, uri, prefix, offset, where, rerank)
        ask = Ask(query, limit, mode, *filters, profile, asker, abstain, vector, *named)
        ask = replace(ask, variety=variety, as_of=as_of)
        return recall(self._engine, self.name, ask)

    def explain(
        self,
        query: str,
        target: EntryName | tuple[str, int] | Event | Document,
        limit: int = 5,
        mode: Mode = "hybrid",
        *,
        kinds: Iterable[RecallKind] | None = None,
        category: str | None = None,
        tags: Iterable[str] | None = None,
        session: SessionName | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        origins: Iterable[Origin] | None = None,
        as_of: datetime | str | None = None,
    ) -> Explanation:
        """Say why an entry, a document, or a message ("trip#3") is or is not recalled."""
        self._engine.store.check_alive()
        from ricordo.flows.recall.explain import explain  # needs numpy, which opening does not
        from ricordo.flows.recall.request import Ask

        chat = self._session_of(session)
        ask = Ask(query, limit, mode, kinds, category, tags, chat, since, until, origins)
        ask = replace(ask, as_of=as_of)
        return explain(self._engine, self.name, ask, self._refer(target, Entry, Event, Document))

    def context(
        self,
        query: str,
        budget: int | None = None,
        *,
        limit: int = 8,
        tokens: Callable[[str], int] | None = None,
        due: Callable[[str], Iterable[str]] | None = None,
        files: bool | None = None,
        signals: bool = True,
    ) -> Context:
        """Pack pinned and recalled memory and due reminders under a token budget, for no session.

        The arguments are those of `Session.context`; a blank query recalls nothing.
        """
        size = self._engine.settings.context_budget if budget is None else budget
        limits = conversation.context.Limits(hits=limit)
        wanted = conversation.context.ContextRequest(
            query, size, "default", limits, tokens, due, files, signals
        )
        return conversation.context.context(self._engine, self.name, None, wanted)

    def sessions(
        self, limit: int | None = None, *, prefix: str | None = None, agent: str | None = None
    ) -> list[SessionInfo]:
        """Sessions, most recently active first; whose names begin with `prefix`, of one `agent`."""
        return writing.read.sessions(self._engine, self.name, limit, prefix, agent)

    def ingest(
        self,
        path_or_text: str | Path,
        uri: str | None = None,
        *,
        origin: Origin | None = None,
        metadata: Mapping[str, Json] | None = None,
        tags: Iterable[str] | None = None,
    ) -> Document:
        """Ingest a file or a text; an unchanged one costs nothing.

        A `Path` is read as a file, and so is a text without a `uri` that names an existing file.
        Give a `uri` with text that others wrote: then it is never read as a path. With an unchanged
        text, a given `origin`, `metadata` or `tags` replaces that of the document.
        """
        return flows.documents.ingest(
            self._engine,
            self.name,
            path_or_text,
            uri=uri,
            origin=origin,
            metadata=metadata,
            tags=tags,
        )

    def dream(self, dry_run: bool = False, *, weights: Mapping[str, float] | None = None) -> Sweep:
        """Promote what users and agents recall repeatedly, and list it in MEMORY.md.

        With `dry_run` nothing is written: `diff` shows what would change. `weights` replace the
        documented ones. Raises Conflict if another sweep is running.
        """
        return learning.dream.dream(self._engine, self.name, dry_run=dry_run, weights=weights)

    def stats(self) -> Stats:
        """Counts of this space."""
        return upkeep.stats.stats(self._engine, self.name)
