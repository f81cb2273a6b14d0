"""Checkpoints: what is committed, what is shown of it, and who commits."""

import os
import re
import shutil

import pytest
from histories import NOW, git, opened, subjects

import ricordo
from ricordo import InvalidInput, Unavailable
from ricordo.flows.files import checkpoint as flow
from ricordo.workspace import history

# --- what is committed ------------------------------------------------------------------------


def test_a_change_is_committed_under_the_note_and_a_second_time_there_is_nothing(ana):
    ana.files.write("plan.md", "Go to Oslo")

    made = ana.files.checkpoint("before the trip")

    assert re.fullmatch("[0-9a-f]{7}", made.id)
    assert (made.subject, made.author, made.at) == ("checkpoint: before the trip", "ana", NOW)
    assert ana.files.checkpoint("again") is None
    assert subjects(ana) == ["checkpoint: before the trip", "workspace init"]


def test_the_history_begins_with_what_is_ignored_and_how_lines_end(ana, base):
    ana.files.write("plan.md", "x")
    ana.files.checkpoint()

    root = base / "ana"
    first = git(root, "rev-list", "--max-parents=0", "HEAD").strip()
    assert git(root, "show", "--format=%s|%an|%ae|%cn|%ce", "--name-only", first).split("\n") == [
        "workspace init|ana|agent@localhost|ana|agent@localhost",
        "",
        ".gitattributes",
        ".gitignore",
        "",
    ]
    assert (root / ".gitignore").read_text().split() == [
        "transcripts/",
        "media/",
        "*.tmp",
        "*.swp",
        ".DS_Store",
    ]
    assert "*.md text eol=lf" in (root / ".gitattributes").read_text()
    assert "*.json text eol=lf" in (root / ".gitattributes").read_text()


def test_without_a_note_it_is_manual(ana):
    ana.files.write("a.md", "x")
    assert ana.files.checkpoint().subject == "checkpoint: manual"
    ana.files.write("a.md", "y")
    assert ana.files.checkpoint("  ").subject == "checkpoint: manual"


def test_a_large_file_and_what_is_ignored_are_left_out(ana, base):
    ana.files.write("big.md", "x" * (2 * 1024 * 1024))
    ana.files.write("edge.md", "x" * 1024 * 1024)
    ana.files.write("media/picture.md", "x")
    ana.files.write("a.tmp", "x")

    ana.files.checkpoint()

    assert git(base / "ana", "ls-files").split() == [".gitattributes", ".gitignore", "edge.md"]
    assert ana.files.checkpoint() is None


def test_removed_files_are_committed_as_gone(ana, base):
    ana.files.write("a.md", "x")
    ana.files.write("deep/b.md", "x")
    ana.files.checkpoint()
    (base / "ana" / "a.md").unlink()
    shutil.rmtree(base / "ana" / "deep")

    assert ana.files.checkpoint("tidy") is not None
    assert git(base / "ana", "ls-files").split() == [".gitattributes", ".gitignore"]


@pytest.mark.parametrize("name", ["with blank.md", "-rf.md", "a[1].md", "ünï.md", "(x).md", "#.md"])
def test_odd_names_are_committed_as_they_are(ana, base, name):
    ana.files.write(name, "x")
    ana.files.checkpoint()

    assert name in git(base / "ana", "-c", "core.quotePath=false", "ls-files").splitlines()


def test_a_name_with_brackets_stands_for_itself_alone(ana, base):
    ana.files.write("a1.md", "x" * (2 * 1024 * 1024))
    ana.files.write("a[1].md", "x")
    ana.files.checkpoint()

    assert git(base / "ana", "ls-files").split() == [".gitattributes", ".gitignore", "a[1].md"]


@pytest.mark.parametrize(
    ("space", "author"),
    [
        ("ana", "ana"),
        ("Ana <root@localhost>", "Ana root@localhost"),
        ("a\nb", "a b"),
        ("<>", "space"),
        ("...", "space"),
        ("日本", "日本"),
    ],
)
def test_the_author_is_the_space(memory, space, author):
    handle = memory.space(space)
    handle.files.write("a.md", "x")

    assert handle.files.checkpoint().author == author


def test_a_note_of_many_lines_is_one_subject(ana):
    ana.files.write("a.md", "x")

    made = ana.files.checkpoint("one\n\nCo-Authored-By: x\0".replace("\0", ""))

    assert (made.subject, made.body) == ("checkpoint: one Co-Authored-By: x", "")


# --- what is shown ----------------------------------------------------------------------------


def test_checkpoints_come_newest_first_and_the_limit_is_kept_in_bounds(ana):
    for number in range(4):
        ana.files.write("a.md", f"{number}")
        ana.files.checkpoint(f"{number}")

    assert subjects(ana) == [*(f"checkpoint: {n}" for n in (3, 2, 1, 0)), "workspace init"]
    assert [each.subject for each in ana.files.checkpoints(0)] == ["checkpoint: 3"]
    assert [each.subject for each in ana.files.checkpoints(-5)] == ["checkpoint: 3"]
    assert len(ana.files.checkpoints(500)) == 5
    assert len(ana.files.checkpoints(2)) == 2


def test_at_most_a_hundred_are_given(ana, monkeypatch):
    asked = []
    log = history.History.log
    ana.files.write("a.md", "x")
    ana.files.checkpoint()
    monkeypatch.setattr(history.History, "log", lambda own, n: asked.append(n) or log(own, n))

    ana.files.checkpoints(500)

    assert asked == [100]


