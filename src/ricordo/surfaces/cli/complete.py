"""Completion: words of the memory that a shell offers for an argument or an option.

A shell has no place for errors: where the memory cannot be read, nothing is offered.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from ricordo.errors import RicordoError
from ricordo.surfaces.cli.call import Call

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory

MOST = 100  # words offered at once
# A test holds these to what recall and context take; asking them would load numpy.
RECALL_PROFILES = ("default", "minmax", "rrf", "two_tier", "bm25")
CONTEXT_PROFILES = ("default", "tri")
Lister = Callable[[Call, "Memory", str], list[str]]


def _complete(find: Lister) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """A completer that asks the memory of the line so far."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:  # noqa: ARG001
        call = Call.of(context)
        if not call.is_there:
            return []
        try:
            with call.memory(read_only=True) as memory:
                return find(call, memory, begun)[:MOST]
        except (RicordoError, OSError):
            return []

    return complete


def _offer_words(words: tuple[str, ...]) -> Callable[..., list[str]]:
    """A completer for words that are always the same."""
    return lambda _context, _parameter, begun: [each for each in words if each.startswith(begun)]


def complete_files(
    context: click.Context,  # noqa: ARG001
    parameter: click.Parameter,  # noqa: ARG001
    begun: str,
) -> list[CompletionItem]:
    """Leave it to the shell."""
    return [CompletionItem(begun, type="file")]


def _list_sessions(call: Call, memory: "Memory", begun: str) -> list[str]:
    found = (info.session for info in call.space(memory).sessions())
    return [name for name in found if name.startswith(begun)]


def _list_entries(call: Call, memory: "Memory", begun: str) -> list[str]:
    return [entry.name for entry in call.space(memory).entries(prefix=begun or None, limit=MOST)]


def _list_uris(call: Call, memory: "Memory", begun: str) -> list[str]:
    return [document.uri for document in call.space(memory).documents.list(begun)]


def _list_schedules(call: Call, memory: "Memory", begun: str) -> list[str]:
    found = call.space(memory).schedules.list()
    return [each.name or each.id for each in found if (each.name or each.id).startswith(begun)]


complete_spaces = _complete(lambda _call, memory, begun: memory.spaces(begun, 100))
complete_sessions = _complete(_list_sessions)
complete_entries = _complete(_list_entries)
complete_documents = _complete(_list_uris)
complete_schedules = _complete(_list_schedules)
complete_targets = _complete(
    lambda *asked: [*_list_entries(*asked), *_list_uris(*asked), *_list_sessions(*asked)]
)
complete_recall_profiles = _offer_words(RECALL_PROFILES)
complete_context_profiles = _offer_words(CONTEXT_PROFILES)
