"""Many processes at once in Strands' sessions, beside its own tests, which have none of it."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from strands.types.exceptions import SessionException
from strands.types.session import Session, SessionAgent, SessionMessage, SessionType

import ricordo
from ricordo.adapters.strands import RicordoRepository

ROUNDS = 8


def say(text):
    return {"role": "user", "content": [{"text": text}]}


def take_part(path, process):
    """Whether this process made the session; then messages of its own agent and of a shared one."""
    with ricordo.open(path, embedder="none", keep=False) as memory:
        repository, won = RicordoRepository(memory), True
        try:
            repository.create_session(Session("trip", SessionType.AGENT))
        except SessionException:
            won = False
        own = f"agent {process}"
        repository.create_agent("trip", SessionAgent(own, {}, {}))
        if won:
            repository.create_agent("trip", SessionAgent("shared", {}, {}))
        kept = []
        for n in range(ROUNDS):
            repository.create_message("trip", own, SessionMessage.from_message(say(f"{n}"), n))
            repository.update_message("trip", own, SessionMessage.from_message(say(f"new {n}"), n))
            try:
                shared = SessionMessage.from_message(say(f"{process} {n}"), n)
                repository.create_message("trip", "shared", shared)
                kept.append(f"{process} {n}")
            except SessionException:
                pass  # another process has this number, or nobody made the agent yet
        return won, kept


def test_processes_at_once_lose_no_message(tmp_path):
    path = tmp_path / "agent.db"
    with ProcessPoolExecutor(3, get_context("spawn")) as pool:
        answers = list(pool.map(take_part, [path] * 3, range(3)))

    assert sum(won for won, _ in answers) == 1
    with ricordo.open(path, embedder="none", keep=False) as memory:
        repository = RicordoRepository(memory)
        for process in range(3):
            told = repository.list_messages("trip", f"agent {process}")
            assert [m.message for m in told] == [say(f"new {n}") for n in range(ROUNDS)]
        shared = [m.message for m in repository.list_messages("trip", "shared")]
        told = [text for _, kept in answers for text in kept]
        assert sorted(m["content"][0]["text"] for m in shared) == sorted(told)
        assert memory.check() == []
