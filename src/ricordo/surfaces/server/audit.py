"""The audit log: which token wrote or forgot what, when, over HTTP or MCP.

It holds names and ids, never texts. It is two files of bounded size beside the tokens: when the one
that is written is full, it takes the place of the older one. Erasing a space or an entry erases its
rows. It knows nothing of memories.
"""

import contextlib
import json
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from ricordo.model import Json
from ricordo.surfaces.quiet_log import Gate
from ricordo.surfaces.server.private_file import hold_folder, replace_file

MOST_BYTES = 4 * 1024 * 1024  # of each of the two files
LONGEST = 80  # characters of a name
_NAMES = ("name", "key", "id", "uid", "seq", "path", "uri", "forgot", "archive", "schedule_id",
          "note_id", "target")  # fmt: skip
_MOST_NAMES = 3
_log = logging.getLogger("ricordo.http")


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One write: who did what to which thing of which space."""

    at: str
    token: str
    space: str
    action: str
    target: str
    request: str = ""  # the id of the request, as in the server's log


class AuditLog:
    """The rows of one server or of several that share their tokens."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._older = path.with_name(f"{path.name}.1")
        self._gate = Gate()

    def note(self, token: str, space: str, action: str, target: str, request: str = "") -> None:
        """Add a row. The write itself went well, so a full disk goes to the server's log."""
        try:
            self._add(token, space, action, target, request)
        except OSError as error:
            held_back = self._gate.admit("audit")
            if held_back is not None:
                _log.warning("the audit log cannot be written: %s (%s more)", error, held_back)

    def _add(self, token: str, space: str, action: str, target: str, request: str) -> None:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        line = json.dumps(asdict(AuditRow(at, token, space, action, target, request))) + "\n"
        with hold_folder(self.path.parent):
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(file, line.encode())
                is_full = os.fstat(file).st_size >= MOST_BYTES
            finally:
                os.close(file)
            if is_full:
                self.path.replace(self._older)

    def read(self, *, space: str | None = None, token: str | None = None) -> Iterator[AuditRow]:
        """The rows, newest first."""
        for path in (self.path, self._older):
            for row in reversed(_rows(path)):
                if space in (None, row.space) and token in (None, row.token):
                    yield row

    def erase(self, space: str | None = None, name: str | None = None) -> int:
        """Delete all rows, those of a space, or those of it that name a thing; how many."""

        def is_meant(row: AuditRow) -> bool:
            names = row.target.split(", ")
            return space in (None, row.space) and (name is None or cut_name(name) in names)

        if not self.path.exists() and not self._older.exists():
            return 0
        with hold_folder(self.path.parent):
            return sum(_drop(path, is_meant) for path in (self.path, self._older))


def describe_target(path: Mapping[str, str], *said: Json) -> str:
    """What a request changed: names and ids of its path, its arguments and its answer."""
    found = [value for key, value in path.items() if key not in ("space", "tool")]
    for each in said:
        inner = each.get("result", each) if isinstance(each, dict) else None
        if isinstance(inner, dict):
            found += [inner[name] for name in _NAMES if isinstance(inner.get(name), str | int)]
    names = dict.fromkeys(cut_name(str(each)) for each in found)
    return ", ".join(list(names)[:_MOST_NAMES])


def cut_name(name: str) -> str:
    """A name as it stands in a row."""
    return " ".join(name.split()).replace(", ", ",")[:LONGEST]


def _rows(path: Path) -> list[AuditRow]:
    """The rows of a file; a line that was cut by a full disk is left out."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    found = []
    for line in lines:
        with contextlib.suppress(ValueError, TypeError):
            found.append(AuditRow(**json.loads(line)))
    return found


def _drop(path: Path, is_meant: Callable[[AuditRow], bool]) -> int:
    rows = _rows(path)
    kept = [row for row in rows if not is_meant(row)]
    if len(kept) < len(rows):
        replace_file(path, "".join(json.dumps(asdict(row)) + "\n" for row in kept))
    return len(rows) - len(kept)
