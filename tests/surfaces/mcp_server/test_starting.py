"""Servers and memories that cannot be: refused at the start, and never told by their path."""

import subprocess

import anyio
import pytest
from mcp import Client
from servers import command, environment, running

import ricordo
from ricordo.errors import StoreError
from ricordo.surfaces.mcp.scope import ConnectionScope
from ricordo.surfaces.mcp.server import build
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.tools import registry


def ended(*words):
    """A server that must not start: how it ended."""
    return subprocess.run(
        command(*words),
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def unusable(tmp_path, what):
    """A path at which there can be no memory."""
    if what == "no folder":
        return tmp_path / "nowhere" / "agent.db"
    path = tmp_path / "agent.db"
    if what == "a folder":
        path.mkdir()
    else:
        path.write_bytes(b"this is no memory" * 1_000)
    return path


@pytest.mark.parametrize(("what", "code"), [("no folder", 2), ("a folder", 2), ("no memory", 1)])
@pytest.mark.parametrize("verb", ["mcp", "serve"])
def test_a_server_without_a_memory_does_not_start(tmp_path, verb, what, code):
    path, tokens = unusable(tmp_path, what), tmp_path / "tokens.json"
    rest = ("--port", "0", "--tokens", str(tokens)) if verb == "serve" else ()

    done = ended(verb, "--db", str(path), *rest)

    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("ricordo: ")
    assert str(path if what != "no folder" else path.parent) in done.stderr
    assert not tokens.exists()


@pytest.mark.parametrize("verb", ["mcp", "serve"])
def test_an_unknown_toolset_is_refused_at_the_start_with_the_known_ones(tmp_path, verb):
    for name in ("zz", "note"):
        done = ended(verb, "--db", str(tmp_path / "agent.db"), "--toolset", name)

        assert (done.returncode, done.stdout) == (2, "")
        assert f"there is no toolset '{name}'" in done.stderr
        for known in registry.toolsets():
            assert known in done.stderr


def test_an_unknown_toolset_in_the_url_is_answered_with_the_known_ones(tmp_path):
    with running(tmp_path) as server:
        reply = server.ask("POST", "/mcp?toolset=zz", {}, accept=True)

    assert reply.status == 404
    assert ", ".join(registry.toolsets()) in reply.json["detail"]


@pytest.mark.parametrize("what", ["no folder", "a folder", "no memory"])
def test_what_keeps_a_memory_shut_is_told_to_the_log_alone(tmp_path, caplog, what):
    path = unusable(tmp_path, what)
    opening = LazyMemory(lambda: ricordo.open(path, embedder="none"))

    async def ask():
        server, _ = build(opening, lambda _: ConnectionScope("ana"))
        async with Client(server) as client:
            return await client.call_tool("recall", {"query": "x"})

    with pytest.raises(StoreError):
        opening.memory()
    result = anyio.run(ask)

    assert result.is_error
    assert result.content[0].text.startswith("recall: the memory cannot do this now")
    assert str(tmp_path) in caplog.text


@pytest.mark.parametrize("what", ["a folder", "no memory"])
def test_over_http_a_memory_that_is_shut_is_a_failure_of_the_server(tmp_path, caplog, what):
    unusable(tmp_path, what)
    with running(tmp_path) as server:
        read = server.ask("GET", "/v1/spaces")
        called = server.ask("POST", "/v1/spaces/ana/tools/recall", {"query": "x"})
        health = server.ask("GET", "/healthz")

    assert [each.status for each in (read, called, health)] == [503, 503, 503]
    for reply in (read, called, health):
        assert reply.headers["content-type"] == "application/problem+json"
        assert str(tmp_path) not in reply.body.decode()
    assert str(tmp_path) in caplog.text


def test_health_is_ok_also_before_the_first_write(tmp_path):
    with running(tmp_path) as server:
        assert server.get("/healthz") == {"status": "ok"}
    assert not (tmp_path / "agent.db").exists()
