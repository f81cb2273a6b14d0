"""Verbs about documents: ingest adds them, documents lists them."""

from pathlib import Path
from typing import Any

import click

from ricordo.model import ORIGINS, Document
from ricordo.surfaces.cli.complete import complete_documents
from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.param_types import json, text
from ricordo.surfaces.cli.param_types import path as existing
from ricordo.surfaces.cli.verbs.recall import embed_waiting
from ricordo.surfaces.progress import Progress, tell_if_stopped

STDIN = "-"
_STOPPED = "{done} of {total} files are in; ingest the folder again for the rest"


@verb(
    "ingest",
    "ricordo ingest notes.md",
    "ricordo ingest handbook --forget-missing",
    "curl -s https://example.org/news.txt | ricordo ingest - --uri https://example.org/news.txt",
)
@click.argument("path")
@click.option("--uri", help="Its identifier; default: its path.")
@click.option("--forget-missing", is_flag=True, help="Forget files that are gone from the folder.")
@click.option("--origin", type=click.Choice(ORIGINS), help="Where it came from; default: import.")
@click.option("--metadata", type=json, help="A JSON object to keep with each document.")
@click.option("--tag", "tags", multiple=True, help="A label; may be given several times.")
def ingest(call: Call, path: str, uri: str | None, forget_missing: bool, **label: Any) -> None:
    """Add a file, or every readable file of a folder, as documents; skip unchanged ones.

    PATH may be - to read standard input, which needs --uri. Each line holds the URI, the number of
    chunks and whether it changed.
    """
    if path == STDIN and uri is None:
        raise click.UsageError("Standard input has no path; give --uri.")
    label["tags"] = label["tags"] or None
    source = text(path) if path == STDIN else existing(path)
    is_folder = isinstance(source, Path) and source.is_dir()
    if is_folder and uri is not None:
        raise click.UsageError("--uri is for one file; the files of a folder use their paths.")
    if forget_missing and not is_folder:
        raise click.UsageError("--forget-missing is for a folder; use ricordo forget for one URI.")
    with call.memory(writes=True, embeds=True) as memory:
        space = call.space(memory)
        if isinstance(source, Path) and is_folder:
            with Progress("reading", call.out, _STOPPED) as progress:
                found = space.documents.ingest_folder(
                    source, forget_missing=forget_missing, progress=progress, **label
                )
        else:
            found = [space.ingest(source, uri, **label)]
        with tell_if_stopped(lambda: _count(found)):
            embed_waiting(call, memory)
    rows = [(d.uri, d.chunks, "changed" if d.changed else "same") for d in found]
    call.out.table(found, ("uri", "chunks", "state"), rows)


def _count(found: list[Document]) -> str:
    return "1 document is in" if len(found) == 1 else f"{len(found):,} documents are in"


@verb(
    "documents",
    "ricordo documents",
    "ricordo documents https://example.org/ --json",
    "ricordo documents notes.md --chunks",
)
@click.argument("prefix", default="", shell_complete=complete_documents)
@click.option("--chunks", is_flag=True, help="Print the chunks of the document PREFIX instead.")
def documents(call: Call, prefix: str, chunks: bool) -> None:
    """List the documents, or those whose URI or path begins with PREFIX.

    Each line holds the URI, the number of chunks, the number of characters and the time of the
    last change (UTC). `ricordo forget URI` deletes a document; a path will do. With --chunks each
    line holds the number, the first line, the headings and the text of a chunk.
    """
    if chunks and not prefix:
        raise click.UsageError("--chunks is for one document; give its URI or path.")
    with call.memory() as memory:
        if chunks:
            pieces = call.space(memory).documents.chunks(prefix)
            told = [(c.number, c.line_start, " > ".join(c.headings), c.text) for c in pieces]
            call.out.table(pieces, ("number", "line", "headings", "text"), told)
            return
        found: list[Document] = call.space(memory).documents.list(prefix)
    rows = [(d.uri, d.chunks, d.characters, d.updated_at) for d in found]
    call.out.table(found, ("uri", "chunks", "characters", "changed"), rows)


VERBS = (ingest, documents)
