"""Messages: events as chat messages, a tool call always together with its results.

Chat servers refuse a result without its call and a call without its result, so whatever is chosen
from a log is chosen by groups. Knows the shapes of OpenAI and Anthropic.
"""

from collections.abc import Iterable, Sequence

from ricordo.core.text import content
from ricordo.core.text.quotation import citation, label, quote_lines, quote_text
from ricordo.model import ROLES, Event, Json

ChatMessage = dict[str, Json]
_OUTSIDE = ("tool", "web", "import")  # origins that give no instructions


class MessageGroup:
    """Events that stand or fall together, and the chat messages they make.

    Messages are made when they are asked for: most groups of a long session are never shown.
    """

    __slots__ = ("_is_open", "_messages", "events")

    def __init__(self, events: tuple[Event, ...], *, is_open: bool = False) -> None:
        self.events = events
        self._is_open = is_open
        self._messages: tuple[ChatMessage, ...] | None = None

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        if self._messages is None:
            self._messages = tuple(_render_group(self.events, is_open=self._is_open))
        return self._messages

    @property
    def first(self) -> int:
        return self.events[0].seq

    @property
    def last(self) -> int:
        return self.events[-1].seq


def words(event: Event) -> str:
    """The text of an event, without its calls."""
    return content.extract(event.content, None)


def calls_of(event: Event) -> dict[str, str]:
    """The calls an event makes: their ids with the names of the tools."""
    found: dict[str, str] = {}
    if not event.tool_calls and isinstance(event.content, str | None):
        return found  # most messages
    parts = content.parts(event.content)
    uses = [part for part in parts if isinstance(part, dict) and part.get("type") == "tool_use"]
    for call in [*(event.tool_calls or []), *uses]:
        if isinstance(call, dict) and isinstance(call.get("id"), str):
            inner = call.get("function")
            shape = inner if isinstance(inner, dict) else call
            found[call["id"]] = str(shape.get("name", "tool"))
    return found


def calls_answered_by(event: Event) -> set[str]:
    """The calls an event answers."""
    found = {event.tool_call_id} if event.tool_call_id else set()
    if isinstance(event.content, str | None):
        return found
    for part in content.parts(event.content):
        if isinstance(part, dict) and part.get("type") == "tool_result":
            found.add(str(part.get("tool_use_id")))
    return found


def holds_question(group: MessageGroup) -> bool:
    """Whether the user speaks in a group; results of tools may come in the role of the user."""
    return any(
        event.role == "user" and not calls_answered_by(event) and words(event).strip()
        for event in group.events
    )


def groups(events: Iterable[Event]) -> list[MessageGroup]:
    """Messages in groups, in the order in which the groups end; the newest event is in the last."""
    bound: list[list[Event]] = []
    waiting: dict[str, list[Event]] = {}
    for event in events:
        if event.kind != "message":
            continue
        answered = calls_answered_by(event) if waiting else ()
        homes = [waiting.pop(id) for id in answered if id in waiting]
        home = homes[0] if homes else []
        if not homes:
            bound.append(home)
        home.append(event)
        for id in calls_of(event):
            waiting[id] = home
    bound.sort(key=lambda members: members[-1].seq)
    newest = len(bound) - 1
    return [
        MessageGroup(tuple(members), is_open=place == newest) for place, members in enumerate(bound)
    ]


def whole_cut(events: Sequence[Event], cut: int, left: int) -> int:
    """Where to cut near `cut` without parting a call from its results, 0 if nowhere.

    Later if that leaves at least `left` events, else earlier.
    """
    parted: set[int] = set()
    waiting: dict[str, int] = {}
    for place, event in enumerate(events):
        for id in calls_answered_by(event) & waiting.keys():
            parted.update(range(waiting.pop(id) + 1, place + 1))
        waiting.update(dict.fromkeys(calls_of(event), place))
    later = [n for n in range(cut, len(events) - left + 1) if n not in parted]
    earlier = [n for n in range(cut, 0, -1) if n not in parted]
    return (later or earlier or [0])[0]


def is_data(event: Event) -> bool:
    """Whether a message speaks with a voice that its origin does not have.

    Instructions come from the program, never from a page, a tool or a file; and a role that no chat
    server knows is in files of old.
    """
    is_order = event.role in ("system", "developer") and event.origin in _OUTSIDE
    return is_order or event.role not in ROLES


def plain(event: Event) -> ChatMessage:
    """An event as one chat message, exactly as it was given unless it is data."""
    if is_data(event):
        return as_words(event)
    message: ChatMessage = {"role": event.role, "content": event.content}
    if event.name is not None:
        message["name"] = event.name
    if event.tool_calls:
        message["tool_calls"] = event.tool_calls
    if event.tool_call_id is not None:
        message["tool_call_id"] = event.tool_call_id
    return message


def as_words(event: Event) -> ChatMessage:
    """An event as words only: for calls whose result is missing, and results without their call."""
    said = content.extract(event.content, event.tool_calls) or "(no text)"
    if is_data(event):
        cite = citation(event.session, event.seq)
        quoted = quote_text(said, cite, event.origin, event.at, event.name or "", event.role)
        return {"role": "user", "content": quoted}
    if event.role in ("tool", "function") or calls_answered_by(event):
        return {"role": "assistant", "content": f"[result of a tool]\n{quote_lines(said)}"}
    role = event.role if event.role in ("user", "assistant", "system") else "assistant"
    return {"role": role, "content": said}


def show_quoted(message: ChatMessage) -> str:
    """A message of the log as text: who speaks, and below it what was said, quoted."""
    name = message.get("name")
    speaker = f'{message["role"]} "{label(str(name))}"' if name else str(message["role"])
    said = content.extract(message.get("content"), message.get("tool_calls"))
    return f"{speaker}:\n{quote_lines(said)}"


def _render_group(members: Sequence[Event], *, is_open: bool) -> list[ChatMessage]:
    """The messages of a group. Calls of the newest one may still wait for their results."""
    calls = {id for event in members for id in calls_of(event)}
    results = {id for event in members for id in calls_answered_by(event)}
    is_whole = calls == results if calls else not results and members[0].role != "tool"
    if members[0].tool_calls and not calls:
        is_whole = False  # calls without ids can have no results
    if is_whole or (is_open and calls >= results and calls):
        return [plain(event) for event in members]
    if calls & results and isinstance(members[0].content, str | None):
        return [_drop_open_calls(event, results) for event in members]
    return [as_words(event) for event in members]


def _drop_open_calls(event: Event, results: set[str]) -> ChatMessage:
    """The message with those of its calls that were answered."""
    message = plain(event)
    if event.tool_calls:
        message["tool_calls"] = [
            call
            for call in event.tool_calls
            if isinstance(call, dict) and call.get("id") in results
        ]
    return message
