"""Choose the model of a space: the bundled model that reads the language of its texts.

A space with English texts begins with the first model. When its texts are no longer English, the
second model also begins, and becomes the space's model once it has embedded as much. Nothing is
stored about the choice except how far each has come: recall uses the furthest, and of equal ones
the second.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ricordo.core.text.language import is_foreign
from ricordo.store.database import Tx
from ricordo.store.tables.embeddings import ModelRow

if TYPE_CHECKING:
    from ricordo.embed import Embedder

SAMPLE = 64  # texts, spread over the space, that tell its language
_MANY = 0.25  # texts in other languages that make a space one for the second model,
_LEAST = 2  # and how many at least: a greeting decides nothing


class Standing(NamedTuple):
    """How far a model has come in a space."""

    embedder: "Embedder"
    model: ModelRow | None  # as the store knows it; None before it has begun
    upto: int


def standings(tx: Tx, space: int, embedders: Sequence["Embedder"]) -> list[Standing]:
    """Those that have begun with a space, the one it is asked under first; at least the first."""
    known = {embedder.fingerprint: embedder for embedder in embedders}
    begun = tx.embeddings.list_begun(space, list(known))
    found = [Standing(known[each.model.fingerprint], *each) for each in begun]
    return found or [Standing(embedders[0], None, 0)]


def choose_standing(tx: Tx, space: int, embedders: Sequence["Embedder"]) -> Standing:
    """The one that a space is asked under; the first if none has begun."""
    return standings(tx, space, embedders)[0]


def calls_for_second(tx: Tx, space: int, new: Sequence[str]) -> bool:
    """Whether new texts are for the second model, and with them many of the space."""
    return any(is_foreign(text) for text in new) and is_for_second(tx, space)


def is_for_second(tx: Tx, space: int) -> bool:
    """Whether many texts of a space are in languages that the second model is for."""
    last = tx.spaces.state(space).last_chunk
    places = sorted({1 + last * place // SAMPLE for place in range(SAMPLE)})
    found = tx.chunks.near(space, places)
    if len(found) < SAMPLE:  # where much was rewritten, few numbers are left
        found |= {each.chunk: each.text for each in tx.chunks.list_unembedded(space, 0, SAMPLE)}
    foreign = sum(is_foreign(text) for text in found.values())
    return foreign >= _LEAST and foreign > _MANY * len(found)
