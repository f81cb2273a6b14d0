"""Puts our stores in the place of LangGraph's SqliteStore and AsyncSqliteStore."""

import langgraph.store.sqlite as package
import langgraph.store.sqlite.aio as awaitable
import langgraph.store.sqlite.base as blocking

from ricordo.adapters import langgraph as ours


class Store(ours.RicordoStore):
    """Made as theirs is, with a connection that is not used."""

    def __init__(self, conn=None, *, index=None, ttl=None, **_):
        is_ours = hasattr(conn, "space")
        super().__init__(
            conn if is_ours else ours.open_memory(":memory:", index), index=index, ttl=ttl
        )


class AsyncStore(ours.AsyncRicordoStore):
    """Likewise."""

    def __init__(self, conn=None, *, index=None, ttl=None, **_):
        is_ours = hasattr(conn, "space")
        super().__init__(
            conn if is_ours else ours.open_memory(":memory:", index), index=index, ttl=ttl
        )


package.SqliteStore = blocking.SqliteStore = Store
package.AsyncSqliteStore = awaitable.AsyncSqliteStore = AsyncStore
