"""Signals: which entries a recall was about, and the trace that it leaves of them."""

from ricordo.core.learning.signals import RecalledEntry, find_wanted
from ricordo.flows import signals as traces
from ricordo.flows.engine import Engine
from ricordo.flows.recall.search_input import Candidate
from ricordo.flows.recall.shown import Shown
from ricordo.model import Asker
from ricordo.store.tables.chunks import HitRow
from ricordo.store.tables.signals import SignalRow


def entry_of(row: HitRow) -> int | None:
    """The entry of a hit; a part of a file numbers its document there, a record itself."""
    return None if row.kind in ("file", "record") else row.entry


def score_entries(
    pairs: list[tuple[Candidate, HitRow]], *, is_guess: bool
) -> list[tuple[int, float]]:
    """The entries that get a signal, with its score: those wanted, or all that hold the words."""
    found = [
        RecalledEntry(number, rank, item.score, item.confidence or 0.0)
        for rank, (item, row) in enumerate(pairs, start=1)
        if (number := entry_of(row)) is not None and not (is_guess and row.kind == "archive")
    ]
    return [(each.entry, 1 / each.rank) for each in (find_wanted(found) if is_guess else found)]


def record(
    engine: Engine,
    space: int,
    query: str,
    signals: list[tuple[int, float]],
    asker: Asker,
    asked: Shown,
) -> None:
    """Leave a signal per entry, with where it was asked."""
    now = engine.now()
    rows = [
        SignalRow(entry, query, score, asker, now, asked.session, asked.last_seq)
        for entry, score in signals
    ]
    traces.record(engine, space, rows)
