"""A connection to PostgreSQL inside a transaction: one pipeline, one space at a time."""

import contextlib
import json
from collections import deque
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

import psycopg

from ricordo.errors import StoreError
from ricordo.store import catalogue
from ricordo.store.catalogue import Query
from ricordo.store.database import Batch, Batching, Hinting, Record, Tx, Values
from ricordo.store.postgres import spread
from ricordo.store.postgres.link import Raw
from ricordo.store.postgres.query import ROW_BITS, SPACE, for_each, translate_query
from ricordo.store.sqlite.file import fold_text

DIALECT = "postgres"

_READING = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITING = b"BEGIN ISOLATION LEVEL READ COMMITTED"

# Queries that compare texts without case and accents, where the texts are read, which value is
# looked for. PostgreSQL has no function that agrees with ours on every letter.
_FOLDED = {
    "words.substring": ("folding.chunks", "text"),
    "schedules.list": ("folding.schedules", "name"),
    "schedules.count": ("folding.schedules", "name"),
}


class PostgresConnection(Batching, Hinting):
    """One psycopg connection behind the protocol of `database`, a pipeline through and through.

    Statements that give no rows are sent along with the next one that does, so that a transaction
    takes as many round trips as it asks questions, and one more to be committed.
    """

    def __init__(self, raw: Raw, settings: Values, commit: str = "driver.durable") -> None:
        self.raw = raw
        self._settings, self._commit = settings, commit
        self.tx = Tx(self, catalogue.load(DIALECT))
        self.is_committing = False
        self.is_spread = False  # whether the tables may lie on several servers
        self._queries = catalogue.load(DIALECT)
        self._space: int | None = None
        self._is_writing = self._is_hinting = False
        self._pipeline: AbstractContextManager[psycopg.Pipeline] | None = None
        self._awaited: deque[Any] = deque()  # what the driver expects answers to, in this pipeline
        # One cursor for what is answered at once, one for what nobody waits for, one for the name.
        self._asking, self._telling, self._naming = (raw.cursor(binary=True) for _ in range(3))

    # the protocol

    def rows(self, query: Query, values: Values) -> list[Record]:
        if query.is_spaced and SPACE not in values:
            return self._in_every_space(query, values)
        if query.name in _FOLDED:
            values = self._add_matching_ids(query, values)
        if query.name == "chunks.last_row":
            return [((values[SPACE] << ROW_BITS) + values["first"] - 1,)]  # no need to ask for it
        if self.is_spread and query.name in spread.QUERIES:
            return spread.QUERIES[query.name](self._ask, values)
        statement = translate_query(query)
        self._go_to(statement.space_of(values))
        if statement.gives_rows:
            return self._asking.execute(statement.sql, statement.bind(values)).fetchall()
        self._telling.execute(statement.sql, statement.bind(values))
        return []

    def each(self, query: Query, sets: Iterable[Values]) -> list[list[Record]]:
        """One statement for a list of numbers or texts; anything else one after the other."""
        asked = list(sets)
        names = {name for values in asked for name in values if values[name] != asked[0][name]}
        varying = names.pop() if len(names) == 1 else SPACE
        types = {type(values[varying]) for values in asked} if varying != SPACE else set()
        if types == {int} or types == {str}:
            return self._at_once(query, asked, varying)
        return [self.rows(query, values) for values in asked]

    def _at_once(self, query: Query, asked: list[Values], varying: str) -> list[list[Record]]:
        type_ = "bigint" if isinstance(asked[0][varying], int) else "text"
        statement = for_each(query, self._queries["driver.each"], varying, type_)
        self._go_to(statement.space_of(asked[0]))
        values = {**asked[0], varying: [each[varying] for each in asked]}
        found: list[list[Record]] = [[] for _ in asked]
        self._asking.execute(statement.sql, statement.bind(values))
        for place, *row in self._asking.fetchall():
            found[place - 1].append(tuple(row))
        return found

    def many(self, query: Query, batch: Batch) -> None:
        if query.name == "words.insert" and self.is_spread:
            for space, command in spread.insert_words(self._queries["driver.words"], batch):
                self._go_to(space)
                self._telling.execute(command, prepare=False)
            return
        statement = translate_query(query)
        for values in batch:
            self._go_to(statement.space_of(values))
            self._telling.execute(statement.sql, statement.bind(values))

    def hint(self) -> None:
        self._is_hinting = True

    # transactions

    def begin(self, *, writing: bool) -> None:
        if self._pipeline is None:
            self._pipeline = self.raw.pipeline()
            self._awaited = self._pipeline.__enter__().result_queue
        self._space, self.is_committing, self._is_writing = None, False, writing
        self._is_hinting = False
        self._telling.execute(_WRITING if writing else _READING)
        self._tell("driver.settings", self._settings)
        if writing:
            self._tell(self._commit, {})
            self._naming.execute(translate_query(self._queries["driver.transaction"]).sql)

    def name(self) -> tuple[str, str]:
        """What the server calls this transaction, and since when it is up."""
        found = self._naming.fetchone()
        assert found is not None
        return found[0], found[1]

    def commit(self) -> None:
        self.is_committing = True
        self._telling.execute(b"COMMIT")
        self._leave()
        if self._telling.statusmessage != "COMMIT":
            raise StoreError("the server rolled the transaction back; nothing was kept")
        if self._is_hinting:
            self._send_hint()

    def _send_hint(self) -> None:
        """Wake those who wait. The work is committed, and they also find it by their polls, so a
        server that has no hints or cannot give one changes nothing."""
        statement = translate_query(self._queries["driver.hint"])
        with contextlib.suppress(psycopg.Error):
            self._asking.execute(statement.sql, statement.bind(self._settings))

    def finish_reading(self) -> None:
        """End a read transaction that went well; nobody waits for the server to say so."""
        self._telling.execute(b"COMMIT")  # after a rollback the driver prepares everything again
        # A pooler lends the session to others once the server says that it is ready again. That
        # answer is read with the next one: `Pipeline.sync` would wait for it.
        self._awaited.append(None)
        self.raw.pgconn.pipeline_sync()

    def abandon(self) -> None:
        """Leave whatever is open without keeping anything; never raises."""
        with contextlib.suppress(psycopg.Error):
            self._leave()
        with contextlib.suppress(psycopg.Error):
            if self.raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                self.raw.execute(b"ROLLBACK")
        if self.raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            self.raw.close()  # its state is unknown

    def close(self) -> None:
        """Leave the server; never raises."""
        self.abandon()
        with contextlib.suppress(psycopg.Error):
            self.raw.close()

    def _leave(self) -> None:
        """Wait for everything that was sent."""
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is not None:
            pipeline.__exit__(None, None, None)

    # inside

    def _go_to(self, space: int | None) -> None:
        """Enter a space before the first statement about it; row-level security sees no other."""
        if space is not None and space != self._space:
            command = self._queries["driver.enter"].sql.replace("SPACE", str(int(space)))
            self._telling.execute(command.encode(), prepare=False)
            if self._is_writing:
                self._tell("driver.lock", {SPACE: space})
            self._space = space

    def _ask(self, name: str, values: Values) -> list[Record]:
        """The rows of a query of the catalogue."""
        return self.rows(self._queries[name], values)

    def _tell(self, name: str, values: Values) -> None:
        """One of the driver's own statements, whose answer nobody waits for."""
        statement = translate_query(self._queries[name])
        self._telling.execute(statement.sql, statement.bind(values))

    def _in_every_space(self, query: Query, values: Values) -> list[Record]:
        """What SQLite finds in one file is asked space by space: each sees only itself."""
        spaces = self.rows(self._queries["driver.spaces"], {})
        return [row for (space,) in spaces for row in self.rows(query, {**values, SPACE: space})]

    def _add_matching_ids(self, query: Query, values: Values) -> Values:
        """The values with those that hold the text looked for, as our folding has it."""
        texts, wanted = _FOLDED[query.name]
        if values[wanted] is None:
            return {**values, "passed": None}
        needle = fold_text(values[wanted])
        rows = self.rows(self._queries[texts], {SPACE: values[SPACE]})
        keys = [key for key, *held in rows if any(needle in fold_text(text) for text in held)]
        return {**values, "passed": json.dumps(keys)}
