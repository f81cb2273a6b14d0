"""The list of all cases, and a plain way to run them."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from ricordo.testing import (
    cases_as_of,
    cases_blocks,
    cases_changes,
    cases_clocks,
    cases_compaction,
    cases_concurrency,
    cases_condensing,
    cases_context,
    cases_conversation,
    cases_documents,
    cases_dreaming,
    cases_embedding,
    cases_entries,
    cases_expiry,
    cases_facts,
    cases_filters,
    cases_history,
    cases_index,
    cases_input,
    cases_isolation,
    cases_learning,
    cases_log,
    cases_passages,
    cases_pending,
    cases_pins,
    cases_profiles,
    cases_recall,
    cases_recent,
    cases_records,
    cases_sessions,
    cases_shown,
    cases_spaces,
    cases_tags,
    cases_time,
    cases_upkeep,
    cases_where,
    cases_workspace,
    cases_writes,
)
from ricordo.testing.lab import Lab

MODULES = (
    cases_writes,
    cases_isolation,
    cases_spaces,
    cases_sessions,
    cases_log,
    cases_entries,
    cases_expiry,
    cases_pins,
    cases_history,
    cases_as_of,
    cases_facts,
    cases_tags,
    cases_recall,
    cases_filters,
    cases_where,
    cases_recent,
    cases_profiles,
    cases_index,
    cases_embedding,
    cases_pending,
    cases_blocks,
    cases_input,
    cases_clocks,
    cases_changes,
    cases_compaction,
    cases_concurrency,
    cases_condensing,
    cases_context,
    cases_shown,
    cases_conversation,
    cases_documents,
    cases_passages,
    cases_records,
    cases_time,
    cases_dreaming,
    cases_learning,
    cases_workspace,
    cases_upkeep,
)
PREFIX = "case_"
_ID = re.compile(r"\b[A-Z]{2,3}-\d+\b")


@dataclass(frozen=True, slots=True)
class Case:
    """One promise: its name in plain words, the checks it covers, and how to try it."""

    name: str
    checks: tuple[str, ...]
    run: Callable[[Lab], None]
    needs_durable: bool

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that did not hold, and why."""

    case: Case
    error: Exception


def cases() -> list[Case]:
    """Every case, in the order of the modules."""
    return [case for module in MODULES for case in _of(module)]


def run(url_factory: Callable[[], str], *, is_durable: bool = True) -> list[Failure]:
    """Run every case on a backend; an empty list means that it keeps all promises."""
    failures = []
    for case in cases():
        if case.needs_durable and not is_durable:
            continue
        try:
            with Lab(url_factory) as lab:
                case.run(lab)
        except Exception as error:  # noqa: BLE001 - told to the caller, one per case
            failures.append(Failure(case, error))
    return failures


def _of(module: ModuleType) -> list[Case]:
    return [
        Case(
            name=name.removeprefix(PREFIX),
            checks=tuple(_ID.findall(inspect.getdoc(function) or "")),
            run=function,
            needs_durable=function.__dict__.get("needs_durable", False),
        )
        for name, function in vars(module).items()
        if name.startswith(PREFIX)
    ]
