"""Files of a space: read, replaced as a whole, by one writer at a time."""

import os
import stat
import threading
from pathlib import Path

import pytest
from folders import names

from ricordo.errors import InvalidInput
from ricordo.workspace.files import Files

REFUSED = [
    "../x",
    "notes/../../x",
    "notes/..",
    "..",
    ".",
    "./x",
    "",
    "/etc/passwd",
    "//x",
    "notes//x",
    "notes/",
    "a\0b",
    "a\nb",
    "a\x1bb",
    "a\x7fb",
    "a\u202eb",
    "a\u200bb",
    "a\u2028b",
    "a\ud800b",
    "a\\b",
    "..\\x",
    "C:x",
    "x:stream",
    "what?",
    'say "x"',
    "con",
    "CON",
    "notes/Nul.md",
    "aux .md",
    "com1.txt",
    "LPT¹",
    "CONIN$",
    "cafe\u0301.md",
    "x.",
    "x ",
    " x",
    ".git/config",
    "notes/.GIT/hooks/x",
    "GIT~1/config",
    "a" * 241,
    "/".join("a" * 21),
    "/".join(["a" * 200] * 6),
    "é" * 121,
]


def test_what_is_written_is_read_back(files):
    files.write("notes/deep/er/a.md", "Grüße\r\n\n")

    assert files.read("notes/deep/er/a.md") == "Grüße\r\n\n"
    assert files.list() == ["notes/deep/er/a.md"]


def test_nothing_is_made_by_looking(files, root):
    assert files.read("notes/a.md") is None
    assert files.remove("notes/a.md") is False
    assert files.list() == []
    assert files.size("notes/a.md") is None
    assert not files.exists()
    assert not root.parent.exists()


def test_only_the_owner_can_read_files_and_folders(files, root):
    files.write("notes/a.md", "x")

    for path in (root.parent, root, root / "notes"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE((root / "notes/a.md").stat().st_mode) == 0o600


def test_removing_says_whether_there_was_a_file(files):
    files.write("a.md", "x")

    assert files.remove("a.md") is True
    assert files.remove("a.md") is False
    assert files.read("a.md") is None


@pytest.mark.parametrize("path", REFUSED)
@pytest.mark.parametrize("call", ["read", "write", "remove", "size"])
def test_a_path_that_is_none_is_refused_before_anything_is_touched(files, root, path, call):
    rest = ("text",) if call == "write" else ()

    with pytest.raises(InvalidInput):
        getattr(files, call)(path, *rest)

    assert not root.exists()


@pytest.mark.parametrize("path", [None, 7, b"a.md", Path("a.md")])
def test_a_path_is_text(files, path):
    with pytest.raises(InvalidInput, match="is not text"):
        files.read(path)


# --- text -------------------------------------------------------------------------------------


def test_what_is_no_text_is_refused(files, root):
    files.write("here.md", "x")
    (root / "odd.md").write_bytes(b"caf\xe9")

    with pytest.raises(InvalidInput, match="not UTF-8 at byte 3"):
        files.read("odd.md")
    assert files.read_bytes("odd.md") == b"caf\xe9"


def test_a_file_that_is_too_large_is_not_read(files):
    files.write("big.md", "x" * 101)

    with pytest.raises(InvalidInput, match="101 bytes, the limit is 100"):
        files.read("big.md", largest=100)
    assert files.read("big.md", largest=101) == "x" * 101


# --- one replaces the other as a whole --------------------------------------------------------


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_aside(files, root, monkeypatch, step):
    files.write("a.md", "old")

    def fail(*args, **rest):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises(OSError, match="No space"):
            files.write("a.md", "new")

    assert files.read("a.md") == "old"
    assert names(root) == ["a.md"]


def test_file_and_folder_are_on_the_disk_before_the_write_returns(files, monkeypatch):
    files.write("a.md", "x")
    calls = []
    sync, replace = os.fsync, os.replace

    def fsync(descriptor):
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        calls.append("folder" if is_folder else "file")
        sync(descriptor)

    def renamed(*args, **rest):
        calls.append("rename")
        replace(*args, **rest)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", renamed)
    files.write("a.md", "y")

    assert calls == ["file", "rename", "folder"]


def test_no_descriptor_is_left_open(files):
    files.write("notes/a.md", "x")
    before = len(names(Path("/dev/fd")))

    for path in ("notes/a.md", "notes/none.md", "none/a.md", "notes/../x", "notes"):
        for call in (files.read, files.remove, files.size):
            try:
                call(path)
            except InvalidInput:
                continue
    files.scan()

    assert len(names(Path("/dev/fd"))) == before


def test_hidden_files_and_those_being_written_are_not_listed(files, root):
    files.write("a.md", "x")
    files.write(".gitignore", "x")
    (root / ".ricordo-0123.tmp").write_text("x")

    assert files.list() == ["a.md"]
    assert files.read(".gitignore") == "x"


@pytest.mark.parametrize("has_links", [True, False])
def test_a_new_file_never_replaces_another(files, root, monkeypatch, has_links):
    if not has_links:

        def refuse(*args, **rest):
            raise OSError(95, "Operation not supported")

        monkeypatch.setattr(os, "link", refuse)

    assert files.add("a.md", "first") is True
    assert files.add("a.md", "second") is False

    assert files.read("a.md") == "first"
    assert names(root) == ["a.md"]


# --- one writer -------------------------------------------------------------------------------


def test_a_locked_folder_lets_one_in_at_a_time(root):
    inside, order = threading.Event(), []

    def second():
        with Files(root).lock():
            order.append("second")

    with Files(root).lock():
        waiting = threading.Thread(target=second)
        waiting.start()
        inside.wait(0.05)  # in vain, but for the other to come as far as it can
        order.append("first")
    waiting.join()

    assert order == ["first", "second"]


def test_what_a_killed_writer_left_aside_is_swept_up_and_what_is_being_written_is_not(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    files = Files(tmp_path / "ana")
    files.write("notes/seat.md", "window")
    left, busy = (tmp_path / "ana" / "notes" / f".ricordo-{n}.tmp" for n in "12")
    left.write_text("half a no")
    with busy.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("another")
        file.flush()

        assert files.sweep_up() == ["notes/.ricordo-1.tmp"]

    assert not left.exists()
    assert busy.exists()
    assert files.list() == ["notes/seat.md"]
