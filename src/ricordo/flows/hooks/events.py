"""Hook events: what a coding host reports, kept as events, and what it is given back.

It must start fast, so it takes the engine apart: no embedder, no views, and the rarer flows are
imported when they are needed. What is written here is embedded by the next opening that can.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from ricordo.core.conversation.floor import choose_floor
from ricordo.core.conversation.packing import clip
from ricordo.core.text import quotation
from ricordo.errors import InvalidInput, NotFound
from ricordo.flows.engine import Engine, check_name
from ricordo.flows.hooks import quick_recall
from ricordo.flows.hooks.quick_recall import FoundText, Section, VisibleTail, name_space
from ricordo.flows.time.clocks import Watch
from ricordo.flows.writing import append
from ricordo.flows.writing.append import Message
from ricordo.flows.writing.recent import Recent
from ricordo.model import Event, Json
from ricordo.store.codec import dumps
from ricordo.store.database import Tx
from ricordo.store.sqlite.driver import SQLite
from ricordo.store.sqlite.key_sources import find_secret

if TYPE_CHECKING:
    from datetime import datetime

    from ricordo.config import Settings
    from ricordo.flows.recall.embedding import Embedding

HITS = 4  # texts recalled for a prompt
USER_HITS = 2  # of the user's own space
BUDGET = 6_000  # characters of an answer
LONGEST_RESULT = 4_000  # characters kept of what a tool gave
LONGEST_PROMPT = 100_000
MOST_SUMMARISED = 200  # messages of one session, the newest
WRITTEN_BY = "hook"  # metadata of an event: which hook wrote it


# From a space, a question and kinds (none for all) to what a server recalls; None if it cannot.
AskServer = Callable[[str, str, tuple[str, ...]], list[FoundText] | None]


class _NoEmbedding:
    """Stands where the embedder would: whatever is written waits for another process."""

    def wake(self) -> None: ...

    def stop(self) -> None: ...


def open_engine(
    path: str, settings: "Settings", clock: "Callable[[], datetime] | None" = None
) -> Engine:
    """An engine on a file that can write and glance, and nothing that takes time to load."""
    watch = Watch(clock)
    return Engine(
        store=SQLite(
            path,
            durability=settings.durability,
            secret=find_secret(path, None, settings.key_file),
        ),
        embedders=(),
        clock=watch.wall,
        watch=watch,
        settings=settings,
        recent=Recent(1, 1),
        embedding=cast("Embedding", _NoEmbedding()),
    )


def start_session(engine: Engine, space: str, session: str, how: str) -> str:
    """A session begins or goes on: what is due, where things stand, and entries."""
    from ricordo.flows.hooks import standing

    now = engine.now()
    told: list[Section] = []
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is not None:
            here = standing.SpaceRef(tx, number, space)
            goes_on = how in ("resume", "compact")
            told += (standing.describe_own if goes_on else standing.describe_last)(here, session)
            told += standing.describe_entries(here, now)
        own = engine.settings.hooks_user_space
        other = tx.spaces.number(own) if own and own != space else None
        if other is not None:
            told.append(standing.describe_user(standing.SpaceRef(tx, other, own), now))
    return _pack(_due(engine, space, ""), told)


def take_prompt(
    engine: Engine, space: str, session: str, prompt: str, ask: AskServer | None = None
) -> str:
    """A user asks: keep it, and tell what is known about it, by meaning if a server is there."""
    said = _read_prose(prompt)
    if not said.strip():
        return ""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        upto = -1 if number is None else _archived_upto(tx, number, (space, session))
    told = _recall(engine, space, said, VisibleTail(session, upto), ask)
    own = engine.settings.hooks_user_space
    if own and own != space:
        told += _recall(engine, own, said, None, ask)
    _append(engine, space, session, Message("user", said, metadata={WRITTEN_BY: "prompt"}))
    return _pack(_due(engine, space, said), told)


def _recall(
    engine: Engine, space: str, said: str, seen: VisibleTail | None, ask: AskServer | None
) -> list[Section]:
    """What a space knows: of the project everything unseen, of the user's own space entries."""
    if choose_floor(said) > 1:
        return []  # small talk
    heading = "" if seen else name_space(space)
    most = HITS if seen else USER_HITS
    found = None if ask is None else ask(space, said, () if seen else ("note", "fact"))
    if found is not None:
        fresh = [each for each in found if not quick_recall.is_seen(each.session, each.seq, seen)]
        return [Section(heading, [*map(quick_recall.quote_found, fresh[:most])])]
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        hits = quick_recall.recall(tx, number, said, 2 * HITS, seen, engine.now())
        chosen = hits if seen else [hit for hit in hits if hit.kind in ("note", "fact")]
        return [
            Section(heading, [quick_recall.quote_hit(tx, number, hit) for hit in chosen[:most]])
        ]


