"""Resources, prompts and completions over MCP: read by a real client, in pages, by name."""

import json

import pytest
from mcp import MCPError, types
from mcp_client import ADDRESS, SEAT, drive, text_of
from servers import ERAS, over_http, running

from ricordo.errors import InvalidInput, NotFound
from ricordo.surfaces.mcp import prompts, resources


@pytest.mark.parametrize("mode", ERAS)
def test_entries_sessions_and_summaries_are_resources(server, mode):
    space = server.memory().space("ana")
    space.remember(SEAT["content"], name=SEAT["name"])
    chat = space.session("trip")
    for number in range(6):
        chat.append("user", f"Message {number}")
    chat.summarize(force=True)

    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            first = await client.list_resources()
            rest = await client.list_resources(cursor=first.next_cursor)
            listed = [each.uri for each in (*first.resources, *rest.resources)]
            assert listed == [ADDRESS, "ricordo://sessions/trip", "ricordo://summaries/trip"]
            read = [(await client.read_resource(uri)).contents[0] for uri in listed]
            assert read[0].text == "Prefers window seats"
            said = [each["content"] for each in json.loads(read[1].text)]
            assert [each for each in said if each][:2] == ["Message 0", "Message 1"]
            assert "Message" in read[2].text
            templates = (await client.list_resource_templates()).resource_templates
            assert [each.uri_template for each in templates] == [
                "ricordo://entries/{name}",
                "ricordo://sessions/{session}",
                "ricordo://summaries/{session}",
            ]

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    "uri",
    [
        "ricordo://entries/nobody",
        "ricordo://entries/",
        "ricordo://sessions/nobody",
        "ricordo://summaries/nobody",
        "ricordo://other/x",
        "ricordo://entries/a/b",
        "ricordo://entries/%00",
        "ricordo://entries/%ff",
        "file:///etc/passwd",
    ],
)
def test_an_unknown_resource_is_an_error_of_the_client(server, mode, uri):
    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            with pytest.raises(MCPError) as told:
                await client.read_resource(uri)
            assert told.value.error.code == types.INVALID_PARAMS

    drive(work)


def test_the_list_of_resources_is_paged(space):
    for number in range(resources.PAGE + 5):
        space.remember(f"text {number}", name=f"n{number}")
    space.session("trip").append("user", "hello")

    seen, cursor, pages = [], None, 0
    while cursor is not None or pages == 0:
        listed, cursor = resources.page(space, cursor)
        seen += [each.uri for each in listed]
        pages += 1

    assert pages == 3
    assert len(seen) == len(set(seen)) == resources.PAGE + 6


@pytest.mark.parametrize("cursor", ["bogus", "sessions:zzz", "sessions:-1", "entries:nobody"])
def test_a_cursor_of_somebody_else_is_refused(space, cursor):
    space.remember("text", name="n")

    with pytest.raises((InvalidInput, NotFound)):
        resources.page(space, cursor)


@pytest.mark.parametrize("mode", ERAS)
def test_a_memory_that_cannot_be_opened_tells_a_client_nothing_of_the_file(tmp_path, mode, caplog):
    (tmp_path / "agent.db").write_bytes(b"this is no memory" * 1_000)

    async def work(server):
        async with over_http(server, mode, "/mcp/ana") as client:
            called = await client.call_tool("recall", {"query": "seats"})
            with pytest.raises(MCPError) as listed:
                await client.list_resources()
        assert called.is_error
        assert "try again later" in text_of(called)
        assert listed.value.code == types.INTERNAL_ERROR
        assert "agent.db" not in text_of(called) + str(listed.value)

    with running(tmp_path) as server:
        drive(work, server)
    assert "agent.db" in caplog.text


def test_a_space_without_a_name_is_told_to_the_model(server):
    async def work():
        async with over_http(server, "auto", "/mcp/%20") as client:
            called = await client.call_tool("recall", {"query": "seats"})
        assert called.is_error
        assert "space is blank" in text_of(called)

    drive(work)
    assert server.ask("POST", "/mcp/%FF", {}, accept=True).status == 400


@pytest.mark.parametrize("mode", ERAS)
def test_every_prompt_is_described_and_filled_in(server, mode):
    server.memory().space("ana").remember(SEAT["content"], name="seat")

    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            listed = (await client.list_prompts()).prompts
            assert [each.name for each in listed] == [each.name for each in prompts.PROMPTS]
            for each in listed:
                assert each.description
                given = {argument.name: "window seats" for argument in each.arguments or ()}
                assert all(argument.description for argument in each.arguments or ())
                found = await client.get_prompt(each.name, given)
                assert found.messages[0].content.text
            recalled = await client.get_prompt("recall", {"question": "window seats"})
            assert "> Prefers window seats" in recalled.messages[0].content.text
            with pytest.raises(MCPError, match="question"):
                await client.get_prompt("recall", {})
            with pytest.raises(MCPError, match="there is no prompt"):
                await client.get_prompt("nothing", {})

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
def test_names_are_completed(server, mode):
    space = server.memory().space("ana")
    for name in ("seat", "season", "other"):
        space.remember(name, name=name)
    space.session("sea trip").append("user", "hello")

    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            entries = types.ResourceTemplateReference(uri="ricordo://entries/{name}")
            found = await client.complete(entries, {"name": "name", "value": "sea"})
            assert sorted(found.completion.values) == ["season", "seat"]
            prompt = types.PromptReference(name="catch_up")
            found = await client.complete(prompt, {"name": "session", "value": "sea"})
            assert found.completion.values == ["sea trip"]

    drive(work)
