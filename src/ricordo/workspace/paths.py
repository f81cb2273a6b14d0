"""Paths of a workspace: which are allowed, which are one and the same, which folder a space has.

Only text is looked at here. What lies at a path is the business of `files`.
"""

import re
import unicodedata
from hashlib import sha256
from pathlib import Path

from ricordo.errors import InvalidInput

DEEPEST = 20  # parts of a path
LONGEST = 1_024  # bytes of a path
LONGEST_PART = 240  # bytes of a part; file systems take 255, and a name aside needs a few

_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
_OTHER = re.compile(r"[^a-z0-9_-]+")
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control, format, surrogates, line and paragraph ends
_RESERVED = frozenset('\\:*?"<>|')  # mean something on some file system
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"]
)
_GIT = frozenset([".git", "git~1"])


def parts(path: object) -> list[str]:
    """The parts of a path inside the workspace, or InvalidInput saying why it is none."""
    if not isinstance(path, str):
        raise InvalidInput(f"path {path!r} is not text; give a path such as 'notes/seat.md'")
    found = path.split("/")
    reason = _size_reason(path, found) or next(filter(None, map(part_reason, found)), None)
    if reason is not None:
        raise InvalidInput(f"path {path!r} {reason}; give a path such as 'notes/seat.md'")
    return found


def _size_reason(path: str, found: list[str]) -> str | None:
    if path.startswith("/"):
        return "is absolute"
    if len(found) > DEEPEST:
        return f"has {len(found)} parts, the limit is {DEEPEST}"
    if len(path.encode(errors="replace")) > LONGEST:
        return f"is longer than {LONGEST:,} bytes"
    return None


def part_reason(part: str) -> str | None:
    """Why a file or folder may not have this name; None if it may."""
    if part in ("", ".", ".."):
        return "has an empty part, '.' or '..'"
    if any(unicodedata.category(character) in _UNSEEN for character in part):
        return "holds characters that cannot be seen"
    if not _RESERVED.isdisjoint(part):
        return 'holds one of \\ : * ? " < > |'
    if part != unicodedata.normalize("NFC", part):
        return "is not in Unicode's composed form (NFC)"
    if part[-1] in ". " or part[0] == " ":
        return "has a part that begins with a blank, or ends with a blank or a dot"
    if len(part.encode()) > LONGEST_PART:
        return f"has a part longer than {LONGEST_PART} bytes"
    return _reserved_reason(part)


def _reserved_reason(part: str) -> str | None:
    folded = fold(part)
    if folded.split(".")[0].rstrip(" ") in _DEVICES:
        return "names a device"
    if folded in _GIT:
        return "leads into git's own folder"
    return None


def fold(path: str) -> str:
    """What two paths have in common if some file system takes them for one."""
    folded = unicodedata.normalize("NFKC", path).casefold()
    return unicodedata.normalize("NFKC", folded)


def folder_of(base: Path, space_name: str) -> Path:
    """The folder of a space: one of its own, whatever its name, and always right below `base`.

    A plain name is kept as it is. Any other is made readable and gets a digest of the real one.
    """
    if _PLAIN.fullmatch(space_name) and part_reason(space_name) is None:
        return base / space_name
    readable = _OTHER.sub("-", fold(space_name)).strip("-_")[:40].strip("-_")
    digest = sha256(space_name.encode()).hexdigest()[:32]
    return base / f"{readable or 'space'}~{digest}"
