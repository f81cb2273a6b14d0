"""Documents: texts and files taken into the memory, known by URI and by what they say.

A document that has not changed costs a hash and nothing else. One that has changed gets new chunks
in the same transaction that takes the old ones away.
"""

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ricordo.core.text import chunking, content, passages
from ricordo.core.text import tags as labels
from ricordo.errors import InvalidInput, NotFound, Unavailable, shorten
from ricordo.flows.engine import Engine, check_name, one_of
from ricordo.flows.erasure.erase import forget
from ricordo.flows.writing.append import put
from ricordo.flows.writing.document_rows import cut_document, to_file_uri
from ricordo.flows.writing.free_json import pack_metadata
from ricordo.model import ORIGINS, Chunk, Document, Json, Origin
from ricordo.store.codec import dumps, loads, moment
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import HitRow, Placed
from ricordo.store.tables.documents import DocumentRow

ORIGIN: Origin = "import"
MARKUP = (".html", ".htm", ".xhtml")  # text, but better read by a converter where there is one
_LONGEST_PATH = 1_024
_PATH = re.compile(r"\S+\.[A-Za-z0-9]{1,5}")  # one word with an ending is meant as a file

Progress = Callable[[int, int], None]


class Read(NamedTuple):
    """A document as it was found: where, the hash of its bytes, and how to get its text."""

    uri: str
    raw: bytes
    text: Callable[[], str]


class Label(NamedTuple):
    """What a caller says about a document; None keeps what is stored."""

    origin: Origin | None
    metadata: str | None
    tags: str | None


def ingest(
    engine: Engine,
    space: str,
    given: str | Path,
    *,
    uri: str | None = None,
    origin: str | None = None,
    metadata: Mapping[str, Json] | None = None,
    tags: Iterable[str] | None = None,
) -> Document:
    """Take in a file, or a text under a URI."""
    label = _label(engine, origin, metadata, tags)
    found = _read_source(engine, given, uri)
    old = _find_document(engine, space, found.uri)
    if old is not None and old.raw == found.raw:
        return _relabel(engine, space, old, old, label)
    said = content.clean(
        engine.redact_text(found.text()), "the document", limit=engine.settings.max_text
    )
    normal = content.normalise(said)
    if not normal:
        raise InvalidInput(f"{found.uri!r} has no text; give a document with text")
    hash = content.digest(normal)
    if old is not None and old.hash == hash:
        return _relabel(engine, space, old, old._replace(raw=found.raw, text=said), label)
    now = engine.now() if old is None else max(engine.now(), old.updated_at)
    origin, packed = label.origin or ORIGIN, label.metadata or "{}"
    row = DocumentRow(0, found.uri, hash, found.raw, said, 0, origin, packed, now, now)
    row = row._replace(tags=label.tags or (old.tags if old else "[]"))
    return _document(space, _write_chunks(engine, space, row), changed=True)


