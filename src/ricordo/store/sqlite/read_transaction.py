"""A read transaction of SQLite, to be entered with `with`."""

from types import FrameType, TracebackType
from typing import TYPE_CHECKING

import apsw

from ricordo.store.database import Tx
from ricordo.store.sqlite.connection import SQLiteConnection
from ricordo.store.sqlite.errors import translate_errors

if TYPE_CHECKING:
    from ricordo.store.sqlite.driver import SQLite


class SQLiteRead:
    """A read transaction, to be entered with `with`. A class and no generator: polls pay for it."""

    __slots__ = ("_frame", "_hold", "_store")

    def __init__(self, store: "SQLite", frame: FrameType) -> None:
        self._store = store
        self._frame = frame

    def __enter__(self) -> Tx:
        try:
            self._hold = self._store.begin_read(self._frame)
        except apsw.Error as error:
            with translate_errors(self._store.url):
                raise error
        connection: SQLiteConnection = self._hold.kept
        return connection.tx

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._store.end_read(self._hold)
        except apsw.Error as failure:
            error = error or failure
        if isinstance(error, apsw.Error | UnicodeDecodeError):
            with translate_errors(self._store.url):
                raise error
