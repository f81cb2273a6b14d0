"""Bearer tokens: who may use a server, stored in a file that only its owner can read.

A token may be bound to one space and then reaches nothing else. It may be read-only, limited to a
toolset, and end at a time. The file holds a digest of each token, never the token: that is shown
once, when it is made. The file is read again when it changes, so that adding or removing a token
needs no restart. When each was used last is noted in a file beside it, once a minute at most.
Whoever changes tokens holds a lock on their folder from reading to writing: otherwise a token that
somebody revokes meanwhile would come back. Windows has no such lock.
"""

import hashlib
import hmac
import json
import os
import secrets
import threading
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ricordo.errors import Conflict, InvalidInput, NotFound
from ricordo.surfaces.server.audit import AuditLog
from ricordo.surfaces.server.private_file import LastUses, hold_folder, replace_file

FIRST = "default"
READS_ONLY = "this token may only read; ask for one that writes"
_PREFIX = "rcl_"
_DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token allows. Without a space or a toolset it has all of them."""

    name: str
    space: str | None = None
    read_only: bool = False
    toolset: str | None = None
    digest: str = field(default="", repr=False)  # of the secret: another one is another grant
    db: str | None = field(default=None, compare=False)  # where the memory is, for who started us

    def reaches(self, space: str) -> bool:
        return self.space is None or self.space == space

    def offers(self, toolset: str) -> bool:
        """Whether the token may use a toolset, or all of several."""
        return self.toolset is None or _parts(toolset) <= _parts(self.toolset)


@dataclass(frozen=True, slots=True)
class Token:
    """A token as stored in the file. `token` is the secret itself, known only when it is made."""

    name: str
    token: str = ""
    space: str | None = None
    read_only: bool = False
    toolset: str | None = None
    expires_at: str | None = None  # ISO 8601
    digest: str = ""  # of the secret
    used_at: str | None = None  # the last time, to the minute; not in this file

    @classmethod
    def make(cls, name: str, **limits: Any) -> "Token":
        """A token with a new secret."""
        return cls(name, **limits).renew()

    def renew(self) -> "Token":
        """The token with another secret."""
        secret = _PREFIX + secrets.token_urlsafe(32)
        return replace(self, token=secret, digest=_digest(secret).hex(), used_at=None)

    def to_stored(self) -> dict[str, Any]:
        """What the file holds of it."""
        return {k: v for k, v in asdict(self).items() if k not in ("token", "used_at")}

    def is_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and datetime.fromisoformat(self.expires_at) <= now

    def grant(self) -> Grant:
        return Grant(self.name, self.space, self.read_only, self.toolset, self.digest)


def home() -> Path:
    """The default file, in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("ricordo", appauthor=False) / "tokens.json"


