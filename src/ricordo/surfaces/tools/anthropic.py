"""Toolset `anthropic`: the memory tool that Anthropic's models are trained on, for any runtime."""

from typing import Annotated, Literal

from ricordo.errors import RicordoError
from ricordo.surfaces.anthropic.paths import MemoryRefused
from ricordo.surfaces.anthropic.tree import MemoryTree
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import Annotations, Bound, ToolFailure, Toolset

ANTHROPIC = Toolset("anthropic", "Anthropic's memory tool: files under /memories")


@ANTHROPIC.tool(
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/seat.md", "file_text": "Prefers window seats\n"},
    {"command": "delete", "path": "/memories/seat.md"},
    hints=Annotations(destructive=True),
    errors=("a path that does not exist", "a path outside /memories", "a missing text"),
    builtin="memory_20250818",
)
def memory(
    bound: Bound,
    command: Literal["view", "create", "str_replace", "insert", "delete", "rename"],
    path: str | None = None,
    view_range: Annotated[
        list[int] | None, About("first and last line; -1 is the end", shortest=2, longest=2)
    ] = None,
    file_text: str | None = None,
    old_str: str | None = None,
    new_str: str | None = None,
    insert_line: int | None = None,
    insert_text: str | None = None,
    old_path: str | None = None,
    new_path: str | None = None,
) -> str:
    """Read and write files under /memories that outlive the conversation."""
    given = {
        "path": path,
        "view_range": view_range,
        "file_text": file_text,
        "old_str": old_str,
        "new_str": new_str,
        "insert_line": insert_line,
        "insert_text": insert_text,
        "old_path": old_path,
        "new_path": new_path,
    }
    try:
        return MemoryTree(bound.space).run(command, given)
    except MemoryRefused as refused:
        if isinstance(refused.__cause__, RicordoError):  # the memory failed, not the request
            raise refused.__cause__ from None
        raise ToolFailure(str(refused)) from None
