"""The tables of a memory on PostgreSQL: are they there, make them, guard them, look them over.

Everything lies in one schema of the database. Migrations run in one transaction.
"""

from enum import Enum
from typing import Any

from psycopg import errors, sql

from ricordo.errors import StoreError
from ricordo.store import catalogue, migrate
from ricordo.store.catalogue import OPEN_TABLES
from ricordo.store.postgres import partitions
from ricordo.store.postgres.connection import DIALECT
from ricordo.store.postgres.link import PostgresAddress, Raw, identifier
from ricordo.store.postgres.partitions import partition_sql
from ricordo.store.postgres.query import collate_sql, translate_query

POLICY = "one_space"
_TELLING = "events"  # the table that shows how those of spaces were made

# A transaction that has entered no space sees no row, and none can be written: '' is what the
# setting reads after a transaction that had one was rolled back.
_RULE = "space = nullif(current_setting('ricordo.space', true), '')::bigint"
_MIGRATIONS = (
    "CREATE TABLE IF NOT EXISTS migrations "
    '(number BIGINT PRIMARY KEY, name TEXT COLLATE "C" NOT NULL, digest TEXT COLLATE "C" NOT NULL)'
)


class SchemaState(Enum):
    """How the tables stand to this ricordo."""

    ABSENT = "absent"
    OLDER = "older"
    PRESENT = "present"


def ask(raw: Raw, query: str, **values: Any) -> list[tuple[Any, ...]]:
    """Run one of the driver's own named queries."""
    statement = translate_query(catalogue.load(DIALECT)[query])
    cursor = raw.execute(statement.sql, statement.bind(values))
    return cursor.fetchall() if statement.gives_rows else []


def look(raw: Raw, address: PostgresAddress) -> SchemaState:
    """Whether the tables are there and up to date; refuses newer ones and edited migrations."""
    with raw.transaction():
        ask(raw, "driver.settings", **address.settings)
        is_there = ask(raw, "driver.look", table=f"{address.schema}.migrations")[0][0]
        applied = dict(ask(raw, "driver.applied")) if is_there else {}
    if not applied:
        return SchemaState.ABSENT
    _partitions(raw, address)
    pending = migrate.list_pending(migrate.load(DIALECT), applied)
    return SchemaState.OLDER if pending else SchemaState.PRESENT


def is_spread(raw: Raw) -> bool:
    """Whether the server can spread tables over several servers."""
    return bool(ask(raw, "driver.spread")[0][0])


def upgrade(raw: Raw, address: PostgresAddress) -> None:
    """Apply the migrations that are missing, all or none; others who try at once wait."""
    try:
        _upgrade(raw, address)
    except errors.OutOfMemory as error:  # what the server says when its table of locks is full
        raise StoreError(
            f"{address.shown}: the server cannot lock as many tables at once as this takes; raise "
            "its max_locks_per_transaction, or ask for fewer partitions. Nothing was made"
        ) from error


def _upgrade(raw: Raw, address: PostgresAddress) -> None:
    schema = address.schema
    with raw.transaction():
        ask(raw, "driver.settings", **address.settings)
        ask(raw, "driver.migrating", schema=schema)
        if not ask(raw, "driver.schemas", schema=schema):
            raw.execute(sql.SQL("CREATE SCHEMA {}").format(identifier(schema)))
        raw.execute(_MIGRATIONS)
        applied = dict(ask(raw, "driver.applied"))
        count = _partitions(raw, address) if applied else address.partitions or 0
        for migration in migrate.list_pending(migrate.load(DIALECT), applied):
            raw.execute(partition_sql(collate_sql(migration.sql), count).encode())
            ask(
                raw,
                "driver.apply",
                number=migration.number,
                name=migration.name,
                digest=migration.digest,
            )
        for table in list_unguarded_tables(raw, schema):
            raw.execute(_guard(table))


def _partitions(raw: Raw, address: PostgresAddress) -> int:
    """The number of partitions of the tables of spaces, also for new ones; 0 if unpartitioned."""
    found = int(ask(raw, "driver.partitions", table=f"{address.schema}.{_TELLING}")[0][0])
    partitions.check(address.partitions, found, address.schema)
    return found


def list_unguarded_tables(raw: Raw, schema: str) -> list[str]:
    """Tables of spaces that anybody could read across spaces."""
    found = ask(raw, "driver.unguarded", schema=schema)
    return [name for (name,) in found if name not in OPEN_TABLES]


def _guard(table: str) -> bytes:
    """Row-level security, for the owner of the table too."""
    return (
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;"
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY;"
        f"DROP POLICY IF EXISTS {POLICY} ON {table};"
        f"CREATE POLICY {POLICY} ON {table} USING ({_RULE})"
    ).encode()


def vacuum(raw: Raw, schema: str, *, deep: bool) -> None:
    """Give the room of deleted rows back, to the tables or, with `deep`, to the disk."""
    tables = [identifier(schema, name) for (name,) in ask(raw, "driver.tables", schema=schema)]
    how = "VACUUM (FULL, ANALYZE) {}" if deep else "VACUUM (ANALYZE) {}"
    raw.execute(sql.SQL(how).format(sql.SQL(", ").join(tables)))


def size(raw: Raw, schema: str) -> int:
    """Bytes of tables and indexes."""
    return int(ask(raw, "driver.size", schema=schema)[0][0])


def inspect(raw: Raw, schema: str) -> list[str]:
    """What the server finds wrong with the tables."""
    found = [
        f"the index {name} is broken; run: REINDEX INDEX {name}"
        for (name,) in ask(raw, "driver.broken_indexes", schema=schema)
    ]
    found += [
        f"the table {name} is open across spaces" for name in list_unguarded_tables(raw, schema)
    ]
    damaged = ask(raw, "driver.checksums")[0][0]
    if damaged:
        found.append(f"the server found {damaged} damaged pages; restore a backup")
    return found
