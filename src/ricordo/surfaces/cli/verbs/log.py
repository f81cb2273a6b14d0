"""Verbs about the contents of a session: its log as a whole, its scratchpad."""

from json import JSONDecodeError, loads
from typing import Any

import click

from ricordo.errors import InvalidInput
from ricordo.surfaces.cli import preview
from ricordo.surfaces.cli.complete import complete_sessions
from ricordo.surfaces.cli.context import Call, confirm, verb
from ricordo.surfaces.cli.param_types import file, text, time
from ricordo.surfaces.cli.verbs.sessions import find_session
from ricordo.surfaces.output import EVENT_TITLES, event_row

# Fields that the memory gives to an event.
_OWN = ("space", "session", "uid", "revision", "consolidated_at")


@verb(
    "extend",
    "ricordo chat extend trip messages.jsonl",
    "cat messages.jsonl | ricordo chat extend trip -",
)
@click.argument("session", shell_complete=complete_sessions)
@click.argument("path")
def extend(call: Call, session: str, path: str) -> None:
    """Append the messages of a file to SESSION, all of them or none, and print their seqs.

    PATH is a file, or - for standard input, with a JSON array or JSON lines. Each message is an
    object with "role" and "content", and may have a field for each option of `append`. The output
    of `show --json` also works: "space", "session", "uid", "revision" and "consolidated_at" are
    ignored.
    """
    messages = _read_messages(path)
    with call.memory(writes=True) as memory:
        events = call.space(memory).session(session).extend(messages)
    call.out.table(events, ("seq",), [(event.seq,) for event in events])


def _read_messages(path: str) -> list[Any]:
    read = text(path) if path == "-" else file(path).read_text(encoding="utf-8")
    return [_message(given) for given in _messages(read, path)]


def _messages(read: str, path: str) -> list[Any]:
    try:
        if read.lstrip().startswith("["):
            return list(loads(read))
        return [loads(line) for line in read.splitlines() if line.strip()]
    except (JSONDecodeError, RecursionError) as error:
        raise InvalidInput(
            f"{path!r} is neither a JSON array nor JSON lines ({error}); write one message a line"
        ) from error


def _message(given: Any) -> Any:
    """A message as `extend` takes it, which refuses what is not an object."""
    if not isinstance(given, dict):
        return given
    if given.get("kind") == "marker":
        raise InvalidInput(
            f"the marker {given.get('seq')} belongs to an archive of its own session; leave it "
            "out, or move the whole space with ricordo export and import"
        )
    message = {name: value for name, value in given.items() if name not in _OWN}
    if isinstance(message.get("at"), str):
        message["at"] = time(message["at"])
    return message


@verb("recent", "ricordo chat recent trip", "ricordo chat recent trip --limit 5")
@click.argument("session", shell_complete=complete_sessions)
@click.option("--limit", type=int, help="Maximum number.")
def recent(call: Call, session: str, limit: int | None) -> None:
    """Print the newest events of SESSION, as working memory holds them.

    They always include the user's first message. Each line holds seq, time (UTC), role, name and
    text.
    """
    with call.memory() as memory:
        events = find_session(call.space(memory), session).recent(limit)
    rows = [event_row(event) for event in events]
    call.out.table(events, EVENT_TITLES, rows)


@verb(
    "scratchpad",
    "ricordo chat scratchpad trip",
    'ricordo chat scratchpad trip "ask for the passport" "book the hotel"',
    "ricordo chat scratchpad trip --clear",
)
@click.argument("session", shell_complete=complete_sessions)
@click.argument("lines", nargs=-1)
@click.option("--clear", is_flag=True, help="Empty it.")
def scratchpad(call: Call, session: str, lines: tuple[str, ...], clear: bool) -> None:
    """Print the scratchpad of SESSION, or replace it with LINES.

    LINES may be - to read them from standard input.
    """
    if clear and lines:
        raise click.UsageError("Give LINES or --clear, not both.")
    given = text("-").splitlines() if lines == ("-",) else list(lines)
    with call.memory(writes=bool(lines)) as memory:
        space = call.space(memory)
        chat = space.session(session) if lines else find_session(space, session)
        if clear:
            cleared = chat.clear_scratchpad()
            call.out.line({"cleared": cleared}, "cleared" if cleared else "it was empty")
            return
        if lines:
            chat.write_scratchpad(given)
        held, at = chat.scratchpad(), chat.scratchpad_at()
    if call.out.as_json:
        call.out.document({"lines": held, "at": at})
        return
    for line in held:
        call.out.write(line)


@verb(
    "delete",
    "ricordo chat delete trip --dry-run",
    "ricordo chat delete trip --yes",
    "ricordo chat delete trip/ --prefix",
)
@click.argument("session", shell_complete=complete_sessions)
@click.option("--prefix", is_flag=True, help="Also sessions whose names begin with SESSION.")
@click.option("--dry-run", is_flag=True, help="Change nothing; print what would be deleted.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def delete(call: Call, session: str, prefix: bool, dry_run: bool, yes: bool) -> None:
    """Remove SESSION with its log, summary, scratchpad and archives, and print the receipt.

    This cannot be undone. `ricordo erase --session` also leaves no byte of it in the files.
    """
    with call.known_memory() as memory:
        space = call.space(memory)
        chat = space.session(session) if prefix else find_session(space, session)
        if dry_run:
            preview.show(call, chat.delete(prefix=prefix, dry_run=True))
            return
        if not yes:
            which = "all sessions that begin with" if prefix else "the session"
            confirm(f"Delete {which} {session!r}?", f"deleting {session!r}")
        receipt = chat.delete(prefix=prefix)
    rows = [("deleted", receipt.target), *receipt.removed.items(), ("at", receipt.at)]
    call.out.table(receipt, ("what", "removed"), rows)


@verb(
    "replace",
    "ricordo chat replace trip 12 messages.jsonl",
)
@click.argument("session", shell_complete=complete_sessions)
@click.argument("after", type=int)
@click.argument("path")
@click.option("--expect-last", type=int, help="Do nothing if the log ends at another seq.")
def replace(call: Call, session: str, after: int, path: str, expect_last: int | None) -> None:
    """Put the messages of a file in the place of every event after the seq AFTER; print their seqs.

    PATH is as for `extend`. This cannot be undone.
    """
    messages = _read_messages(path)
    with call.known_memory() as memory:
        chat = find_session(call.space(memory), session)
        events = chat.replace(after, messages, expect_last=expect_last)
    call.out.table(events, ("seq",), [(event.seq,) for event in events])


VERBS = (extend, recent, scratchpad, delete, replace)
