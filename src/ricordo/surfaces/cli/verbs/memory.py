"""Verbs about the memory as a whole: spaces, stats, check, backup, copy, index, demo."""

import dataclasses
from pathlib import Path

import click

from ricordo.errors import without_password
from ricordo.model import CHANGE_KINDS, ChangeKind
from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.verbs.recall import count_waiting, embed_waiting
from ricordo.surfaces.progress import Progress

_UNMADE = "the copy is not complete; run it again, into a new file"
_UNCOPIED = "{done} of {total} rows are copied; run it again for the rest"
_UNINDEXED = "{done} of {total} chunks are indexed; run ricordo index again for the rest"


@verb("spaces", "ricordo spaces", "ricordo spaces --prefix team- --limit 100")
@click.option("--prefix", default="", help="Only names that begin so.")
@click.option("--limit", type=int, help="At most this many. Default: all.")
@click.option("--after", default="", help="Continue past this name.")
def spaces(call: Call, prefix: str, limit: int | None, after: str) -> None:
    """Print the names of the spaces, in order."""
    with call.memory() as memory:
        names = memory.spaces(prefix, limit, after=after)
    call.out.table(names, ("space",), [(name,) for name in names])


@verb("changes", "ricordo changes", "ricordo changes --kind entry --kind revision --limit 20")
@click.option("--kind", "kinds", type=click.Choice(CHANGE_KINDS), multiple=True, help="Only these.")
@click.option("--limit", type=int, default=100, show_default=True)
def changes(call: Call, kinds: tuple[ChangeKind, ...], limit: int) -> None:
    """Print what happened in the space, newest first.

    Each line holds the time (UTC), the kind, what it is about, the name, and the beginning of the
    text.
    """
    with call.memory() as memory:
        found = call.space(memory).exchange.changes(limit, kinds=kinds or None)
    rows = [(c.at, c.kind, c.about, c.source.place if c.source else c.name, c.text) for c in found]
    call.out.table(found, ("time", "kind", "about", "name", "text"), rows)


@verb("stats", "ricordo stats", "ricordo stats --space ana --json")
def stats(call: Call) -> None:
    """Print counts of the whole memory, or with --space of that space."""
    with call.memory(embeds=True) as memory:
        counted = memory.stats() if call.space_name is None else call.space(memory).stats()
    counted = dataclasses.replace(counted, path=without_password(call.path))
    rows = [(field.name, getattr(counted, field.name)) for field in dataclasses.fields(counted)]
    call.out.table(counted, ("what", "value"), rows)
    if waiting := count_waiting(counted):
        call.out.note(f"{waiting:,} chunks wait for their vectors; ricordo flush makes them now")


@verb("spending", "ricordo spending --space ana")
def print_spending(call: Call) -> None:
    """Print what the space spent on chat models: model, calls, tokens in and out."""
    with call.memory() as memory:
        found = call.space(memory).dreams.spending()
    rows = [(s.model, s.calls, s.tokens_in, s.tokens_out) for s in found]
    call.out.table(found, ("model", "calls", "tokens in", "tokens out"), rows)


@verb("check", "ricordo check && echo fine")
@click.pass_context
def check(context: click.Context, call: Call) -> None:
    """Check every rule of the memory; exit code 1 if one is violated.

    Examples are a damaged file, a changed log, or an index that differs from the texts. Each line
    holds rule, place and detail.
    """
    with call.memory() as memory, Progress("checking", call.out, "a check changes nothing"):
        violations = memory.check()
    rows = [(v.rule, v.where, v.detail) for v in violations]
    call.out.table(violations, ("rule", "where", "detail"), rows)
    if violations:
        context.exit(1)
    nothing = f"there is no memory at {without_password(call.path)!r} yet"
    call.out.note("all is well" if call.is_there else nothing)


@verb("backup", "ricordo backup agent-copy.db")
@click.argument("path")
def backup(call: Call, path: str) -> None:
    """Copy the memory to the new file PATH while it is in use."""
    with call.known_memory() as memory, Progress("copying", call.out, _UNMADE) as progress:
        memory.backup(path, progress)
    call.out.line({"path": path}, path)


@verb(
    "copy",
    "ricordo copy agent.db postgresql://me@server/agents",
    "ricordo copy agent.db other.db --space ana",
)
@click.argument("source")
@click.argument("target")
def copy(call: Call, source: str, target: str) -> None:
    """Copy the memory SOURCE, or with --space one space of it, into TARGET.

    Both are files or URLs. The source may be in use. An interrupted copy resumes where it stopped,
    and at the end both sides are compared.
    """
    with (
        dataclasses.replace(call, db=source).known_memory() as memory,
        Progress("copying", call.out, _UNCOPIED) as progress,
    ):
        copied = memory.copy(target, call.space_name, progress)
    rows = [(c.space, sum(c.rows.values()), "copied" if c.changed else "equal") for c in copied]
    call.out.table(copied, ("space", "rows", "what"), rows)


@verb("index", "ricordo index", "ricordo index --vectors")
@click.option("--vectors", is_flag=True, help="Also discard and rebuild all vectors.")
def index(call: Call, vectors: bool) -> None:
    """Rebuild the keyword index from the texts.

    Missing vectors are also made.
    """
    with call.known_memory(embeds=True) as memory:
        with Progress("indexing", call.out, _UNINDEXED) as progress:
            chunks = memory.index(progress, vectors=vectors)
        embed_waiting(call, memory)
    call.out.line({"chunks": chunks}, f"{chunks} chunks indexed")


_SCRIPTS = {  # where each shell looks, below the user's folder
    "bash": ".local/share/bash-completion/completions/ricordo",
    "zsh": ".zfunc/_ricordo",
    "fish": ".config/fish/completions/ricordo.fish",
}


@verb(
    "completion",
    "ricordo completion bash >> ~/.bashrc",
    "ricordo completion fish --install",
)
@click.argument("shell", type=click.Choice(tuple(_SCRIPTS)))
@click.option(
    "--install", is_flag=True, help="Write it to the folder where the shell looks for it."
)
@click.pass_context
def completion(context: click.Context, call: Call, shell: str, install: bool) -> None:
    """Print the script that makes SHELL complete verbs and options, or install it."""
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    assert complete is not None
    script = complete(context.find_root().command, {}, "ricordo", "_RICORDO_COMPLETE").source()
    if not install:
        call.out.line({"shell": shell, "script": script}, script)
        return
    path = Path.home() / _SCRIPTS[shell]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script + "\n", encoding="utf-8")
    call.out.line({"shell": shell, "path": str(path)}, str(path))
    if shell == "zsh":
        call.out.note("zsh looks there once ~/.zshrc has: fpath+=~/.zfunc; autoload -U compinit")


@verb("demo", "ricordo demo")
def demo(call: Call) -> None:
    """Show the main job, in about a second.

    It runs in a temporary folder, without a network, and does not touch your own memory. With
    --json, the scenes are one document: titles, lines of code, and their results.
    """
    from ricordo.surfaces.cli.demo import play

    played = play(call.embedder, is_silent=call.out.as_json)
    if call.out.as_json:
        call.out.document(played)


VERBS = (spaces, stats, changes, print_spending, check, backup, copy, index, completion, demo)
