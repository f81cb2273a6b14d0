"""The file of a memory: when it comes, who may read it, what is refused, what stays of a text."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

import ricordo
from ricordo.store.sqlite import file as sqlite_file


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_nothing_is_on_disk_before_the_first_write(tmp_path):
    with ricordo.open(tmp_path / "a.db", embedder="hash") as memory:
        space = memory.space("ana")
        assert space.recall("x") == space.entries() == memory.spaces() == memory.check() == []
        assert space.get("x") is None
        assert space.session("s").recent() == []
        assert memory.stats().bytes == 0
        assert memory.flush()
        assert names_in(tmp_path) == set()

    assert names_in(tmp_path) == set()


def test_one_file_is_left_after_close(tmp_path):
    memory = ricordo.open(tmp_path / "a.db", embedder="hash")
    memory.space("ana").session("s").append("user", "hello")
    memory.space("ana").remember("x")
    memory.flush()
    memory.space("ana").recall("hello")
    memory.close()

    assert names_in(tmp_path) == {"a.db"}


def test_one_file_is_left_by_whoever_reads_last(tmp_path):
    memory = ricordo.open(tmp_path / "agent.db", embedder="none")
    memory.space("ana").remember("Prefers window seats")

    with memory._engine.store.read() as tx:
        memory.close()  # from another thread, say
        assert tx.spaces.number("ana") == 1

    assert [file.name for file in tmp_path.iterdir()] == ["agent.db"]


def test_only_the_owner_may_read_the_file(tmp_path):
    before = os.umask(0)
    try:
        with ricordo.open(tmp_path / "a.db", embedder="hash") as memory:
            memory.space("ana").remember("secret")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
            memory.backup(tmp_path / "copy.db")
    finally:
        os.umask(before)

    assert modes["a.db"] == 0o600
    assert not any(mode & 0o077 for mode in modes.values())
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


def test_what_is_forgotten_is_not_in_the_bytes_of_the_file(tmp_path):
    memory = ricordo.open(tmp_path / "a.db", embedder="hash")
    space = memory.space("ana")
    space.remember("zebra-secret-text", name="zebra-secret-name", aliases=["zebra-alias"])
    space.write("zebra-alias", "zebra-second-text")
    space.session("s").append("user", "zebra-spoken-words", metadata={"k": "zebra-metadata"})
    space.remember("stays", name="kept")
    memory.flush()
    space.recall("zebra-query", mode="keyword")

    space.forget("zebra-secret-name")
    space.session("s").delete()
    memory.close()

    content = (tmp_path / "a.db").read_bytes()
    assert b"kept" in content
    assert b"zebra" not in content


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"just some text, long enough" * 9, "not a SQLite file"), (b"short", "not a SQLite file")],
)
def test_a_file_that_is_no_database_is_refused_untouched(tmp_path, content, words):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)

    with pytest.raises(ricordo.Corrupt, match=words):
        ricordo.open(path, embedder="hash")

    assert path.read_bytes() == content
    assert names_in(tmp_path) == {"notes.txt"}


def test_a_database_of_another_program_is_refused_untouched(tmp_path):
    path = tmp_path / "other.db"
    with apsw.Connection(str(path)) as raw:
        raw.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    raw.close()
    content = path.read_bytes()

    with pytest.raises(ricordo.Corrupt, match="another program"):
        ricordo.open(path, embedder="hash")

    assert path.read_bytes() == content
    assert names_in(tmp_path) == {"other.db"}


def test_an_empty_file_is_as_good_as_none(tmp_path):
    path = tmp_path / "a.db"
    path.touch()

    with ricordo.open(path, embedder="hash") as memory:
        assert memory.spaces() == []
        memory.space("ana").remember("x")
        assert memory.check() == []


def test_a_path_that_cannot_be_a_memory_is_refused(tmp_path):
    for path, words in (
        (tmp_path, "directory"),
        (tmp_path / "no" / "a.db", "does not exist"),
        ("", "blank"),
        (str(tmp_path / "a\0b"), "path"),
        (str(tmp_path / "a\ud800b"), "path"),
        (tmp_path / ("x" * 300), "too long"),
    ):
        with pytest.raises(ricordo.InvalidInput, match=words):
            ricordo.open(path, embedder="hash").space("ana").remember("x")
    assert names_in(tmp_path) == set()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"clock": 5}, "clock is 5; give a function"),
        ({"redact": "x"}, "redact is 'x'; give a function"),
        ({"config": {5: 6}}, "unknown setting 5"),
        ({"path": "sqlite://x.db"}, "'sqlite://x.db' is a URL; open a file by its path"),
        ({"path": "file:///x.db"}, "'file:///x.db' is a URL; open a file by its path"),
    ],
)
def test_what_cannot_be_opened_with_is_refused_at_once(given, words):
    with pytest.raises(ricordo.InvalidInput, match=words):
        ricordo.open(**given)


def test_a_scheme_that_nobody_serves_names_those_that_are_served():
    with pytest.raises(ricordo.Unavailable, match="use one of http, https, libsql, postgres"):
        ricordo.open("foo://x")


def test_a_missing_memory_is_not_found_when_only_read(tmp_path):
    with pytest.raises(ricordo.NotFound, match="no memory"):
        ricordo.open(tmp_path / "a.db", embedder="hash", read_only=True)


def test_a_memory_opened_to_be_read_refuses_every_write_and_changes_nothing(lab):
    writer = lab.open()
    writer.space("ana").remember("the red fox", name="fox")
    writer.space("ana").session("s").append("user", "hello")
    writer.flush()
    path = Path(lab.url(writer))
    reader = lab.reopen(writer, read_only=True)
    content, space = path.read_bytes(), reader.space("ana")

    for attempt in (
        lambda: space.remember("x"),
        lambda: space.write("fox", "x"),
        lambda: space.forget("fox"),
        lambda: space.rename("fox", "hen"),
        lambda: space.alias("fox", "hen"),
        lambda: space.fact("user", "dog", "Rex"),
        lambda: space.session("s").append("user", "x"),
        lambda: space.session("s").delete(),
        reader.index,
    ):
        with pytest.raises(ricordo.StoreError, match="read-only"):
            attempt()
    assert [hit.source.name for hit in space.recall("fox", mode="keyword")] == ["fox"]
    assert space.dreams.signals() == []
    assert reader.flush()
    assert reader.check() == []
    reader.close()
    lab.forget(reader)

    assert path.read_bytes() == content


def test_a_place_where_no_file_can_be_made_is_a_store_error():
    memory = ricordo.open("/proc/memory.db", embedder="hash")

    assert memory.space("ana").entries() == []
    with pytest.raises(ricordo.StoreError, match=r"/proc/memory\.db cannot be written"):
        memory.space("ana").remember("x")
    memory.close()


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that other users reach too."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


UNPRIVILEGED = """
    import os, sys, ricordo, numpy, ricordo.flows.recall.recall, ricordo.flows.upkeep.check
    memory = ricordo.open(sys.argv[1], embedder="hash", **eval(sys.argv[2]))
    if os.getuid() == 0:  # permissions do not bind root
        os.setgroups([]); os.setgid(65534); os.setuid(65534)
    def tell(name, work):
        try:
            print(name, work())
        except ricordo.RicordoError as error:
            print(name, type(error).__name__, error)
    space = memory.space("ana")
    tell("read", lambda: [entry.name for entry in space.entries()])
    tell("write", lambda: space.remember("x", name="new").name)
    tell("append", lambda: space.session("s").append("user", "x").seq)
    memory.close()
