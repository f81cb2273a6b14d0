"""Verbs about sessions: append, show, sessions."""

from copy import copy
from typing import TYPE_CHECKING, Any

import click

from ricordo.errors import NotFound
from ricordo.model import ORIGINS
from ricordo.surfaces.cli.complete import complete_sessions
from ricordo.surfaces.cli.context import Call, Verb, verb
from ricordo.surfaces.cli.param_types import json, text, time
from ricordo.surfaces.output import EVENT_TITLES, event_row

if TYPE_CHECKING:
    from ricordo.handles.memory import Session, Space


def is_known(space: "Space", session: str) -> bool:
    """Whether anything was ever appended to a session."""
    return space.session(session).info() is not None


def find_session(space: "Space", session: str) -> "Session":
    """An existing session; NotFound for a mistyped name."""
    if not is_known(space, session):
        raise NotFound(f"there is no session {session!r} in space {space.name!r}")
    return space.session(session)


@verb(
    "append",
    'ricordo append trip user "Book me a flight to Oslo"',
    'ricordo append trip user "Window, please" --name Ana --at 2026-03-01T09:30Z',
)
@click.argument("session", shell_complete=complete_sessions)
@click.argument("role")
@click.argument("content", metavar="TEXT", type=text)
@click.option("--name", help="Who speaks.")
@click.option("--at", type=time, help="When it was said; default: now.")
@click.option("--seq", type=int, help="Its place in the log; default: the next.")
@click.option("--importance", type=float, help="From 0 to 1; default: by role.")
@click.option("--origin", type=click.Choice(ORIGINS), help="Where it came from; default: by role.")
@click.option("--tool-calls", type=json, help="A JSON list of its tool calls.")
@click.option("--tool-call-id", help="The call that it answers.")
@click.option("--metadata", type=json, help="A JSON object to keep with it.")
@click.option("--key", help="Your own id for it; the same key is written once.")
@click.option("--index/--no-index", default=True, help="Whether recall finds it.")
def append(call: Call, session: str, role: str, content: str, **given: Any) -> None:
    """Append TEXT by ROLE to the log of SESSION and print its seq.

    ROLE is user, assistant, system, developer, tool or function; --name says who speaks. TEXT may
    be - to read standard input, and it may be empty. When this returns, the message is durable and
    can be found by its words; the next recall or flush makes its vector.
    """
    with call.memory(writes=True) as memory:
        event = call.space(memory).session(session).append(role, content, **given)
    call.out.line(event, str(event.seq))


@verb("sessions", "ricordo sessions --limit 10", "ricordo sessions --prefix trip/")
@click.option("--limit", type=int, help="Maximum number; default: all.")
@click.option("--prefix", help="Only names with this prefix.")
@click.option("--agent", help="Only sessions of this agent.")
def sessions(call: Call, limit: int | None, prefix: str | None, agent: str | None) -> None:
    """Print the sessions of the space, most recently active first.

    Each line holds the name, the number of events, the times of first and last activity (UTC), and
    the agent that holds it, if chat create named one.
    """
    with call.memory() as memory:
        found = call.space(memory).sessions(limit, prefix=prefix, agent=agent)
        if not found:
            call.note_missing_space(memory)
    rows = [(s.session, s.events, s.created_at, s.updated_at, s.agent or "") for s in found]
    call.out.table(found, ("session", "events", "begun", "last active", "agent"), rows)


@verb("show", "ricordo show trip", "ricordo show trip --after 10 --limit 5")
@click.argument("session", shell_complete=complete_sessions)
@click.option("--after", type=int, help="Only events after this seq.")
@click.option("--limit", type=int, help="Maximum number.")
def show(call: Call, session: str, after: int | None, limit: int | None) -> None:
    """Print the log of SESSION in order.

    Each line holds seq, time (UTC), role, name and text.
    """
    with call.memory() as memory:
        space = call.space(memory)
        events = find_session(space, session).events(after, limit)
    rows = [event_row(event) for event in events]
    call.out.table(events, EVENT_TITLES, rows)


def append_under(group: str) -> Verb:
    """The verb append, with examples for a group."""
    twin = copy(append)
    twin.examples = tuple(
        each.replace("ricordo append", f"ricordo {group} append") for each in append.examples
    )
    return twin


VERBS = (append, sessions, show)
