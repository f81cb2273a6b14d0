"""The files of a space's workspace: read, written, and put in front of a model."""

from ricordo.core.text import content as texts
from ricordo.core.text import quotation
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine
from ricordo.flows.files.folder import files_of
from ricordo.workspace.files import Files, fold

NOTES = "notes"
MEMORY, DIARY = "MEMORY.md", "DREAMS.md"
FILE_LIMIT = 12_000  # characters of one file in a context
ALL_LIMIT = 60_000  # of all files
CUT = "[truncated]"
_SHOWN = (".md", ".txt")


def paths(engine: Engine, space: str) -> list[str]:
    """The paths of all files; none if there is no workspace."""
    files = files_of(engine, space)
    return [] if files is None else files.list()


def read(engine: Engine, space: str, path: str) -> str | None:
    """The text of a file, or None."""
    return _files(engine, space).read(_check_visible(path))


def write(engine: Engine, space: str, path: str, text: str) -> None:
    """Write a whole file, except a note: its text counts as written by a person."""
    if fold(_check_visible(path)).startswith(f"{NOTES}/"):
        raise InvalidInput(f"path {path!r} is a note; use remember or write, then sync")
    body = texts.clean(text, "text", limit=engine.settings.max_text)
    _files(engine, space).write(_check_visible(path), body)


def prompt_files(engine: Engine, space: str) -> str:
    """The files that every run of an agent reads, under their names and within the limits."""
    found = list_prompt_files(engine, space)
    return "\n\n".join(f"## {quotation.label(path)}\n\n{body}" for path, body in found)


def quote_files(engine: Engine, space: str, budget: int) -> list[str]:
    """The same as passages of a context: quoted data, and about a quarter of it at most."""
    found = list_prompt_files(engine, space, min(ALL_LIMIT, budget))
    return [quotation.quote_file(path, body) for path, body in found]


def list_prompt_files(engine: Engine, space: str, limit: int = ALL_LIMIT) -> list[tuple[str, str]]:
    """MEMORY.md, then the other texts at the top of the folder but the diary, cut to size."""
    files = files_of(engine, space)
    if files is None:
        return []
    top = [path for path in files.scan(is_deep=False).files if path.lower().endswith(_SHOWN)]
    found: list[tuple[str, str]] = []
    left = limit  # a token is four characters or so
    for path in sorted(top, key=lambda path: (path != MEMORY, path)):
        body = "" if path == DIARY or left <= 0 else _text(files, path)
        if body.strip():
            cut = clip(body, min(FILE_LIMIT, left))
            left -= len(cut)
            found.append((path, cut))
    return found


def clip(body: str, limit: int) -> str:
    """The beginning of a text; that it was cut is said, and counts."""
    if len(body) <= limit:
        return body
    return f"{body[: max(limit - len(CUT) - 1, 0)]}\n{CUT}"


def _text(files: Files, path: str) -> str:
    """The text of a file, empty if it is not one: nobody asked for this file by name."""
    try:
        return files.read(path) or ""
    except InvalidInput:
        return ""


def _check_visible(path: str) -> str:
    """Hidden files are git's and ours."""
    if not isinstance(path, str):
        raise InvalidInput(
            f"path is {type(path).__name__}, not text; give a path inside the workspace"
        )
    if any(part.startswith(".") for part in path.split("/")):
        raise InvalidInput(f"path {path!r} is hidden or leads upward; choose another")
    return path


def _files(engine: Engine, space: str) -> Files:
    files = files_of(engine, space)
    if files is None:
        raise InvalidInput("this memory has no workspace; set workspace to a folder")
    return files
