"""Anthropic's memory tool as classes for the `anthropic` SDK; the commands are in anthropic_memory.

Importing this module needs the extra: pip install "ricordo[anthropic]".
"""

import asyncio
from typing import TYPE_CHECKING

from ricordo.errors import Unavailable
from ricordo.surfaces.anthropic.paths import MemoryRefused
from ricordo.surfaces.anthropic.tree import FIELDS, MOST_BYTES, MemoryTree
from ricordo.surfaces.awaitable import sync_space_of

try:
    from anthropic.lib.tools import ToolError
    from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
except ImportError as error:
    raise Unavailable(
        'the memory tool for the Anthropic SDK needs it: pip install "ricordo[anthropic]"'
    ) from error

if TYPE_CHECKING:
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    from ricordo import aio
    from ricordo.handles.memory import Space

__all__ = ["AsyncRicordoMemoryTool", "RicordoMemoryTool"]


class RicordoMemoryTool(BetaAbstractMemoryTool):
    """The files under /memories are notes of the space, so recall also finds them."""

    def __init__(
        self,
        space: "Space",
        *,
        max_bytes: int | None = MOST_BYTES,
        cache_control: "BetaCacheControlEphemeralParam | None" = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tree = MemoryTree(space, max_bytes=max_bytes)

    def view(self, command: "BetaMemoryTool20250818ViewCommand") -> str:
        """A file with line numbers, or what lies in a directory."""
        return _run(self._tree, "view", command)

    def create(self, command: "BetaMemoryTool20250818CreateCommand") -> str:
        """A new file."""
        return _run(self._tree, "create", command)

    def str_replace(self, command: "BetaMemoryTool20250818StrReplaceCommand") -> str:
        """Replace a text that occurs once."""
        return _run(self._tree, "str_replace", command)

    def insert(self, command: "BetaMemoryTool20250818InsertCommand") -> str:
        """Put a text after a line."""
        return _run(self._tree, "insert", command)

    def delete(self, command: "BetaMemoryTool20250818DeleteCommand") -> str:
        """Forget a file or a directory."""
        return _run(self._tree, "delete", command)

    def rename(self, command: "BetaMemoryTool20250818RenameCommand") -> str:
        """Give a file or a directory another path."""
        return _run(self._tree, "rename", command)

    def clear_all_memory(self) -> str:
        """Forget every file."""
        return self._tree.clear()


class AsyncRicordoMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for the async client; the work is done on another thread.

    Takes a space of `ricordo.open` or of `ricordo.aio`.
    """

    def __init__(
        self,
        space: "Space | aio.Space",
        *,
        max_bytes: int | None = MOST_BYTES,
        cache_control: "BetaCacheControlEphemeralParam | None" = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tree = MemoryTree(sync_space_of(space), max_bytes=max_bytes)

    async def view(self, command: "BetaMemoryTool20250818ViewCommand") -> str:
        """A file with line numbers, or what lies in a directory."""
        return await asyncio.to_thread(_run, self._tree, "view", command)

    async def create(self, command: "BetaMemoryTool20250818CreateCommand") -> str:
        """A new file."""
        return await asyncio.to_thread(_run, self._tree, "create", command)

    async def str_replace(self, command: "BetaMemoryTool20250818StrReplaceCommand") -> str:
        """Replace a text that occurs once."""
        return await asyncio.to_thread(_run, self._tree, "str_replace", command)

    async def insert(self, command: "BetaMemoryTool20250818InsertCommand") -> str:
        """Put a text after a line."""
        return await asyncio.to_thread(_run, self._tree, "insert", command)

    async def delete(self, command: "BetaMemoryTool20250818DeleteCommand") -> str:
        """Forget a file or a directory."""
        return await asyncio.to_thread(_run, self._tree, "delete", command)

    async def rename(self, command: "BetaMemoryTool20250818RenameCommand") -> str:
        """Give a file or a directory another path."""
        return await asyncio.to_thread(_run, self._tree, "rename", command)

    async def clear_all_memory(self) -> str:
        """Forget every file."""
        return await asyncio.to_thread(self._tree.clear)


def _run(tree: MemoryTree, name: str, command: object) -> str:
    """Run a command; the SDK does not check its fields, so any may be missing."""
    try:
        return tree.run(name, {field: getattr(command, field, None) for field in FIELDS})
    except MemoryRefused as refused:
        raise ToolError(str(refused)) from None
