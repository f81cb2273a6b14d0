"""Anthropic's memory tool (memory_20250818) over a space: six commands on a tree under /memories.

The tree is virtual: a file is a note whose name is its path, a directory is what paths have in
common. So recall finds the files, and forgetting a note removes one. Result strings and errors are
word for word those of Anthropic's own file system tool; nothing here needs its SDK.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ricordo.errors import Conflict, InvalidInput, NameTaken, NotFound, RicordoError
from ricordo.model import Entry
from ricordo.surfaces.anthropic.paths import ROOT, MemoryRefused, Path, parse_path
from ricordo.surfaces.awaitable import refuse_awaitable

if TYPE_CHECKING:
    from ricordo.handles.memory import Space

__all__ = ["FIELDS", "MOST_BYTES", "ROOT", "MemoryRefused", "MemoryTree", "parse_path"]

CATEGORY = "memories"
MOST_LINES = 999_999
MOST_BYTES = 102_400  # of a file
_WIDTH = len(str(MOST_LINES))
_DIRECTORY = "4K"  # the size shown for a directory
_BLANK = "blank"  # metadata with the text of a file that has nothing to recall
_STAND_IN = "(empty file)"
_PAGE = 500


_REQUIRED: dict[str, dict[str, type]] = {
    "view": {"path": str},
    "create": {"path": str, "file_text": str},
    "str_replace": {"path": str, "old_str": str, "new_str": str},
    "insert": {"path": str, "insert_line": int, "insert_text": str},
    "delete": {"path": str},
    "rename": {"old_path": str, "new_path": str},
}
FIELDS = (
    "path",
    "view_range",
    "file_text",
    "old_str",
    "new_str",
    "insert_line",
    "insert_text",
    "old_path",
    "new_path",
)

_LATER = "The memory cannot do this now. Please try again later."


class MemoryTree:
    """The six commands. Without `max_bytes`, a file may be as large as an entry."""

    def __init__(self, space: "Space", *, max_bytes: int | None = MOST_BYTES) -> None:
        refuse_awaitable(space, "open the memory with ricordo.open, or use the async tool")
        self.space = space
        self.max_bytes = max_bytes

    def run(self, command: str, given: Mapping[str, object]) -> str:
        """Run one command; its fields come from a model and may be anything."""
        if command not in _REQUIRED:
            raise MemoryRefused(f"Unknown command: {command}; use {', '.join(_REQUIRED)}")
        wanted = _check_fields(command, given)
        commands: dict[str, Callable[..., str]] = {
            "view": self.view,
            "create": self.create,
            "str_replace": self.str_replace,
            "insert": self.insert,
            "delete": self.delete,
            "rename": self.rename,
        }
        try:
            return commands[command](**wanted)
        except (InvalidInput, Conflict) as error:
            raise MemoryRefused(str(error)) from None
        except RicordoError as error:
            raise MemoryRefused(_LATER) from error

    def view(self, path: str, view_range: list[int] | None = None) -> str:
        """A file with line numbers, or what lies in a directory."""
        at = parse_path(path)
        entry = None if at.is_root else self._file(at.real)
        if entry is not None:
            return _number_lines(at.given, _text(entry), view_range)
        inside = list(self._under(at.real))
        if not inside and not at.is_root:
            raise _refuse_missing(at)
        return _list_directory(at, inside)

    def create(self, path: str, file_text: str) -> str:
        """A new file."""
        at = parse_path(path)
        if at.is_root or self._is_directory(at.real):
            raise MemoryRefused(f"File {path} already exists")
        self._refuse_file_above(at)
        try:
            self._write(at, file_text, is_new=True)
        except NameTaken:
            raise MemoryRefused(f"File {path} already exists") from None
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        """Replace a text that occurs once."""
        at = parse_path(path)
        text = self._read(at)
        places = list(_places(text, old_str))
        if not places:
            raise MemoryRefused(
                f"No replacement was performed, old_str `{old_str}` did not appear verbatim in "
                f"{path}."
            )
        if text.count(old_str) > 1:
            lines = ", ".join(str(text.count("\n", 0, place) + 1) for place in places)
            raise MemoryRefused(
                f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in "
                f"lines: {lines}. Please ensure it is unique"
            )
        changed = text[: places[0]] + new_str + text[places[0] + len(old_str) :]
        self._write(at, changed)
        return (
            "The memory file has been edited. Here is the snippet showing the change (with line "
            f"numbers):\n{_snippet(changed, text.count(chr(10), 0, places[0]))}"
        )

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Put a text after a line; 0 is the beginning."""
        at = parse_path(path)
        lines = self._read(at).split("\n")
        if lines[-1] == "":
            lines.pop()  # the rest after a final newline is not a line
        if not 0 <= insert_line <= len(lines):
            raise MemoryRefused(
                f"Invalid `insert_line` parameter: {insert_line}. It should be within the range "
                f"[0, {len(lines)}]."
            )
        lines.insert(insert_line, insert_text.rstrip("\n"))
        changed = "\n".join(lines)
        self._write(at, changed if changed.endswith("\n") else f"{changed}\n")
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Forget a file, or a directory with everything in it."""
        at = parse_path(path)
        if at.is_root:
            raise MemoryRefused("Cannot delete the /memories directory itself")
        going = self._list_affected(at)
        for entry in going:
            self._forget(entry)
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Give a file or a directory another path; its history goes with it."""
        old, new = parse_path(old_path), parse_path(new_path)
        if old.is_root:
            raise MemoryRefused("Cannot rename the /memories directory itself")
        if new.is_root or self._file(new.real) is not None or self._is_directory(new.real):
            raise MemoryRefused(f"The destination {new_path} already exists")
        moving = self._list_affected(old)
        if new.real.startswith(f"{old.real}/"):
            raise MemoryRefused(f"Cannot rename {old_path} into itself; choose a path outside it")
        self._refuse_file_above(new)
        try:
            for entry in moving:
                self.space.rename(entry.uid, new.real + entry.name.removeprefix(old.real))
        except NameTaken:
            raise MemoryRefused(f"The destination {new_path} already exists") from None
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> str:
        """Forget every file."""
        for entry in list(self._under(ROOT)):
            self._forget(entry)
        return "All memory cleared"

    # the tree

    def _file(self, real: str) -> Entry | None:
        entry = self.space.get(real)
        return entry if entry is not None and entry.name == real and _is_file(entry) else None

    def _under(self, real: str) -> Iterator[Entry]:
        """Every file below a directory, page by page."""
        after: int | None = None
        while True:
            page = self.space.entries(kind="note", prefix=f"{real}/", limit=_PAGE, after=after)
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1].id

    def _is_directory(self, real: str) -> bool:
        return bool(self.space.entries(kind="note", prefix=f"{real}/", limit=1))

    def _list_affected(self, at: Path) -> list[Entry]:
        entry = self._file(at.real)
        found = [entry] if entry is not None else list(self._under(at.real))
        if not found:
            raise MemoryRefused(f"The path {at.given} does not exist")
        return found

    def _refuse_file_above(self, at: Path) -> None:
        above = at.real.rpartition("/")[0]
        while above != ROOT:
            if self._file(above) is not None:
                raise MemoryRefused(f"{above} is a file; choose a path that is not inside it")
            above = above.rpartition("/")[0]

    def _read(self, at: Path) -> str:
        entry = None if at.is_root else self._file(at.real)
        if entry is not None:
            return _text(entry)
        if at.is_root or self._is_directory(at.real):
            raise MemoryRefused(f"The path {at.given} is not a file.")
        raise _refuse_missing(at)

    def _write(self, at: Path, text: str, *, is_new: bool = False) -> None:
        size = len(text.encode("utf-8", "surrogatepass"))
        if self.max_bytes is not None and size > self.max_bytes:
            raise MemoryRefused(
                f"File {at.given} would have {size:,} bytes, the limit is {self.max_bytes:,}; "
                "split it into several files"
            )
        is_blank = not text.strip()
        self.space.remember(
            _STAND_IN if is_blank else text,
            at.real,
            category=CATEGORY,
            metadata={_BLANK: text} if is_blank else {},
            origin="agent",
            replace=not is_new,
        )

    def _forget(self, entry: Entry) -> None:
        try:
            self.space.forget(entry.uid)
        except NotFound:
            return  # another writer was faster


