"""What a connection over MCP reaches: its own space, and nothing of any other."""

import pytest
from mcp import types
from mcp_client import drive, initialize, text_of
from servers import ERAS, over_http

from ricordo.surfaces.tools import registry


@pytest.mark.parametrize("mode", ERAS)
def test_two_spaces_over_one_server_never_see_each_other(server, mode):
    """Canaries are written in both; everything that a client can read shows its own only."""

    async def everything(client):
        seen = []
        for tool in registry.toolset("default"):
            for example in tool.examples:
                seen.append(repr(await client.call_tool(tool.name, dict(example))))
        seen.append(repr(await client.call_tool("recall", {"query": "canary likes window seats"})))
        cursor = None
        while True:
            page = await client.list_resources(cursor=cursor)
            for each in page.resources:
                seen.append(repr(each) + repr(await client.read_resource(each.uri)))
            cursor = page.next_cursor
            if cursor is None:
                break
        for name in ("recall", "catch_up", "tidy"):
            given = {"question": "canary"} if name == "recall" else {}
            seen.append(repr(await client.get_prompt(name, given)))
        template = types.ResourceTemplateReference(uri="ricordo://entries/{name}")
        seen.append(repr(await client.complete(template, {"name": "name", "value": ""})))
        return "".join(seen)

    async def work():
        seen = {}
        for name in ("ana", "bob"):
            space = server.memory().space(name)
            space.remember(f"canary-{name} likes window seats", name=f"canary-{name}")
            space.session(f"canary-{name}").append("user", f"canary-{name} speaks")
            space.session("default").append("user", f"canary-{name} speaks here")
        for name in ("ana", "bob"):
            token = server.tokens.add(name, name).token
            async with over_http(server, mode, "/mcp", token=token) as client:
                seen[name] = await everything(client)
        assert "canary-ana" in seen["ana"]
        assert "canary-bob" not in seen["ana"]
        assert "canary-bob" in seen["bob"]
        assert "canary-ana" not in seen["bob"]

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
def test_no_argument_of_a_tool_chooses_another_space(server, mode):
    server.memory().space("bob").remember("canary-bob", name="secret")

    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            for extra in ({"space": "bob"}, {"agent_id": "bob"}, {"toolset": "notes"}):
                result = await client.call_tool("get", {"name": "secret", **extra})
                assert result.is_error
                assert "canary" not in text_of(result)

    drive(work)


def test_a_session_of_the_older_protocol_is_of_no_use_with_another_token(server):
    """Somebody learnt the id of a session; its own token still decides."""
    opened = server.ask("POST", "/mcp/ana", initialize(), accept=True)
    session = opened.headers["mcp-session-id"]
    other = server.tokens.add("bob", "bob").token
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}

    own = server.ask("POST", "/mcp/ana", listing, accept=True, session=session)
    foreign = server.ask("POST", "/mcp/bob", listing, other, accept=True, session=session)

    assert (opened.status, own.status, foreign.status) == (200, 200, 404)


def test_an_unknown_toolset_or_parameter_in_the_url_is_refused(server):
    for place in ("/mcp/ana?toolset=nothing", "/mcp/ana?colour=red", "/mcp/ana/more"):
        assert server.ask("POST", place, initialize(), accept=True).status in (400, 404)
