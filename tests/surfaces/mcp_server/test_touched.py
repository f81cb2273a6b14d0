"""What a write touched: every change of every tool is found among the watched addresses."""

import contextlib
import gc
import weakref
from urllib.parse import unquote

import anyio
import pytest

from ricordo.surfaces.mcp import resources
from ricordo.surfaces.mcp.notices import Channel, Subscriber
from ricordo.surfaces.mcp.touched import WatchIndex, name_terms
from ricordo.surfaces.tools import Bound, ToolFailure, registry

WRITERS = [
    (toolset, tool)
    for toolset in registry.toolsets()
    for tool in registry.toolset(toolset)
    if not tool.annotations.read_only and not tool.is_sweeping
]


def furnish(space):
    """Entries, facts, files and a session with a summary."""
    space.remember("Prefers window seats", name="travel/seat", aliases=["seat", "chair"])
    space.fact("user", "dog_name", "Rex")
    for number in range(2):
        space.remember(f"file {number}", name=f"/memories/trips/{number}.md")
    chat = space.session("trip")
    chat.append("user", "Book me a flight to Oslo")
    chat.summarize(force=True)


def read_all(space, *, with_ids):
    """What stands at every address of a space."""
    found = {}
    for entry in space.entries(limit=None):
        ids = (str(entry.id), entry.uid) if with_ids else ()
        for name in (entry.name, *entry.aliases, *ids):
            uri = resources.address("entries", name)
            found[uri] = resources.see(space, uri)
    for info in space.sessions():
        for kind in ("sessions", "summaries"):
            uri = resources.address(kind, info.session)
            found[uri] = resources.see(space, uri)
    return found


def change(space, tool, given):
    """Call a tool, having watched all there is and all there will be; the addresses that say
    something else afterwards, and those that were found by the call."""
    before = read_all(space, with_ids=True)
    result = registry.attempt(tool, given, Bound(space, "trip"))
    names = before | read_all(space, with_ids=False)  # nobody knows an id before it is given
    index = WatchIndex()
    for uri in names:
        own = {unquote(uri.rpartition("/")[2])}
        index.put(uri, before[uri].names if uri in before else own)
    old = {uri: seen.text for uri, seen in before.items()}
    changed = {uri for uri in names if resources.see(space, uri).text != old.get(uri)}
    return changed, index.find(name_terms(given, result, "trip"))


@pytest.mark.parametrize("toolset", registry.toolsets())
def test_whatever_a_tool_changes_is_found_by_its_call(space, toolset):
    furnish(space)
    for _ in range(2):  # the second time there is something to change
        for each, tool in WRITERS:
            if each == toolset:
                for example in tool.examples:
                    with contextlib.suppress(ToolFailure):  # of what is not there
                        changed, found = change(space, tool, dict(example))
                        assert changed <= found, (tool.name, example)


@pytest.mark.parametrize(
    ("toolset", "name", "given"),
    [
        ("default", "remember", {"content": "aisle", "name": "seat"}),  # by its alias
        ("default", "forget", {"name": "seat"}),
        ("facts", "remember_fact", {"category": "user", "key": "Dog-Name", "value": "Bo"}),
        ("operations", "rename", {"name": "seat", "new": "place"}),
        ("operations", "remove", {"name": "travel/seat"}),
        ("anthropic", "memory", {"command": "delete", "path": "/memories/trips/"}),
        (
            "anthropic",
            "memory",
            {"command": "rename", "old_path": "/memories/trips", "new_path": "/memories/old"},
        ),
    ],
)
def test_other_spellings_of_what_is_changed_find_it_too(space, toolset, name, given):
    furnish(space)

    changed, found = change(space, registry.get(name, toolset), given)

    assert changed
    assert changed <= found


def test_an_index_forgets_what_is_dropped():
    index = WatchIndex()
    index.put("a", {"travel/seat"})
    index.put("a", {"home"})
    assert index.find({"travel", "seat"}) == set()
    index.drop("a")

    assert index.find({"home"}) == set()
    assert (index._found, index._terms) == ({}, {})


def test_a_subscriber_whose_connection_is_gone_without_a_word_is_dropped():
    class Gone:
        pass

    async def work():
        channel, connection = Channel(), Gone()
        channel.subscribers[1] = Subscriber(weakref.ref(connection), {"a", "b"})
        channel.watch(["a", "b"])
        channel.drop_dead()
        assert len(channel.subscribers) == 1
        del connection
        gc.collect()
        channel.drop_dead()
        assert channel.is_empty
        assert not channel.watched

    anyio.run(work)
