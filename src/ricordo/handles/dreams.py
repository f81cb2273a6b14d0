"""The dreams of a space: sweeps, promotions, signals, consolidation and its cost."""

import builtins  # `list` is a method here
from collections.abc import Callable, Sequence
from datetime import timedelta

from ricordo.flows.conversation import consolidate
from ricordo.flows.conversation.consolidate import Pass
from ricordo.flows.writing import read
from ricordo.handles.collection import Collection
from ricordo.handles.references import EntryName, SessionName
from ricordo.handles.session import Session
from ricordo.model import (
    Consolidation,
    Entry,
    Event,
    Promotion,
    SessionInfo,
    Signal,
    Spending,
    Sweep,
)


class SpaceDreams(Collection):
    """What a space learns from its use; `Space.dream` makes a sweep."""

    def list(self, limit: int = 100) -> builtins.list[Sweep]:
        """Sweeps, newest first, each with its promotions that are in force."""
        from ricordo.flows.learning.dream import sweeps

        return sweeps(self._engine, self._space, limit)

    def get(self, sweep: Sweep | int) -> Sweep | None:
        """The sweep with this id and its promotions that are in force, or None."""
        from ricordo.flows.learning.dream import get_sweep

        return get_sweep(self._engine, self._space, self._refer(sweep, Sweep))

    def undo(self, sweep: Sweep | int) -> Sweep:
        """Undo the promotions of a sweep, in the ledger and in MEMORY.md."""
        from ricordo.flows.learning.dream import undo

        return undo(self._engine, self._space, self._refer(sweep, Sweep))

    def promotions(self, limit: int = 100) -> builtins.list[Promotion]:
        """The ledger: promoted entries, newest first."""
        from ricordo.flows.learning.dream import promotions

        return promotions(self._engine, self._space, limit)

    def signals(
        self,
        name: EntryName | None = None,
        limit: int = 100,
        *,
        session: SessionName | None = None,
    ) -> builtins.list[Signal]:
        """Which entries were recalled for which query, newest first.

        Of one entry with `name`; with `session` those that were recalled in that session.
        """
        known, chat = self._refer(name, Entry), self._refer(session, Session, SessionInfo)
        return read.signals(self._engine, self._space, known, limit, chat)

    def consolidate(
        self,
        model: Callable[[str, Sequence[Event]], str] | str | None = None,
        *,
        min_importance: float = 0.0,
        older_than: timedelta = timedelta(hours=1),
        per_session: int = 30,
        limit: int = 300,
    ) -> Consolidation:
        """Turn events older than `older_than` into notes and facts, the most important first."""
        due = Pass(model, min_importance, older_than, per_session, limit)
        return consolidate.consolidate(self._engine, self._space, due)

    def spending(self) -> builtins.list[Spending]:
        """How many tokens chat models used for this space."""
        return read.list_spending(self._engine, self._space)
