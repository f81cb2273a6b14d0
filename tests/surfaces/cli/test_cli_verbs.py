"""The verbs of the command line: there is one for every method, and what the newer ones do."""

import json

import click
import pytest
from command_line import ok, parsed, run

import ricordo
from doors import collection_types, public_methods
from ricordo.surfaces.cli.main import cli
from ricordo.surfaces.cli.verb_table import BY_OPTION, HANDLES, VERB_OF

# every method has its verb


def methods() -> list[str]:
    handles = (ricordo.Memory, ricordo.Space, ricordo.Session)
    found = {name for each in handles for name in public_methods(each)}
    for name, kind in collection_types().items():
        found |= {f"{name}.{method}" for method in public_methods(kind)}
    return sorted(found - set(HANDLES))


def at(path: str) -> click.Command | None:
    command: click.Command | None = cli
    for word in path.split():
        command = command.commands.get(word) if isinstance(command, click.Group) else None
    return command


@pytest.mark.parametrize("method", methods())
def test_every_method_has_a_verb_and_its_own_name_leads_there(method):
    verb = at(VERB_OF[method])

    assert verb is not None
    if method in BY_OPTION:
        return  # the verb needs an option to do the same; a test below
    with click.Context(cli) as context:
        assert cli.get_command(context, method) is verb or method in cli.commands
        assert cli.get_command(context, method.replace("_", "-")) is not None


def test_the_table_names_no_method_that_is_gone():
    assert sorted(VERB_OF) == methods()


def test_a_word_that_is_no_method_is_no_verb():
    result = run("entrails")

    assert result.exit_code == 2
    assert "entrails" in result.stderr


def test_the_names_of_the_python_api_do_the_same():
    ok("remember", "window", "--name", "seat")
    ok("append", "trip", "user", "Oslo")

    assert ok("entries") == ok("list")
    assert ok("dreams.signals") == ok("signals")
    assert ok("events", "trip") == ok("show", "trip")
    assert ok("compact", "trip") == "trip-1\n"
    assert ok("summarize", "trip") == ok("chat", "summary", "trip")
    assert "entries" not in cli.commands


def test_lines_become_entries_all_or_none():
    lines = (
        'Plays the cello\n{"content": "Born in Porto", "name": "birthplace", "tags": ["own"]}\n\n'
    )

    ok("remember", lines, "--lines", "--tag", "imported")

    assert ok("get", "birthplace") == "Born in Porto\n"
    assert [each["tags"] for each in parsed("list")] == [["own"], ["imported"]]
    result = run("remember", "Fine\n{broken", "--lines")
    assert result.exit_code == 2
    assert "line 2 is not a JSON object" in result.stderr
    assert len(parsed("list")) == 2


def test_restore_and_summarize_do_what_the_methods_do():
    for number in range(6):
        ok("append", "trip", "user", f"Message {number} " + "of many words " * 40)
    assert run("summary", "trip").exit_code == 3

    ok("summarize", "trip", "--budget", "500")

    assert "Message 0" in ok("summary", "trip")
    assert ok("restore", "trip").startswith("system\tRolling session summary")
    assert ok("replay", "trip").startswith("user\tMessage 0")


# the plain form of a group


def test_a_command_is_approved_in_plain_words():
    assert ok("approve", "git", "push") == "allow\tgit push\n"
    assert ok("approve", "list").split("\t")[2] == "git push\n"


def test_a_reminder_and_a_schedule_need_no_add():
    assert parsed("remind", "Call the bank", "--at", "10m")["text"] == "Call the bank"
    assert parsed("schedule", "Check the oven", "in 20 minutes")["goal"] == "Check the oven"


def test_a_mistyped_verb_is_no_plain_form():
    result = run("approve", "lst")

    assert result.exit_code == 2
    assert "approve list" in result.stderr
    assert "approve add lst" in result.stderr
    assert parsed("approve", "list") == []


# sessions


def test_many_messages_are_appended_at_once(tmp_path):
    lines = '{"role": "user", "content": "Oslo"}\n{"role": "assistant", "content": "When?"}\n'
    (tmp_path / "log.json").write_text(json.dumps([json.loads(lines.splitlines()[0])]))

    assert ok("chat", "extend", "trip", "-", stdin=lines) == "1\n2\n"
    assert ok("chat", "extend", "trip", "log.json") == "3\n"
    assert run("chat", "extend", "trip", "-", stdin="Oslo").exit_code == 2
    assert [e["seq"] for e in parsed("chat", "recent", "trip", "--limit", "2")][-1] == 3


