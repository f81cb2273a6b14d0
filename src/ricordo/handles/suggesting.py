"""Hints: a handle that is asked for a name from elsewhere answers with its own."""

from typing import TYPE_CHECKING

from ricordo.model.guesses import MEANT


class Suggesting:
    """A handle that answers a name from elsewhere with its own."""

    if not TYPE_CHECKING:  # a type checker shall go on finding wrong names

        def __getattr__(self, name):
            """Only what is missing gets here."""
            raise AttributeError(explain_missing(type(self), name), name=name, obj=self)


def explain_missing(kind: type, name: str) -> str:
    """The message for a name that a handle does not have."""
    missing = f"{kind.__name__!r} object has no attribute {name!r}"
    meant = MEANT.get(name)
    if meant is None:
        return missing
    own = [method for method in meant if hasattr(kind, method)]
    return f"{missing}; did you mean {own[0] if own else f'{meant[0]} of a space or a session'}?"
