"""What a file says was learnt: signals, promotions and macros. Nothing is written twice."""

from dataclasses import dataclass, field
from typing import cast

from ricordo.core.exchange.given import (
    GivenMacro,
    GivenPromotion,
    GivenSignal,
    GivenSuccession,
)
from ricordo.core.integrity import erasure_digests
from ricordo.core.learning import macros, patterns
from ricordo.core.learning.signals import abridge
from ricordo.errors import InvalidInput
from ricordo.flows import signals
from ricordo.flows.engine import Engine, check_name, one_of, whole
from ricordo.flows.exchange.import_plans import ADDED, ERASED, KNOWN
from ricordo.flows.learning.learn import check_call, make_row
from ricordo.model import ASKERS, Asker, Json
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


def read_succession(given: GivenSuccession) -> SuccessionRow:
    """The row of a succession, which counts as often as it was seen."""
    one = macros.Succession(
        check_name(given.trigger_tool, "trigger_tool"),
        _read_pattern(given.trigger_pattern),
        check_name(given.next_tool, "next_tool"),
        _read_pattern(given.next_pattern),
        whole(given.times, "times", 1, 2**31),
        micros(given.created_at),
        micros(given.updated_at),
    )
    return make_row(one)


def _read_pattern(given: dict[str, Json] | None) -> patterns.Pattern | None:
    try:
        return patterns.read(given)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"the pattern {given!r:.100} cannot be read") from error


def check_signal(given: GivenSignal) -> GivenSignal:
    """A signal whose asker is known."""
    one_of(given.asker, "asker", ASKERS)
    return given


@dataclass(slots=True)
class LearntWriter:
    """Writes what was learnt, in the transaction of an import; each answers what became of it."""

    engine: Engine
    tx: Tx
    space: int
    key: bytes
    _sweeps: list[int] = field(default_factory=list)  # the one that the promotions are filed under

    def add_signal(self, given: GivenSignal) -> str:
        entry = self.tx.entries.by_uid(self.space, given.entry)
        session = given.session
        if self._was_erased(given.entry) or (
            session is not None
            and self.tx.tombstones.holds(self.space, erasure_digests.of_session(self.key, session))
        ):
            return ERASED
        if entry is None:
            return "a signal is not taken: its entry is not here"
        asker = cast("Asker", given.asker)
        row = SignalRow(
            entry, abridge(given.query), given.score, asker, micros(given.at), given.session,
            given.seq,
        )  # fmt: skip
        known = self.tx.signals.of_entry(self.space, entry)
        if any(query == row.query and at == row.at for _, query, _, at in known):
            return KNOWN
        signals.keep(self.tx, self.space, [row], signals.find_bounds(self.engine))
        return ADDED

    def add_promotion(self, given: GivenPromotion) -> str:
        entry, at = self.tx.entries.by_uid(self.space, given.entry), micros(given.at)
        if self._was_erased(given.entry):
            return ERASED
        if entry is None:
            return "a promotion is not taken: its entry is not here"
        if entry in self.tx.sweeps.list_promoted(self.space):
            return KNOWN
        if not self._sweeps:
            sweep = self.tx.sweeps.insert(
                self.space, at=at, candidates=0, skipped=0, report="", is_filed=False
            )
            self._sweeps.append(sweep)
        parts = (given.frequency, given.relevance, given.recency, given.diversity)
        counts = (given.consolidation, given.hits, given.queries, given.days)
        row = PromotionRow(
            "", entry, self._sweeps[0], given.phase, at, given.score, *parts, *counts
        )
        return ADDED if self.tx.sweeps.promote(self.space, row) else KNOWN

    def add_succession(self, row: SuccessionRow) -> str:
        if any(known.id == row.id for known in self.tx.macros.after(self.space, row.trigger_tool)):
            return KNOWN
        self.tx.macros.add(self.space, row)
        return ADDED

    def _was_erased(self, uid: str) -> bool:
        return self.tx.tombstones.holds(self.space, erasure_digests.of_uid(self.key, uid))
