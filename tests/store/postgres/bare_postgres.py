"""The tables of a memory on PostgreSQL, seen without ricordo."""

import psycopg
from postgres_server import ORDINARY, shared


def schema_of(url: str) -> str:
    return url.rpartition("schema=")[2]


def plain(url: str, user: str = ORDINARY) -> psycopg.Connection:
    """A connection that knows nothing of ricordo but where its tables are."""
    raw = psycopg.connect(shared().dsn(user), autocommit=True)
    raw.execute(f"SET search_path TO {schema_of(url)}")
    return raw
