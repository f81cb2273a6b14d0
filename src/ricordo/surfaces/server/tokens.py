"""Bearer tokens: who may use a server, stored in a file that only its owner can read.

A token may be bound to one space and then reaches nothing else. It may be read-only, limited to a
toolset, and end at a time. The file is read again when it
changes, so that adding or removing a token needs no restart. Whoever changes it holds a lock on its
folder from reading to writing: otherwise a token that somebody revokes meanwhile would come back.
Windows has no such lock.
"""

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import threading
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ricordo.errors import Conflict, InvalidInput, NotFound

FIRST = "default"
READS_ONLY = "this token may only read; ask for one that writes"
_PREFIX = "rcl_"


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token allows. Without a space or a toolset it has all of them."""

    name: str
    space: str | None = None
    read_only: bool = False
    toolset: str | None = None

    def reaches(self, space: str) -> bool:
        return self.space is None or self.space == space

    def offers(self, toolset: str) -> bool:
        """Whether the token may use a toolset, or all of several."""
        return self.toolset is None or _parts(toolset) <= _parts(self.toolset)


@dataclass(frozen=True, slots=True)
class Token:
    """A token as stored in the file."""

    name: str
    token: str
    space: str | None = None
    read_only: bool = False
    toolset: str | None = None
    expires_at: str | None = None  # ISO 8601

    def is_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and datetime.fromisoformat(self.expires_at) <= now

    def grant(self) -> Grant:
        return Grant(self.name, self.space, self.read_only, self.toolset)


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
        """The first token; creates the file and a token if there is none."""
        with self._hold():
            found = self.read()
            return found[0] if found else self._add(Token(FIRST, _make_secret()))

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
        with self._hold():
            return self._add(Token(name, _make_secret(), space, read_only, toolset, end))

    def _add(self, made: Token) -> Token:
        tokens = self.read()
        if any(token.name == made.name for token in tokens):
            raise Conflict(
                f"a token named {made.name!r} already exists; remove it or choose another name"
            )
        self._write([*tokens, made])
        return made

    def rotate(self, name: str) -> Token:
        """Give a token a new secret; the old one is refused from now on."""
        with self._hold():
            tokens = self.read()
            renewed = [replace(t, token=_make_secret()) for t in tokens if t.name == name]
            if not renewed:
                raise NotFound(f"there is no token named {name!r}")
            self._write(renewed[0] if token.name == name else token for token in tokens)
            return renewed[0]

    def remove(self, name: str) -> Token:
        """Revoke a token; it is refused from now on."""
        with self._hold():
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
        return None if found is None or found.is_expired(datetime.now(UTC)) else found.grant()

    def _current(self) -> tuple[tuple[bytes, Token], ...]:
        """The tokens in the file, which is read again only if it changed."""
        try:
            stat = self.path.stat()
            seen = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        except FileNotFoundError:
            return ()
        with self._lock:
            if seen != self._seen:
                self._known = tuple((_digest(token.token), token) for token in self.read())
                self._seen = seen
            return self._known

    def _check_owned(self) -> None:
        mode = self.path.stat().st_mode
        if os.name == "posix" and mode & 0o077:
            raise InvalidInput(
                f"{str(self.path)!r} can be read by others ({mode & 0o777:o}); "
                f"run: chmod 600 {self.path}"
            )

    @contextlib.contextmanager
    def _hold(self) -> Iterator[None]:
        """Let one thread or process at a time change the file; the lock ends with its holder."""
        folder = self._real.parent
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            import fcntl
        except ImportError:
            yield
            return
        held = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield
        finally:
            os.close(held)

    @property
    def _real(self) -> Path:
        """The file itself; `path` may be a link to it, which stays one."""
        return Path(os.path.realpath(self.path))

    def _write(self, tokens: Iterable[Token]) -> None:
        """Replace the file in one step; others can never read it, not even for a moment."""
        real = self._real
        text = json.dumps({"tokens": [asdict(token) for token in tokens]}, indent=2) + "\n"
        beside = real.with_name(f"{real.name}.{secrets.token_hex(4)}")
        file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(real)


def _token(**read: Any) -> Token:
    """A token as it was read, or ValueError or TypeError."""
    found = Token(**read)
    texts = (found.space, found.toolset, found.expires_at)
    is_well = isinstance(found.name, str) and isinstance(found.token, str)
    if not is_well or not all(isinstance(each, str | None) for each in texts):
        raise ValueError("a token is not a text")
    if not isinstance(found.read_only, bool):
        raise ValueError("read_only is not true or false")
    found.is_expired(datetime.now(UTC))  # a time that cannot be read is refused here
    return found


def _make_secret() -> str:
    return _PREFIX + secrets.token_urlsafe(32)


def _parts(toolset: str) -> set[str]:
    return {part.strip() for part in toolset.split(",")}


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
