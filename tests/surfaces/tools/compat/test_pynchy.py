"""Keyed memories: their tools as the documents have them."""

import pytest
from toolset_runtime import Calling


def test_a_keyed_memory_is_created_then_updated(calling, memory, space):
    keyed = calling("keyed")

    first = keyed("save_memory", key="tz", content="Lisbon", metadata={"by": "ana"})
    born = space.get("tz")
    second = keyed("save_memory", key="tz", content="Porto", category="daily")
    elsewhere = Calling(memory.space("ben"), "keyed")("save_memory", key="tz", content="Faro")

    entry = space.get("tz")
    assert first == {"result": {"key": "tz", "status": "created"}}
    assert second == {"result": {"key": "tz", "status": "updated"}}
    assert elsewhere == first
    assert (entry.id, entry.created_at, entry.category) == (born.id, born.created_at, "daily")
    assert (entry.content, entry.metadata) == ("Porto", {"by": "ana"})


def test_keyed_memories_are_recalled_and_listed_by_category(calling):
    keyed = calling("keyed")
    keyed("save_memory", key="tz", content="time zone Lisbon")
    keyed("save_memory", key="todo", content="time to buy milk", category="daily")

    recalled = keyed("recall_memories", query="time", category="daily")["result"]
    listed = keyed("list_memories")["result"]

    assert recalled["count"] == 1
    assert recalled["memories"][0]["key"] == "todo"
    assert "score" not in recalled["memories"][0]
    assert [each["key"] for each in listed["memories"]] == ["todo", "tz"]
    assert set(listed["memories"][0]) == {"key", "category", "updated_at"}
    assert keyed("list_memories", category="core")["result"]["count"] == 1
    assert len(keyed("recall_memories", query="time", limit=1)["result"]["memories"]) == 1


def test_a_keyed_memory_is_removed_once(calling):
    keyed = calling("keyed")
    keyed("save_memory", key="tz", content="Lisbon")

    assert keyed("forget_memory", key="tz") == {"result": {"removed": True}}
    assert keyed("forget_memory", key="tz") == {"result": {"removed": False}}


def test_a_key_is_never_taken_for_an_id_or_a_citation(calling, space):
    keyed = calling("keyed")
    space.session("trip").append("user", "hello")
    keyed("save_memory", key="tz", content="Lisbon")

    assert keyed("forget_memory", key=str(space.get("tz").id)) == {"result": {"removed": False}}
    assert keyed("forget_memory", key=space.get("tz").uid) == {"result": {"removed": False}}
    assert keyed("save_memory", key="trip#1", content="x")["result"]["status"] == "created"
    assert space.get("tz") is not None


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        ("save_memory", {"key": "k", "content": "c"}),
        ("recall_memories", {"query": "q"}),
        ("forget_memory", {"key": "k"}),
    ],
)
@pytest.mark.parametrize("wrong", ["missing", "", " ", None])
def test_each_required_field_that_is_missing_or_empty_is_named(calling, space, name, whole, wrong):
    for field in whole:
        args = dict(whole)
        if wrong == "missing":
            del args[field]
        else:
            args[field] = wrong

        answer = calling("keyed")(name, **args)

        assert set(answer) == {"error"}
        assert field in answer["error"]
    assert space.entries() == []
