"""What is said otherwise where the tables are spread over the nodes of Citus. No I/O.

The rows of a new chunk in the keyword index are written out there: Citus carries rows that a server
selects by COPY, which row-level security refuses. Elsewhere selecting is less work for both sides.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ricordo.store.catalogue import Query
from ricordo.store.database import Record, Values
from ricordo.store.postgres.query import ROW_BITS, SPACE

Ask = Callable[[str, Values], list[Record]]

AT_ONCE = 1_000  # rows of a statement, so that none grows without bound
_IN_TEXT, _AROUND = 1, 2  # bits of a field
_NO_STEM = 0  # the row that says that the index knows a chunk


def insert_words(query: Query, batch: Iterable[Any]) -> Iterator[tuple[int, bytes]]:
    """Statements that index chunks, each with its space. A chunk comes as its row and its stems."""
    for space, rows in _group(batch):
        for start in range(0, len(rows), AT_ONCE):
            yield space, query.sql.replace("ROWS", ",".join(rows[start : start + AT_ONCE])).encode()


def _group(batch: Iterable[Any]) -> Iterator[tuple[int, list[str]]]:
    """Chunks that follow each other in one space, as rows of text; all of them are numbers."""
    rows: list[str] = []
    held = 0
    for row, terms, extra in batch:
        space, chunk = row >> ROW_BITS, row & ((1 << ROW_BITS) - 1)
        if rows and space != held:
            yield held, rows
            rows = []
        held = space
        rows += [f"({space},{stem},{chunk},{field})" for stem, field in _fields(terms, extra)]
    if rows:
        yield held, rows


def _fields(terms: str, extra: str) -> Iterable[tuple[int, int]]:
    """Each stem of a chunk once, with the places it stands in."""
    found = {_NO_STEM: 0}
    for tokens, place in ((terms, _IN_TEXT), (extra, _AROUND)):
        for token in tokens.split():
            stem = _number(token)
            found[stem] = found.get(stem, 0) | place
    return found.items()


def _number(token: str) -> int:
    """The number of a stem, read as a signed one: PostgreSQL has no others."""
    number = int(token.rpartition("_")[2], 16)
    return number - (1 << 32) if number >> 31 else number


def _touch(ask: Ask, values: Values) -> list[Record]:
    """The row of a session and, by another question, the secret of its space."""
    ((secret,),) = ask("spaces.secret", {SPACE: values[SPACE]})
    return [(*row, secret) for row in ask("driver.touch", values)]


def _find_end(ask: Ask, values: Values) -> list[Record]:
    """Likewise where the log of a session stands."""
    ((secret,),) = ask("spaces.secret", {SPACE: values[SPACE]})
    return [(*row, secret) for row in ask("sessions.get", values)]


def _find(ask: Ask, values: Values) -> list[Record]:
    """The number of a space, and then its state: a question about both goes to every node."""
    for (space,) in ask("spaces.number", values):
        return [(space, *state) for state in ask("spaces.state", {SPACE: space})]
    return []


# Queries that Citus refuses, or carries to every node.
QUERIES: Mapping[str, Callable[[Ask, Values], list[Record]]] = {
    "sessions.end": _find_end,
    "sessions.touch": _touch,
    "spaces.find": _find,
}
