"""Sessions of the older MCP protocol over HTTP: how many there are, and which one ends for another.

Clients often leave without a word, and each session holds 43 to 55 KB in a dozen tasks. The newer
protocol has no sessions, so none of this concerns it.
"""

import math
from typing import TYPE_CHECKING, Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

IDLE_SECONDS = 30 * 60.0  # after which a session ends, with all it watches
MOST_SESSIONS = 512  # 28 MB at most; past it the one that has been idle for longest ends


class BoundedSessions(StreamableHTTPSessionManager):
    """The SDK's sessions; past the bound, the one that has been idle for longest ends.

    A session with a request or a stream under way is not idle, so it stays. A client whose session
    has ended gets 404 and opens another, as the protocol says. The SDK's own bound, 10,000, refuses
    new sessions; it is reached only if that many have a stream open.
    """

    def __init__(self, server: Server[Any], body_limit: int) -> None:
        super().__init__(
            server, max_request_body_size=body_limit, session_idle_timeout=IDLE_SECONDS
        )

    async def handle_request(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        await super().handle_request(scope, receive, send)
        if self.count() > MOST_SESSIONS:
            self._end_surplus()

    def count(self) -> int:
        """How many sessions there are."""
        return len(self._server_instances)

    def _end_surplus(self) -> None:
        """End sessions past the bound. The deadline of one that is not idle lies at infinity."""
        scopes = [each.idle_scope for each in self._server_instances.values()]
        going_on = [each for each in scopes if each is not None and not each.cancel_called]
        idle = sorted(
            (each for each in going_on if each.deadline < math.inf),
            key=lambda scope: scope.deadline,
        )
        for each in idle[: max(0, len(going_on) - MOST_SESSIONS)]:
            each.cancel()
