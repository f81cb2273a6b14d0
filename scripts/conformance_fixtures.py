"""What the MCP conformance suite expects on a server: tools, resources and prompts of its own.

They do nothing useful. `conformance_server.py` mounts them beside ricordo's.
"""

import base64
import io
import struct
import wave
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp import types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError

Context = ServerRequestContext[Any, Any]
Answer = types.CallToolResult | types.InputRequiredResult
Tool = Callable[[Context, types.CallToolRequestParams], Awaitable[Answer]]

TOOLS: dict[str, tuple[types.Tool, Tool]] = {}
EMPTY: dict[str, Any] = {"type": "object", "properties": {}}


def _png() -> str:
    """One red pixel."""

    def part(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    head = part(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    body = part(b"IDAT", zlib.compress(b"\x00\xff\x00\x00"))
    whole = b"\x89PNG\r\n\x1a\n" + head + body + part(b"IEND", b"")
    return base64.b64encode(whole).decode()


def _wav() -> str:
    """A blink of silence."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(b"\x00\x00" * 8)
    return base64.b64encode(buffer.getvalue()).decode()


PNG, WAV = _png(), _wav()


def tool(name: str, schema: dict[str, Any] | None = None) -> Callable[[Tool], Tool]:
    def decorate(function: Tool) -> Tool:
        told = (function.__doc__ or name).strip()
        TOOLS[name] = (
            types.Tool(name=name, description=told, input_schema=schema or EMPTY),
            function,
        )
        return function

    return decorate


def said(*content: Any) -> types.CallToolResult:
    blocks = [types.TextContent(text=each) if isinstance(each, str) else each for each in content]
    return types.CallToolResult(content=blocks)


def embedded(uri: str, media: str, text: str) -> types.EmbeddedResource:
    inner = types.TextResourceContents(uri=uri, mime_type=media, text=text)
    return types.EmbeddedResource(resource=inner)


# --- plain content --------------------------------------------------------------------------------


@tool("test_simple_text")
async def simple_text(_: Context, __: Any) -> Answer:
    """Gives text."""
    return said("This is a simple text response for testing.")


@tool("test_image_content")
async def image(_: Context, __: Any) -> Answer:
    """Gives an image."""
    return said(types.ImageContent(data=PNG, mime_type="image/png"))


@tool("test_audio_content")
async def audio(_: Context, __: Any) -> Answer:
    """Gives a sound."""
    return said(types.AudioContent(data=WAV, mime_type="audio/wav"))


@tool("test_embedded_resource")
async def embedded_resource(_: Context, __: Any) -> Answer:
    """Gives a resource."""
    return said(embedded("test://embedded-resource", "text/plain", "An embedded resource."))


@tool("test_multiple_content_types")
async def mixed(_: Context, __: Any) -> Answer:
    """Gives text, an image and a resource."""
    inner = embedded("test://mixed-content-resource", "application/json", '{"test": "data"}')
    return said("Several kinds:", types.ImageContent(data=PNG, mime_type="image/png"), inner)


@tool("test_error_handling")
async def failing(_: Context, __: Any) -> Answer:
    """Fails."""
    text = types.TextContent(text="This tool intentionally returns an error for testing")
    return types.CallToolResult(content=[text], is_error=True)


@tool(
    "json_schema_2020_12_tool",
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
)
async def schema_tool(_: Context, __: Any) -> Answer:
    """Has a schema with many keywords."""
    return said("ok")


@tool(
    "test_x_mcp_header",
    {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}},
)
async def header_tool(_: Context, params: types.CallToolRequestParams) -> Answer:
    """Has a parameter that is mirrored in a header."""
    return said(f"region: {(params.arguments or {}).get('region')}")


# --- progress, logging, asking in the older era ---------------------------------------------------


@tool("test_tool_with_progress")
async def progressing(ctx: Context, _: Any) -> Answer:
    """Reports progress."""
    for done in (0, 50, 100):
        await ctx.session.report_progress(done, 100, f"{done} of 100")
        await anyio.sleep(0.02)
    return said(str((ctx.meta or {}).get("progress_token", "none")))


async def _log(ctx: Context, text: str) -> None:
    await ctx.session.send_log_message("info", text, related_request_id=ctx.request_id)


@tool("test_tool_with_logging")
async def logging_thrice(ctx: Context, _: Any) -> Answer:
    """Logs three times."""
    for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await _log(ctx, text)
        await anyio.sleep(0.05)
    return said("done")


@tool("test_logging_tool")
async def logging_once(ctx: Context, _: Any) -> Answer:
    """Logs once, if the request asks for it."""
    await _log(ctx, "one line")
    return said("done")


@tool("test_sampling", {"type": "object", "properties": {"prompt": {"type": "string"}}})
async def sampling(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    """Asks the client's model."""
    request = _sample(str((params.arguments or {})["prompt"]), 100)
    reply = await ctx.session.create_message(
        request.params.messages, max_tokens=100, related_request_id=ctx.request_id
    )
    return said(f"LLM response: {getattr(reply.content, 'text', '')}")


async def _elicit(ctx: Context, message: str, properties: dict[str, Any]) -> Answer:
    schema = {"type": "object", "properties": properties, "required": []}
    reply = await ctx.session.elicit_form(message, schema, ctx.request_id)
    return said(f"Elicitation completed: action={reply.action}, content={reply.content}")


@tool("test_elicitation", {"type": "object", "properties": {"message": {"type": "string"}}})
async def eliciting(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    """Asks the user."""
    wanted = {"username": {"type": "string"}, "email": {"type": "string"}}
    return await _elicit(ctx, str((params.arguments or {})["message"]), wanted)


@tool("test_elicitation_sep1034_defaults")
async def eliciting_defaults(ctx: Context, _: Any) -> Answer:
    """Asks with defaults."""
    states = ["active", "inactive", "pending"]
    wanted = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": states, "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _elicit(ctx, "Who are you?", wanted)


@tool("test_elicitation_sep1330_enums")
async def eliciting_enums(ctx: Context, _: Any) -> Answer:
    """Asks with every kind of choice."""
    plain = ["option1", "option2", "option3"]
    titled = [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]
    wanted = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _elicit(ctx, "Which ones?", wanted)


# --- asking in the newer era ----------------------------------------------------------------------


def _ask(message: str, **properties: str) -> types.ElicitRequest:
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    form = types.ElicitRequestFormParams(message=message, requested_schema=schema)
    return types.ElicitRequest(params=form)


def _sample(text: str, tokens: int) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=types.TextContent(text=text))
    params = types.CreateMessageRequestParams(messages=[message], max_tokens=tokens)
    return types.CreateMessageRequest(params=params)


def _needs(state: str | None = None, **requests: Any) -> types.InputRequiredResult:
    return types.InputRequiredResult(input_requests=requests, request_state=state)


def _given(params: Any, name: str) -> Any:
    return (params.input_responses or {}).get(name)


@tool("test_input_required_result_elicitation")
async def needs_elicitation(_: Context, params: types.CallToolRequestParams) -> Answer:
    """Needs the user's name."""
    reply = _given(params, "user_name")
    if not isinstance(reply, types.ElicitResult):
        return _needs(user_name=_ask("What is your name?", name="string"))
    return said(f"Hello, {(reply.content or {}).get('name')}!")


@tool("test_input_required_result_sampling")
async def needs_sampling(_: Context, params: types.CallToolRequestParams) -> Answer:
    """Needs the client's model."""
    reply = _given(params, "capital_question")
    if reply is None:
        return _needs(capital_question=_sample("What is the capital of France?", 100))
    return said(f"Said: {getattr(reply.content, 'text', '')}")


@tool("test_input_required_result_list_roots")
async def needs_roots(_: Context, params: types.CallToolRequestParams) -> Answer:
    """Needs the client's roots."""
    reply = _given(params, "client_roots")
    if reply is None:
        return _needs(client_roots=types.ListRootsRequest())
    return said(f"Roots: {[str(root.uri) for root in reply.roots]}")


@tool("test_input_required_result_request_state")
@tool("test_input_required_result_tampered_state")
async def needs_state(_: Context, params: types.CallToolRequestParams) -> Answer:
    """Needs a word, and its own state back."""
    if _given(params, "confirm") is None:
        return _needs("asked", confirm=_ask("Please confirm", ok="boolean"))
    if params.request_state != "asked":
        raise MCPError(types.INVALID_PARAMS, "there is no state for this answer")
    return said("state-ok")


@tool("test_input_required_result_multiple_inputs")
async def needs_many(_: Context, params: types.CallToolRequestParams) -> Answer:
    """Needs three things at once."""
    wanted = {
        "user_name": _ask("What is your name?", name="string"),
        "greeting": _sample("Generate a greeting", 50),
        "client_roots": types.ListRootsRequest(),
    }
    missing = {name: ask for name, ask in wanted.items() if _given(params, name) is None}
    return _needs("many", **missing) if missing else said("all there")


@tool("test_input_required_result_multi_round")
async def needs_rounds(_: Context, params: types.CallToolRequestParams) -> Answer:
    """Needs two answers, one after the other."""
    if params.request_state == "second" and _given(params, "step2") is not None:
        return said("both there")
    if params.request_state == "first" and _given(params, "step1") is not None:
        return _needs("second", step2=_ask("Step 2: What is your favorite color?", color="string"))
    return _needs("first", step1=_ask("Step 1: What is your name?", name="string"))


@tool("test_input_required_result_capabilities")
async def needs_what_is_there(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    """Needs only what the client can give."""
    if params.input_responses:
        return said("there")
    can = ctx.session.client_capabilities
    wanted: dict[str, Any] = {}
    if can is not None and can.elicitation is not None:
        wanted["name"] = _ask("What is your name?", name="string")
    if can is not None and can.sampling is not None:
        wanted["greeting"] = _sample("Generate a greeting", 50)
    return _needs(**wanted) if wanted else said("nothing to ask")


@tool("test_streaming_elicitation")
async def needs_after_a_while(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    """Reports progress, then needs an answer."""
    if _given(params, "answer") is not None:
        return said("answered")
    await ctx.session.report_progress(1, 2)
    return _needs(answer=_ask("Go on?", ok="boolean"))


@tool("test_missing_capability")
async def needs_capability(ctx: Context, _: Any) -> Answer:
    """Refuses clients that cannot sample."""
    needed = types.ClientCapabilities(sampling=types.SamplingCapability())
    if not ctx.session.check_client_capability(needed):
        data = types.MissingRequiredClientCapabilityErrorData(required_capabilities=needed)
        told = data.model_dump(by_alias=True, mode="json", exclude_none=True)
        code = types.MISSING_REQUIRED_CLIENT_CAPABILITY
        raise MCPError(code, "the client has to declare sampling", told)
    return said("it can")


# --- resources ------------------------------------------------------------------------------------

STATIC = {
    "test://static-text": ("text/plain", "This is the content of the static text resource."),
    "test://watched-resource": ("text/plain", "Watched."),
    "test://example-resource": ("text/plain", "An example."),
}
BINARY = "test://static-binary"
TEMPLATE = "test://template/{id}/data"


def resources() -> list[types.Resource]:
    text = [
        types.Resource(uri=u, name=u, description=u, mime_type=m) for u, (m, _) in STATIC.items()
    ]
    return [
        *text,
        types.Resource(uri=BINARY, name=BINARY, description="A pixel", mime_type="image/png"),
    ]


def read(uri: str) -> types.ReadResourceResult | None:
    content: Any = None
    if uri in STATIC:
        media, text = STATIC[uri]
        content = types.TextResourceContents(uri=uri, mime_type=media, text=text)
    elif uri == BINARY:
        content = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)
    elif uri.startswith("test://template/") and uri.endswith("/data"):
        number = uri.removeprefix("test://template/").removesuffix("/data")
        text = f'{{"id": "{number}", "templateTest": true, "data": "Data for ID: {number}"}}'
        content = types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
    return None if content is None else types.ReadResourceResult(contents=[content])


# --- prompts --------------------------------------------------------------------------------------


def _blank(name: str) -> types.PromptArgument:
    return types.PromptArgument(name=name, description=f"The value of {name}", required=True)


PROMPTS = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": [_blank("arg1"), _blank("arg2")],
    "test_prompt_with_embedded_resource": [_blank("resourceUri")],
    "test_prompt_with_image": [],
    "test_input_required_result_prompt": [],
}


def prompts() -> list[types.Prompt]:
    return [types.Prompt(name=n, description=f"For {n}", arguments=a) for n, a in PROMPTS.items()]


def prompt(
    params: types.GetPromptRequestParams,
) -> types.GetPromptResult | types.InputRequiredResult:
    given = params.arguments or {}
    content: list[Any] = [types.TextContent(text="This is a simple prompt for testing.")]
    if params.name == "test_prompt_with_arguments":
        text = f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"
        content = [types.TextContent(text=text)]
    elif params.name == "test_prompt_with_embedded_resource":
        inner = embedded(
            given["resourceUri"], "text/plain", "Embedded resource content for testing."
        )
        content = [inner, types.TextContent(text="Please process the embedded resource above.")]
    elif params.name == "test_prompt_with_image":
        content = [
            types.ImageContent(data=PNG, mime_type="image/png"),
            types.TextContent(text="See?"),
        ]
    elif params.name == "test_input_required_result_prompt":
        if _given(params, "user_context") is None:
            asked = _ask("What context should the prompt use?", context="string")
            return _needs(user_context=asked)
        content = [types.TextContent(text="With context.")]
    messages = [types.PromptMessage(role="user", content=each) for each in content]
    return types.GetPromptResult(description=f"For {params.name}", messages=messages)
