"""A connection to SQLite inside a transaction, and one request of a batch on it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import RawIOBase
from typing import Any

import apsw

from ricordo.store import catalogue
from ricordo.store.catalogue import Query
from ricordo.store.commit_threads import Request
from ricordo.store.database import Batch, Streaming, Tx
from ricordo.store.sqlite import file
from ricordo.store.sqlite.errors import translate_errors

# What a statement can do wrong without harm to the transaction around it.
_OWN_FAULT = (apsw.ConstraintError, apsw.MismatchError, apsw.SQLError, apsw.TooBigError)


class SQLiteConnection(Streaming):
    """One apsw connection behind the protocol of `database`."""

    def __init__(self, raw: apsw.Connection) -> None:
        self.raw = raw
        self.tx = Tx(self, catalogue.load(file.DIALECT))

    def rows(self, query: Query, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self.raw.execute(query.sql, values).fetchall()

    def stream(self, query: Query, values: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
        return self.raw.execute(query.sql, values)

    def open(self, query: Query, values: Mapping[str, Any]) -> "SQLiteBlob | None":
        """Find the row by its number, through which SQLite gives any part of a value."""
        _, column, _, table, *_ = query.sql.split(None, 4)
        found = self.rows(replace(query, sql=query.sql.replace(column, "rowid", 1)), values)
        if not found:
            return None
        return SQLiteBlob(self.raw.blob_open("main", table, column, found[0][0], False))

    def many(self, query: Query, batch: Batch) -> None:
        self.raw.executemany(query.sql, batch).fetchall()

    def end(self) -> None:
        """Leave the transaction, if one is open, without keeping anything."""
        if not self.raw.get_autocommit():
            self.raw.execute("ROLLBACK").fetchall()

    def close(self) -> None:
        self.raw.close()


class SQLiteBlob(RawIOBase):
    """A value that is read in pieces, from pages that SQLite does not keep."""

    def __init__(self, blob: apsw.Blob) -> None:
        self._blob = blob

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any, /) -> int:  # Any: it has a buffer, a type since Python 3.12
        view = memoryview(into).cast("B")
        count = min(len(view), self._blob.length() - self._blob.tell())
        if count:
            self._blob.read_into(view, 0, count)
        return count

    def close(self) -> None:
        self._blob.close()
        super().close()


def attempt(connection: SQLiteConnection, request: Request, url: str) -> None:
    """One request of a group: its failure undoes only its own changes."""
    connection.raw.execute("SAVEPOINT request").fetchall()
    try:
        with translate_errors(url):
            request.value = request.work(connection.tx)
    except BaseException as error:  # also what ends a program: it is its caller's to raise
        cause = error.__cause__
        if isinstance(cause, apsw.Error) and not isinstance(cause, _OWN_FAULT):
            raise  # the database itself failed: nobody's changes can be trusted
        request.failure = error
        connection.raw.execute("ROLLBACK TO request").fetchall()
    connection.raw.execute("RELEASE request").fetchall()
