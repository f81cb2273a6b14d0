"""What a client of the MCP server says and reads, whichever way it is connected."""

import anyio

SEAT = {"content": "Prefers window seats", "name": "travel/seat"}
ADDRESS = "ricordo://entries/travel%2Fseat"


def drive(work, *args, **rest):
    """Run a coroutine; one that hangs fails."""

    async def bounded():
        with anyio.fail_after(120):
            return await work(*args, **rest)

    return anyio.run(bounded)


def text_of(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


def initialize():
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
