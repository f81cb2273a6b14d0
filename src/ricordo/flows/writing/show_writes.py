"""What a write shows to those who watch the steps of a memory: how much, which, and if asked what.

A decorator for flows whose first arguments are the engine and the space. It decides nothing.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from ricordo.flows.engine import Engine
from ricordo.model import Entry, Event, Json, Receipt
from ricordo.telemetry.steps import Step, Unwatched

# Any: the flow's own arguments, passed on as they are.
WritesEntry = TypeVar("WritesEntry", bound=Callable[..., Entry])
Deletes = TypeVar("Deletes", bound=Callable[..., Receipt])
_COUNTED = ("entries", "events", "documents", "records")  # of a receipt; the rest follows from them


def show_events(step: Step | Unwatched, events: Sequence[Event]) -> None:
    """Say which events were written."""
    if isinstance(step, Unwatched):
        return  # each append asks
    step.note(records=len(events), record=events[0].uid if len(events) == 1 else None)
    step.show(lambda: {"records": [_show(each.uid, each.content) for each in events]})


def show_entries(step: Step | Unwatched, entries: Sequence[Entry]) -> None:
    """Say which entries were written."""
    step.note(records=len(entries), record=entries[0].uid if len(entries) == 1 else None)
    step.show(lambda: {"records": [_show(each.uid, each.content) for each in entries]})


def _show(uid: str, content: Json) -> dict[str, Json]:
    return {"id": uid, "content": content}


def show_entry_write(name: str) -> Callable[[WritesEntry], WritesEntry]:
    """Make a flow that writes one entry a step of that name."""

    def wrap(work: WritesEntry) -> WritesEntry:
        @wraps(work)
        def run(engine: Engine, space: str, *given: Any, **named: Any) -> Entry:
            with engine.steps.begin(name, space=space) as step:
                entry = work(engine, space, *given, **named)
                show_entries(step, [entry])
            return entry

        return cast("WritesEntry", run)

    return wrap


def show_deletion(name: str, target: str | None) -> Callable[[Deletes], Deletes]:
    """Make a flow that deletes a step of that name; its first argument is what `target` says."""

    def wrap(work: Deletes) -> Deletes:
        @wraps(work)
        def run(engine: Engine, space: str, *given: Any, **named: Any) -> Receipt:
            with engine.steps.begin(name, space=space) as step:
                if target is not None and isinstance(given[0], str | int):
                    step.note(**{target: str(given[0])})  # the flow refuses anything else
                receipt = work(engine, space, *given, **named)
                gone = sum(receipt.removed.get(kind, 0) for kind in _COUNTED)
                step.note(records=gone, dry_run=receipt.dry_run)
            return receipt

        return cast("Deletes", run)

    return wrap
