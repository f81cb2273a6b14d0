"""References: a parameter for a name also accepts the object itself. Resolved here, once."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Protocol

from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine
from ricordo.model import Document, Entry, SessionInfo


class NamedHandle(Protocol):
    """The handle of a space or of a session, of this package or of its awaitable mirror."""

    @property
    def name(self) -> str: ...


EntryName = str | int | Entry  # name, alias, id or uid; or the entry itself
SessionName = str | SessionInfo | NamedHandle
SpaceName = str | NamedHandle
Excludable = EntryName | SessionName | Document


def refer(engine: Engine, space: str | None, given: object, *kinds: type[Any]) -> Any:
    """The key of an object of these kinds; any other value is returned unchanged.

    An object of another space or memory is refused. With None any space is accepted.
    """
    # Any: the flow checks its arguments itself.
    if not isinstance(given, kinds):
        return given
    known: Any = given
    key = attrgetter(*known._key)(known)
    named = f"{type(known).__name__} {key!r}"
    if getattr(known, "_engine", engine) is not engine:
        raise InvalidInput(f"{named} belongs to another memory; take it from this one")
    if space is not None and known.space != space:
        there = f"memory.space({known.space!r})"
        raise InvalidInput(
            f"{named} belongs to space {known.space!r}, not to {space!r}; use {there}"
        )
    return key


def refer_all(engine: Engine, space: str, given: object, *kinds: type[Any]) -> Any:
    """The keys of some objects, or of one alone; other values are returned unchanged."""
    if given is None or isinstance(given, str | int):
        return given
    if isinstance(given, kinds) or not isinstance(given, Iterable):
        return [refer(engine, space, given, *kinds)]
    return [refer(engine, space, each, *kinds) for each in given]


def choose_own(given: Any, space: str) -> Any:  # Any: the flow checks its arguments itself
    """Of the names and objects given for several spaces those that this one can know."""
    if isinstance(given, str | int) or not isinstance(given, Iterable):
        given = [] if given is None else [given]
    own = [each for each in given if getattr(each, "space", space) in (space, None)]
    return own or None
