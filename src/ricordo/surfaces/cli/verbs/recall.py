"""Verbs about recall: recall itself, flush for its vectors, signals for its traces."""

from typing import TYPE_CHECKING, Any, Literal

import click

from ricordo.errors import InvalidInput, Unavailable
from ricordo.model import ASKERS, MODES, ORIGINS, Asker, Hit, Mode, Stats
from ricordo.surfaces.cli.complete import (
    complete_documents,
    complete_entries,
    complete_recall_profiles,
    complete_sessions,
    complete_targets,
)
from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.param_types import text, time, where_option
from ricordo.surfaces.output import bars, flat
from ricordo.surfaces.progress import Progress

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory

CATCH_UP = 200  # recall first embeds up to this many waiting chunks
FEW = 32  # waiting chunks for which a bar would only flicker
EMBED_STOPPED = "{done} of {total} chunks have their vectors; ricordo flush makes the rest"

_KINDS = ("message", "note", "fact", "archive", "file")


@verb(
    "recall",
    'ricordo recall "where does she like to sit?"',
    'ricordo recall "flight" --mode keyword --since 7d --explain',
    'ricordo recall "seat" --kind note --limit 1 --json',
)
@click.argument("query", type=text)
@click.option("--limit", type=int, default=5, show_default=True)
@click.option("--offset", type=int, default=0, help="Skip this many hits.")
@click.option("--mode", type=click.Choice(MODES), default="hybrid", show_default=True)
@click.option(
    "--profile",
    default="default",
    show_default=True,
    help="How to rank.",
    shell_complete=complete_recall_profiles,
)
@click.option("--kind", "kinds", type=click.Choice(_KINDS), multiple=True, help="May be repeated.")
@click.option("--category")
@click.option(
    "--tag", "tags", multiple=True, help="Only with all of these; may be given several times."
)
@click.option("--session", help="Only from this session.", shell_complete=complete_sessions)
@click.option(
    "--exclude",
    multiple=True,
    metavar="NAME",
    help="Leave out a session, an entry or a document.",
    shell_complete=complete_targets,
)
@click.option(
    "--uri", help="Only documents whose URI begins so.", shell_complete=complete_documents
)
@click.option(
    "--prefix", help="Only entries whose name begins so.", shell_complete=complete_entries
)
@where_option
@click.option("--since", type=time, help="From this time on.")
@click.option("--until", type=time, help="Up to this time.")
@click.option("--as-of", type=time, help="As memory stood at this time.")
@click.option(
    "--origin", "origins", type=click.Choice(ORIGINS), multiple=True, help="May be repeated."
)
@click.option(
    "--asker",
    type=click.Choice((*ASKERS, "none")),
    default="user",
    show_default=True,
    help="Who asks, recorded in the signals; none records nothing.",
)
@click.option(
    "--abstain", type=float, help="Print no hits unless one reaches this confidence, from 0 to 1."
)
@click.option(
    "--variety/--no-variety",
    default=None,
    help="Whether repeats come last; default: yes, except in mode vector.",
)
@click.option(
    "--no-rerank", is_flag=True, help="Do not let a model read the first hits; saves time."
)
@click.option("--also", multiple=True, metavar="SPACE", help="Ask this space too; may be repeated.")
@click.option("--explain", is_flag=True, help="Show the parts of each score.")
def recall(
    call: Call,
    query: str,
    mode: Mode,
    asker: Asker | Literal["none"],
    no_rerank: bool,
    also: tuple[str, ...],
    explain: bool,
    **given: Any,
) -> None:
    """Search messages and entries for QUERY, by words and by meaning.

    Each line holds score, source (a name, session#seq or URI:line), time (UTC) and text. If at
    most 200 chunks wait for their vectors, these are made first; if more wait, a note says so,
    chunks without a vector are found by words only, and `ricordo flush` makes the vectors. A time
    is a date such as 2026-03-01 or an age such as 7d.
    """
    filters: dict[str, Any] = {key: None if value == () else value for key, value in given.items()}
    if no_rerank:
        filters["rerank"] = False
    with call.memory(embeds=mode != "keyword") as memory:
        if mode != "keyword":
            _catch_up(call, memory)
        filters |= {"mode": mode, "asker": None if asker == "none" else asker}
        if also:
            spaces = [call.space(memory).name, *also]
            hits = memory.recall(query, spaces, **_keep_common(filters))
        else:
            hits = call.space(memory).recall(query, **filters)
        if not hits and not also:
            call.note_missing_space(memory)
    if explain and not call.out.as_json:
        _explain(call, hits)
        return
    rows = [(f"{hit.score:.3f}", _place(hit), hit.at, hit.text) for hit in hits]
    call.out.table(hits, ("score", "source", "time", "text"), rows, snippet="text")


