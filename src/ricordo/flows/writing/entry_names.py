"""Names of entries: from a name, an alias, a uid or an id to the entry."""

from ricordo.core.integrity import ids
from ricordo.core.text import content as text
from ricordo.errors import InvalidInput, NotFound, shorten
from ricordo.store.database import Tx

_LARGEST_ID = 2**63 - 1


def locate(tx: Tx, space: str, name: str | int) -> tuple[int, int]:
    """The numbers of a space and of the entry a name, alias, id or uid leads to."""
    number = tx.spaces.number(space)
    entry = None if number is None else resolve(tx, number, name)
    if number is None or entry is None:
        raise NotFound(f"there is no entry {name!r} in space {space!r}")
    return number, entry


def resolve(tx: Tx, space: int, name: str | int) -> int | None:
    """The entry behind a name or alias; failing that, behind a uid or an id."""
    name = address(name)
    if isinstance(name, int):
        return name if tx.entries.row(space, name) else None
    found = tx.entries.resolve(space, name)
    if found is None and ids.is_uuid(name):
        found = tx.entries.by_uid(space, name.lower())
    if found is None and name.isascii() and name.isdigit() and len(name) < 19:
        found = int(name) if tx.entries.row(space, int(name)) else None
    return found


def address(name: object) -> str | int:
    """What an entry can be asked for by; whether there is one is another question."""
    if isinstance(name, int) and not isinstance(name, bool):
        return min(max(name, 0), _LARGEST_ID)  # beyond these there is no entry, and no column
    if not isinstance(name, str):
        raise InvalidInput(f"{shorten(name)} is not a name; give a name, an alias, an id or a uid")
    return text.clean(name, "name")
