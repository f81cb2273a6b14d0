"""The engine: what every use case works with. It holds parts and decides nothing."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeVar

from ricordo import forks
from ricordo.config import Settings
from ricordo.core.text import content, tokens
from ricordo.errors import DiskFull, InvalidInput, shorten
from ricordo.store.database import Database, Tx
from ricordo.telemetry.start import start_spans
from ricordo.telemetry.steps import Steps

if TYPE_CHECKING:
    from ricordo.embed import Embedder
    from ricordo.flows.learning.approve import Answers
    from ricordo.flows.recall.embedding import Embedding
    from ricordo.flows.recall.views import Views
    from ricordo.flows.redaction import Hook
    from ricordo.flows.time.clocks import Watch
    from ricordo.flows.writing.recent import Recent

Result = TypeVar("Result")
Choice = TypeVar("Choice", bound=str)


class Background(Protocol):
    """What works by itself beside the engine: the keeper, seen from below."""

    @property
    def runs_schedules(self) -> bool: ...

    def note_write(self) -> None: ...

    def pause(self) -> None: ...

    def go_on(self) -> None: ...

    def renew(self) -> "Background": ...


LONGEST_NAME = 512  # characters of a space, session, name, alias or category


@dataclass(slots=True, eq=False)
class Engine(forks.Forkable):
    store: Database
    embedders: "tuple[Embedder, ...]"  # none, one, or a second one for other languages
    clock: Callable[[], datetime]
    watch: "Watch"  # notices whether the time of the clock can be right
    settings: Settings
    recent: "Recent"
    embedding: "Embedding"
    answers: "Answers | None" = None  # approvals that last no longer than this opening
    redact: "Hook | None" = None  # takes out of a text what must not be kept
    background: Background | None = None  # set once, by whoever opens the memory
    _made: "dict[str, Views]" = field(default_factory=dict)

    def __post_init__(self) -> None:
        forks.register(self)
        start_spans(self.steps, self.settings.telemetry, self.redact)

    @property
    def steps(self) -> Steps:
        """What this memory does, for those who watch."""
        return self.store.steps

    @property
    def views(self) -> "Views":
        """The views of spaces, made on first use: they need numpy, opening a memory does not."""
        found = self._made.get("views")
        if found is None:
            from ricordo.flows.recall.views import Views

            # Whoever comes first wins: one step, which nothing interrupts.
            found = self._made.setdefault("views", Views(self.settings.cache_mb * 1_000_000))
        return found

    def before_fork(self) -> None:
        """Let the background finish its batch: what it imports or runs would stay locked."""
        if self.background is not None:
            self.background.pause()
        self.embedding.pause()

    def after_fork_in_parent(self) -> None:
        self.embedding.go_on()
        if self.background is not None:
            self.background.go_on()

    def after_fork_in_child(self) -> None:
        """Begin again without what threads of the parent were changing when it forked."""
        self._made.clear()
        self.recent = self.recent.renew()
        self.embedding = self.embedding.renew()
        if self.background is not None:
            self.background = self.background.renew()

    def wake(self) -> None:
        """New texts are there: they are embedded, and whatever else follows from them is done."""
        self.embedding.wake()
        if self.background is not None:
            self.background.note_write()

    def redact_text(self, said: str) -> str:
        """A text that came from elsewhere than a handle, without what must not be kept."""
        if self.redact is None:
            return said
        from ricordo.flows.redaction import redact

        return redact(self.redact, said)

    def delete(self, work: "Callable[[Tx], Result]") -> "Result":
        """Write what takes something away; on a full disk with the room kept for that."""
        try:
            return self.store.write(work)
        except DiskFull:
            if not self.store.use_reserve():
                raise
            return self.store.write(work)

    def now(self) -> int:
        return self.watch.now()

    def ensure_space(self, tx: Tx, name: str) -> int:
        """The number of a space; files it on its first write."""
        found = tx.spaces.number(name)
        if found is not None:
            return found
        if tx.spaces.tokenizer() is None:
            tx.spaces.set_tokenizer(tokens.VERSION)
        return tx.spaces.create(name, os.urandom(32), self.now())


def check_name(value: object, what: str) -> str:
    """A name as it may stand in a key: not blank, not endless."""
    name = content.clean(value, what, limit=LONGEST_NAME)
    if not name.strip():
        raise InvalidInput(f"{what} is blank; give it at least one visible character")
    return name


def whole(value: object, what: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidInput(f"{what} is {shorten(value)}; give a whole number from {low} to {high}")
    return value


def one_of(value: object, what: str, accepted: tuple[Choice, ...]) -> Choice:
    """One of a fixed set of words."""
    for choice in accepted:
        if choice == value:
            return choice
    raise InvalidInput(f"{what} {shorten(value)} is not valid; use one of {', '.join(accepted)}")


def shallow(value: object, what: str, most: int) -> None:
    """Refuse what is nested too deeply to be read back everywhere, or goes round in a circle."""
    waiting = [(value, 0)]
    while waiting:
        each, depth = waiting.pop()
        if depth > most:
            raise InvalidInput(f"{what} is nested more than {most} levels deep; flatten it")
        if isinstance(each, Mapping):
            waiting += [(inner, depth + 1) for inner in each.values()]
        elif isinstance(each, list | tuple):
            waiting += [(inner, depth + 1) for inner in each]
