"""Embedding work: which spaces have some, and for which model. One look finds it in any number.

A space that grew is marked for all models at once. Whoever has nothing more to embed in it divides
the mark: other models that are known get one of their own, and ours stays only for what is left.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ricordo.flows.recall import model_choice
from ricordo.store.codec import LAST
from ricordo.store.database import Tx
from ricordo.store.tables.embeddings import ModelRow
from ricordo.store.tables.pending import GROWN
from ricordo.store.tables.spaces import Numbered

if TYPE_CHECKING:
    from ricordo.embed import Embedder

LOOK = 64  # spaces found by one look
_ALL = 2**31


def find_spaces(tx: Tx, models: Iterable[ModelRow], now: int) -> Iterator[Numbered]:
    """Spaces with work for one of the models: grown ones first, then what is left to do."""
    for model in (GROWN, *(each.model for each in models)):
        yield from tx.pending.look(model, now, LOOK)


def list_waiting(tx: Tx, models: Iterable[ModelRow]) -> list[Numbered]:
    """Every space with work for one of the models, now or later."""
    found = [
        space
        for model in (GROWN, *(each.model for each in models))
        for space in tx.pending.look(model, LAST, _ALL)
    ]
    return sorted(set(found))


def is_introduced(tx: Tx, model: ModelRow) -> bool:
    """Whether the spaces that were there before a model have been marked for it."""
    return tx.spaces.get_setting(_key(model)) is not None


def introduce(tx: Tx, model: ModelRow) -> None:
    """Mark every space for a model that is filed, in a later transaction than filed it.

    Only then nobody divides a mark without knowing the model after we have looked.
    """
    tx.pending.mark_all()
    tx.spaces.set(_key(model), "1")


def divide(tx: Tx, space: int, embedders: Sequence["Embedder"]) -> None:
    """Note for each model from when on it has work in a space; part of a write to it."""
    ours = {embedder.fingerprint for embedder in embedders}
    listed = tx.pending.list_pending(space)
    for model in tx.embeddings.models():
        if model.fingerprint in ours:
            at = _next_at(tx, space, model, embedders)
            if listed.get(model.model) != at:
                tx.pending.set(space, model.model, at)
        elif GROWN in listed:
            tx.pending.set(space, model.model, 0)
    if GROWN in listed:
        tx.pending.set(space, GROWN, None)


def _next_at(tx: Tx, space: int, model: ModelRow, embedders: Sequence["Embedder"]) -> int | None:
    """When one of our models has work in a space: at once, at its next retry, or never."""
    last = tx.spaces.state(space).last_chunk
    first, *others = model_choice.standings(tx, space, embedders)
    retry = tx.embeddings.next_try(space, model.model)
    if first.embedder.fingerprint == model.fingerprint:
        return 0 if first.upto < last else retry
    successors = [each for each in others if each.model == model]
    if any(takes_over(tx, space, each, embedders) for each in successors):
        return 0 if retry is None else retry
    return retry


def takes_over(
    tx: Tx, space: int, standing: model_choice.Standing, embedders: Sequence["Embedder"]
) -> bool:
    """Whether a model that has begun is to become the model of a space."""
    is_last = standing.embedder is embedders[-1] and standing.model is not None
    return is_last and model_choice.is_for_second(tx, space)


def _key(model: ModelRow) -> str:
    return f"embedding:{model.model}"
