"""The checks of the verb doctor. They read and try; they change nothing."""

import shutil
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import ricordo
from ricordo import config
from ricordo.errors import RicordoError, without_password
from ricordo.surfaces.cli.context import Call
from ricordo.surfaces.findings import (
    Finding,
    look_at_clock,
    look_at_keeper,
    look_at_versions,
)

JSON_VERSION = 1  # of the documents that --json prints; raise it when a key changes or goes
CHECKED = 200 * 2**20  # bytes up to which the rules are checked here
_SAID = {
    "English": ["this is one vector", "and that is the next", "this is the last of them"],
    "other": ["das ist ein Vektor", "und das ist noch einer", "das ist der letzte von ihnen"],
}


def examine(call: Call) -> list[Finding]:
    """Run every check; a check that fails becomes a finding, and the rest still run."""
    looks: tuple[tuple[str, Callable[[Call], Iterator[Finding]]], ...] = (
        ("version", _versions),
        ("settings", _settings),
        ("memory", _memory),
        ("embedder", _embedder),
        ("workspace", _workspace),
        ("environment", _environment),
    )
    found: list[Finding] = []
    for what, look in looks:
        try:
            found += look(call)
        except (RicordoError, OSError) as error:
            found.append(Finding(what, "wrong", " ".join(str(error).split())))
    return found


def _versions(call: Call) -> Iterator[Finding]:  # noqa: ARG001 - all looks are called alike
    yield from look_at_versions()


def _settings(call: Call) -> Iterator[Finding]:
    call.settings()
    where = f"read from {call.config}" if call.config else "no file"
    yield Finding("settings", "ok", where)


def _memory(call: Call) -> Iterator[Finding]:
    """Where it is, whether it opens, its schema, and whether its rules hold."""
    is_file = "://" not in call.path
    yield Finding("db", "ok", without_password(call.path))
    if is_file and not Path(call.path).exists():
        call.memory().close()  # says so if no file can be made there; makes none itself
        yield Finding("memory", "note", "nothing was written yet; the first write creates it")
        return
    schema = _schema(call.path) if is_file else None
    if is_file:
        yield Finding("encryption", "ok", "none" if schema is not None else "encrypted")
    with call.memory(read_only=True) as memory:
        stats = memory.stats()
        counts = f"{stats.spaces} spaces, {stats.sessions} sessions, {stats.entries} entries"
        yield Finding("memory", "ok", f"opens: {counts}, {stats.bytes:,} bytes")
        if schema is not None:
            yield Finding("schema", "ok", str(schema))
        yield from look_at_clock(memory)
        yield from look_at_keeper(memory)
        if stats.bytes > CHECKED:
            yield Finding("check", "note", "skipped, the file is large; run: ricordo check")
            return
        violations = memory.check()
    if violations:
        first = violations[0]
        told = f"{len(violations)} violations, first {first.rule} at {first.where}"
        yield Finding("check", "wrong", f"{told}; run: ricordo check")
    else:
        yield Finding("check", "ok", "all rules hold")


def _schema(path: str) -> int | None:
    """The schema version from the file's header; None if that is encrypted."""
    with Path(path).open("rb") as file:
        header = file.read(64)
    if header and not header.startswith(b"SQLite"):
        return None
    return int(struct.unpack(">I", header[60:64])[0]) if len(header) == 64 else 0


def _embedder(call: Call) -> Iterator[Finding]:
    """Make vectors in two languages: the bundled models share the work by language."""
    chosen = call.embedder or call.settings().embedder
    if chosen == "none":
        yield Finding("embedder", "note", "none: recall is by words only")
        return
    name = without_password(str(chosen))
    with ricordo.open(":memory:", embedder=chosen, config=call.config) as trial:
        for space, texts in _SAID.items():
            for text in texts:
                trial.space(space).remember(text)
        trial.flush()
        for space, texts in _SAID.items():
            try:
                trial.space(space).recall(texts[0], mode="vector")
            except RicordoError as error:
                yield Finding("embedder", "wrong", f"{name} in {space} texts: {error}")
                return
        yield Finding("embedder", "ok", f"{name} makes vectors ({trial.stats().model})")


def _workspace(call: Call) -> Iterator[Finding]:
    chosen = call.settings()
    if not chosen.workspace:
        yield Finding("workspace", "ok", "none set")
        return
    state = "exists" if Path(chosen.workspace).expanduser().is_dir() else "is created when needed"
    yield Finding("workspace", "ok", f"{chosen.workspace} {state}")
    if chosen.workspace_git and shutil.which("git") is None:
        yield Finding("git", "wrong", "workspace_git is set, but git was not found; install it")


def _environment(call: Call) -> Iterator[Finding]:  # noqa: ARG001 - all looks are called alike
    unknown = config.unknown_variables()
    for name, near in unknown.items():
        yield Finding(
            "environment", "note", f"unknown variable {name}" + (f"; {near}?" if near else "")
        )
    if not unknown:
        yield Finding("environment", "ok", "no unknown variable")
