"""What cases share: expecting an error, and reading hits."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ricordo import Memory
from ricordo.errors import RicordoError
from ricordo.model import Hit


class Raised:
    """Filled once the expected error has come."""

    message: str = ""


@contextmanager
def raises(kind: type[RicordoError], *words: str) -> Iterator[Raised]:
    """Expect this very error, with a message that holds these words."""
    raised = Raised()
    try:
        yield raised
    except RicordoError as error:
        came: RicordoError | None = error
    else:
        came = None
    assert isinstance(came, kind), f"{came!r} came instead of {kind.__name__}"
    raised.message = str(came)
    for word in words:
        assert word in raised.message, f"{word!r} is not in {raised.message!r}"


def counts(memory: Memory) -> tuple[int, ...]:
    """How much there is, without what happens by itself in the background."""
    stats = memory.stats()
    return (
        stats.spaces, stats.sessions, stats.events, stats.entries, stats.chunks, stats.signals,
    )  # fmt: skip


def texts(hits: Iterable[Hit]) -> list[str]:
    return [hit.text for hit in hits]


def names(hits: Iterable[Hit]) -> list[str | None]:
    return [hit.source.name for hit in hits]


def scores(hits: Iterable[Hit]) -> list[float]:
    return [round(hit.score, 6) for hit in hits]
