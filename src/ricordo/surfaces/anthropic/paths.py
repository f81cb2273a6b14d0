"""Paths of Anthropic's memory tool: which are valid, and why others are refused. Pure."""

import unicodedata
from typing import NamedTuple

ROOT = "/memories"
LONGEST_PATH = 1_024  # bytes
MOST_CHARACTERS = 500  # of a path: it is the name of an entry
MOST_SEGMENTS = 20
_ODD = ("Cc", "Cf", "Zl", "Zp", "Cs")


class MemoryRefused(Exception):
    """Why a command did nothing, in words for the model."""

    def __init__(self, message: str) -> None:
        # A lone surrogate in a path is quoted in the message, which could not be sent then.
        super().__init__(message.encode("utf-8", "backslashreplace").decode())


class Path(NamedTuple):
    """A path as given, and its normal form."""

    given: str
    real: str

    @property
    def is_root(self) -> bool:
        return self.real == ROOT


def parse_path(path: str) -> Path:
    """The parsed path, or MemoryRefused."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise MemoryRefused(f"Path must start with /memories, got: {path}")
    rest = path[len(ROOT) :].strip("/")
    segments = rest.split("/") if rest else []
    if any(segment in (".", "..") for segment in segments):
        return Path(path, _resolve_dots(path, segments))
    _check(path, segments)
    return Path(path, "/".join([ROOT, *segments]))


def _resolve_dots(path: str, segments: list[str]) -> str:
    """Refuse segments of dots: they lead out of the tree or are not in normal form."""
    left: list[str] = []
    for segment in segments:
        if segment == ".." and not left:
            raise MemoryRefused(f"Path {path} would escape /memories directory")
        if segment == "..":
            left.pop()
        elif segment != ".":
            left.append(segment)
    if left:
        raise MemoryRefused(f"Path {path} has a segment of dots; write /memories/{'/'.join(left)}")
    return ROOT


def _check(path: str, segments: list[str]) -> None:
    if len(segments) > MOST_SEGMENTS:
        raise MemoryRefused(f"Path {path} has {len(segments)} segments, at most {MOST_SEGMENTS}")
    if "" in segments:
        raise MemoryRefused(f"Path {path} has an empty segment; write single slashes")
    if any(unicodedata.category(mark) in _ODD for mark in path):
        raise MemoryRefused("Path holds a control or format character; use visible ones")
    if not unicodedata.is_normalized("NFC", path):
        raise MemoryRefused(f"Path {path} is not in Unicode form NFC; normalize it")
    if len(path.encode()) > LONGEST_PATH or len(path) > MOST_CHARACTERS:
        raise MemoryRefused(
            f"Path is longer than {MOST_CHARACTERS} characters or {LONGEST_PATH:,} bytes; "
            "choose a shorter one"
        )
