"""Files of a server that only their owner can read: replaced in one step, changed one at a time."""

import contextlib
import json
import os
import secrets
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

NOTE_EVERY = timedelta(minutes=1)
_MOST_USES = 10_000  # digests in the file; far more than anybody has tokens


def replace_file(path: Path, text: str, *, is_durable: bool = True) -> None:
    """Replace a file in one step; others can never read it, not even for a moment."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        if is_durable:
            os.fsync(stream.fileno())
    beside.replace(path)


@contextlib.contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Let one thread or process at a time change the files of a folder; the lock ends with its
    holder. Windows has no such lock."""
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


class LastUses:
    """When each token was used last, by its digest, in a file. A hint: failures do not count."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._noted: dict[str, datetime] = {}

    def note(self, digest: str, now: datetime) -> None:
        """Note a use; most calls only look at a clock."""
        with self._lock:
            before = self._noted.get(digest)
            if before is not None and abs(now - before) < NOTE_EVERY:
                return
            self._noted[digest] = now
            known = self.read()
            known[digest] = now.astimezone(UTC).isoformat(timespec="minutes")
            newest = sorted(known.items(), key=lambda item: item[1])[-_MOST_USES:]
            with contextlib.suppress(OSError):  # a folder that cannot be written to
                replace_file(self._path, json.dumps(dict(newest)) + "\n", is_durable=False)

    def read(self) -> dict[str, str]:
        """The last uses; none if there is no such file or it cannot be read."""
        try:
            found = json.loads(self._path.read_bytes())
            return {str(key): str(value) for key, value in found.items()}
        except (OSError, ValueError, AttributeError):
            return {}
