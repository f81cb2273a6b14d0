"""Pydantic AI's conversations beside its own in-memory store, processes at once, and recall."""

import asyncio
import contextlib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.conversation import Conversation
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
    InMemoryConversationStore,
)
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel

import ricordo
from backends import urls
from ricordo.adapters.pydantic_ai import RicordoConversationStore


def answer(messages, info):
    """A model that says how many messages it was sent."""
    return ModelResponse(parts=[TextPart(f"answer to {len(messages)}")])


AGENT = Agent(FunctionModel(answer))


@pytest.fixture(params=["file", "postgresql"])
def memory(request, tmp_path):
    with contextlib.ExitStack() as stack:
        url = str(tmp_path / "agent.db")
        if request.param == "postgresql":
            url = stack.enter_context(urls("postgresql", tmp_path))()
        memory = stack.enter_context(ricordo.open(url, embedder="none", keep=False))
        yield memory
        assert memory.check() == []


def ask(text):
    return ModelRequest(parts=[UserPromptPart(text)])


def reply(text):
    return ModelResponse(parts=[TextPart(text)])


def show(conversation):
    """What a conversation says, without ids and times."""
    if conversation is None:
        return None
    parts = [part for message in conversation.messages for part in message.parts]
    asked = conversation.deferred_tool_requests
    return [part.content for part in parts], conversation.usage.requests, asked is None


async def attempt(call):
    try:
        return await call
    except (ConversationConflict, UserError) as error:
        return type(error).__name__


async def talk(store, id, prompt, scope=None):
    """One turn of a real agent."""
    conversation = await store.load(id) or Conversation(conversation_id=id)
    result = await AGENT.run(prompt, conversation=conversation)
    return len(await store.save(result, scope=scope))


async def drive(store):
    """One of everything; what each call gave."""
    told = [await talk(store, "trip", f"question {n}", "ana") for n in range(3)]
    told.append(await talk(store, "work", "another matter", "bob"))
    told.append(show(await store.load("trip")))
    for limit in (0, 1, 3, 99):
        told.append(show(await store.load("trip", limit=limit)))
    told.append(show(await store.load("trip", scope="bob")))
    told.append(show(await store.load("nobody")))
    first, second = await store.load("trip"), await store.load("trip")
    first.messages.append(ask("the first one"))
    second.messages.append(ask("the second one"))
    told.append(len(await store.save(first)))
    told.append(await attempt(store.save(second)))
    told.append(await attempt(store.save(Conversation(conversation_id="trip"))))
    told.append(await attempt(store.save(first, scope="bob")))
    rewritten = await store.load("trip")
    rewritten.messages = [*rewritten.messages[:2], ask("shorter")]
    rewritten.new_message_index = None
    told.append(len(await store.save(rewritten)))
    [record] = await store.list_conversations(scope="ana")
    told.append((len(record.branches), record.scope, show(await store.load("trip"))))
    back = await store.branch(
        "trip", from_entry=record.branches[0], expected_revision=record.revision
    )
    told.append(show(back))
    told.append(await attempt(store.branch("trip", at=1, expected_revision=record.revision)))
    told.append(show(await store.branch("trip", at=3, expected_revision=back.revision)))
    told.append(show(await store.fork("trip", at=2, new_conversation_id="fork")))
    told.append(show(await store.fork("trip", new_conversation_id="whole", scope="kim")))
    told.append(await attempt(store.fork("trip", new_conversation_id="fork")))
    told.append(await attempt(store.fork("nobody")))
    told.append(await talk(store, "fork", "on the fork"))
    listed = await store.list_conversations()
    told.append([(r.conversation_id, r.scope, r.forked_from, len(r.branches)) for r in listed])
    told.append([r.conversation_id for r in await store.list_conversations(limit=2)])
    await store.delete("trip", scope="bob")
    told.append(show(await store.load("trip")))
    await store.delete("trip")
    await store.delete("trip")
    told.append(show(await store.load("trip")))
    told.append(show(await store.load("fork")))
    told.append(show(await store.load("whole")))
    told.append(await talk(store, "trip", "a new beginning", "kim"))
    told.append(await attempt(store.save(first)))
    record = ConversationRecord(conversation_id="odd", head_id="no such entry")
    told.append(await attempt(store.write_record(record, expected_revision=None)))
    told.append(await attempt(store.delete_record("odd", expected_revision="x")))
    return told


