"""What is said to an MCP server over bare HTTP, where a client of the SDK would get in the way."""

import json
from typing import Any

from servers import Running

NEWER = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": NEWER,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


def modern_head(server: Running, method: str, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """The headers of a request of the newer protocol."""
    return [
        ("Host", f"127.0.0.1:{server.port}"),
        ("Authorization", f"Bearer {server.token}"),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", NEWER),
        ("Mcp-Method", method),
        *more,
    ]


def modern_body(method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {**params, "_meta": META}}
    return json.dumps(message).encode()


def call_tool(server: Running, name: str, given: object) -> Any:
    """The result of a tool over the newer protocol."""
    head = modern_head(server, "tools/call", ("Mcp-Name", name))
    body = modern_body("tools/call", name=name, arguments=given)
    reply = server.raw("POST", "/mcp/ana", head, body)
    assert reply.status == 200, reply.body
    text = reply.body.decode()
    if text.startswith(("event:", "data:", ":")):
        text = next(line[5:] for line in text.splitlines() if line.startswith("data:"))
    return json.loads(text)["result"]
