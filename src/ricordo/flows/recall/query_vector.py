"""The vector of a question, under the model that serves its space."""

import logging
from typing import TYPE_CHECKING, NamedTuple

from ricordo.core.recall.given_vector import check_dimensions
from ricordo.core.text import speaker_names
from ricordo.embed import built_in
from ricordo.errors import RicordoError, StoreError, Unavailable
from ricordo.flows.engine import Engine
from ricordo.flows.recall.model_choice import choose_standing, standings
from ricordo.store.database import Tx
from ricordo.store.tables.embeddings import ModelRow

if TYPE_CHECKING:
    from ricordo.core.recall.growable import Array
    from ricordo.embed import Embedder


_log = logging.getLogger("ricordo")


class QueryVector(NamedTuple):
    """A query's vector, the model it belongs to, and the space that was looked at for it."""

    space: int
    model: ModelRow
    vector: "Array"


class ServingModel(NamedTuple):
    """Which embedder to ask, its model, and the query without the names of speakers."""

    bare: str
    embedder: "Embedder | None" = None
    model: ModelRow | None = None
    is_behind: bool = False  # the active model has not seen all of the space
    space: int = 0


def embed_query(
    engine: Engine, space: str, query: str, mode: str, vector: "Array | None" = None
) -> QueryVector | None:
    """The query's vector under the model that serves this space, or None. `vector` is one that the
    caller made.

    Called without a transaction: it opens a short one to see which model serves.
    """
    if mode == "keyword":
        return None
    if vector is not None:
        return _place_vector(engine, space, vector)
    if not engine.embedders:
        if mode == "vector":
            raise Unavailable(
                "vector recall needs an embedder and this memory was opened without one; "
                "use mode='keyword', or open it with embedder='bundled'"
            )
        return None
    try:
        names_count = mode == "vector"  # the query is embedded as it is
        serving = _find_serving_model(engine, space, query, names_count)
        if serving.is_behind:
            engine.embedding.catch_up(space)
            serving = _find_serving_model(engine, space, query, names_count)
        if mode == "vector":
            _refuse_foreign(engine, space, serving)
        if serving.embedder is None or serving.model is None:
            return None
        with engine.steps.begin("embed", model=serving.embedder.name, purpose="query", records=1):
            found = serving.embedder.embed_query([serving.bare])[0]
        return QueryVector(serving.space, serving.model, found)
    except StoreError:
        raise  # no fault of the model
    except Exception as error:
        # Keyword recall goes on serving while a model fails, whatever it raises.
        if mode != "vector":
            told = "recall in space %r goes by words: the question was not embedded (%r)"
            _log.warning(told, space, error)
            return None
        if isinstance(error, RicordoError):
            raise
        raise Unavailable(
            f"the query cannot be embedded ({error}); recall in mode 'keyword'"
        ) from error


def _place_vector(engine: Engine, space: str, vector: "Array") -> QueryVector | None:
    """A caller's vector under the model of the space, never under an older one that still serves:
    the caller cannot know of that."""
    if not engine.embedders:
        raise Unavailable(
            "vector needs texts that have vectors, and this memory was opened without an embedder; "
            "leave vector out, or open it with the embedder that the vector comes from"
        )
    engine.embedding.reach()

    def work(tx: Tx) -> tuple[QueryVector | None, bool]:
        found = tx.spaces.find(space)
        if found is None:
            return None, False
        number, state = found
        chosen = choose_standing(tx, number, engine.embedders)
        is_behind = chosen.upto < state.last_chunk
        if chosen.model is None:
            return None, is_behind
        return QueryVector(number, chosen.model, vector), is_behind

    placed, is_behind = engine.views.read(engine.store, work)
    if is_behind:
        engine.embedding.catch_up(space)
        placed, _ = engine.views.read(engine.store, work)
    if placed is not None:
        check_dimensions(vector, placed.model.dim, placed.model.fingerprint)
    return placed


def _find_serving_model(engine: Engine, space: str, query: str, names_count: bool) -> ServingModel:
    engine.embedding.reach()

    def work(tx: Tx) -> ServingModel:
        found = tx.spaces.find(space)
        if found is None:
            return ServingModel(query)
        number, state = found
        chosen = _choose_model(engine, tx, number, state.last_chunk)
        if chosen.model is None or names_count:
            return chosen._replace(bare=query, space=number)
        with engine.views.fresh(tx, number, chosen.model.model, state) as view:
            return chosen._replace(
                bare=speaker_names.strip(query, view.people.names()), space=number
            )

    return engine.views.read(engine.store, work)


def _choose_model(engine: Engine, tx: Tx, space: int, last: int) -> ServingModel:
    """The model of the space once it covers it; until then an older one we can still ask."""
    (embedder, active, covered), *others = standings(tx, space, engine.embedders)
    if covered < last or any(each.embedder is engine.embedders[-1] for each in others):
        engine.embedding.wake()  # after a crash or a change of model nothing else may do so
    if covered >= last:
        return ServingModel("", embedder, active)
    for model, upto in tx.embeddings.list_serving(space):
        older = None if model == active or upto <= covered else built_in(model.fingerprint)
        if older is not None:
            return ServingModel("", older, model, is_behind=True)
    return ServingModel("", embedder, active, is_behind=True)


def _refuse_foreign(engine: Engine, space: str, serving: ServingModel) -> None:
    """Vectors of different models are never compared; say so where only another's are there."""
    asked = serving.embedder or engine.embedders[0]
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None or (serving.model and tx.embeddings.count(number, serving.model.model)):
            return
        present = [m for m in tx.embeddings.models() if tx.embeddings.count(number, m.model)]
    if present:
        model = present[0]
        raise Unavailable(
            f"the vectors here are of {model.fingerprint!r} with {model.dim} dimensions, the "
            f"embedder is {asked.fingerprint!r} with {asked.dim}; flush "
            "to embed again, or recall in mode 'keyword' meanwhile"
        )