def _check_fields(command: str, given: Mapping[str, object]) -> dict[str, object]:
    """The fields of a command; None counts as missing."""
    wanted = dict(given)
    if command == "str_replace" and wanted.get("new_str") is None:
        wanted["new_str"] = ""  # left out to delete the text
    for name, kind in _REQUIRED[command].items():
        value = wanted.get(name)
        if value is None:
            raise MemoryRefused(f"{name} is missing; the command {command} needs it")
        if not isinstance(value, kind) or isinstance(value, bool):
            told = "text" if kind is str else "a whole number"
            raise MemoryRefused(f"{name} is {value!r:.60}; give {told}")
    fields = {name: wanted[name] for name in _REQUIRED[command]}
    if command == "view" and wanted.get("view_range") is not None:
        fields["view_range"] = _range(wanted["view_range"])
    return fields


def _range(value: object) -> list[int]:
    if isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value):
        return value
    raise MemoryRefused(f"view_range is {value!r:.60}; give the first and the last line")


def _refuse_missing(at: Path) -> MemoryRefused:
    return MemoryRefused(f"The path {at.given} does not exist. Please provide a valid path.")


def _is_file(entry: Entry) -> bool:
    return entry.kind == "note"


def _text(entry: Entry) -> str:
    blank = entry.metadata.get(_BLANK)
    return blank if isinstance(blank, str) else entry.content


