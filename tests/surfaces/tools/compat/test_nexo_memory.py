"""The tool `memory`: what it keeps, recalls and forgets, as the documents have it."""

import uuid

import pytest
from toolset_runtime import UNKNOWN


def test_memory_remembers_recalls_and_forgets(calling):
    memory = calling("memory")

    kept = memory("memory", action="remember", content="Prefers window seats", tags=["travel"])
    found = memory("memory", action="recall", query="window seats")
    gone = memory("memory", action="forget", id=kept["id"])

    assert set(kept) == {"ok", "id"}
    assert uuid.UUID(kept["id"])
    assert found == {
        "ok": True,
        "results": [{"id": kept["id"], "content": "Prefers window seats", "tags": ["travel"]}],
    }
    assert gone == {"ok": True}
    assert memory("memory", action="recall", query="window seats") == {"ok": True, "results": []}


def test_remembering_twice_makes_two_memories(calling):
    memory = calling("memory")

    ids = {memory("memory", action="remember", content="boat")["id"] for _ in range(2)}

    assert len(ids) == 2


def test_the_context_of_a_memory_is_kept_and_not_returned(calling, space):
    memory = calling("memory")

    kept = memory("memory", action="remember", content="boat", context="while booking")

    entry = space.get(kept["id"])
    assert entry.metadata == {"context": "while booking"}
    assert "booking" not in str(memory("memory", action="recall", query="boat"))


def test_an_unknown_memory_is_answered_not_ok(calling):
    memory = calling("memory")
    kept = memory("memory", action="remember", content="boat")
    memory("memory", action="forget", id=kept["id"])

    assert memory("memory", action="forget", id=kept["id"]) == {"ok": False}
    assert memory("memory", action="forget", id=UNKNOWN) == {"ok": False}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"action": "remember"}, "content is missing"),
        ({"action": "remember", "content": " "}, "content is missing"),
        ({"action": "recall"}, "query is missing"),
        ({"action": "recall", "query": "x", "mode": "psychic"}, "keyword, vector, hybrid"),
        ({"action": "forget"}, "id is missing"),
        ({"action": "forget", "id": "1"}, "is not a UUID"),
        ({"action": "dream"}, "remember, recall, forget"),
        ({}, "action is missing"),
    ],
)
def test_bad_arguments_of_memory_are_raised(calling, space, args, told):
    space.remember("first", "one")

    failure = calling("memory").refused("memory", **args)

    assert failure.kind == "invalid_arguments"
    assert told in failure.message
    assert space.get("one") is not None


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_every_mode_of_recall_gives_at_most_the_limit(calling, memory, mode):
    tool = calling("memory")
    for number in range(8):
        tool("memory", action="remember", content=f"seat {number}")
    memory.flush()

    assert len(tool("memory", action="recall", query="seat", mode=mode)["results"]) == 5
    assert len(tool("memory", action="recall", query="seat", mode=mode, limit=2)["results"]) == 2
