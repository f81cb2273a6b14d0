"""Bytes of the files of a memory, read so that no lock is lost."""

import os
from collections.abc import Iterator
from pathlib import Path

import apsw

from ricordo.errors import StoreError


def read_blocks(path: str, size: int, start: int = 0) -> Iterator[bytes]:
    """The bytes of a file of the memory, read through SQLite.

    A file that Python opens and closes takes with it every lock that this process has on it.
    """
    if not Path(path).exists():
        return  # the WAL goes when the last one closes it
    if not os.access(path, os.R_OK):
        raise StoreError(f"{path} cannot be read; check its permissions")
    flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
    try:
        opened = apsw.VFSFile("", os.path.realpath(path), [flags, 0])
    except apsw.CantOpenError as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    try:
        at = start
        while block := opened.xRead(size, at):
            yield block
            at += len(block)
    finally:
        opened.xClose()
