"""Puts our store in the place of LangGraph's InMemoryStore."""

import langgraph.store.memory as package

from ricordo.adapters import langgraph as ours


class Store(ours.RicordoStore):
    """Made as theirs is: without a connection."""

    def __init__(self, *, index=None):
        super().__init__(ours.open_memory(":memory:", index), index=index)


package.InMemoryStore = Store
