"""What a process does not import: it pays for what it does, not for all that a memory can do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ricordo
from ricordo import rooms

SOURCE = Path(ricordo.__file__).parent.parent

SERVERS = {"asyncio", "http", "http.client", "http.server", "socketserver", "ssl", "uvicorn"}
MODELS = {"onnxruntime", "tokenizers"}
WORK = {
    "ricordo.background.jobs",
    "ricordo.background.scheduler",
    "ricordo.core.conversation.plain_facts",
    "ricordo.core.conversation.small_talk",
    "ricordo.core.time.cadence",
    "ricordo.core.time.phrases",
    "ricordo.flows.conversation.compact",
    "ricordo.flows.conversation.context",
    "ricordo.flows.erasure.erase",
    "ricordo.flows.learning.learn",
    "ricordo.flows.sync.sync",
    "ricordo.flows.upkeep.maintain",
    "ricordo.workspace.files",
}
WRITING = {"ricordo.flows.writing.remember", "ricordo.core.learning.concepts"}
COLLECTIONS = {f"ricordo.handles.{name}" for name in ("dreams", "files", "records", "schedules")}


def list_imports(program: str, *words: str, folder: Path) -> set[str]:
    """The modules of a fresh process that has run a program on a memory in this folder."""
    told = folder / "imported"
    # Written at the very end, for the command line ends the process by itself.
    last = f"import atexit, pathlib, sys\natexit.register(lambda: pathlib.Path({str(told)!r})"
    last += ".write_text('\\n'.join(sys.modules)))\n"
    settings = {"RICORDO_DB": str(folder / "agent.db"), "RICORDO_EMBEDDER": "bundled"}
    subprocess.run(
        [sys.executable, "-c", last + program, *words],
        env={**os.environ, **settings, "PYTHONPATH": str(SOURCE), "RICORDO_SPACE": "ana"},
        check=True,
        capture_output=True,
    )
    return set(told.read_text().split())


@pytest.fixture
def folder(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="hash") as memory:
        ana = memory.space("ana")
        ana.remember("Prefers window seats", name="seat")
        ana.session("trip").append("user", "Book me a flight to Oslo")
        memory.flush()
    return tmp_path


OPEN = (
    "import os, ricordo\nwith ricordo.open(os.environ['RICORDO_DB'], embedder='hash') as memory:\n"
)


@pytest.mark.parametrize(
    ("does", "spared"),
    [
        ("pass", {"numpy", *WRITING}),
        ("assert memory.space('ana').get('seat')", {"numpy", *WRITING}),
        ("assert memory.stats().entries == 1", {"numpy", *WRITING}),
        ("assert memory.space('ana').session('trip').events()", {"numpy", *WRITING}),
        ("assert memory.space('ana').session('trip').append('user', 'Two days')", WRITING),
        ("assert memory.space('ana').recall('seats', mode='keyword')", set()),
        ("assert memory.space('ana').recall('where does she like to sit?')", set()),
    ],
)
def test_the_library_imports_what_a_call_needs(folder, does, spared):
    imported = list_imports(f"{OPEN}    {does}\n", folder=folder)

    assert imported & (SERVERS | MODELS | WORK | COLLECTIONS | {"click"} | spared) == set()


COMMAND = "from ricordo.surfaces.entry import main; main()"


@pytest.mark.parametrize(
    ("words", "spared"),
    [
        (["get", "seat"], {"numpy", *WRITING}),
        (["stats"], {"numpy", *WRITING}),
        (["recall", "seats", "--mode", "keyword"], set()),
    ],
)
def test_a_verb_imports_what_it_needs(folder, words, spared):
    imported = list_imports(COMMAND, *words, folder=folder)

    assert (
        imported & (MODELS | WORK | COLLECTIONS | {"asyncio", "ssl", "uvicorn"} | spared) == set()
    )


def test_a_collection_is_imported_when_it_is_used(folder):
    imported = list_imports(f"{OPEN}    memory.space('ana').schedules.list()\n", folder=folder)

    assert imported & COLLECTIONS == {"ricordo.handles.schedules"}


def test_a_room_has_its_modules_and_no_others():
    find = rooms.open_room("ricordo.flows.erasure")

    assert find("erase").__name__ == "ricordo.flows.erasure.erase"
    with pytest.raises(AttributeError, match=r"'ricordo.flows.erasure' has no attribute 'destroy'"):
        find("destroy")


def test_a_room_says_what_a_module_of_it_lacks(tmp_path, monkeypatch):
    package = tmp_path / "lacking"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "inner.py").write_text("import nowhere_to_be_found\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(ModuleNotFoundError, match="nowhere_to_be_found"):
        rooms.open_room("lacking")("inner")
