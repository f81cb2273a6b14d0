"""A span around each admitted request, inside the trace that its client names in `traceparent`.

Only where the setting `telemetry` asks for spans. Refused requests make none: strangers could fill
a trace with them.
"""

from typing import TYPE_CHECKING

from ricordo.surfaces.http.api import ROUTE
from ricordo.telemetry.spans import begin_request

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_CONTEXT = ("traceparent", "tracestate", "baggage")


class RequestSpans:
    """Wraps the app behind the guard."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500  # if it ends without an answer

        async def note_status(message: "Message") -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with begin_request(read_context(scope)) as request:
            try:
                await self._app(scope, receive, note_status)
            finally:
                request.finish(scope["method"], scope.get(ROUTE, "refused"), status)


def read_context(scope: "Scope") -> dict[str, str]:
    """The headers of a trace; one that was sent twice counts as not sent."""
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in _CONTEXT:
            found.setdefault(key, []).append(value.decode("latin-1"))
    return {name: values[0] for name, values in found.items() if len(values) == 1}