"""


def run_script(script: str, *arguments: str) -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_disk_that_cannot_be_written_is_a_store_error_and_nothing_changes(public_folder, what):
    path = public_folder / "a.db"
    with ricordo.open(path, embedder="hash") as memory:
        memory.space("ana").remember("there", name="old")
    path.chmod(0o444)
    public_folder.chmod(0o777 if what == "file" else 0o555)
    content = path.read_bytes()

    told = run_script(UNPRIVILEGED, str(path), "{}")

    assert "write StoreError" in told
    assert "append StoreError" in told
    assert str(path) in told
    assert path.read_bytes() == content
    with ricordo.open(path, embedder="hash") as memory:
        assert [entry.name for entry in memory.space("ana").entries()] == ["old"]
        assert memory.check() == []


def test_a_full_disk_is_a_store_error_and_nothing_half_written_stays(tmp_path):
    resource = pytest.importorskip("resource")
    path = tmp_path / "a.db"
    with ricordo.open(path, embedder="none") as memory:
        memory.space("ana").remember("there", name="old")
    limit = path.stat().st_size + 64_000
    script = """
        import resource, sys, ricordo
        memory = ricordo.open(sys.argv[1], embedder="none")
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
        chat = memory.space("ana").session("s")
        kept = 0
        try:
            while True:
                chat.append("user", "word " * 2000 + str(kept))
                kept += 1
        except ricordo.StoreError as error:
            print(kept, error)
        print([entry.name for entry in memory.space("ana").entries()])
    """
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != limit

    told = run_script(script, str(path), str(limit))

    kept = int(told.split()[0])
    assert str(path) in told
    assert "['old']" in told
    with ricordo.open(path, embedder="none") as memory:
        assert len(memory.space("ana").session("s").events()) == kept
        assert memory.check() == []


def test_sqlite_is_of_a_version_that_loses_no_commits():
    version = apsw.SQLITE_VERSION_NUMBER

    assert version >= sqlite_file._FIXED_IN == 3_051_003
    assert version != sqlite_file._WITHDRAWN == 3_052_000


@pytest.mark.parametrize("version", [3_051_002, 3_052_000])
def test_an_sqlite_that_loses_commits_is_refused(tmp_path, monkeypatch, version):
    monkeypatch.setattr(apsw, "SQLITE_VERSION_NUMBER", version)

    with pytest.raises(ricordo.StoreError, match="pip install -U apsw"):
        ricordo.open(tmp_path / "a.db", embedder="hash")
