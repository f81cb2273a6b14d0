"""Sweeps with a workspace: what the files say, and that ledger and files agree."""

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import recollect
from recollect import Conflict, InvalidInput, Settings, StoreError
from recollect.flows import dream_files, dream_lease
from recollect.testing import Lab
from recollect.testing.cases_dreaming import sweep_often

AT = datetime(2026, 4, 22, 8, 30, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def memory(lab: Lab, folder: Path) -> recollect.Memory:
    lab.clock.at(AT)
    return lab.open(config={"workspace": str(folder)})


@pytest.fixture
def ana(memory: recollect.Memory) -> recollect.Space:
    return memory.space("ana")


def ask(space: recollect.Space, *queries: str) -> None:
    for query in queries:
        assert space.recall(query, mode="keyword", asker="user"), query


def hot(space: recollect.Space, *names: str) -> None:
    """Entries that were recalled thrice each."""
    for name in names:
        space.remember(f"{name} seats by the window", name=name)
        ask(space, f"{name}", f"{name} seats", f"{name} window")


def lines(file: Path) -> list[str]:
    return [line for line in file.read_text("utf-8").split("\n") if line.startswith("- ")]


def ledger(space: recollect.Space) -> list[int]:
    return sorted(each.id for each in space.promotions())


def listed(folder: Path) -> list[int]:
    """The entries that MEMORY.md lists, as often as it does."""
    found = [int(line.rsplit("entry:")[1].split()[0]) for line in lines(folder / "ana/MEMORY.md")]
    return sorted(found)


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

    undone = ana.undo(second)

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
    ana.undo(sweep)

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

    assert ana.promotions() == []
    assert ana.sweeps() == []
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

    assert ana.promotions() == []


def test_a_link_in_place_of_a_file_is_not_followed(ana, folder, tmp_path):
    (tmp_path / "other.md").write_text("theirs", "utf-8")
    (folder / "ana").mkdir(parents=True)
    (folder / "ana/MEMORY.md").symlink_to(tmp_path / "other.md")
    hot(ana, "seat")

    with pytest.raises(StoreError):
        ana.dream()

    assert (tmp_path / "other.md").read_text("utf-8") == "theirs"
    assert ana.promotions() == []


def test_concept_tags_that_are_missing_are_filled_in_and_found(memory, ana):
    ana.remember("window seats by openai", name="seat")

    def blank(tx):
        tx.entries.update(1, tx.entries.row(1, 1)._replace(concept_tags="[]"))

    memory._engine.store.write(blank)
    ask(ana, "window", "seats", "openai")
    before = ana.get("seat")

    ana.dream()

    after = ana.get("seat")
    assert before.concept_tags == ()
    assert "openai" in after.concept_tags
    assert (after.content, after.updated_at) == (before.content, before.updated_at)
    assert ana.history("seat") == []
    assert memory.check() == []


def test_a_memory_opened_for_reading_can_only_try_a_sweep(lab, folder):
    memory = lab.open(config={"workspace": str(folder)})
    hot(memory.space("ana"), "seat")
    memory = lab.reopen(memory, config={"workspace": str(folder)}, read_only=True)

    assert [each.entry for each in memory.space("ana").dream(dry_run=True).promoted] == ["seat"]
    with pytest.raises(StoreError, match="read-only"):
        memory.space("ana").dream()
    lab.forget(memory)
    memory.close()


def test_a_second_sweep_is_refused_while_one_is_under_way(memory, ana):
    with dream_lease.held(memory._engine, "ana"):
        with pytest.raises(Conflict, match="being swept"):
            ana.dream()
        assert ana.dream(dry_run=True).dry_run
        memory.space("ben").dream()

    assert ana.dream().id == 1


def test_two_processes_that_sweep_and_forget_at_once_leave_files_and_ledger_alike(
    lab, folder, monkeypatch
):
    monkeypatch.setenv("RECOLLECT_WORKSPACE", str(folder))
    memory = lab.open()
    ana = memory.space("ana")
    hot(ana, "seat", "aisle", "desk")
    with lab.team(memory) as team:
        team.start(sweep_often, "ana", 20)
        here = sweep_often(memory, "ana", 10)
        ana.forget("aisle")
        here += sweep_often(memory, "ana", 10)
        there = team.answer()

    assert sorted({*here, *there}) == sorted(here + there)
    assert dream_files.finish(memory._engine, "ana")
    assert listed(folder) == ledger(ana) == [1, 3]
    assert "aisle" not in (folder / "ana/DREAMS.md").read_text("utf-8")


def test_a_lease_ends_with_its_process_or_with_its_time(memory, ana, lab):
    gone = subprocess.Popen(["true"])
    gone.wait()
    owner = f"{dream_lease._host()}/{gone.pid}/x/y"
    engine = memory._engine
    ana.dream()

    def leave(owner: str) -> None:
        until = engine.now() + dream_lease.LEASE
        engine.store.write(lambda tx: tx.sweeps.hold(1, owner, until))

    leave(owner)
    assert ana.dream().id == 2
    assert not engine.store.write(lambda tx: tx.sweeps.hold(1, "late/1/x/y", 2**60, before=owner))
    leave("elsewhere/1/x/y")
    with pytest.raises(Conflict):
        ana.dream()
    lab.clock.advance(minutes=3)
    assert ana.dream().id == 3


def test_a_sweep_that_lost_its_lease_writes_nothing(memory, ana):
    hot(ana, "seat")
    engine = memory._engine
    with dream_lease.held(engine, "ana") as lease:
        engine.store.write(lambda tx: tx.sweeps.hold(lease.space, "e/1/x/y", 2**60, lease.owner))
        with pytest.raises(Conflict, match="took too long"):
            engine.store.write(lambda tx: dream_lease.confirm(tx, lease, "ana"))


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


def test_a_promoting_sweep_makes_one_commit_and_an_idle_one_none(lab, folder):
    """GIT-3"""
    ana = lab.space(config={"workspace": str(folder), "workspace_git": True})
    hot(ana, "seat")
    ana.dream()
    ana.dream()

    log = subprocess.run(
        ["git", "-C", str(folder / "ana"), "log", "--format=%s%n%b"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip

    assert log.count("dream: ") == 1
    assert "dream: 1 promotion(s)\nseat" in log


def test_signals_go_after_their_time_and_are_kept_for_ever_on_request(lab):
    for days, left in ((90, 0), (0, 3), (200, 3)):
        memory = lab.open(config={"signal_days": days})
        hot(memory.space("ana"), "seat")
        lab.clock.advance(days=91)
        memory.space("ana").dream()
        assert memory.stats().signals == left


def test_pruning_removes_the_oldest_and_keeps_the_recent(memory, ana, lab):
    """RET-2"""
    for number in range(5):
        ana.remember(f"window {number}")
    ask(ana, "window")
    memory.flush()
    store = memory._engine.store
    before = memory._engine.now()
    ask(ana, "window")
    memory.flush()

    assert store.write(lambda tx: tx.signals.prune(1, before, limit=3)) == 3
    assert store.write(lambda tx: tx.signals.prune(1, before)) == 2
    assert store.write(lambda tx: tx.signals.prune(1, before)) == 0
    assert memory.stats().signals == 5


def test_the_gates_are_settings(lab):
    strict = lab.space(config={"dream_min_score": 0.8})
    loose = lab.space(config={"dream_min_recalls": 1, "dream_min_queries": 1})
    for space in (strict, loose):
        space.remember("seats by the window", name="seat")
    ask(strict, "window", "seats", "by the window")
    ask(loose, "window")

    assert strict.dream().promoted == ()
    assert [each.entry for each in loose.dream().promoted] == ["seat"]
    for bad in (0, -1, "x", True, float("inf")):
        with pytest.raises(InvalidInput, match="dream_min_score"):
            recollect.open(":memory:", config={"dream_min_score": bad})


def test_the_half_life_is_a_setting_that_the_environment_may_give(monkeypatch):
    monkeypatch.setenv("RECOLLECT_DREAM_HALF_LIFE_DAYS", "3.5")

    from recollect import config

    assert config.load(None).dream_half_life_days == 3.5
    assert Settings().dream_half_life_days == 7.0


def test_weeks_without_a_recall_make_an_entry_less_recent(ana, lab):
    hot(ana, "seat")
    lab.clock.at(AT + timedelta(days=7))

    (promotion,) = ana.dream(dry_run=True).promoted

    assert round(promotion.parts["recency"], 3) == 0.5
