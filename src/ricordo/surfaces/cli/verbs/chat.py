"""The verb chat and its own verbs: work with a long session."""

from typing import Any

import click

from ricordo.errors import NotFound, StaleEpoch
from ricordo.model import Context, ContextProfile, Json
from ricordo.surfaces.cli.complete import (
    complete_context_profiles,
    complete_entries,
    complete_sessions,
)
from ricordo.surfaces.cli.context import Call, verb, verbs
from ricordo.surfaces.cli.param_types import text, time
from ricordo.surfaces.cli.verbs import log, log_edits
from ricordo.surfaces.cli.verbs.recall import embed_waiting
from ricordo.surfaces.cli.verbs.sessions import append_under, find_session, is_known
from ricordo.surfaces.output import EVENT_TITLES, dumps, event_row
from ricordo.surfaces.progress import Progress

_MODEL = "The URL of a chat model, https://host/v1#model; default: an extractive summary."


@verb(
    "context",
    'ricordo chat context trip "seat preference" --budget 2000',
    "ricordo chat context trip --profile tri --json",
)
@click.argument("session", shell_complete=complete_sessions)
@click.argument("query", required=False, type=text)
@click.option("--budget", type=int, help="Maximum tokens; default: the setting context_budget.")
@click.option(
    "--profile",
    default="default",
    help='"default" or "tri".',
    shell_complete=complete_context_profiles,
)
@click.option(
    "--files/--no-files",
    default=None,
    help="Quote MEMORY.md and similar files. Default: if there is a workspace.",
)
def context(
    call: Call,
    session: str,
    query: str | None,
    budget: int | None,
    profile: ContextProfile,
    files: bool | None,
) -> None:
    """Print the context for a model: summary, log, recalled memory, reminders.

    Without QUERY, the last user message is the query; "" recalls nothing. Due reminders are printed
    and count as delivered. With a QUERY, SESSION may be new.
    """
    with call.memory(writes=True, embeds=True) as memory:
        space = call.space(memory)
        chat = find_session(space, session) if query is None else space.session(session)
        if query is not None and not is_known(space, session):
            call.out.note(
                f"there is no session {session!r} yet; recall searches the rest of the space"
            )
        embed_waiting(call, memory)
        found = chat.context(query, budget, profile=profile, files=files)
    call.out.line(found, found.text)
    call.out.note(f"{found.tokens} of {found.budget} tokens{_tell_unshown(found)}")


@verb(
    "summary",
    "ricordo chat summary trip",
    "ricordo chat summary trip --force",
    "ricordo chat summary trip --as-of 2026-03-01",
    'ricordo chat summary trip --write "Ana flies to Oslo" --upto 12 --epoch 1',
)
@click.argument("session", shell_complete=complete_sessions)
@click.option("--budget", type=int, help="Condense if the log fills 80 % of this many tokens.")
@click.option("--force", is_flag=True, help="Condense now, except the two newest messages.")
@click.option("--model", help=_MODEL)
@click.option("--write", "words", type=text, help="Write this summary; - reads standard input.")
@click.option("--upto", type=int, help="The last seq that --write covers.")
@click.option("--epoch", type=int, default=0, help="The epoch that --write replaces; 0 if none.")
@click.option("--as-of", type=time, help="What it said at this time.")
@click.option("--all", "lists_all", is_flag=True, help="Also what it said before, oldest first.")
def summary(
    call: Call, session: str, words: str | None, upto: int | None, epoch: int, **made: Any
) -> None:
    """Print the rolling summary of SESSION; --budget and --force update it first.

    --write replaces it, unless somebody else replaced it after you read its epoch. --as-of and
    --all show what it said before; the setting `summaries_kept` says how much of that is kept.
    """
    if (words is None) != (upto is None):
        raise click.UsageError("--write and --upto belong together.")
    if made["lists_all"]:
        _list_summaries(call, session)
        return
    is_made = made["force"] or made["budget"] is not None or _name_typed_by_user() == "summarize"
    with call.memory(writes=is_made or words is not None) as memory:
        space = call.space(memory)
        chat = find_session(space, session) if words is None else space.session(session)
        if is_made:
            with Progress("summarising", call.out):
                chat.summarize(made["budget"], summarizer=made["model"], force=made["force"])
        if words is not None and upto is not None:
            written = chat.write_summary(words, upto, epoch)
            if not written.applied:
                raise StaleEpoch(
                    f"the summary of {session!r} has epoch {written.current_epoch}, not {epoch}; "
                    "read it again"
                )
        found = chat.summary(made["as_of"])
    if found is None:
        raise NotFound(f"session {session!r} has no summary; {_way_out(made['force'])}")
    call.out.line(found, found.text)