def _places(text: str, part: str) -> Iterator[int]:
    """Where a part begins, overlaps included; an empty part is nowhere."""
    place = text.find(part) if part else -1
    while place >= 0:
        yield place
        place = text.find(part, place + 1)


def _number_lines(given: str, text: str, view_range: list[int] | None) -> str:
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise MemoryRefused(f"File {given} exceeds maximum line limit of 999,999 lines.")
    first, last = 1, len(lines)
    if view_range is not None and len(view_range) == 2:
        first = max(1, view_range[0])
        last = last if view_range[1] == -1 else max(0, view_range[1])
    shown = _lines(lines[first - 1 : last], first)
    return f"Here's the content of {given} with line numbers:\n{shown}"


def _lines(lines: list[str], first: int) -> str:
    numbered = enumerate(lines, first)
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in numbered)


def _snippet(text: str, line: int) -> str:
    """Two lines around the one that changed, counted from 0."""
    lines = text.split("\n")
    first = max(0, line - 2)
    return _lines(lines[first : line + 3], first + 1)


def _list_directory(at: Path, inside: list[Entry]) -> str:
    header = (
        f"Here're the files and directories up to 2 levels deep in {at.given}, "
        "excluding hidden items:"
    )
    shown: dict[str, str] = {}
    for entry in inside:
        segments = entry.name.removeprefix(f"{at.real}/").split("/")
        for depth in range(1, min(len(segments), 3)):
            shown["/".join(segments[:depth]) + "/"] = _DIRECTORY
        if len(segments) <= 2:
            shown["/".join(segments)] = _size(len(_text(entry).encode()))
    rows = [f"{_DIRECTORY}\t{at.real}"]
    for path in sorted(shown, key=lambda path: path.rstrip("/").split("/")):
        if not any(segment.startswith(".") for segment in path.split("/")):
            rows.append(f"{shown[path]}\t{at.real}/{path}")
    return "\n".join([header, *rows])


def _size(count: int) -> str:
    """Bytes as 0B, 10B, 1.5K or 4K."""
    step = min((max(count, 1).bit_length() - 1) // 10, 3)
    size = count / 1024**step
    return f"{size:.0f}{'BKMG'[step]}" if size == int(size) else f"{size:.1f}{'BKMG'[step]}"
