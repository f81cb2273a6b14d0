"""Traces over MCP: the context in `_meta` of a request goes on in the steps of the memory."""

import pytest
from mcp_client import drive, initialize
from opentelemetry import trace
from servers import ERAS, over_http, running

from spans import PARENT, REMOTE, TRACEPARENT, recorded_spans


@pytest.fixture
def spans():
    with recorded_spans() as found:
        yield found


@pytest.fixture(autouse=True)
def _telemetry(monkeypatch):
    monkeypatch.setenv("RICORDO_TELEMETRY", "spans")


def test_a_tool_call_goes_on_in_the_trace_that_its_meta_names(tmp_path, spans):
    asked = {"name": "recall", "arguments": {"query": "window"}}
    asked["_meta"] = {"traceparent": TRACEPARENT}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked}
    with running(tmp_path, makes_spans=True) as server:
        opened = server.ask("POST", "/mcp", initialize(), accept=True)
        session = opened.headers["mcp-session-id"]

        assert server.ask("POST", "/mcp", call, accept=True, session=session).status == 200

    request, search = spans.one("tools/call recall"), spans.one("search_memory")
    assert request.parent.span_id == PARENT
    assert search.parent.span_id == request.context.span_id
    assert search.context.trace_id == REMOTE


@pytest.mark.parametrize("era", ERAS)
def test_a_client_that_traces_sees_the_memory_in_its_own_trace(tmp_path, spans, era):
    async def call(server):
        with trace.get_tracer("agent").start_as_current_span("turn") as turn:
            async with over_http(server, era) as client:
                await client.call_tool("recall", {"query": "window"})
        return turn.get_span_context().trace_id

    with running(tmp_path, makes_spans=True) as server:
        mine = drive(call, server)

    assert spans.one("search_memory").context.trace_id == mine
