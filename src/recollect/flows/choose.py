"""Choose the model of a space: of the bundled ones the one that reads the language of its texts.

Nothing is kept about the choice but the vectors themselves: a space is asked under the model that
has come furthest in it, and that is the one its newest texts were given to.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from recollect.core.language import foreign_share
from recollect.store.database import Tx
from recollect.store.embeddings import Model

if TYPE_CHECKING:
    from recollect.embed import Embedder

SAMPLE = 64  # texts, spread over the space, that tell its language
_MANY = 0.25  # texts in other languages that make a space one for the second model,
_FEW = 0.1  # and how few may be left before it is one for the first again


class Standing(NamedTuple):
    """How far a model has come in a space."""

    embedder: "Embedder"
    model: Model | None  # as the store knows it; None before its first vector
    upto: int


def standing(tx: Tx, space: int, embedders: Sequence["Embedder"]) -> Standing:
    """The embedder whose model has come furthest; the first if none has begun."""
    known = {embedder.fingerprint: embedder for embedder in embedders}
    found = tx.embeddings.furthest(space, list(known))
    if found is None:
        return Standing(embedders[0], None, 0)
    return Standing(known[found.model.fingerprint], *found)


def suited(
    tx: Tx, space: int, embedders: Sequence["Embedder"], now: Standing, last: int, new: list[str]
) -> Standing:
    """The embedder for new texts: most spaces speak one language, and are given to one model.

    Only where the new texts are not what the model reads best is the rest of the space looked at.
    """
    if len(embedders) == 1:
        return now
    first, second = embedders
    share = foreign_share(new)
    if share == (1.0 if now.embedder is second else 0.0):
        return now
    places = {1 + last * place // SAMPLE for place in range(SAMPLE)}
    share = foreign_share([*new, *tx.chunks.texts(space, sorted(places))])
    wanted = second if share > _MANY else first if share < _FEW else now.embedder
    return now if wanted is now.embedder else standing(tx, space, [wanted])