def test_what_show_prints_can_be_appended_elsewhere():
    ok("append", "trip", "user", "Oslo", "--at", "2026-03-01T10:00Z", "--name", "Ana")
    ok("append", "trip", "assistant", "When?", "--metadata", '{"mood": "glad"}')

    shown = ok("show", "trip", "--json")
    ok("chat", "extend", "copy", "-", stdin=shown)

    given = {"session": "trip", "uid": None}
    taken = [{**event, **given} for event in parsed("show", "copy")]
    assert taken == [{**event, **given} for event in json.loads(shown)]


def test_a_time_in_a_file_of_messages_is_read_as_that_of_append():
    said = '{"role": "user", "content": "Oslo", "at": "2026-03-01T10:00:00+01:00"}'
    ok("chat", "extend", "trip", "-", stdin=said)

    assert parsed("show", "trip")[0]["at"] == "2026-03-01T09:00:00+00:00"
    assert run("chat", "extend", "trip", "-", stdin=said.replace("2026", "x")).exit_code == 2


def test_a_marker_is_not_appended_to_another_session():
    ok("append", "trip", "user", "Oslo")
    ok("chat", "compact", "trip")

    refused = run("chat", "extend", "copy", "-", stdin=ok("show", "trip", "--json"))

    assert refused.exit_code == 2
    assert "the marker 2 " in refused.stderr
    assert run("show", "copy").exit_code == 3


def test_a_scratchpad_is_written_read_and_cleared():
    assert ok("chat", "scratchpad", "trip", "one", "two") == "one\ntwo\n"
    assert ok("chat", "scratchpad", "trip", "-", stdin="three\n") == "three\n"
    held = parsed("chat", "scratchpad", "trip")
    assert held["lines"] == ["three"]
    assert held["at"].endswith("+00:00")

    assert ok("chat", "scratchpad", "trip", "--clear") == "cleared\n"
    assert parsed("chat", "scratchpad", "trip") == {"lines": [], "at": None}
    assert run("chat", "scratchpad", "trip", "x", "--clear").exit_code == 2


def test_a_summary_is_written_if_nobody_else_did():
    ok("append", "trip", "user", "Oslo")
    write = ["chat", "summary", "trip", "--write", "To Oslo", "--upto", "1"]

    assert ok(*write) == "To Oslo\n"
    assert run(*write).exit_code == 4
    assert ok(*write, "--epoch", "1") == "To Oslo\n"
    assert run("chat", "summary", "trip", "--write", "x").exit_code == 2


def test_a_session_is_deleted_when_told_so():
    ok("append", "trip", "user", "Oslo")

    assert run("chat", "delete", "trip").exit_code == 2
    assert parsed("chat", "delete", "trip", "--dry-run")["would_remove"]["events"] == 1
    assert ok("show", "trip")
    assert parsed("chat", "delete", "trip", "--yes")["removed"]["events"] == 1
    assert run("show", "trip").exit_code == 3


# what would go


def test_forgetting_and_erasing_can_be_tried():
    ok("remember", "window", "--name", "seat", "--alias", "chair")
    ok("write", "seat", "aisle")
    ok("append", "trip", "user", "Oslo")
    before = parsed("stats")

    for verb in ("forget", "erase"):
        going = parsed(verb, "chair", "--dry-run")
        assert (going["target"], going["dry_run"]) == ("seat", True)
        counted = {"entries": 1, "names": 2, "revisions": 1}
        assert going["would_remove"].items() >= counted.items()
    assert parsed("erase", "--session", "trip", "--dry-run")["would_remove"]["events"] == 1
    ok("schedule", "Water the plants", "every day at 9")
    everything = parsed("erase", "--everything", "--dry-run")["would_remove"]
    assert (everything["entries"], everything["schedules"]) == (1, 1)
    assert "nothing was changed" in run("forget", "seat", "--dry-run").stderr

    assert parsed("stats") == before


# a dash for standard input and output


def test_an_export_goes_through_a_pipe_and_back(tmp_path):
    ok("remember", "window", "--name", "seat")

    poured = run("export", "-")
    ok("import", "-", "--db", "other.db", stdin=poured.stdout_bytes)

    assert poured.exit_code == 0
    assert "records" in poured.stderr
    assert ok("get", "seat", "--db", "other.db") == "window\n"
    assert not (tmp_path / "-").exists()


def test_an_import_from_a_pipe_names_no_path_of_ours(tmp_path):
    ok("remember", "window", "--name", "seat")
    poured = ok("export", "-")

    refused = run("import", "-", stdin="no export")

    assert refused.exit_code == 2
    assert "standard input" in refused.stderr
    assert "ricordo-" not in refused.stderr
    assert parsed("import", "-", "--space", "other", stdin=poured)["path"] == "-"


