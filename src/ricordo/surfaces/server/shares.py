"""Shares: how much of a server one token may have, so that one client cannot stall the others."""

import time
from collections.abc import Callable

import anyio

RATE = 1_000.0  # requests a second of one token; far more than one process answers
THREADS_OF_ONE = 6  # worker threads that the requests of one token may have at once


class Rates:
    """A bucket for each token, which fills with a rate and holds two seconds of it."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def admit(self, key: str) -> float:
        """Take one request out of a bucket; seconds to wait if it is empty, else 0."""
        if self._rate <= 0:
            return 0.0
        now = self._clock()
        left, at = self._buckets.get(key, (2 * self._rate, now))
        left = min(2 * self._rate, left + (now - at) * self._rate)
        if left < 1:
            self._buckets[key] = (left, now)
            return (1 - left) / self._rate
        self._buckets[key] = (left - 1, now)
        return 0.0


class Shares:
    """A limiter for each token; what is past it waits, without a thread."""

    def __init__(self) -> None:
        self._limiters: dict[str, anyio.CapacityLimiter] = {}

    def find(self, key: str) -> anyio.CapacityLimiter:
        """The limiter of a token; made inside the event loop."""
        if key not in self._limiters:
            self._limiters[key] = anyio.CapacityLimiter(THREADS_OF_ONE)
        return self._limiters[key]
