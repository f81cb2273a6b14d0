"""The keeper does what a memory has to do: each thing when it is due, once, and on record."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import ricordo
from ricordo.background import keeper as loop
from ricordo.flows.conversation import summarize
from ricordo.flows.learning import dream_lease
from ricordo.flows.time import owners
from ricordo.flows.upkeep import jobs
from ricordo.flows.upkeep.jobs import JobTerms
from ricordo.testing import Lab

SOON = 30  # seconds that a test waits for a thread before it gives up
DAY = 86_400_000_000


def names(found: list[ricordo.Job]) -> list[str]:
    return [job.name for job in found]


def job(memory: ricordo.Memory, name: str) -> ricordo.Job:
    return next(each for each in memory.keeper.status() if each.name == name)


def plan(memory: ricordo.Memory) -> None:
    """Let the keeper look for the first time; nothing is due then."""
    assert memory.keeper.run_due() == []


def ask_about(memory: ricordo.Memory, name: str) -> ricordo.Space:
    space = memory.space(name)
    space.remember("Prefers window seats on night trains", name="seat")
    for query in ("window seat", "night trains", "which seats?"):
        space.recall(query, mode="keyword", asker="user")
    memory.flush()
    return space


def talk(count: int) -> list[dict[str, object]]:
    text = "Some talk about the weather and the garden, number {} of many"
    return [{"role": "user", "content": text.format(n)} for n in range(count)]


def list_promoted(space: ricordo.Space) -> list[str]:
    return [promotion.entry for promotion in space.dreams.promotions()]


def test_nothing_is_due_at_first_and_every_job_after_its_interval(lab: Lab):
    memory = lab.open()
    memory.space("ana").session("trip").append("user", "I live in Bergen", importance=0.9)
    plan(memory)

    lab.clock.advance(hours=6)
    assert names(memory.keeper.run_due()) == ["summarize", "consolidate"]
    lab.clock.advance(hours=18)
    assert names(memory.keeper.run_due()) == ["summarize", "consolidate", "dream", "upkeep"]
    assert memory.keeper.run_due() == []


def test_every_space_is_swept_once_a_day(lab: Lab):
    memory = lab.open()
    spaces = [ask_about(memory, name) for name in ("ana", "ben")]
    plan(memory)
    lab.clock.advance(days=1)

    memory.keeper.run_due()

    assert [list_promoted(space) for space in spaces] == [["seat"], ["seat"]]
    assert job(memory, "dream").result == "2 promotions"


def test_old_events_are_consolidated_every_six_hours(lab: Lab):
    memory = lab.open()
    for name in ("ana", "ben"):
        memory.space(name).session("trip").append("user", "I live in Bergen", importance=0.9)
    plan(memory)
    lab.clock.advance(hours=7)

    memory.keeper.run_due()

    assert memory.space("ben").get("consolidated-trip-1") is not None
    assert job(memory, "consolidate").result.startswith("2 events consolidated")


def test_a_log_that_outgrows_the_context_is_summarised(lab: Lab):
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    chat.extend(
        {"role": "user", "content": f"On day {n} we walked to the harbour " * 20} for n in range(60)
    )
    plan(memory)
    lab.clock.advance(minutes=3)

    memory.keeper.run_due()

    assert chat.summary() is not None
    assert job(memory, "summarize").result == "1 sessions summarised"


def test_one_pass_makes_room_for_a_whole_context(lab: Lab):
    memory = lab.open(embedder="none")
    chat = memory.space("ana").session("trip")
    chat.append("user", "I am allergic to peanuts.")
    chat.extend(talk(400))
    plan(memory)
    lab.clock.advance(minutes=3)

    memory.keeper.run_due()

    shown = chat.context("")
    assert "I am allergic to peanuts." in chat.summary().text
    assert len(shown.events) > 20
    assert len(shown.events) + shown.covered == 401
    assert shown.covered == shown.events[0].seq - chat.events()[0].seq  # the summary, nothing else
    lab.clock.advance(minutes=3)
    memory.keeper.run_due()
    assert chat.summary().epoch == 1


def test_a_full_session_is_compacted_if_the_setting_says_so(lab: Lab):
    memory = lab.open(embedder="none", config={"compact_at": 0.9, "context_budget": 1_000})
    long, short = (memory.space("ana").session(name) for name in ("long", "short"))
    long.extend(talk(100))
    short.extend(talk(10))
    plan(memory)
    lab.clock.advance(minutes=3)

    memory.keeper.run_due()

    assert job(memory, "summarize").result == "1 sessions compacted"
    archived = long.expand("long-1")
    kept = long.replay()[1:]
    assert [event.content for event in archived] + [m["content"] for m in kept] == [
        message["content"] for message in talk(100)
    ]
    assert 5 < len(kept) < 50
    assert [entry.name for entry in memory.space("ana").entries(kind="archive")] == ["long-1"]


@pytest.mark.parametrize("wrong", [-0.5, "often", True, float("nan")])
def test_a_share_at_which_to_compact_is_zero_or_more(wrong: object):
    assert ricordo.Settings().compact_at == 0
    with pytest.raises(ricordo.InvalidInput, match=r"compact_at .* give 0 or a number above it"):
        ricordo.open(":memory:", config={"compact_at": wrong})


def test_a_log_of_one_long_call_is_not_compacted(lab: Lab):
    memory = lab.open(embedder="none", config={"compact_at": 0.5, "context_budget": 200})
    chat = memory.space("ana").session("trip")
    calls = [{"id": f"c{n}", "function": {"name": "look", "arguments": "{}"}} for n in range(40)]
    chat.append("assistant", None, tool_calls=calls)
    chat.extend(
        {"role": "tool", "content": f"found {n}", "tool_call_id": f"c{n}"} for n in range(40)
    )
    plan(memory)
    lab.clock.advance(minutes=3)

    memory.keeper.run_due()

    assert job(memory, "summarize").error == ""
    assert memory.space("ana").entries(kind="archive") == []


def test_a_space_that_somebody_else_sweeps_is_left_to_them(lab: Lab):
    memory = lab.open()
    ana, ben = (ask_about(memory, name) for name in ("ana", "ben"))
    plan(memory)
    lab.clock.advance(days=1)

    with dream_lease.hold_lease(memory._engine, "ana"):
        memory.keeper.run_due()

    assert (list_promoted(ana), list_promoted(ben)) == ([], ["seat"])


def test_times_survive_a_restart(lab: Lab):
    memory = lab.open()
    ask_about(memory, "ana")
    plan(memory)
    for _ in range(3):
        lab.clock.advance(hours=8)
        memory = lab.reopen(memory)

    done = memory.keeper.run_due()

    assert "dream" in names(done)
    assert list_promoted(memory.space("ana")) == ["seat"]


def test_two_processes_do_a_job_once(lab: Lab):
    memory = lab.open()
    ask_about(memory, "ana")
    other = lab.share(memory)
    plan(memory)
    lab.clock.advance(days=1)

    first, second = memory.keeper.run_due(), other.keeper.run_due()

    assert "dream" in names(first)
    assert second == []
    assert len(memory.space("ana").dreams.list()) == 1


def test_a_job_that_is_held_by_a_living_process_is_not_done_twice(lab: Lab):
    memory = lab.open()
    ask_about(memory, "ana")
    plan(memory)
    lab.clock.advance(days=1)

    lease = jobs.take(memory._engine, JobTerms("dream", DAY))

    assert lease is not None
    assert "dream" not in names(memory.keeper.run_due())
    assert job(memory, "dream").owner == lease.owner


def test_a_job_whose_process_has_gone_is_taken_over_at_once(lab: Lab, monkeypatch):
    memory = lab.open()
    ask_about(memory, "ana")
    plan(memory)
    lab.clock.advance(days=1)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    mine = owners.name_owner()
    gone = mine.replace(f"/{os.getpid()}/", f"/{ended.pid}/")
    monkeypatch.setattr(owners, "name_owner", lambda: gone)
    assert jobs.take(memory._engine, JobTerms("dream", DAY)) is not None
    monkeypatch.undo()

    assert "dream" in names(memory.keeper.run_due())


def test_a_job_that_fails_is_on_record_is_tried_again_and_stops_no_other(tmp_path: Path, lab: Lab):
    memory = lab.open(config={"workspace": str(tmp_path)})
    spaces = [ask_about(memory, name) for name in ("ana", "ben", "cleo")]
    spaces[0].dream()  # makes the folder
    folder = next(path for path in tmp_path.iterdir() if path.is_dir())
    (folder / "DREAMS.md").unlink()
    (folder / "DREAMS.md").mkdir()  # can neither be read nor replaced
    plan(memory)
    lab.clock.advance(days=1)

    done = memory.keeper.run_due()

    failed = job(memory, "dream")
    assert "ana" in failed.error
    assert failed.failures == 1
    assert [len(space.dreams.promotions()) for space in spaces[1:]] == [1, 1]
    assert "upkeep" in names(done)
    lab.clock.advance(minutes=2)
    assert "dream" in names(memory.keeper.run_due())


def test_a_space_that_failed_is_looked_at_again_though_nothing_was_written(lab: Lab, monkeypatch):
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    said = [f"On day {n} we walked to the harbour " * 20 for n in range(60)]
    chat.extend({"role": "user", "content": each} for each in said)
    plan(memory)

    def fail(*_: object) -> None:
        raise OSError("the model is away")

    monkeypatch.setattr(summarize, "summarize", fail)
    lab.clock.advance(minutes=3)
    memory.keeper.run_due()
    assert "the model is away" in job(memory, "summarize").error
    monkeypatch.undo()
    lab.clock.advance(minutes=3)
    memory.keeper.run_due()

    assert chat.summary() is not None
    assert job(memory, "summarize").error == ""


def test_a_clock_that_was_a_year_ahead_silences_nothing(lab: Lab):
    memory = lab.open()
    ask_about(memory, "ana")
    lab.clock.jump(days=365)
    memory.keeper.run_due()
    lab.clock.jump(days=-365)
    plan(memory)

    lab.clock.advance(days=1, minutes=1)

    assert "dream" in names(memory.keeper.run_due())


def test_a_job_of_interval_zero_is_off(lab: Lab):
    memory = lab.open(config={"dream_hours": 0})
    ask_about(memory, "ana")
    plan(memory)
    lab.clock.advance(days=2)

    assert "dream" not in names(memory.keeper.run_due())
    assert not job(memory, "dream").can_run


def test_backups_are_written_and_the_oldest_go(tmp_path: Path, lab: Lab):
    folder = tmp_path / "backups"
    memory = lab.open(config={"backup_folder": str(folder), "backups_kept": 2})
    memory.space("ana").remember("Prefers window seats", name="seat")
    plan(memory)
    (tmp_path / "backups").mkdir()
    (folder / "mine.db").write_text("not ours")

    for _ in range(3):
        lab.clock.advance(days=1)
        memory.keeper.run_due()

    kept = sorted(path.name for path in folder.glob("ricordo-*.db"))
    assert len(kept) == 2
    assert (folder / "mine.db").exists()
    with ricordo.open(folder / kept[-1], read_only=True) as copy:
        assert copy.space("ana").get("seat") is not None


def test_a_memory_that_cannot_be_written_has_no_keeper(lab: Lab):
    memory = lab.open()
    memory.space("ana").remember("Prefers window seats", name="seat")
    reader = lab.share(memory, read_only=True)

    with pytest.raises(ricordo.InvalidInput, match="read-only"):
        reader.keeper.run_due()
    with pytest.raises(ricordo.InvalidInput, match="read-only"):
        reader.keeper.start()


def test_it_runs_by_itself_once_something_was_written(lab: Lab, monkeypatch):
    monkeypatch.setattr(loop, "FIRST_LOOK_SECONDS", 0.0)
    monkeypatch.setattr(loop, "LOOK_SECONDS", 0.01)
    seen, done = threading.Event(), threading.Event()
    look, finish = jobs.look, jobs.finish

    def watch_look(engine, terms):
        state = look(engine, terms)
        if terms.name == "dream":
            seen.set()
        return state

    def watch_finish(engine, lease, result):
        kept = finish(engine, lease, result)
        if lease.terms.name == "dream":
            done.set()
        return kept

    monkeypatch.setattr(jobs, "look", watch_look)
    monkeypatch.setattr(jobs, "finish", watch_finish)
    memory = lab.open(keep=True)

    space = ask_about(memory, "ana")

    assert seen.wait(SOON)  # the first look, which plans
    lab.clock.advance(days=1, hours=1)
    assert done.wait(SOON)
    assert list_promoted(space) == ["seat"]
    memory.keeper.stop()


def test_keep_false_starts_nothing(lab: Lab):
    memory = lab.open(keep=False)

    memory.space("ana").remember("Prefers window seats")

    assert not memory._engine.background._is_started


def test_the_keeper_carries_out_schedules_and_reminders(lab: Lab):
    memory = lab.open()
    ana = memory.space("ana")
    ana.schedule("Send the report", "in 1 hour", name="report")
    ana.remind("Call the bank", at="in 1 hour")
    lab.clock.advance(hours=1)
    delivered = []

    made = memory.keeper.run_schedules(
        lambda claim: f"did {claim.schedule.goal}", deliver=lambda each: delivered.append(each.text)
    )

    assert made == 1
    assert ana.schedules.runs("report")[0].output == "did Send the report"
    assert delivered == ["Call the bank"]


def test_what_a_run_prints_is_redacted_before_it_is_kept(lab: Lab):
    memory = lab.open(redact=lambda text: text.replace("hunter2", "[secret]"))
    ana = memory.space("ana")
    ana.schedule("Log in", "in 1 hour", name="login")
    lab.clock.advance(hours=1)

    memory.keeper.run_schedules(lambda _: "the password is hunter2")

    assert ana.schedules.runs("login")[0].output == "the password is [secret]"


def test_an_idle_memory_folds_its_log_back(lab: Lab, monkeypatch):
    monkeypatch.setattr(loop, "IDLE_SECONDS", 0.0)
    memory = lab.open()
    memory.space("ana").remember("Prefers window seats")
    memory.flush()
    log = Path(lab.url(memory) + "-wal")
    assert log.stat().st_size > 0

    memory._engine.background.note_write()
    memory._engine.background._fold_if_idle()

    assert log.stat().st_size == 0
