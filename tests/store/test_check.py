"""check() finds what was damaged behind ricordo's back, names it, and changes nothing."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

import ricordo


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A healthy memory with something of everything."""
    path = tmp_path / "a.db"
    with ricordo.open(path, embedder="hash") as memory:
        space = memory.space("ana")
        space.session("trip").extend(
            [{"role": "user", "content": f"the red fox number {n}"} for n in range(4)]
        )
        space.remember("a grey owl", name="owl", aliases=["bird"])
        memory.space("kate").remember("hers")
        memory.flush()
        assert memory.check() == []
    return path


DAMAGE = {
    "UPDATE events SET content = 'the blue fox' WHERE seq = 2": ("chain", "ana/trip", "event 2"),
    "UPDATE events SET role = 'system' WHERE seq = 3": ("chain", "ana/trip", "event 3"),
    "UPDATE events SET at = at + 1 WHERE seq = 3": ("chain", "ana/trip", "event 3"),
    "UPDATE events SET importance = 1.0 WHERE seq = 1": ("chain", "ana/trip", "event 1"),
    "UPDATE events SET link = x'00' WHERE seq = 2": ("chain", "ana/trip", "event 2"),
    "DELETE FROM events WHERE seq = 4": ("chain", "ana/trip", "ends before its head"),
    "DELETE FROM events WHERE seq = 2": ("chain", "ana/trip", "event 3 does not follow"),
    """DELETE FROM events WHERE seq = 4;
       UPDATE sessions SET events = 3, last_seq = 3""": ("chain", "ana/trip", "ends before"),
    "UPDATE sessions SET events = 5": ("session", "ana/trip", "5 events"),
    "UPDATE sessions SET last_seq = 9": ("session", "ana/trip", "up to 9"),
    "DELETE FROM sessions": ("event", "ana/trip", "belongs to no session"),
    "DELETE FROM names WHERE name = 'owl'": ("entry", "ana/1", "0 canonical"),
    "UPDATE names SET canonical = 1": ("entry", "ana/1", "2 canonical"),
    "INSERT INTO names VALUES (1, 'ghost', 99, 0, 0, NULL)": ("name", "ana/ghost", "entry 99"),
    "DELETE FROM entries WHERE space = 1": ("chunk", "ana/5", "gone"),
    "DELETE FROM chunks WHERE chunk = 2": ("statistics", "ana", "5 chunks and 24 words"),
    "DELETE FROM embeddings": None,
    """DELETE FROM chunks WHERE chunk = 3;
       UPDATE counters SET documents = documents - 1, tokens = tokens - 5 WHERE space = 1""": (
        "embedding", "ana/3", "gone",
    ),
    "INSERT INTO embeddings VALUES (2, 1, 77, x'00')": ("embedding", "kate/77", "gone"),
    "UPDATE counters SET documents = documents + 1 WHERE space = 2": (
        "statistics", "kate", "chunks",
    ),
    "UPDATE counters SET tokens = 0 WHERE space = 1": ("statistics", "ana", "0 words"),
    "DELETE FROM words WHERE rowid = 2": ("index", "ana/2", "run: ricordo index"),
    "INSERT INTO words (rowid, terms, extra) VALUES (99, '1_0', '')": (
        "index", "row 99", "disagree",
    ),
    """DELETE FROM words WHERE rowid = 1;
       INSERT INTO words (rowid, terms, extra) VALUES (1, '1_00000000', '')""": (
        "index", "ana/1", "does not hold",
    ),
    "UPDATE chunks SET text = 'something else' WHERE chunk = 1": ("index", "ana/1", "differ"),
    "UPDATE chunks SET terms = x'' WHERE chunk = 1": ("index", "ana/1", "differ"),
}  # fmt: skip


def damage(path: Path, sql: str) -> None:
    raw = apsw.Connection(str(path))
    raw.execute("PRAGMA foreign_keys=OFF")
    assert raw.execute(sql).fetchall() == []
    assert raw.total_changes() > 0
    raw.close()


@pytest.mark.parametrize("sql", DAMAGE)
def test_check_finds_planted_damage_and_touches_nothing(path, sql):
    damage(path, sql)
    content = path.read_bytes()

    with ricordo.open(path, embedder="none", read_only=True) as memory:
        found = memory.check()

    assert path.read_bytes() == content
    if DAMAGE[sql] is None:
        assert found == []  # vectors are derived: without one a chunk waits for it
        return
    rule, where, words = DAMAGE[sql]
    assert any(
        item.rule == rule and item.where == where and words in item.detail for item in found
    ), found


def test_check_finds_pages_that_were_overwritten(path):
    content = bytearray(path.read_bytes())
    for page in range(3, len(content) // 4096, 3):
        content[page * 4096 : page * 4096 + 2000] = b"\xff" * 2000
    path.write_bytes(content)

    with ricordo.open(path, embedder="none", read_only=True) as memory:
        found = memory.check()

    assert found
    assert found[0].rule == "file"


def test_a_damaged_file_is_corrupt_to_whoever_reads_it(path):
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)

    with (
        ricordo.open(path, embedder="none") as memory,
        pytest.raises(ricordo.Corrupt, match=r"a\.db is damaged"),
    ):
        memory.space("ana").entries()


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM words",
        "DELETE FROM words WHERE rowid = 2",
        "INSERT INTO words (rowid, terms, extra) VALUES (99, '1_0', '')",
        "UPDATE chunks SET terms = x'', words = 0",
        "UPDATE counters SET documents = 7, tokens = 7",
    ],
)
def test_indexing_anew_mends_what_is_derived(path, sql):
    damage(path, sql)

    with ricordo.open(path, embedder="hash") as memory:
        assert memory.check() != []
        memory.index()

        assert memory.check() == []
        assert len(memory.space("ana").recall("red fox", mode="keyword")) == 4
        assert len(memory.space("ana").session("trip").events()) == 4


def test_indexing_anew_deletes_no_row_of_the_log_or_of_entries(path):
    damage(path, "DELETE FROM events WHERE seq = 4")

    with ricordo.open(path, embedder="hash") as memory:
        before = memory.check()
        memory.index(vectors=True)
        memory.flush()

        assert memory.check() == before != []
        assert len(memory.space("ana").session("trip").events()) == 3
