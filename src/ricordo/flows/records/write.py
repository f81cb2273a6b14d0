"""Write: puts, deletions and touches of records, however many, in one transaction."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ricordo.core.recall.where import Where, parse_where
from ricordo.core.text.record_paths import Path, decode_path, encode_path
from ricordo.errors import Conflict, InvalidInput
from ricordo.flows.engine import Engine
from ricordo.flows.records.requests import DeleteRequest, GetRequest, PutRequest, Request
from ricordo.flows.writing.append import put as put_chunks
from ricordo.flows.writing.conditions import find_entries
from ricordo.flows.writing.record_rows import (
    NO_TEXTS,
    list_record_values,
    make_past,
    make_record,
    place_chunks,
)
from ricordo.model import Json, Record
from ricordo.store.codec import FIRST, LAST
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import Placed
from ricordo.store.tables.records import Address, PastRow, RecordPage, RecordRow

Result = Record | bool | None
_ALL = -1


def run_requests(
    engine: Engine, space: str, requests: Sequence[Request], *, history: bool = False
) -> list[Result]:
    """Carry out requests in order, all of them or none; what each of them gives."""
    if not requests:
        return []
    now = engine.now()

    def work(tx: Tx) -> list[RecordRow | bool | None]:
        puts = any(isinstance(each, PutRequest) for each in requests)
        number = engine.ensure_space(tx, space) if puts else tx.spaces.number(space)
        if number is None:
            return [False if isinstance(each, DeleteRequest) else None for each in requests]
        batch = _Batch(tx, number, now, history)
        batch.read(requests)
        found = [batch.take(each) for each in requests]
        batch.write()
        return found

    with engine.steps.begin("write_records", space=space, records=len(requests)):
        found = engine.store.write(work)
    if any(isinstance(each, PutRequest) and each.texts != NO_TEXTS for each in requests):
        engine.wake()
    return [_make_result(space, *pair) for pair in zip(requests, found, strict=True)]


def _make_result(space: str, request: Request, found: RecordRow | bool | None) -> Result:
    """What a request gives: a record that was put says what the request has read already."""
    if not isinstance(found, RecordRow):
        return found
    if isinstance(request, PutRequest) and found.value is request.value:
        return make_record(space, found, request.copy)
    return make_record(space, found)


def touch(engine: Engine, space: str, addresses: Iterable[Address], ttl: int | None) -> int:
    """Let records expire later, by `ttl` or by the one they have; how many do."""
    listed = list(dict.fromkeys(addresses))
    now = engine.now()

    def work(tx: Tx) -> int:
        number = tx.spaces.number(space)
        if number is None or not listed:
            return 0
        rows = tx.records.find(number, listed, values=False).values()
        later = [
            (row, wait) for row in rows if _holds(row, now) and (wait := ttl or row.ttl) is not None
        ]
        tx.records.touch(number, [(row.id, _expire(now, wait), wait) for row, wait in later])
        for row, wait in later:
            if row.texts != NO_TEXTS:
                tx.chunks.expire(number, row.id, _expire(now, wait))
        return len(later)

    return engine.store.write(work)


def delete_expired(engine: Engine, space: str) -> int:
    """Delete the records of a space that have expired; how many there were."""

    def work(tx: Tx) -> int:
        number = tx.spaces.number(space)
        ids = [] if number is None else tx.records.list_expired(number, engine.now(), _ALL)
        if number is None or not ids:
            return 0
        rows = tx.records.of(number, ids, FIRST, values=False)
        return len(remove_rows(tx, number, rows.values()))

    return engine.delete(work)


def delete_below(engine: Engine, space: str, prefix: Path, where: Mapping[str, Json] | None) -> int:
    """Delete the records below a path, those that meet the conditions; how many went."""
    begins, asked = encode_path(prefix), parse_where(where)

    def work(tx: Tx) -> int:
        number = tx.spaces.number(space)
        if number is None:
            return 0
        if asked is not None:
            rows = choose_rows(tx, number, begins, asked, engine.now())
            return len(remove_rows(tx, number, rows))
        count, indexed = tx.records.measure(number, begins)
        for id in indexed:
            tx.chunks.delete_entry(number, id)
        tx.records.delete_below(number, begins)
        return count

    return engine.delete(work)


def choose_rows(tx: Tx, space: int, prefix: str, where: Where | None, now: int) -> list[RecordRow]:
    """The records below a path that meet conditions, without their values."""
    rows = tx.records.list(space, RecordPage(prefix, now, values=False))
    if where is None:
        return rows
    chosen = find_entries(tx, space, where)
    return [row for row in rows if (row.id in chosen.items) != chosen.is_complement]


def choose_to_erase(
    below: Path | Address, *, is_key: bool
) -> tuple[str, Callable[[Tx, int], list[RecordRow]]]:
    """What an erasure is about, in words, and how its records are found, expired ones too."""
    if is_key:
        address = (below[0], below[1])
        return describe_address(address), lambda tx, space: list(
            tx.records.find(space, [address], values=True).values()
        )
    page = RecordPage(encode_path(below), FIRST)
    return "/".join(below), lambda tx, space: tx.records.list(space, page)


def remove_rows(tx: Tx, space: int, rows: Iterable[RecordRow]) -> list[int]:
    """Delete records with everything that hangs on them; their numbers."""
    listed = list(rows)
    if not listed:
        return []
    for row in listed:
        if row.texts != NO_TEXTS:
            tx.chunks.delete_entry(space, row.id)
    ids = [row.id for row in listed]
    tx.records.delete(space, ids)
    return ids


def _holds(row: RecordRow, now: int) -> bool:
    return row.expires_at is None or row.expires_at > now


def _expire(now: int, ttl: int) -> int:
    return min(now + ttl, LAST)


def describe_address(address: Address) -> str:
    """An address as messages show it."""
    return "/".join((*decode_path(address[0]), address[1]))


@dataclass(slots=True)
class _Batch:
    """The requests of one transaction: read once, changed in RAM, written once."""

    tx: Tx
    space: int
    now: int
    history: bool
    known: dict[Address, RecordRow] = field(default_factory=dict)  # as the store has them
    state: dict[Address, RecordRow | None] = field(default_factory=dict)  # as they will be
    changed: dict[Address, None] = field(default_factory=dict)
    copies: dict[Address, Json] = field(default_factory=dict)  # of the values that were put
    past: dict[Address, list[PastRow]] = field(default_factory=dict)

    def read(self, requests: Sequence[Request]) -> None:
        """Look up every key that is named."""
        wanted = dict.fromkeys(each.address for each in requests)
        values = self.history or any(
            isinstance(each, GetRequest)
            or (isinstance(each, PutRequest) and (each.if_absent or each.value is not None))
            for each in requests
        )
        self.known = self.tx.records.find(self.space, wanted, values=values)
        self.state = {at: row for at, row in self.known.items() if _holds(row, self.now)}

    def take(self, request: Request) -> RecordRow | bool | None:
        """Carry out one request."""
        row = self.state.get(request.address)
        if isinstance(request, GetRequest):
            return row
        if isinstance(request, DeleteRequest):
            if row is not None:
                self._change(request.address, None)
                self.past.pop(request.address, None)
            return row is not None
        return self._put(request, row)

    def _put(self, request: PutRequest, old: RecordRow | None) -> RecordRow:
        held = 0 if old is None else old.revision
        if old is not None and request.if_absent:
            return old
        if request.if_revision is not None and request.if_revision != held:
            told = f"has revision {held}" if held else "is absent"
            raise Conflict(
                f"record {describe_address(request.address)!r} {told}, not revision "
                f"{request.if_revision}; read it again, then write"
            )
        at = self.now if old is None else max(self.now, old.updated_at)
        if old is not None and self.history:
            self.past.setdefault(request.address, []).append(make_past(old, at))
        path, key = request.address
        row = RecordRow(
            path,
            key,
            0 if old is None else old.id,
            held + 1,
            at if old is None else old.created_at,
            at,
            None if request.ttl is None else _expire(at, request.ttl),
            request.ttl,
            request.origin,
            request.texts,
            request.metadata,
            request.value,
            request.bytes,
        )
        self._change(request.address, row)
        self.copies[request.address] = request.copy
        return row

    def _change(self, address: Address, row: RecordRow | None) -> None:
        self.state[address] = row
        self.changed[address] = None

    def write(self) -> None:
        """Write what has changed: rows, the values that conditions find, texts, revisions."""
        rows = self._number([row for at in self.changed if (row := self.state[at]) is not None])
        kept = {row.id for row in rows}
        old = {at: row for at in self.changed if (row := self.known.get(at)) is not None}
        remove_rows(self.tx, self.space, [row for row in old.values() if row.id not in kept])
        before = {row.id: row for row in old.values() if row.id in kept}
        self.tx.records.put(self.space, rows)
        self._list_values(rows, before)
        put_chunks(self.tx, self.space, self._place(rows, before))
        self._keep_past({(row.path, row.key): row.id for row in rows})

    def _list_values(self, rows: list[RecordRow], before: dict[int, RecordRow]) -> None:
        """What conditions find; where it says what it said, what is listed stays."""
        changed = [
            row
            for row in rows
            if (old := before.get(row.id)) is None
            or (old.metadata or old.value) != (row.metadata or row.value)
        ]
        self.tx.metadata.replace_records(
            self.space,
            [row.id for row in changed if row.id in before],
            [(row.id, list_record_values(row, self.copies[row.path, row.key])) for row in changed],
        )

    def _number(self, rows: list[RecordRow]) -> list[RecordRow]:
        """New records get their numbers; one that was deleted in this batch was new again."""
        new = sum(row.id == 0 for row in rows)
        if not new:
            return rows
        next_id = self.tx.spaces.next_entry(self.space, new)
        numbered = []
        for row in rows:
            if row.id == 0:
                row = RecordRow._make((*row[:2], next_id, *row[3:]))  # half of _replace
                next_id += 1
            numbered.append(row)
        return numbered

    def _place(self, rows: list[RecordRow], before: dict[int, RecordRow]) -> list[Placed]:
        """The new chunks; texts that did not change keep theirs, with their vectors."""
        placed: list[Placed] = []
        for row in rows:
            old = before.get(row.id)
            if old is not None and (old.texts, old.origin) == (row.texts, row.origin):
                if row.texts != NO_TEXTS and row.expires_at != old.expires_at:
                    self.tx.chunks.expire(self.space, row.id, row.expires_at)
                continue
            if old is not None and old.texts != NO_TEXTS:
                self.tx.chunks.delete_entry(self.space, row.id)
            if row.texts != NO_TEXTS:
                placed += place_chunks(row)
        return placed

    def _keep_past(self, ids: dict[Address, int]) -> None:
        rows = [
            row._replace(record=ids[address])
            for address, earlier in self.past.items()
            for row in earlier
        ]
        if rows:
            self.tx.records.keep(self.space, rows)


def refuse_prefix_and_keys(keys: object, prefix: object, where: object) -> None:
    """Either keys are given, or a prefix and conditions."""
    if keys is None and prefix is None and where is None:
        raise InvalidInput("delete_many was given nothing; give keys, a prefix or conditions")
    if keys is not None and (prefix is not None or where is not None):
        raise InvalidInput("keys and a prefix or where exclude each other; give one of them")
