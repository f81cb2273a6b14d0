"""Embedding in the background: the queue is what has no vector yet, whoever left it there."""

import threading

import apsw
import pytest

import ricordo
from ricordo.embed import resolve_all
from ricordo.flows.recall.embedding import Embedding
from ricordo.testing import TroubledEmbedder, VectorTable


class Gate:
    """An embedder that waits until it is let through."""

    dim = 2
    name = "gate"

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.open = threading.Event()

    def embed(self, texts):
        self.entered.set()
        self.open.wait()
        return [(1.0, 0.0)] * len(texts)


def test_appending_does_not_wait_for_the_model(lab):
    gate = Gate()
    memory = lab.open(embedder=gate)
    chat = memory.space("ana").session("s")
    try:
        chat.append("user", "the red fox")
        gate.entered.wait()
        chat.append("user", "a grey owl")
        assert len(memory.space("ana").recall("fox", mode="keyword")) == 1
        assert memory.flush(timeout=0) is False
    finally:
        gate.open.set()

    assert memory.flush() is True
    assert memory.stats().embedded == 2


def test_no_transaction_is_open_while_the_model_works(lab):
    gate = Gate()
    memory = lab.open(embedder=gate)
    memory.space("ana").remember("the red fox", name="fox")
    gate.entered.wait()
    other = lab.share(memory, embedder="none")
    try:
        other.space("ana").write("fox", "rewritten meanwhile")
        other.space("ana").remember("a grey owl", name="owl")
    finally:
        gate.open.set()
    memory.flush()

    assert memory.check() == []
    assert memory.stats().embedded == 2


def test_a_text_forgotten_while_it_is_embedded_leaves_no_vector(lab):
    gate = Gate()
    memory = lab.open(embedder=gate)
    memory.space("ana").remember("the red fox", name="fox")
    gate.entered.wait()
    try:
        memory.space("ana").forget("fox")
    finally:
        gate.open.set()
    memory.flush()

    assert memory.check() == []
    assert memory.stats().embedded == 0


def test_a_text_forgotten_while_its_embedding_fails_leaves_no_failure(lab):
    class Failing(Gate):
        def embed(self, texts):
            super().embed(texts)
            raise ConnectionError("away")

    gate = Failing()
    memory = lab.open(embedder=gate)
    memory.space("ana").remember("the red fox", name="fox")
    gate.entered.wait()
    try:
        memory.space("ana").forget("fox")
    finally:
        gate.open.set()
    memory.flush()
    lab.clock.advance(days=1)

    assert memory.flush(timeout=5) is True
    assert memory.stats().failed == 0


def test_failures_wait_longer_each_time(lab):
    memory = lab.open(embedder=TroubledEmbedder(failures=10**6))
    memory.space("ana").remember("the red fox")
    memory.flush()
    store, waits = memory._engine.store, []

    for _ in range(14):
        with store.read() as tx:
            failure = tx.embeddings.failures(1, tx.embeddings.models()[0].model)[0]
        assert "the model is away" in failure.error
        waits.append(failure.attempts)
        lab.clock.advance(hours=1, seconds=1)
        memory.flush()

    assert waits == sorted(waits)
    assert waits[-1] >= 14


def test_a_question_that_cannot_be_embedded_is_answered_by_words_and_reported(lab, caplog):
    class Forgetful(VectorTable):
        def embed(self, texts):
            if "which fox?" in texts:
                raise ConnectionError("the model is away")
            return [(1.0, 0.0)] * len(texts)

    memory = lab.open(embedder=Forgetful({}))
    space = memory.space("ana")
    space.remember("the red fox")
    memory.flush()

    found = space.recall("which fox?")

    assert [hit.text for hit in found] == ["the red fox"]
    assert "recall in space 'ana' goes by words" in caplog.text
    assert "the model is away" in caplog.text


def test_one_bad_text_does_not_keep_the_others_from_their_vectors(lab):
    class Picky(VectorTable):
        def embed(self, texts):
            if "poison" in texts:
                raise ValueError("I do not eat that")
            return [(1.0, 0.0)] * len(texts)

    memory = lab.open(embedder=Picky({}))
    chat = memory.space("ana").session("s")
    chat.extend([{"role": "user", "content": text} for text in ("a", "b", "poison", "c", "d")])
    memory.flush()
    lab.clock.advance(hours=1)
    memory.flush()

    assert (memory.stats().embedded, memory.stats().failed) == (4, 1)