def _list_summaries(call: Call, session: str) -> None:
    """Print the summary and what it said before."""
    with call.memory() as memory:
        found = find_session(call.space(memory), session).summaries()
    rows = [(each.at, each.epoch, each.upto, each.text) for each in found]
    call.out.table(found, ("time", "epoch", "upto", "text"), rows)


@verb(
    "compact",
    "ricordo chat compact trip",
    'ricordo chat compact trip --name "Trip to Oslo" --folder . --keep 4',
)
@click.argument("session", shell_complete=complete_sessions)
@click.option("--name", help="Prefix of the archive's name; default: the session.")
@click.option(
    "--keep", type=int, default=0, help="How many of the newest events stay in the context."
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False),
    help="Also write Markdown to its conversations folder.",
)
@click.option("--model", help=_MODEL)
def compact(
    call: Call, session: str, name: str | None, keep: int, folder: str | None, model: str | None
) -> None:
    """Archive the log of SESSION since the last marker and print the archive's name.

    Nothing is lost: `chat expand` prints the archived events.
    """
    with call.known_memory() as memory:
        chat = call.space(memory).session(session)
        with Progress("compacting", call.out):
            entry = chat.compact(name, keep=keep, summarizer=model, folder=folder)
    call.out.line(entry, entry.name)


@verb("replay", "ricordo chat replay trip", "ricordo chat replay trip --budget 2000")
@click.argument("session", shell_complete=complete_sessions)
@click.option("--budget", type=int, help="Print the summary and the newest messages that fit.")
def replay(call: Call, session: str, budget: int | None) -> None:
    """Print the messages since the last marker, after the archive's text.

    Each line holds role and text.
    """
    with call.memory() as memory:
        chat = find_session(call.space(memory), session)
        is_fitted = budget is not None or _name_typed_by_user() == "restore"
        messages = chat.restore(budget) if is_fitted else chat.replay()
    call.out.table(messages, ("role", "text"), [(m["role"], _words_of(m)) for m in messages])


@verb("expand", "ricordo chat expand trip trip-1")
@click.argument("session", shell_complete=complete_sessions)
@click.argument("archive", shell_complete=complete_entries)
def expand(call: Call, session: str, archive: str) -> None:
    """Print the events in ARCHIVE.

    Each line holds seq, time (UTC), role, name and text.
    """
    with call.memory() as memory:
        events = call.space(memory).session(session).expand(archive)
    rows = [event_row(event) for event in events]
    call.out.table(events, EVENT_TITLES, rows)


@verb("close", "ricordo chat close trip")
@click.argument("session", shell_complete=complete_sessions)
def close(call: Call, session: str) -> None:
    """End SESSION for now: commit a workspace in git and print the id of the commit."""
    with call.memory() as memory:
        made = find_session(call.space(memory), session).close()
    if made is None:
        call.out.note("nothing was committed")
    if made is not None or call.out.as_json:
        call.out.line({"checkpoint": made}, made or "")


def _tell_unshown(found: Context) -> str:
    """How many messages of the session are not shown themselves, if there are any."""
    covered = f"; {found.covered} more messages in summary and notes" if found.covered else ""
    return covered + (f"; {found.omitted} messages left out" if found.omitted else "")


def _way_out(is_forced: bool) -> str:
    if not is_forced:
        return "create one with --force"
    return "its two newest messages are never condensed; add messages, or use --write"


def _name_typed_by_user() -> str | None:
    """The name that the user typed: the name of a method may imply an option."""
    return click.get_current_context().info_name


def _words_of(message: dict[str, Json]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return dumps(content if content is not None else message.get("tool_calls"))


chat = verbs(
    "chat",
    "Work with a long session: its context, summary, compaction, scratchpad.",
    (
        append_under("chat"),
        context,
        summary,
        compact,
        replay,
        expand,
        close,
        *log.VERBS,
        *log_edits.VERBS,
    ),
    'ricordo chat append trip user "Book me a flight to Oslo"',
    'ricordo chat context trip "seat preference" --budget 2000',
)
VERBS = (chat,)
