"""Files of a workspace: nothing leads outside, nothing is half written, no two are one."""

import contextlib
import fcntl
import os
import shutil
import stat
import threading
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.workspace.files import Files, fold, folder_of
from recollect.workspace.paths import part_reason

BASE = Path("/base")
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


def names(folder: Path) -> list[str]:
    return [inner.name for inner in folder.iterdir()]


@pytest.fixture
def root(tmp_path) -> Path:
    return tmp_path / "base" / "ana"


@pytest.fixture
def files(root) -> Files:
    return Files(root)


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


# --- links ------------------------------------------------------------------------------------


@pytest.fixture
def secret(tmp_path) -> Path:
    other = tmp_path / "base" / "bob" / "notes"
    other.mkdir(parents=True)
    (other / "secret.md").write_text("bob's")
    return other / "secret.md"


@pytest.mark.parametrize("target", ["absolute", "relative", "dangling"])
def test_a_file_that_is_a_link_is_neither_read_nor_written_nor_removed(files, root, secret, target):
    files.write("here.md", "x")
    leads = {"absolute": str(secret), "relative": "../bob/notes/secret.md", "dangling": "nowhere"}
    (root / "link.md").symlink_to(leads[target])

    for call in (
        lambda: files.read("link.md"),
        lambda: files.write("link.md", "overwritten"),
        lambda: files.remove("link.md"),
    ):
        with pytest.raises(InvalidInput, match="link"):
            call()

    assert secret.read_text() == "bob's"
    assert (root / "link.md").is_symlink()
    assert not (root / "nowhere").exists()
    assert files.list() == ["here.md"]
    assert [(each.path, each.reason) for each in files.scan().refused] == [("link.md", "is a link")]


def test_a_folder_that_is_a_link_is_not_entered(files, root, secret):
    files.write("here.md", "x")
    (root / "notes").symlink_to(secret.parent, target_is_directory=True)

    for call in (
        lambda: files.read("notes/secret.md"),
        lambda: files.write("notes/secret.md", "overwritten"),
        lambda: files.write("notes/new.md", "new"),
        lambda: files.write("notes/deep/new.md", "new"),
        lambda: files.remove("notes/secret.md"),
        lambda: files.scan("notes"),
    ):
        with pytest.raises(InvalidInput, match="link"):
            call()

    assert secret.read_text() == "bob's"
    assert names(secret.parent) == ["secret.md"]
    assert files.list() == ["here.md"]


def test_a_workspace_that_is_itself_a_link_is_refused(root, secret):
    root.symlink_to(secret.parent.parent, target_is_directory=True)

    with pytest.raises(InvalidInput, match="is a link"):
        Files(root).read("notes/secret.md")
    with pytest.raises(InvalidInput, match="is a link"):
        Files(root).write("notes/new.md", "x")


def test_a_link_swapped_in_while_reading_and_writing_never_leads_outside(files, root, secret):
    files.write("notes/secret.md", "ana's")
    notes, stop = root / "notes", threading.Event()

    def swap():
        while not stop.is_set():
            notes.rename(root / "aside")
            with contextlib.suppress(FileExistsError):
                notes.symlink_to(secret.parent)
                notes.unlink()
            while (root / "aside").exists():
                shutil.rmtree(notes, ignore_errors=True)  # a write made it while it was away
                with contextlib.suppress(OSError):
                    (root / "aside").rename(notes)

    swapping = threading.Thread(target=swap)
    swapping.start()
    seen, refused = set(), 0
    try:
        for _ in range(600):
            try:
                seen.add(files.read("notes/secret.md"))
                files.write("notes/mine.md", "ana's")
            except (InvalidInput, OSError):
                refused += 1
    finally:
        stop.set()
        swapping.join()

    assert seen <= {"ana's", None}
    assert names(secret.parent) == ["secret.md"]
    assert secret.read_text() == "bob's"
    assert refused, "the link was never met"


@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_what_is_no_plain_file_is_refused_at_once(files, root, kind):
    files.write("here.md", "x")
    if kind == "fifo":
        os.mkfifo(root / "odd.md")  # reading it would wait for a writer
    else:
        (root / "odd.md").mkdir()

    for call in (
        lambda: files.read("odd.md"),
        lambda: files.write("odd.md", "x"),
        lambda: files.remove("odd.md"),
    ):
        with pytest.raises(InvalidInput):
            call()
    assert files.list() == ["here.md"]


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
    (root / ".recollect-0123.tmp").write_text("x")

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


