"""Links in a workspace: never followed, whoever puts them there and whenever."""

import contextlib
import os
import shutil
import threading
from pathlib import Path

import pytest
from folders import names

from ricordo.errors import InvalidInput
from ricordo.workspace.files import Files


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
