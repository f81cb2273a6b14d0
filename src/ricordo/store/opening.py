"""Opening: which driver a path or URL belongs to."""

from collections.abc import Callable
from pathlib import Path

from ricordo.errors import InvalidInput, Unavailable
from ricordo.model import KeyGiven
from ricordo.store.database import Database
from ricordo.store.sqlite.cipher import is_new_or_encrypted
from ricordo.store.sqlite.driver import SQLite
from ricordo.store.sqlite.key_sources import find_secret

# Our own backends by the scheme of their URL; others are entry points.
_OWN = {
    "postgresql": "postgres",
    "postgres": "postgres",
    "libsql": "libsql",
    "http": "libsql",
    "https": "libsql",
}
_FILES = ("sqlite", "sqlite3", "file")  # schemes that other programs use for files


def open_database(
    given: str | Path,
    read_only: bool,
    durability: str,
    *,
    key: KeyGiven | None = None,
    key_file: str = "",
) -> Database:
    """The database at a path or URL; nothing is created yet. Keys are for files alone."""
    if not isinstance(given, str | Path):
        raise InvalidInput(f"path {given!r} is not valid; give a file path, ':memory:' or a URL")
    path = str(given)
    scheme, separator, _ = path.partition("://")
    if key is not None and (separator or path == ":memory:"):
        what = "a server" if separator else "in RAM"
        raise InvalidInput(f"this memory is {what}, and only files are encrypted; leave out key")
    if not separator:
        secret = None if path == ":memory:" else find_secret(path, key, key_file)
        return SQLite(path, read_only=read_only, durability=durability, secret=secret)
    if scheme.lower() in _FILES:
        raise InvalidInput(f"{path!r} is a URL; open a file by its path, such as 'agent.db'")
    return _find_driver(scheme)(path, read_only=read_only, durability=durability)


def open_copy(own: Database, target: str | Path, durability: str, key_file: str) -> Database:
    """Where to copy a memory: a new file has the key of the old, so that no word of it is plain."""
    if isinstance(own, SQLite) and own.secret is not None and is_new_or_encrypted(target):
        return SQLite(str(target), durability=durability, secret=own.secret)
    return open_database(target, False, durability, key_file=key_file)


def _find_driver(scheme: str) -> Callable[..., Database]:
    """The driver for URLs of a scheme. Only URLs pay for the search."""
    if _OWN.get(scheme) == "postgres":
        from ricordo.store.postgres.driver import Postgres

        return Postgres
    if _OWN.get(scheme) == "libsql":
        from ricordo.store.libsql.driver import LibSQL

        return LibSQL
    from importlib.metadata import entry_points

    found = {point.name: point for point in entry_points(group="ricordo.backends")}
    if scheme not in found:
        known = ", ".join(sorted({*found, *_OWN} - {*_FILES}))
        raise Unavailable(f"no backend for {scheme}:// is installed; use one of {known}")
    backend: Callable[..., Database] = found[scheme].load()
    return backend
