"""Schedulers for tests, made from a memory."""

from typing import Any

import ricordo
from ricordo.background.scheduler import RunOptions, Scheduler, Work


def make_scheduler(memory: ricordo.Memory, run: Work | None, **options: Any) -> Scheduler:
    return Scheduler(memory._engine, run, RunOptions(**options))
