"""The macros of a space: learnt successions of tool calls. All of it are flows."""

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
    """What usually follows which tool call."""

    def list(self, tool: str | None = None, limit: int = 100) -> builtins.list[Macro]:
        """What was learnt, of one trigger tool or of all, the surest first."""
        return learning.list_macros(self._engine, self._space, tool, limit)

    def get(self, macro: str | Macro) -> Macro | None:
        """The macro of an id as it stands now, or None."""
        return learning.get(self._engine, self._space, self._refer(macro, Macro))

    def learn(
        self,
        tool_calls: Iterable[Mapping[str, Json]] | None = None,
        *,
        session: SessionName | None = None,
    ) -> int:
        """Learn which tool calls follow which, from a list in order or from a session's events.

        Of a session only what is new is learnt. Returns how many successions were counted.
        Secrets among the arguments are never kept.
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
        """What usually follows a tool call, the surest first, with the arguments that are known.

        Nothing is run, and what is denied is not suggested. Tell `use` what was taken.
        """
        return learning.suggest(self._engine, self._space, tool_call, limit, min_confidence)

    def use(self, macro: str | Macro) -> Macro:
        """Note that a suggestion was taken: it counts, and keeps the macro from fading."""
        return learning.use(self._engine, self._space, self._refer(macro, Macro))

    def delete(self, macro: str | Macro) -> Receipt:
        """Forget a macro with the successions it was learnt from."""
        return learning.forget(self._engine, self._space, self._refer(macro, Macro))
