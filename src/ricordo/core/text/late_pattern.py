"""Regular expressions that are compiled when they are first used, not when a module is imported.

A process that asks one question needs few of them, and compiling all takes longer than the answer.
"""

import re
from typing import TYPE_CHECKING, Any


class LatePattern:
    """Stands for a pattern. What is asked of it is kept, so each method is looked up once."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:  # Any: what a pattern has, its methods above all
        value = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    compile_late = re.compile
else:

    def compile_late(pattern, flags=0):
        """The pattern, to be compiled at its first use; use it by its methods only."""
        return LatePattern(pattern, flags)
