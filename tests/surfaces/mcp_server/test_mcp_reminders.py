"""Reminders over MCP: what is due comes with the next call or prompt, each once."""

import json

import pytest
from mcp_client import drive, text_of
from servers import ERAS, over_http, over_stdio, running

import ricordo

LONG_AGO = "2020-01-01T09:00:00Z"


@pytest.mark.parametrize("mode", ERAS)
def test_a_due_reminder_comes_with_the_next_result_and_only_once(tmp_path, mode):
    async def work():
        async with over_stdio(tmp_path / "agent.db", mode, "--space", "ana") as client:
            made = await client.call_tool("remind", {"text": "Call the bank", "at": LONG_AGO})
            first = await client.call_tool("entries", {})
            second = await client.call_tool("entries", {})
        assert "due" not in made.structured_content  # nobody is reminded of what they just said
        assert [each["text"] for each in first.structured_content["due"]] == ["Call the bank"]
        assert json.loads(text_of(first)) == first.structured_content
        assert "due" not in second.structured_content
        assert "bank" not in text_of(second)

    drive(work)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("recall", {"query": "What about the Atlas project?"}),
        ("remember", {"content": "The project called Atlas begins in May", "tags": ["work"]}),
        ("remember", {"content": "It begins in May", "tags": ["project", "Atlas"]}),
    ],
)
def test_a_cue_is_heard_in_what_a_call_says_or_asks(server, tool, given):
    async def work():
        async with over_http(server, "auto", "/mcp/cues") as client:
            made = await client.call_tool("remind", {"text": "Invoice", "cue": "project Atlas"})
            other = await client.call_tool("recall", {"query": "the weather"})
            touched = await client.call_tool(tool, given)
            again = await client.call_tool(tool, given)
        assert not made.is_error
        assert "due" not in made.structured_content
        assert "due" not in other.structured_content
        assert [each["text"] for each in touched.structured_content["due"]] == ["Invoice"]
        assert "due" not in again.structured_content

    drive(work)


def test_a_call_that_fails_leaves_reminders_due(server):
    async def work():
        async with over_http(server, "auto", "/mcp/failing") as client:
            await client.call_tool("remind", {"text": "Call the bank", "at": LONG_AGO})
            failed = await client.call_tool("get", {"name": "nobody"})
            worked = await client.call_tool("entries", {})
        assert failed.is_error
        assert "bank" not in text_of(failed)
        assert worked.structured_content["due"][0]["text"] == "Call the bank"

    drive(work)


def test_toolsets_of_other_systems_answer_to_the_letter(server):
    async def work():
        server.memory().space("letter").remind("Call the bank", at=LONG_AGO)
        async with over_http(server, "auto", "/mcp/letter?toolset=keyed") as client:
            result = await client.call_tool("list_memories", {})
        assert result.structured_content == {"result": {"memories": [], "count": 0}}
        assert len(result.content) == 1
        assert [each.text for each in server.memory().space("letter").reminders.due()] == [
            "Call the bank"
        ]

    drive(work)


@pytest.mark.parametrize("prompt", ["catch_up", "recall"])
def test_a_prompt_brings_up_what_is_due_once(server, prompt):
    space = f"prompt-{prompt}"
    given = {"question": "What is open?"} if prompt == "recall" else {}

    async def work():
        server.memory().space(space).remind("Call the bank", at=LONG_AGO)
        async with over_http(server, "auto", f"/mcp/{space}") as client:
            return [await client.get_prompt(prompt, given) for _ in range(2)]

    first, second = drive(work)

    assert "Call the bank" in first.messages[0].content.text
    assert "Call the bank" not in second.messages[0].content.text


def test_upcoming_tells_what_is_overdue_from_what_is_to_come(tmp_path):
    async def work(server):
        async with over_http(server, "auto", "/mcp/ana") as client:
            await client.call_tool("remind", {"text": "Late", "at": LONG_AGO})
            await client.call_tool("remind", {"text": "Later", "at": "1d"})
            await client.call_tool("remind", {"text": "On a cue", "cue": "Atlas"})
            await client.call_tool("schedule", {"goal": "Tidy", "cadence": "daily"})
            return (await client.call_tool("upcoming", {})).structured_content

    with running(tmp_path) as server:
        shown = drive(work, server)

    assert [each["text"] for each in shown["overdue"]["reminders"]] == []  # given out before
    assert [each["text"] for each in shown["reminders"]] == ["Later", "On a cue"]
    assert [each["goal"] for each in shown["schedules"]] == ["Tidy"]
    assert shown["overdue"]["schedules"] == []


def test_a_schedule_says_when_nobody_carries_out_goals(tmp_path):
    goal = {"goal": "Send the report", "cadence": "daily at 9"}

    async def work(server):
        async with over_http(server, "auto", "/mcp/ana?channel=telegram") as client:
            alone = await client.call_tool("schedule", goal)
            server.memory().claim()  # a worker looks, and finds nothing due
            attended = await client.call_tool("schedule", goal)
        return alone.structured_content, attended.structured_content

    with running(tmp_path) as server:
        alone, attended = drive(work, server)
        made = server.memory().space("ana").schedules.get(alone["id"])

    assert "nobody carries out goals here" in alone["warning"]
    assert "warning" not in attended
    assert made.channel == "telegram"


def test_a_process_that_carries_out_goals_is_known_before_it_looked(tmp_path):
    with ricordo.open(tmp_path / "a.db", embedder="none") as memory:
        assert not memory.space("ana").schedules.has_worker()
        memory.keeper.start(lambda _: "done")

        assert memory.space("ana").schedules.has_worker()
