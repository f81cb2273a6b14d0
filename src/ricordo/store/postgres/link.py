"""The way to a PostgreSQL server: its URL, the settings of a connection, its errors as ours."""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from ricordo.errors import (
    Busy,
    Corrupt,
    InvalidInput,
    RicordoError,
    StoreError,
    Unavailable,
    without_password,
)
from ricordo.store.postgres import partitions as postgres_partitions

try:
    import psycopg
    from psycopg import RawCursor, sql
    from psycopg.types.numeric import (
        FloatBinaryDumper,
        Int8BinaryDumper,
        NumericBinaryLoader,
    )
    from psycopg.types.string import BytesBinaryDumper, StrBinaryDumper
except ImportError as error:
    raise Unavailable(
        f"a memory on PostgreSQL needs its driver ({error}); run: pip install 'ricordo[postgres]'"
    ) from error

Raw = psycopg.Connection[tuple[Any, ...]]

SCHEMA = "ricordo"
PATIENCE_SECONDS = 60.0  # how long to queue behind others, or wait for a server to come back
PREPARED = 400  # statements; the catalogue has some 200, with and without NULLs

_CONNECT_SECONDS = 10
_SAFE_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}")
# A client that stands still must not keep a space locked for ever.
_SETTINGS = {
    "jit": "off",
    "lock_timeout": f"{PATIENCE_SECONDS:.0f}s",
    "idle_in_transaction_session_timeout": "300s",
}
_NO_HINTS = "none"  # ?listen=none
_AGAIN = ("40001", "40P01")  # serialisation failure, deadlock
_LOST = ("57P01", "57P02", "57P03", "08")  # the server goes down, or the connection did
_DAMAGED = ("XX001", "XX002")


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """A URL taken apart: what the driver gets, where our tables are, what may be shown."""

    conninfo: str
    schema: str
    options: str
    shown: str
    partitions: int | None = None  # when the tables are made; None is none, or as they are
    listen: str | None = None  # where hints are heard, if not there; "" is nowhere

    @classmethod
    def of(cls, url: str) -> "PostgresAddress":
        parts = urlsplit(url)
        given = parse_qsl(parts.query, keep_blank_values=True)
        query = dict(given)
        schema = query.pop("schema", SCHEMA)
        options = query.pop("options", "")
        cut = query.pop("partitions", None)
        listen = query.pop("listen", None)
        if not _SAFE_SCHEMA.fullmatch(schema) or schema.startswith("pg_"):
            raise InvalidInput(
                f"schema {schema!r} is not valid; give lower-case letters, digits and _"
            )
        bare = f"postgresql://{parts.netloc}{parts.path}?{urlencode(query, quote_via=quote)}"
        _check_conninfo(bare, url)
        partitions = None if cut is None else postgres_partitions.read_count(cut)
        if listen is not None:
            listen = "" if listen == _NO_HINTS else _check_conninfo(listen, listen)
        return cls(bare, schema, options, without_password(url), partitions, listen)

    @property
    def settings(self) -> dict[str, str | None]:
        """What holds in each of our transactions; None where the URL says otherwise."""
        jit, lock, idle = (
            None if re.search(rf"\b{name}\s*=", self.options) else value
            for name, value in _SETTINGS.items()
        )
        return {"schema": self.schema, "jit": jit, "lock_timeout": lock, "idle_timeout": idle}


def _check_conninfo(conninfo: str, url: str) -> str:
    try:
        psycopg.conninfo.conninfo_to_dict(conninfo)
    except psycopg.Error as error:
        raise InvalidInput(
            f"{without_password(url)} is not a URL of PostgreSQL: {str(error).strip()}"
        ) from error
    return conninfo


class _Whole(NumericBinaryLoader):
    """Sums of whole numbers are numeric to PostgreSQL; to us they are numbers like any other."""

    def load(self, data: Any) -> Any:  # the signature of the driver
        found = super().load(data)
        return int(found) if found == found.to_integral_value() else float(found)


class _Flag(Int8BinaryDumper):
    """True and False are 1 and 0 in the catalogue."""

    def dump(self, obj: Any) -> Any:
        return super().dump(int(obj))


def connect(address: PostgresAddress, conninfo: str | None = None) -> Raw:
    """One connection, ready for our queries. Each transaction brings its own settings."""
    raw: Raw = psycopg.connect(
        conninfo or address.conninfo,
        autocommit=True,  # transactions begin and end where we say so
        cursor_factory=RawCursor,
        options=address.options or None,
        connect_timeout=_CONNECT_SECONDS,
        prepare_threshold=2,
    )
    raw.prepared_max = PREPARED
    _teach(raw)
    return raw


def _teach(raw: Raw) -> None:
    """Tell the driver how values travel: in binary, each kind with one type."""
    for kind, dumper in (
        (int, Int8BinaryDumper),
        (bool, _Flag),
        (float, FloatBinaryDumper),
        (str, StrBinaryDumper),
        (bytes, BytesBinaryDumper),
    ):
        raw.adapters.register_dumper(kind, dumper)
    raw.adapters.register_loader("numeric", _Whole)


def identifier(*names: str) -> sql.Identifier:
    return sql.Identifier(*names)


def is_worth_repeating(error: BaseException) -> bool:
    """Whether the same work can succeed if it is done again from the start."""
    if not isinstance(error, psycopg.Error):
        return False
    return (error.sqlstate or "") in _AGAIN or is_lost(error)


def is_lost(error: BaseException) -> bool:
    """Whether the connection failed rather than the statement."""
    if not isinstance(error, psycopg.OperationalError):
        return False
    return error.sqlstate is None or error.sqlstate.startswith(_LOST)


def server_words(error: psycopg.Error) -> str:
    """The server's own words, without the statement they were about."""
    return (error.diag.message_primary or str(error)).strip().splitlines()[0]


@contextlib.contextmanager
def translate_errors(shown: str) -> Iterator[None]:
    """Raise the driver's errors as ours."""
    try:
        yield
    except RicordoError:
        raise
    except psycopg.Error as error:
        raise _ours(shown, error) from error


def _ours(shown: str, error: psycopg.Error) -> StoreError:
    state = error.sqlstate or ""
    if state in _AGAIN or state == "55P03":
        return Busy(f"{shown} is busy: others kept what was asked for; try again")
    if is_lost(error):
        return StoreError(f"{shown} cannot be reached ({server_words(error)}); is the server up?")
    if state in _DAMAGED:
        return Corrupt(f"{shown} is damaged ({server_words(error)}); restore a backup")
    if state == "42501":
        return StoreError(f"{shown}: the role may not do this ({server_words(error)}); grant it")
    if state == "25006":
        return StoreError(f"{shown} is read-only, as a standby is; open its primary to write")
    if state.startswith("53"):
        return StoreError(f"{shown} has no room left ({server_words(error)}); nothing was kept")
    return StoreError(f"{shown}: {server_words(error)}")
