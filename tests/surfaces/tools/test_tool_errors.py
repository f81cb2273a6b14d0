"""What the tools refuse, and how: by id and not by name, in the shape of their document."""

import json
import shutil
from pathlib import Path

import anyio
import pytest
from mcp import Client
from servers import running

import ricordo
from ricordo.surfaces.mcp.scope import ConnectionScope
from ricordo.surfaces.mcp.server import build
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.tools import Registry, ToolFailure, registry
from ricordo.surfaces.tools.tool import Bound, Toolset


@pytest.fixture
def server(tmp_path):
    with running(tmp_path) as server:
        yield server


def refused(space, tool, toolset=None, /, **args) -> ToolFailure:
    with pytest.raises(ToolFailure) as caught:
        registry.call(tool, args, space, "trip", toolset)
    return caught.value


# --- 001: notes go by their ids -----------------------------------------------------------------


@pytest.mark.parametrize("address", ["seat", "chair", "uid", "/memories/seat.md"])
def test_a_note_is_neither_updated_nor_deleted_by_its_name(space, address):
    entry = space.remember("Prefers window seats", "seat", aliases=["chair"])
    space.remember("aisle", "/memories/seat.md")
    note_id = entry.uid if address == "uid" else address

    for tool, rest in (("memory_update", {"content": "x"}), ("memory_delete", {})):
        failure = refused(space, tool, note_id=note_id, **rest)
        assert failure.shape["error"] == "ExecutionFailed"
        assert failure.shape["tool"] == tool
    assert len(space.entries()) == 2
    assert space.get("seat").content == "Prefers window seats"


def test_what_memory_search_shows_can_be_updated_and_deleted(space):
    space.remember("Prefers window seats", "seat")
    registry.call("memory_save", {"content": "window shopping"}, space)

    found = registry.call("memory_search", {"query": "window"}, space)
    for note in found:
        registry.call("memory_update", {"note_id": note["note_id"], "content": "door"}, space)
    assert {entry.content for entry in space.entries()} == {"door"}
    assert space.get("seat").content == "door"
    for note in found:
        registry.call("memory_delete", {"note_id": note["note_id"]}, space)

    assert space.entries() == []


def test_the_id_of_a_fact_is_not_that_of_a_note(space):
    fact = space.fact("user", "dog", "Rex")

    failure = refused(space, "memory_delete", note_id=f"note-{fact.uid}")

    assert failure.kind == "not_found"
    assert space.entries() == [fact]


# --- 002: reminders -----------------------------------------------------------------------------


@pytest.mark.parametrize("session_id", ["", " ", "a\0b", "x" * 5_000])
@pytest.mark.parametrize("tool", ["forge_reminder", "schedule_reminder"])
def test_a_bad_session_id_of_a_reminder_is_named(space, tool, session_id):
    args = {"at": "10m", "message": "x", "source_plugin": "mail", "recipient": "ana"}

    failure = refused(space, tool, **args, session_id=session_id)

    assert failure.kind == "invalid_arguments"
    assert failure.message.startswith("session_id ")
    assert space.reminders.list() == []
    assert "a bad session id" in registry.get(tool).errors


# --- 002: the workspace -------------------------------------------------------------------------


@pytest.fixture
def filed(lab, tmp_path):
    """A space whose files have a history, and where they lie."""
    base = tmp_path / "files"
    space = lab.space(config={"workspace": str(base), "workspace_git": True})
    space.files.write("plan.md", "one")
    space.files.checkpoint("first")
    [folder] = base.iterdir()
    return space, base, folder


@pytest.mark.parametrize("what", ["workspace", "folder", "history"])
@pytest.mark.parametrize("tool", ["forge_memory_checkpoint", "memory_history"])
def test_a_file_in_place_of_a_folder_is_told_without_its_path(filed, tmp_path, what, tool):
    space, base, folder = filed
    replaced = {"workspace": base, "folder": folder, "history": folder / ".git"}[what]
    shutil.rmtree(replaced)
    replaced.write_text("in the way")

    failure = refused(space, tool)

    assert failure.kind == "failed"
    assert str(tmp_path) not in failure.message
    assert "a file" in failure.message


def looked(bound: Bound) -> str:
    """Look at a file that is not there."""
    return (Path("/nowhere") / bound.space.name).read_text()


def test_what_the_system_says_is_not_told(space, caplog):
    files = Toolset("files", "to try things on")
    files.tool({})(looked)

    with pytest.raises(ToolFailure) as caught:
        Registry([files]).call("looked", {}, space)

    assert caught.value.kind == "unavailable"
    assert "nowhere" not in caught.value.message
    assert "/nowhere/ana" in caplog.text


