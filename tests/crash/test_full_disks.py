"""Full disks, limits on files, places that cannot be written: a clear word, and nothing is lost."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

import ricordo

ROOM = "6m"

is_root = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", str(place)]
    if not is_root or subprocess.run(words, check=False, capture_output=True).returncode != 0:
        pytest.skip("may not mount a small disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(space: ricordo.Space) -> list[str]:
    """Write until there is no room; the names of what was acknowledged."""
    names: list[str] = []

    def write_on() -> None:
        while len(names) < 20_000:
            space.remember(f"entry {len(names)} " + os.urandom(900).hex(), name=f"e{len(names)}")
            names.append(f"e{len(names)}")

    with pytest.raises(ricordo.DiskFull, match="nothing was kept, free some space"):
        write_on()
    return names


def test_forgetting_and_upkeep_make_room_on_a_full_disk(small_disk):
    with ricordo.open(small_disk / "a.db", embedder="none") as memory:
        ana = memory.space("ana")
        names = fill(ana)

        for name in names[:50]:
            ana.forget(name)
        memory.maintain()

        ana.remember("there is room again", name="again")
        assert ana.get("again") is not None
        assert all(ana.get(name) for name in names[50:])
        assert memory.check() == []


def test_without_the_reserve_nothing_can_be_forgotten(small_disk, monkeypatch):
    """The control."""
    monkeypatch.setattr("ricordo.store.sqlite.commit_counter.RESERVE_BYTES", 97)
    with ricordo.open(small_disk / "a.db", embedder="none") as memory:
        names = fill(memory.space("ana"))

        with pytest.raises(ricordo.DiskFull):
            list(map(memory.space("ana").forget, names))


def run(script: str, *arguments: object) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", dedent(script), *map(str, arguments)],
        capture_output=True,
        check=False,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_a_limit_on_the_size_of_files_is_named(tmp_path):
    script = """
        import os, resource, sys, ricordo
        memory = ricordo.open(sys.argv[1], embedder="none")
        memory.space("ana").remember("x", name="first")
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, resource.RLIM_INFINITY))
        count = 0
        try:
            while count < 20_000:
                memory.space("ana").remember(os.urandom(900).hex(), name=f"e{count}")
                count += 1
        except ricordo.DiskFull as error:
            print(error)
        print(sum(memory.space("ana").get(f"e{n}") is not None for n in range(count)) == count)
    """

    told = run(script, tmp_path / "a.db")

    assert "2,000,000 bytes" in told[0]
    assert "RLIMIT_FSIZE" in told[0]
    assert told[1] == "True"


@pytest.mark.skipif(not is_root, reason="only the administrator can become somebody else")
def test_a_memory_in_a_folder_without_permission_is_read(tmp_path):
    """And what its owner writes afterwards is seen."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    path = folder / "a.db"
    with ricordo.open(path, embedder="none") as memory:
        memory.space("ana").remember("Lives in Oslo", name="home")
    path.chmod(0o644)
    for above in (folder, *folder.parents):
        if above.stat().st_uid == 0 and not above.stat().st_mode & 0o005:
            above.chmod(above.stat().st_mode | 0o755)
    folder.chmod(0o755)
    script = """
        import os, sys, ricordo
        ricordo.StoreError  # import everything while we may
        with ricordo.open(embedder="none") as memory:
            memory.space("ana").remember("Oslo", name="x")
            memory.space("ana").get("x"), memory.space("ana").recall("Oslo"), memory.check()
        os.setgid(65534), os.setuid(65534)
        memory = ricordo.open(sys.argv[1], embedder="none", read_only=True)
        ana = memory.space("ana")
        print(ana.get("home").content, len(ana.recall("Oslo")), memory.check(), flush=True)
        sys.stdin.readline()
        print(ana.get("home").content)
        try:
            ricordo.open(sys.argv[1], embedder="none").space("ana").remember("x")
        except ricordo.StoreError as error:
            print("read-only" in str(error))
    """
    child = subprocess.Popen(
        [sys.executable, "-c", dedent(script), str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert child.stdout is not None

    first = child.stdout.readline()
    with ricordo.open(path, embedder="none") as memory:
        memory.space("ana").remember("Lives in Bergen", name="home")
    rest, _ = child.communicate("go\n")

    assert first == "Lives in Oslo 1 []\n"
    assert rest.splitlines() == ["Lives in Bergen", "True"]
