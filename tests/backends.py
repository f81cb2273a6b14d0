"""Servers that tests of any tier may ask for: a factory of URLs of empty memories, by backend."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BACKENDS = ("postgresql", "libsql")


@contextmanager
def urls(backend: str, folder: Path) -> Iterator[Callable[[], str]]:
    """Where memories of this backend may be made; skips, with the reason, where there is none."""
    sys.path.append(str(Path(__file__).parent / "store"))
    if backend == "postgresql":
        from postgres_server import shared

        yield shared().url
        return
    from sqld_server import Server, why_not

    if (reason := why_not()) is not None:
        pytest.skip(reason)
    server = Server(folder)
    try:
        yield server.url
    finally:
        server.kill()
