"""Read: records by key, in lists and by path. Each is one read transaction."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ricordo.core.recall.where import Where, parse_where
from ricordo.core.text.record_paths import Path, check_path, cut_paths, decode_path, encode_path
from ricordo.errors import InvalidInput, shorten
from ricordo.flows.engine import Engine, one_of, whole
from ricordo.flows.writing.conditions import find_entries
from ricordo.flows.writing.record_rows import make_earlier, make_record
from ricordo.model import RECORD_ORDERS, Json, Record
from ricordo.store.database import Tx
from ricordo.store.tables.records import Address, RecordPage, RecordPlace, RecordRow

MOST = 2**31
_ALL = -1


class ListRequest(NamedTuple):
    """Which records to list, and what of them."""

    prefix: Path
    where: Where | None
    order: str
    limit: int
    offset: int
    values: bool
    paths: int | None


def read_list(
    path: Path,
    prefix: object,
    where: Mapping[str, Json] | None,
    order: object,
    page: tuple[int | None, int],
    *,
    values: bool,
    paths: int | None,
) -> ListRequest:
    """The request of a list, or InvalidInput."""
    limit, offset = page
    if paths is not None and order not in ("key", "-key"):
        raise InvalidInput(f"order is {shorten(order)}, and paths= needs 'key' or '-key'")
    return ListRequest(
        join_prefix(path, prefix),
        parse_where(where),
        one_of(order, "order", RECORD_ORDERS),
        _ALL if limit is None else whole(limit, "limit", 0, MOST),
        whole(offset, "offset", 0, MOST),
        bool(values),
        None if paths is None else whole(paths, "paths", 1, MOST),
    )


def join_prefix(path: Path, prefix: object) -> Path:
    """A prefix given to the handle of a path."""
    return (*path, *check_path(prefix, "prefix"))


def get(engine: Engine, space: str, address: Address) -> Record | None:
    """The record of a key, or None."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        row = None if number is None else tx.records.get(number, address, engine.now())
    return None if row is None else make_record(space, row)


def get_many(engine: Engine, space: str, addresses: Sequence[Address]) -> list[Record | None]:
    """The records of keys, in their order; None where there is none."""
    now = engine.now()
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None or not addresses:
            return [None] * len(addresses)
        rows = tx.records.find(number, dict.fromkeys(addresses), values=True)
    held = {
        at: make_record(space, row)
        for at, row in rows.items()
        if row.expires_at is None or row.expires_at > now
    }
    return [held.get(address) for address in addresses]


def list_records(engine: Engine, space: str, asked: ListRequest) -> list[Record]:
    """Records below a path, in order."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None or asked.limit == 0:
            return []
        rows = _find_rows(tx, number, asked, engine.now())
    return [make_record(space, row) for row in rows]


def _find_rows(tx: Tx, space: int, asked: ListRequest, now: int) -> list[RecordRow]:
    prefix = encode_path(asked.prefix)
    if asked.where is None:
        cut = (asked.order, asked.limit, asked.offset, asked.values, asked.paths)
        return tx.records.list(space, RecordPage(prefix, now, *cut))
    chosen = find_entries(tx, space, asked.where)
    if chosen.is_complement:
        places = tx.records.places(space, prefix, now)
        places = [place for place in places if place.id not in chosen.items]
    else:
        places = tx.records.places(space, prefix, now, chosen.items)
    places = _sort(places, asked.order)
    if asked.paths is not None:
        first = set(list(dict.fromkeys(place.path for place in places))[: asked.paths])
        places = [place for place in places if place.path in first]
    ids = [place.id for place in places]
    end = None if asked.limit == _ALL else asked.offset + asked.limit
    ids = ids[asked.offset : end]
    rows = tx.records.of(space, ids, now, values=asked.values)
    return [rows[id] for id in ids if id in rows]


def _sort(places: Sequence[RecordPlace], order: str) -> list[RecordPlace]:
    is_by_key = order.endswith("key")
    return sorted(
        places,
        key=lambda place: (place.path, place.key) if is_by_key else (place.updated_at, place.id),
        reverse=order.startswith("-"),
    )


def paths(engine: Engine, space: str, path: Path, prefix: object, depth: int | None) -> list[Path]:
    """The paths below a path that hold records, from the path on."""
    below = join_prefix(path, prefix)
    most = None if depth is None else len(path) + whole(depth, "depth", 1, MOST)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        found = tx.records.paths(number, encode_path(below), engine.now())
    return [each[len(path) :] for each in cut_paths(map(decode_path, found), most)]


def history(engine: Engine, space: str, address: Address) -> list[Record]:
    """What a record said before, the first one first."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        row = None if number is None else tx.records.get(number, address, engine.now())
        if number is None or row is None:
            return []
        past = tx.records.history(number, row.id)
    return [make_earlier(space, row, each) for each in past]
