"""The verbs of upkeep: what they print, what they ask, and how they end."""

import pytest
from command_line import ok, parsed, run


@pytest.fixture
def filled():
    ok("remember", "Prefers window seats", "--name", "seat")
    ok("append", "trip", "user", "Book me a flight to Oslo")


def test_maintain_says_what_went_and_how_big_the_file_is(filled):
    ok("remember", "A code", "--name", "code", "--expires-at", "2020-01-01")

    assert parsed("maintain", "--dry-run")["removed"] == {"entries": 1}
    lines = dict(line.split("\t") for line in ok("maintain").splitlines())

    assert lines["entries"] == "1"
    assert int(lines["bytes_after"]) > 0
    assert parsed("maintain", "--deep")["removed"] == {}


def test_erase_prints_a_receipt_and_needs_a_yes(filled):
    refused = run("erase", "seat")
    assert refused.exit_code == 2
    assert "--yes" in refused.stderr

    receipt = parsed("erase", "seat", "--yes")

    assert (receipt["target"], receipt["remnants"], receipt["pending"]) == ("seat", 0, False)
    assert run("erase", "seat", "--yes").exit_code == 3


def test_erase_takes_a_session_or_everything(filled):
    lines = ok("erase", "--session", "trip", "--yes").splitlines()

    assert lines[0] == "erased\ttrip"
    assert "remnants\t0" in lines
    assert parsed("erase", "--everything", "--yes")["removed"]["entries"] == 1
    assert parsed("list") == []


def test_a_space_is_renamed_and_dropped(filled):
    assert ok("rename-space", "ana").splitlines() == ["ana"]
    assert parsed("get", "seat", "--space", "ana")["content"] == "Prefers window seats"
    assert run("rename-space", "kate").exit_code == 3
    assert run("drop", "--space", "ana", "--dry-run").exit_code == 0
    assert run("drop", "--space", "ana").exit_code == 2

    receipt = parsed("drop", "--space", "ana", "--yes")

    assert (receipt["remnants"], receipt["removed"]["spaces"]) == (0, 1)
    assert parsed("spaces") == []


@pytest.mark.parametrize("args", [(), ("seat", "--session", "trip"), ("seat", "--everything")])
def test_erase_wants_to_know_exactly_what(filled, args):
    result = run("erase", *args, "--yes")

    assert result.exit_code == 2
    assert "--everything" in result.stderr


def test_an_export_is_imported_once(filled):
    assert parsed("export", "a.jsonl")["records"] == {"event": 1, "session": 1, "entry": 1}

    first = parsed("import", "a.jsonl", "--space", "copy")
    lines = ok("import", "a.jsonl", "--space", "copy").splitlines()

    assert first["added"] == {"event": 1, "entry": 1}
    assert lines == ["format\tricordo export 1", "event known\t1", "entry known\t1"]
    assert parsed("get", "seat", "--space", "copy")["origin"] == "import"


def test_origins_are_kept_on_wish(filled):
    ok("export", "a.jsonl")
    ok("import", "a.jsonl", "--space", "copy", "--keep-origins")

    assert parsed("get", "seat", "--space", "copy")["origin"] == "agent"


def test_bad_files_end_with_the_codes_of_bad_input(filled, tmp_path):
    (tmp_path / "bad.jsonl").write_text("{}\n")

    assert run("import", "bad.jsonl").exit_code == 2
    assert "line 1" in run("import", "bad.jsonl").stderr
    assert run("import", "missing.jsonl").exit_code == 3
    assert run("export", "bad.jsonl").exit_code == 2
