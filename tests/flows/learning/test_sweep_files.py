"""Sweeps with a workspace: what the files say, and that ledger and files agree."""

import subprocess

import pytest
from sweeping import ask, hot, ledger, lines, listed

from ricordo import StoreError
from ricordo.flows.learning import dream_files


def test_a_space_without_signals_gets_a_diary_and_no_memory(ana, folder):
    """DRM-1"""
    sweep = ana.dream()

    assert (sweep.candidates, sweep.promoted, sweep.diff) == (0, (), "")
    assert [file.name for file in (folder / "ana").iterdir()] == ["DREAMS.md"]


def test_promotions_stand_in_both_files(ana, folder):
    """DRM-2"""
    hot(ana, "seat")

    sweep = ana.dream()
    ana.dream()

    assert (folder / "ana/MEMORY.md").read_text("utf-8") == (
        "# MEMORY.md\n\n## Dreamed 2026-04-22 08:30 UTC\n<!-- sweep:1 -->\n\n"
        "- seat seats by the window _(score=0.73, hits=3, days=1)_ <!-- entry:1 -->\n"
    )
    diary = (folder / "ana/DREAMS.md").read_text("utf-8")
    assert diary.count("## Deep Sleep 2026-04-22 08:30 UTC") == 2
    assert diary.count("`seat`") == 1
    assert sweep.diff.startswith("--- MEMORY.md\n+++ MEMORY.md\n")
    assert "+- seat seats by the window" in sweep.diff


def test_a_two_line_entry_makes_one_bullet(ana, folder):
    """DRM-7"""
    ana.remember("window seats\n## not a heading", name="seat")
    ask(ana, "window", "seats", "heading")

    ana.dream()

    assert len(lines(folder / "ana/MEMORY.md")) == 1
    assert "\n## not" not in (folder / "ana/MEMORY.md").read_text("utf-8")


def test_trying_a_sweep_shows_the_diff_and_touches_no_file(ana, folder):
    hot(ana, "seat")

    tried = ana.dream(dry_run=True)

    assert not folder.exists()
    assert tried.diff == ana.dream().diff


def test_undoing_a_sweep_takes_its_block_away_and_tells_the_diary(ana, folder):
    hot(ana, "seat")
    ana.dream()
    before = (folder / "ana/MEMORY.md").read_text("utf-8")
    hot(ana, "aisle")
    second = ana.dream()

    undone = ana.dreams.undo(second)

    assert (folder / "ana/MEMORY.md").read_text("utf-8") == before
    assert "-- aisle" in undone.diff
    assert "## Undone" in (folder / "ana/DREAMS.md").read_text("utf-8")
    assert [each.entry for each in ana.dream().promoted] == ["aisle"]
    assert listed(folder) == ledger(ana) == [1, 2]


def test_forgetting_an_entry_takes_its_lines_out_of_both_files(ana, folder):
    hot(ana, "seat", "aisle")
    ana.dream()

    ana.forget("seat")

    assert listed(folder) == ledger(ana) == [2]
    for name in ("MEMORY.md", "DREAMS.md"):
        assert "seat seats" not in (folder / "ana" / name).read_text("utf-8")


def test_an_entry_that_went_in_some_other_way_is_struck_at_the_next_sweep(memory, ana, folder):
    hot(ana, "seat", "aisle")
    ana.dream()
    engine = memory._engine

    def remove(tx):
        tx.chunks.delete_entry(1, 1)
        tx.signals.delete_of(1, 1)
        tx.entries.delete(1, 1)

    engine.store.write(remove)
    ana.dream()

    assert listed(folder) == ledger(ana) == [2]


def test_what_a_person_wrote_into_the_file_stays(ana, folder):
    (folder / "ana").mkdir(parents=True)
    (folder / "ana/MEMORY.md").write_text("# Ours\n\nAna is kind.\n", "utf-8")
    hot(ana, "seat")

    sweep = ana.dream()
    ana.dreams.undo(sweep)

    assert (folder / "ana/MEMORY.md").read_text("utf-8") == "# Ours\n\nAna is kind.\n"


def test_a_memory_file_that_is_gone_is_made_anew_from_the_ledger(ana, folder):
    hot(ana, "seat")
    ana.dream()
    (folder / "ana/MEMORY.md").unlink()
    hot(ana, "aisle")
    tried = ana.dream(dry_run=True)

    assert ana.dream().diff == tried.diff
    assert listed(folder) == ledger(ana) == [1, 2]


