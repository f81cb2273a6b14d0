"""Unnamed entries: the name of an entry that was given none follows from what it says.

So the same text, said again without a name, leads to the entry that says it already. The name holds
a keyed digest: without the memory nobody can tell what it stands for.
"""

from ricordo.core.integrity import ids
from ricordo.flows.writing.wishes import EntryWish
from ricordo.store.codec import loads
from ricordo.store.database import Tx
from ricordo.store.tables.entries import EntryRow

UNNAMED = "note-"  # what such a name begins with
_OWN = ("agent", "user")  # what a wish without an origin may repeat
_MOST = 16  # entries of one text with a name of this form


def find_name(tx: Tx, space: int, wish: EntryWish, now: int, uid: str) -> str:
    """The name of the entry that says what a wish says, or a free one; after `_MOST` the uid's."""
    secret = tx.spaces.secret(space).hex()
    for number in range(_MOST):
        name = UNNAMED + ids.uuid8(secret, wish.kind, wish.content, str(number))
        known = tx.entries.resolve(space, name)
        row = None if known is None else tx.entries.row(space, known)
        if row is None or _is_said(row, wish, now):
            return name
    return UNNAMED + uid


def _is_said(row: EntryRow, wish: EntryWish, now: int) -> bool:
    """Whether an entry says what a wish says, so that nothing is lost if they are the same."""
    if (row.content, row.kind) != (wish.content, wish.kind):
        return False  # it was rewritten
    if row.expires_at is not None and row.expires_at <= now:
        return False
    tags, metadata = loads(row.tags), loads(row.metadata)
    return (
        row.category == (wish.category or "core")
        and row.origin in ((wish.origin,) if wish.origin else _OWN)
        and row.source in ("", wish.source or row.source)
        and (not tags or wish.tags is None or sorted(wish.tags) == sorted(tags))
        and (not metadata or wish.metadata is None or dict(wish.metadata) == metadata)
    )
