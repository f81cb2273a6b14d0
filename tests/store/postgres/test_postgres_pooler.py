"""PgBouncer in transaction mode: every transaction may get another session of the server."""

import threading
from collections.abc import Iterator

import pytest
from pgbouncer import SESSIONS, pooler, why_not

import ricordo
from ricordo.testing import Case, Lab, cases
from tier import tier

pytestmark = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))

_EVERY = tier(12, 1)  # one case in twelve with every change, all of them in the full tier


@pytest.fixture
def pooled() -> Iterator[Lab]:
    with Lab(lambda: pooler().url()) as lab:
        yield lab


@pytest.mark.parametrize("case", cases()[::_EVERY], ids=str)
def test_a_memory_behind_a_pooler_keeps_the_promise(case: Case, pooled: Lab):
    case.run(pooled)


def test_more_clients_than_sessions_neither_wait_for_ever_nor_meet(pooled: Lab):
    memories = [pooled.open() for _ in range(2 * SESSIONS)]
    gate, failures = threading.Barrier(len(memories)), []

    def talk(number: int) -> None:
        try:
            space = memories[number].space(f"user{number}")
            gate.wait()
            for turn in range(5):
                space.session("s").append("user", f"secret{number} turn{turn}")
                texts = [hit.text for hit in space.recall("secret", limit=20)]
                assert all(text.startswith(f"secret{number} ") for text in texts), texts
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=talk, args=(each,)) for each in range(len(memories))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []


def test_memories_of_one_database_do_not_mix_behind_a_pooler():
    first, second = pooler().url(), pooler().url()
    with ricordo.open(first, embedder="none") as one, ricordo.open(second, embedder="none") as two:
        for turn in range(6):
            one.space("ana").remember("one", name=f"e{turn}")
            two.space("ana").remember("two", name=f"e{turn}")

        assert {entry.content for entry in one.space("ana").entries()} == {"one"}
        assert {entry.content for entry in two.space("ana").entries()} == {"two"}
