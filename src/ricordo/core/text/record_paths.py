"""Paths of records: names in a row, as one text that sorts and begins as the row does. Pure.

Each name is followed by a sign that names hold only escaped, so that the paths below a path are
exactly those texts that begin with its text.
"""

from collections.abc import Iterable
from functools import lru_cache

from ricordo.core.text.content import clean
from ricordo.errors import InvalidInput, shorten

LONGEST_NAME = 1_024  # characters of a key, and of each name of a path
MOST_BYTES = 2_400  # of path and key together: what the index of every backend can hold
END, _ESCAPE = "\x1f", "\x1e"
_ESCAPED = {_ESCAPE: _ESCAPE + "1", END: _ESCAPE + "2"}

Path = tuple[str, ...]


def check_path(given: object, what: str = "path") -> Path:
    """The names of a path, or InvalidInput; a single text is a path of one name."""
    if isinstance(given, str):
        return (clean(given, what, limit=LONGEST_NAME),)
    if not isinstance(given, list | tuple):
        raise InvalidInput(f"{what} is {shorten(given)}; give a text, or names from the top down")
    return tuple([clean(name, what, limit=LONGEST_NAME) for name in given])


def check_key(given: object) -> Path:
    """A key with the path in front of it, or InvalidInput: a text, or (*path, key)."""
    found = check_path(given, "key")
    if not found:
        raise InvalidInput("key is empty; give a text, or a path with a key at its end")
    return found


def check_size(path: str, key: str) -> None:
    """Refuse an address that an index cannot hold."""
    if len(path) + len(key) <= MOST_BYTES // 4:
        return
    size = len(path.encode()) + len(key.encode())
    if size > MOST_BYTES:
        raise InvalidInput(
            f"path and key take {size:,} bytes together, the limit is {MOST_BYTES:,}; shorten them"
        )


@lru_cache(1_024)
def encode_path(path: Path) -> str:
    """A path as the text under which it is kept; the top is ''."""
    return "".join([_escape(name) + END for name in path])


@lru_cache(1_024)
def decode_path(text: str) -> Path:
    """The path of such a text."""
    return tuple(_read_name(name) for name in text.split(END)[:-1])


def cut_paths(paths: Iterable[Path], depth: int | None) -> list[Path]:
    """Each path once, with `depth` names of it at most, in order."""
    return sorted({path if depth is None else path[:depth] for path in paths})


def _escape(name: str) -> str:
    if END not in name and _ESCAPE not in name:
        return name
    return "".join([_ESCAPED.get(sign, sign) for sign in name])


def _read_name(name: str) -> str:
    return name.replace(_ESCAPED[END], END).replace(_ESCAPED[_ESCAPE], _ESCAPE)
