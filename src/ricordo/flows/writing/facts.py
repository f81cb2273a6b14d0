"""Facts: entries under a category and key, of which the last word holds."""

from collections.abc import Mapping

from ricordo.core.learning import fact_keys
from ricordo.errors import Conflict
from ricordo.flows.engine import Engine, check_name
from ricordo.flows.writing.read import holds
from ricordo.flows.writing.remember import add, load, revise
from ricordo.flows.writing.show_writes import show_entry_write
from ricordo.flows.writing.wishes import EntryWish, amend_wish, checked_wish
from ricordo.model import Entry, Json
from ricordo.store.codec import loads
from ricordo.store.database import Tx

DREAM = "dream"
CONSOLIDATION = "consolidation"  # the source of a fact that was worked out, by its document
DREAMT = "consolidated"  # metadata of a fact worked out from sources less trusted than a dream
SAID_AT = "said_at"  # metadata of such a fact: when its source was said, in microseconds


@show_entry_write("remember")
def fact(engine: Engine, space: str, category: str, key: str, wish: EntryWish) -> Entry:
    """State a fact; the last word of a category and key is the one that holds."""
    category, key = check_name(category, "category"), fact_keys.key(check_name(key, "key"))
    now = engine.now()
    checked = checked_wish(engine, wish)

    def work(tx: Tx) -> Entry:
        number = engine.ensure_space(tx, space)
        return load(tx, number, space, put(tx, number, (category, key), checked, now))

    entry = engine.store.write(work)
    engine.wake()
    return entry


def put(tx: Tx, space: int, address: tuple[str, str], wish: EntryWish, now: int) -> int:
    """Write a checked fact under its category and key, or under a key that means the same."""
    category, key = address
    name = name_of(category, _known_key(tx, space, category, key) or key)
    known = tx.entries.resolve(space, name)
    told = amend_wish(wish, name=name, kind="fact", category=category)
    if known is None:
        return add(tx, space, told, now)
    _refuse_dreamt(tx, space, known, told, name)
    return revise(tx, space, known, told, now)


def find(engine: Engine, space: str, category: str, key: str) -> Entry | None:
    """The fact under a category and key, or under a key that means the same."""
    category, key = check_name(category, "category"), fact_keys.key(check_name(key, "key"))
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        found = None if number is None else _known_key(tx, number, category, key)
        if number is None or found is None:
            return None
        entry = tx.entries.resolve(number, name_of(category, found))
        known = None if entry is None else load(tx, number, space, entry)
        return known if known is not None and holds(known, engine.now()) else None


def name_of(category: str, key: str) -> str:
    return f"{category}/{key}"


def _known_key(tx: Tx, space: int, category: str, key: str) -> str | None:
    prefix = name_of(category, "")
    names = tx.entries.facts(space, category)
    held = [name.removeprefix(prefix) for name in names if name.startswith(prefix)]
    return fact_keys.find_key(key, held)


def _refuse_dreamt(tx: Tx, space: int, entry: int, wish: EntryWish, name: str) -> None:
    """What was worked out in the background never overrules what somebody said."""
    row = tx.entries.row(space, entry)
    if row is None or not _is_derived(wish.origin, wish.source, wish.metadata or {}):
        return
    held = loads(row.metadata)
    if not _is_derived(row.origin, row.source, held):
        raise Conflict(f"{name!r} was stated by {row.origin}; a dreamt fact does not replace it")
    if _is_earlier(wish.metadata or {}, held):
        raise Conflict(f"{name!r} comes from a later statement; an earlier one does not replace it")


def _is_earlier(metadata: Mapping[str, Json], held: Mapping[str, Json]) -> bool:
    """Whether a derived fact was said before the one that holds, where both are known."""
    said, known = metadata.get(SAID_AT), held.get(SAID_AT)
    return isinstance(said, int) and isinstance(known, int) and said < known


def _is_derived(origin: str | None, source: str | None, metadata: Mapping[str, Json]) -> bool:
    return origin == DREAM or source == CONSOLIDATION or metadata.get(DREAMT) is True
