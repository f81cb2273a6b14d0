"""Verbs about a conversation that grows: chat (append, context, compact, replay …) and ingest."""

from pathlib import Path

import click

from recollect.errors import NotFound
from recollect.model import Json
from recollect.surfaces import commands_sessions
from recollect.surfaces.calling import Call, verb, verbs
from recollect.surfaces.commands_recall import embed_waiting
from recollect.surfaces.printing import Progress, dumps, spoken
from recollect.surfaces.values import text

_MODEL = "The URL of a chat model, https://host/v1#model; the extractive summary unless given."


@verb(
    "context",
    'recollect chat context trip "seat preference" --budget 2000',
    "recollect chat context trip --profile tri --json",
)
@click.argument("session")
@click.argument("query", required=False, type=text)
@click.option("--budget", type=int, default=4_000, help="Tokens it may cost; 4000 unless given.")
@click.option("--profile", default="default", help='"default" or "tri".')
@click.option("--files", is_flag=True, help="Quote MEMORY.md and its like from the workspace, too.")
def context(
    call: Call, session: str, query: str | None, budget: int, profile: str, files: bool
) -> None:
    """Print what to put in front of a model: summary, log, recalled memory, reminders.

    Without QUERY the last user message is asked for; "" recalls nothing. Reminders that are due are
    given out by this.
    """
    with call.memory(writes=True, embeds=True) as memory:
        embed_waiting(call, memory)
        chat = call.space(memory).session(session)
        found = chat.context(query, budget, profile=profile, files=files)
    call.out.line(found, found.text)
    call.out.note(f"{found.tokens} of {found.budget} tokens")


@verb("summary", "recollect chat summary trip", "recollect chat summary trip --force")
@click.argument("session")
@click.option("--budget", type=int, help="Condense if the log fills 80 % of so many tokens.")
@click.option("--force", is_flag=True, help="Condense now, however short the log is.")
@click.option("--model", help=_MODEL)
def summary(call: Call, session: str, budget: int | None, force: bool, model: str | None) -> None:
    """Print the rolling summary of SESSION; --budget and --force bring it up to date first."""
    writes = force or budget is not None
    with call.memory(writes=writes) as memory:
        chat = call.space(memory).session(session)
        if writes:
            size = 128_000 if budget is None else budget
            chat.summarize(size, summarizer=model, force=force)
        found = chat.summary()
    if found is None:
        raise NotFound(f"session {session!r} has no summary; make one with --force")
    call.out.line(found, found.text)


@verb(
    "compact",
    "recollect chat compact trip",
    'recollect chat compact trip --name "Trip to Oslo" --folder . --keep 4',
)
@click.argument("session")
@click.option("--name", help="What the archive's name begins with; the session's unless given.")
@click.option("--keep", type=int, default=0, help="Newest events that stay in the context.")
@click.option(
    "--folder", type=click.Path(file_okay=False), help="Leave Markdown in its conversations folder."
)
@click.option("--model", help=_MODEL)
def compact(
    call: Call, session: str, name: str | None, keep: int, folder: str | None, model: str | None
) -> None:
    """Archive the log of SESSION since the last marker and print the archive's name.

    Nothing is lost: `chat expand` gives the events back.
    """
    with call.memory(writes=True) as memory:
        chat = call.space(memory).session(session)
        entry = chat.compact(name, keep=keep, summarizer=model, folder=folder)
    call.out.line(entry, entry.name)


@verb("replay", "recollect chat replay trip", "recollect chat replay trip --budget 2000")
@click.argument("session")
@click.option("--budget", type=int, help="Only the newest that fit, behind the summary.")
def replay(call: Call, session: str, budget: int | None) -> None:
    """Print the messages since the last marker, the archive's text in front.

    A line holds role and text.
    """
    with call.memory() as memory:
        chat = call.space(memory).session(session)
        messages = chat.replay() if budget is None else chat.restore(budget)
    call.out.table(messages, ("role", "text"), [(m["role"], _said(m)) for m in messages])


@verb("expand", "recollect chat expand trip trip-1")
@click.argument("session")
@click.argument("archive")
def expand(call: Call, session: str, archive: str) -> None:
    """Print the events that ARCHIVE stands for.

    A line holds seq, time (UTC), role, name and text.
    """
    with call.memory() as memory:
        events = call.space(memory).session(session).expand(archive)
    rows = [(e.seq, e.at, e.role, e.name, spoken(e)) for e in events]
    call.out.table(events, ("seq", "time", "role", "name", "text"), rows)


@verb("close", "recollect chat close trip")
@click.argument("session")
def close(call: Call, session: str) -> None:
    """Say that SESSION is over for now: a workspace in git is committed, and its id printed."""
    with call.memory() as memory:
        made = call.space(memory).session(session).close()
    if made is not None or call.out.as_json:
        call.out.line({"checkpoint": made}, made or "")


@verb("ingest", "recollect ingest notes.md", "recollect ingest handbook --forget-missing")
@click.argument("path", type=click.Path(exists=True))
@click.option("--uri", help="What it is known by; its path unless given.")
@click.option("--forget-missing", is_flag=True, help="Forget files that are gone from the folder.")
def ingest(call: Call, path: str, uri: str | None, forget_missing: bool) -> None:
    """Take in a file, or every readable file of a folder; what has not changed costs nothing.

    A line holds the URI, the number of chunks and whether it changed.
    """
    with call.memory(writes=True, embeds=True) as memory:
        space = call.space(memory)
        if Path(path).is_dir():
            if uri is not None:
                raise click.UsageError("--uri is for one file; a folder's files have their paths")
            with Progress("reading", call.out) as progress:
                found = space.ingest_folder(path, forget_missing=forget_missing, progress=progress)
        else:
            found = [space.ingest(Path(path), uri)]
        embed_waiting(call, memory)
    rows = [(d.uri, d.chunks, "changed" if d.changed else "same") for d in found]
    call.out.table(found, ("uri", "chunks", "state"), rows)


def _said(message: dict[str, Json]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return dumps(content if content is not None else message.get("tool_calls"))


chat = verbs(
    "chat",
    "Work with a conversation that grows: context, summary, compaction.",
    (commands_sessions.append, context, summary, compact, replay, expand, close),
    'recollect chat append trip user "Book me a flight to Oslo"',
    'recollect chat context trip "seat preference" --budget 2000',
)
VERBS = (chat, ingest)
