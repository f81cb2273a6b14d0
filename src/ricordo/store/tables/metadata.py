"""Metadata: the values that callers hang on things, one by one and by key, so that they are found.

The metadata itself stands whole in its own row; what is here is derived from it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from sys import float_info
from typing import TYPE_CHECKING, NamedTuple

from ricordo.model import Json
from ricordo.store.codec import loads

if TYPE_CHECKING:
    from ricordo.store.database import Tx

MOST_VALUES = 64  # of one thing, those nearest to the top first
_SCALARS = (str, int, float, type(None))
LONGEST_KEY = 128  # characters; longer keys are not listed, and cannot be asked for
LONGEST_TEXT = 256  # characters that can be asked for; of a longer text one more is kept
IN_BODY = '"metadata":'  # stands in the body of every event that has some
_EXACT = 2**53  # from here on, floats skip whole numbers
_OTHER_DIGITS = str.maketrans("0123456789", "9876543210")
_OF_ENTRIES = {
    "$exists": "entry_values.holding",
    "$in": "entry_values.equal",
    "$gt": "entry_values.above",
    "$gte": "entry_values.from",
    "$lt": "entry_values.below",
    "$lte": "entry_values.upto",
}
_OF_EVENTS = {
    "$exists": "event_values.holding",
    "$in": "event_values.equal",
    "$gt": "event_values.above",
    "$gte": "event_values.from",
    "$lt": "event_values.below",
    "$lte": "event_values.upto",
}


class StoredValue(NamedTuple):
    """A value so that every backend orders it alike: by type, then by number and text."""

    type: str
    number: float = 0.0
    text: str = ""


def pack_value(value: Json) -> StoredValue:
    """A value as it stands in the tables; objects and lists say only that they are there."""
    if isinstance(value, str):
        return StoredValue("text", 0.0, value[: LONGEST_TEXT + 1])
    if type(value) is int and -_EXACT < value < _EXACT:  # most numbers
        return StoredValue("number", float(value))
    if value is None:
        return StoredValue("null")
    if isinstance(value, bool):
        return StoredValue("boolean", float(value))
    if isinstance(value, int | float):
        return StoredValue("number", *_pack_number(value))
    return StoredValue("object")


def _pack_number(value: float) -> tuple[float, str]:
    """A number, and the digits that a float cannot hold; those of negative ones run backwards."""
    if abs(value) < _EXACT:
        return float(value) + 0.0, ""  # no negative zero
    whole = int(value)
    if whole.bit_length() > 1_000:  # so large a number is only compared as a float
        return float_info.max if whole > 0 else -float_info.max, ""
    digits = str(abs(whole))
    return float(whole), digits if whole > 0 else digits.translate(_OTHER_DIGITS)


def list_values(metadata: Mapping[str, Json]) -> list[tuple[str, StoredValue]]:
    """The keys and values to be found, those of inner objects under paths such as user.name."""
    return list(islice(dict.fromkeys(_walk(metadata)), MOST_VALUES))


def _walk(metadata: Mapping[str, Json]) -> Iterator[tuple[str, StoredValue]]:
    """Level by level. What stands in a list stands under the key of the list."""
    waiting: list[tuple[str, Json]] = [(str(key), value) for key, value in metadata.items()]
    while waiting:
        deeper: list[tuple[str, Json]] = []
        for key, value in waiting:
            if not key or len(key) > LONGEST_KEY:
                continue
            yield key, pack_value(value)
            if isinstance(value, _SCALARS):
                continue
            if isinstance(value, Mapping):
                deeper += [(f"{key}.{name}", inner) for name, inner in value.items()]
            elif isinstance(value, list | tuple):
                deeper += [(key, inner) for inner in value]
        waiting = deeper


def read_metadata(body: str) -> Mapping[str, Json]:
    """The metadata in the body of an event."""
    held: Mapping[str, Json] | None = loads(body).get("metadata") if IN_BODY in body else None
    return held or {}


class Metadata:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def put_entry(self, space: int, entry: int, metadata: str) -> None:
        """List the values of a new entry or document."""
        if metadata not in ("", "{}"):
            values = list_values(loads(metadata))
            self._tx.many(
                "entry_values.insert",
                [(space, key, *value, entry) for key, value in values],
            )

    def replace_entry(self, space: int, entry: int, metadata: str) -> None:
        """List the values that an entry or document has now."""
        self.delete_entry(space, entry)
        self.put_entry(space, entry, metadata)

    def replace_records(
        self,
        space: int,
        known: Sequence[int],
        records: Iterable[tuple[int, Sequence[tuple[str, StoredValue]]]],
    ) -> None:
        """List the values that records have now; those of known ones go first."""
        if known:
            self._tx.many("entry_values.delete", [(space, id) for id in known])
        batch = [(space, key, *value, id) for id, values in records for key, value in values]
        if batch:
            self._tx.many("entry_values.insert", batch)

    def delete_entry(self, space: int, entry: int) -> None:
        self._tx.rows("entry_values.delete", space=space, entry=entry)

    def put_events(self, space: int, session: str, bodies: Iterable[tuple[int, str]]) -> None:
        """List the values of new messages, each given by its seq and its body."""
        batch = [
            (space, key, *value, session, seq)
            for seq, body in bodies
            for key, value in list_values(read_metadata(body))
        ]
        if batch:
            self._tx.many("event_values.insert", batch)

    def delete_session(self, space: int, session: str) -> None:
        self._tx.rows("event_values.delete", space=space, session=session)

    def delete_event(self, space: int, session: str, seq: int) -> None:
        self._tx.rows("event_values.delete_one", space=space, session=session, seq=seq)

    def find_entries(self, space: int, key: str, operator: str, values: Sequence[Json]) -> set[int]:
        """The entries and documents of which one condition holds."""
        return {row[0] for row in self._find(_OF_ENTRIES[operator], space, key, values)}

    def find_events(
        self, space: int, key: str, operator: str, values: Sequence[Json]
    ) -> set[tuple[str, int]]:
        """Session and seq of the messages of which one condition holds."""
        rows = self._find(_OF_EVENTS[operator], space, key, values)
        return {(row[0], row[1]) for row in rows}

    def _find(
        self, query: str, space: int, key: str, values: Sequence[Json]
    ) -> Iterator[Sequence[Json]]:
        """What any of the values finds; whether a key is there is asked without one."""
        packed = dict.fromkeys(pack_value(value) for value in values)
        sets: list[dict[str, Json]] = [
            {"space": space, "key": key, **value._asdict()} for value in packed
        ]
        if query.endswith(".holding"):
            sets = [{"space": space, "key": key}]
        for rows in self._tx.each(query, sets):
            yield from rows
