"""The house stands as drawn: who may import whom, how big a module grows, where SQL lives."""

import ast
import dataclasses
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import click
import pytest

import ricordo
from ricordo import aio

SOURCE = Path(ricordo.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))

# Who may import whom. A part is a folder, or a module that lies beside them; `ricordo` is the
# package's own face. Siblings (core, store, embed, workspace) are missing from each other's rows on
# purpose.
EDGES: dict[str, set[str]] = {
    "errors": set(),
    "locks": set(),
    "forks": set(),
    "model": {"model"},
    "config": {"errors"},
    "core": {"core", "errors", "model"},
    "store": {"store", "locks", "forks", "errors", "model"},
    "embed": {"embed", "locks", "forks", "errors", "model"},
    "workspace": {"workspace", "errors", "model"},
    "flows": {
        "flows",
        "core",
        "store",
        "embed",
        "workspace",
        "locks",
        "forks",
        "config",
        "errors",
        "model",
    },
    "session": {"flows", "errors", "model"},
    "timed": {"flows", "errors", "model"},
    "library": {"flows", "errors", "model"},
    "learned": {"flows", "errors", "model"},
    "dreams": {"flows", "errors", "model"},
    "filed": {"flows", "errors", "model"},
    "ported": {"flows", "errors", "model"},
    "space": {
        "session",
        "timed",
        "library",
        "learned",
        "dreams",
        "filed",
        "ported",
        "flows",
        "errors",
        "model",
    },
    "memory": {"space", "session", "flows", "store", "embed", "config", "errors", "model"},
    "aio": {"memory"},
    "scheduler": {"memory", "errors", "model"},
    "regular": {"errors"},
    "consolidator": {"regular", "memory", "model"},
    "dreamer": {"regular", "memory", "errors", "model"},
    "ricordo": {
        "memory",
        "scheduler",
        "consolidator",
        "dreamer",
        "embed",
        "aio",
        "config",
        "errors",
        "model",
    },
    "__main__": {"surfaces"},
    "testing": {"testing", "ricordo", "memory", "errors", "model"},
    "surfaces": {"surfaces", "ricordo", "memory", "aio", "config", "errors", "model"},
}
EXCEPTIONS = {
    # Measures of a ranking are plain arithmetic; the command that prints them needs no flow.
    ("ricordo.surfaces.evaluation", "ricordo.core.metrics"),
    # A cadence by type and value is the shape of one toolset; reading and writing it is pure.
    ("ricordo.surfaces.tools.schedules001", "ricordo.core.cadence"),
    # A host waits for its hooks: they may not pay for the import of every handle.
    ("ricordo.surfaces.hooks", "ricordo.flows.observe"),
    ("ricordo.surfaces.hooks", "ricordo.flows.engine"),
    ("ricordo.surfaces.hook_main", "ricordo.flows.observe"),
    # A host waits for the handshake too: the file is looked at before a handle is imported.
    ("ricordo.surfaces.commands_serve", "ricordo.store.sqlite_file"),
}

# What each part may take from outside the standard library.
OUTSIDE: dict[str, set[str]] = {
    "core": {"blake3", "cronsim", "numpy"},
    "store": {"apsw", "libsql", "pgvector", "psycopg", "psycopg_pool"},
    "embed": {"blake3", "numpy", "onnxruntime", "tokenizers"},
    "flows": {"markitdown", "numpy"},
    "surfaces": {
        "anthropic",
        "anyio",
        "click",
        "mcp",
        "platformdirs",
        "pydantic",
        "rich",
        "starlette",
        "uvicorn",
    },
}

LONGEST_MODULE = 400  # lines
LONGER_WITH_REASON: dict[str, str] = {}  # path under src/ricordo -> why it may not be split

HEAVY = ("numpy", "onnxruntime", "click", "blake3", "asyncio")

