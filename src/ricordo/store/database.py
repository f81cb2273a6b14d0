"""The seam between the engine and a database: drivers, transactions, and the nouns inside them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO, RawIOBase
from typing import Any, Protocol, TypeVar

from ricordo.store.catalogue import Query
from ricordo.store.tables.approvals import Approvals
from ricordo.store.tables.archive_spans import Retellings
from ricordo.store.tables.blocks import Blocks
from ricordo.store.tables.chunks import Chunks
from ricordo.store.tables.consolidations import Consolidations
from ricordo.store.tables.documents import Documents
from ricordo.store.tables.due import Due
from ricordo.store.tables.embeddings import Embeddings
from ricordo.store.tables.entries import Entries
from ricordo.store.tables.events import Events
from ricordo.store.tables.identity import Identity
from ricordo.store.tables.macros import Macros
from ricordo.store.tables.metadata import Metadata
from ricordo.store.tables.outbox import Outbox
from ricordo.store.tables.pending import Pending
from ricordo.store.tables.raw_rows import RawRows
from ricordo.store.tables.records import Records
from ricordo.store.tables.reminders import Reminders
from ricordo.store.tables.schedules import Schedules
from ricordo.store.tables.scratchpads import Scratchpads
from ricordo.store.tables.search import Search
from ricordo.store.tables.sessions import Sessions
from ricordo.store.tables.signals import Signals
from ricordo.store.tables.spaces import Spaces
from ricordo.store.tables.summaries import Summaries
from ricordo.store.tables.sweeps import Sweeps
from ricordo.store.tables.tombstones import Tombstones
from ricordo.store.tables.upkeep import UpkeepRows
from ricordo.store.tables.workspaces import Workspaces
from ricordo.telemetry.steps import Steps

Result = TypeVar("Result")
Values = Mapping[str, Any]  # what a driver binds: text, numbers, bytes, None
Batch = Iterable[Values | tuple[Any, ...]]  # tuples: in the order in which the query names them
Record = tuple[Any, ...]
ByteFile = RawIOBase | BytesIO
_OPEN_AT_ONCE = 2  # values that are read together where they come as a whole


class Connection(Protocol):
    """What a driver offers inside a transaction."""

    def rows(self, query: Query, values: Values) -> list[Record]: ...

    def many(self, query: Query, batch: Batch) -> None: ...


class Batching(ABC):
    """A connection for which many questions at once are cheaper than one after the other."""

    @abstractmethod
    def each(self, query: Query, sets: Iterable[Values]) -> list[list[Record]]: ...


class Streaming(ABC):
    """A connection that hands over rows one by one and values in pieces: never all in RAM."""

    @abstractmethod
    def stream(self, query: Query, values: Values) -> Iterator[Record]: ...

    @abstractmethod
    def open(self, query: Query, values: Values) -> ByteFile | None: ...


class Hinting(ABC):
    """A connection that can tell those who wait elsewhere that there is something new."""

    @abstractmethod
    def hint(self) -> None: ...


class Tx:
    """One transaction, seen through its nouns. Valid only while the transaction is open."""

    def __init__(self, connection: Connection, queries: Mapping[str, Query]) -> None:
        self._connection = connection
        self._queries = queries
        self.spaces = Spaces(self)
        self.sessions = Sessions(self)
        self.events = Events(self)
        self.entries = Entries(self)
        self.metadata = Metadata(self)
        self.chunks = Chunks(self)
        self.blocks = Blocks(self)
        self.search = Search(self)
        self.embeddings = Embeddings(self)
        self.signals = Signals(self)
        self.schedules = Schedules(self)
        self.reminders = Reminders(self)
        self.due = Due(self)
        self.pending = Pending(self)
        self.summaries = Summaries(self)
        self.scratchpads = Scratchpads(self)
        self.retellings = Retellings(self)
        self.documents = Documents(self)
        self.records = Records(self)
        self.consolidations = Consolidations(self)
        self.copying = RawRows(self)
        self.sweeps = Sweeps(self)
        self.outbox = Outbox(self)
        self.macros = Macros(self)
        self.approvals = Approvals(self)
        self.tombstones = Tombstones(self)
        self.upkeep = UpkeepRows(self)
        self.porting = Identity(self)
        self.workspaces = Workspaces(self)

    def rows(self, query: str, /, **values: Any) -> list[Record]:
        """Run a named query and fetch everything it gives."""
        return self._connection.rows(self._queries[query], values)

    def row(self, query: str, /, **values: Any) -> Record | None:
        """The first row, or None."""
        found = self._connection.rows(self._queries[query], values)
        return found[0] if found else None

    def stream(self, query: str, /, **values: Any) -> Iterator[Record]:
        """Run a named query and hand over its rows, to be read before anything else is asked."""
        if isinstance(self._connection, Streaming):
            return self._connection.stream(self._queries[query], values)
        return iter(self._connection.rows(self._queries[query], values))

    def open_each(self, query: str, sets: Sequence[Values], /) -> Iterator[ByteFile | None]:
        """The bytes that a query of one column and row gives for each set of values, as a file to
        be read before the next one comes."""
        if isinstance(self._connection, Streaming):
            for values in sets:
                file = self._connection.open(self._queries[query], values)
                with file or nullcontext():
                    yield file
            return
        for start in range(0, len(sets), _OPEN_AT_ONCE):
            for rows in self.each(query, sets[start : start + _OPEN_AT_ONCE]):
                yield BytesIO(rows[0][0]) if rows else None

    def each(self, query: str, sets: Iterable[Values], /) -> list[list[Record]]:
        """Run a named query once for each set of values; what each of them gave."""
        if isinstance(self._connection, Batching):
            return self._connection.each(self._queries[query], sets)
        return [self._connection.rows(self._queries[query], values) for values in sets]

    def many(self, query: str, batch: Batch, /) -> None:
        """Run a named query once for each set of values."""
        self._connection.many(self._queries[query], batch)

    def hint(self) -> None:
        """Once this is committed, wake those who wait for due work, where the backend can."""
        if isinstance(self._connection, Hinting):
            self._connection.hint()

    def run(self, query: Query, /, **values: Any) -> list[Record]:
        """Run a query that was made from the schema."""
        return self._connection.rows(query, values)

    def run_many(self, query: Query, batch: Batch, /) -> None:
        """Run a query that was made from the schema once for each set of values."""
        self._connection.many(query, batch)


class Database(Protocol):
    """A backend: one driver, one SQL folder, one green conformance run."""

    url: str
    read_only: bool
    steps: Steps  # of this memory; a writer makes each commit one of them

    def count_waiting(self) -> int:
        """How many writes wait for a commit."""
        ...

    def check_alive(self) -> None:
        """Raise StoreError if it was closed, or opened before this process was forked."""
        ...

    def read(self) -> AbstractContextManager[Tx]:
        """A read transaction: everything inside sees one state."""
        ...

    def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run `work` in a write transaction; return once it is durable. It may be run again."""
        ...

    def submit(self, work: Callable[[Tx], object]) -> None:
        """Queue `work` for the next commit without waiting for it."""
        ...

    def use_reserve(self) -> bool:
        """Give back room that is kept for deletions on a full disk; False if there is none."""
        ...

    def settle(self) -> None:
        """Wait until everything submitted so far is durable."""
        ...

    def listen(self, wake: Callable[[], object]) -> AbstractContextManager[None]:
        """Have `wake` called, from any thread, at hints of others; there may be none at all."""
        ...

    def inspect(self) -> list[str]:
        """What the database itself finds wrong with its file."""
        ...

    def backup(self, path: str, progress: Callable[[int, int], None] | None) -> None:
        """Copy the whole memory to a new file while others work."""
        ...

    def tidy(self, *, deep: bool = False) -> dict[str, int]:
        """Give back what deleted rows took up; `deep` may rewrite everything. What was done."""
        ...

    def fold(self) -> None:
        """Fold the log back into the file, unless somebody reads it; nothing on a server."""
        ...

    def scrub(self, seconds: float, *, deep: bool = False) -> bool:
        """Leave no byte of deleted rows behind; False if others keep them for longer than that."""
        ...

    def read_files(self, size: int) -> list[Iterator[bytes]]:
        """What is in each file of this memory, in blocks and decrypted; none for a server."""
        ...

    def size(self) -> int:
        """Bytes on disk."""
        ...

    def close(self) -> None: ...
