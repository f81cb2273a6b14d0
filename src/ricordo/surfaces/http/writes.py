"""Routes that write conversations, entries and documents, or move a space. Each is a POST.

Nothing here takes a path or an address of a model: those belong to the machine of the server.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ricordo.errors import Conflict, InvalidInput
from ricordo.model import (
    KINDS,
    ORIGINS,
    Context,
    Document,
    Entry,
    Event,
    Import,
    Receipt,
    ScratchpadWrite,
    SummaryWrite,
)
from ricordo.surfaces.http.parameters import Parameter
from ricordo.surfaces.http.routes import (
    Page,
    RequestContext,
    Route,
    rest_of,
    route,
    write_route,
)
from ricordo.surfaces.server.problems import Problem

if TYPE_CHECKING:
    from ricordo.handles.memory import Session, Space

_MOST_TOKENS = 10_000_000


def append(asked: RequestContext) -> Event:
    """Append a message. With a `key` it is written once: repeat it if the answer was lost."""
    return asked.space.session(asked.path["session"]).append(**rest_of(asked))


def extend(asked: RequestContext) -> Page:
    """Append many messages in one transaction: all of them, or none. Each may have a `key`."""
    return Page(asked.space.session(asked.path["session"]).extend(**rest_of(asked)))


def give_context(asked: RequestContext) -> Context:
    """The context for a model. The reminders in it are delivered with it."""
    return _take_context(asked, asked.space.session(asked.path["session"]))


def give_space_context(asked: RequestContext) -> Context:
    """The context for a model, without a session. The reminders in it are delivered with it."""
    return _take_context(asked, asked.space)


def _take_context(asked: RequestContext, source: "Space | Session") -> Context:
    """The context; its reminders are due again if nobody waits for the answer."""
    found = source.context(**rest_of(asked))
    if found.reminders:
        asked.undo.append(partial(asked.space.reminders.put_back, found.reminders))
    return found


def write_summary(asked: RequestContext) -> SummaryWrite:
    """Write the rolling summary if its epoch is still the expected one; 0 for the first."""
    return asked.space.session(asked.path["session"]).write_summary(**rest_of(asked))


def summarize(asked: RequestContext) -> dict[str, SummaryWrite | None]:
    """Condense the oldest messages if the log fills too much of a context; else null."""
    return {"written": asked.space.session(asked.path["session"]).summarize(**rest_of(asked))}


def compact(asked: RequestContext) -> Entry:
    """Archive the log since the last marker; nothing is lost."""
    return asked.space.session(asked.path["session"]).compact(**rest_of(asked))


def write_scratchpad(asked: RequestContext) -> ScratchpadWrite:
    """Replace the scratchpad: up to 32 lines of up to 240 characters; none empties it."""
    chat, lines = asked.space.session(asked.path["session"]), rest_of(asked)["lines"]
    if not lines:
        return ScratchpadWrite(updated=chat.clear_scratchpad(), item_count=0)
    return chat.write_scratchpad(lines)


def ingest(asked: RequestContext) -> Document:
    """Store a text as a document under its URI; an unchanged one costs nothing."""
    given = rest_of(asked)
    return asked.space.ingest(given.pop("text"), **given)


def forget(asked: RequestContext) -> Receipt:
    """Remove an entry or document and everything derived from it."""
    return asked.space.forget(asked.path["name"], **rest_of(asked))


def rename(asked: RequestContext) -> Entry:
    """Give an entry another name."""
    return asked.space.rename(asked.path["name"], **rest_of(asked))


def rename_space(asked: RequestContext) -> dict[str, str]:
    """Give a space another name. Tokens that are bound to either name have to go first."""
    space, new = asked.path["space"], str(asked.given["new"])
    _check_unbound(asked)
    if bound := [*asked.list_bound(space), *asked.list_bound(new)]:
        raise Conflict(
            f"token {bound[0]!r} is bound to {space!r} or {new!r} and would reach another space; "
            "remove it first"
        )
    return {"space": asked.memory.rename(space, new).name}


def drop_space(asked: RequestContext) -> Receipt:
    """Erase everything in a space and its name; a token that is bound to a space may not."""
    _check_unbound(asked)
    return asked.memory.drop(asked.path["space"], **rest_of(asked))


def _check_unbound(asked: RequestContext) -> None:
    if asked.grant.space is not None:
        raise Problem(403, "this token is bound to one space; ask for one that reaches all")


def remember_many(asked: RequestContext) -> Page:
    """Remember many texts in one transaction: all of them, or none."""
    return Page(asked.space.remember_many(**rest_of(asked)))


def forget_many(asked: RequestContext) -> Receipt:
    """Remove the entries that the filters choose, in one transaction; the receipt lists them."""
    return asked.space.forget(**rest_of(asked))


def write(asked: RequestContext) -> Entry:
    """Replace the content of an entry; its history keeps the old one."""
    return asked.space.write(asked.path["name"], **rest_of(asked))


def alias(asked: RequestContext) -> Entry:
    """Add another name to an entry."""
    return asked.space.alias(asked.path["name"], **rest_of(asked))


def export(asked: RequestContext) -> dict[str, str]:
    """The space as JSON Lines, in one text."""
    with TemporaryDirectory(prefix="ricordo-") as folder:
        file = Path(folder) / "export.jsonl"
        asked.space.exchange.export(file)
        return {"text": file.read_text(encoding="utf-8")}


def import_text(asked: RequestContext) -> Import:
    """Import JSON Lines of an export; what is already there, or was erased, is skipped."""
    with TemporaryDirectory(prefix="ricordo-") as folder:
        file = Path(folder) / "import.jsonl"
        file.write_text(str(asked.given["text"]), encoding="utf-8", errors="replace")
        try:
            return replace(asked.space.exchange.import_file(file), path="")
        except InvalidInput as error:  # it names a file that the client does not know
            raise InvalidInput(str(error).replace(str(file), "the text")) from None


_SPACE = "/v1/spaces/{space}"
_SESSION = f"{_SPACE}/sessions/{{session}}"
_ENTRY = f"{_SPACE}/entries/{{name}}"
_ORIGIN = Parameter("origin", "string", "Who it comes from.", choices=ORIGINS)
_METADATA = Parameter("metadata", "object", "What else to keep with it.")
_BUDGET = Parameter("budget", "integer", "Maximum tokens.", least=1, most=_MOST_TOKENS)
_ERASE = Parameter("erase", "boolean", "Leave no byte of it in the file.")
_DRY_RUN = Parameter("dry_run", "boolean", "Only count what would be removed.")


ROUTES: tuple[Route, ...] = (
    write_route(
        f"{_SESSION}/events",
        append,
        Event,
        Parameter("role", "string", "Whose message it is, such as user.", required=True),
        Parameter("content", "content", "Text, or parts."),
        Parameter("key", "string", "Your own id for it; the same key is written once."),
        Parameter("at", "time", "When it was said; default: now."),
        Parameter("importance", "number", "0 to 1.", least=0, most=1),
        Parameter("tool_calls", "object", "Calls of tools in it.", many=True),
        Parameter("tool_call_id", "string", "The call that it answers."),
        Parameter("name", "string", "The name of the speaker."),
        _ORIGIN,
        _METADATA,
        Parameter("index", "boolean", "False if recall is not to find it."),
    ),
    write_route(
        f"{_SESSION}/extend",
        extend,
        Event,
        Parameter(
            "messages", "message", "Messages with the fields of `append`.", required=True, many=True
        ),
        is_list=True,
    ),
    write_route(
        f"{_SESSION}/context",
        give_context,
        Context,
        Parameter("query", "string", "What it is about; default: the last user message."),
        _BUDGET,
        Parameter("profile", "string", "How to pack.", choices=("default", "tri")),
    ),
    write_route(
        f"{_SPACE}/context",
        give_space_context,
        Context,
        Parameter("query", "string", "What it is about.", required=True),
        _BUDGET,
    ),
    write_route(
        f"{_SESSION}/summary",
        write_summary,
        SummaryWrite,
        Parameter("text", "string", "The summary.", required=True),
        Parameter("upto", "integer", "The last seq that it covers.", required=True, least=0),
        Parameter("expected_epoch", "integer", "The epoch that you read.", required=True, least=0),
        _METADATA,
    ),
    write_route(
        f"{_SESSION}/summarize",
        summarize,
        dict[str, SummaryWrite | None],
        _BUDGET,
        Parameter("used", "integer", "Tokens of what is not in the log.", least=0),
        Parameter("force", "boolean", "Even if there is room."),
    ),
    write_route(
        f"{_SESSION}/compact",
        compact,
        Entry,
        Parameter("name", "string", "Prefix of the archive's name; default: the session."),
        Parameter("keep", "integer", "Newest events that stay in the context.", least=0),
    ),
    write_route(
        f"{_SESSION}/scratchpad",
        write_scratchpad,
        ScratchpadWrite,
        Parameter("lines", "string", "All lines.", required=True, many=True),
    ),
    write_route(
        f"{_SPACE}/documents",
        ingest,
        Document,
        Parameter("text", "string", "The whole text.", required=True),
        Parameter("uri", "string", "Where it comes from.", required=True),
        _ORIGIN,
        _METADATA,
        Parameter("tags", "string", "Labels.", many=True),
    ),
    write_route(
        f"{_ENTRY}/forget",
        forget,
        Receipt,
        _ERASE,
        _DRY_RUN,
    ),
    write_route(
        f"{_ENTRY}/rename",
        rename,
        Entry,
        Parameter("new", "string", "The new name.", required=True),
        Parameter("keep", "boolean", "Keep the old name as an alias."),
    ),
    write_route(
        f"{_SPACE}/rename",
        rename_space,
        dict[str, str],
        Parameter("new", "string", "The new name.", required=True),
        is_sweeping=True,
    ),
    write_route(
        f"{_SPACE}/drop", drop_space, Receipt, _DRY_RUN, is_sweeping=True, is_dropping=True
    ),
    write_route(
        f"{_ENTRY}/write",
        write,
        Entry,
        Parameter("content", "string", "What it says now.", required=True),
        Parameter("if_revision", "integer", "The revision that you read; else 409.", least=1),
    ),
    write_route(
        f"{_ENTRY}/alias",
        alias,
        Entry,
        Parameter("alias", "string", "The other name.", required=True),
        Parameter("rebind", "boolean", "Take it from another entry."),
    ),
    write_route(
        f"{_SPACE}/entries",
        remember_many,
        Entry,
        Parameter(
            "entries",
            "entry",
            "Each a text, or an object with `content` and any options of `remember`.",
            required=True,
            many=True,
        ),
        is_list=True,
    ),
    write_route(
        f"{_SPACE}/forget",
        forget_many,
        Receipt,
        Parameter("kind", "string", "Only this kind.", choices=KINDS),
        Parameter("category", "string", "Only this category."),
        Parameter("tags", "string", "Only with all of these tags.", many=True),
        Parameter("prefix", "string", "Only names with this prefix."),
        Parameter("where", "object", "Only with such metadata."),
        _ERASE,
        _DRY_RUN,
        is_sweeping=True,
    ),
    route(f"{_SPACE}/export", export, dict[str, str]),
    write_route(
        f"{_SPACE}/import",
        import_text,
        Import,
        Parameter("text", "string", "JSON Lines, as `export` gives them.", required=True),
        is_sweeping=True,
    ),
)