# Words that the vocabulary replaces; the word to use stands beside each.
SYNONYMS = {
    "thread": "session",
    "conversation": "session",
    "agent_id": "space",
    "user_id": "space",
    "tenant": "space",
    "namespace": "space",
    "turn": "event",
    "interaction": "event",
    "slug": "name",
    "title": "name",
    "topic": "tag",
    "passage": "chunk",
    "search": "recall",
    "retrieve": "recall",
    "match": "hit",
    "recap": "summary",
    "reflection": "dream",
    "job": "schedule",
    "alarm": "reminder",
    "vault": "workspace",
    "plugin": "toolset",
}

SQL = re.compile(
    r"^\s*(SELECT\s.+\sFROM\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|PRAGMA\s"
    r"|CREATE\s+(VIRTUAL\s+|UNIQUE\s+)?(TABLE|INDEX)\s|DROP\s+TABLE\s|BEGIN\s+IMMEDIATE)",
    re.DOTALL,
)


def part(module: str) -> str:
    """The part of the house a dotted module belongs to."""
    names = module.split(".")
    return names[1] if len(names) > 1 else names[0]


def dotted(file: Path) -> str:
    """The dotted name of a source file."""
    names = ["ricordo", *file.relative_to(SOURCE).with_suffix("").parts]
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def imports(file: Path) -> Iterator[str]:
    """Every module a file imports, wherever it does so: also in functions, also for types."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: write imports in full, not relative"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if is_module(inner) else str(node.module)


def is_module(name: str) -> bool:
    """Whether a dotted name is one of our modules rather than something inside one."""
    path = SOURCE.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def under(name: str) -> str:
    return str(Path(name).relative_to(SOURCE))


# --- imports ----------------------------------------------------------------------------------


def test_every_part_of_the_house_stands_in_the_table():
    assert {part(dotted(file)) for file in MODULES} <= set(EDGES)


def test_imports_point_downward_only():
    wrong = [
        f"{dotted(file)} imports {module}"
        for file in MODULES
        for module in imports(file)
        if module.split(".")[0] == "ricordo"
        and part(module) not in EDGES[part(dotted(file))]
        and (dotted(file), module) not in EXCEPTIONS
    ]

    assert wrong == []


def test_every_exception_is_still_needed():
    used = {(dotted(file), module) for file in MODULES for module in imports(file)}

    assert used >= EXCEPTIONS


def test_the_table_itself_has_no_way_round_in_a_circle():
    order = TopologicalSorter({name: below - {name} for name, below in EDGES.items()})

    assert set(order.static_order()) == set(EDGES)


def test_siblings_never_see_each_other():
    siblings = {"core", "store", "embed", "workspace"}

    for name in siblings:
        assert EDGES[name] & siblings == {name}


def test_each_part_uses_only_the_dependencies_it_is_allowed():
    wrong = [
        f"{dotted(file)} imports {module}"
        for file in MODULES
        for module in imports(file)
        if (top := module.split(".")[0]) not in sys.stdlib_module_names | {"ricordo"}
        and top not in OUTSIDE.get(part(dotted(file)), set())
    ]

    assert wrong == []


def test_the_guard_sees_imports_in_functions_and_for_types(tmp_path):
    file = tmp_path / "module.py"
    file.write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from ricordo.store.database import Tx\n"
        "def late():\n    from ricordo.flows import recall\n    import numpy as np\n",
        encoding="utf-8",
    )

    assert set(imports(file)) == {
        "typing",
        "ricordo.store.database",
        "ricordo.flows.recall",
        "numpy",
    }


def printed_by(script: str) -> list[str]:
    """What a fresh process prints, as words."""
    return subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(SOURCE.parent)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()


@pytest.mark.parametrize("module", ["ricordo", "ricordo.memory"])
def test_importing_loads_nothing_heavy(module):
    script = f"import sys, {module}; print(*[m for m in {HEAVY!r} if m in sys.modules])"

    assert printed_by(script) == []


def test_opening_a_memory_needs_no_numpy(tmp_path):
    script = (
        "import sys, ricordo\n"
        f"with ricordo.open({str(tmp_path / 'agent.db')!r}) as memory:\n"
        "    memory.space('ana').get('home')\n"
        "print(*[m for m in ('numpy', 'onnxruntime') if m in sys.modules])"
    )

    assert printed_by(script) == []


# --- size and shape ---------------------------------------------------------------------------


def test_no_module_outgrows_one_sitting():
    sizes = {under(str(file)): len(file.read_text("utf-8").splitlines()) for file in MODULES}
    long = {name for name, lines in sizes.items() if lines > LONGEST_MODULE}

    assert long == set(LONGER_WITH_REASON)


def test_every_module_says_what_it_is():
    silent = [
        under(str(file))
        for file in MODULES
        if not ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    ]

    assert silent == []


# --- SQL --------------------------------------------------------------------------------------


def strings(file: Path) -> Iterator[str]:
    """Every literal text of a file, those in f-strings included, docstrings too."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_sql_lives_in_the_store_only():
    elsewhere = [file for file in MODULES if part(dotted(file)) != "store"]
    found = [
        f"{under(str(file))}: {text.strip()[:60]}"
        for file in elsewhere
        for text in strings(file)
        if SQL.match(text)
    ]

    assert found == []
    assert {part(dotted(file)) for file in SOURCE.rglob("*.sql")} == {"store"}


