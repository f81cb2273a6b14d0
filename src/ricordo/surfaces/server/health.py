"""Health: whether writes of clients succeed. The health route itself checks reads.

A write that fails for a reason of the server makes it degraded. Whoever looks then tries to write
first, so that it is healthy again as soon as writing works, whether or not clients come back.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ricordo.errors import RicordoError
from ricordo.surfaces.faults import WORDS, find_fault

if TYPE_CHECKING:
    from ricordo.surfaces.tools import Tool

PROBE_SECONDS = 1.0  # to wait for the trial write; a locked memory may take a minute
_log = logging.getLogger("ricordo.health")


@dataclass(frozen=True, slots=True)
class WriteTrouble:
    """Why writes fail: the kind of the fault, and its message for clients."""

    reason: str
    detail: str


class Health:
    """Watches the writes of a server. `probe` tries to write."""

    def __init__(self, probe: Callable[[], None]) -> None:
        self._probe = probe
        self._probing = threading.Lock()
        self._trouble: WriteTrouble | None = None

    @contextmanager
    def observe(self, tool: "Tool") -> Iterator[None]:
        """Note it if a tool that writes fails because of the server."""
        from ricordo.surfaces.tools import ToolFailure

        try:
            yield
        except ToolFailure as failure:
            if failure.kind in WORDS and not tool.annotations.read_only:
                self._trouble = WriteTrouble(failure.kind, WORDS[failure.kind])
            raise

    async def look(self) -> WriteTrouble | None:
        """Why writes fail, or None; a noted failure is tried again before it is reported."""
        if self._trouble is not None:
            import anyio.to_thread  # of the extra, as every server is

            with anyio.move_on_after(PROBE_SECONDS):
                await anyio.to_thread.run_sync(self._try_again, abandon_on_cancel=True)
        return self._trouble

    def _try_again(self) -> None:
        if not self._probing.acquire(blocking=False):
            return  # another thread is trying
        try:
            self._probe()
        except RicordoError as error:
            fault = find_fault(error)
            self._trouble = WriteTrouble(fault.kind, fault.tell(error))
        except RuntimeError:
            return  # the server is shutting down
        else:
            self._trouble = None
            _log.warning("writes work again")
        finally:
            self._probing.release()
