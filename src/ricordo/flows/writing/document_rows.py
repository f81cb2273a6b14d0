"""Document rows: how the index stores a document, when it is written, cut again or salvaged.

A hit shows a passage; a long passage has several chunks. A chunk of a document is titled by its
file and the headings above it, one to a line. It has the place of its passage in the text where
the chunk of a message has its seqs.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ricordo.core.text import chunking, passages
from ricordo.flows.writing.chunk_rows import FILE, Subject, make_row
from ricordo.store.codec import loads
from ricordo.store.tables.chunks import Placed
from ricordo.store.tables.documents import DocumentRow

# Files in which a line with # is a comment, and nothing is a heading.
_CODE_SUFFIXES = """
bash bat c cc cfg cjs clj conf cpp cs css csv cxx dart ex exs go gradle graphql h hpp hs ini java jl
js json jsonl jsx kt lua m mjs mk ml ndjson php pl proto ps1 py pyi r rb rs sass scala scss sh sql
swift tcl tf toml ts tsv tsx vb vue xml yaml yml zig zsh
"""
_CODE = frozenset(_CODE_SUFFIXES.split())
_LONGEST_PATH = 1_024


class DocumentPiece(NamedTuple):
    """What a chunk of a document is made of."""

    title: str
    passage: passages.Passage
    piece: chunking.Piece


def cut_document(row: DocumentRow) -> list[Placed]:
    """The chunks of a document, ready to be written."""
    subject = Subject(FILE, None, row.id, "", "", row.origin, row.updated_at, tags=_tags(row))
    placed: list[Placed] = []
    for title, passage, piece in list_pieces(row):
        titled = subject._replace(author=title)
        chunk = make_row(titled, len(placed), piece, passage.end - passage.start)
        placed.append(Placed(chunk, passage.start, passage.end))
    return placed


def list_pieces(row: DocumentRow) -> Iterator[DocumentPiece]:
    """What the chunks of a document have to hold, in order."""
    name = title_of(row.uri)
    for passage in passages.cut(row.text, is_markdown=_suffix(row.uri) not in _CODE):
        title = "\n".join([name, *passage.headings])
        for piece in chunking.chunks(row.text[passage.start : passage.end]):
            yield DocumentPiece(title, passage, piece)


def title_of(uri: str) -> str:
    """The last part of a URI that says something, as the title of its chunks."""
    if uri.startswith("text:"):
        return ""
    title = _path(uri).rstrip("/").rpartition("/")[2].rpartition(".")[0] or uri
    return " ".join(title.splitlines())


def to_file_uri(given: object) -> str | None:
    """A path as the URI of its file; None for what cannot be a path."""
    if not isinstance(given, str) or not 0 < len(given) <= _LONGEST_PATH or "://" in given:
        return None
    try:
        return Path(given).expanduser().resolve().as_uri()
    except (OSError, RuntimeError, ValueError):  # no name that a file could have
        return None


def _tags(row: DocumentRow) -> tuple[str, ...]:
    return tuple(loads(row.tags))


def _suffix(uri: str) -> str:
    return _path(uri).rpartition("/")[2].rpartition(".")[2].lower()


def _path(uri: str) -> str:
    from urllib.parse import unquote, urlsplit

    return unquote(urlsplit(uri).path) if uri.startswith("file:") else uri
