"""A server gives large blocks back to the system, whatever was freed before."""

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import ctypes, sys
from ricordo.surfaces.server.allocator import return_large_blocks

class Malloc(ctypes.Structure):
    _fields_ = [(f"f{n}", ctypes.c_size_t) for n in range(10)]

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.mallinfo2.restype = ctypes.c_void_p, Malloc
libc.malloc.argtypes, libc.free.argtypes = (ctypes.c_size_t,), (ctypes.c_void_p,)
if sys.argv[1] == "server":
    return_large_blocks()
libc.free(libc.malloc(4_000_000))
before = libc.mallinfo2().f3
libc.malloc(1_000_000)
print(libc.mallinfo2().f3 - before)
"""


def count_own_maps(who: str) -> int:
    """How many maps of its own a block of 1 MB gets after one of 4 MB was freed."""
    words = [sys.executable, "-c", PROGRAM, who]
    return int(subprocess.run(words, capture_output=True, check=True, text=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has this threshold")
def test_a_large_block_of_a_server_never_lies_among_small_ones():
    assert count_own_maps("server") == 1
    assert count_own_maps("library") == 0  # what glibc does by itself
