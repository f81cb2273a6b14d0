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
    ana.write_file("plan.md", "Go to Oslo")

    made = ana.checkpoint("before the trip")

    assert re.fullmatch("[0-9a-f]{7}", made.id)
    assert (made.subject, made.author, made.at) == ("checkpoint: before the trip", "ana", NOW)
    assert ana.checkpoint("again") is None
    assert subjects(ana) == ["checkpoint: before the trip", "workspace init"]


def test_the_history_begins_with_what_is_ignored_and_how_lines_end(ana, base):
    ana.write_file("plan.md", "x")
    ana.checkpoint()

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
    ana.write_file("a.md", "x")
    assert ana.checkpoint().subject == "checkpoint: manual"
    ana.write_file("a.md", "y")
    assert ana.checkpoint("  ").subject == "checkpoint: manual"


def test_a_large_file_and_what_is_ignored_are_left_out(ana, base):
    ana.write_file("big.md", "x" * (2 * 1024 * 1024))
    ana.write_file("edge.md", "x" * 1024 * 1024)
    ana.write_file("media/picture.md", "x")
    ana.write_file("a.tmp", "x")

    ana.checkpoint()

    assert git(base / "ana", "ls-files").split() == [".gitattributes", ".gitignore", "edge.md"]
    assert ana.checkpoint() is None


def test_removed_files_are_committed_as_gone(ana, base):
    ana.write_file("a.md", "x")
    ana.write_file("deep/b.md", "x")
    ana.checkpoint()
    (base / "ana" / "a.md").unlink()
    shutil.rmtree(base / "ana" / "deep")

    assert ana.checkpoint("tidy") is not None
    assert git(base / "ana", "ls-files").split() == [".gitattributes", ".gitignore"]


@pytest.mark.parametrize("name", ["with blank.md", "-rf.md", "a[1].md", "ünï.md", "(x).md", "#.md"])
def test_odd_names_are_committed_as_they_are(ana, base, name):
    ana.write_file(name, "x")
    ana.checkpoint()

    assert name in git(base / "ana", "-c", "core.quotePath=false", "ls-files").splitlines()


def test_a_name_with_brackets_stands_for_itself_alone(ana, base):
    ana.write_file("a1.md", "x" * (2 * 1024 * 1024))
    ana.write_file("a[1].md", "x")
    ana.checkpoint()

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
    handle.write_file("a.md", "x")

    assert handle.checkpoint().author == author


def test_a_note_of_many_lines_is_one_subject(ana):
    ana.write_file("a.md", "x")

    made = ana.checkpoint("one\n\nCo-Authored-By: x\0".replace("\0", ""))

    assert (made.subject, made.body) == ("checkpoint: one Co-Authored-By: x", "")


# --- what is shown ----------------------------------------------------------------------------


def test_checkpoints_come_newest_first_and_the_limit_is_kept_in_bounds(ana):
    for number in range(4):
        ana.write_file("a.md", f"{number}")
        ana.checkpoint(f"{number}")

    assert subjects(ana) == [*(f"checkpoint: {n}" for n in (3, 2, 1, 0)), "workspace init"]
    assert [each.subject for each in ana.checkpoints(0)] == ["checkpoint: 3"]
    assert [each.subject for each in ana.checkpoints(-5)] == ["checkpoint: 3"]
    assert len(ana.checkpoints(500)) == 5
    assert len(ana.checkpoints(2)) == 2


def test_at_most_a_hundred_are_given(ana, monkeypatch):
    asked = []
    log = history.History.log
    ana.write_file("a.md", "x")
    ana.checkpoint()
    monkeypatch.setattr(history.History, "log", lambda own, n: asked.append(n) or log(own, n))

    ana.checkpoints(500)

    assert asked == [100]