def test_a_workspace_given_later_gets_what_was_promoted_before(lab, folder):
    memory = lab.open()
    hot(memory.space("ana"), "seat")
    assert "seat seats" in memory.space("ana").dream().diff
    ana = lab.reopen(memory, config={"workspace": str(folder)}).space("ana")
    hot(ana, "aisle")

    ana.dream()

    assert listed(folder) == ledger(ana) == [1, 2]


def test_without_a_workspace_forgetting_waits_for_the_files(lab, folder):
    memory = lab.open(config={"workspace": str(folder)})
    hot(memory.space("ana"), "seat", "aisle")
    memory.space("ana").dream()

    memory = lab.reopen(memory)
    memory.space("ana").forget("seat")
    assert listed(folder) == [1, 2]
    memory = lab.reopen(memory, config={"workspace": str(folder)})

    assert listed(folder) == ledger(memory.space("ana")) == [2]


@pytest.mark.parametrize("blocked", ["MEMORY.md", "DREAMS.md"])
def test_files_that_cannot_be_written_leave_nothing_promoted(ana, folder, blocked):
    """DRM-7: a folder where the file should be refuses every writer, root included."""
    (folder / "ana" / blocked).mkdir(parents=True)
    hot(ana, "seat")

    with pytest.raises(StoreError, match=f"{blocked}.*nothing was promoted"):
        ana.dream()

    assert ana.dreams.promotions() == []
    assert ana.dreams.list() == []
    assert [file.name for file in (folder / "ana").iterdir()] == [blocked]
    (folder / "ana" / blocked).rmdir()
    assert [each.entry for each in ana.dream().promoted] == ["seat"]
    assert listed(folder) == ledger(ana) == [1]


def test_if_the_diary_refuses_the_memory_file_is_put_back(ana, folder):
    hot(ana, "seat")
    ana.dream()
    before = (folder / "ana/MEMORY.md").read_text("utf-8")
    hot(ana, "aisle")
    (folder / "ana/DREAMS.md").rename(folder / "ana/dreams.md")  # taken by one of nearly that name

    with pytest.raises(StoreError, match="nothing was promoted"):
        ana.dream()

    assert (folder / "ana/MEMORY.md").read_text("utf-8") == before
    assert listed(folder) == ledger(ana) == [1]


def test_a_folder_that_cannot_be_made_leaves_nothing_promoted(lab, tmp_path):
    (tmp_path / "file").write_text("x", "utf-8")
    ana = lab.space(config={"workspace": str(tmp_path / "file")})
    hot(ana, "seat")

    with pytest.raises(StoreError, match="nothing was promoted"):
        ana.dream()

    assert ana.dreams.promotions() == []


def test_a_link_in_place_of_a_file_is_not_followed(ana, folder, tmp_path):
    (tmp_path / "other.md").write_text("theirs", "utf-8")
    (folder / "ana").mkdir(parents=True)
    (folder / "ana/MEMORY.md").symlink_to(tmp_path / "other.md")
    hot(ana, "seat")

    with pytest.raises(StoreError):
        ana.dream()

    assert (tmp_path / "other.md").read_text("utf-8") == "theirs"
    assert ana.dreams.promotions() == []


def test_whatever_is_in_the_outbox_is_carried_out_when_the_memory_is_opened(lab, folder):
    memory = lab.open(config={"workspace": str(folder)})
    ana = memory.space("ana")
    hot(ana, "seat", "aisle")
    ana.dream()
    memory._engine.store.write(lambda tx: tx.sweeps.forget(1, 1))
    assert listed(folder) == [1, 2]

    memory = lab.reopen(memory, config={"workspace": str(folder)})

    assert listed(folder) == ledger(memory.space("ana")) == [2]
    assert dream_files.finish(memory._engine, "ana")


def test_every_sweep_commits_what_it_wrote_to_the_files(lab, folder):
    """GIT-3"""
    ana = lab.space(config={"workspace": str(folder), "workspace_git": True})
    hot(ana, "seat")
    ana.dream()
    ana.dream()

    def git(*words):
        told = ["git", "-C", str(folder / "ana"), *words]
        return subprocess.run(told, capture_output=True, text=True, check=True).stdout

    log = git("log", "--format=%s%n%b")
    assert log.count("dream: ") == 2
    assert "dream: 1 promotion(s)\nseat" in log
    assert "dream: 0 promotion(s)" in log
    assert git("status", "--porcelain") == ""
