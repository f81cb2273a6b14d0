"""The macros of a space: which tool call usually follows which. Every method calls a flow."""

import builtins  # `list` is a method here
from collections.abc import Iterable, Mapping

from ricordo.errors import InvalidInput
from ricordo.flows.engine import check_name
from ricordo.flows.learning import learn as learning
from ricordo.handles.collection import Collection
from ricordo.handles.references import SessionName
from ricordo.handles.session import Session
from ricordo.model import Json, Macro, Receipt, SessionInfo


class SpaceMacros(Collection):
    """Which tool call usually follows which."""

    def list(self, tool: str | None = None, limit: int = 100) -> builtins.list[Macro]:
        """Macros of one trigger tool or of all, most confident first."""
        return learning.list_macros(self._engine, self._space, tool, limit)

    def get(self, macro: str | Macro) -> Macro | None:
        """The macro with this id, or None."""
        return learning.get(self._engine, self._space, self._refer(macro, Macro))

    def learn(
        self,
        tool_calls: Iterable[Mapping[str, Json]] | None = None,
        *,
        session: SessionName | None = None,
    ) -> int:
        """Learn which tool calls follow which, from a list in order or from a session's events.

        From a session only new events are learned. Returns how many successions were counted.
        Secrets in arguments are never kept.
        """
        if (tool_calls is None) == (session is None):
            raise InvalidInput("learn from a list of tool calls or from a session; give one")
        if tool_calls is None:
            return learning.learn_session(
                self._engine,
                self._space,
                check_name(self._refer(session, Session, SessionInfo), "session"),
            )
        return learning.learn(self._engine, self._space, tool_calls)

    def suggest(
        self,
        tool_call: Mapping[str, Json],
        limit: int = 3,
        *,
        min_confidence: float = 0.5,
    ) -> builtins.list[Macro]:
        """What usually follows a tool call, most confident first, with the known arguments.

        Nothing is run, and denied commands are not suggested. Call `use` with the macro you take.
        """
        return learning.suggest(self._engine, self._space, tool_call, limit, min_confidence)

    def use(self, macro: str | Macro) -> Macro:
        """Record that a suggestion was taken; this keeps its confidence from fading."""
        return learning.use(self._engine, self._space, self._refer(macro, Macro))

    def delete(self, macro: str | Macro) -> Receipt:
        """Forget a macro and the successions it was learned from."""
        return learning.forget(self._engine, self._space, self._refer(macro, Macro))
