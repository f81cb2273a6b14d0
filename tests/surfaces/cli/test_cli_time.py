"""The verbs about time: what they print, and that what is due is run."""

import json
import re

import pytest
from command_line import ok, parsed, run

import ricordo
from ricordo.surfaces.cli.context import Verb, Verbs
from ricordo.surfaces.cli.main import cli

PAST = "2020-01-01T00:00:00Z"


def make_due(path, goal="Water the plants", **rest):
    """A schedule whose time has come: made by a clock that is behind."""
    from datetime import UTC, datetime, timedelta

    past = datetime.now(UTC) - timedelta(hours=2)
    with ricordo.open(path, embedder="none", clock=lambda: past) as memory:
        return memory.space("default").schedule(goal, "in 1 hour", **rest)


def test_what_is_added_is_listed_with_its_next_run_in_its_own_zone():
    id, when, told = ok(
        *("schedule", "add", "Send", "0 9 * * mon", "--tz", "Asia/Tokyo", "--name", "report")
    ).split("\t")

    assert re.fullmatch(r"Mon \d{4}-\d\d-\d\d 09:00:00 JST", when)
    assert told.strip() == "At 09:00 on Monday (Asia/Tokyo)"
    assert ok("schedule", "list").split("\t")[:4] == [id, "report", "active", when]
    assert parsed("schedule", "show", "report")["id"] == id
    assert "Asia/Tokyo" in ok("schedule", "show", "report")


def test_upcoming_runs_are_a_table_in_the_schedules_own_zones():
    ok("schedule", "add", "a", "0 9 * * *", "--tz", "Asia/Tokyo", "--name", "tokyo")
    ok("schedule", "add", "b", "0 9 * * *", "--tz", "Asia/Kolkata", "--name", "kolkata")

    lines = [line.split("\t") for line in ok("schedule", "next", "--limit", "2").splitlines()]

    assert len(lines) == 4
    assert {(line[0][-12:], line[1]) for line in lines} == {
        ("09:00:00 JST", "tokyo"),
        ("09:00:00 IST", "kolkata"),
    }
    found = parsed("schedule", "next", "tokyo", "--limit", "3")
    assert [item["name"] for item in found] == ["tokyo"] * 3
    assert found == sorted(found, key=lambda item: item["at"])


def test_every_option_of_add_reaches_the_schedule():
    made = parsed(
        *("schedule", "add", "Send", "daily at 9", "--tz", "Europe/Berlin", "--name", "report"),
        *("--notify", "never", "--trusted", "--missed", "skip", "--no-keep", "--once"),
        *("--channel", "mail", "--channel-context", "inbox"),
    )

    assert made["cadence"]["kind"] == "once"
    assert (made["notify"], made["trusted"], made["missed"]) == ("never", True, "skip")
    assert (made["keep"], made["channel"], made["channel_context"]) == (False, "mail", "inbox")


def test_pausing_resuming_updating_and_removing():
    ok("schedule", "add", "Send", "daily at 9", "--name", "report")

    assert ok("schedule", "pause", "report").split()[-1] == "paused"
    assert ok("schedule", "next") == ""
    assert "09:00:00 UTC" in ok("schedule", "resume", "report")
    assert "10:00:00 UTC" in ok("schedule", "update", "report", "--cadence", "daily at 10")
    assert ok("schedule", "remove", "report") == "removed report and 0 runs\n"
    assert run("schedule", "show", "report").exit_code == 3


def test_a_cadence_that_is_not_understood_is_a_usage_error_with_the_forms():
    result = run("schedule", "add", "x", "whenever")

    assert result.exit_code == 2
    assert "weekdays at 8:30" in result.stderr


def test_due_goals_are_run_by_a_command_that_reads_them(tmp_path):
    made = make_due(tmp_path / "agent.db", name="plants", trusted=True)

    told = json.loads(
        ok("run-due", "--command", 'cat; printf " %s" $RICORDO_TRUSTED $RICORDO_SCHEDULE')
    )

    assert told["notice"] == f"Water the plants 1 {made.id}"
    [filed] = parsed("schedule", "runs", "plants")
    assert (filed["status"], filed["output"]) == ("success", told["notice"])
    assert ok("run-due", "--command", "cat") == ""


def test_a_command_that_fails_or_takes_too_long_is_a_failed_run(tmp_path):
    make_due(tmp_path / "agent.db", name="broken")
    make_due(tmp_path / "agent.db", name="slow")

    ok("run-due", "--command", "echo no water >&2; exit 3", "--concurrency", "1")

    assert parsed("schedule", "runs", "broken")[0]["output"] == "exit code 3: no water"
    assert parsed("schedule", "show", "broken")["status"] == "active"

    make_due(tmp_path / "agent.db", name="late")
    ok("run-due", "--command", "sleep 9", "--timeout", "0.05")
    assert parsed("schedule", "runs", "late")[0]["output"] == "not finished within 0.05 s"


@pytest.mark.parametrize("option", ["--timeout", "--lease"])
@pytest.mark.parametrize("value", ["-1", "0", "nan", "soon"])
def test_seconds_that_cannot_pass_are_a_usage_error(option, value):
    assert run("run-due", "--command", "cat", option, value).exit_code == 2


def test_without_a_command_due_goals_are_printed_once(tmp_path):
    made = make_due(tmp_path / "agent.db")

    dry = json.loads(ok("run-due", "--dry-run"))
    told = json.loads(ok("run-due"))

    assert dry["id"] == told["id"] == made.id
    assert told["goal"] == "Water the plants"
    assert ok("run-due") == ""


def test_reminders_are_listed_and_delivered_once():
    ok("remind", "add", "Call the bank", "--at", PAST)
    ok("remind", "add", "Ask", "--cue", "project Atlas")

    assert [line.split("\t")[-1] for line in ok("remind", "list").splitlines()] == [
        "Call the bank",
        "Ask",
    ]
    assert json.loads(ok("run-due", "--reminders"))["text"] == "Call the bank"
    assert ok("run-due", "--reminders") == ""
    assert len(ok("remind", "list").splitlines()) == 1
    assert len(ok("remind", "list", "--all").splitlines()) == 2
    [left] = parsed("remind", "list")
    assert ok("remind", "remove", left["id"]).strip() == left["id"]
    assert run("remind", "remove", left["id"]).exit_code == 3


def test_schedules_of_a_file_are_kept_in_step(tmp_path):
    file = tmp_path / "ricordo.toml"
    file.write_text('[[schedules]]\nname = "a"\ngoal = "x"\ncadence = "hourly"\n', "utf-8")

    assert ok("schedule", "sync", str(file)).split("\t")[1:3] == ["a", "active"]
    file.write_text("", "utf-8")
    assert ok("schedule", "sync", str(file)) == ""
    assert ok("schedule", "list") == ""


@pytest.mark.parametrize("name", ["schedule", "remind"])
def test_every_inner_verb_has_help_that_ends_with_an_example(name):
    group = cli.commands[name]
    assert isinstance(group, Verbs)
    assert ok(name) == ok(name, "--help")

    for inner, verb in group.commands.items():
        assert isinstance(verb, Verb)
        told = ok(name, inner, "--help")
        assert told.rstrip().endswith(verb.examples[-1])
        assert all(f"ricordo {name} {inner}" in example for example in verb.examples)
