"""A PgBouncer in transaction mode in front of the PostgreSQL of the tests, where one is found.

`PGBOUNCER=path` names the program. It has to be 1.21 or newer, since older ones know nothing of
prepared statements in transaction mode. It serves four sessions to whoever asks.
"""

import atexit
import contextlib
import functools
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

from postgres_server import ORDINARY, _as_user, folder, fresh_schema, shared

SESSIONS = 4
_OLDEST = (1, 21)
_SOON_SECONDS = 30.0


def why_not() -> str | None:
    """Why there can be no pooler here, or None."""
    program = _program()
    if program is None:
        return "there is no pgbouncer here; install 1.21 or newer, or name one in PGBOUNCER"
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"PgBouncer (\d+)\.(\d+)", told.stdout)
    if found is None or (int(found[1]), int(found[2])) < _OLDEST:
        return f"{told.stdout.splitlines()[0]} is too old: prepared statements need 1.21"
    return None


def _program() -> str | None:
    return os.environ.get("PGBOUNCER") or shutil.which("pgbouncer", path=_places())


def _places() -> str:
    return os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))


class Pooler:
    """PgBouncer on a socket in a folder of its own."""

    def __init__(self, place: Path) -> None:
        self.folder = place
        self._settings = place / "pgbouncer.ini"
        self._settings.write_text(
            "[databases]\n"
            f"{ORDINARY} = host={shared().folder} user={ORDINARY}\n"
            "[pgbouncer]\n"
            "pool_mode = transaction\n"
            f"unix_socket_dir = {place}\n"
            "listen_addr =\nauth_type = any\n"
            f"default_pool_size = {SESSIONS}\n"
            "max_client_conn = 200\nmax_prepared_statements = 500\nquery_wait_timeout = 20\n"
            f"logfile = {place / 'log'}\npidfile = {place / 'pid'}\n"
        )
        self._process = subprocess.Popen(
            [_program(), "-q", str(self._settings)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **_as_user(),
        )
        self._wait()

    def url(self) -> str:
        """A memory that nobody has written to yet, through the pooler; hints come directly."""
        where = quote(str(self.folder))
        return (
            f"postgresql://{ORDINARY}@/{ORDINARY}?host={where}&port=6432&schema={fresh_schema()}"
            f"&listen={quote(shared().dsn(), safe='')}"
        )

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + _SOON_SECONDS
        while True:
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as way:
                way.connect(str(self.folder / ".s.PGSQL.6432"))
                return
            assert self._process.poll() is None, "pgbouncer ended at once"
            assert time.monotonic() < deadline, "pgbouncer does not answer"


@functools.cache
def pooler() -> Pooler:
    """The pooler that all tests of this process share."""
    stack = contextlib.ExitStack()
    found = Pooler(stack.enter_context(folder()))
    stack.callback(found.kill)
    atexit.register(stack.close)
    return found
