"""Hash partitions on PostgreSQL: how many, and what a migration says when tables are made so.

The text of a migration is one for all memories; it is read differently where there are partitions.
No I/O.
"""

import re

from ricordo.errors import InvalidInput
from ricordo.store.catalogue import OPEN_TABLES

MOST = 1_024
WAY_OUT = "leave partitions= out, or run ricordo copy into a new schema made with it"

_TABLE = re.compile(r"^CREATE TABLE (?P<name>\w+) \((?P<body>.*?)^\);", re.MULTILINE | re.DOTALL)
_OF_A_SPACE = re.compile(r"^\s+space BIGINT NOT NULL\b", re.MULTILINE)


def read_count(text: str) -> int:
    """The number that a URL gives."""
    count = int(text) if re.fullmatch(r"[0-9]{1,4}", text) else 0
    if not 1 <= count <= MOST:
        raise InvalidInput(f"partitions is {text!r}; give a whole number from 1 to {MOST}")
    return count


def check(asked: int | None, found: int, schema: str) -> None:
    """Refuse a number that is not the one with which the tables were made; 0 is none."""
    if asked is None or asked == found:
        return
    there = f"{found} partitions" if found else "no partitions"
    raise InvalidInput(
        f"the schema {schema!r} has {there} and {asked} were asked for, which is decided when it "
        f"is made; {WAY_OUT}"
    )


def partition_sql(sql: str, count: int) -> str:
    """A migration whose tables of spaces are cut in `count` by a hash of the space; 0 is not."""
    return _TABLE.sub(lambda found: _cut(found, count), sql) if count else sql


def _cut(table: re.Match[str], count: int) -> str:
    name = table["name"]
    if name in OPEN_TABLES or not _OF_A_SPACE.search(table["body"]):
        return table[0]
    parts = (
        f"CREATE TABLE {name}_p{part} PARTITION OF {name}"
        f" FOR VALUES WITH (MODULUS {count}, REMAINDER {part});"
        for part in range(count)
    )
    return "\n".join((f"{table[0][:-1]} PARTITION BY HASH (space);", *parts))
