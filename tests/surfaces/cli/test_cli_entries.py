"""The verbs of entries, facts and sessions: what they print, and that they do as the library."""

import json

from command_line import fields, ok, parsed, run

import ricordo


def test_what_is_remembered_is_printed_by_its_name():
    assert ok("remember", "Prefers window seats", "--name", "seat") == "seat\n"

    assert ok("get", "seat") == "Prefers window seats\n"


def test_every_option_of_remember_reaches_the_entry():
    entry = parsed(
        *(
            "remember",
            "Prefers window seats",
            "--name",
            "seat",
            "--tag",
            "travel",
            "--tag",
            "plane",
        ),
        *("--alias", "chair", "--category", "daily", "--kind", "note", "--origin", "user"),
        *("--source", "mail", "--importance", "0.9", "--expires-at", "2100-01-01"),
        *("--metadata", '{"lang": "pt"}'),
    )

    assert list(entry) == fields(ricordo.Entry)
    assert entry["tags"] == ["travel", "plane"]
    assert entry["aliases"] == ["chair"]
    assert entry["expires_at"] == "2100-01-01T00:00:00+00:00"
    assert (entry["category"], entry["origin"], entry["source"]) == ("daily", "user", "mail")
    assert (entry["importance"], entry["metadata"]) == (0.9, {"lang": "pt"})


def test_an_end_without_a_sign_lies_ahead():
    ok("remember", "A code", "--name", "code", "--expires-at", "30m")

    assert ok("get", "code") == "A code\n"


def test_options_left_out_keep_what_the_entry_has():
    ok("remember", "one", "--name", "n", "--tag", "kept", "--category", "daily")

    entry = parsed("remember", "two", "--name", "n")

    assert (entry["tags"], entry["category"]) == (["kept"], "daily")


def test_a_dash_reads_standard_input_less_its_last_line_break():
    ok("remember", "-", "--name", "poem", stdin="um\ndois ção\n")

    assert ok("get", "poem") == "um\ndois ção\n"
    assert parsed("get", "poem")["content"] == "um\ndois ção"


def test_standard_input_that_is_not_utf8_is_refused():
    result = run("remember", "-", stdin=b"\xff\xfe")

    assert result.exit_code == 2
    assert "not UTF-8" in result.stderr


def test_shared_options_may_stand_before_or_after_the_verb(tmp_path):
    other = str(tmp_path / "other.db")
    ok("--db", other, "--space", "ana", "remember", "here", "--name", "n")

    assert ok("get", "n", "--db", other, "--space", "ana") == "here\n"
    assert json.loads(ok("--json", "--space", "ana", "get", "n", "--db", other))["space"] == "ana"
    assert ok("--space", "ben", "get", "n", "--db", other, "--space", "ana") == "here\n"
    assert run("get", "n").exit_code == 3


def test_write_keeps_the_old_text_in_the_history():
    ok("remember", "window", "--name", "seat")
    ok("write", "seat", "-", stdin="aisle\n")

    assert ok("get", "seat") == "aisle\n"
    assert ok("history", "seat").split("\t")[0::3] == ["1", "window\n"]
    assert [list(one) for one in parsed("history", "seat")] == [fields(ricordo.Revision)]


def test_get_as_of_tells_what_an_entry_said_then():
    ok("remember", "window", "--name", "seat")
    since = parsed("get", "seat")["created_at"]
    ok("write", "seat", "aisle")

    assert ok("get", "seat", "--as-of", since) == "window\n"
    assert run("get", "seat", "--as-of", "1d").exit_code == 3
    assert run("get", "seat", "--as-of", "yesterdayish").exit_code == 2


def test_rename_and_alias_lead_to_the_same_entry():
    ok("remember", "window", "--name", "seat")

    assert ok("rename", "seat", "seating", "--keep") == "seating\n"
    assert ok("alias", "seating", "place") == "seating\n"
    assert parsed("get", "place")["aliases"] == ["seat", "place"]


def test_an_alias_moves_only_when_told_to():
    ok("remember", "one", "--name", "a", "--alias", "x")
    ok("remember", "two", "--name", "b")

    assert run("alias", "b", "x").exit_code == 4
    ok("alias", "b", "x", "--rebind")
    assert ok("get", "x") == "two\n"


def test_list_prints_one_line_per_entry_with_fields_apart_by_tabs():
    ok("remember", "one\nand\ta half", "--name", "a", "--tag", "t")
    ok("fact", "user", "dog_name", "Rex")

    lines = [line.split("\t") for line in ok("list").splitlines()]

    assert [line[0] for line in lines] == ["user/dog_name", "a"]
    assert lines[1][4] == "one and a half"
    assert [entry["name"] for entry in parsed("list", "--tag", "t")] == ["a"]
    assert [entry["name"] for entry in parsed("list", "--prefix", "user/")] == ["user/dog_name"]
    assert [entry["name"] for entry in parsed("list", "--after", "user/dog_name")] == ["a"]


def test_forget_prints_a_receipt_and_the_entry_is_gone():
    ok("remember", "window", "--name", "seat")

    receipt = parsed("forget", "seat", "--yes")

    assert list(receipt) == fields(ricordo.Receipt)
    assert receipt["target"] == "seat"
    assert receipt["removed"]["entries"] == 1
    assert run("get", "seat").exit_code == 3


def test_forget_without_a_terminal_wants_yes():
    ok("remember", "window", "--name", "seat")

    result = run("forget", "seat")

    assert result.exit_code == 2
    assert "--yes" in result.stderr
    assert ok("get", "seat") == "window\n"


def test_a_fact_is_stated_and_looked_up():
    assert ok("fact", "user", "dog_name", "Rex") == "user/dog_name\n"
    ok("fact", "user", "dog_name", "Max")

    assert ok("fact", "user", "dog_name") == "Max\n"
    assert run("fact", "user", "cat_name").exit_code == 3


def test_a_session_shows_what_was_appended():
    assert ok("append", "trip", "user", "Oslo, please", "--name", "Ana") == "1\n"
    assert ok("append", "trip", "assistant", "Done", "--at", "2026-03-01T09:30+01:00") == "2\n"

    first, second = [line.split("\t") for line in ok("show", "trip").splitlines()]
    assert (first[0], first[2:]) == ("1", ["user", "Ana", "Oslo, please"])
    assert second == ["2", "2026-03-01 08:30:00", "assistant", "", "Done"]
    assert [event["seq"] for event in parsed("show", "trip", "--after", "1")] == [2]
    assert list(parsed("show", "trip")[0]) == fields(ricordo.Event)
    assert parsed("show", "trip", "--after", "9") == []
    assert [list(one) for one in parsed("sessions")] == [fields(ricordo.SessionInfo)]
    assert ok("sessions").split("\t")[:2] == ["trip", "2"]


def test_an_unknown_session_is_not_found():
    assert run("show", "nowhere").exit_code == 3