# --- no two are one ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("notes/seat.md", "notes/Seat.md"),
        ("notes/seat.md", "NOTES/other.md"),
        ("straße.md", "STRASSE.md"),
        ("ﬁn.md", "fin.md"),
        ("K.md", "k.md"),
        ("ΣΑΣ.md", "σας.md"),
    ],
)
def test_a_path_that_some_system_takes_for_another_is_refused(root, one, other):
    Files(root).write(one, "one")

    for fresh in (Files(root), Files(root)):
        with pytest.raises(InvalidInput, match="only in case or form"):
            fresh.write(other, "other")

    assert Files(root).list() == [one]
    assert Files(root).read(one) == "one"


def test_collisions_are_seen_although_somebody_else_made_the_file(files, root):
    files.write("a.md", "x")
    (root / "Seat.md").write_text("by hand")
    os.utime(root, ns=(0, 0))

    with pytest.raises(InvalidInput, match=r"differs from 'Seat\.md'"):
        files.write("seat.md", "x")


def test_a_name_is_free_again_once_its_twin_is_gone(files):
    files.write("Seat.md", "x")
    files.remove("Seat.md")

    files.write("seat.md", "y")

    assert files.list() == ["seat.md"]


def test_names_on_the_disk_that_are_not_allowed_are_told_with_the_reason(files, root):
    files.write("notes/a.md", "x")
    (root / "notes" / "con.md").write_text("x")
    (root / "notes" / unicodedata.normalize("NFD", "café.md")).write_text("x")

    scan = files.scan("notes")

    assert scan.files == ["notes/a.md"]
    assert {each.reason for each in scan.refused} == {
        "names a device",
        "is not in Unicode's composed form (NFC)",
    }


# --- one writer -------------------------------------------------------------------------------


def test_a_locked_folder_lets_one_in_at_a_time(root):
    inside, order = threading.Event(), []

    def second():
        with Files(root).locked():
            order.append("second")

    with Files(root).locked():
        waiting = threading.Thread(target=second)
        waiting.start()
        inside.wait(0.05)  # in vain, but for the other to come as far as it can
        order.append("first")
    waiting.join()

    assert order == ["first", "second"]


# --- the folder of a space --------------------------------------------------------------------


def test_a_plain_name_is_its_own_folder():
    assert folder_of(BASE, "ana") == BASE / "ana"
    assert folder_of(BASE, "team-7_x") == BASE / "team-7_x"


ODD = [
    "ana", "Ana", "ANA", "aná", "ana\u0301", "ａｎａ", "ana ",
    " ana", "ana.", "ana/", "/ana", "../ana", "..", ".", "...", "ana\\", "ana\n",
    "con", "CON", "nul", ".git", "a" * 60, "a" * 61, "a" * 512, "-ana", "_ana", "~", "ana~", "日本",
    "\u202eana", "ana\u200b", "straße", "strasse", "STRASSE", "space", "%41na", "ana%", "🙂",
]  # fmt: skip


def test_no_two_spaces_share_a_folder_on_any_system():
    folders = {name: folder_of(BASE, name).name for name in dict.fromkeys(ODD)}

    assert len({fold(folder) for folder in folders.values()}) == len(folders)


@pytest.mark.parametrize("name", ODD)
def test_a_space_lies_right_below_the_base_whatever_its_name(name):
    folder = folder_of(BASE, name)

    assert folder.parent == BASE
    assert part_reason(folder.name) is None
    assert not folder.name.startswith(".")
    assert fold(folder.name) == folder.name


@given(st.sets(st.text(min_size=1, max_size=20), min_size=2))
def test_folders_are_as_many_as_names(names):
    encodable = {name for name in names if name.isascii() or not _has_surrogates(name)}

    assert len({fold(folder_of(BASE, name).name) for name in encodable}) == len(encodable)


def _has_surrogates(name: str) -> bool:
    return any(unicodedata.category(character) == "Cs" for character in name)


def test_what_a_killed_writer_left_aside_is_swept_up_and_what_is_being_written_is_not(tmp_path):
    files = Files(tmp_path / "ana")
    files.write("notes/seat.md", "window")
    left, busy = (tmp_path / "ana" / "notes" / f".recollect-{n}.tmp" for n in "12")
    left.write_text("half a no")
    with busy.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("another")
        file.flush()

        assert files.sweep_up() == ["notes/.recollect-1.tmp"]

    assert not left.exists()
    assert busy.exists()
    assert files.list() == ["notes/seat.md"]
