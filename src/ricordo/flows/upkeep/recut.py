"""Recut: documents that another version cut get the chunks of the present one.

Each goes in a short transaction of its own, and answers with its old chunks until then.
"""

from ricordo.core.text import passages
from ricordo.flows.documents import cut_again
from ricordo.flows.engine import Engine


def recut(engine: Engine, space: tuple[str, int], *, dry_run: bool = False) -> int:
    """Cut the outdated documents of a space again; how many there were."""
    name, number = space
    done = after = 0
    while True:
        with engine.store.read() as tx:
            row = tx.documents.find_outdated(number, passages.VERSION, after)
        if row is None:
            return done
        done += dry_run or cut_again(engine, name, row)
        after = row.id
