"""Bearer tokens: who may use a server, stored in a file that only its owner can read.

A token may be bound to one space and then reaches nothing else. The file is read again when it
changes, so that adding or removing a token needs no restart.
"""

import hashlib
import hmac
import json
import os
import secrets
import threading
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from ricordo.errors import Conflict, InvalidInput, NotFound

FIRST = "default"
_PREFIX = "rcl_"


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token allows: one space, or all spaces if None."""

    name: str
    space: str | None = None

    def reaches(self, space: str) -> bool:
        return self.space is None or self.space == space


@dataclass(frozen=True, slots=True)
class Token:
    """A token as stored in the file."""

    name: str
    token: str
    space: str | None = None


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
        self._grants: tuple[tuple[bytes, Grant], ...] = ()

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
        found = self.read()
        return found[0] if found else self.add(FIRST)

    def add(self, name: str, space: str | None = None) -> Token:
        """Create a token; with `space` it reaches only that space."""
        for what, value in (("name", name), ("space", space)):
            if value is not None and not value.strip():
                raise InvalidInput(f"the {what} of a token is blank; give one, or leave it out")
        tokens = self.read()
        if any(token.name == name for token in tokens):
            raise Conflict(
                f"a token named {name!r} already exists; remove it or choose another name"
            )
        made = Token(name, _PREFIX + secrets.token_urlsafe(32), space)
        self._write([*tokens, made])
        return made

    def remove(self, name: str) -> Token:
        """Revoke a token; it is refused from now on."""
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
        for digest, grant in self._current():
            if hmac.compare_digest(digest, given):
                found = grant
        return found

    def _current(self) -> tuple[tuple[bytes, Grant], ...]:
        """The tokens in the file, which is read again only if it changed."""
        try:
            stat = self.path.stat()
            seen = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        except FileNotFoundError:
            return ()
        with self._lock:
            if seen != self._seen:
                read = self.read()
                self._grants = tuple((_digest(t.token), Grant(t.name, t.space)) for t in read)
                self._seen = seen
            return self._grants

    def _check_owned(self) -> None:
        mode = self.path.stat().st_mode
        if os.name == "posix" and mode & 0o077:
            raise InvalidInput(
                f"{str(self.path)!r} can be read by others ({mode & 0o777:o}); "
                f"run: chmod 600 {self.path}"
            )

    def _write(self, tokens: Iterable[Token]) -> None:
        """Replace the file in one step; others can never read it, not even for a moment."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = json.dumps({"tokens": [asdict(token) for token in tokens]}, indent=2) + "\n"
        beside = self.path.with_name(f"{self.path.name}.{secrets.token_hex(4)}")
        file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(self.path)


def _token(name: object, token: object, space: object = None) -> Token:
    """A token as it was read, or ValueError."""
    if isinstance(name, str) and isinstance(token, str) and isinstance(space, str | None):
        return Token(name, token, space)
    raise ValueError("a token is not a text")


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
