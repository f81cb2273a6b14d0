"""Tools over MCP, called by a real client over stdio and HTTP, in both eras of the protocol."""

import contextlib
import json

import pytest
from mcp import Client, MCPError
from mcp_client import SEAT, drive, text_of
from servers import ERAS, over_http, over_stdio, running

import ricordo
from ricordo.surfaces.mcp.scope import ConnectionScope
from ricordo.surfaces.mcp.server import build
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.tools import ToolFailure, registry
from ricordo.surfaces.tools.export import definition


def grouped():
    """The toolsets in as few connections as their names allow."""
    groups: list[list[str]] = []
    for name in registry.toolsets():
        for group in groups:
            with contextlib.suppress(ricordo.InvalidInput):
                registry.toolset(",".join([*group, name]))
                group.append(name)
                break
        else:
            groups.append([name])
    return [",".join(group) for group in groups]


async def every_example(client, toolset, twin):
    """Call every tool by its examples; the registry itself says what to expect."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    tools = registry.toolset(toolset)
    assert list(listed) == [tool.name for tool in tools]
    for tool in tools:
        for example in tool.examples:
            result = await client.call_tool(tool.name, dict(example))
            failure = expected_failure(tool, example, twin)
            assert result.is_error is (failure is not None), (tool.name, result)
            if failure is not None:
                assert failure in text_of(result)
            else:
                assert text_of(result)
                has_structure = result.structured_content is not None
                assert has_structure is (tool.result is not None)


def expected_failure(tool, example, space):
    try:
        registry.call(tool.name, example, space, "default", tool.toolset)
    except ToolFailure as failure:
        return failure.message
    return None


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("toolset", grouped())
def test_every_tool_of_every_toolset_answers_over_stdio(tmp_path, toolset, mode):
    async def work(twin):
        words = ("--space", "ana", "--toolset", toolset)
        async with over_stdio(tmp_path / "agent.db", mode, *words) as client:
            await every_example(client, toolset, twin)

    with ricordo.open(tmp_path / "twin.db", embedder="hash") as memory:
        drive(work, memory.space("ana"))


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("toolset", grouped())
def test_every_tool_of_every_toolset_answers_over_http(server, tmp_path, toolset, mode):
    async def work(twin):
        async with over_http(server, mode, f"/mcp/ana?toolset={toolset}") as client:
            await every_example(client, toolset, twin)

    with ricordo.open(tmp_path / "twin.db", embedder="hash") as memory:
        drive(work, memory.space("ana"))


@pytest.mark.parametrize("mode", ERAS)
def test_a_tool_is_declared_with_its_own_schema_and_all_four_annotations(server, mode):
    async def work():
        for toolset in registry.toolsets():
            async with over_http(server, mode, f"/mcp/ana?toolset={toolset}") as client:
                for listed in (await client.list_tools()).tools:
                    tool = registry.get(listed.name, toolset)
                    assert listed.description == tool.purpose
                    exported = definition(tool, "mcp")["inputSchema"]
                    assert listed.input_schema == json.loads(json.dumps(exported))
                    hints = listed.annotations
                    assert hints.read_only_hint is tool.annotations.read_only
                    assert hints.destructive_hint is tool.annotations.destructive
                    assert hints.idempotent_hint is tool.annotations.idempotent
                    assert hints.open_world_hint is False

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
def test_an_error_reaches_the_model_in_words_it_can_act_on(server, mode):
    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            missing = await client.call_tool("get", {"name": "nobody"})
            odd = await client.call_tool("recall", {"query": 3})
            unknown = await client.call_tool("remembr", {"content": "x"})
        assert missing.is_error
        assert "there is no entry 'nobody'" in text_of(missing)
        assert odd.is_error
        assert "query" in text_of(odd)
        assert unknown.is_error
        assert "did you mean 'remember'" in text_of(unknown)

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
def test_a_toolset_that_is_not_there_is_told_to_the_host_and_to_the_model(tmp_path, mode):
    async def work():
        opening = LazyMemory(lambda: ricordo.open(tmp_path / "agent.db", embedder="none"))
        server, _ = build(opening, lambda _: ConnectionScope("ana", "note"))
        async with Client(server, mode=mode) as client:
            with pytest.raises(MCPError, match="did you mean 'notes'"):
                await client.list_tools()
            called = await client.call_tool("memory_search", {"query": "seats"})
        assert called.is_error
        assert "did you mean 'notes'" in text_of(called)

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
def test_what_breaks_inside_is_not_shown_to_the_model(tmp_path, mode, caplog):
    """The memory is closed under the server: the client learns that, and nothing else."""

    async def work(server):
        async with over_http(server, mode, "/mcp/ana") as client:
            await client.call_tool("remember", SEAT)
            server.opening.close()
            broken = await client.call_tool("recall", {"query": "seats"})
        assert broken.is_error
        assert "see its log" in text_of(broken)
        assert "Traceback" not in text_of(broken)

    with running(tmp_path) as server:
        drive(work, server)
    assert "tool recall failed" in caplog.text


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_that_asks_for_progress_hears_of_it(server, mode):
    heard = []

    async def note(progress, total, message):
        heard.append(message)

    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            result = await client.call_tool("remember", SEAT, progress_callback=note)
            assert not result.is_error

    drive(work)
    assert heard
    assert heard[0] == "remember is running"
