"""Opening: which driver a path or URL belongs to."""

from collections.abc import Callable
from pathlib import Path

from ricordo.errors import InvalidInput, Unavailable
from ricordo.store.database import Database
from ricordo.store.sqlite.driver import SQLite

# Our own backends by the scheme of their URL; others are entry points.
_OWN = {
    "postgresql": "postgres",
    "postgres": "postgres",
    "libsql": "libsql",
    "http": "libsql",
    "https": "libsql",
}
_FILES = ("sqlite", "sqlite3", "file")  # schemes that other programs use for files


def open_database(given: str | Path, read_only: bool, durability: str) -> Database:
    """The database at a path or URL; nothing is created yet."""
    if not isinstance(given, str | Path):
        raise InvalidInput(f"path {given!r} is not valid; give a file path, ':memory:' or a URL")
    path = str(given)
    scheme, separator, _ = path.partition("://")
    if not separator:
        return SQLite(path, read_only=read_only, durability=durability)
    if scheme.lower() in _FILES:
        raise InvalidInput(f"{path!r} is a URL; open a file by its path, such as 'agent.db'")
    return _find_driver(scheme)(path, read_only=read_only, durability=durability)


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
