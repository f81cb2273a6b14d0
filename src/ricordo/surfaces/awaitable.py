"""The handle of a space that a surface works with: the sync one, also inside one of `aio`.

Recognised by what it does, not by its class: `aio` is not imported for those who do not use it.
"""

import inspect
from typing import TYPE_CHECKING

from ricordo.errors import InvalidInput

if TYPE_CHECKING:
    from ricordo import aio
    from ricordo.handles.memory import Space


def is_awaitable(space: object) -> bool:
    """Whether it is a space of `ricordo.aio`, whose results must be awaited."""
    return inspect.iscoroutinefunction(getattr(type(space), "recall", None))


def refuse_awaitable(space: object, instead: str) -> None:
    """Refuse a space of `ricordo.aio` where nobody would await it; `instead` is the way out."""
    if is_awaitable(space):
        raise InvalidInput(f"this is a space of ricordo.aio, and nothing here awaits it; {instead}")


def sync_space_of(space: "Space | aio.Space") -> "Space":
    """The sync handle, for callers with their own threads."""
    return space._sync if is_awaitable(space) else space  # type: ignore[union-attr, return-value]
