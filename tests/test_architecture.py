"""The house stands as drawn: who may import whom, how big a module grows, where SQL lives."""

import ast
import dataclasses
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import click
import pytest

import ricordo
from ricordo import aio

SOURCE = Path(ricordo.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))

# Who may import whom. A part is a folder, or a module that lies beside them, or one module that may
# more than its neighbours (`handles.memory`); `ricordo` is the package's own face.
# Siblings (core, store, embed, workspace) are missing from each other's rows on
# purpose.
EDGES: dict[str, set[str]] = {
    "errors": set(),
    "locks": set(),
    "forks": set(),
    "rooms": set(),
    "model": {"model"},
    "config": {"errors"},
    "telemetry": {"telemetry", "errors", "model"},
    "core": {"core", "errors", "model"},
    "store": {"store", "telemetry", "locks", "forks", "errors", "model"},
    "embed": {"embed", "locks", "forks", "errors", "model"},
    "workspace": {"workspace", "errors", "model"},
    "flows": {
        "flows",
        "core",
        "store",
        "embed",
        "workspace",
        "telemetry",
        "locks",
        "forks",
        "rooms",
        "config",
        "errors",
        "model",
    },
    "background": {
        "background",
        "flows",
        "core",
        "store",
        "embed",
        "locks",
        "forks",
        "rooms",
        "config",
        "errors",
        "model",
    },
    "handles": {"handles", "background", "flows", "rooms", "errors", "model"},
    "handles.encryption": {"flows", "model"},
    "handles.telemetry": {"handles.memory", "telemetry"},
    "handles.memory": {
        "handles",
        "background",
        "flows",
        "store",
        "embed",
        "config",
        "errors",
        "model",
    },
    "mirrors": set(),
    "aio": {"mirrors", "handles", "handles.memory", "model"},
    "ricordo": {
        "handles",
        "handles.encryption",
        "handles.memory",
        "background",
        "embed",
        "aio",
        "config",
        "errors",
        "model",
    },
    "__main__": {"surfaces"},
    "testing": {"testing", "ricordo", "handles.memory", "errors", "model"},
    "adapters": {
        "adapters",
        "ricordo",
        "mirrors",
        "handles",
        "handles.memory",
        "aio",
        "errors",
        "model",
    },
    "surfaces": {
        "surfaces",
        "ricordo",
        "handles.memory",
        "handles.encryption",
        "handles.telemetry",
        "telemetry",
        "aio",
        "config",
        "errors",
        "model",
    },
}
EXCEPTIONS = {
    # Measures of a ranking are plain arithmetic; the command that prints them needs no flow.
    ("ricordo.surfaces.cli.evaluation", "ricordo.core.recall.metrics"),
    # A cadence by type and value is the shape of one toolset; reading and writing it is pure.
    ("ricordo.surfaces.tools.compat.oxydra.schedules", "ricordo.core.time.cadence"),
    # A time as people say it is read before a verb runs, so that a wrong one ends with usage.
    ("ricordo.surfaces.cli.param_types", "ricordo.core.time.moments"),
    # What a model is shown goes through the one module that quotes, and that is pure.
    ("ricordo.surfaces.mcp.prompts", "ricordo.core.text.quotation"),
    ("ricordo.surfaces.tools.compat.aidaemon", "ricordo.core.text.quotation"),
    ("ricordo.surfaces.tools.compat.crabtalk", "ricordo.core.text.quotation"),
    # What a message states for certain is read by patterns, which are pure.
    ("ricordo.surfaces.http.mem0.adding", "ricordo.core.conversation.extract_facts"),
    # Where a line may be cut for a person is decided character by character, and that is pure.
    ("ricordo.surfaces.columns", "ricordo.core.text.graphemes"),
    ("ricordo.surfaces.cli.verbs.entries", "ricordo.core.text.graphemes"),
    # Blocks are large: the cases make small ones of a few texts.
    ("ricordo.testing.cases_blocks", "ricordo.core.recall.block_plan"),
    ("ricordo.testing.cases_blocks", "ricordo.flows.recall.make_blocks"),
    # Which words of a hit are marked is decided by the tokenizer of recall, and that is pure.
    ("ricordo.surfaces.http.reads", "ricordo.core.text.marks"),
    # A host waits for its hooks: they may not pay for the import of every handle.
    ("ricordo.surfaces.hooks.claude_code", "ricordo.flows.hooks.events"),
    ("ricordo.surfaces.hooks.claude_code", "ricordo.flows.engine"),
    ("ricordo.surfaces.hooks.main", "ricordo.flows.hooks.events"),
    ("ricordo.surfaces.hooks.ask_server", "ricordo.flows.hooks.quick_recall"),
    # A host waits for the handshake too: the file is looked at before a handle is imported.
    ("ricordo.surfaces.cli.verbs.serve", "ricordo.store.sqlite.file"),
    ("ricordo.surfaces.cli.verbs.serve", "ricordo.store.sqlite.key_sources"),
}

