"""Questions over MCP: the user is asked before much is removed for good."""

import contextlib

import pytest
from mcp import MCPError, types
from mcp_client import drive, text_of
from servers import ERAS, over_http


def answering(action, confirm, asked):
    async def answer(_, params):
        asked.append(params.message)
        content = {"confirm": confirm} if action == "accept" else None
        return types.ElicitResult(action=action, content=content)

    return answer


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("action", "confirm", "is_removed"),
    [
        ("accept", True, True),
        ("accept", False, False),
        ("decline", None, False),
        ("cancel", None, False),
    ],
)
def test_the_user_is_asked_before_a_directory_is_deleted(server, mode, action, confirm, is_removed):
    asked = []
    place = "/mcp/ana?toolset=anthropic"

    async def work():
        rest = {"elicitation_callback": answering(action, confirm, asked)}
        async with over_http(server, mode, place, **rest) as client:
            for name in ("a", "b"):
                made = {"command": "create", "path": f"/memories/trip/{name}.md", "file_text": name}
                await client.call_tool("memory", made)
            gone = {"command": "delete", "path": "/memories/trip"}
            result = await client.call_tool("memory", gone)
            assert result.is_error is not is_removed
            if not is_removed:
                assert "the user declined" in text_of(result)

    drive(work)
    assert asked == ["memory permanently deletes 2 things at once. Continue?"]
    assert len(server.memory().space("ana").entries()) == (0 if is_removed else 2)


@pytest.mark.parametrize("mode", ERAS)
def test_one_file_is_deleted_without_a_question_and_so_is_all_where_nobody_can_be_asked(
    server, mode
):
    asked = []

    async def work():
        rest = {"elicitation_callback": answering("decline", None, asked)}
        place = "/mcp/ana?toolset=anthropic"
        async with over_http(server, mode, place, **rest) as client:
            made = {"command": "create", "path": "/memories/a.md", "file_text": "a"}
            await client.call_tool("memory", made)
            gone = await client.call_tool("memory", {"command": "delete", "path": "/memories/a.md"})
            assert not gone.is_error
        async with over_http(server, mode, "/mcp/ana?toolset=notes") as client:
            await client.call_tool("scratchpad_write", {"items": ["one", "two"]})
            assert not (await client.call_tool("scratchpad_clear", {})).is_error

    drive(work)
    assert asked == []


def test_an_answer_to_another_question_is_no_answer(server):
    """The state of a question is sealed with the call and the space it was asked for."""
    space = server.memory().space("ana")
    for name in ("a", "b", "c"):
        space.remember(name, name=f"/memories/trip/{name}.md", category="memories")

    async def work():
        rest = {"elicitation_callback": answering("accept", True, [])}
        place = "/mcp/ana?toolset=anthropic"
        async with over_http(server, "auto", place, **rest) as client:
            call = {"command": "delete", "path": "/memories/trip"}
            yes = {"confirm": types.ElicitResult(action="accept", content={"confirm": True})}
            for state in (None, "confirm", "v1.forged"):
                with contextlib.suppress(MCPError):
                    result = await client.session.call_tool(
                        "memory",
                        call,
                        input_responses=yes,
                        request_state=state,
                        allow_input_required=True,
                    )
                    assert isinstance(result, types.InputRequiredResult)
        assert len(space.entries()) == 3

    drive(work)
