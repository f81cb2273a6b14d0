"""Put our classes in the place of a peer's, and write down which tests made one of them.

A pytest plug-in for the tests of other projects; `compat/run.py` loads it. A test that never makes
our class says nothing about it, so only those that do are counted.
"""

import functools
import importlib
import json
import os
import runpy
from pathlib import Path
from typing import Any

import pytest

_made = [0]  # objects of our classes
_tests: dict[str, dict[str, Any]] = {}


def _count(kind: type) -> None:
    """Count every object of a class, those of its subclasses included."""
    begin = kind.__init__

    @functools.wraps(begin)
    def initialise(self: Any, *args: Any, **rest: Any) -> None:
        _made[0] += 1
        begin(self, *args, **rest)

    kind.__init__ = initialise  # type: ignore[misc]


def pytest_configure(config: pytest.Config) -> None:
    del config
    for name in os.environ["RICORDO_COMPAT_OURS"].split():
        module, _, kind = name.partition(":")
        _count(getattr(importlib.import_module(module), kind))
    swap = Path(os.environ["RICORDO_COMPAT_SWAP"])
    if swap.exists():
        runpy.run_path(str(swap))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    before = _made[0]
    yield
    _tests.setdefault(item.nodeid, {"outcome": "failed"})["touched"] = _made[0] > before


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    test = _tests.setdefault(report.nodeid, {"outcome": "passed"})
    if report.failed or (report.skipped and test["outcome"] == "passed"):
        test["outcome"] = report.outcome


def pytest_sessionfinish() -> None:
    Path(os.environ["RICORDO_COMPAT_REPORT"]).write_text(json.dumps(_tests), encoding="utf-8")