def test_the_diff_reaches_from_the_oldest_given_to_the_newest(ana):
    for number in range(3):
        ana.files.write("a.md", f"line {number}\n")
        ana.files.checkpoint(f"{number}")

    newest, *others = ana.files.checkpoints(2, diff=True)

    assert "-line 1\n+line 2\n" in newest.diff
    assert [each.diff for each in others] == [""]
    assert "-line 0\n+line 2\n" in ana.files.checkpoints(3, diff=True)[0].diff
    assert ana.files.checkpoints(1, diff=True)[0].diff == ""
    assert [each.diff for each in ana.files.checkpoints(3)] == ["", "", ""]


def test_where_there_is_no_history_there_are_no_checkpoints(ana, base):
    assert ana.files.checkpoints() == []
    ana.files.write("a.md", "x")
    assert ana.files.checkpoints() == []
    assert not (base / "ana" / ".git").exists()


# --- what it holds ----------------------------------------------------------------------------


def test_a_checkpoint_holds_what_the_space_remembers(ana, base):
    ana.remember("Prefers window seats", name="seat")
    first = ana.files.checkpoint("one")
    ana.write("seat", "Prefers aisle seats")
    second = ana.files.checkpoint("two")
    ana.forget("seat")
    third = ana.files.checkpoint("three")

    shown = [git(base / "ana", "show", f"{made.id}:notes/seat.md") for made in (first, second)]
    assert ["window" in text for text in shown] == [True, False]
    assert "notes/seat.md" not in git(base / "ana", "ls-tree", "-r", "--name-only", third.id)
    assert ana.files.checkpoint() is None


def test_closing_a_session_commits_what_was_remembered_in_it(ana, base):
    ana.session("trip").append("user", "I like window seats")
    ana.remember("Prefers window seats", name="seat")

    commit = ana.session("trip").close()

    assert "window" in git(base / "ana", "show", f"{commit}:notes/seat.md")


def test_a_session_ends_even_if_its_notes_cannot_be_written(ana, base, caplog):
    (base / "ana").mkdir(parents=True)
    (base / "ana" / "notes").write_text("a file where a folder should be")
    ana.remember("Prefers window seats", name="seat")

    assert ana.session("trip").close() is not None
    assert ana.files.checkpoints(1)[0].subject == "session-close: trip"


# --- who commits ------------------------------------------------------------------------------


def test_closing_a_session_commits_once(ana):
    chat = ana.session("trip")
    chat.append("user", "Book me a flight")
    ana.files.write("a.md", "x")

    commit = chat.close()

    assert commit == ana.files.checkpoints(1)[0].id
    assert ana.files.checkpoints(1)[0].subject == "session-close: trip"
    assert chat.close() is None
    assert chat.append("user", "One more thing").seq == 2


def test_the_body_of_a_commit_is_short(ana, memory):
    ana.files.write("a.md", "x")
    lines = [f"{number} {'x' * 100}" for number in range(30)]

    flow.commit(memory._engine, "ana", "dream: 30 promotion(s)", "\n".join(lines))

    body = ana.files.checkpoints(1)[0].body.splitlines()
    assert len(body) == 20
    assert {len(line) for line in body} == {80}


def test_without_git_nothing_is_committed(base):
    with opened(base, git=False) as memory:
        ana = memory.space("ana")
        ana.files.write("a.md", "x")

        assert ana.session("trip").close() is None
        assert flow.commit(memory._engine, "ana", "dream: 1 promotion(s)") is None
        with pytest.raises(InvalidInput, match="workspace_git"):
            ana.files.checkpoint()
        assert not (base / "ana" / ".git").exists()


def test_closing_a_session_is_harmless_without_a_workspace():
    with ricordo.open(":memory:", embedder="none") as memory:
        assert memory.space("ana").session("trip").close() is None
        assert memory.space("ana").files.checkpoints() == []
        assert memory.space("ana").files.list() == []


def test_a_commit_that_fails_does_not_undo_what_came_before(ana, base, caplog):
    ana.files.write("a.md", "x")
    ana.files.checkpoint()
    ana.files.write("a.md", "y")
    (base / "ana" / ".git" / "index.lock").write_text("")

    assert ana.session("trip").close() is None
    assert "session-close: trip" in caplog.text
    with pytest.raises(ricordo.StoreError, match=r"index\.lock"):
        ana.files.checkpoint()

    (base / "ana" / ".git" / "index.lock").unlink()
    assert ana.files.checkpoint() is not None


def test_the_lock_of_a_killed_git_is_taken_away_after_an_hour(ana, base):
    ana.files.write("a.md", "x")
    ana.files.checkpoint()
    ana.files.write("a.md", "y")
    lock = base / "ana" / ".git" / "index.lock"
    lock.write_text("")
    os.utime(lock, (0, 0))

    assert ana.files.checkpoint() is not None


def test_a_history_that_was_cut_short_at_its_beginning_goes_on(ana, base, monkeypatch):
    ana.files.write("a.md", "x")

    def fail(*args):
        raise ricordo.StoreError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(history.History, "_record", fail)
        with pytest.raises(ricordo.StoreError):
            ana.files.checkpoint()
    ana.files.checkpoint()

    assert subjects(ana) == ["checkpoint: manual", "workspace init"]
    assert git(base / "ana", "ls-files").split() == [".gitattributes", ".gitignore", "a.md"]


def test_git_that_is_not_installed_is_said_plainly(ana, monkeypatch):
    ana.files.write("a.md", "x")
    monkeypatch.setattr(history.shutil, "which", {}.get)

    with pytest.raises(Unavailable, match="git is not installed"):
        ana.files.checkpoint()
    assert ana.session("trip").close() is None
