"""Notices over MCP: who listens is told what changed, in its own space only."""

from functools import partial

import anyio
import pytest
from mcp import types
from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_client import ADDRESS, SEAT, drive
from servers import over_http, over_stdio


async def until(stream, wanted):
    """Read notices until the wanted one comes."""
    with anyio.fail_after(20):
        async for event in stream:
            if event == wanted:
                return


def test_who_listens_is_told_what_changed_in_its_own_space_only(server):
    async def work():
        async with (
            over_http(server, "auto", "/mcp/ana") as ana,
            over_http(server, "auto", "/mcp/bob") as bob,
        ):
            kinds = {"resources_list_changed": True, "resource_subscriptions": [ADDRESS]}
            async with ana.listen(**kinds) as at_ana, bob.listen(**kinds) as at_bob:
                await ana.call_tool("remember", SEAT)
                await until(at_ana, ResourcesListChanged())
                await until(at_ana, ResourceUpdated(uri=ADDRESS))
                # What bob hears first is his own write, though ana wrote before.
                await bob.call_tool("remember", {"content": "x", "name": "other"})
                with anyio.fail_after(20):
                    async for event in at_bob:
                        assert event == ResourcesListChanged()
                        break

    drive(work)


def test_reading_and_writing_something_else_is_no_news_of_a_resource(server):
    async def work():
        async with over_http(server, "auto", "/mcp/ana") as client:
            await client.call_tool("remember", SEAT)
            async with client.listen(resource_subscriptions=[ADDRESS]) as stream:
                await client.call_tool("recall", {"query": "seats"})
                await client.call_tool("remember", {"content": "x", "name": "other"})
                changed = {**SEAT, "content": "Prefers the aisle"}
                await client.call_tool("remember", changed)
                with anyio.fail_after(20):
                    async for event in stream:
                        assert event == ResourceUpdated(uri=ADDRESS)
                        break
                read = await client.read_resource(ADDRESS)
                assert read.contents[0].text == "Prefers the aisle"

    drive(work)


def test_a_write_over_http_is_news_for_those_who_listen_over_mcp(server):
    async def work():
        async with (
            over_http(server, "auto", "/mcp/ana") as client,
            client.listen(resource_subscriptions=[ADDRESS]) as stream,
        ):
            write = partial(server.call, "ana", "remember", **SEAT)
            await anyio.to_thread.run_sync(write)
            await until(stream, ResourceUpdated(uri=ADDRESS))

    drive(work)


@pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")  # the client's own words for it
def test_subscribers_of_the_older_protocol_are_told_too(tmp_path):
    heard = []

    async def work():
        told = anyio.Event()

        async def note(message):
            if isinstance(message, types.ResourceUpdatedNotification):
                heard.append(str(message.params.uri))
                told.set()

        path = tmp_path / "agent.db"
        async with over_stdio(path, "legacy", message_handler=note) as client:
            await client.subscribe_resource(ADDRESS)
            await client.call_tool("remember", SEAT)
            await told.wait()
            await client.unsubscribe_resource(ADDRESS)
            await client.call_tool("remember", {**SEAT, "content": "Prefers the aisle"})
            await client.list_tools()  # a notice would have come before this answer

    drive(work)
    assert heard == [ADDRESS]
