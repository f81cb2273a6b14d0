"""The history of a workspace is its own: nobody's settings change it, nothing outside enters."""

import shutil

import pytest
from histories import git, opened

from ricordo import InvalidInput

# --- nobody's settings count ------------------------------------------------------------------


def test_settings_of_the_user_and_the_machine_do_not_count(ana, base, tmp_path, monkeypatch):
    trap = tmp_path / "trap"
    hook = tmp_path / "hooks" / "pre-commit"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch {trap}\nexit 1\n")
    hook.chmod(0o755)
    config = tmp_path / "gitconfig"
    config.write_text(
        "[diff]\nnoprefix = true\n"
        "[user]\nname = Somebody\nemail = some@body\n[commit]\ngpgsign = true\n"
        f"[core]\nhooksPath = {hook.parent}\nfsmonitor = touch {trap}\nautocrlf = true\n"
        f'[filter "x"]\nclean = touch {trap}\n[core]\nattributesFile = {tmp_path}/attributes\n'
    )
    (tmp_path / "attributes").write_text("*.md filter=x\n")
    for name, value in (
        ("GIT_CONFIG_GLOBAL", str(config)),
        ("HOME", str(tmp_path)),
        ("GIT_DIR", str(tmp_path / "elsewhere")),
        ("GIT_WORK_TREE", str(tmp_path)),
        ("GIT_INDEX_FILE", str(tmp_path / "index")),
        ("GIT_AUTHOR_NAME", "Somebody"),
    ):
        monkeypatch.setenv(name, value)
    (tmp_path / ".gitconfig").write_text(config.read_text())
    ana.files.write("a.md", "x\r\n")

    made = ana.files.checkpoint()

    assert made.author == "ana"
    assert "--- /dev/null\n+++ b/a.md\n" in ana.files.checkpoints(2, diff=True)[0].diff
    assert not trap.exists()
    assert not (tmp_path / "elsewhere").exists()
    assert not (tmp_path / "index").exists()


def test_hooks_in_the_repository_are_not_run(ana, base, tmp_path):
    ana.files.write("a.md", "x")
    ana.files.checkpoint()
    for name in ("pre-commit", "post-commit", "post-index-change"):
        hook = base / "ana" / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path / 'trap'}\n")
        hook.chmod(0o755)

    ana.files.write("a.md", "y")

    assert ana.files.checkpoint() is not None
    assert not (tmp_path / "trap").exists()


def test_a_workspace_inside_another_repository_has_a_history_of_its_own(tmp_path):
    git(tmp_path, "init", "--quiet")
    with opened(tmp_path / "inner") as memory:
        ana = memory.space("ana")
        ana.files.write("a.md", "x")
        ana.files.checkpoint()

    assert git(tmp_path, "status", "--porcelain").strip() == "?? inner/"
    assert git(tmp_path / "inner" / "ana", "ls-files").split()[-1] == "a.md"


# --- nothing outside --------------------------------------------------------------------------


def test_links_are_never_committed_nor_followed(ana, base, tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "b.md").write_text("outside")
    ana.files.write("a.md", "x")
    ana.files.write("deep/b.md", "x")
    ana.files.checkpoint()
    shutil.rmtree(base / "ana" / "deep")
    (base / "ana" / "deep").symlink_to(tmp_path / "secret")
    (base / "ana" / "link.md").symlink_to(tmp_path / "secret" / "b.md")
    (base / "ana" / "a.md").unlink()
    (base / "ana" / "a.md").symlink_to(tmp_path / "secret" / "b.md")

    ana.files.checkpoint()

    root = base / "ana"
    assert git(root, "ls-files").split() == [".gitattributes", ".gitignore", "a.md"]
    assert git(root, "show", "HEAD:a.md") == "x"
    assert "outside" not in git(root, "log", "-p")


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_repository_that_lies_elsewhere_is_refused(ana, base, tmp_path, kind):
    ana.files.write("a.md", "x")
    git(tmp_path, "init", "--quiet", "other")
    if kind == "link":
        (base / "ana" / ".git").symlink_to(tmp_path / "other" / ".git")
    else:
        (base / "ana" / ".git").write_text(f"gitdir: {tmp_path / 'other' / '.git'}\n")

    with pytest.raises(InvalidInput, match="history would lie elsewhere"):
        ana.files.checkpoint()


def test_a_repository_inside_the_workspace_is_left_alone(ana, base):
    ana.files.write("a.md", "x")
    (base / "ana" / "inner").mkdir()
    git(base / "ana" / "inner", "init", "--quiet")
    (base / "ana" / "inner" / "b.md").write_text("x")

    ana.files.checkpoint()

    assert git(base / "ana", "ls-files").split() == [".gitattributes", ".gitignore", "a.md"]
