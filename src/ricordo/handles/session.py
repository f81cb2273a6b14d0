"""The handle of a session. It holds only names; every method calls a flow."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ricordo.errors import InvalidInput
from ricordo.flows import conversation, erasure, sync, writing
from ricordo.flows.engine import Engine, check_name, whole
from ricordo.flows.redaction import guard
from ricordo.handles.references import EntryName, refer
from ricordo.handles.suggesting import Suggesting
from ricordo.model import (
    Content,
    Context,
    ContextProfile,
    Entry,
    Event,
    Json,
    Origin,
    Receipt,
    ScratchpadWrite,
    SessionInfo,
    Summary,
    SummaryWrite,
)

if TYPE_CHECKING:
    from ricordo.flows.writing.append import Message


class Session(Suggesting):
    """One conversation of a space: a log of events, which grows at its end."""

    _key = ("name",)  # what identifies it where a name is expected

    def __init__(self, engine: Engine, space: str, name: str) -> None:
        self._engine = engine
        self.space = space
        self.name = name

    def __repr__(self) -> str:
        return f"<Session {self.name!r} of space {self.space!r}>"

    def append(
        self,
        role: str,
        content: Content = None,
        *,
        seq: int | None = None,
        at: datetime | None = None,
        importance: float | None = None,
        tool_calls: list[Json] | None = None,
        tool_call_id: str | None = None,
        name: str | None = None,
        origin: Origin | None = None,
        metadata: Mapping[str, Json] | None = None,
        key: str | None = None,
        index: bool = True,
    ) -> Event:
        """Append a message; on return it is durable and can be found by its words.

        With a `key` it is written once: the same key in this session gives the same event back.
        With `index=False` it is kept, and recall does not find it.
        """
        message = writing.append.Message(
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
            key=key,
            index=index,
        )
        return writing.append_once.append(self._engine, self.space, self.name, [message])[0]

    def extend(self, messages: Iterable[Mapping[str, Json]]) -> list[Event]:
        """Append many messages in one transaction: all of them, or none; each may have a `key`."""
        prepared = self._prepare(messages, "extend")
        return writing.append_once.append(self._engine, self.space, self.name, prepared)

    def _prepare(self, messages: Iterable[Mapping[str, Json]], verb: str) -> "list[Message]":
        if isinstance(messages, Mapping | str) or not isinstance(messages, Iterable):
            raise InvalidInput(f"{verb} takes a list of messages; for a single message use append")
        few = islice(messages, self._engine.settings.max_batch + 1)  # it may be endless
        return [writing.append.Message.of(message) for message in few]

    def events(self, after: int | None = None, limit: int | None = None) -> list[Event]:
        """The log in order, starting after the seq `after`."""
        return writing.read.events(self._engine, self.space, self.name, after, limit)

    def tail(self, n: int, *, before: int | None = None) -> list[Event]:
        """The last `n` events, oldest of them first.

        To read backwards, ask again with `before`, the seq of the first event of the answer.
        """
        return writing.read.tail(self._engine, self.space, self.name, n, before)

    def info(self) -> SessionInfo | None:
        """The session as `sessions()` lists it, or None if there is none."""
        return writing.read.session_info(self._engine, self.space, self.name)

    def create(self, *, agent: str | None = None) -> bool:
        """Create the session without an event; returns whether it is new.

        `agent` says who holds it, also of a session that is there: `info().agent` and
        `sessions(agent=...)` tell.
        """
        return conversation.fork.create(self._engine, self.space, self.name, agent)

    def fork(self, name: str, *, at: int | None = None) -> "Session":
        """A new session with the messages up to the seq `at`, or with all of them.

        Seqs, times and metadata are those of this session; keys and compactions stay behind.
        """
        conversation.fork.fork(
            self._engine, (self.space, self.name), check_name(name, "session"), at
        )
        return guard(Session(self._engine, self.space, name), self._engine.redact)

    # changing what the log holds

    def truncate(self, after: int, *, expect_last: int | None = None) -> list[Event]:
        """Take out every event after the seq `after`; returns them. Nothing finds them any more.

        `expect_last` is the seq of the last event that you have seen; if there is another one by
        now, Conflict is raised. So is it for what a summary or a compaction retells. Seqs are never
        used again.
        """
        wanted = conversation.cut.Cut(after, expect_last)
        return conversation.cut.truncate(self._engine, self.space, self.name, wanted)

    def replace(
        self,
        after: int,
        messages: Iterable[Mapping[str, Json]],
        *,
        expect_last: int | None = None,
    ) -> list[Event]:
        """Put messages in the place of every event after the seq `after`, in one transaction.

        Returns the new events. See `truncate`.
        """
        prepared = self._prepare(messages, "replace")
        wanted = conversation.cut.Cut(after, expect_last)
        return conversation.cut.replace(self._engine, self.space, self.name, wanted, prepared)

    def edit(
        self,
        seq: int,
        content: Content = None,
        *,
        tool_calls: list[Json] | None = None,
        tool_call_id: str | None = None,
        name: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        index: bool = True,
        expect_revision: int | None = None,
    ) -> Event:
        """Replace what an event says, for good; its role, its time and its place stay.

        Content, tool calls and metadata that are not given are gone, and recall finds the new text
        only. With `expect_revision` it must still have that revision, or Conflict is raised.
        """
        message = writing.append.Message(
            role="",
            content=content,
            tool_calls=tool_calls,
            tool_call_id=tool_call_id,
            name=name,
            metadata=metadata,
            index=index,
        )
        change = (seq, message, expect_revision)
        return conversation.edit.edit(self._engine, self.space, self.name, change)

    def recent(self, n: int | None = None) -> list[Event]:
        """The newest events, from working memory, which also keeps the first user message."""
        limit = None if n is None else whole(n, "n", 0, 2**31)
        return self._engine.recent.read(self._engine, (self.space, self.name), limit)

    def delete(self, *, prefix: bool = False, dry_run: bool = False) -> Receipt:
        """Delete the session and everything derived from it.

        With `prefix` also every session whose name begins with that of this one; then it need not
        exist itself. With `dry_run` nothing is deleted; the receipt counts what would be.
        """
        return erasure.erase.delete(
            self._engine, self.space, self.name, prefix=prefix, dry_run=dry_run
        )

    def erase(self, *, dry_run: bool = False) -> Receipt:
        """Erase the session and everything derived from it, down to the last byte.

        The receipt says what a scan of the files found. An import does not bring it back. With
        `dry_run` nothing is deleted; the receipt counts what would be.
        """
        return erasure.erase.erase_session(self._engine, self.space, self.name, dry_run=dry_run)

    def close(self) -> str | None:
        """End the conversation for now; returns the id of the commit that this makes, or None.

        The files of a workspace in git are synced and committed as `session-close: NAME`. Without
        one nothing happens. A closed session can continue.
        """
        return sync.checkpoint.close_session(self._engine, self.space, self.name)

    # what to put in front of the model

    def context(
        self,
        query: str | None = None,
        budget: int | None = None,
        *,
        profile: ContextProfile = "default",
        recent: int = 10,
        salient: int = 5,
        relevant: int = 5,
        min_importance: float = 0.8,
        min_cosine: float = 0.65,
        limit: int = 8,
        tokens: Callable[[str], int] | None = None,
        due: Callable[[str], Iterable[str]] | None = None,
        files: bool | None = None,
        signals: bool = True,
    ) -> Context:
        """Pack summary, log, recalled memory, scratchpad and due reminders under a token budget.

        The budget defaults to the setting `context_budget`; what does not fit is condensed. The
        query defaults to the last user message; a blank one recalls nothing. `recent`,
        `relevant` and `min_cosine` belong to profile "tri", `limit` (hits) to "default". `tokens`
        counts the tokens of a text; `due` replaces the reminders of the space. MEMORY.md and the
        other texts in the top folder of a workspace are quoted; `files=False` leaves them out. With
        `signals=False` it is not noted what was recalled.
        """
        limits = conversation.context.Limits(
            recent, salient, relevant, min_importance, min_cosine, limit
        )
        size = self._choose_budget(budget)
        wanted = conversation.context.ContextRequest(
            query, size, profile, limits, tokens, due, files, signals
        )
        return conversation.context.context(self._engine, self.space, self.name, wanted)

    def replay(self) -> list[dict[str, Json]]:
        """Chat messages since the last marker, after the text of the archive."""
        return conversation.restore.replay(self._engine, self.space, self.name)

    def restore(
        self, budget: int | None = None, *, tokens: Callable[[str], int] | None = None
    ) -> list[dict[str, Json]]:
        """The summary and the newest chat messages that fit; calls stay with their results.

        What neither fits nor was summarised is condensed into the summary.
        """
        size = self._choose_budget(budget)
        return conversation.restore.restore(self._engine, self.space, self.name, size, tokens)

    def _choose_budget(self, given: int | None) -> int:
        return self._engine.settings.context_budget if given is None else given

    # the scratchpad

    def scratchpad(self) -> list[str]:
        """The lines of the scratchpad."""
        return writing.scratchpad.read(self._engine, self.space, self.name)

    def scratchpad_at(self) -> datetime | None:
        """When the scratchpad was last written, or None if it is empty."""
        return writing.scratchpad.written_at(self._engine, self.space, self.name)

    def write_scratchpad(
        self, lines: Iterable[str], *, max_bytes: int | None = None
    ) -> ScratchpadWrite:
        """Replace the scratchpad: up to 32 lines of up to 240 characters."""
        return writing.scratchpad.write(self._engine, self.space, self.name, lines, max_bytes)

    def clear_scratchpad(self) -> bool:
        """Empty the scratchpad; returns whether it had any lines."""
        return writing.scratchpad.clear(self._engine, self.space, self.name)

    # summary and compaction

    def summary(self, as_of: datetime | None = None) -> Summary | None:
        """The rolling summary, or None; with `as_of` what it said then."""
        if as_of is not None:
            return conversation.summarize.read_as_of(self._engine, self.space, self.name, as_of)
        return conversation.summarize.read(self._engine, self.space, self.name)

    def summaries(self) -> list[Summary]:
        """The summary and what it said before, oldest first; see the setting `summaries_kept`."""
        return conversation.summarize.list_all(self._engine, self.space, self.name)

    def write_summary(
        self,
        text: str,
        upto: int,
        expected_epoch: int,
        *,
        metadata: Mapping[str, Json] | None = None,
    ) -> SummaryWrite:
        """Write the summary if its epoch is still the expected one; expect 0 for the first."""
        return conversation.summarize.write(
            self._engine,
            (self.space, self.name),
            text,
            upto=upto,
            expected_epoch=expected_epoch,
            metadata=metadata,
        )

    def summarize(
        self,
        budget: int | None = None,
        *,
        used: int = 0,
        summarizer: Callable[[str, Sequence[Event]], str] | str | None = None,
        min_events: int = 4,
        trigger: float = 0.80,
        target: float = 0.50,
        tokens: Callable[[str], int] | None = None,
        safety: int | None = None,
        force: bool = False,
    ) -> SummaryWrite | None:
        """Condense the oldest messages if the log fills too much of a context, otherwise None.

        `used` counts the tokens of everything outside the log, `safety` those to keep free: by
        default 1,024, at most an eighth of the budget. `summarizer` is the URL of a chat model, or
        a callable that takes the summary so far and the next events and returns a text.
        """
        size = self._choose_budget(budget)
        terms = conversation.summarize.Terms(
            size, used, summarizer, min_events, trigger, target, tokens, safety, force
        )
        return conversation.summarize.summarize(self._engine, self.space, self.name, terms)

    def compact(
        self,
        name: str | None = None,
        *,
        keep: int = 0,
        summarizer: Callable[[str, Sequence[Event]], str] | str | None = None,
        folder: str | Path | None = None,
    ) -> Entry:
        """Archive the log since the last marker and start a new context; nothing is lost.

        The newest `keep` events stay in the working context. A Markdown file is written to the
        `conversations` folder of `folder`, or of the workspace if there is one. Raises StaleEpoch
        if somebody else wrote a summary in the meantime.
        """
        order = conversation.compact.Order(name, keep, summarizer, folder)
        return conversation.compact.compact(self._engine, self.space, self.name, order)

    def expand(self, archive: EntryName) -> list[Event]:
        """The events that an archive replaced."""
        return conversation.restore.expand(
            self._engine, self.space, self.name, refer(self._engine, self.space, archive, Entry)
        )
