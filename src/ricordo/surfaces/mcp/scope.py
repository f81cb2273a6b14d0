"""What a connection reaches: the command line, the token or the URL decide, never a message."""

from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import anyio

KEY = "ricordo.reach"  # where the HTTP surface notes it in the scope of a request


@dataclass(frozen=True, slots=True)
class ConnectionScope:
    """The space, tools, session and channel of a connection, and whether it may only read."""

    space: str
    toolset: str = "default"
    session: str = "default"
    channel: str | None = None
    read_only: bool = False
    token: str = ""  # the name of the client's token, if it has one
    request: str = ""  # the id of the request, as in the server's log
    share: "anyio.CapacityLimiter | None" = field(default=None, compare=False, repr=False)

    @property
    def quiet(self) -> AbstractContextManager[None]:
        """What to recall in: somebody who may only read leaves no signals either."""
        if not self.read_only:
            return nullcontext()
        from ricordo.handles.memory import leave_no_signals

        return leave_no_signals()

    @property
    def turn(self) -> AbstractAsyncContextManager[object]:
        """What to enter before a worker thread is asked for: the share of the token."""
        return nullcontext() if self.share is None else self.share
