"""Logins of the inspector: a link that works once becomes a cookie with the grant of a token.

Both live in this process alone, as digests: a restart ends every login, and a dump of the memory
of the process opens nothing. A login ends with its token, and after a day without use. It knows
nothing of memories and of HTTP.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from ricordo.surfaces.server.tokens import Grant, Tokens

LINK_SECONDS = 60.0  # in which a link has to be opened
IDLE_SECONDS = 24 * 3600.0  # without a request, after which a login ends
MOST = 64  # links and logins each; the oldest go first


@dataclass(frozen=True, slots=True)
class Login:
    """Whose login it is, and when it or its link was made or used last."""

    grant: Grant
    at: float


class Logins:
    """The links and logins of one server. Without `writes` every login may only read."""

    def __init__(
        self, tokens: Tokens, *, writes: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.writes = writes
        self._tokens = tokens
        self._clock = clock
        self._lock = threading.Lock()
        self._links: dict[bytes, Login] = {}
        self._logins: dict[bytes, Login] = {}

    def issue(self, grant: Grant) -> str:
        """A code that can be redeemed once, within a minute, for a login with this grant."""
        return self._put(self._links, grant)

    def redeem(self, code: str) -> str | None:
        """The secret of a new login; None if the code is unknown, was used or is too old."""
        with self._lock:
            link = self._links.pop(_digest(code), None)
        if link is None or self._clock() - link.at > LINK_SECONDS:
            return None
        return self._put(self._logins, link.grant)

    def grant(self, secret: str) -> Grant | None:
        """What a login allows, or None: it is unknown, idle for a day, or its token is gone."""
        key, now = _digest(secret), self._clock()
        with self._lock:
            login = self._logins.get(key)
            if login is not None and now - login.at > IDLE_SECONDS:
                login = self._logins.pop(key, None) and None
            if login is None:
                return None
            self._logins[key] = replace(login, at=now)
        if not self._tokens.is_valid(login.grant):
            return None
        return replace(login.grant, read_only=login.grant.read_only or not self.writes)

    def is_valid(self, grant: Grant) -> bool:
        """Whether the token behind a grant is still there, whatever the login may write."""
        kinds = (replace(grant, read_only=False), replace(grant, read_only=True))
        return any(self._tokens.is_valid(each) for each in kinds)

    def _put(self, kept: dict[bytes, Login], grant: Grant) -> str:
        secret = secrets.token_urlsafe(32)
        with self._lock:
            kept[_digest(secret)] = Login(grant, self._clock())
            while len(kept) > MOST:
                del kept[next(iter(kept))]
        return secret


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
