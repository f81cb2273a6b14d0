"""Schedules declared in a configuration: the file is followed, and what a user made stays."""

from datetime import UTC, datetime

import pytest
from noon import DAILY, run_once

import ricordo
from ricordo import InvalidInput

DECLARED = """
durability = "normal"

[[schedules]]
space = "ana"
name = "report"
goal = "Send the report"
cadence = "daily at 9"
tz = "Europe/Berlin"
trusted = true

[[schedules]]
space = "ben"
name = "other"
goal = "x"
cadence = "hourly"
"""


def test_a_daily_task_of_the_file_fires_daily_though_we_start_ten_times_a_day(tmp_path, lab, clock):
    """SCH-5."""
    file = tmp_path / "ricordo.toml"
    file.write_text(DECLARED, encoding="utf-8")
    memory = lab.open()
    fired = 0
    for _ in range(50):
        [report] = memory.space("ana").schedules.sync(file)
        fired += run_once(memory) is not None
        clock.advance(hours=2, minutes=24)

    assert (report.source, report.trusted, report.cadence.tz) == ("config", True, "Europe/Berlin")
    assert fired == 5
    assert memory.space("ben").schedules.list() == []


def test_what_is_gone_from_the_file_is_gone_from_the_space(ana):
    """SCH-3."""
    task = {"name": "report", "goal": "Send", "cadence": "daily at 9"}
    ana.schedules.sync([task, {**task, "name": "second"}])
    ana.schedule("mine", DAILY, name="mine")

    ana.schedules.sync([task])

    assert sorted(s.name for s in ana.schedules.list()) == ["mine", "report"]


def test_a_changed_declaration_changes_the_schedule_and_a_pause_survives(ana, clock):
    task = {"name": "report", "goal": "Send", "cadence": "daily at 9"}
    [made] = ana.schedules.sync([task])
    clock.advance(minutes=5)
    assert ana.schedules.sync([task]) == [made]

    [changed] = ana.schedules.sync([task | {"goal": "Send it", "cadence": "daily at 10"}])
    assert (changed.id, changed.goal) == (made.id, "Send it")
    assert changed.next_run_at == datetime(2026, 3, 3, 10, tzinfo=UTC)

    ana.schedules.pause("report")
    [still] = ana.schedules.sync([task | {"goal": "Send it", "cadence": "daily at 10"}])
    assert still.status == "paused"


@pytest.mark.parametrize(
    ("task", "word"),
    [
        ({"name": "a", "goal": "b"}, "cadence"),
        ({"name": "a", "goal": "b", "cadence": "never"}, "never"),
        ({"name": "a", "goal": "b", "cadence": "hourly", "colour": "red"}, "colour"),
        ({"name": "a", "goal": "b", "cadence": "hourly", "trusted": "yes"}, "trusted"),
    ],
)
def test_a_declaration_that_cannot_be_read_changes_nothing(ana, task, word):
    ana.schedules.sync([{"name": "old", "goal": "x", "cadence": "hourly"}])

    with pytest.raises(InvalidInput, match=word):
        ana.schedules.sync([task])

    assert [s.name for s in ana.schedules.list()] == ["old"]


def test_a_name_declared_twice_is_refused(ana):
    task = {"name": "a", "goal": "b", "cadence": "hourly"}

    with pytest.raises(InvalidInput, match="declared twice"):
        ana.schedules.sync([task, task])
    assert ana.schedules.list() == []


def test_a_file_that_is_missing_says_so(ana, tmp_path):
    with pytest.raises(InvalidInput, match=r"nothing\.toml"):
        ana.schedules.sync(tmp_path / "nothing.toml")


# --- with the opening -------------------------------------------------------------------------


def test_opening_with_a_file_brings_its_schedules_in_step(tmp_path, lab):
    file = tmp_path / "ricordo.toml"
    file.write_text(DECLARED, encoding="utf-8")
    memory = lab.open(config=file)
    [report] = memory.space("ana").schedules.list()
    assert (report.name, report.source, report.cadence.tz) == ("report", "config", "Europe/Berlin")

    file.write_text(DECLARED.replace("Send the report", "Send it"), encoding="utf-8")
    memory = lab.reopen(memory, config=file)

    [changed] = memory.space("ana").schedules.list()
    assert (changed.id, changed.goal, changed.next_run_at) == (
        *(report.id, "Send it", report.next_run_at),
    )


def test_an_opening_that_changes_nothing_writes_nothing(tmp_path, lab):
    file = tmp_path / "ricordo.toml"
    file.write_text(DECLARED, encoding="utf-8")
    memory = lab.open(config=file)
    before = memory.space("ana").schedules.list()

    written = []
    memory = lab.reopen(memory)
    write = memory._engine.store.write
    memory._engine.store.write = lambda work: written.append(work) or write(work)
    memory.space("ana").schedules.sync(file)

    assert memory.space("ana").schedules.list() == before
    assert written == []


def test_a_mapping_may_declare_schedules_as_well(lab):
    table = {"space": "ana", "name": "report", "goal": "Send", "cadence": "daily at 9"}

    memory = lab.open(config={"schedules": [table]})

    assert [each.name for each in memory.space("ana").schedules.list()] == ["report"]
    assert memory.spaces() == ["ana"]


def test_a_table_without_a_space_is_named_and_left_to_sync(lab, caplog):
    table = {"name": "report", "goal": "Send", "cadence": "daily at 9"}

    memory = lab.open(config={"schedules": [table]})

    assert memory.spaces() == []
    assert "'report' of the configuration names no space" in caplog.text


@pytest.mark.parametrize(
    "declared",
    [
        "daily",
        ["daily"],
        [{"space": "ana", "name": "report"}],
        [{"space": "", "name": "report", "goal": "Send", "cadence": "daily at 9"}],
        [{"space": "ana", "name": "report", "goal": "Send", "cadence": "now and then"}],
    ],
)
def test_a_declaration_that_cannot_be_read_is_refused_by_the_opening(tmp_path, declared):
    with pytest.raises(InvalidInput):
        ricordo.open(tmp_path / "agent.db", embedder="none", config={"schedules": declared})

    assert list(tmp_path.iterdir()) == []


def test_a_read_only_opening_leaves_schedules_alone(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        memory.space("ana").remember("x")
    table = {"space": "ana", "name": "report", "goal": "Send", "cadence": "daily at 9"}

    with ricordo.open(
        tmp_path / "agent.db", embedder="none", read_only=True, config={"schedules": [table]}
    ) as memory:
        assert memory.space("ana").schedules.list() == []