def ingest_folder(
    engine: Engine,
    space: str,
    folder: str | Path,
    *,
    pattern: str = "**/*",
    forget_missing: bool = False,
    origin: str | None = None,
    metadata: Mapping[str, Json] | None = None,
    tags: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> list[Document]:
    """Ingest every readable file of a folder; files that are not text are skipped."""
    tags = None if tags is None else labels.normalise(tags)
    _label(engine, origin, metadata, tags)  # a wrong label is refused before any file is read
    root = Path(folder).expanduser().resolve()
    if not root.is_dir():
        raise NotFound(f"there is no folder {str(folder)!r}")
    files = sorted(path for path in _list_files(root, pattern) if _is_plain(path, root))
    done = []
    for number, path in enumerate(files, start=1):
        # A picture, an empty file: one of them must not stop the folder.
        with contextlib.suppress(InvalidInput, Unavailable):
            done.append(ingest(engine, space, path, origin=origin, metadata=metadata, tags=tags))
        if progress is not None:
            progress(number, len(files))
    if forget_missing:
        _forget_missing(engine, space, root)
    return done


def get_document(engine: Engine, space: str, uri: str) -> Document | None:
    """The document of a URI or path."""
    row = _find_document(engine, space, check_name(uri, "uri"))
    if row is None and (file := to_file_uri(uri)) is not None:
        row = _find_document(engine, space, file)
    return None if row is None else _document(space, row)


def list_chunks(engine: Engine, space: str, uri: str) -> list[Chunk]:
    """The chunks of a document in order."""
    known = get_document(engine, space, uri)
    if known is None:
        raise NotFound(f"there is no document {uri!r} in space {space!r}")
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        row = None if number is None else tx.documents.by_uri(number, known.uri)
        if number is None or row is None:
            return []
        found = tx.chunks.hydrate(number, tx.chunks.of_entry(number, row.id)).values()
    return list(_place_chunks(sorted(found, key=lambda each: each.part), row.text))


def _place_chunks(found: Iterable[HitRow], text: str) -> Iterator[Chunk]:
    """Each chunk as it was written, with its lines; a long text is gone through once."""
    at, line = 0, 1
    for each in found:
        headings = tuple(each.author.split("\n")[1:])
        start, end = each.seq_start, each.seq_end
        if start is None or end is None:  # a document that is to be cut again
            yield Chunk(each.part, each.text, headings)
            continue
        at, line = (at, line) if start >= at else (0, 1)
        line += text.count("\n", at, start)
        at, passage = start, text[start:end]
        written = chunking.find_written(passage, each.text)
        yield Chunk(each.part, written, headings, line, line + passage.count("\n"), start)


def _list_files(root: Path, pattern: str) -> list[Path]:
    content.clean(pattern, "pattern", limit=_LONGEST_PATH)
    try:
        return list(root.glob(pattern))
    except (ValueError, NotImplementedError) as error:
        raise InvalidInput(
            f"pattern {shorten(pattern)} is not valid: {error}; give one inside the folder, "
            "such as '**/*.md'"
        ) from error


def documents(engine: Engine, space: str, prefix: str = "") -> list[Document]:
    """The documents of a space by URI, those that begin with `prefix`, a URI or a path."""
    begins = content.clean(prefix, "prefix")
    file = to_file_uri(begins)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        rows = tx.documents.list_by_prefix(number, begins)
        if not rows and file is not None:
            rows = tx.documents.list_by_prefix(number, file)
    return [_document(space, row) for row in rows]


def _forget_missing(engine: Engine, space: str, root: Path) -> None:
    """Forget documents whose files are gone from the folder."""
    for known in documents(engine, space, root.as_uri() + "/"):
        if not _place(known.uri).is_file():
            forget(engine, space, known.uri)


def _read_source(engine: Engine, given: str | Path, uri: str | None) -> Read:
    if isinstance(given, Path) or (uri is None and _is_file(given)):
        return _file(engine, Path(given).expanduser(), uri)
    said = content.clean(given, "the document", limit=engine.settings.max_text)
    raw = content.digest(said)
    address = f"text:{raw.hex()[:32]}" if uri is None else check_name(uri, "uri")
    return Read(address, raw, lambda: said)


def _is_file(given: str) -> bool:
    if not isinstance(given, str):
        raise InvalidInput(f"a document is text or a path, not {type(given).__name__}")
    if len(given) > _LONGEST_PATH or "\n" in given or "\0" in given:
        return False
    try:
        path = Path(given).expanduser()
        if path.is_dir():
            raise InvalidInput(f"{given!r} is a folder; use ingest_folder for it")
        if not path.is_file() and _PATH.fullmatch(given):
            raise NotFound(f"there is no file {given!r}; to store this text, give a uri")
        return path.is_file()
    except (OSError, RuntimeError):  # no name that a file could have
        return False


def _file(engine: Engine, path: Path, uri: str | None) -> Read:
    if path.is_dir():
        raise InvalidInput(f"{str(path)!r} is a folder; use ingest_folder for it")
    try:
        size = path.stat().st_size
        if size > 4 * engine.settings.max_text:
            raise InvalidInput(f"{str(path)!r} has {size:,} bytes and is too large; split it")
        body = path.read_bytes()
    except OSError as error:
        raise NotFound(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
    address = path.resolve().as_uri() if uri is None else check_name(uri, "uri")
    return Read(address, _digest(body), lambda: _text(path, body))


def _text(path: Path, body: bytes) -> str:
    """The text of a file: as it stands if it is text, else through the optional converter."""
    if path.suffix.lower() in MARKUP:
        with contextlib.suppress(Unavailable):  # markup is also text
            return _convert(path)
    try:
        decoded = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _convert(path)
    return _convert(path) if "\0" in decoded else decoded


def _convert(path: Path) -> str:
    try:
        from markitdown import MarkItDown
    except ImportError as error:
        raise Unavailable(
            f"{path.name!r} is not plain text; install ricordo[documents] to read it"
        ) from error
    try:
        return str(MarkItDown(enable_plugins=False).convert(path).text_content)
    except Exception as error:
        raise InvalidInput(f"{path.name!r} cannot be read as a document: {error}") from error


def _digest(body: bytes) -> bytes:
    value: bytes = content.hasher()(body).digest()
    return value


def _find_document(engine: Engine, space: str, uri: str) -> DocumentRow | None:
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return None if number is None else tx.documents.by_uri(number, uri)


def _label(
    engine: Engine,
    origin: str | None,
    metadata: Mapping[str, Json] | None,
    tags: Iterable[str] | None,
) -> Label:
    return Label(
        None if origin is None else one_of(origin, "origin", ORIGINS),
        None if metadata is None else pack_metadata(metadata, engine.settings),
        None if tags is None else dumps(list(labels.normalise(tags)), "tags"),
    )


def _relabel(
    engine: Engine, space: str, old: DocumentRow, row: DocumentRow, label: Label
) -> Document:
    """A document that says what it said before, under what the caller says of it now.

    Other blanks are no change of what it says, but what is shown and where it stands follows them.
    """
    row = row._replace(
        origin=label.origin or old.origin,
        metadata=label.metadata or old.metadata,
        tags=label.tags or old.tags,
    )
    if row == old:
        return _document(space, old)
    row = row._replace(updated_at=max(engine.now(), old.updated_at))
    carried = (row.origin, row.tags, row.text) != (old.origin, old.tags, old.text)
    if carried or not engine.store.write(lambda tx: _put_label(engine, tx, space, old, row)):
        row = _write_chunks(engine, space, row)
    changed = (row.origin, row.metadata, row.tags) != (old.origin, old.metadata, old.tags)
    return _document(space, row, changed=changed)


def _put_label(engine: Engine, tx: Tx, space: str, old: DocumentRow, row: DocumentRow) -> bool:
    """Write the row alone, unless somebody has changed or erased the document meanwhile."""
    number = engine.ensure_space(tx, space)
    if tx.documents.by_uri(number, row.uri) != old:
        return False
    tx.documents.put(number, row)
    return True


def _write_chunks(engine: Engine, space: str, row: DocumentRow) -> DocumentRow:
    """Write a document with new chunks."""
    row = row._replace(cut=passages.VERSION)
    pieces = cut_document(row)
    row = engine.store.write(lambda tx: _replace(engine, tx, space, row, pieces))
    engine.wake()
    return row


def _replace(
    engine: Engine, tx: Tx, space: str, row: DocumentRow, pieces: Iterable[Placed]
) -> DocumentRow:
    number = engine.ensure_space(tx, space)
    old = tx.documents.by_uri(number, row.uri)
    if old is not None:
        tx.chunks.delete_entry(number, old.id)
        row = row._replace(id=old.id, created_at=old.created_at)
    else:
        row = row._replace(id=tx.spaces.next_entry(number))
    placed = [each._replace(row=each.row._replace(entry=row.id)) for each in pieces]
    row = row._replace(chunks=len(placed))
    tx.documents.put(number, row)
    tx.entries.set_tags(number, row.id, loads(row.tags))
    put(tx, number, placed)
    return row


def cut_again(engine: Engine, space: str, row: DocumentRow) -> bool:
    """Give a document the chunks of the present cut, unless somebody changes it meanwhile."""
    fresh = row._replace(cut=passages.VERSION)
    pieces = cut_document(fresh)

    def work(tx: Tx) -> bool:
        if tx.documents.by_uri(engine.ensure_space(tx, space), row.uri) != row:
            return False
        _replace(engine, tx, space, fresh, pieces)
        return True

    done = engine.store.write(work)
    engine.wake()
    return done


def _document(space: str, row: DocumentRow, *, changed: bool = False) -> Document:
    return Document(
        space=space,
        uri=row.uri,
        hash=row.hash.hex(),
        chunks=row.chunks,
        characters=len(row.text),
        origin=row.origin,
        metadata=loads(row.metadata),
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
        tags=tuple(loads(row.tags)),
        changed=changed,
    )


def _place(uri: str) -> Path:
    """The file of a file URI, even if its name is not UTF-8."""
    from urllib.parse import unquote_to_bytes, urlsplit

    return Path(os.fsdecode(unquote_to_bytes(urlsplit(uri).path)))


def _is_plain(path: Path, root: Path) -> bool:
    """A file of the folder itself: not hidden, not led out of it by a link."""
    inner = path.relative_to(root).parts
    is_hidden = any(part.startswith(".") for part in inner)
    return not is_hidden and path.is_file() and path.resolve().is_relative_to(root)
