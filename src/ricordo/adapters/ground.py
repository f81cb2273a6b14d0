"""What every adapter stands on: the space it works in, its framework, and calls that block."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ricordo.errors import InvalidInput, Unavailable
from ricordo.handles.memory import Memory, Space
from ricordo.mirrors import unwrap

if TYPE_CHECKING:
    from ricordo import aio

Result = TypeVar("Result")


def find_space(given: "Memory | Space | aio.Memory | aio.Space", name: str) -> Space:
    """The given space, or the one called `name` in the given memory; also those of `aio`."""
    held = unwrap(given)
    if isinstance(held, Memory):
        return held.space(name)
    if isinstance(held, Space):
        return held
    raise InvalidInput(
        f"an adapter takes a Memory or a Space, not {type(given).__name__}; "
        "open one with ricordo.open(path)"
    )


def find_memory(given: "Memory | aio.Memory") -> Memory:
    """The given memory, for adapters that use many spaces; also one of `aio`."""
    held = unwrap(given)
    if isinstance(held, Memory):
        return held
    raise InvalidInput(
        f"this adapter takes a Memory, not {type(given).__name__}; open one with ricordo.open(path)"
    )


def report_missing(package: str, extra: str) -> Unavailable:
    """The error of an adapter whose framework is not installed."""
    return Unavailable(f'this adapter needs {package}: pip install "ricordo[{extra}]"')


async def finish(work: Callable[[], Result]) -> Result:
    """Run blocking work on a thread and wait for its end, also when the caller is cancelled.

    Whoever is cancelled in the middle of a write can then rely on it: it was made or it failed.
    """
    task = asyncio.ensure_future(asyncio.to_thread(work))
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = cancelled or error
    if cancelled is not None:
        task.exception()  # looked at, so that nobody logs it as forgotten
        raise cancelled
    return task.result()
