"""What a recall could not compare by meaning yet: texts without a vector, counted and reported."""

import logging

from ricordo.flows.engine import Engine
from ricordo.flows.recall.model_choice import choose_standing
from ricordo.flows.recall.query_vector import QueryVector
from ricordo.model import Hits
from ricordo.store.database import Tx

_log = logging.getLogger("ricordo")


def count_pending(
    engine: Engine, tx: Tx, space: int, mode: str, meaning: QueryVector | None
) -> int:
    """Texts of a space without a vector of the model that it is asked under."""
    if mode == "keyword" or not engine.embedders:
        return 0
    if meaning is None:
        upto = choose_standing(tx, space, engine.embedders).upto
    else:
        upto = tx.embeddings.upto(space, meaning.model.model)
    return tx.chunks.count_after(space, upto) if upto < tx.spaces.state(space).last_chunk else 0


def report_pending(space: str, hits: Hits) -> None:
    """Log that an answer is not complete; an empty one deserves a warning."""
    if hits.pending:
        level = logging.INFO if hits else logging.WARNING
        told = "recall in space %r could not compare %d texts by meaning: they have no vector yet"
        _log.log(level, told + "; flush() waits for them", space, hits.pending)
