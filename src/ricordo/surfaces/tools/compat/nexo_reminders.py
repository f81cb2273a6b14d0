"""Toolset `reminders`: forge_reminder, and schedule_reminder, which is the same by another name."""

from typing import Annotated, TypedDict

from ricordo.errors import InvalidInput
from ricordo.model import Json
from ricordo.surfaces.tools.format import filled, maybe
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import ADDS, Bound, Toolset

REMINDERS = Toolset("reminders", "texts that a channel delivers to a recipient at a time")


class Reminded(TypedDict):
    ok: bool
    id: str
    due_at: str | None
    session_id: str | None
    source_plugin: str
    recipient: str


def forge_reminder(
    bound: Bound,
    at: Annotated[str, About("ISO 8601, or a duration: 10m, 2h, 1d", shortest=1)],
    message: Annotated[str, About("what to deliver", shortest=1)],
    session_id: Annotated[str | None, About("the session it belongs to")] = None,
    source_plugin: Annotated[str | None, About("the channel that delivers it")] = None,
    source_instance: Annotated[str | None, About("which one of that channel")] = None,
    recipient: Annotated[str | None, About("who gets it")] = None,
    to: Annotated[str | None, About("the same as recipient")] = None,
) -> Reminded:
    """Deliver a message to a recipient at a time."""
    channel = _channel(source_plugin, source_instance)
    reader = recipient if recipient is not None else to
    if reader is None or not reader.strip():
        raise InvalidInput("recipient is missing; say who gets the reminder")
    made = bound.space.remind(
        filled(message, "message"),
        at=filled(at, "at"),
        recipient=reader,
        channel=channel,
        session=bound.session_name if session_id is None else _session(bound, session_id),
    )
    return {
        "ok": True,
        "id": made.id,
        "due_at": maybe(made.at),
        "session_id": made.session,
        "source_plugin": channel,
        "recipient": reader,
    }


def _session(bound: Bound, session_id: str) -> str:
    try:
        return bound.space.session(session_id).name
    except InvalidInput as error:
        raise InvalidInput(f"session_id cannot be one: {error}") from None


def _channel(plugin: str | None, instance: str | None) -> str:
    if plugin is None or not plugin.strip():
        raise InvalidInput("source_plugin is missing; name the channel that delivers the reminder")
    return plugin if not instance or "." in plugin else f"{plugin}.{instance}"


_EXAMPLE: dict[str, Json] = {
    "at": "10m",
    "message": "Call the bank",
    "source_plugin": "telegram",
    "source_instance": "main",
    "recipient": "ana",
}
for _name in ("forge_reminder", "schedule_reminder"):
    REMINDERS.tool(
        _EXAMPLE,
        hints=ADDS,
        name=_name,
        errors=(
            "a time that is not understood",
            "a bad session id",
            "no source_plugin or recipient",
        ),
    )(forge_reminder)
