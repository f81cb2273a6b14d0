"""What another memory learnt: its signals, promotions and macros. Nothing is written twice."""

from dataclasses import dataclass, field

from ricordo.core.exchange.export_format import GivenMacro, GivenPromotion, GivenSignal
from ricordo.core.learning import macros
from ricordo.core.learning.signals import abridge
from ricordo.flows import signals
from ricordo.flows.engine import Engine
from ricordo.flows.learning.learn import check_call, make_row
from ricordo.store.codec import micros
from ricordo.store.database import Tx
from ricordo.store.tables.macros import SuccessionRow
from ricordo.store.tables.signals import SignalRow
from ricordo.store.tables.sweeps import PromotionRow


def read_macro(given: GivenMacro) -> SuccessionRow:
    """A macro as a succession that was seen as often as it was used."""
    one = macros.succession(check_call(given.trigger), check_call(given.next))
    created, updated = micros(given.created_at), micros(given.updated_at)
    return make_row(one._replace(times=given.times, created_at=created, updated_at=updated))


@dataclass(slots=True)
class LearntWriter:
    """Writes what was learnt, in the transaction of an import; each answers whether it was new."""

    engine: Engine
    tx: Tx
    space: int
    _sweeps: list[int] = field(default_factory=list)  # the one that the promotions are filed under

    def add_signal(self, given: GivenSignal) -> bool | None:
        """None if the entry is not here."""
        entry = self.tx.entries.by_uid(self.space, given.entry)
        if entry is None:
            return None
        row = SignalRow(entry, abridge(given.query), given.score, "agent", micros(given.at))
        known = self.tx.signals.of_entry(self.space, entry)
        if any(query == row.query and at == row.at for _, query, _, at in known):
            return False
        signals.keep(self.tx, self.space, [row], signals.find_bounds(self.engine))
        return True

    def add_promotion(self, given: GivenPromotion) -> bool | None:
        """None if the entry is not here."""
        entry, at = self.tx.entries.by_uid(self.space, given.entry), micros(given.at)
        if entry is None:
            return None
        if entry in self.tx.sweeps.list_promoted(self.space):
            return False
        if not self._sweeps:
            sweep = self.tx.sweeps.insert(
                self.space, at=at, candidates=0, skipped=0, report="", is_filed=False
            )
            self._sweeps.append(sweep)
        parts = (given.score, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0)
        return self.tx.sweeps.promote(
            self.space, PromotionRow("", entry, self._sweeps[0], given.phase, at, *parts)
        )

    def add_succession(self, row: SuccessionRow) -> bool:
        if any(known.id == row.id for known in self.tx.macros.after(self.space, row.trigger_tool)):
            return False
        self.tx.macros.add(self.space, row)
        return True
