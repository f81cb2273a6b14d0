"""Hook events: what a coding host reports, kept as events, and what it is given back.

It must start fast, so it takes the engine apart: no embedder, no views, and the rarer flows are
imported when they are needed. What is written here is embedded by the next opening that can.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from ricordo.core.conversation.packing import clip
from ricordo.core.text import quotation
from ricordo.errors import InvalidInput, NotFound
from ricordo.flows.engine import Engine, check_name
from ricordo.flows.hooks import quick_recall
from ricordo.flows.hooks.quick_recall import VisibleTail
from ricordo.flows.time.clocks import Watch
from ricordo.flows.writing import append
from ricordo.flows.writing.append import Message
from ricordo.flows.writing.recent import Recent
from ricordo.model import Event, Json
from ricordo.store.codec import dumps
from ricordo.store.database import Tx
from ricordo.store.sqlite.driver import SQLite
from ricordo.store.tables.entries import EntryFilter

if TYPE_CHECKING:
    from ricordo.config import Settings
    from ricordo.flows.recall.embedding import Embedding

HITS = 4  # texts recalled for a prompt
NOTES = 6  # entries shown when a session starts
BUDGET = 6_000  # characters of an answer
LONGEST_RESULT = 4_000  # characters kept of what a tool gave
LONGEST_PROMPT = 100_000
WRITTEN_BY = "hook"  # metadata of an event: which hook wrote it


class _NoEmbedding:
    """Stands where the embedder would: whatever is written waits for another process."""

    def wake(self) -> None: ...

    def stop(self) -> None: ...


def open_engine(path: str, settings: "Settings") -> Engine:
    """An engine on a file that can write and glance, and nothing that takes time to load."""
    watch = Watch()
    return Engine(
        store=SQLite(path, durability=settings.durability),
        embedders=(),
        clock=watch.wall,
        watch=watch,
        settings=settings,
        recent=Recent(1, 1),
        embedding=cast("Embedding", _NoEmbedding()),
    )


def start_session(engine: Engine, space: str, session: str, how: str) -> str:
    """A session begins or goes on: notes, what is due, and where things stand."""
    now = engine.now()
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return ""
        page = EntryFilter(kind=None, category=None, tags=None, prefix=None, now=now, limit=50)
        found = tx.entries.several(number, space, tx.entries.page(number, page))
        known = [entry for entry in found if entry.kind != "archive"]
        known.sort(key=lambda entry: -entry.importance)
        told = [quick_recall.quoted_entry(entry) for entry in known[:NOTES]]
        told += _describe_progress(
            tx, number, space, session, is_resumed=how in ("resume", "compact")
        )
    return _pack([*_due(engine, space, ""), *told])


def take_prompt(engine: Engine, space: str, session: str, prompt: str) -> str:
    """A user asks: keep it, and tell what is known about it."""
    said = _clean(prompt, LONGEST_PROMPT)
    if not said.strip():
        return ""
    told: list[str] = []
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is not None:
            seen = VisibleTail(session, _archived_upto(tx, number, (space, session)))
            hits = quick_recall.recall(tx, number, said, HITS, seen, engine.now())
            told = [quick_recall.quote_hit(tx, number, hit) for hit in hits]
    _append(engine, space, session, Message("user", said, metadata={WRITTEN_BY: "prompt"}))
    return _pack([*_due(engine, space, said), *told])


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
    said = _clean(answer, LONGEST_PROMPT)
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


def end_session(engine: Engine, space: str, session: str) -> int:
    """A session ends: learn which tools follow which, and commit a workspace in git."""
    from ricordo.flows.learning.learn import learn_session

    try:
        learnt = learn_session(engine, space, session)
    except NotFound:
        learnt = 0
    if engine.settings.workspace_git:
        from ricordo.flows.sync.checkpoint import close_session

        close_session(engine, space, session)
    return learnt


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
    from ricordo.flows.time.remind import due_reminders

    found = due_reminders(engine, space, said, limit=8)
    return [f"Reminder due now: {' '.join(reminder.text.split())}" for reminder in found]


def _describe_progress(
    tx: Tx, number: int, space: str, session: str, *, is_resumed: bool
) -> list[str]:
    """The summary of this session, or for a new one of the session before it."""
    for info in tx.sessions.recent(number, space, 5):
        if (info.session == session) is not is_resumed:
            continue
        summary = tx.summaries.get(number, info.session)
        if summary is not None and summary.text.strip():
            text = clip(summary.text, 4 * quick_recall.LONGEST)
            return [quotation.quote_text(text, info.session, "agent", summary.at, "summary")]
    return []


def _archived_upto(tx: Tx, number: int, address: tuple[str, str]) -> int:
    marker = tx.events.last_marker(number, address)
    upto = None if marker is None else (marker.metadata or {}).get("upto")
    return upto if isinstance(upto, int) else -1


def _pack(told: list[str]) -> str:
    """The most wanted first, as much as fits."""
    kept: list[str] = []
    left = BUDGET - len(quotation.HEADER)
    for piece in told:
        if len(piece) + 1 <= left:
            kept.append(piece)
            left -= len(piece) + 1
    return "\n".join([quotation.HEADER, *kept]) if kept else ""


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
