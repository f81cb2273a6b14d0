"""Nothing crosses a space: every public method and tool is asked for what is next door.

The canary stands in every text of one space. The other space is called with all of its addresses:
no answer and no error may hold the canary, the neighbour may not change, and no statement may be
bound to another space. Commands and HTTP routes are in files of their own.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from audit import read, watching
from neighbours import CANARY, WORDS, Neighbour, calls, settle, told, whole

import ricordo
from ricordo import Memory
from ricordo.store import catalogue
from ricordo.store.catalogue import Query
from ricordo.store.sqlite import file
from tier import report

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with ricordo.open(tmp_path / "a.db", embedder="none", clock=lambda: NOW) as memory:
        yield memory


@pytest.fixture
def ana(memory: Memory) -> Neighbour:
    return settle(memory, "ana")


def number(memory: Memory, name: str) -> int:
    with memory._engine.store.read() as tx:
        found = tx.spaces.number(name)
    assert found is not None
    return found


def answer(call) -> str:
    """What a call gives or says when it refuses; anything but an error of ours is a failure."""
    try:
        return whole(call())
    except ricordo.RicordoError as error:
        return f"{error!r} {error.__cause__!r}"


def test_no_method_of_a_space_gives_or_changes_what_is_next_door(memory, ana, tmp_path):
    memory.space("kate").session("trip").append("user", "hers")
    memory.space("kate").remember("hers", name="own")
    before, kate = told(memory, "ana"), number(memory, "kate")
    asked = 0
    with watching() as watch:
        for name, call in calls(memory, "kate", ana, tmp_path):
            said = answer(call)
            asked += 1
            assert CANARY not in said, name
        memory._engine.store.settle()

    assert watch.strangers(kate) == []
    assert told(memory, "ana") == before
    assert memory.check() == []
    assert asked > 150
    report("6 isolation", calls=asked, statements=watch.count, queries=len(watch.spaces), leaks=0)


def test_the_canary_would_be_seen(memory, ana, tmp_path):
    """The control: asked about itself, the space shows the canary in many answers."""
    seen = {name for name, call in calls(memory, "ana", ana, tmp_path) if CANARY in answer(call)}

    assert len(seen) > 15  # some of the calls before have erased what others would show


# --- statements -------------------------------------------------------------------------------


def test_every_statement_of_the_catalogue_passes_the_audit():
    raw = file.in_ram()
    raw.execute("PRAGMA foreign_keys=OFF").fetchall()  # what keys make it look at is no statement
    queries = catalogue.load("sqlite")

    wrong = {name: found for name, query in queries.items() if (found := read(raw, query))}

    assert wrong == {}
    assert len(queries) > 100


HOLES = {
    "no predicate": "SELECT content FROM entries WHERE id = :id",
    "through a view": "SELECT content FROM everything WHERE id = :id",
    "an update without one": "UPDATE entries SET content = :content WHERE id = :id",
    "a delete without one": "DELETE FROM names WHERE name = :name",
    "a constant": "SELECT id FROM entries WHERE space = (SELECT 1) AND id = :id AND :space > 0",
    "bound, but not used": "SELECT content FROM entries WHERE id = :id AND :space IS NOT NULL",
    "only in the outer query": (
        "SELECT e.content FROM entries e WHERE e.space = :space AND e.id IN "
        "(SELECT n.entry FROM names n WHERE n.name = :name)"
    ),
}


@pytest.mark.parametrize("hole", HOLES)
def test_the_audit_finds_a_planted_hole(hole):
    raw = file.in_ram()
    raw.execute("CREATE VIEW everything AS SELECT id, content FROM entries").fetchall()

    assert read(raw, Query("planted.hole", "a hole", HOLES[hole])) != []


def test_the_watch_finds_a_statement_bound_to_the_wrong_space(memory, ana):
    memory.space("kate").remember("hers", name="own")
    kate = number(memory, "kate")

    with watching() as watch, memory._engine.store.read() as tx:
        tx.entries.names(kate, 1)
        assert watch.strangers(kate) == []
        tx.entries.names(kate - 1, 1)

    assert watch.strangers(kate) == ["names.of"]


# --- ranking ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_ranking_does_not_move_when_another_space_grows(tmp_path, mode):
    with ricordo.open(tmp_path / "a.db", embedder="hash", clock=lambda: NOW) as memory:
        space = memory.space("ana")
        for turn in range(40):
            space.session("s").append("user", f"{WORDS} number {turn} of {turn % 7} apples")
        memory.flush()

        def ranked() -> list[tuple[str, float, dict[str, float]]]:
            hits = [space.recall(q, 10, mode, asker=None) for q in (WORDS, "apples 3", "number")]
            return [(hit.text, hit.score, dict(hit.parts)) for found in hits for hit in found]

        before = ranked()
        for turn in range(300):
            memory.space("kate").session("s").append("user", f"apples {WORDS} {turn}")
        memory.flush()

        assert ranked() == before
        assert before


# --- tools ------------------------------------------------------------------------------------


def test_no_tool_gives_or_changes_what_is_next_door(memory, ana):
    tools = pytest.importorskip("ricordo.surfaces.tools")
    memory.space("kate").session("trip").append("user", "hers")
    before, kate = told(memory, "ana"), number(memory, "kate")
    asked = 0
    with watching() as watch:
        for toolset in tools.registry.toolsets():
            for tool in tools.registry.toolset(toolset):
                for address in ana.addresses:
                    args = arguments(tool.parameters, address)
                    try:
                        said = repr(
                            tools.registry.call(
                                tool.name, args, memory.space("kate"), "trip", toolset
                            )
                        )
                    except tools.ToolFailure as error:
                        said = repr(error)
                    asked += 1
                    assert CANARY not in said, (toolset, tool.name, args)
        memory._engine.store.settle()

    assert watch.strangers(kate) == []
    assert told(memory, "ana") == before
    assert asked > 100


def arguments(schema, address) -> dict[str, object]:
    """Arguments by their JSON schema: addresses where text or a number is asked for."""
    made: dict[str, object] = {}
    for name, told_of in schema.get("properties", {}).items():
        if name not in schema.get("required", ()):
            continue
        kind = told_of.get("type")
        if "enum" in told_of:
            made[name] = told_of["enum"][0]
        elif kind == "integer":
            made[name] = address if isinstance(address, int) else 1
        elif kind == "number":
            made[name] = 0.5
        elif kind == "boolean":
            made[name] = False
        elif kind == "array":
            made[name] = [WORDS]
        elif kind == "object":
            made[name] = {}
        else:
            made[name] = WORDS if name in ("query", "text", "content") else str(address)
    return made
