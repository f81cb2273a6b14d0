"""Copies of a memory: whole while others write, never over a file that is there."""

from pathlib import Path

import pytest

import ricordo


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_copy_is_a_whole_memory_made_while_others_write(lab, tmp_path):
    memory = lab.open()
    space = memory.space("ana")
    space.session("s").extend([{"role": "user", "content": f"line {n}"} for n in range(50)])
    seen = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        space.session("s").append("user", "meanwhile")

    memory.backup(tmp_path / "copy.db", progress)

    assert seen
    assert seen[-1][0] == seen[-1][1]
    with ricordo.open(tmp_path / "copy.db", embedder="hash") as copy:
        assert len(copy.space("ana").session("s").events()) >= 50
        assert copy.check() == []
        assert copy.space("ana").recall("line 7", mode="keyword")
    assert "copy.db-wal" not in names_in(tmp_path)


@pytest.mark.parametrize("url", [":memory:", "file"])
def test_a_memory_in_ram_or_without_a_file_can_be_copied(tmp_path, url):
    source = url if url == ":memory:" else tmp_path / "never-written.db"
    with ricordo.open(source, embedder="hash") as memory:
        if url == ":memory:":
            memory.space("ana").remember("x", name="x")
        memory.backup(tmp_path / "copy.db")

    assert names_in(tmp_path) == {"copy.db"}
    with ricordo.open(tmp_path / "copy.db", embedder="hash") as copy:
        assert copy.spaces() == (["ana"] if url == ":memory:" else [])
        copy.space("kate").remember("y")
        assert copy.check() == []


def test_a_copy_that_breaks_off_leaves_no_file(lab, tmp_path):
    memory = lab.open()
    memory.space("ana").remember("x")

    def progress(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.backup(tmp_path / "copy.db", progress)

    assert "copy.db" not in names_in(tmp_path)


def test_a_copy_in_ram_is_refused_and_makes_no_file(lab, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    memory = lab.open()

    with pytest.raises(ricordo.InvalidInput, match="':memory:' would be lost"):
        memory.backup(":memory:")

    assert list(tmp_path.iterdir()) == []


def test_a_copy_never_overwrites(lab, tmp_path):
    memory = lab.open()
    memory.space("ana").remember("x")
    (tmp_path / "copy.db").write_text("precious")

    with pytest.raises(ricordo.InvalidInput, match="exists already"):
        memory.backup(tmp_path / "copy.db")

    assert (tmp_path / "copy.db").read_text() == "precious"
