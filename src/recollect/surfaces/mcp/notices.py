"""Change notices: who watches a resource of a space is told when it says something else.

Each space has a channel of its own: that something changed in one is not known in another. After a
write the watched resources are read again, so what is told is what changed, whatever the tool was.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

import anyio.to_thread
from mcp.server import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
)
from mcp.types import SubscriptionsListenRequestParams, SubscriptionsListenResult

MOST_SESSIONS = 1_024  # subscribers of the older protocol; the oldest go first
MOST_WATCHED = 256  # resources that one of them may watch

Reader = Callable[[str, str], str | None]
Context = ServerRequestContext[Any, Any]


class Channel:
    """Those who listen to one space."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self.listen = ListenHandler(self.bus)
        self.listeners = 0
        self.watched: Counter[str] = Counter()
        self.said: dict[str, str | None] = {}
        self.subscribed: OrderedDict[str, tuple[ServerSession, set[str]]] = OrderedDict()

    def watches(self) -> list[str]:
        older = {uri for _, uris in self.subscribed.values() for uri in uris}
        return sorted(older | set(self.watched))

    def tidy(self) -> None:
        """Let go of the texts of resources that nobody watches any more."""
        watched = set(self.watches())
        for uri in self.said.keys() - watched:
            del self.said[uri]


class Notices:
    """The channels of all spaces. `read` gives what a resource of a space says."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._channels: dict[str, Channel] = {}

    def channel(self, space: str) -> Channel:
        """The channel of a space."""
        return self._channels.setdefault(space, Channel())

    async def listen(
        self, space: str, ctx: Context, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Serve one stream of notices, until the client goes."""
        channel = self.channel(space)
        uris = list(params.notifications.resource_subscriptions or ())[:MOST_WATCHED]
        await self._look(space, channel, uris)
        channel.watched.update(uris)
        channel.listeners += 1
        try:
            return await channel.listen(ctx, params)
        finally:
            channel.listeners -= 1
            channel.watched -= Counter(uris)
            channel.tidy()

    async def subscribe(self, space: str, ctx: Context, uri: str) -> None:
        """Watch a resource in the older protocol."""
        channel = self.channel(space)
        _, uris = channel.subscribed.setdefault(_who(ctx), (ctx.session, set()))
        if len(uris) < MOST_WATCHED:
            await self._look(space, channel, [uri])
            uris.add(uri)
        while len(channel.subscribed) > MOST_SESSIONS:
            channel.subscribed.popitem(last=False)
            channel.tidy()

    def unsubscribe(self, space: str, ctx: Context, uri: str) -> None:
        channel = self._channels.get(space)
        if channel is not None and _who(ctx) in channel.subscribed:
            channel.subscribed[_who(ctx)][1].discard(uri)
            channel.tidy()

    async def wrote(self, space: str) -> None:
        """Something was written: tell those who watch what changed."""
        channel = self._channels.get(space)
        if channel is None:
            return
        if channel.listeners:
            await channel.bus.publish(ResourcesListChanged())
        for uri in channel.watches():
            before = channel.said.get(uri)
            await self._look(space, channel, [uri])
            if channel.said.get(uri) != before:
                await self._tell(channel, uri)

    async def _tell(self, channel: Channel, uri: str) -> None:
        await channel.bus.publish(ResourceUpdated(uri=uri))
        for session, uris in list(channel.subscribed.values()):
            if uri in uris:
                await session.send_resource_updated(uri)

    async def _look(self, space: str, channel: Channel, uris: list[str]) -> None:
        for uri in uris:
            channel.said[uri] = await anyio.to_thread.run_sync(self._read, space, uri)


def _who(ctx: Context) -> str:
    """The connection of the older protocol: its session id over HTTP, the only one over stdio."""
    headers = getattr(ctx.request, "headers", None) or {}
    return str(headers.get("mcp-session-id", ""))
