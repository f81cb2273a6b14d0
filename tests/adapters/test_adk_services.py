"""ADK's services beside its own in-memory one, many processes at once, and recall."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.genai import types

import ricordo
from ricordo.adapters.adk import RicordoMemoryService, RicordoSessionService

ANA = {"app_name": "travel", "user_id": "ana"}


@pytest.fixture
def memory(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        yield memory
        assert memory.check() == []


def say(text, at, author="user", **delta):
    content = types.Content(parts=[types.Part(text=text)], role=author)
    actions = EventActions(state_delta=delta)
    return Event(id=f"e{at}", author=author, timestamp=float(at), content=content, actions=actions)


def show(session):
    """What a session holds, without times of creation."""
    if session is None:
        return None
    told = [(event.id, event.content.parts[0].text) for event in session.events]
    return session.id, session.user_id, dict(session.state), told


async def drive(service):
    """One of everything; what each call gave."""
    told = []
    begin = {"app:theme": "dark", "user:name": "Ana", "temp:x": 1, "step": 0}
    session = await service.create_session(**ANA, state=begin, session_id=" s1 ")
    told.append(show(session))
    for n, delta in enumerate(
        ({"step": 1}, {"user:name": "Anna", "temp:y": 2}, {"app:lang": "pt"})
    ):
        await service.append_event(session, say(f"line {n}", 100 + n, **delta))
    again = say("line 2", 102, **{"app:lang": "pt"})
    await service.append_event(session, again)  # sent twice
    told.append(show(session))
    for config in (
        None,
        GetSessionConfig(num_recent_events=2),
        GetSessionConfig(after_timestamp=101),
    ):
        told.append(show(await service.get_session(**ANA, session_id="s1", config=config)))
    told.append(
        show(
            await service.get_session(
                **ANA, session_id="s1", config=GetSessionConfig(num_recent_events=0)
            )
        )
    )
    await service.create_session(app_name="travel", user_id="bob", session_id="s1")
    told.append(await service.get_user_state(**ANA))
    for user in ("ana", None):
        listed = await service.list_sessions(app_name="travel", user_id=user)
        told.append(sorted(map(show, listed.sessions)))
    try:
        await service.create_session(**ANA, session_id="s1")
    except AlreadyExistsError:
        told.append("exists")
    await service.delete_session(**ANA, session_id="s1")
    await service.delete_session(**ANA, session_id="s1")
    told.append(show(await service.get_session(**ANA, session_id="s1")))
    try:
        await service.append_event(session, say("late", 200))
    except SessionNotFoundError:
        told.append("not found")
    fresh = await service.create_session(**ANA, session_id="s1")
    told.append(show(fresh))
    return told


def test_the_service_answers_as_adks_own(memory):
    ours = asyncio.run(drive(RicordoSessionService(memory)))
    theirs = asyncio.run(drive(InMemorySessionService()))

    assert ours == theirs


def test_what_was_said_is_found_by_recall_and_by_the_memory_service(memory):
    ana = memory.space("ana")

    async def talk():
        service, found = RicordoSessionService(ana), RicordoMemoryService(memory)
        session = await service.create_session(**ANA, session_id="s1")
        await service.append_event(session, say("I prefer window seats", 100))
        await found.add_session_to_memory(session)
        await found.add_session_to_memory(session)
        mine = await found.search_memory(**ANA, query="window seats")
        others = await found.search_memory(app_name="travel", user_id="bob", query="window seats")
        return [m.content.parts[0].text for m in mine.memories], others.memories

    assert asyncio.run(talk()) == (["I prefer window seats"], [])
    [hit] = ana.recall("window seats", mode="keyword")
    assert (hit.text, hit.source.session) == ("I prefer window seats", "travel/ana/s1")


def count_up(path, process):
    async def run():
        with ricordo.open(path, embedder="none") as memory:
            service = RicordoSessionService(memory)
            session = await service.get_session(**ANA, session_id="s1")
            for n in range(10):
                delta = {f"user:{process}": n, "app:last": process}
                await service.append_event(
                    session, say(f"{process} {n}", 1000 * process + n, **delta)
                )

    asyncio.run(run())


def test_processes_at_once_lose_no_event_and_no_state(tmp_path):
    path = tmp_path / "agent.db"
    with ricordo.open(path, embedder="none") as memory:
        asyncio.run(RicordoSessionService(memory).create_session(**ANA, session_id="s1"))
    with ProcessPoolExecutor(4, get_context("spawn")) as pool:
        list(pool.map(count_up, [path] * 4, range(1, 5)))

    with ricordo.open(path, embedder="none") as memory:
        session = asyncio.run(RicordoSessionService(memory).get_session(**ANA, session_id="s1"))
        assert len({event.id for event in session.events}) == len(session.events) == 40
        assert [session.state[f"user:{process}"] for process in range(1, 5)] == [9] * 4
        assert memory.check() == []
