"""What the rows say about each other: the queries behind `check()`. The flow gives verdicts."""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ricordo.store import schema
from ricordo.store.codec import FIRST, LAST, is_time, loads
from ricordo.store.database import Tx
from ricordo.store.tables.metadata import StoredValue, list_values, read_metadata
from ricordo.store.tables.search import token

_UNLIKE = (
    "check.unlike_events",
    "check.unlike_entries",
    "check.unlike_documents",
    "check.unlike_records",
)
_WORDS_AT_ONCE = 256
_CALENDAR = {"first": FIRST, "last": LAST}


class StoredText(NamedTuple):
    row: int
    chunk: int
    kind: str
    entry: int | None
    part: int
    text: str
    author: str
    at: int
    words: int
    marks: int
    calls: str
    terms: bytes
    extra: bytes


class Timeless(NamedTuple):
    """A row with times that no calendar has."""

    table: str
    key: Mapping[str, Any]  # Any: what a driver gives
    times: Mapping[str, Any]  # all of its times; a damaged one may be anything
    wrong: tuple[str, ...]


class Checks:
    def __init__(self, tx: Tx) -> None:
        self._tx = tx

    def sessions(self, space: int) -> list[tuple[Any, ...]]:
        return self._tx.rows("check.sessions", space=space)

    def timeless(self, space: int) -> Iterator[Timeless]:
        """Rows of any table with a time that no calendar has."""
        for table in (schema.space_row(), *self._tx.copying.tables()):
            rows = self._tx.run(table.timeless, space=space, **_CALENDAR) if table.times else []
            for row in rows:
                times = dict(zip(table.times, row[len(table.key) :], strict=True))
                key = dict(zip(table.key, row, strict=False))
                wrong = [name for name, us in times.items() if us is not None and not is_time(us)]
                yield Timeless(table.name, key, times, tuple(wrong))

    def backward(self, space: int) -> list[str]:
        """Sessions that were last active before they began."""
        return [row[0] for row in self._tx.rows("check.backward", space=space, **_CALENDAR)]

    def orphan_events(self, space: int) -> list[tuple[Any, ...]]:
        return self._tx.rows("check.orphan_events", space=space)

    def nameless(self, space: int) -> list[tuple[Any, ...]]:
        return self._tx.rows("check.nameless", space=space)

    def dangling_names(self, space: int) -> list[tuple[Any, ...]]:
        return self._tx.rows("check.dangling_names", space=space)

    def stray_chunks(self, space: int) -> list[int]:
        return [row[0] for row in self._tx.rows("check.stray_chunks", space=space)]

    def stray_vectors(self, space: int) -> list[int]:
        return [row[0] for row in self._tx.rows("check.stray_vectors", space=space)]

    def statistics(self, space: int) -> tuple[Any, ...]:
        return self._tx.rows("check.statistics", space=space)[0]

    def texts(self, space: int) -> list[StoredText]:
        return [StoredText(*row) for row in self._tx.rows("check.texts", space=space)]

    def spans(self, space: int) -> list[tuple[Any, ...]]:
        """Chunks: whose they are, hash, text, kind, author, and the place of a passage."""
        return self._tx.rows("check.spans", space=space)

    def contents(self, space: int) -> list[tuple[Any, ...]]:
        """What entries say, each with its number."""
        return self._tx.rows("check.contents", space=space)

    def labels(self, space: int) -> dict[int, tuple[str, ...]]:
        """The tags of entries and documents, those they were given and those derived."""
        rows = self._tx.rows("check.labels", space=space)
        return {entry: (*loads(tags), *loads(derived)) for entry, tags, derived in rows}

    def find_unlisted_entries(self, space: int) -> list[tuple[int, str]]:
        """Entries and documents whose values are not listed as they are, with their metadata."""
        held = {row[0]: row[1] for row in self._tx.rows("check.entry_metadata", space=space)}
        listed: dict[int, set[Any]] = {}
        for entry, key, *value in self._tx.rows("check.entry_values", space=space):
            listed.setdefault(entry, set()).add((key, StoredValue(*value)))
        return [
            (entry, held.get(entry, ""))
            for entry in sorted(held.keys() | listed.keys())
            if not listed.get(entry, set()).issuperset(list_values(loads(held.get(entry, "{}"))))
            or entry not in held
        ]

    def find_unlisted_events(self, space: int) -> list[tuple[str, int, str]]:
        """Messages whose values are not listed as they are, with their bodies."""
        rows = self._tx.rows("check.event_metadata", space=space)
        held = {(row[0], row[1]): row[2] for row in rows}
        listed: dict[tuple[str, int], set[Any]] = {}
        for session, seq, key, *value in self._tx.rows("check.event_values", space=space):
            listed.setdefault((session, seq), set()).add((key, StoredValue(*value)))
        return [
            (*event, held.get(event, ""))
            for event in sorted(held.keys() | listed.keys())
            if not listed.get(event, set()).issuperset(
                list_values(read_metadata(held.get(event, "")))
            )
            or event not in held
        ]

    def titles(self, space: int) -> list[tuple[int, str]]:
        """Entries with their names."""
        return [(row[0], row[1]) for row in self._tx.rows("check.titles", space=space)]

    def misheard(self, space: int) -> list[int]:
        """Chunks that name another speaker than the event that says them first."""
        rows = self._tx.rows("check.speakers", space=space)
        return [
            chunk
            for chunk, author, body in rows
            if author != ((loads(body).get("name") or "") if body else "")
        ]

    def unlike(self, space: int) -> list[int]:
        """Chunks that tell something else than what they come from."""
        found = set()
        for query in _UNLIKE:
            found |= {int(row[0]) for row in self._tx.rows(query, space=space)}
        return sorted(found)

    def find_unspoken_chunks(self, space: int) -> list[tuple[str, int]]:
        """Sessions with chunks that no event says."""
        return [(row[0], row[1]) for row in self._tx.rows("check.unspoken", space=space)]

    def echoes(self, space: int) -> list[tuple[Any, ...]]:
        """Session, last event, number and hash of chunks that were said more than once."""
        return self._tx.rows("check.echoes", space=space)

    def find_miscounted(self, space: int) -> list[int]:
        return [row[0] for row in self._tx.rows("check.miscounted", space=space)]

    def odd_names(self, space: int) -> list[str]:
        return [row[0] for row in self._tx.rows("check.odd_names", space=space)]

    def odd_reminders(self, space: int) -> list[str]:
        return [row[0] for row in self._tx.rows("check.odd_reminders", space=space)]

    def counters(self, space: int) -> list[tuple[str, int, int]]:
        """What is counted, the next number, and the highest in use."""
        row = self._tx.rows("check.counters", space=space)[0]
        return [("entry", *row[:2]), ("chunk", *row[2:4]), ("signal", *row[4:])]

    def indexed_rows(self) -> list[int]:
        return self._tx.search.rows()

    def find_unindexed(self, space: int, texts: Iterable[StoredText]) -> set[int]:
        """The rows that the keyword index does not find by each of their words.

        Each word is looked up once, so that many alike texts cost no more than others.
        """
        holders: dict[int, array[int]] = {}
        for text in texts:
            for number in set(array("I", text.terms)):
                holders.setdefault(number, array("q")).append(text.row)
        missing: set[int] = set()
        stems = list(holders)
        for start in range(0, len(stems), _WORDS_AT_ONCE):
            numbers = stems[start : start + _WORDS_AT_ONCE]
            sets = [{"space": space, "match": f'terms : "{token(space, n)}"'} for n in numbers]
            for number, rows in zip(numbers, self._tx.each("words.with_stem", sets), strict=True):
                missing |= set(holders[number]).difference(row[0] for row in rows)
        return missing
