"""What a token allows: reading alone, one toolset, until a time, until it is rotated."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from servers import running

from ricordo.errors import NotFound
from ricordo.surfaces.cli.main import cli
from ricordo.surfaces.http.api import MEM0_ROUTES, ROUTES
from ricordo.surfaces.server.tokens import Tokens
from ricordo.surfaces.tools import registry

START = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def mcp(server, token, method, path="/mcp/ana", **params):
    opened = server.ask("POST", path, START, token, accept=True)
    session = opened.headers.get("mcp-session-id")
    asked = {"jsonrpc": "2.0", "id": 2, "method": method, "params": params}
    reply = server.ask("POST", path, asked, token, accept=True, session=session)
    return reply.status, reply.body.decode()


def test_a_limited_token_is_refused_by_every_route_that_writes(tmp_path):
    with running(tmp_path, is_mem0=True) as server:
        check_writers(server)


def check_writers(server):
    foreign = [route for route in MEM0_ROUTES if route.writes]
    assert len(foreign) == 7
    readers = {("GET", route.path) for route in ROUTES if route.method == "GET"}
    rest = [route for route in ROUTES if route.method != "GET" and route.takes != "arguments"]
    writes = [route for route in rest if ("GET", route.path) not in readers or route.writes]
    assert [route.path for route in rest if route not in writes] == ["/v1/spaces/{space}/recall"]
    reader = server.tokens.add("reader", read_only=True).token
    agent = server.tokens.add("agent", toolset="notes").token

    for route in (*writes, *foreign):
        path = "/".join("x" if piece.startswith("{") else piece for piece in route.pieces)
        for token in (reader, agent):
            assert server.ask(route.method, f"/{path}", {}, token).status == 403, route.name

    assert server.get("/v1/spaces") == {"items": [], "next": None}


def test_a_token_that_only_reads_leaves_no_signals(server):
    server.call("ana", "remember", content="Prefers window seats", name="seat")
    reader = server.tokens.add("reader", "ana", read_only=True).token
    found = "/v1/spaces/ana/recall?q=window"

    assert server.get(found, reader)["items"]
    server.ask("POST", "/v1/spaces/ana/tools/recall", {"query": "window seats"}, reader)
    mcp(server, reader, "tools/call", name="recall", arguments={"query": "window seats"})
    mcp(server, reader, "prompts/get", name="recall", arguments={"query": "window"})
    assert server.get("/v1/spaces/ana/signals")["items"] == []

    server.get(found)
    assert len(server.get("/v1/spaces/ana/signals")["items"]) == 1


def test_a_token_that_only_reads_is_offered_and_may_call_readers_alone(server):
    server.call("ana", "remember", content="Prefers window seats", name="seat")
    token = server.tokens.add("dashboard", "ana", read_only=True).token

    for toolset in registry.toolsets():
        for tool in registry.toolset(toolset):
            path = f"/v1/spaces/ana/tools/{tool.name}?toolset={toolset}"
            status = server.ask("POST", path, {}, token).status
            assert (status == 403) == (not tool.annotations.read_only), (toolset, tool.name)
    offered = server.get("/v1/spaces/ana/tools", token)["items"]

    assert {each["name"] for each in offered} >= {"recall"}
    assert all(each["annotations"]["readOnlyHint"] for each in offered)
    assert server.get("/v1/spaces/ana/entries/seat", token)["content"] == "Prefers window seats"


def test_over_mcp_a_token_that_only_reads_neither_sees_nor_calls_writers(server):
    token = server.tokens.add("dashboard", "ana", read_only=True).token

    _, listed = mcp(server, token, "tools/list")
    _, called = mcp(
        server, token, "tools/call", name="remember", arguments={"content": "x", "name": "y"}
    )

    assert '"recall"' in listed
    assert '"remember"' not in listed
    assert "may only read" in called
    assert server.get("/v1/spaces") == {"items": [], "next": None}


def test_a_reader_is_not_handed_a_reminder_that_somebody_else_waits_for(server):
    server.call("ana", "remind", text="Call the bank", cue="Atlas")
    token = server.tokens.add("dashboard", "ana", read_only=True).token

    asked = {"query": "project Atlas"}
    seen = server.ask("POST", "/v1/spaces/ana/tools/recall", asked, token).json
    mcp(server, token, "prompts/get", name="recall", arguments={"question": "project Atlas"})
    mcp(server, token, "tools/call", name="recall", arguments=asked)

    assert "due" not in seen
    given = server.ask("POST", "/v1/spaces/ana/tools/recall", asked).json
    assert [each["text"] for each in given["due"]] == ["Call the bank"]


def test_a_token_of_a_toolset_has_its_tools_without_naming_it_and_no_others(server):
    token = server.tokens.add("agent", "ana", toolset="notes,schedules").token
    tools = "/v1/spaces/ana/tools"
    own = {tool.name for tool in registry.toolset("notes,schedules")}

    assert {each["name"] for each in server.get(tools, token)["items"]} == own
    assert server.ask("GET", f"{tools}?toolset=notes", token=token).status == 200
    assert server.ask("GET", f"{tools}?toolset=default", token=token).status == 403
    assert server.ask("POST", f"{tools}/remember?toolset=default", {}, token).status == 403
    assert server.ask("POST", f"{tools}/remind", {}, token).status == 404
    assert mcp(server, token, "tools/list", "/mcp/ana?toolset=default")[0] == 403
    assert {name for name in own if f'"{name}"' in mcp(server, token, "tools/list")[1]} == own


def test_a_token_ends_at_its_time(server):
    soon = server.tokens.add("soon", expires_at=datetime.now(UTC) + timedelta(hours=1)).token
    past = server.tokens.add("past", expires_at=datetime.now(UTC) - timedelta(seconds=1)).token

    assert server.ask("GET", "/v1/spaces", token=soon).status == 200
    assert server.ask("GET", "/v1/spaces", token=past).status == 401


def test_a_rotated_token_keeps_its_scope_and_refuses_its_old_secret(server):
    old = server.tokens.add("phone", "ana", read_only=True)

    new = server.tokens.rotate("phone")

    assert server.ask("GET", "/v1/spaces", token=old.token).status == 401
    assert replace(server.tokens.grant(new.token), digest=old.digest) == old.grant()
    with pytest.raises(NotFound, match="laptop"):
        server.tokens.rotate("laptop")


def test_limits_are_given_shown_and_refused_from_the_shell(tmp_path):
    file = ("--tokens", str(tmp_path / "tokens.json"))

    def run(*words):
        return CliRunner().invoke(cli, ["tokens", *words, *file], prog_name="ricordo")

    secret = run("add", "agent", "--toolset", "notes", "--read-only", "--expires", "90d").stdout
    grant = Tokens(tmp_path / "tokens.json").grant(secret.strip())

    assert (grant.toolset, grant.read_only) == ("notes", True)
    assert run("list").stdout.split("\t")[:4] == ["agent", "*", "notes", "read"]
    assert run("rotate", "agent").stdout != secret
    for words in (["--toolset", "nonsense"], ["--expires", "2020-01-01"], ["--expires", "soon"]):
        assert run("add", "other", *words).exit_code != 0
    assert len(Tokens(tmp_path / "tokens.json").read()) == 1
