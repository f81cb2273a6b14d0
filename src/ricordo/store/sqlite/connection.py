"""A connection to SQLite inside a transaction, and one request of a batch on it."""

from collections.abc import Iterator, Mapping
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

    def many(self, query: Query, batch: Batch) -> None:
        self.raw.executemany(query.sql, batch).fetchall()

    def end(self) -> None:
        """Leave the transaction, if one is open, without keeping anything."""
        if not self.raw.get_autocommit():
            self.raw.execute("ROLLBACK").fetchall()

    def close(self) -> None:
        self.raw.close()


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
