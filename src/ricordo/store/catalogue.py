"""The catalogue of named queries: a `common` text for all backends, overlaid by a dialect."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ricordo.errors import StoreError

FOLDER = Path(__file__).with_name("sql")

# Tables that say something about the whole memory: every server has them whole, where there are
# several. Everything else belongs to one space.
REFERENCE_TABLES = frozenset({"meta", "spaces", "models", "migrations"})
# Tables without row-level security. The last three hold numbers of spaces, counts and times only:
# a poll of many spaces is one read, and a space is found by its name together with its counters.
OPEN_TABLES = REFERENCE_TABLES | {"counters", "due", "pending"}

# Where a dialect looks for its queries, the later the stronger.
_LAYERS = {"libsql": ("common", "sqlite", "libsql")}

_HEADER = re.compile(r"^-- (?P<name>[a-z_]+\.[a-z_]+): (?P<comment>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Query:
    """One statement, one name, one comment."""

    name: str
    comment: str
    sql: str

    @property
    def is_spaced(self) -> bool:
        """Whether the statement is bound to one space."""
        return ":space" in self.sql


@cache
def load(dialect: str) -> dict[str, Query]:
    """Read every query of a dialect; its own text wins over the common one."""
    found: dict[str, Query] = {}
    for layer in _LAYERS.get(dialect, ("common", dialect)):
        found.update({query.name: query for query in _queries(FOLDER / layer)})
    return found


def _queries(folder: Path) -> Iterator[Query]:
    for file in sorted(folder.glob("*.sql")):
        yield from parse(file.read_text(encoding="utf-8"))


def parse(text: str) -> list[Query]:
    """Split a file into its queries; two of one name are a mistake."""
    headers = list(_HEADER.finditer(text))
    ends = [header.start() for header in headers[1:]] + [len(text)]
    queries = [
        Query(header["name"], header["comment"], text[header.end() : end].strip().rstrip(";"))
        for header, end in zip(headers, ends, strict=True)
    ]
    if len({query.name for query in queries}) < len(queries):
        raise StoreError("a query name stands twice in one SQL file; give each its own")
    return queries
