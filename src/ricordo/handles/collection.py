"""A collection: everything of one kind in a space, as a property of the space's handle."""

from typing import Any

from ricordo.flows.engine import Engine
from ricordo.handles.references import refer


class Collection:
    """The base of all collections. It holds the engine and the name of the space."""

    def __init__(self, engine: Engine, space: str) -> None:
        self._engine = engine
        self._space = space

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of space {self._space!r}>"

    def _refer(self, given: object, *kinds: type[Any]) -> Any:  # Any: see `refer`
        return refer(self._engine, self._space, given, *kinds)
