"""Tools over HTTP: they answer as the registry does, each in its own space."""

import pytest
from http_space import BASE, furnish
from servers import running

from ricordo.surfaces.http.api import ROUTES
from ricordo.surfaces.tools import ToolFailure, registry


@pytest.mark.parametrize("toolset", registry.toolsets())
def test_every_tool_answers_its_examples_as_the_registry_does(fresh, twin, toolset):
    """The same calls go to a twin memory without HTTP: what one refuses the other refuses."""
    for space in (twin.space("ana"), fresh.memory().space("ana")):
        space.remember("Prefers window seats", name="seat")
    for tool in registry.toolset(toolset):
        for example in tool.examples:
            path = f"{BASE}/tools/{tool.name}?toolset={toolset}&session=trip"
            reply = fresh.ask("POST", path, dict(example))
            kind, expected = outcome(tool, example, twin.space("ana"))
            if kind is None:
                assert reply.status == 200, reply.body
                assert shape(reply.json["result"]) == shape(expected)
            else:
                assert reply.status in (400, 404, 409, 422)
                assert reply.json["kind"] == kind
            assert twin.flush(10)
            assert fresh.memory().flush(10)


def outcome(tool, example, space):
    """What the registry says to a call: the kind of its failure, or None and the result."""
    try:
        return None, registry.call(tool.name, example, space, "trip", tool.toolset)
    except ToolFailure as failure:
        return failure.kind, None


def shape(value):
    """What is left of a result without its ids and times."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    return [shape(inner) for inner in value] if isinstance(value, list) else type(value)


def test_tools_are_listed_as_mcp_declares_them(server):
    assert server.get(f"{BASE}/tools")["items"] == registry.definitions("default", "mcp")
    assert server.get(f"{BASE}/tools?toolset=notes")["items"] == registry.definitions(
        "notes", "mcp"
    )


def test_two_spaces_never_see_each_other(fresh):
    """Everything that can be read of one is read, and holds nothing of the other."""
    for name, canary in (("ana", "canaryana"), ("bob", "canarybob")):
        space = fresh.memory().space(name)
        furnish(space)
        space.remember(f"{canary} likes window seats", name=canary, tags=[canary])
        space.session(canary).append("user", f"{canary} speaks of window seats")
        space.schedule(canary, "daily at 9", name=canary)
        space.remind(canary, cue=canary)
        space.ingest(f"{canary} in a document", uri=f"doc:{canary}")
        space.approvals.allow([canary, "status"])
        space.macros.learn(
            [{"name": canary, "arguments": {}}, {"name": f"{canary}2", "arguments": {}}] * 4
        )

    for name, foreign in (("ana", b"canarybob"), ("bob", b"canaryana")):
        token = fresh.tokens.add(name, name).token
        own = f"canary{name}"
        seen = b""
        for route in ROUTES:
            if route.method != "GET":
                continue
            path = route.path.replace("{space}", name).replace("{name}", own)
            path = path.replace("{session}", own).replace("{schedule}", own)
            path = path.replace("{path}", own)
            wants = any(each.required for each in route.parameters)
            reply = fresh.ask(
                "GET", path + ("?q=window+seats+canary" if wants else ""), token=token
            )
            assert reply.status in (200, 400, 404), (path, reply.body)
            seen += reply.body
        for tool in registry.toolset("default"):
            for example in tool.examples:
                path = f"/v1/spaces/{name}/tools/{tool.name}"
                seen += fresh.ask("POST", path, dict(example), token).body
        seen += fresh.ask("GET", "/metrics", token=token).body
        assert own.encode() in seen
        assert foreign not in seen


def test_metadata_beyond_the_limit_is_refused_over_http(tmp_path, monkeypatch):
    monkeypatch.setenv("RICORDO_MAX_METADATA", "2000")
    path = f"{BASE}/tools/save_memory?toolset=keyed"
    saved = {"key": "k", "content": "x", "category": "daily", "metadata": {"state": "x" * 2_000}}

    with running(tmp_path) as server:
        reply = server.ask("POST", path, saved)

        assert reply.status in (400, 422)
        assert "metadata takes 2,012 bytes as JSON, the limit is 2,000" in reply.body.decode()
        assert server.memory().space("ana").entries() == []
