"""Named queries as PostgreSQL takes them: numbered parameters, translated once each. No I/O."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ricordo.store.catalogue import Query

# A parameter, unless it is a cast; with what PostgreSQL reads otherwise than SQLite around it.
_PARAMETER = re.compile(
    r"(?P<limit>\bLIMIT\s+)?(?<!:):(?P<name>[a-z_]+)(?P<test>\s+IS\s+(?:NOT\s+)?NULL\b)?"
)
_GIVES_ROWS = re.compile(r"\s*(SELECT|WITH)\b|.*\bRETURNING\b", re.DOTALL)
SPACE, ROW = "space", "row"
ROW_BITS = 32  # of a row that are the number of the chunk; the rest is that of the space


@dataclass(frozen=True, slots=True)
class Translated:
    """A statement with `$1`, `$2` …, and which value goes where."""

    sql: bytes
    names: tuple[str, ...]  # the value of each number
    given: tuple[str, ...]  # every name once, as the query names them: the order of a tuple
    gives_rows: bool

    def bind(self, values: Mapping[str, Any] | tuple[Any, ...]) -> list[Any]:
        """The values by number; a tuple holds them in the order in which the query names them."""
        if isinstance(values, tuple):
            values = dict(zip(self.given, values, strict=True))
        return [values[name] for name in self.names]

    def space_of(self, values: Mapping[str, Any] | tuple[Any, ...]) -> int | None:
        """The space that a set of values belongs to, if the query binds one; a row holds it too."""
        if SPACE in self.given:
            return int(self._value(values, SPACE))
        return int(self._value(values, ROW)) >> ROW_BITS if ROW in self.given else None

    def _value(self, values: Mapping[str, Any] | tuple[Any, ...], name: str) -> Any:
        return values[self.given.index(name)] if isinstance(values, tuple) else values[name]


@cache
def translate_query(query: Query) -> Translated:
    """The statement in PostgreSQL's terms.

    A parameter that is tested for NULL has a number of its own there, read as text: nothing else
    tells the server its type. No limit is -1 in the catalogue and NULL here. `instr` has another
    name.
    """
    numbers: dict[tuple[str, bool], int] = {}

    def number(found: re.Match[str]) -> str:
        key = found["name"], found["test"] is not None
        place = f"${numbers.setdefault(key, len(numbers) + 1)}"
        if found["test"]:
            return f"{found['limit'] or ''}{place}::text{found['test']}"
        return f"{found['limit']}nullif({place}::bigint, -1)" if found["limit"] else place

    sql = _PARAMETER.sub(number, query.sql.replace("instr(", "strpos("))
    names = tuple(name for name, _ in numbers)
    given = tuple(dict.fromkeys(names))
    return Translated(sql.encode(), names, given, bool(_GIVES_ROWS.match(query.sql)))


@cache
def for_each(query: Query, wrapper: Query, varying: str, type_: str) -> Translated:
    """The statement for a list of values at once; its rows begin with a place in the list."""
    inner = re.sub(rf"(?<!:):{varying}\b", "asked.value", query.sql)
    listed = wrapper.sql.replace(":list", f":{varying}").replace("TYPE", type_)
    sql = listed.replace("QUERY", inner)
    return translate_query(Query(query.name, query.comment, sql))


def collate_sql(sql: str) -> str:
    """A migration whose texts sort by their bytes, as they do in SQLite, whatever the database."""
    return re.sub(r"^(\s+\w+ TEXT)\b(?! COLLATE)", r'\1 COLLATE "C"', sql, flags=re.MULTILINE)
