"""ricordo's own server with the fixtures of the MCP conformance suite, for `make conformance`.

Everything a request passes is ricordo's: guard, tokens, door, server, handlers. The suite sends
no token, so one is put into its requests before the guard sees them.
"""

import logging
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import conformance_fixtures as fixtures
from mcp import MCPDeprecationWarning, types
from mcp.server import Server, ServerRequestContext
from mcp.server.subscriptions import PromptsListChanged, ToolsListChanged

import ricordo
from ricordo.surfaces.http.api import Api
from ricordo.surfaces.http.app import ServeOptions, _reach
from ricordo.surfaces.http.app import mount as mounted
from ricordo.surfaces.mcp.server import RequestHandler, build
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.server.listen import listen
from ricordo.surfaces.server.tokens import Tokens

Context = ServerRequestContext[Any, Any]


def mount(server: Server[Any], desk: RequestHandler) -> None:
    """Put the fixtures before our own handlers."""
    _mount_tools(server, desk)
    _mount_resources(server, desk)
    _mount_prompts(server, desk)

    async def set_level(_: Context, __: types.SetLevelRequestParams) -> types.EmptyResult:
        return types.EmptyResult()

    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)


def _mount_tools(server: Server[Any], desk: RequestHandler) -> None:
    bus = desk.notices.channel("default").bus
    changes = {
        "test_trigger_tool_change": ToolsListChanged(),
        "test_trigger_prompt_change": PromptsListChanged(),
    }

    async def list_tools(ctx: Context, params: Any) -> types.ListToolsResult:
        own = await desk.list_tools(ctx, params)
        mine = [declared for declared, _ in fixtures.TOOLS.values()]
        mine += [types.Tool(name=n, description=n, input_schema=fixtures.EMPTY) for n in changes]
        return types.ListToolsResult(tools=[*own.tools, *mine])

    async def call(ctx: Context, params: types.CallToolRequestParams) -> Any:
        if params.name in changes:
            await bus.publish(changes[params.name])
            return fixtures.said("changed")
        if params.name in fixtures.TOOLS:
            return await fixtures.TOOLS[params.name][1](ctx, params)
        return await desk.call_tool(ctx, params)

    server.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", types.CallToolRequestParams, call)


def _mount_resources(server: Server[Any], desk: RequestHandler) -> None:
    async def list_resources(ctx: Context, params: Any) -> types.ListResourcesResult:
        own = await desk.list_resources(ctx, params)
        return types.ListResourcesResult(resources=[*fixtures.resources(), *own.resources])

    async def list_templates(ctx: Context, params: Any) -> types.ListResourceTemplatesResult:
        own = await desk.list_templates(ctx, params)
        mine = types.ResourceTemplate(
            uri_template=fixtures.TEMPLATE, name="template", description="By id"
        )
        return types.ListResourceTemplatesResult(resource_templates=[*own.resource_templates, mine])

    async def read(ctx: Context, params: types.ReadResourceRequestParams) -> Any:
        return fixtures.read(str(params.uri)) or await desk.read_resource(ctx, params)

    paged = types.PaginatedRequestParams
    server.add_request_handler("resources/list", paged, list_resources)
    server.add_request_handler("resources/templates/list", paged, list_templates)
    server.add_request_handler("resources/read", types.ReadResourceRequestParams, read)


def _mount_prompts(server: Server[Any], desk: RequestHandler) -> None:
    async def list_prompts(ctx: Context, params: Any) -> types.ListPromptsResult:
        own = await desk.list_prompts(ctx, params)
        return types.ListPromptsResult(prompts=[*own.prompts, *fixtures.prompts()])

    async def get(ctx: Context, params: types.GetPromptRequestParams) -> Any:
        if params.name in fixtures.PROMPTS:
            return fixtures.prompt(params)
        return await desk.get_prompt(ctx, params)

    server.add_request_handler("prompts/list", types.PaginatedRequestParams, list_prompts)
    server.add_request_handler("prompts/get", types.GetPromptRequestParams, get)


class WithToken:
    """Puts a token into requests that have none."""

    def __init__(self, app: Any, token: str) -> None:
        self._app = app
        self._header = (b"authorization", f"Bearer {token}".encode())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], self._header]}
        await self._app(scope, receive, send)


def main(port: int) -> None:
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    logging.basicConfig(level=logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        tokens = Tokens(Path(folder) / "tokens.json")
        opening = LazyMemory(lambda: ricordo.open(Path(folder) / "agent.db", embedder="hash"))
        server, desk = build(opening, _reach)
        mount(server, desk)
        app = mounted(server, Api(opening, desk.notices.wrote), opening, ServeOptions(tokens))
        token = tokens.ensure().token
        listen(WithToken(app, token), "127.0.0.1", port, lambda url: print(url, flush=True))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
