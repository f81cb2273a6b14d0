"""Change notices: tell those who watch a resource of a space when its content changes.

Each space has a channel of its own: that something changed in one is not known in another. After a
write the watched resources that it may have touched are read again, so a notice means a change.
Subscriptions end with the connection that made them.
"""

import weakref
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp.server import ServerRequestContext
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
)
from mcp.types import SubscriptionsListenRequestParams, SubscriptionsListenResult

from ricordo.surfaces.mcp.resources import AddressState
from ricordo.surfaces.mcp.touched import WatchIndex, Write

if TYPE_CHECKING:
    from mcp.server.connection import Connection

MOST_SUBSCRIBERS = 1_024  # of the older protocol in a space; the oldest are dropped first
MOST_WATCHED = 256  # resources that one of them may watch
_KNOWN = "ricordo.spaces"  # in the state of a connection: where it has subscribed
SLOW_SECONDS = 1.0  # a subscriber that takes longer to accept a notice gets no more

Reader = Callable[[str, str], AddressState]
Context = ServerRequestContext[Any, Any]


@dataclass(slots=True)
class Subscriber:
    """A connection of the older protocol, held weakly to notice when it is gone."""

    connection: "weakref.ref[Connection]"
    addresses: set[str] = field(default_factory=set)


class Channel:
    """The subscribers of one space, and what they watch."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self.listen = ListenHandler(self.bus)
        self.listeners = 0
        self.subscribers: dict[int, Subscriber] = {}  # by the identity of the connection
        self.watched: Counter[str] = Counter()  # how many watch an address
        self.said: dict[str, str | None] = {}
        self.index = WatchIndex()
        self.looking = anyio.Lock()  # keeps reads and their notes in the same order

    @property
    def is_empty(self) -> bool:
        return not self.listeners and not self.subscribers

    def watch(self, addresses: Iterable[str]) -> None:
        self.watched.update(addresses)

    def unwatch(self, addresses: Iterable[str]) -> None:
        """Release addresses, and the contents of those that nobody watches any more."""
        for address in addresses:
            self.watched[address] -= 1
            if self.watched[address] <= 0:
                del self.watched[address]
                self.said.pop(address, None)
                self.index.drop(address)

    def see(self, address: str, seen: AddressState) -> bool:
        """Note the content of an address, if it is still watched; whether it changed."""
        if address not in self.watched:
            return False
        is_news = address in self.said and self.said[address] != seen.text
        self.said[address] = seen.text
        self.index.put(address, seen.names)
        return is_news

    def leave(self, key: int) -> None:
        """Forget a subscriber."""
        subscriber = self.subscribers.pop(key, None)
        if subscriber is not None:
            self.unwatch(subscriber.addresses)

    def drop_dead(self) -> None:
        """Forget subscribers whose connection is gone."""
        for key, subscriber in list(self.subscribers.items()):
            if subscriber.connection() is None:
                self.leave(key)


class Notices:
    """The channels of all spaces. `read` returns the content of an address of a space."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._channels: dict[str, Channel] = {}
        self.reads = 0  # of addresses, so far

    def count_subscribers(self) -> int:
        """Subscribers and listeners of all spaces."""
        channels = self._channels.values()
        return sum(len(each.subscribers) + each.listeners for each in channels)

    def count_watched(self) -> int:
        """The number of watched addresses."""
        return sum(len(each.watched) for each in self._channels.values())

    async def listen(
        self, space: str, ctx: Context, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Serve one stream of notices until the client disconnects."""
        channel = self._channels.setdefault(space, Channel())
        wanted = dict.fromkeys(params.notifications.resource_subscriptions or ())
        addresses = list(wanted)[:MOST_WATCHED]
        channel.watch(addresses)
        channel.listeners += 1
        try:
            await self._look(space, channel, addresses)
            return await channel.listen(ctx, params)
        finally:
            channel.listeners -= 1
            channel.unwatch(addresses)
            self._tidy(space)

    async def subscribe(self, space: str, ctx: Context, address: str) -> None:
        """Watch a resource in the older protocol."""
        channel = self._channels.setdefault(space, Channel())
        subscriber = self._join(space, channel, _connection_of(ctx))
        if len(subscriber.addresses) < MOST_WATCHED and address not in subscriber.addresses:
            subscriber.addresses.add(address)
            channel.watch([address])
            await self._look(space, channel, [address])

    def unsubscribe(self, space: str, ctx: Context, address: str) -> None:
        channel = self._channels.get(space)
        if channel is None:
            return
        subscriber = channel.subscribers.get(id(_connection_of(ctx)))
        if subscriber is not None and address in subscriber.addresses:
            subscriber.addresses.remove(address)
            channel.unwatch([address])

    async def wrote(self, space: str, name: Callable[[], Write]) -> None:
        """After a write, notify those who watch what changed.

        `name` says what was touched; it is asked only if somebody watches.
        """
        channel = self._channels.get(space)
        if channel is None:
            return
        channel.drop_dead()
        self._tidy(space)
        if channel.listeners:
            await channel.bus.publish(ResourcesListChanged())
        if not channel.watched:
            return
        write = name()
        found = set(channel.watched) if write.is_sweeping else channel.index.find(write.terms)
        for address in await self._look(space, channel, sorted(found)):
            await self._tell(channel, address)

    def _join(self, space: str, channel: Channel, connection: "Connection") -> Subscriber:
        """The subscriber of a connection, which is forgotten when the connection ends."""
        channel.drop_dead()
        key = id(connection)
        if key not in channel.subscribers:
            channel.subscribers[key] = Subscriber(weakref.ref(connection))
            if space not in (known := connection.state.setdefault(_KNOWN, set())):
                known.add(space)  # one clean-up for each space, however often it comes back
                connection.exit_stack.callback(self._leave, space, key)
            while len(channel.subscribers) > MOST_SUBSCRIBERS:
                channel.leave(next(iter(channel.subscribers)))
        return channel.subscribers[key]

    def _leave(self, space: str, key: int) -> None:
        channel = self._channels.get(space)
        if channel is not None:
            channel.leave(key)
            self._tidy(space)

    def _tidy(self, space: str) -> None:
        if space in self._channels and self._channels[space].is_empty:
            del self._channels[space]

    async def _tell(self, channel: Channel, address: str) -> None:
        await channel.bus.publish(ResourceUpdated(uri=address))
        for key, subscriber in list(channel.subscribers.items()):
            connection = subscriber.connection()
            if connection is None or address not in subscriber.addresses:
                continue
            with anyio.move_on_after(SLOW_SECONDS) as sending:
                await connection.send_resource_updated(address)
            if sending.cancelled_caught:
                channel.leave(key)

    async def _look(self, space: str, channel: Channel, addresses: list[str]) -> list[str]:
        """Read addresses again, and return those whose content changed."""
        if not addresses:
            return []

        def look() -> list[AddressState]:
            return [self._read(space, address) for address in addresses]

        async with channel.looking:
            self.reads += len(addresses)
            seen = await anyio.to_thread.run_sync(look)
            pairs = zip(addresses, seen, strict=True)
            return [address for address, each in pairs if channel.see(address, each)]


def _connection_of(ctx: Context) -> "Connection":
    """The connection behind a request. The SDK gives each request a session object of its own and
    keeps the connection, which outlives it and can be cleaned up after, inside."""
    return ctx.session._connection
