"""Source texts: what a hit shows is what was written, with its line breaks, not what is indexed."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ricordo.core.text import passages
from ricordo.core.text.content import extract
from ricordo.core.text.record_paths import decode_path
from ricordo.flows.writing.record_rows import RECORD, find_text
from ricordo.model import Entry, Source
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import HitRow
from ricordo.store.tables.documents import DocumentRow


class ShownText(NamedTuple):
    """The text of a hit and where it comes from."""

    text: str
    source: Source


def read_sources(
    tx: Tx, space: tuple[str, int], rows: Iterable[HitRow], entries: Mapping[int, Entry]
) -> list[ShownText]:
    """For each chunk the text to show: whole up to 2,000 characters, else the passages it is in."""
    documents: dict[int, DocumentRow | None] = {}
    shown = []
    for row in rows:
        if row.kind == "file" and row.entry is not None:
            if row.entry not in documents:
                documents[row.entry] = tx.documents.by_id(space[1], row.entry)
            shown.append(_show_document(row, documents[row.entry]))
        elif row.kind == RECORD and row.entry is not None:
            shown.append(_show_record(tx, space[1], row, row.entry))
        elif row.entry is not None and (entry := entries.get(row.entry)) is not None:
            shown.append(ShownText(_show(entry.content, row), Source("entry", name=entry.name)))
        else:
            source = Source("event", row.session, row.seq_start, row.seq_end)
            shown.append(ShownText(_show(_read_event(tx, space, row), row), source))
    return shown


def _show_document(row: HitRow, document: DocumentRow | None) -> ShownText:
    if document is None:
        return ShownText(row.text, Source("file"))
    start, end = row.seq_start, row.seq_end
    if start is None or end is None:  # a document that is to be cut again
        return ShownText(row.text, Source("file", uri=document.uri))
    text = document.text[start:end]
    line = document.text.count("\n", 0, start) + 1
    source = Source(
        "file",
        uri=document.uri,
        headings=tuple(row.author.split("\n")[1:]),
        line_start=line,
        line_end=line + text.count("\n"),
        offset=start,
    )
    return ShownText(text, source)


def _show_record(tx: Tx, space: int, row: HitRow, record: int) -> ShownText:
    """The text of a record that was found, not its value."""
    held = tx.records.of(space, [record], row.at, values=False).get(record)
    if held is None:
        return ShownText(row.text, Source("record"))
    path = decode_path(held.path)
    uri = "record:" + "/".join((*path, held.key))
    source = Source("record", name=held.key, uri=uri, path=path)
    return ShownText(find_text(held, row.part) or row.text, source)


def _read_event(tx: Tx, space: tuple[str, int], row: HitRow) -> str:
    """What the first event of a chunk says, with the arguments of its tools if they were read."""
    name, number = space
    if row.session is None or row.seq_start is None:
        return ""
    event = tx.events.one(number, (name, row.session), row.seq_start)
    if event is None:
        return ""
    said = extract(event.content, event.tool_calls)
    if not event.tool_calls or row.text in " ".join(said.split()):
        return said
    return extract(event.content, event.tool_calls, arguments=False)


def _show(text: str, row: HitRow) -> str:
    """What to show of a text for a chunk; the chunk itself if there is no such text."""
    if not text:
        return row.text
    passage = passages.find_passage(text, row.part)
    return text[passage.start : passage.end]