class Tokens:
    """The tokens of one file."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._known: tuple[tuple[bytes, Token], ...] = ()
        self._lent: list[Token] = []
        self.uses = LastUses(self._real.with_name(f"{self._real.name}.used"))
        self.audit = AuditLog(self._real.with_name(f"{self._real.name}.audit"))

    def read(self) -> list[Token]:
        """All tokens; none if there is no file. A file that others can read is refused."""
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return []
        self._check_owned()
        try:
            return [_token(**each) for each in json.loads(text.decode("utf-8"))["tokens"]]
        except (ValueError, TypeError, KeyError) as error:
            raise InvalidInput(
                f"{str(self.path)!r} is not a file of tokens; delete it and start again"
            ) from error

    def ensure(self) -> Token:
        """The first token; creates the file and a token if there is none.

        Files of old held the tokens themselves; such a file is written again with their digests.
        """
        with hold_folder(self._real.parent):
            found = self.read()
            if any(token.token for token in found):
                self._write(found)
            return replace(found[0], token="") if found else self._add(Token.make(FIRST))

    def add(
        self,
        name: str,
        space: str | None = None,
        *,
        read_only: bool = False,
        toolset: str | None = None,
        expires_at: datetime | None = None,
    ) -> Token:
        """Create a token; with `space` it reaches only that space."""
        for what, value in (("name", name), ("space", space), ("toolset", toolset)):
            if value is not None and not value.strip():
                raise InvalidInput(f"the {what} of a token is blank; give one, or leave it out")
        end = None if expires_at is None else expires_at.isoformat(timespec="seconds")
        with hold_folder(self._real.parent):
            return self._add(
                Token.make(name, space=space, read_only=read_only, toolset=toolset, expires_at=end)
            )

    def _add(self, made: Token) -> Token:
        tokens = self.read()
        if any(token.name == made.name for token in tokens):
            raise Conflict(
                f"a token named {made.name!r} already exists; remove it or choose another name"
            )
        self._write([*tokens, made])
        return made

    def lend(self, name: str, *, read_only: bool = True) -> Token:
        """A token until this process ends, which stands in no file."""
        made = Token.make(name, read_only=read_only)
        with self._lock:
            self._lent.append(made)
            self._seen = (-1, -1, -1)  # read the file again, and this with it
        return made

    def rotate(self, name: str) -> Token:
        """Give a token a new secret; the old one is refused from now on."""
        with hold_folder(self._real.parent):
            tokens = self.read()
            renewed = [token.renew() for token in tokens if token.name == name]
            if not renewed:
                raise NotFound(f"there is no token named {name!r}")
            self._write(renewed[0] if token.name == name else token for token in tokens)
            return renewed[0]

    def remove(self, name: str) -> Token:
        """Revoke a token; it is refused from now on."""
        with hold_folder(self._real.parent):
            tokens = self.read()
            gone = [token for token in tokens if token.name == name]
            if not gone:
                raise NotFound(f"there is no token named {name!r}")
            self._write(token for token in tokens if token.name != name)
            return gone[0]

    def grant(self, secret: str) -> Grant | None:
        """What a token allows, or None. Every token is compared, and each in constant time."""
        given = _digest(secret)
        found = None
        for digest, token in self._current():
            if hmac.compare_digest(digest, given):
                found = token
        now = datetime.now(UTC)
        if found is None or found.is_expired(now):
            return None
        if found not in self._lent:
            self.uses.note(found.digest, now)
        return found.grant()

    def list_bound(self, space: str) -> list[str]:
        """The names of tokens that are bound to a space."""
        return [token.name for _, token in self._current() if token.space == space]

    def is_valid(self, grant: Grant) -> bool:
        """Whether the token behind a grant is still there, unchanged and not at its end."""
        now = datetime.now(UTC)
        current = (token for _, token in self._current())
        return any(t.grant() == grant and not t.is_expired(now) for t in current)

    def _current(self) -> tuple[tuple[bytes, Token], ...]:
        """The tokens in the file, which is read again only if it changed."""
        try:
            stat = self.path.stat()
            seen = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        except FileNotFoundError:
            seen = None
        with self._lock:
            if seen != self._seen:
                found = [*self.read(), *self._lent]
                self._known = tuple((bytes.fromhex(t.digest), t) for t in found)
                self._seen = seen
            return self._known

    def _check_owned(self) -> None:
        mode = self.path.stat().st_mode
        if os.name == "posix" and mode & 0o077:
            raise InvalidInput(
                f"{str(self.path)!r} can be read by others ({mode & 0o777:o}); "
                f"run: chmod 600 {self.path}"
            )

    @property
    def _real(self) -> Path:
        """The file itself; `path` may be a link to it, which stays one."""
        return Path(os.path.realpath(self.path))

    def _write(self, tokens: Iterable[Token]) -> None:
        """Replace the file in one step; others can never read it, not even for a moment."""
        real = self._real
        text = json.dumps({"tokens": [token.to_stored() for token in tokens]}, indent=2) + "\n"
        replace_file(real, text)


def _token(**read: Any) -> Token:
    """A token as it was read, or ValueError or TypeError. Files of old held the secret itself."""
    found = Token(**read)
    if found.token and not found.digest:
        found = replace(found, digest=_digest(found.token).hex())
    texts = (found.space, found.toolset, found.expires_at)
    is_well = isinstance(found.name, str) and len(bytes.fromhex(found.digest)) == _DIGEST_BYTES
    if not is_well or not all(isinstance(each, str | None) for each in texts):
        raise ValueError("a token is not a text")
    if not isinstance(found.read_only, bool):
        raise ValueError("read_only is not true or false")
    found.is_expired(datetime.now(UTC))  # a time that cannot be read is refused here
    return found


def _parts(toolset: str) -> set[str]:
    return {part.strip() for part in toolset.split(",")}


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
