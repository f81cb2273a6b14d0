"""Verbs that judge recall: explain one result, evaluate it on your own conversations."""

from datetime import datetime
from pathlib import Path

import click

from ricordo.errors import InvalidInput
from ricordo.model import MODES, Mode
from ricordo.surfaces.cli.complete import complete_targets
from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.param_types import file, text, time
from ricordo.surfaces.progress import Progress


@verb(
    "explain",
    'ricordo explain "where does she like to sit?" seat',
    'ricordo explain "vet" trip#4 --limit 3',
)
@click.argument("query", type=text)
@click.argument("target", shell_complete=complete_targets)
@click.option("--limit", type=int, default=5, show_default=True)
@click.option("--mode", type=click.Choice(MODES), default="hybrid", show_default=True)
@click.option("--as-of", type=time, help="As memory stood at this time.")
def explain(
    call: Call, query: str, target: str, limit: int, mode: Mode, as_of: datetime | None
) -> None:
    """Explain why TARGET is, or is not, among the hits for QUERY.

    TARGET is any name of an entry, or a message as session#seq. The table compares the parts of its
    score with those of the last hit.
    """
    with call.memory(embeds=mode != "keyword") as memory:
        told = call.space(memory).explain(query, target, limit, mode, as_of=as_of)
    call.out.note(f"{told.verdict}: {told.reason}" + (f", rank {told.rank}" if told.rank else ""))
    names = list(dict.fromkeys([*told.parts, *told.last_parts]))
    rows = [
        (name, f"{told.parts.get(name, 0):.3f}", f"{told.last_parts.get(name, 0):.3f}")
        for name in names
    ]
    rows.append(("score", f"{told.score or 0:.3f}", f"{told.last_score or 0:.3f}"))
    call.out.table(told, ("part", "target", "last hit"), rows)


@verb(
    "eval",
    "ricordo eval talks.jsonl",
    "ricordo eval talks.jsonl --profile default --profile two_tier --json",
)
@click.argument("path", type=file)
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    default=("default", "minmax", "rrf", "two_tier"),
    show_default=True,
    help="May be repeated; add a mode after a colon, as in default:keyword.",
)
def evaluate(call: Call, path: Path, profiles: tuple[str, ...]) -> None:
    """Measure recall on the conversations in PATH, one column per profile.

    PATH holds JSON lines, each a message with "type", "conversation", "id", "session", "speaker",
    "role", "time" and "text", or a question with "text" and "gold", the list of ids that answer it.
    docs/recall.md says what each measure means. The memory itself is not touched.
    """
    from ricordo.surfaces.cli.evaluation import MEASURES, evaluate, read

    talks = read(path)
    if not talks:
        raise InvalidInput(f"{path} holds no question with gold; see ricordo eval --help")
    ways = [((*way.split(":"), "hybrid")[0], (*way.split(":"), "hybrid")[1]) for way in profiles]
    with Progress("asking", call.out, "nothing is kept of a measurement") as progress:
        reports = evaluate(talks, ways, embedder=call.embedder, progress=progress)
    rows = [(name, *(f"{r.mean(name):.3f}" for r in reports)) for name in MEASURES]
    rows.append(("CPU ms/question", *(f"{r.cpu_ms:.2f}" for r in reports)))
    measured = {r.way: {name: r.mean(name) for name in MEASURES} for r in reports}
    call.out.table(
        {"questions": len(reports[0].rows), "profiles": measured},
        ("measure", *(r.way for r in reports)),
        rows,
    )


VERBS = (explain, evaluate)
