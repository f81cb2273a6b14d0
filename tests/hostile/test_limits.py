"""What a caller can push is bounded, with an error that names the limit; a full disk reads on."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

import ricordo
from ricordo import Settings
from ricordo.config import load


def refused(attempt) -> str:
    with pytest.raises(ricordo.InvalidInput) as caught:
        attempt()
    return str(caught.value)


def test_the_number_of_events_of_one_extend_is_bounded(lab):
    session = lab.open(config=Settings(max_batch=10)).space("ana").session("s")
    messages = [{"role": "user", "content": f"{n}"} for n in range(11)]

    assert "10" in refused(lambda: session.extend(messages))
    assert session.events() == []
    assert len(session.extend(messages[:10])) == 10


def test_the_number_of_aliases_is_bounded(lab):
    space = lab.open(config=Settings(max_aliases=3)).space("ana")

    told = refused(lambda: space.remember("x", name="n", aliases=[f"a{n}" for n in range(4)]))

    assert "3" in told
    assert space.get("n") is None
    space.remember("x", name="n", aliases=["a", "b", "c"])
    assert "3" in refused(lambda: space.alias("n", "d"))


def test_tags_are_cut_to_sixteen(space):
    entry = space.remember("x", tags=[f"t{n}" for n in range(1_000)])

    assert len(entry.tags) == 16


@pytest.mark.parametrize("place", ["metadata", "tool_calls", "parts", "entry"])
def test_the_depth_of_json_is_bounded(lab, place):
    space = lab.open(config=Settings(max_depth=20)).space("ana")

    def keep(depth: int) -> object:
        value: object = "x"
        for _ in range(depth):
            value = [value]
        session = space.session("s")
        if place == "metadata":
            return session.append("user", "x", metadata={"k": value})
        if place == "tool_calls":
            return session.append("user", "x", tool_calls=[value])
        if place == "parts":
            return session.append("user", [value])
        return space.remember("x", metadata={"k": value})

    keep(10)
    assert "20" in refused(lambda: keep(30))


def test_a_setting_of_a_limit_is_read_like_any_other(monkeypatch):
    monkeypatch.setenv("RICORDO_MAX_DEPTH", "12")

    assert load({"max_batch": 5}) == Settings(max_batch=5, max_depth=12)


def test_a_full_disk_leaves_a_memory_that_can_be_read(tmp_path):
    """Every write is refused, every read answers, and with room again it goes on."""
    sys.path.append(str(Path(__file__).parent.parent / "crash"))
    from disks import Fault, FaultyDisk, on_disk

    path = tmp_path / "a.db"
    with ricordo.open(path, embedder="hash") as memory:
        memory.space("ana").remember("the red fox", name="fox")
        memory.space("ana").session("s").append("user", "hello fox")
    disk = FaultyDisk("full", Fault("write", 1, "full", is_sticky=True))
    with on_disk(disk, "full"):
        memory = ricordo.open(path, embedder="hash")
        space = memory.space("ana")
        assert space.get("fox") is not None
        disk.is_armed = True
        for attempt in (
            lambda: space.remember("x"),
            lambda: space.session("s").append("user", "x"),
            lambda: space.forget("fox"),
        ):
            with pytest.raises(ricordo.StoreError, match="full"):
                attempt()
        assert space.get("fox") is not None
        assert [hit.text for hit in space.recall("hello", mode="keyword", asker=None)]
        assert [event.content for event in space.session("s").events()] == ["hello fox"]
        disk.is_armed = False
        space.remember("room again", name="room")
        memory.close()
    with ricordo.open(path, embedder="hash") as memory:
        assert [entry.name for entry in memory.space("ana").entries()] == ["room", "fox"]
        assert memory.check() == []


# --- nothing leaves the machine, nothing is readable by others ---------------------------------


OFFLINE = """
    import socket, sys
    def refuse(*given, **named):
        raise SystemExit(f"a socket was opened: {given}")
    socket.socket.connect = refuse
    socket.socket.connect_ex = refuse
    socket.getaddrinfo = refuse
    import ricordo
    with ricordo.open(sys.argv[1]) as memory:
        space = memory.space("ana")
        space.session("s").append("user", "Book me a flight to Oslo")
        space.remember("Prefers window seats", name="seat")
        memory.flush()
        print(len(space.recall("where does she like to sit?")))
        memory.backup(sys.argv[1] + ".copy")
        memory.check()
"""


def test_normal_use_opens_no_connection(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", re.sub(r"^    ", "", OFFLINE, flags=re.MULTILINE),
         str(tmp_path / "a.db")],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr + done.stdout
    assert int(done.stdout) > 0


def test_the_guard_of_the_test_above_works():
    """The control: a program that does connect is caught by the same means."""
    script = re.sub(r"^    ", "", OFFLINE, flags=re.MULTILINE).split("import ricordo")[0]
    script += "\nsocket.create_connection(('127.0.0.1', 9))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )

    assert done.returncode != 0
    assert "a socket was opened" in done.stderr
    assert socket.socket.connect is not None


def test_every_file_a_memory_leaves_is_its_owners_alone(tmp_path):
    before = os.umask(0)
    try:
        memory = ricordo.open(tmp_path / "a.db", embedder="none")
        memory.space("ana").remember("secret")
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        memory.close()
        ricordo.salvage(tmp_path / "a.db", tmp_path / "saved.db")
    finally:
        os.umask(before)

    assert set(modes) == {"a.db", "a.db-wal", "a.db-shm", "a.db-head"}
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "saved.db").stat().st_mode & 0o777 == 0o600


def test_the_head_holds_no_text_of_the_memory(tmp_path):
    with ricordo.open(tmp_path / "a.db", embedder="none") as memory:
        memory.space("ana").remember("zebra-secret")
        head = (tmp_path / "a.db-head").read_bytes()

    assert b"zebra" not in head
    assert re.fullmatch(rb"ricordo [0-9a-f]{32} \d+ [0-9a-f]{8}\n *\0*", head)  # and a reserve


def test_no_text_of_a_user_is_logged(tmp_path, caplog, capfd):
    caplog.set_level(0)
    with ricordo.open(tmp_path / "a.db", embedder="hash") as memory:
        space = memory.space("ana")
        space.session("s").append("user", "zebra-secret")
        space.remember("zebra-secret", name="n")
        memory.flush()
        space.recall("zebra-secret")
        with pytest.raises(ricordo.RicordoError):
            space.remember("zebra-secret", kind="unknown")
    told = capfd.readouterr()

    assert "zebra" not in caplog.text + told.out + told.err


def test_the_lower_bounds_of_our_dependencies_stand_in_the_project():
    text = (Path(__file__).parent.parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"^dependencies = \[(.*?)^\]", text, re.MULTILINE | re.DOTALL)

    assert listed is not None
    for line in listed[1].split():
        assert re.match(r'"[\w\[\],-]+>=\d', line), line


def test_sqlite_was_built_to_be_used_by_threads():
    assert apsw.compile_options
    assert "THREADSAFE=1" in apsw.compile_options
    assert json.loads("{}") == {}