def _keep_common(filters: dict[str, Any]) -> dict[str, Any]:
    """The options that several spaces can be asked with; another one is refused."""
    known = ("limit", "mode", "kinds", "since", "until", "as_of", "asker", "abstain", "rerank")
    usual = {"profile": "default", "offset": 0}
    for name, value in filters.items():
        if name not in known and value is not None and value != usual.get(name):
            raise InvalidInput(f"--{name} is not possible with --also; leave one of them out")
    return {name: value for name, value in filters.items() if name in known}


def _catch_up(call: Call, memory: "Memory") -> None:
    """Make the few vectors that earlier commands left; if there are many, say so instead."""
    try:
        waiting = waiting_chunks(memory)
        if waiting > CATCH_UP:
            call.out.note(f"{waiting:,} chunks wait for their vectors; run: ricordo flush")
        else:
            settle(call, memory)
    except Unavailable as error:
        call.out.note(f"searching words only: {error}")


def settle(call: Call, memory: "Memory") -> None:
    """Embed only what waits: after a model switch the whole space may be due."""
    total = waiting = waiting_chunks(memory)
    with Progress("embedding", call.out, EMBED_STOPPED) as progress:
        while waiting and not memory.flush(timeout=0.2):
            waiting = waiting_chunks(memory)
            if total > FEW:
                progress(total - waiting, total)


def waiting_chunks(memory: "Memory") -> int:
    """Chunks that have neither a vector nor a recorded failure."""
    return count_waiting(memory.stats())


def count_waiting(stats: Stats) -> int:
    """The same from counts that are known."""
    return 0 if stats.model is None else max(0, stats.chunks - stats.embedded - stats.failed)


def embed_waiting(call: Call, memory: "Memory") -> None:
    """Make all missing vectors, with a progress bar."""
    with Progress("embedding", call.out, EMBED_STOPPED) as progress:
        memory.flush(progress=progress)


def _place(hit: Hit) -> str:
    """Where it stands, with the line in a document; in which space, and what supersedes it."""
    line = hit.source.line_start
    place = hit.source.place if line is None else f"{hit.source.place}:{line}"
    place = place if hit.space is None else f"{hit.space}: {place}"
    return (
        place if hit.superseded_by is None else f"{place} (superseded by {hit.superseded_by.place})"
    )


def _explain(call: Call, hits: list[Hit]) -> None:
    for hit in hits:
        line = f"{hit.score:.3f}\t{_place(hit)}\t{flat(hit.at)}\t{flat(hit.text)}"
        call.out.write(line)
        for bar in bars(hit):
            call.out.write(bar)


@verb("flush", "ricordo flush")
def flush(call: Call) -> None:
    """Make all missing vectors, and print the counts.

    Interrupting it loses nothing: the next flush resumes where this one stopped.
    """
    with call.memory(embeds=True) as memory:
        embed_waiting(call, memory)
        stats = memory.stats()
    call.out.line(
        stats, f"{stats.embedded} of {stats.chunks} chunks embedded, {stats.failed} failed"
    )


@verb("signals", "ricordo signals", "ricordo signals seat --limit 20")
@click.argument("name", required=False, shell_complete=complete_entries)
@click.option("--session", shell_complete=complete_sessions, help="Only those of this session.")
@click.option("--limit", type=int, default=100, show_default=True)
def signals(call: Call, name: str | None, session: str | None, limit: int) -> None:
    """Print which queries recalled which entries, newest first; with NAME, those of one entry.

    Each line holds time (UTC), entry, score, who asked, the session and its last event, and the
    query.
    """
    with call.memory() as memory:
        found = call.space(memory).dreams.signals(name, limit, session=session)
    rows = [(s.at, s.entry, f"{s.score:.3f}", s.asker, s.session, s.seq, s.query) for s in found]
    columns = ("time", "entry", "score", "asker", "session", "seq", "query")
    call.out.table(found, columns, rows)


VERBS = (recall, flush, signals)