# --- a name that several toolsets have ----------------------------------------------------------


def test_memory_alone_is_the_tool_with_actions(space):
    kept = registry.call("memory", {"action": "remember", "content": "Owns a boat"}, space)
    found = registry.call("memory", '{"action": "recall", "query": "boat"}', space)

    assert found["results"][0]["id"] == kept["id"]
    assert "action is missing" in refused(space, "memory").message


def test_memory_alone_with_a_command_is_anthropics(space):
    made = registry.call(
        "memory", {"command": "create", "path": "/memories/a.md", "file_text": "x"}, space
    )

    assert "/memories/a.md" in made
    assert space.get("/memories/a.md") is not None
    assert "command" in refused(space, "memory", command="fly", path="/memories").message


def test_remember_recall_and_forget_alone_are_those_of_the_default_toolset(space):
    for name in ("remember", "recall", "forget"):
        assert registry.get(name, args={"name": "x", "content": "y"}).toolset == "default"


# --- the shapes of errors, as transports pass them on -------------------------------------------

SHAPED = [
    ("facts", "remember_fact", {"category": "user"}),
    ("notes", "memory_delete", {"note_id": "note-1"}),
    ("notes", "memory_search", {}),
    ("entries", "remember", {"name": "x"}),
    ("keyed", "save_memory", {"key": "k"}),
    ("default", "get", {"name": "nobody"}),
]
TEXT = {
    "facts": "Error: key is missing",
    "entries": "invalid arguments: content is missing",
    "default": "get: there is no entry",
}


@pytest.mark.parametrize(("toolset", "name", "args"), SHAPED)
def test_an_error_over_mcp_is_worded_as_documented(tmp_path, toolset, name, args):
    async def ask():
        opening = LazyMemory(lambda: ricordo.open(tmp_path / "agent.db", embedder="none"))
        server, _ = build(opening, lambda _: ConnectionScope("ana", toolset))
        async with Client(server) as client:
            return await client.call_tool(name, args)

    result = anyio.run(ask)
    text = result.content[0].text

    assert result.is_error
    if toolset in TEXT:
        assert text.startswith(TEXT[toolset])
    elif toolset == "keyed":
        assert json.loads(text) == {"error": "content is missing; it is required"}
        assert result.structured_content == json.loads(text)
    else:
        told = json.loads(text)
        assert set(told) == {"error", "tool", "message"}
        assert told["tool"] == name
        assert told["error"] == ("InvalidArguments" if not args else "ExecutionFailed")


@pytest.mark.parametrize(("toolset", "name", "args"), SHAPED)
def test_an_error_over_http_is_a_problem_with_the_documented_fields(server, toolset, name, args):
    reply = server.ask("POST", f"/v1/spaces/ana/tools/{name}?toolset={toolset}", args)

    told = reply.json
    assert reply.status in (400, 404)
    assert reply.headers["content-type"] == "application/problem+json"
    assert told["kind"] == ("invalid_arguments" if reply.status == 400 else "not_found")
    if toolset == "notes":
        assert told["tool"] == name
        assert told["message"] == told["detail"]
        assert told["error"] == ("InvalidArguments" if not args else "ExecutionFailed")
    elif toolset == "keyed":
        assert told["error"] == "content is missing; it is required"
    elif toolset != "default":
        assert told["detail"].startswith(TEXT[toolset])


def test_memory_alone_is_called_over_http_too(server):
    kept = server.call("ana", "memory", action="remember", content="Owns a boat")
    made = server.call("ana", "memory", command="create", path="/memories/b.md", file_text="x")

    assert kept["ok"] is True
    assert made == "File created successfully at: /memories/b.md"


def test_a_success_over_http_stands_under_result_whatever_the_toolset(server):
    reply = server.ask("POST", "/v1/spaces/ana/tools/save_memory", {"key": "k", "content": "c"})

    assert reply.json == {"result": {"result": {"key": "k", "status": "created"}}}


@pytest.mark.parametrize("body", [b"{", b"[1]", b'{"limit": NaN}'])
def test_a_body_that_is_no_object_is_worded_by_the_toolset(server, body):
    def told(tool):
        reply = server.ask("POST", f"/v1/spaces/ana/tools/{tool}", body)
        assert reply.status == 400
        return reply.json

    assert told("recall?toolset=entries")["detail"].startswith("invalid arguments: ")
    assert told("remember_fact")["detail"].startswith("Error: ")
    assert told("memory_search")["error"] == "InvalidArguments"
    assert "arguments" in told("recall_memories")["error"]
