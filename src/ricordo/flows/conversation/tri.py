"""The relevance leg of profile `tri`: messages of one session near to the query in meaning."""

from collections.abc import Sequence

from ricordo.core.recall import ranking
from ricordo.flows.conversation.context import Limits
from ricordo.flows.engine import Engine
from ricordo.flows.recall.query_vector import embed_query
from ricordo.model import Event
from ricordo.store.database import Tx

_PLACES = 3  # vectors are kept as f16: a cosine is known to about three places


def relevant(
    engine: Engine,
    address: tuple[str, str],
    query: str,
    chosen: Sequence[Event],
    limits: Limits,
) -> list[Event]:
    """Messages not chosen yet whose cosine is strictly above the threshold, the nearest first."""
    if not query.strip() or limits.relevant == 0:
        return []
    meaning = embed_query(engine, address[0], query, "hybrid")
    if meaning is None:
        return []
    known = {event.seq for event in chosen}
    most = limits.relevant + len(known)  # that many may have to be passed over

    def work(tx: Tx) -> list[Event]:
        number = tx.spaces.number(address[0])
        if number is None:
            return []
        with engine.views.fresh(tx, number, meaning.model.model) as view:
            mask = view.select(["message"], session=address[1])
            near = ranking.by_cosine(view, meaning.vector, mask=mask, limit=most)
        above = [item.seq for item in near if round(item.score, _PLACES) > limits.cosine]
        fresh = [seq for seq in above if seq not in known][: limits.relevant]
        found = [tx.events.one(number, address, seq) for seq in fresh]
        return [event for event in found if event is not None]

    return engine.views.read(engine.store, work)