def test_the_store_answers_as_pydantics_own(memory):
    ours = asyncio.run(drive(RicordoConversationStore(memory)))
    theirs = asyncio.run(drive(InMemoryConversationStore()))

    assert ours == theirs
    assert len(ours) > 30


def test_every_message_comes_back_as_it_was(memory):
    store = RicordoConversationStore(memory)
    messages = [
        ask("NUL \0 in a text"),
        ModelRequest(
            parts=[UserPromptPart(["look", BinaryContent(b"\0\xff", media_type="audio/wav")])]
        ),
        ModelRequest(parts=[ToolReturnPart("look", {"deep": [[[1.5, None, "\0"]]]}, "c1")]),
        reply("done"),
    ]

    asyncio.run(store.save(Conversation(messages=messages, conversation_id="k" * 1024)))

    assert asyncio.run(store.load("k" * 1024)).messages == messages


def test_what_was_said_is_found_until_the_last_conversation_that_uses_it_goes(memory):
    ana = memory.space("ana")
    store = RicordoConversationStore(ana)
    said = [ask("I prefer window seats"), reply("Noted"), ask("and quiet harbours")]

    async def work():
        await store.save(Conversation(messages=said, conversation_id="trip"))
        await store.fork("trip", at=2, new_conversation_id="fork")
        await store.delete("trip")

    asyncio.run(work())

    [hit] = ana.recall("window seats", mode="keyword")
    assert (hit.text, hit.source.kind, hit.origin) == ("I prefer window seats", "record", "user")
    assert ana.recall("quiet harbours", mode="keyword") == []
    asyncio.run(store.delete("fork"))
    assert ana.recall("window seats", mode="keyword") == []
    assert ana.records("pydantic-ai", "entries").list() == []


def test_a_conflict_leaves_no_entry_behind(memory):
    store = RicordoConversationStore(memory)
    record = ConversationRecord(conversation_id="trip", head_id="e1")
    entry = ConversationEntry(id="e1", parent_id=None, message=ask("too late"))

    with pytest.raises(ConversationConflict):
        asyncio.run(store.write_record(record, new_entries=[entry], expected_revision="other"))

    with pytest.raises(KeyError):
        asyncio.run(store.read_entry("e1"))


def talk_and_fork(path, process):
    """Add turns to one conversation, fork it, and delete every other fork."""

    async def run(store):
        for n in range(6):
            while True:
                with contextlib.suppress(ConversationConflict):
                    await talk(store, "trip", f"{process} {n}")
                    break
            await store.fork("trip", new_conversation_id=f"fork {process} {n}")
            await store.delete(f"fork {process} {n - n % 2}")

    with ricordo.open(path, embedder="none", keep=False) as memory:
        asyncio.run(run(RicordoConversationStore(memory)))


def test_processes_at_once_lose_no_turn_and_no_shared_entry(tmp_path):
    path = str(tmp_path / "agent.db")
    with ProcessPoolExecutor(3, get_context("spawn")) as pool:
        list(pool.map(talk_and_fork, [path] * 3, range(3)))

    with ricordo.open(path, embedder="none", keep=False) as memory:
        store = RicordoConversationStore(memory)
        said = [m.parts[0].content for m in asyncio.run(store.load("trip")).messages[::2]]
        assert sorted(said) == sorted(f"{process} {n}" for process in range(3) for n in range(6))
        for record in asyncio.run(store.list_conversations()):
            assert asyncio.run(store.load(record.conversation_id)).messages[0].parts
        assert memory.check() == []
