"""Blocks of a big space: made in the background, equal to rows, gone with what is erased."""

import os
import random
import select
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import ricordo
from ricordo import Memory
from ricordo.core.recall.block_plan import Sizes
from ricordo.core.recall.blocks import list_probes
from ricordo.flows.recall.make_blocks import make_blocks
from ricordo.store.tables.pending import BLOCKS

WORDS = [f"w{number}" for number in range(300)]
QUESTIONS = ("w1 w22 w7", "What did w5 say of w100?", "w250 w251", "w3")
WRITER = """
import sys, ricordo
from ricordo.core.recall.block_plan import Sizes
from ricordo.flows.recall.make_blocks import make_blocks
memory = ricordo.open(sys.argv[1], embedder="hash", keep=False)
space, store = memory.space("ana"), memory._engine.store
for n in range(int(sys.argv[2]), 10_000):
    space.session("s").append("user", f"message {n} of the w{n % 7} harbour")
    if n % 5 == 0:
        space.remember(f"note {n % 9}", name=f"note {n % 9}")
    memory.flush()
    print(n, flush=True)
    make_blocks(store, 1, Sizes(4, 8, 16))
"""


def fill(memory: Memory, count: int) -> None:
    chance = random.Random(5)
    for start in range(0, count, 100):
        said = [" ".join(chance.choices(WORDS, k=9)) for _ in range(100)]
        messages = [{"role": "user", "content": text, "name": text[:2]} for text in said]
        memory.space("ana").session(f"s{start}").extend(messages)
    memory.flush()


def tell(memory: Memory) -> list[object]:
    space, told = memory.space("ana"), []
    for question in QUESTIONS:
        for way in ({}, {"mode": "keyword"}, {"mode": "vector"}, {"session": "s300"}):
            hits = space.recall(question, 10, asker=None, rerank=False, **way)
            told += [(h.source.session, h.source.seq_start, round(h.score, 6)) for h in hits]
            told += [round(h.confidence or 0, 6) for h in hits]
    return told


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("big") / "a.db"
    with ricordo.open(path, embedder="hash", keep=False, durability="normal") as memory:
        fill(memory, 5_600)
    return path


def test_a_big_space_is_recalled_from_blocks_as_from_rows(big):
    with ricordo.open(big, embedder="hash", keep=False) as memory:
        store, views = memory._engine.store, memory._engine.views
        with store.read() as tx:
            assert [row.size for row in tx.blocks.ranges(1)] == [4_096, 512, 512]
            assert tx.pending.look(BLOCKS, 0, 1) == []  # nothing is left to do
        packed, again = tell(memory), tell(memory)  # the vectors come into RAM meanwhile
        views.clear()
        with store.read() as tx, views.fresh(tx, 1, 1) as view:
            assert view.vectors.away.sum() == 5_120  # they were not read with the signs
        ranges_before = memory.check()
        store.write(lambda tx: tx.blocks.clear(1))
        views.clear()

        assert ranges_before == []
        assert packed == again == tell(memory)
        memory.maintain()
        with store.read() as tx:
            assert len(tx.blocks.ranges(1)) == 3


def test_what_is_written_to_a_big_space_is_found_beside_its_blocks(big):
    with ricordo.open(big, embedder="hash", keep=False) as memory:
        space, views = memory.space("ana"), memory._engine.views
        tell(memory)
        space.session("s100").append("user", "w1 w22 w7 in the harbour")
        space.session("s200").truncate(after=50)
        memory.flush()
        warm = tell(memory)
        memory._engine.store.write(lambda tx: tx.blocks.clear(1))
        views.clear()

        assert warm == tell(memory)


