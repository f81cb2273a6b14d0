"""SQLite files of other programs, read and never written. What their rows mean is not said here."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

import apsw

from ricordo.errors import InvalidInput, StoreError
from ricordo.store import catalogue
from ricordo.store.sqlite.file import APPLICATION_ID

MAGIC = b"SQLite format 3\0"


@cache
def _queries() -> dict[str, str]:
    text = (catalogue.FOLDER / "foreign" / "foreign.sql").read_text(encoding="utf-8")
    return {query.name: query.sql for query in catalogue.parse(text)}


def is_sqlite(path: Path) -> bool:
    """Whether a file begins as an SQLite database does."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


class Foreign:
    """An open file of another program, to be used with `with`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._translate_errors():
            # Alone, nothing but the file itself is looked at, and nothing is left beside it. With a
            # journal it may be half written, and is refused rather than read so.
            is_alone = not any(Path(f"{path}{end}").exists() for end in ("-wal", "-journal"))
            uri = path.resolve().as_uri() + ("?mode=ro&immutable=1" if is_alone else "?mode=ro")
            self._raw = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
            self._raw.execute("PRAGMA trusted_schema=OFF").fetchall()
            self._raw.execute("BEGIN").fetchall()
            rows: list[Any] = self._raw.execute("PRAGMA application_id").fetchall()
        if rows[0][0] == APPLICATION_ID:
            self.close()
            raise InvalidInput(f"{path} is a memory of ricordo; export the space you want first")

    def tables(self) -> dict[str, list[str]]:
        """Every table with its columns."""
        with self._translate_errors():
            found = self._raw.execute(_queries()["foreign.tables"]).fetchall()
            return {
                str(name): [str(row[0]) for row in self._columns(str(name))] for (name,) in found
            }

    def count(self, table: str) -> int:
        """How many rows a known table has."""
        with self._translate_errors():
            rows: list[Any] = self._raw.execute(
                _queries()["foreign.count"].format(table=table)
            ).fetchall()
            return int(rows[0][0])

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """The rows of a known table in the order in which they were written."""
        sql = _queries()["foreign.rows"].format(table=table, columns=", ".join(columns))
        with self._translate_errors():
            for row in self._raw.execute(sql):
                yield dict(zip(columns, row, strict=True))

    def close(self) -> None:
        self._raw.close()

    def _columns(self, table: str) -> list[Any]:
        return self._raw.execute(_queries()["foreign.columns"], {"name": table}).fetchall()

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{self._path} cannot be read as a database: {error}") from error
        except apsw.Error as error:
            raise StoreError(f"{self._path} cannot be read: {error}") from error

    def __enter__(self) -> "Foreign":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
