"""A memory that a server opens when it is first needed, once, and closes when it ends.

Opening is left until after the handshake: a host waits for that, and not for a database.
"""

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from ricordo.errors import RicordoError, StoreError, Unavailable
from ricordo.surfaces.server.health import Health

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory
    from ricordo.telemetry.steps import Watcher

_log = logging.getLogger("ricordo.keeper")


class LazyMemory:
    """Returns the memory to any thread."""

    def __init__(
        self,
        open: "Callable[[], Memory]",
        *,
        is_kept: bool = False,
        at_end: Callable[[], object] | None = None,
    ) -> None:
        """`is_kept`: it is opened soon even if nobody asks, since it has work to do by itself.

        `at_end` is called when the server ends; a signal lets nothing run that comes later.
        """
        self._open = open
        self._at_end = at_end
        self.is_kept = is_kept
        self._lock = threading.Lock()
        self._memory: Memory | None = None
        self._watchers: list[Watcher] = []
        self._is_closed = False
        self.health = Health(lambda: self.memory()._probe())

    def memory(self) -> "Memory":
        """The memory, opened by the first caller.

        A failure to open is not the caller's fault: it raises StoreError or Unavailable.
        """
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the server is shutting down")
            if self._memory is None:
                self._memory = _open(self._open)
                self._show_steps(self._memory)
            return self._memory

    def watch(self, watcher: "Watcher") -> None:
        """Show every step of the memory to a watcher, once it is open."""
        self._watchers.append(watcher)

    def _show_steps(self, memory: "Memory") -> None:
        from ricordo.handles.telemetry import watch

        for watcher in self._watchers:
            watch(memory, watcher)

    def open_if_kept(self) -> None:
        """Open a memory that has work to do by itself; what keeps it shut is in the log."""
        try:
            if self.is_kept:
                self.memory()
        except RicordoError as error:
            _log.warning("the memory is not kept: %s", error)
        except RuntimeError:
            return  # the server is going down

    def check(self) -> None:
        """Read from the memory once, and raise what is wrong with it."""
        self.memory().space("default").entries(limit=1)

    def close(self) -> None:
        """Close the memory if it was opened, and refuse it from now on."""
        with self._lock:
            self._is_closed = True
            memory, self._memory = self._memory, None
        if self._at_end is not None:
            self._at_end()
        if memory is not None:
            memory.close()


def _open(open: "Callable[[], Memory]") -> "Memory":
    try:
        return open()
    except (StoreError, Unavailable):
        raise
    except (RicordoError, OSError) as error:
        raise StoreError(f"the memory cannot be opened: {error}") from error