def test_erased_signs_stand_in_no_block_and_in_no_file(tmp_path):
    path = tmp_path / "a.db"
    with ricordo.open(path, embedder="hash", keep=False) as memory:
        space, store = memory.space("ana"), memory._engine.store
        for n in range(40):
            space.remember(f"the harbour of w{n} lies in the north", name=f"note {n}")
        memory.flush()
        make_blocks(store, 1, Sizes(8, 16, 32))
        with store.read() as tx:
            (chunk,) = tx.chunks.of_entry(1, space.get("note 7").id)
            vector = tx.embeddings.get(1, 1, chunk)
            row = next(row for row in tx.blocks.ranges(1) if row.first <= chunk <= row.last)
            (probe,) = list_probes([vector])
            assert probe in next(tx.blocks.signs(1, 1, [row.block]))

        receipt = space.forget("note 7", erase=True)

        assert (receipt.remnants, receipt.pending) == (0, False)
        with store.read() as tx:
            held = tx.blocks.ranges(1)
            assert not any(row.first <= chunk <= row.last for row in held)
            assert all(probe not in s for s in tx.blocks.signs(1, 1, [r.block for r in held]))
        assert memory.check() == []
    assert probe not in path.read_bytes()


def test_a_change_while_a_block_is_made_keeps_it_from_being_written(tmp_path, monkeypatch):
    with ricordo.open(tmp_path / "a.db", embedder="hash", keep=False) as memory:
        space, store = memory.space("ana"), memory._engine.store
        for n in range(8):
            space.remember(f"the harbour of w{n}", name=f"note {n}")
        memory.flush()
        write = store.write

        def write_late(work):
            monkeypatch.setattr(store, "write", write)
            space.forget("note 3")
            return write(work)

        monkeypatch.setattr(store, "write", write_late)
        assert not make_blocks(store, 1, Sizes(8, 16, 32))

        with store.read() as tx:
            assert tx.blocks.ranges(1) == []


def test_two_who_make_blocks_at_once_make_each_once(tmp_path):
    with (
        ricordo.open(tmp_path / "a.db", embedder="hash", keep=False) as memory,
        ricordo.open(tmp_path / "a.db", embedder="hash", keep=False) as other,
    ):
        fill(memory, 300)
        stores = [memory._engine.store, other._engine.store]
        for store in [*stores, *stores]:
            make_blocks(store, 1, Sizes(16, 32, 64))

        with stores[0].read() as tx:
            spans = [(row.first, row.last) for row in tx.blocks.ranges(1)]
        assert all(a[1] < b[0] for a, b in pairwise(spans))
        assert memory.check() == []


def test_a_process_that_is_killed_while_it_makes_blocks_leaves_none_that_is_wrong(tmp_path):
    path, chance, done = tmp_path / "a.db", random.Random(4), 0
    for _ in range(4):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(done)],
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert writer.stdout is not None
        for _ in range(6 + chance.randrange(8)):
            done = int(writer.stdout.readline()) + 1
        select.select([], [], [], chance.random() * 0.01)  # somewhere in the next step
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        with ricordo.open(path, embedder="hash", keep=False) as memory:
            assert memory.check() == []

    with ricordo.open(path, embedder="hash", keep=False) as memory:
        memory.flush()
        assert make_blocks(memory._engine.store, 1, Sizes(4, 8, 16))
        with memory._engine.store.read() as tx:
            assert tx.blocks.ranges(1)
        assert memory.check() == []


@pytest.mark.parametrize("table", ["blocks", "block_words", "block_signs"])
def test_a_flipped_bit_in_a_block_is_found_and_mended(tmp_path, table):
    with ricordo.open(tmp_path / "a.db", embedder="hash", keep=False) as memory:
        fill(memory, 100)
        store = memory._engine.store
        make_blocks(store, 1, Sizes(16, 32, 64))
    import apsw

    raw = apsw.Connection(str(tmp_path / "a.db"))
    ((row, data),) = raw.execute(f"SELECT rowid, data FROM {table} LIMIT 1").fetchall()
    spoiled = np.frombuffer(data, np.uint8).copy()
    spoiled[-3] ^= 4
    raw.execute(f"UPDATE {table} SET data = ? WHERE rowid = ?", (spoiled.tobytes(), row))
    raw.close()

    with ricordo.open(tmp_path / "a.db", embedder="hash", keep=False) as memory:
        assert {violation.rule for violation in memory.check()} == {"block"}
        memory.index()
        assert memory.check() == []
