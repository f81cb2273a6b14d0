"""Progress on stderr: a bar for work that reports `(done, total)`, seconds for other work.

Nothing is shown without a terminal. Work that is over within a second shows no seconds. Whoever
stops the work with Ctrl-C learns how far it came: the note is on the KeyboardInterrupt.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from ricordo.surfaces.output import Printer

TICK_SECONDS = 1.0


class Progress:
    """Shows that work goes on. On Ctrl-C `stopped` is reported: "{done} of {total} rows are in"."""

    def __init__(self, label: str, printer: "Printer", stopped: str = "") -> None:
        self._label = label
        self._stopped = stopped
        self._is_shown = sys.stderr.isatty() and not printer.quiet
        self._bar: ProgressBar[int] | None = None
        self._clock: Stopwatch | None = None
        self._far = (0, 0)

    def __call__(self, done: int, total: int) -> None:
        self._far = (min(done, total), total)
        if not self._is_shown or total <= 0:
            return
        self._end_clock()
        if self._bar is None:
            self._bar = click.progressbar(
                length=total, label=self._label, file=sys.stderr, show_pos=True, show_percent=True
            )
            self._bar.__enter__()
        self._bar.length = total  # more may have come meanwhile
        self._bar.update(self._far[0] - self._bar.pos)

    def __enter__(self) -> "Progress":
        if self._is_shown:
            self._clock = Stopwatch(self._label)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end_clock()
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)
        if isinstance(error, KeyboardInterrupt) and self._stopped:
            done, total = self._far
            error.add_note(self._stopped.format(done=f"{done:,}", total=f"{total:,}"))

    def _end_clock(self) -> None:
        if self._clock is not None:
            self._clock.stop()
            self._clock = None


class Stopwatch:
    """Writes the seconds since it began on one line of stderr, and wipes them at the end."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._begun = time.monotonic()
        self._longest = 0  # characters written so far
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()
        if self._longest:
            self._write(" " * self._longest + "\r")

    def _run(self) -> None:
        while not self._ended.wait(TICK_SECONDS):
            line = f"{self._label} … {time.monotonic() - self._begun:.0f} s"
            self._longest = max(self._longest, len(line))
            self._write(line)

    def _write(self, text: str) -> None:
        sys.stderr.write("\r" + text)
        sys.stderr.flush()


@contextmanager
def tell_if_stopped(told: Callable[[], str]) -> Iterator[None]:
    """Say on Ctrl-C what is done by then."""
    try:
        yield
    except KeyboardInterrupt as error:
        error.add_note(told())
        raise
