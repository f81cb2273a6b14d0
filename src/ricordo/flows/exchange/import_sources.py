"""Sources of an import: an export of ours, or the SQLite file of another memory. Read only."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ricordo.core.exchange import export_format, other_memories, other_tables
from ricordo.core.exchange.given import Given, GivenEvent
from ricordo.core.exchange.other_memories import SHAPES, Shape
from ricordo.errors import InvalidInput, NotFound, shorten
from ricordo.model import Json
from ricordo.store.sqlite.other_sqlite import Foreign, is_sqlite

LONGEST_LINE = 64 * 1024 * 1024  # bytes

Placed = tuple[str, Given]  # where a record stands, for messages, and the record


@dataclass(frozen=True, slots=True)
class ImportSource:
    """A file that was recognised. `records` may be called again and gives the same."""

    path: Path
    owner: str | None
    format: str
    shapes: tuple[Shape, ...] = ()
    notes: tuple[str, ...] = ()

    def records(self) -> Iterator[Placed]:
        """Everything in the file, each with its place; events in order."""
        if not self.shapes:
            yield from _lines(self.path)
            return
        with Foreign(self.path) as file:
            for shape in self.shapes:
                yield from _rows(file, shape, self.owner)


def recognise(path: str | Path, owner: str | None) -> ImportSource:
    """Recognise a file."""
    try:
        file = Path(path).expanduser()
        is_folder = file.is_dir()
        if not is_folder and not file.is_file():
            raise NotFound(f"there is no file {str(path)!r}")
        is_database = not is_folder and is_sqlite(file)
    except (TypeError, ValueError, OSError) as error:
        raise InvalidInput(f"{shorten(path)} cannot be read: {error}") from error
    if is_folder:
        raise InvalidInput(f"{str(path)!r} is a folder; give a file in it")
    if is_database:
        return _database(file, owner)
    if owner is not None:
        raise InvalidInput(f"{file} is an export and has no owners; leave owner out")
    return ImportSource(file, None, f"{export_format.FORMAT} export {export_format.VERSION}")


def _lines(path: Path) -> Iterator[Placed]:
    """The records of an export; a truncated or too long one is refused."""
    number = count = 0
    is_whole = False
    with path.open("rb") as file:
        while raw := file.readline(LONGEST_LINE + 1):
            number += 1
            where = f"line {number}"
            if len(raw) > LONGEST_LINE:
                raise InvalidInput(f"{path} {where}: it has more than {LONGEST_LINE:,} bytes")
            if is_whole:
                raise InvalidInput(f"{path} {where}: nothing may come after the last line")
            try:
                given = _line(raw, number)
            except InvalidInput as error:
                raise InvalidInput(f"{path} {where}: {error}") from error
            if isinstance(given, int):
                if given != count:
                    raise InvalidInput(
                        f"{path} {where}: the export counts {given} records, the file has {count}"
                    )
                is_whole = True
            elif given is not None:
                count += 1
                yield where, given
    if not is_whole:
        raise InvalidInput(
            f"{path} line {number + 1}: the last line is missing; the file is truncated"
        )


def _line(raw: bytes, number: int) -> Given | int | None:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"this is not UTF-8 ({error.reason} at byte {error.start})") from error
    if number == 1:
        export_format.check_header(text)
        return None
    return export_format.read(text)


def _database(path: Path, owner: str | None) -> ImportSource:
    with Foreign(path) as file:
        tables = file.tables()
        shapes = tuple(
            shape for shape in SHAPES if set(shape.columns) <= set(tables.get(shape.table, ()))
        )
        if not shapes:
            raise InvalidInput(
                f"{path} is not a known memory: it has tables {', '.join(tables) or 'none'}; "
                f"wanted is one of {', '.join(dict.fromkeys(s.table for s in SHAPES))}"
            )
        owners = _owners(file, shapes)
        if owner is None and len(owners) > 1:
            raise InvalidInput(
                f"{path} holds {len(owners)} owners ({', '.join(owners[:10])}); import each into "
                "a space of its own, naming the owner"
            )
        if owner is not None and owner not in owners:
            raise InvalidInput(f"{path} has no owner {owner!r}; it has {', '.join(owners)}")
        known = {shape.table for shape in shapes}
        notes = tuple(
            f"table {name!r} is not imported" for name in sorted(_list_other_tables(tables) - known)
            if file.count(name)
        )  # fmt: skip
        notes += (*_blank(file, shapes), *_count_over(file, shapes))
    return ImportSource(path, owner, " + ".join(sorted(known)), shapes, notes)


def _list_other_tables(tables: dict[str, list[str]]) -> set[str]:
    """Tables with something of their own: not indexes, not what SQLite keeps for itself."""
    derived = ("_fts", "_vec", "vec_", "chunks", "sqlite_", "migrations")
    plain = {name for name in tables if name.replace("_", "").isalnum() and name.isascii()}
    return {name for name in plain if not any(part in name for part in derived)}


def _owners(file: Foreign, shapes: tuple[Shape, ...]) -> list[str]:
    found = {
        str(row[shape.owner])
        for shape in shapes
        if shape.owner is not None
        for row in file.rows(shape.table, (shape.owner,))
    }
    return sorted(found)


def _blank(file: Foreign, shapes: tuple[Shape, ...]) -> Iterator[str]:
    """Words on rows that say nothing: an entry has to."""
    for shape in shapes:
        if not shape.is_log:
            column = shape.text_column
            count = sum(not str(row[column]).strip() for row in file.rows(shape.table, (column,)))
            if count:
                yield f"{count} rows of {shape.table!r} are blank and not taken"


def _count_over(file: Foreign, shapes: tuple[Shape, ...]) -> Iterator[str]:
    """Words on rows of which nothing is left to do."""
    for table, column in other_tables.ENDING.items():
        if any(shape.table == table for shape in shapes):
            rows = file.rows(table, (column,))
            if count := sum(other_tables.is_over(table, row) for row in rows):
                yield f"{count} rows of {table!r} are over and not taken"


def _list_notes(file: Foreign, shape: Shape) -> dict[tuple[Json, Json], Mapping[str, Json]]:
    """Which events of a log keep notes: their chunks say so."""
    columns = ("session_id", "sequence_start", "metadata_json")
    if shape.table != "conversation_events" or not set(columns) <= set(
        file.tables().get("chunks", ())
    ):
        return {}
    found = {}
    for row in file.rows("chunks", columns):
        held = other_tables.note_metadata(row["metadata_json"])
        if held is not None:
            found[row["session_id"], row["sequence_start"]] = held
    return found


def _rows(file: Foreign, shape: Shape, owner: str | None) -> Iterator[Placed]:
    """The rows of a table as records; events by session and time, those of one time as written."""
    there = file.tables()[shape.table]
    columns = [*shape.columns, *(name for name in shape.optional if name in there)]
    found: list[Placed] = []
    notes = _list_notes(file, shape)
    for number, row in enumerate(file.rows(shape.table, columns), start=1):
        if shape.owner is not None and owner is not None and str(row[shape.owner]) != owner:
            continue
        if not shape.is_log and not str(row[shape.text_column]).strip():
            continue
        where = f"{shape.table} row {number}"
        try:
            given = other_memories.read_row(shape, row)
            if isinstance(given, GivenEvent) and (held := notes.get((given.session, given.seq))):
                note = other_tables.read_note(given, held)
                given = note if note.content.strip() else given
            if given is not None:
                found.append((where, given))
        except (InvalidInput, ValueError) as error:
            raise InvalidInput(f"{where}: {error}") from error
    yield from sorted(found, key=lambda placed: _order(placed[1]))


def _order(given: Given) -> tuple[str, int, float]:
    if isinstance(given, GivenEvent):
        return given.session, -1 if given.seq is None else given.seq, given.at.timestamp()
    return "", 0, 0.0
