"""Verbs about sessions: append, show, sessions."""

from typing import Any

import click

from recollect.errors import NotFound
from recollect.model import ORIGINS
from recollect.surfaces.calling import Call, verb
from recollect.surfaces.printing import spoken
from recollect.surfaces.values import json, text, time


@verb(
    "append",
    'recollect append trip user "Book me a flight to Oslo"',
    'recollect append trip user "Window, please" --name Ana --at 2026-03-01T09:30Z',
)
@click.argument("session")
@click.argument("role")
@click.argument("content", metavar="TEXT", type=text)
@click.option("--name", help="Who speaks.")
@click.option("--at", type=time, help="When it was said; now unless given.")
@click.option("--seq", type=int, help="Its place in the log; the next one unless given.")
@click.option("--importance", type=float, help="From 0 to 1; by role unless given.")
@click.option(
    "--origin", type=click.Choice(ORIGINS), help="Who it came from; by role unless given."
)
@click.option("--tool-calls", type=json, help="A JSON list of the calls in it.")
@click.option("--tool-call-id", help="The call that it answers.")
@click.option("--metadata", type=json, help="A JSON object to keep with it.")
def append(call: Call, session: str, role: str, content: str, **given: Any) -> None:
    """Append TEXT by ROLE to the log of SESSION and print its seq.

    ROLE is user, assistant, tool or system. TEXT may be - to read standard input. The message is
    durable and found by its words when this returns; the next recall or flush makes its vector.
    """
    with call.memory(writes=True) as memory:
        event = call.space(memory).session(session).append(role, content, **given)
    call.out.line(event, str(event.seq))


@verb("sessions", "recollect sessions --limit 10")
@click.option("--limit", type=int, help="All of them unless given.")
def sessions(call: Call, limit: int | None) -> None:
    """Print the sessions of the space, most recently active first.

    A line holds the name, the number of events, and the times of its first and last change (UTC).
    """
    with call.memory() as memory:
        found = call.space(memory).sessions(limit)
    rows = [(s.session, s.events, s.created_at, s.updated_at) for s in found]
    call.out.table(found, ("session", "events", "begun", "last active"), rows)


@verb("show", "recollect show trip", "recollect show trip --after 10 --limit 5")
@click.argument("session")
@click.option("--after", type=int, help="From just after this seq on.")
@click.option("--limit", type=int, help="At most so many.")
def show(call: Call, session: str, after: int | None, limit: int | None) -> None:
    """Print the log of SESSION in order.

    A line holds seq, time (UTC), role, name and text.
    """
    with call.memory() as memory:
        space = call.space(memory)
        events = space.session(session).events(after, limit)
        if not events and session not in {known.session for known in space.sessions()}:
            raise NotFound(f"there is no session {session!r} in space {space.name!r}")
    rows = [(e.seq, e.at, e.role, e.name, spoken(e)) for e in events]
    call.out.table(events, ("seq", "time", "role", "name", "text"), rows)


VERBS = (append, sessions, show)
