"""Owners of leases: a name for this process, and whether the process behind a name is gone.

A lease whose owner ended on this machine is free at once; elsewhere it ends by its time.
"""

import os
from functools import cache


def name_owner() -> str:
    """A name for whoever takes a lease now: machine, process, and a mark of both."""
    return f"{_host()}/{os.getpid()}/{_boot()}/{os.urandom(8).hex()}"


def is_gone(owner: str) -> bool:
    """Whether the owner was a process of this machine that has ended."""
    host, pid, boot, _ = owner.rsplit("/", 3)
    if host != _host() or os.name == "nt":  # on Windows there is no harmless way to ask
        return False
    if int(pid) == os.getpid():
        return boot != _boot()
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


@cache
def _boot() -> str:
    """A mark of this process: after a restart in a container another one may have its number."""
    return os.urandom(8).hex()


@cache
def _host() -> str:
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
