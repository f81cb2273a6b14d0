"""Rooms: packages whose modules are imported when they are first used.

`from ricordo.flows import erasure` costs nothing; `erasure.erase` imports that module, once. So a
process that opens a memory for one question does not pay for all that a memory can do.
"""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType


def open_room(package: str) -> Callable[[str], ModuleType]:
    """The `__getattr__` of a package: its modules, each imported at its first use."""

    def find(name: str) -> ModuleType:
        module = f"{package}.{name}"
        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise  # something that the module needs
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return find