def test_a_document_is_read_from_standard_input_under_its_uri():
    assert ok("ingest", "-", "--uri", "doc://a", stdin="wool socks").startswith("doc://a\t1")

    assert [d["uri"] for d in parsed("documents")] == ["doc://a"]
    assert parsed("documents", "file:") == []
    assert run("ingest", "-", stdin="x").exit_code == 2
    assert parsed("forget", "doc://a", "--dry-run")["would_remove"]["documents"] == 1


def test_a_tool_takes_its_arguments_from_standard_input():
    ok("tools", "call", "remember", "-", stdin='{"content": "window", "name": "seat"}')

    assert ok("get", "seat") == "window\n"


# work that is due


def test_a_claim_goes_from_process_to_process_as_a_line():
    ok("schedule", "Check the oven", "in 1 second", "--name", "oven")
    schedule = parsed("schedule", "show", "oven")
    with ricordo.open("agent.db", embedder="none", clock=_later(schedule)) as memory:
        (held,) = memory.claim(worker="laptop", lease=86_400)
    line = json.dumps(
        {
            "space": held.schedule.space,
            "id": held.schedule.id,
            "worker": held.worker,
            "fence": held.fence,
            **{n: getattr(held, n).isoformat() for n in ("planned_at", "claimed_at", "until")},
        }
    )

    renewed = ok("renew", line, "--lease", "90000")
    run_ = parsed("finish", "-", "--output", "done", stdin=renewed)

    assert json.loads(renewed)["fence"] == held.fence
    assert run_["output"] == "done"
    assert ok("schedule", "run", run_["id"]) == "done\n"
    assert run("finish", line).exit_code == 4
    assert ok("release", line) == "it was no longer yours\n"
    assert run("finish", "{}").exit_code == 2
    assert run("finish", "[]").exit_code == 2


def _later(schedule):
    from datetime import datetime, timedelta

    due = datetime.fromisoformat(schedule["next_run_at"]) + timedelta(seconds=1)
    return lambda: due


def test_a_claim_is_printed_with_its_goal(tmp_path):
    with ricordo.open("agent.db", embedder="none", clock=_past()) as memory:
        memory.space("default").schedule("Check the oven", "in 20 minutes")

    told = json.loads(ok("claim", "--worker", "laptop"))

    assert (told["goal"], told["worker"]) == ("Check the oven", "laptop")
    assert ok("claim") == ""
    assert ok("release", "-", stdin=json.dumps(told)) == "released\n"


def _past():
    from datetime import UTC, datetime

    return lambda: datetime(2026, 1, 1, tzinfo=UTC)


def test_reminders_that_are_due_are_given_out_once():
    ok("remind", "Ask for the invoice", "--cue", "project Atlas")

    assert ok("remind", "due", "nothing of it") == ""
    assert len(parsed("remind", "due", "How is project Atlas?", "--keep")) == 1
    assert ok("remind", "due", "How is project Atlas?").endswith("Ask for the invoice\n")
    assert ok("remind", "due", "How is project Atlas?") == ""


# learning


def test_signals_spending_promotions_and_sweeps_are_told():
    ok("remember", "window", "--name", "seat")
    ok("recall", "window")
    sweep = parsed("dream")

    assert ok("signals").split("\t")[1:2] == ["seat"]
    assert parsed("signals", "seat")[0]["query"] == "window"
    assert parsed("spending") == []
    assert parsed("dream", "--promotions") == []
    assert parsed("undo", str(sweep["id"]))["id"] == sweep["id"]
    assert run("dream", "--promotions", "--list").exit_code == 2


def test_the_examples_of_consolidate_can_be_typed():
    for example in cli.commands["consolidate"].examples:
        ok(*example.split()[1:])


def test_events_are_consolidated_when_they_are_old_enough():
    ok("append", "trip", "user", "I live in Oslo", "--importance", "1", "--at", "2026-01-01")

    assert parsed("consolidate", "--older-than", "1w")["events"] == 1
    assert parsed("consolidate")["events"] == 0
    assert run("consolidate", "--older-than", "soon").exit_code == 2


@pytest.mark.parametrize("method", sorted(BY_OPTION))
def test_a_method_whose_verb_does_something_else_leads_nowhere(method):
    assert run(method, "trip").exit_code == 2
    assert parsed("dream", "--list") == []


def test_a_slip_for_a_verb_is_no_permission():
    assert run("approve", "ls").exit_code == 2
    assert parsed("approve", "list") == []
