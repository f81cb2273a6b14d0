"""How a server stops: a SIGTERM is an order, so the process that obeyed it ends with 0."""

import contextlib
import signal
from collections.abc import Iterator

import uvicorn


class Stoppable(uvicorn.Server):
    """uvicorn's server, which else ends by the signal that stopped it, as if it had been killed."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        with super().capture_signals():
            yield
            # uvicorn raises what it captured once more; an interrupt still ends as one.
            self._captured_signals = [
                each for each in self._captured_signals if each != signal.SIGTERM
            ]
