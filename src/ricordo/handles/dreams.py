"""The dream side of a space's handle: sweeps, undoing them, the ledger of promotions."""

from collections.abc import Mapping

from ricordo.flows.engine import Engine
from ricordo.model import Promotion, Sweep


class Dreams:
    """What a space learns from how it is used."""

    _engine: Engine
    name: str

    def dream(self, dry_run: bool = False, *, weights: Mapping[str, float] | None = None) -> Sweep:
        """Promote what users and agents recall again and again, and list it in MEMORY.md.

        With `dry_run` nothing is written: `diff` shows what would change. `weights` replace the
        documented ones. One sweep at a time: Conflict if another is under way.
        """
        from ricordo.flows.learning.dream import dream

        return dream(self._engine, self.name, dry_run=dry_run, weights=weights)

    def undo(self, sweep: Sweep | int) -> Sweep:
        """Take the promotions of a sweep back, in the ledger and in MEMORY.md."""
        from ricordo.flows.learning.dream import undo

        return undo(self._engine, self.name, sweep)

    def sweeps(self, limit: int = 100) -> list[Sweep]:
        """Sweeps, newest first, each with those of its promotions that are in force."""
        from ricordo.flows.learning.dream import sweeps

        return sweeps(self._engine, self.name, limit)

    def promotions(self, limit: int = 100) -> list[Promotion]:
        """The ledger: entries that are promoted, newest first."""
        from ricordo.flows.learning.dream import promotions

        return promotions(self._engine, self.name, limit)
