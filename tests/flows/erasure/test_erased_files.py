"""Erasure in a workspace: notes, conflicts, what sweeps wrote, and what is told of the rest."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from canaries import CANARIES, OTHER, SECRET, talk

import ricordo
from ricordo.flows.erasure import erase as erasing
from ricordo.testing import Lab


@pytest.fixture
def filed(lab: Lab, tmp_path: Path) -> ricordo.Memory:
    """A memory with files and, where git is there, a history of them."""
    has_git = shutil.which("git") is not None
    return lab.open(config={"workspace": str(tmp_path / "files"), "workspace_git": has_git})


def words_in(folder: Path, text: str) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    return [path.name for path in files if text.encode() in path.read_bytes()]


def test_forgetting_removes_the_note_of_an_entry_at_once(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.files.sync()
    assert words_in(tmp_path / "files", SECRET)

    receipt = ana.forget("secret")

    assert [Path(path).name for path in receipt.files] == ["secret.md"]
    assert words_in(tmp_path / "files", SECRET) == []
    ana.files.sync()
    assert ana.get("secret") is None


def test_forgetting_leaves_a_note_that_a_person_has_edited_since(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember("Likes tea", name="tea")
    ana.files.sync()
    [note] = (tmp_path / "files").rglob("tea.md")
    note.write_text(note.read_text().replace("Likes tea", "Likes green tea"))

    receipt = ana.forget("tea")

    assert receipt.files == ()
    assert note.exists()
    assert any("tea.md" in told for told in receipt.remains)


def test_erasing_removes_notes_conflicts_and_names_the_history(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.files.sync()
    [note] = (tmp_path / "files").rglob("secret.md")
    note.write_text(note.read_text().replace(SECRET, f"{OTHER} by a person"))
    ana.write("secret", f"{SECRET} by the agent")
    assert ana.files.sync().conflicts
    if filed._engine.settings.workspace_git:
        ana.files.checkpoint("with the secret")

    receipt = ana.forget("secret", erase=True)

    assert words_in(tmp_path / "files", "Zyxomma") == words_in(tmp_path / "files", "Vqarble") == []
    assert len(receipt.files) == 2
    assert receipt.remnants == 0
    if filed._engine.settings.workspace_git:
        [told] = [each for each in receipt.remains if "filter-repo" in each]
        assert "secret.md" in told
    ana.files.sync()
    assert ana.get("secret") is None


@pytest.mark.parametrize("verb", ["erase", "forget"])
def test_what_a_sweep_wrote_about_an_entry_goes_with_it(lab, tmp_path, verb):
    gates = {"dream_min_score": 0.01, "dream_min_recalls": 1, "dream_min_queries": 1}
    ana = lab.space(config={"workspace": str(tmp_path / "files"), **gates})
    ana.remember(SECRET, name="secret")
    ana.remember("herons are liked", name="herons")
    for query in ("passport", "zyxomma", "herons"):
        ana.recall(query, asker="user", mode="keyword")
    assert len(ana.dream().promoted) == 2
    assert set(words_in(tmp_path / "files", SECRET[:20])) == {"MEMORY.md", "DREAMS.md"}

    receipt = ana.forget("secret", erase=verb == "erase")

    assert words_in(tmp_path / "files", "Zyxomma") == []
    assert "MEMORY.md" in words_in(tmp_path / "files", "herons")
    assert receipt.remnants == (0 if verb == "erase" else None)
    assert not receipt.pending


def test_a_note_that_came_after_an_erasure_was_cut_off_stays(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.files.sync()
    erasing._forget_entry(filed._engine, "ana", "secret", buries=True)  # as after a kill
    ana.files.sync()
    ana.remember("of another matter", name="secret")
    ana.files.sync()
    [note] = (tmp_path / "files").rglob("secret.md")

    assert filed.maintain().erased == 1

    assert note.exists()
    assert ana.files.sync(delete=True).forgotten == ()


def test_words_in_a_file_that_is_not_ours_to_remove_are_told(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.files.sync()
    [folder] = (tmp_path / "files").iterdir()
    (folder / "own.md").write_text(f"a person wrote {SECRET}")

    receipt = ana.forget("secret", erase=True)

    assert receipt.remnants == 1
    assert any("own.md" in told for told in receipt.remains)


def test_erasing_a_space_empties_its_folder(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    talk(filed).compact()
    ana.files.sync()

    receipt = filed.erase("ana")

    assert [c for c in CANARIES if words_in(tmp_path / "files", c)] == []
    assert receipt.files
    assert receipt.remnants == 0


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_history_that_remains_is_really_there(filed, tmp_path):
    """The control of the receipt: what it names holds the text."""
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.files.sync()
    ana.files.checkpoint("with the secret")
    ana.forget("secret", erase=True)
    [folder] = (tmp_path / "files").iterdir()

    told = subprocess.run(
        ["git", "-C", str(folder), "log", "-p", "--all"], capture_output=True, text=True, check=True
    ).stdout

    assert SECRET in told


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_command_that_rewrites_history_holds_every_name_as_one_word(filed, tmp_path):
    """A name may be made so that a shell would run it."""
    ana = filed.space("ana")
    name = "it's $(touch pwned) `id`; rm -rf x"
    ana.remember(SECRET, name=name)
    ana.files.sync()
    ana.files.checkpoint("with the secret")

    [told] = ana.forget(name, erase=True).remains

    words = shlex.split(told.partition("run: ")[2].partition(" (or delete")[0])
    assert words[:2] == ["git", "-C"]
    assert f"notes/{name}.md" in words
    assert len([word for word in words if "touch" in word]) == 1


@pytest.mark.parametrize("verb", ["erase", "forget"])
def test_a_link_in_the_place_of_a_note_is_left_alone_and_told(filed, tmp_path, verb):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.files.sync()
    [note] = (tmp_path / "files").rglob("secret.md")
    (tmp_path / "theirs.md").write_text("not ours")
    note.unlink()
    note.symlink_to(tmp_path / "theirs.md")

    receipt = ana.forget("secret", erase=verb == "erase")

    assert (tmp_path / "theirs.md").read_text() == "not ours"
    assert ana.get("secret") is None
    assert verb == "forget" or any("is a link" in told for told in receipt.remains)


def test_a_folder_that_became_a_link_is_told(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.files.sync()
    [folder] = (tmp_path / "files").iterdir()
    folder.rename(tmp_path / "moved")
    folder.symlink_to(tmp_path / "moved")

    receipt = ana.forget("secret", erase=True)

    assert any(folder.name in told and "link" in told for told in receipt.remains)


@pytest.mark.parametrize("whole", [False, True])
def test_what_a_killed_writer_left_aside_goes_with_what_it_holds(filed, tmp_path, whole):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.files.sync()
    [note] = (tmp_path / "files").rglob("secret.md")
    (note.parent / ".ricordo-0011223344556677.tmp").write_text(note.read_text()[:-2])

    receipt = filed.erase("ana") if whole else ana.forget("secret", erase=True)

    assert words_in(tmp_path / "files", "Zyxomma") == []
    assert receipt.removed["files"] == 2
    assert receipt.remnants == 0
