"""Verbs that read a log from its end, or change what it holds."""

from typing import Any

import click

from ricordo.model import Event
from ricordo.surfaces.cli.complete import complete_sessions
from ricordo.surfaces.cli.context import Call, confirm, verb
from ricordo.surfaces.cli.param_types import json, text
from ricordo.surfaces.cli.verbs.sessions import find_session
from ricordo.surfaces.output import EVENT_TITLES, event_row


def _print_events(call: Call, events: list[Event]) -> None:
    call.out.table(events, EVENT_TITLES, [event_row(event) for event in events])


@verb("tail", "ricordo chat tail trip 10", "ricordo chat tail trip 10 --before 90")
@click.argument("session", shell_complete=complete_sessions)
@click.argument("n", type=int)
@click.option("--before", type=int, help="Only events before this seq, to read backwards.")
def tail(call: Call, session: str, n: int, before: int | None) -> None:
    """Print the last N events of SESSION, oldest of them first.

    Each line holds seq, time (UTC), role, name and text.
    """
    with call.memory() as memory:
        events = find_session(call.space(memory), session).tail(n, before=before)
    _print_events(call, events)


@verb("info", "ricordo chat info trip")
@click.argument("session", shell_complete=complete_sessions)
def info(call: Call, session: str) -> None:
    """Print how many events SESSION has, when it began and was last active (UTC), and its agent."""
    with call.memory() as memory:
        found = find_session(call.space(memory), session).info()
    assert found is not None
    begun, active, agent = found.created_at, found.updated_at, found.agent or ""
    rows = [(found.session, found.events, begun, active, agent)]
    call.out.table(found, ("session", "events", "begun", "last active", "agent"), rows)


@verb("create", "ricordo chat create trip", "ricordo chat create trip --agent scout")
@click.argument("session")
@click.option("--agent", help="The agent that holds it.")
def create(call: Call, session: str, agent: str | None) -> None:
    """Create SESSION without a message, or name its agent; print whether it is new."""
    with call.memory(writes=True) as memory:
        is_new = call.space(memory).session(session).create(agent=agent)
    call.out.line({"created": is_new}, "created" if is_new else "it was there")


@verb("fork", "ricordo chat fork trip by-train --at 12")
@click.argument("session", shell_complete=complete_sessions)
@click.argument("name")
@click.option("--at", type=int, help="The last seq to take along; default: all.")
def fork(call: Call, session: str, name: str, at: int | None) -> None:
    """Make the session NAME of the messages of SESSION, and print how many events it has."""
    with call.known_memory() as memory:
        made = find_session(call.space(memory), session).fork(name, at=at).info()
    assert made is not None
    call.out.line(made, str(made.events))


@verb("truncate", "ricordo chat truncate trip 12", "ricordo chat truncate trip 12 --yes")
@click.argument("session", shell_complete=complete_sessions)
@click.argument("after", type=int)
@click.option("--expect-last", type=int, help="Do nothing if the log ends at another seq.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def truncate(call: Call, session: str, after: int, expect_last: int | None, yes: bool) -> None:
    """Take every event after the seq AFTER out of SESSION, and print them. -- -1 leaves none.

    This cannot be undone. What a summary or a compaction retells stays.
    """
    with call.known_memory() as memory:
        chat = find_session(call.space(memory), session)
        if not yes:
            confirm(f"Cut the session {session!r} after seq {after}?", f"cutting {session!r}")
        events = chat.truncate(after, expect_last=expect_last)
    _print_events(call, events)


@verb("edit", 'ricordo chat edit trip 12 "[removed]"')
@click.argument("session", shell_complete=complete_sessions)
@click.argument("seq", type=int)
@click.argument("content", metavar="TEXT", type=text)
@click.option("--name", help="Who speaks; default: as it was.")
@click.option("--tool-calls", type=json, help="A JSON list of its tool calls.")
@click.option("--tool-call-id", help="The call that it answers.")
@click.option("--metadata", type=json, help="A JSON object to keep with it.")
@click.option("--index/--no-index", default=True, help="Whether recall finds it.")
@click.option("--expect-revision", type=int, help="Do nothing if it has another revision.")
def edit(call: Call, session: str, seq: int, content: str, **given: Any) -> None:
    """Replace what the event SEQ of SESSION says with TEXT, and print its revision.

    This cannot be undone: what it said, its tool calls and its metadata are gone.
    """
    with call.known_memory() as memory:
        event = find_session(call.space(memory), session).edit(seq, content, **given)
    call.out.line(event, str(event.revision))


VERBS = (tail, info, create, fork, truncate, edit)
