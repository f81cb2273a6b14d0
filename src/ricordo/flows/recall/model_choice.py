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
    if _is_many(_list_newest(tx, space), _MOST_RECENT):
        return True
    return _is_many(_list_sample(tx, space), _MANY)


def explain_choice(tx: Tx, space: int, embedders: Sequence["Embedder"]) -> str:
    """Why a space is asked under the model that it is asked under, in words."""
    if len(embedders) == 1:
        return "it is the model of this memory"
    first, *more = standings(tx, space, embedders)
    newest, sample = _list_newest(tx, space), _list_sample(tx, space)
    seen = (
        f"texts that are not English: {_count_foreign(newest)} of the newest {len(newest)}, "
        f"{_count_foreign(sample)} of {len(sample)} from all over the space"
    )
    if first.embedder is not embedders[0]:
        return f"{seen}; once chosen, it stays"
    if more:
        return f"{seen}; {more[0].embedder.fingerprint} is catching up"
    return seen


def _list_newest(tx: Tx, space: int) -> Collection[str]:
    last = tx.spaces.state(space).last_chunk
    return tx.chunks.near(space, range(max(1, last - RECENT + 1), last + 1)).values()


def _list_sample(tx: Tx, space: int) -> Collection[str]:
    last = tx.spaces.state(space).last_chunk
    places = sorted({1 + last * place // SAMPLE for place in range(SAMPLE)})
    found = tx.chunks.near(space, places)
    if len(found) < SAMPLE:  # where much was rewritten, few numbers are left
        found |= {each.chunk: each.text for each in tx.chunks.list_unembedded(space, 0, SAMPLE)}
    return found.values()


def _is_many(texts: Collection[str], share: float) -> bool:
    foreign = _count_foreign(texts)
    return foreign >= _LEAST and foreign > share * len(texts)


def _count_foreign(texts: Collection[str]) -> int:
    return sum(map(_is_foreign, texts))


def _is_foreign(text: str) -> bool:
    return is_for_second_model(words(text), list_english_words)