def test_the_diff_reaches_from_the_oldest_given_to_the_newest(ana):
    for number in range(3):
        ana.write_file("a.md", f"line {number}\n")
        ana.checkpoint(f"{number}")

    newest, *others = ana.checkpoints(2, diff=True)

    assert "-line 1\n+line 2\n" in newest.diff
    assert [each.diff for each in others] == [""]
    assert "-line 0\n+line 2\n" in ana.checkpoints(3, diff=True)[0].diff
    assert ana.checkpoints(1, diff=True)[0].diff == ""
    assert [each.diff for each in ana.checkpoints(3)] == ["", "", ""]


def test_where_there_is_no_history_there_are_no_checkpoints(ana, base):
    assert ana.checkpoints() == []
    ana.write_file("a.md", "x")
    assert ana.checkpoints() == []
    assert not (base / "ana" / ".git").exists()


# --- who commits ------------------------------------------------------------------------------


def test_closing_a_session_commits_once(ana):
    chat = ana.session("trip")
    chat.append("user", "Book me a flight")
    ana.write_file("a.md", "x")

    commit = chat.close()

    assert commit == ana.checkpoints(1)[0].id
    assert ana.checkpoints(1)[0].subject == "session-close: trip"
    assert chat.close() is None
    assert chat.append("user", "One more thing").seq == 2


def test_the_body_of_a_commit_is_short(ana, memory):
    ana.write_file("a.md", "x")
    lines = [f"{number} {'x' * 100}" for number in range(30)]

    flow.commit(memory._engine, "ana", "dream: 30 promotion(s)", "\n".join(lines))

    body = ana.checkpoints(1)[0].body.splitlines()
    assert len(body) == 20
    assert {len(line) for line in body} == {80}


def test_without_git_nothing_is_committed(base):
    with opened(base, git=False) as memory:
        ana = memory.space("ana")
        ana.write_file("a.md", "x")

        assert ana.session("trip").close() is None
        assert flow.commit(memory._engine, "ana", "dream: 1 promotion(s)") is None
        with pytest.raises(InvalidInput, match="workspace_git"):
            ana.checkpoint()
        assert not (base / "ana" / ".git").exists()


def test_closing_a_session_is_harmless_without_a_workspace():
    with ricordo.open(":memory:", embedder="none") as memory:
        assert memory.space("ana").session("trip").close() is None
        assert memory.space("ana").checkpoints() == []
        assert memory.space("ana").files() == []


def test_a_commit_that_fails_does_not_undo_what_came_before(ana, base, caplog):
    ana.write_file("a.md", "x")
    ana.checkpoint()
    ana.write_file("a.md", "y")
    (base / "ana" / ".git" / "index.lock").write_text("")

    assert ana.session("trip").close() is None
    assert "session-close: trip" in caplog.text
    with pytest.raises(ricordo.StoreError, match=r"index\.lock"):
        ana.checkpoint()

    (base / "ana" / ".git" / "index.lock").unlink()
    assert ana.checkpoint() is not None


def test_the_lock_of_a_killed_git_is_taken_away_after_an_hour(ana, base):
    ana.write_file("a.md", "x")
    ana.checkpoint()
    ana.write_file("a.md", "y")
    lock = base / "ana" / ".git" / "index.lock"
    lock.write_text("")
    os.utime(lock, (0, 0))

    assert ana.checkpoint() is not None


def test_a_history_that_was_cut_short_at_its_beginning_goes_on(ana, base, monkeypatch):
    ana.write_file("a.md", "x")

    def fail(*args):
        raise ricordo.StoreError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(history.History, "_record", fail)
        with pytest.raises(ricordo.StoreError):
            ana.checkpoint()
    ana.checkpoint()

    assert subjects(ana) == ["checkpoint: manual", "workspace init"]
    assert git(base / "ana", "ls-files").split() == [".gitattributes", ".gitignore", "a.md"]


def test_git_that_is_not_installed_is_said_plainly(ana, monkeypatch):
    ana.write_file("a.md", "x")
    monkeypatch.setattr(history.shutil, "which", {}.get)

    with pytest.raises(Unavailable, match="git is not installed"):
        ana.checkpoint()
    assert ana.session("trip").close() is None