def take_tool_call(
    engine: Engine, space: str, session: str, call: Mapping[str, Json], result: Json
) -> None:
    """A tool was used: store the call and its result, without secrets."""
    from ricordo.core.integrity.secrets import without_secrets

    name = check_name(_clean(str(call["name"]), 200), "tool")
    arguments = _clean(_text(without_secrets(_cut(call.get("arguments", {})))), LONGEST_RESULT)
    id = _clean(str(call.get("id") or ""), 200) or name
    made = {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
    given = _clean(_text(without_secrets(_cut(result))), LONGEST_RESULT)
    _append(
        engine,
        space,
        session,
        Message("assistant", tool_calls=[made], metadata={WRITTEN_BY: "tool"}),
        Message("tool", given, tool_call_id=id, name=name, metadata={WRITTEN_BY: "tool"}),
    )


def take_answer(engine: Engine, space: str, session: str, answer: str) -> None:
    """The host has answered: keep it, unless it is what the session ends with."""
    said = _read_prose(answer)
    if not said.strip():
        return
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        latest = [] if number is None else tx.events.latest(number, (space, session), 1)
    if not (latest and latest[0].role == "assistant" and latest[0].content == said):
        _append(engine, space, session, Message("assistant", said, metadata={WRITTEN_BY: "stop"}))


def archive_session(engine: Engine, space: str, session: str) -> str | None:
    """The host is about to cut its context: archive the session; the name of the archive."""
    from ricordo.flows.conversation.compact import Order, compact

    try:
        return compact(engine, space, session, Order()).name
    except (InvalidInput, NotFound):  # nothing was said since the last time
        return None


def end_session(engine: Engine, space: str, session: str) -> None:
    """A session ends: learn which tools follow which, write its summary, commit the workspace."""
    from ricordo.flows.conversation.summarize import Terms, summarize
    from ricordo.flows.learning.learn import learn_session

    try:
        learn_session(engine, space, session)
    except NotFound:
        return
    terms = Terms(budget=1, target=0, force=True, summarizer=_condense, tokens=len)
    summarize(engine, space, session, terms)
    if engine.settings.workspace_git:
        from ricordo.flows.sync.checkpoint import close_session

        close_session(engine, space, session)


def _condense(previous: str, said: Sequence[Event]) -> str:
    """A summary of what was said; results of tools take long to read and say little."""
    from ricordo.core.conversation import plain_summary

    spoken = [event for event in said if event.role != "tool" and event.content]
    return plain_summary.condense(previous, (spoken or said)[-MOST_SUMMARISED:])


def judge_command(engine: Engine, space: str, command: str) -> tuple[str, str]:
    """Whether a command may run, and why."""
    from ricordo.flows.learning.approve import verdict

    found = verdict(engine, space, command)
    return found.answer, found.reason


def _append(engine: Engine, space: str, session: str, *messages: Message) -> list[Event]:
    return append.append(engine, space, check_name(session, "session"), messages)


def _due(engine: Engine, space: str, said: str) -> list[str]:
    """Reminders that are due or touched; the flow is loaded only if there are any."""
    now = engine.now()
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None or not (
            tx.reminders.ripe(number, now, 1) or (said and tx.reminders.list_cued(number, now))
        ):
            return []
    from ricordo.flows.time.remind import DUE_NOW, due_reminders

    found = due_reminders(engine, space, said, limit=8)
    texts = [clip(" ".join(reminder.text.split()), quick_recall.LONGEST) for reminder in found]
    return [quotation.quote_under(DUE_NOW, text) for text in texts]


def _archived_upto(tx: Tx, number: int, address: tuple[str, str]) -> int:
    marker = tx.events.last_marker(number, address)
    upto = None if marker is None else (marker.metadata or {}).get("upto")
    return upto if isinstance(upto, int) else -1


def _pack(due: list[str], sections: list[Section]) -> str:
    """The most wanted first, as much as fits; a heading only above what it announces."""
    kept: list[str] = []
    left = BUDGET - len(quotation.HEADER)
    for heading, quoted in [Section("", due), *sections]:
        is_announced = not heading
        for piece in quoted:
            lines = [piece] if is_announced else [heading, piece]
            size = sum(len(line) + 1 for line in lines)
            if size <= left:
                kept += lines
                left -= size
                is_announced = True
    return "\n".join([quotation.HEADER, *kept]) if kept else ""


def _read_prose(text: str) -> str:
    """What a person or the host wrote, without secrets, as every store can keep it."""
    from ricordo.core.integrity.secrets import hide_in_prose

    return hide_in_prose(_clean(text, LONGEST_PROMPT))


def _cut(value: Json) -> Json:
    """Texts cut before they are read word by word, to twice of what is kept in the end."""
    if isinstance(value, str):
        return clip(value, 2 * LONGEST_RESULT)
    if isinstance(value, dict):
        return {name: _cut(inner) for name, inner in value.items()}
    return [_cut(inner) for inner in value[:100]] if isinstance(value, list) else value


def _text(value: Json) -> str:
    if isinstance(value, str):
        return value
    try:
        return dumps(value, "the value")
    except InvalidInput:
        return ""


def _clean(text: str, limit: int) -> str:
    """Text as every store can keep it: a hook may not fail over an odd character."""
    if "\0" in text or not text.isascii():
        text = text.replace("\0", "�").encode("utf-8", "replace").decode("utf-8", "replace")
    return clip(text, limit)
