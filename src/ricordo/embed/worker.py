"""A background worker: one thread that runs a step when woken, and again when the step asks for it.

What a step does is given by the caller; the worker only decides when.
"""

import atexit
import contextlib
import logging
import os
import threading
import weakref
from collections.abc import Callable
from queue import Empty, SimpleQueue

from ricordo.locks import Lock

Step = Callable[[], float | None]  # seconds until it should run again, or None to wait

_RETRY_SECONDS = 5.0
_PATIENCE_SECONDS = 5.0  # at the end of the process, for the step under way
_log = logging.getLogger("ricordo")
_working: "weakref.WeakSet[Worker]" = weakref.WeakSet()


class Worker:
    """Starts its thread on the first `wake`; `stop` ends it after the step under way."""

    def __init__(self, step: Step, name: str) -> None:
        self._step = step
        self._name = name
        self._threads: list[threading.Thread] = []  # one, or none yet
        self._wakes: SimpleQueue[None] = SimpleQueue()
        self._is_stopping = False
        self._lock = Lock()

    def wake(self) -> None:
        """There is something to do."""
        if self._wakes.empty():
            self._wakes.put(None)  # one step, which an interrupt cannot leave half done
        if not self._threads:
            with self._lock:
                if not self._threads and not self._is_stopping:
                    self._start()

    def _start(self) -> None:
        thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        thread.start()
        self._threads.append(thread)
        _working.add(self)

    def stop(self, timeout: float | None = None) -> None:
        """End the thread; what is left to do is found again at the next start."""
        self._is_stopping = True
        self._wakes.put(None)
        for thread in list(self._threads):
            thread.join(timeout)

    @property
    def is_stopping(self) -> bool:
        return self._is_stopping

    def _run(self) -> None:
        delay: float | None = None
        while True:
            with contextlib.suppress(Empty):
                self._wakes.get(timeout=delay)
            if self._is_stopping:
                return
            delay = self._attempt()

    def _attempt(self) -> float | None:
        try:
            return self._step()
        except Exception:  # noqa: BLE001 - see below
            # A thread has no caller to tell: the work stays queued in the store and is tried again.
            _log.exception("background work of %s failed; it is tried again", self._name)
            return _RETRY_SECONDS


@atexit.register
def end_all() -> None:
    """A thread inside a model's own code when the interpreter goes would abort the process."""
    for worker in list(_working):
        worker.stop(_PATIENCE_SECONDS)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_working.clear)  # the threads stay with the parent
