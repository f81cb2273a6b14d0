"""Forks: whoever holds threads, locks or connections makes them safe before a process forks.

Locks and connections of SQLite do not survive a fork: the child inherits what the library noted
about them, and not what the system granted. Everything registered here is asked before each fork,
and afterwards on both sides. A fork that Python does not see, such as one made by C code, finds
nothing prepared; whoever is registered sees that in the child.
"""

import os
import sys
import threading
import time
import weakref


class Forkable:
    """What is asked around a fork; by itself it does nothing. None of it may raise."""

    __slots__ = ("__weakref__",)

    def before_fork(self) -> None:
        """Make ready: the child gets a copy of everything, and none of the other threads."""

    def after_fork_in_parent(self) -> None:
        """Go on."""

    def after_fork_in_child(self) -> None:
        """Let go of what is the parent's, and begin again."""


PATIENCE_SECONDS = 10.0  # how long a fork waits for threads that use something
_LOOK_SECONDS = 0.001

_known: "dict[int, weakref.ref[Forkable]]" = {}  # each step on it is one that nothing divides
_one_at_a_time = threading.RLock()
_asked: list[Forkable] = []  # of the fork under way


def register(part: Forkable) -> None:
    """Ask `part` around every fork for as long as it lives."""
    key = id(part)
    _known[key] = weakref.ref(part, lambda _: _known.pop(key, None))


def leak(thing: object) -> None:
    """Keep something for ever: in a child, ending what threads of the parent used can hang."""
    import ctypes  # rarely needed, and slow to import

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def _list_living() -> list[Forkable]:
    return [part for each in list(_known.values()) if (part := each()) is not None]


def _before() -> None:
    _one_at_a_time.acquire()
    _asked[:] = _list_living()
    for part in reversed(_asked):  # what was made last uses what was made before
        part.before_fork()
    _wait_for_imports()


def _wait_for_imports() -> None:
    """Let threads finish what they import of ours: half imported, it stays locked in the child."""
    until = time.monotonic() + PATIENCE_SECONDS
    while _is_importing() and time.monotonic() < until:
        time.sleep(_LOOK_SECONDS)


def _is_importing() -> bool:
    ours = [module for name, module in list(sys.modules.items()) if name.startswith("ricordo.")]
    return any(getattr(module.__spec__, "_initializing", False) for module in ours)


def _after_in_parent() -> None:
    for part in _asked:
        part.after_fork_in_parent()
    _asked.clear()
    _one_at_a_time.release()


def _after_in_child() -> None:
    global _one_at_a_time
    _one_at_a_time = threading.RLock()
    _asked.clear()
    for part in _list_living():
        part.after_fork_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child
    )
