"""Count what a memory or a space holds, and say which model serves it, and why."""

from ricordo.errors import NotFound
from ricordo.flows.engine import Engine
from ricordo.flows.recall.model_choice import explain_choice
from ricordo.model import Stats


def stats(engine: Engine, space: str | None) -> Stats:
    """Counts of one space, or of the whole memory."""
    if not engine.store.read_only:
        engine.store.settle()
    fingerprints = _fingerprints(engine)
    with engine.store.read() as tx:
        spaces = [s for s in tx.spaces.numbers() if space is None or s.name == space]
        if space is not None and not spaces:
            raise NotFound(f"there is no space {space!r} in this memory")
        counts = [tx.spaces.counts(s.space) for s in spaces]
        embedded = failed = 0
        error: str | None = None
        reason = None
        if space is not None and engine.embedders:
            reason = explain_choice(tx, spaces[0].space, engine.embedders)
        serving: dict[str, None] = {}
        for each in spaces if fingerprints else ():
            for found in tx.embeddings.list_begun(each.space, fingerprints)[:1]:
                embedded += tx.embeddings.count(each.space, found.model.model)
                failed += tx.embeddings.count_failures(each.space, found.model.model)
                error = tx.embeddings.find_error(each.space, found.model.model) or error
                serving[found.model.fingerprint] = None
    sums = [sum(column) for column in zip(*counts, strict=True)] or [0] * 5
    return Stats(
        path=engine.store.url,
        spaces=len(spaces),
        sessions=sums[0],
        events=sums[1],
        entries=sums[2],
        chunks=sums[3],
        embedded=embedded,
        failed=failed,
        signals=sums[4],
        bytes=engine.store.size(),
        model=" and ".join(serving or fingerprints[:1]) or None,
        embedding_error=error,
        model_reason=reason,
    )


def _fingerprints(engine: Engine) -> list[str]:
    """The models in use as far as they are known here; no server is asked."""
    with engine.store.read() as tx:
        kept = [model.fingerprint for model in tx.embeddings.models()]
    known = (embedder.recognise(kept) for embedder in engine.embedders)
    return [fingerprint for fingerprint in known if fingerprint is not None]
