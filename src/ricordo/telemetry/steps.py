"""Steps: what a memory does, shown to those who watch. Unless somebody watches, nothing is kept.

A flow begins a step with a name and attributes, and notes what came of it. A watcher sees when it
begins and how it ends; it never makes the step fail. What a step says about texts is kept apart, in
`contents`, and made only for a watcher that wants it.
"""

import logging
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Protocol

from ricordo.model import Json

Attribute = str | int | float | bool | None
Contents = Callable[[], Mapping[str, Json]]
log = logging.getLogger("ricordo.telemetry")


class Watcher(Protocol):
    """Sees steps, from any thread and several at once."""

    @property
    def wants_contents(self) -> bool:
        """Whether it also takes texts."""

    def begin(self, step: "Step") -> object:
        """A step begins; what is returned comes back at its end."""

    def end(self, step: "Step", begun: object) -> None:
        """It has ended: `seconds` and `error` are known."""


class Step:
    """One step under way. Use it with `with`."""

    __slots__ = ("_begun", "_since", "_watchers", "attributes", "contents", "error", "name")

    def __init__(
        self, watchers: tuple[Watcher, ...], name: str, attributes: dict[str, Attribute]
    ) -> None:
        self._watchers = watchers
        self._begun: list[tuple[Watcher, object]] = []
        self._since = time.perf_counter()
        self.name = name
        self.attributes = attributes
        self.contents: dict[str, Json] = {}
        self.error: BaseException | None = None

    @property
    def seconds(self) -> float:
        """How long ago it began."""
        return time.perf_counter() - self._since

    def note(self, **attributes: Attribute) -> None:
        """Add what is known only now."""
        self.attributes.update(attributes)

    def show(self, contents: Contents) -> None:
        """Add texts, if anybody wants them; they are made in here."""
        if any(watcher.wants_contents for watcher in self._watchers):
            self.contents.update(contents())

    def __enter__(self) -> "Step":
        for watcher in self._watchers:
            try:
                self._begun.append((watcher, watcher.begin(self)))
            except Exception:
                log.warning("a watcher failed as %s began", self.name, exc_info=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.error = error
        while self._begun:
            watcher, begun = self._begun.pop()
            try:
                watcher.end(self, begun)
            except Exception:  # what was written is written, whatever becomes of its telemetry
                log.warning("a watcher failed as %s ended", self.name, exc_info=True)


class Unwatched:
    """A step that nobody watches."""

    __slots__ = ()

    def note(self, **attributes: Attribute) -> None:
        pass

    def show(self, contents: Contents) -> None:
        pass

    def __enter__(self) -> "Unwatched":
        return self

    def __exit__(self, *_: Any) -> None:  # Any: what `with` passes
        pass


_UNWATCHED = Unwatched()


class Steps:
    """The steps of one memory, and who watches them."""

    __slots__ = ("_watchers",)

    def __init__(self) -> None:
        self._watchers: tuple[Watcher, ...] = ()

    def watch(self, watcher: Watcher) -> None:
        """Show every later step to a watcher."""
        self._watchers += (watcher,)

    def begin(self, name: str, **attributes: Attribute) -> Step | Unwatched:
        """A step that begins with `with`."""
        return Step(self._watchers, name, attributes) if self._watchers else _UNWATCHED
