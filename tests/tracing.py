"""Interrupts at each line of a write, by a tracer that raises there."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import ricordo
from ricordo.store.commit_threads import KEPT, NOT_KEPT, UNKNOWN

HOME = str(Path(ricordo.__file__).parent)
STUCK_SECONDS = 10


class Tracer:
    """Raises at the nth line of the package that this thread comes to."""

    def __init__(self, line: int, error: type[BaseException]) -> None:
        self._left = line
        self._error = error
        self.where = ""

    def __call__(self, frame: FrameType, event: str, _: Any) -> "Tracer | None":
        if not frame.f_code.co_filename.startswith(HOME):
            return None
        if event == "line":
            self._left -= 1
            if self._left == 0:
                self.where = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
                raise self._error
        return self

    def run(self, work: Callable[[], object]) -> BaseException | None:
        """What came out of `work`; None if it ended before that line."""
        before = sys.gettrace()
        sys.settrace(self)
        try:
            work()
        except self._error as error:
            return error
        finally:
            sys.settrace(before)
        return None


def is_writable(memory: ricordo.Memory) -> bool:
    """Whether a write of another thread, and then one of this thread, come to an end."""
    done: list[int] = []
    other = threading.Thread(
        target=lambda: done.append(memory.space("ana").session("probe").append("user", "x").seq),
        daemon=True,
    )
    other.start()
    other.join(STUCK_SECONDS)
    if not done:
        return False
    memory.space("ana").session("probe").append("user", "y")
    return True


def interrupt_everywhere(
    memory: ricordo.Memory, write: Callable[[str], object], error: type[BaseException]
) -> dict[str, str]:
    """Interrupt a write at each of its lines in turn; what each text's writer was told."""
    told: dict[str, str] = {}
    for line in range(1, 10_000):
        tracer, text = Tracer(line, error), f"interrupted at line {line}"
        raised = tracer.run(lambda text=text: write(text))
        if raised is None:
            break
        notes = [note for note in getattr(raised, "__notes__", []) if note.startswith("ricordo")]
        told[text] = notes[0] if notes else UNKNOWN
        assert is_writable(memory), f"stuck after an interrupt at {tracer.where}"
    else:
        raise AssertionError("the write never came to an end")
    return told


def false_answers(told: dict[str, str], there: set[str]) -> list[str]:
    kept = [text for text, note in told.items() if note == KEPT and text not in there]
    return kept + [text for text, note in told.items() if note == NOT_KEPT and text in there]
