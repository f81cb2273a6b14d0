"""Choose the model of a space: the bundled model that reads the language of its texts.

A space with English texts begins with the first model. When its texts are no longer English, the
second model also begins, and becomes the space's model once it has embedded as much. Nothing is
stored about the choice except how far each has come: recall uses the furthest, and of equal ones
the second.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ricordo.core.text.language import is_for_second_model
from ricordo.core.text.tokens import words
from ricordo.embed.vocabulary import list_english_words
from ricordo.store.database import Tx
from ricordo.store.tables.embeddings import ModelRow

if TYPE_CHECKING:
    from ricordo.embed import Embedder

SAMPLE = 64  # texts, spread over the space, that tell its language
_MANY = 0.25  # texts in other languages that make a space one for the second model,
_LEAST = 2  # and how many at least: a greeting decides nothing
RECENT = 16  # the newest texts, which tell that a space changes its language
_MOST_RECENT = 0.5  # of these have to be in other languages


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
    return any(map(_is_foreign, new)) and is_for_second(tx, space)


def is_for_second(tx: Tx, space: int) -> bool:
    """Whether many texts of a space are in languages that the second model is for.

    Texts from all over the space count, and so do the newest: a space may change its language.
    """
    last = tx.spaces.state(space).last_chunk
    newest = tx.chunks.near(space, range(max(1, last - RECENT + 1), last + 1))
    if _is_many(newest.values(), _MOST_RECENT):
        return True
    places = sorted({1 + last * place // SAMPLE for place in range(SAMPLE)})
    found = tx.chunks.near(space, places)
    if len(found) < SAMPLE:  # where much was rewritten, few numbers are left
        found |= {each.chunk: each.text for each in tx.chunks.list_unembedded(space, 0, SAMPLE)}
    return _is_many(found.values(), _MANY)


def _is_many(texts: Collection[str], share: float) -> bool:
    foreign = sum(map(_is_foreign, texts))
    return foreign >= _LEAST and foreign > share * len(texts)


def _is_foreign(text: str) -> bool:
    return is_for_second_model(words(text), list_english_words)