def test_the_guard_knows_sql_when_it_sees_it():
    drivers = [file for file in MODULES if file.parent.name == "store"]

    assert any(SQL.match(text) for file in drivers for text in strings(file))
    assert not SQL.match("Select a space first, from the list")


def test_core_has_no_clock_no_files_and_no_threads():
    banned = {"time", "secrets", "os", "pathlib", "io", "socket", "sqlite3", "threading"}
    core = [file for file in MODULES if part(dotted(file)) == "core"]
    wrong = [
        f"{dotted(file)} imports {module}"
        for file in core
        for module in imports(file)
        if module.split(".")[0] in banned
    ]

    assert core
    assert wrong == []


def test_chance_in_core_is_seeded_by_the_caller():
    core = [file for file in MODULES if part(dotted(file)) == "core"]
    wrong = [
        f"{dotted(file)} uses random.{node.attr}"
        for file in core
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "random"
        and node.attr != "Random"
    ]

    assert wrong == []


# --- vocabulary -------------------------------------------------------------------------------


def public_names() -> Iterator[str]:
    """Every name a user types: exports, their methods, parameters and fields, and commands."""
    for name in ricordo.__all__:
        yield name
        yield from names_of(getattr(ricordo, name))
    for handle in (aio.Memory, aio.Space, aio.Session):
        yield from names_of(handle)


def names_of(value: object) -> Iterator[str]:
    if inspect.isclass(value):
        own = [each for each in value.__mro__ if each.__module__.startswith("ricordo")]
        members = [name for each in own for name in vars(each) if not name.startswith("_")]
        yield from members
        if dataclasses.is_dataclass(value):
            yield from (field.name for field in dataclasses.fields(value))
        for member in members:
            if inspect.isfunction(getattr(value, member)):
                yield from inspect.signature(getattr(value, member)).parameters
    elif inspect.isfunction(value):
        yield from inspect.signature(value).parameters


def command_names() -> Iterator[str]:
    """Every command and option of the command line."""
    from ricordo.surfaces.cli import cli

    waiting: list[click.Command] = [cli]
    while waiting:
        command = waiting.pop()
        yield from (parameter.name or "" for parameter in command.params)
        for name, inner in getattr(command, "commands", {}).items():
            yield name
            waiting.append(inner)


def synonyms_in(names: Iterator[str]) -> list[str]:
    found = set()
    for name in names:
        snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().replace("-", "_")
        for word in {snake, *snake.split("_")} & set(SYNONYMS):
            found.add(f"{name}: say {SYNONYMS[word]}, not {word}")
    return sorted(found)


def test_public_names_use_no_synonyms():
    assert synonyms_in(public_names()) == []


def test_commands_use_no_synonyms():
    assert synonyms_in(command_names()) == []


def test_the_guard_finds_a_synonym_inside_a_name():
    assert synonyms_in(iter(["ThreadInfo", "search_entries", "agent_id", "recall"])) == [
        "ThreadInfo: say session, not thread",
        "agent_id: say space, not agent_id",
        "search_entries: say recall, not search",
    ]
