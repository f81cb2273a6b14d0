"""Import: records of a file become events and entries, each once, however often it is imported.

The whole file is read and checked before anything is written. Then it is written in batches, each
in one transaction. The next import completes an interrupted one: uids show what is already there.
What was erased here is not imported.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ricordo.core.exchange.given import (
    Given,
    GivenApproval,
    GivenEntry,
    GivenEvent,
    GivenMacro,
    GivenPromotion,
    GivenRecord,
    GivenReminder,
    GivenRun,
    GivenSchedule,
    GivenSession,
    GivenSignal,
    GivenSuccession,
)
from ricordo.core.text import content as text
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine, check_name, one_of, whole
from ricordo.flows.exchange import import_sources
from ricordo.flows.exchange.import_batch import Ready, Taken, take
from ricordo.flows.exchange.import_learnt import check_signal, read_macro, read_succession
from ricordo.flows.exchange.import_plans import read_approval, read_run, read_schedule
from ricordo.flows.exchange.import_records import read_record
from ricordo.flows.exchange.import_sources import ImportSource
from ricordo.flows.writing import append, scratchpad, unnamed
from ricordo.flows.writing.append import Message, Prepared
from ricordo.flows.writing.free_json import pack_metadata
from ricordo.flows.writing.wishes import EntryWish, amend_wish, check_aliases, checked_wish
from ricordo.model import ORIGINS, Import
from ricordo.store.codec import micros, moment

_IDS = ("uid", "id", "entry", "schedule")  # what a hook may not change
BATCH = 500  # records that are written in one transaction
MOST_NOTES = 50
MOST_SEQ = 2**53  # a file may not use up the seqs of a session: what is said next needs more

Progress = Callable[[int, int], None]


def import_file(
    engine: Engine,
    space: str,
    path: str | Path,
    *,
    origin: str | None = "import",
    owner: str | None = None,
    progress: Progress | None = None,
) -> Import:
    """Import a file; what is already there, or was erased, is skipped."""
    if origin is not None:
        one_of(origin, "origin", ORIGINS)
    source = import_sources.recognise(path, owner)
    reader = _Reader(engine, source, origin)
    total = sum(1 for _ in reader.ready())  # nothing is written if anything is wrong
    taken = Taken(notes=list(source.notes))
    done = 0
    records = reader.ready()
    while batch := list(islice(records, BATCH)):
        taken.add(take(engine, space, batch, taken))
        done += len(batch)
        if progress is not None:
            progress(done, total)
    engine.wake()
    return Import(
        space=space,
        path=str(source.path),
        format=source.format,
        added=dict(taken.added),
        known=dict(taken.known),
        erased=taken.erased,
        renamed=taken.renamed,
        notes=tuple(taken.notes[:MOST_NOTES]),
        at=moment(engine.now()),
    )


# reading and checking


@dataclass(frozen=True, slots=True)
class _Reader:
    engine: Engine
    source: ImportSource
    origin: str | None

    def ready(self) -> Iterator[Ready]:
        for where, given in self.source.records():
            try:
                yield self._prepare(self._redact(given))
            except InvalidInput as error:
                raise InvalidInput(f"{self.source.path} {where}: {error}") from error

    def _redact(self, given: Given) -> Given:
        """The record without what must not be stored; its identity stays unchanged."""
        if self.engine.redact is None:
            return given
        from ricordo.flows.redaction import redact_deep

        known = {name: getattr(given, name) for name in _IDS if name in given._fields}
        try:
            told: Given = redact_deep(self.engine.redact, given)._replace(**known)
        except RecursionError:
            raise InvalidInput("it is nested too deeply to be redacted") from None
        return told

    def _prepare(self, given: Given) -> Ready:
        if isinstance(given, GivenEvent):
            return Ready(given, message=self._message(given))
        if isinstance(given, GivenEntry):
            given = self._stamp_origin(given)
            return Ready(given, wish=self._wish(given))
        if isinstance(given, GivenRecord):
            return Ready(given, row=read_record(self.engine, given, self.origin))
        for name, value in given._asdict().items():
            if isinstance(value, str):
                text.clean(value, name, limit=self.engine.settings.max_text)
        if isinstance(given, GivenSession):
            return Ready(self._state(given))
        if isinstance(given, GivenReminder):
            if (given.at is None and given.cue is None) or not given.text.strip():
                raise InvalidInput("a reminder has a text, and a time, a cue or both")
            return Ready(given)
        if isinstance(given, GivenSchedule):
            return self._schedule(given)
        if isinstance(given, GivenApproval):
            return self._approval(given)
        if isinstance(given, GivenRun):
            return Ready(given, row=read_run(given))
        if isinstance(given, GivenSignal):
            return Ready(check_signal(given))
        if isinstance(given, GivenPromotion):
            return Ready(given)
        if isinstance(given, GivenMacro):
            return Ready(given, row=read_macro(given))
        if isinstance(given, GivenSuccession):
            return Ready(given, row=read_succession(given))
        if not text.normalise(given.text):
            raise InvalidInput("text is blank")
        check_name(given.uri, "uri")
        pack_metadata(given.metadata, self.engine.settings)
        origin = one_of(self.origin or given.origin, "origin", ORIGINS)
        return Ready(given._replace(origin=origin))

    def _schedule(self, given: GivenSchedule) -> Ready:
        """One that cannot run here is left out, not the rest of the file."""
        try:
            row = read_schedule(self.engine, given, is_trusted=self.origin is None)
        except InvalidInput as error:
            return Ready(given, refusal=f"schedule {given.name!r} is not taken: {error}")
        return Ready(given, row=row)

    def _approval(self, given: GivenApproval) -> Ready:
        """What may run is never taken from a file, unless the caller trusts it."""
        words = given.words if isinstance(given.words, str) else " ".join(given.words)
        if self.origin is not None:
            return Ready(given, refusal=f"approval {words!r} is not taken; import with origin=None")
        try:
            return Ready(given, row=read_approval(given, self.engine.now()))
        except InvalidInput as error:
            return Ready(given, refusal=f"approval {words!r} is not taken: {error}")

    def _state(self, given: GivenSession) -> GivenSession:
        check_name(given.session, "session")
        if given.summary is not None and (given.upto is None or given.upto < 0):
            raise InvalidInput("a summary needs upto, the last seq that it covers")
        if given.last_seq is not None:
            whole(given.last_seq, "last_seq", -1, MOST_SEQ)
        lines = scratchpad.check_lines(given.scratchpad) if given.scratchpad else []
        return given._replace(scratchpad=lines)

    def _message(self, given: GivenEvent) -> Prepared:
        if given.seq is not None:
            whole(given.seq, "seq", 0, MOST_SEQ)
        message = Message(
            role=given.role,
            content=given.content,
            seq=given.seq,
            at=given.at,
            importance=given.importance,
            tool_calls=given.tool_calls,
            tool_call_id=given.tool_call_id,
            name=given.name,
            origin=self.origin or given.origin,
            metadata=given.metadata,
            kind=given.kind,
            index=given.index,
        )
        session = check_name(given.session, "session")
        (found,) = append.prepare(self.engine, session, [message], self.engine.now())
        return found._replace(uid=given.uid)

    def _stamp_origin(self, given: GivenEntry) -> GivenEntry:
        """The entry under the origin of this import, if there is one."""
        if self.origin is None:
            return given
        old = tuple(each._replace(origin=self.origin) for each in given.revisions)
        return given._replace(origin=self.origin, revisions=old)

    def _wish(self, given: GivenEntry) -> EntryWish:
        check_aliases(self.engine, given.aliases)
        if micros(given.updated_at) < 0 or given.updated_at < given.created_at:
            raise InvalidInput("updated_at is before 1970 or before created_at")
        if given.retells is not None:
            check_name(given.retells[0], "session")
        for old in given.revisions:
            self._check_wish(old.content, old.name, given.kind, old)
        return self._check_wish(
            given.content, given.name or unnamed.UNNAMED + given.uid, given.kind, given
        )

    def _check_wish(self, content: str, name: str, kind: str, given: object) -> EntryWish:
        wish = EntryWish(content, name=name, kind=kind)
        fields = ("category", "tags", "origin", "source", "importance", "metadata")
        told = {each: getattr(given, each) for each in fields}
        own = ("expires_at", "pin", "mute", "embed_name")  # a revision has none of these
        told |= {each: getattr(given, each, None) for each in own}
        return checked_wish(self.engine, amend_wish(wish, **told))
