"""LangChain's chat history: what goes in comes out, and recall finds what was said."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

import ricordo
from ricordo.adapters.langchain import RicordoChatHistory

EVERY_KIND = [
    SystemMessage("You are brief."),
    HumanMessage("What is the weather in İzmir?", name="ayşe"),
    AIMessage("", tool_calls=[{"name": "weather", "args": {"city": "İzmir"}, "id": "call_1"}]),
    ToolMessage("24 degrees", tool_call_id="call_1"),
    AIMessage([{"type": "text", "text": "24 degrees, sunny."}], additional_kwargs={"n": 1.5}),
    HumanMessage("a NUL \0 and half a pair \ud800"),
]


@pytest.fixture
def memory(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        yield memory


def test_every_kind_of_message_comes_back_as_it_was(memory):
    history = RicordoChatHistory(memory, "trip")

    history.add_messages(EVERY_KIND)

    assert history.messages == EVERY_KIND
    assert RicordoChatHistory(memory, "trip").messages == EVERY_KIND


def test_what_was_said_is_found_by_recall_of_the_space(memory):
    ana = memory.space("ana")
    RicordoChatHistory(ana, "trip").add_user_message("I prefer window seats")

    [hit] = ana.recall("window seats")

    assert hit.text == "I prefer window seats"
    assert hit.source.session == "trip"


def test_clearing_leaves_nothing_to_recall_and_may_come_first(memory):
    ana = memory.space("ana")
    history = RicordoChatHistory(ana, "trip")
    history.clear()
    history.add_user_message("I prefer window seats")

    history.clear()

    assert history.messages == []
    assert ana.recall("window seats") == []


async def add(history, text):
    await history.aadd_messages([HumanMessage(text)])
    return await history.aget_messages()


def test_the_awaitable_methods_do_the_same(memory):
    import asyncio

    assert asyncio.run(add(RicordoChatHistory(memory, "trip"), "hello")) == [HumanMessage("hello")]