def test_two_processes_that_embed_the_same_space_agree(lab):
    memory = lab.open(embedder="none")
    memory.space("ana").session("s").extend(
        [{"role": "user", "content": f"line {n}"} for n in range(100)]
    )
    first, second = lab.share(memory), lab.share(memory)
    threads = [threading.Thread(target=each.flush) for each in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert first.stats().embedded == second.stats().embedded == 100
    assert first.check() == []


def test_recall_alone_wakes_the_worker_after_a_crash(lab):
    """The process that wrote is gone; nothing but this recall would begin the work."""
    memory = lab.open(embedder="none")
    memory.space("ana").session("s").extend(
        [{"role": "user", "content": f"line {n}"} for n in range(100)]
    )
    gate = Gate()
    again = lab.reopen(memory, embedder=gate)
    try:
        assert len(again.space("ana").recall("line", limit=100, mode="keyword")) == 100
        reading = threading.Thread(target=again.space("ana").recall, args=("line",))
        reading.start()
        assert gate.entered.wait(30)
    finally:
        gate.open.set()
    reading.join()
    again.flush()

    assert again.stats().embedded == 100


def test_a_change_of_model_leaves_the_old_vectors_where_they_are(lab):
    memory = lab.open(embedder="hash")
    memory.space("ana").remember("the red fox")
    memory.flush()
    again = lab.reopen(memory, embedder=VectorTable({"the red fox": (1, 0)}, dim=2))
    again.flush()

    with again._engine.store.read() as tx:
        counts = {m.dim: tx.embeddings.count(1, m.model) for m in tx.embeddings.models()}
    assert counts == {512: 1, 2: 1}
    again.space("ana").forget(1)
    with again._engine.store.read() as tx:
        assert [tx.embeddings.count(1, m.model) for m in tx.embeddings.models()] == [0, 0]


def test_hybrid_recall_of_a_store_that_fails_is_no_silent_keyword_recall(lab):
    memory = lab.open()
    memory.space("ana").remember("the red fox")
    memory.close()
    lab.forget(memory)

    with pytest.raises(ricordo.StoreError, match="closed"):
        memory.space("ana").recall("fox")


@pytest.mark.parametrize("timeout", [float("inf"), float("nan"), 1e300, "x", True])
@pytest.mark.parametrize("embedder", ["hash", "none"])
def test_a_time_to_wait_that_makes_no_sense_is_refused(lab, embedder, timeout):
    memory = lab.open(embedder=embedder)

    with pytest.raises(ricordo.InvalidInput, match=r"timeout is .*; give seconds"):
        memory.flush(timeout)


def test_an_empty_answer_is_logged_while_texts_are_pending(lab, caplog):
    """EMB-6"""
    memory = lab.open(embedder="none")
    memory.space("ana").remember("the red fox")
    space = lab.reopen(memory, read_only=True).space("ana")

    with caplog.at_level("INFO", logger="ricordo"):
        assert space.recall("kettle") == []
        assert len(space.recall("fox")) == 1

    told = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert [level for level, _ in told] == ["WARNING", "INFO"]
    assert "'ana' could not compare 1 texts by meaning" in told[0][1]


def test_a_large_backlog_is_embedded_for_as_long_as_a_recall_may_wait(lab):
    """EMB-6"""
    memory = lab.open(embedder="none")
    space, engine = memory.space("ana"), memory._engine
    embedding = Embedding(engine.store, resolve_all("hash"), engine.now)
    for n in range(70):
        space.remember(f"umbrella number {n}")

    embedding.catch_up("ana", 0)
    assert embedding._measure_backlog("ana") == 33  # more than a batch
    embedding.catch_up("ana", 3_600)
    assert embedding._measure_backlog("ana") == 0

    space.remember("one more")
    embedding.catch_up("ana", 0)  # few texts are worth the wait
    assert embedding._measure_backlog("ana") == 0


def test_a_mark_that_cannot_be_removed_is_not_looked_at_for_ever(tmp_path):
    path = tmp_path / "a.db"
    with ricordo.open(path, embedder="hash") as memory:
        memory.space("ana").remember("the red fox")
        memory.flush()
    with apsw.Connection(str(path)) as raw:  # what a disk that loses writes looks like from here
        raw.execute(
            "CREATE TRIGGER stuck BEFORE DELETE ON pending BEGIN SELECT RAISE(IGNORE); END;"
        )

    with ricordo.open(path, embedder="hash") as memory:
        memory.space("ana").remember("a grey owl")
        assert memory.flush() is True
        assert memory.stats().embedded == 2