# The rooms inside a part, lowest first: a room imports itself and those that stand before it. What
# is imported for types alone does not count, since it is never run.
ORDER: dict[str, tuple[str, ...]] = {
    "core": ("text", "integrity", "recall", "conversation", "time", "learning", "exchange"),
    "flows": (
        "engine",
        "redaction",
        "signals",
        "writing",
        "time",
        "files",
        "recall",
        "records",
        "learning",
        "conversation",
        "erasure",
        "sync",
        "hooks",
        "documents",
        "exchange",
        "upkeep",
    ),
    "store": (
        "catalogue",
        "codec",
        "migrate",
        "commit_threads",
        "pool",
        "schema",
        "seals",
        "tables",
        "database",
        "check",
        "salvage_writes",
        "write_queue",
        "sqlite",
        "libsql",
        "postgres",
        "opening",
    ),
    "handles": (
        "suggesting",
        "references",
        "session",
        "collection",
        "schedules",
        "reminders",
        "documents",
        "dreams",
        "macros",
        "approvals",
        "files",
        "records",
        "exchange",
        "space_collections",
        "space_plans",
        "space",
        "keeper",
        "encryption",
        "memory",
        "telemetry",
    ),
    "background": ("passes", "jobs", "scheduler", "keeper"),
    # The two helpers, then one module per framework; these never import each other (see below).
    "adapters": (
        "ground",
        "verbatim",
        "item_filters",
        "adk",
        "claude_agent",
        "langchain",
        "langgraph",
        "langgraph_checkpoints",
        "openai_agents",
        "pydantic_ai",
        "strands",
    ),
    "surfaces": (
        "awaitable",
        "columns",
        "output",
        "progress",
        "quiet_log",
        "run_command",
        "project_space",
        "findings",
        "faults",
        "anthropic",
        "tools",
        "server",
        "mcp",
        "web",
        "http",
        "hooks",
        "cli",
        "entry",
    ),
}
ACROSS = {
    # The engine makes its parts when they are first needed; each of them works with the engine.
    ("ricordo.flows.engine", "ricordo.flows.recall.views"),
    ("ricordo.flows.engine", "ricordo.flows.redaction"),
    # What belongs to a space is read off a schema that SQLite makes in RAM.
    ("ricordo.store.schema", "ricordo.store.sqlite.file"),
}

# What each part may take from outside the standard library.
OUTSIDE: dict[str, set[str]] = {
    "adapters": {
        "agents",
        "claude_agent_sdk",
        "google",
        "langchain_core",
        "langgraph",
        "pydantic",
        "pydantic_ai",
        "strands",
    },
    "core": {"blake3", "cronsim", "numpy"},
    "store": {"apsw", "keyring", "numpy", "psycopg"},
    "embed": {"blake3", "numpy", "onnxruntime", "tokenizers"},
    "flows": {"markitdown", "numpy"},
    "telemetry": {"opentelemetry"},
    "surfaces": {
        "anthropic",
        "anyio",
        "click",
        "mcp",
        "platformdirs",
        "pydantic",
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
    inner = ".".join(names[1:3])
    return inner if inner in EDGES else names[min(1, len(names) - 1)]


def dotted(file: Path) -> str:
    """The dotted name of a source file."""
    names = ["ricordo", *file.relative_to(SOURCE).with_suffix("").parts]
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def imports(file: Path) -> Iterator[str]:
    """Every module a file imports, wherever it does so: also in functions, also for types."""
    yield from imports_of(ast.parse(file.read_text(encoding="utf-8")), file)


def imports_of(tree: ast.AST, file: Path) -> Iterator[str]:
    for node in ast.walk(tree):
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


def room(module: str) -> str | None:
    """The room of a module inside its part; none where a part has no rooms."""
    names = module.split(".")
    return names[2] if len(names) > 2 and names[1] in ORDER else None


def run_imports(file: Path) -> Iterator[str]:
    """Every module a file imports when it runs: not those for types alone."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            node.body = []
    yield from imports_of(tree, file)


def inner_imports() -> Iterator[tuple[str, str]]:
    """Each import that leads from one room to another of the same part."""
    for file in MODULES:
        for module in run_imports(file):
            names = dotted(file).split("."), module.split(".")
            if names[0][:2] == names[1][:2] and room(dotted(file)) and room(module):
                yield dotted(file), module


def test_every_room_has_its_place_in_the_order():
    there = {
        (part(name).split(".")[0], inner) for name in map(dotted, MODULES) if (inner := room(name))
    }

    assert there == {(name, inner) for name, rooms in ORDER.items() for inner in rooms}


def test_rooms_import_only_those_that_stand_before_them():
    wrong = [
        f"{importer} imports {module}"
        for importer, module in inner_imports()
        for rooms in [ORDER[importer.split(".")[1]]]
        if rooms.index(str(room(module))) > rooms.index(str(room(importer)))
        and (importer, module) not in ACROSS
    ]

    assert wrong == []


def test_every_import_against_the_order_is_still_needed():
    assert set(inner_imports()) >= ACROSS


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
        "def late():\n    from ricordo.flows.recall import recall\n    import numpy as np\n",
        encoding="utf-8",
    )

    assert set(imports(file)) == {
        "typing",
        "ricordo.store.database",
        "ricordo.flows.recall.recall",
        "numpy",
    }


ADAPTERS = [name for name in map(dotted, MODULES) if name.startswith("ricordo.adapters.")]
HELPERS = {f"ricordo.adapters.{name}" for name in ("ground", "verbatim", "item_filters")}


def test_an_adapter_imports_the_helpers_and_no_other_adapter():
    wrong = [
        (importer, module)
        for importer, module in inner_imports()
        if part(importer) == "adapters" and module not in HELPERS
    ]

    assert wrong == []


def test_every_adapter_has_an_extra_of_its_name():
    said = tomllib.loads((SOURCE.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = {name.split(".")[-1].replace("_", "-") for name in set(ADAPTERS) - HELPERS}

    assert wanted <= said["project"]["optional-dependencies"].keys()


def test_adapters_are_imported_by_name_only():
    script = "import sys, ricordo.aio; print(*[m for m in sys.modules if 'adapters' in m])"

    assert printed_by(script) == []


def printed_by(script: str) -> list[str]:
    """What a fresh process prints, as words."""
    return subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(SOURCE.parent)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()


@pytest.mark.parametrize("module", ["ricordo", "ricordo.handles.memory"])
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
    drivers = [file for file in MODULES if part(dotted(file)) == "store"]

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
    from ricordo.surfaces.cli.main import cli

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
