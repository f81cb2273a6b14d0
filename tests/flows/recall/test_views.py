"""Views in RAM: what they hold follows the store, and never changes an answer."""

import gc
import threading
import tracemalloc
from collections.abc import Callable
from random import Random

import pytest

import ricordo
from ricordo.flows.recall.entry_terms import EntryTerms
from ricordo.flows.recall.views import Overtaken, Views
from ricordo.store.sqlite.driver import SQLite


def model_of(memory: ricordo.Memory) -> int:
    with memory._engine.store.read() as tx:
        return tx.embeddings.models()[0].model


def test_a_view_follows_every_kind_of_change(memory):
    space = memory.space("ana")
    memory._engine.embedding.stop()  # vectors come with flush alone, never in between
    for n in range(5):
        space.remember(f"the red fox {n}", name=f"n{n}")
    memory.flush()
    views, store, model = memory._engine.views, memory._engine.store, model_of(memory)

    def held() -> tuple[int, int]:
        with store.read() as tx, views.fresh(tx, 1, model) as view:
            return len(view), view.vectors.count

    assert held() == (5, 5)
    space.forget("n1")
    assert held() == (4, 4)
    space.write("n2", "a grey owl")
    assert held() == (4, 3)
    memory.flush()
    assert held() == (4, 4)
    space.session("s").append("user", "hello")
    memory.flush()
    assert held() == (5, 5)
    space.session("s").delete()
    assert held() == (4, 4)


def test_an_answer_is_the_same_from_a_view_that_grew_and_from_a_new_one(lab):
    memory = lab.open()
    space = memory.space("ana")
    for n in range(12):
        space.session(f"s{n % 3}").append("user", f"red fox {n}", name="Ana" if n % 2 else None)
        space.remember(f"fox note {n % 4}", name=f"n{n % 4}")
        if n % 5 == 4:
            space.forget("n1")
        space.recall("fox")
    memory.flush()

    def answers(memory: ricordo.Memory) -> list:
        return [
            [(hit.text, hit.score) for hit in memory.space("ana").recall("fox 7", 30, mode)]
            for mode in ("keyword", "vector", "hybrid")
        ]

    grown = answers(memory)

    assert answers(lab.share(memory)) == grown


def test_a_transaction_older_than_the_view_is_overtaken(memory):
    space = memory.space("ana")
    space.remember("one", name="a")
    store, views = memory._engine.store, memory._engine.views

    with store.read() as old:
        assert old.spaces.state(1).last_chunk == 1
        space.remember("two", name="b")
        with store.read() as new, views.fresh(new, 1, None) as view:
            assert len(view) == 2

        with pytest.raises(Overtaken), views.fresh(old, 1, None):
            pass


def test_an_overtaken_reader_reads_again(memory):
    space = memory.space("ana")
    space.remember("one", name="a")
    store, views = memory._engine.store, memory._engine.views
    seen = []

    def work(tx) -> int:
        seen.append(tx.spaces.state(1).last_chunk)
        if len(seen) == 1:
            space.remember("two", name="b")
            with store.read() as new, views.fresh(new, 1, None):
                pass
        with views.fresh(tx, 1, None) as view:
            return len(view)

    assert views.read(store, work) == 2
    assert seen == [1, 2]


def test_a_file_put_back_from_a_copy_is_read_anew(lab, tmp_path):
    """Its counters went backwards; a view that never looked again would wait for ever."""
    memory = lab.open()
    memory.space("ana").remember("one", name="a")
    memory.backup(tmp_path / "copy.db")
    memory.space("ana").remember("two", name="b")
    views = memory._engine.views
    with memory._engine.store.read() as tx, views.fresh(tx, 1, None):
        pass
    copy = SQLite(str(tmp_path / "copy.db"))

    def work(tx) -> int:
        with views.fresh(tx, 1, None) as view:
            return len(view)

    assert views.read(copy, work) == 1
    copy.close()


def test_views_beyond_their_capacity_make_room(memory):
    for n in range(4):
        memory.space(f"s{n}").session("s").append("user", "fox " * 50)
    views, store = Views(capacity_bytes=1), memory._engine.store

    for n in range(1, 5):
        with store.read() as tx, views.fresh(tx, n, None) as view:
            assert len(view) == 1

    assert len(views._held) == 1


def test_a_view_that_made_room_while_it_was_used_is_not_counted(memory):
    for name in ("a", "b"):
        memory.space(name).session("s").append("user", "fox " * 50)
    views, store = Views(capacity_bytes=1), memory._engine.store

    with store.read() as tx, views.fresh(tx, 1, None), views.fresh(tx, 2, None):
        pass

    assert [key for key, _ in views._held] == [2]
    assert views._size == views._held[2, None].size


@pytest.mark.parametrize(
    ("spaces", "messages", "entries"), [(60, 0, 1), (2, 800, 60), (1, 5_200, 0)]
)
def test_what_is_counted_for_views_is_what_they_take(spaces, messages, entries):
    """By what Python and numpy say they allocate, within a quarter."""
    with ricordo.open(":memory:", embedder="hash") as memory:
        handles = [memory.space(f"s{number}") for number in range(spaces)]
        for space in handles:
            _fill(space, messages, entries)
        memory.flush()
        views = memory._engine.views

        taken = _allocated(lambda: [space.recall("w1 w22", asker=None) for space in handles], views)

        assert len(views._held) == spaces
        assert 0.75 < views._size / taken < 1.25


def _allocated(ask: Callable[[], object], views: Views) -> int:
    """Bytes that Python and numpy hold after a question, the second time it is asked."""
    ask()
    views.clear()
    gc.collect()
    tracemalloc.start()
    try:
        ask()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def _fill(space: ricordo.Space, messages: int, entries: int) -> None:
    chance = Random(7)
    texts = [" ".join(f"w{chance.randrange(900)}" for _ in range(12)) for _ in range(messages)]
    space.session("s").extend([{"role": "user", "content": text} for text in texts])
    for number in range(entries):
        space.remember(f"w{number} of the harbour", name=f"n{number}")


def test_words_of_entries_beyond_their_capacity_make_room(memory):
    for name in range(5):
        memory.space(f"s{name}").remember("the red fox", name="fox")
    terms, store = EntryTerms(capacity_bytes=1_000), memory._engine.store

    for number in range(1, 6):
        with store.read() as tx:
            assert len(terms.read(tx, number)) == 1

    assert list(terms._kept) == [4, 5]
    assert terms.size == sum(size for _, size in terms._kept.values()) <= 1_000


def test_many_readers_and_a_writer_always_see_the_entry_that_is_there(memory):
    space = memory.space("ana")
    space.remember("colour 0", name="colour")
    failures: list[object] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            for mode in ("keyword", "hybrid"):
                found = [hit.source.name for hit in space.recall("colour", mode=mode, asker=None)]
                if found != ["colour"]:
                    failures.append(found)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for n in range(60):
        space.write("colour", f"colour {n}")
    done.set()
    for reader in readers:
        reader.join()

    assert failures == []
