"""Beacons: how a hook finds the server of a memory on this machine.

While it runs, a server keeps a small file in the user's data folder, with its address and a token
that reads until the server ends, and holds a lock on it. The lock ends with the process, however
that ends: a file that is not locked was left behind, and nobody sends a token to whoever has the
port now. Only addresses of this machine are written and read.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

LOOPBACK = ("127.0.0.1", "::1")
_LONGEST = 10_000  # bytes


class Beacon(NamedTuple):
    """Where the server of a memory listens, and a token that it accepts."""

    host: str
    port: int
    token: str


@contextlib.contextmanager
def announce(memory: str, beacon: Beacon) -> Iterator[None]:
    """Let hooks find a server while it runs; beside another one, or without locks, do nothing."""
    file = _lock_file(_place(memory)) if beacon.host in LOOPBACK else None
    if file is None:
        yield
        return
    try:
        os.ftruncate(file, 0)
        os.write(file, json.dumps(beacon._asdict()).encode())
        yield
    finally:
        with contextlib.suppress(OSError):
            _place(memory).unlink(missing_ok=True)
        os.close(file)


def find(memory: str) -> Beacon | None:
    """The running server of a memory, or None; a file that others can use is not read."""
    try:
        import fcntl

        file = os.open(_place(memory), os.O_RDONLY | os.O_NOFOLLOW)
    except (ImportError, OSError):
        return None
    try:
        found = os.fstat(file)
        if found.st_uid != os.geteuid() or found.st_mode & 0o077:
            return None
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:  # it is alive
        return _parse(os.read(file, _LONGEST))
    except OSError:
        return None
    finally:
        os.close(file)
    return None


def _parse(text: bytes) -> Beacon | None:
    try:
        given = json.loads(text)
        beacon = Beacon(str(given["host"]), int(given["port"]), str(given["token"]))
    except (ValueError, TypeError, KeyError):
        return None
    return beacon if beacon.host in LOOPBACK else None


def _lock_file(path: Path) -> int | None:
    try:
        import fcntl

        path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def _place(memory: str) -> Path:
    from platformdirs import user_data_path

    name = memory if "://" in memory else os.path.realpath(memory)
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return user_data_path("ricordo", appauthor=False) / "servers" / f"{digest}.json"
