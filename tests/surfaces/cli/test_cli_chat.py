"""The command line of a conversation that grows."""

import json

import pytest
from command_line import ok, run


def talk():
    ok("chat", "append", "trip", "user", "Book me a flight to Oslo")
    ok("chat", "append", "trip", "assistant", "Window or aisle?")


def test_a_conversation_goes_round(tmp_path):
    talk()
    assert ok("chat", "compact", "trip", "--folder", ".").strip() == "trip-1"
    assert len(list((tmp_path / "conversations").glob("*-trip-1.md"))) == 1
    ok("chat", "append", "trip", "user", "Window, as ever")

    assert ok("chat", "expand", "trip", "trip-1").splitlines()[0].endswith("flight to Oslo")
    replayed = ok("chat", "replay", "trip").splitlines()
    assert len(replayed) == 2
    assert replayed[1] == "user\tWindow, as ever"
    assert "Window or aisle?" in ok("chat", "summary", "trip")
    assert ok("chat", "replay", "trip", "--budget", "100").splitlines()[-1] == replayed[1]


def test_a_context_is_printed_as_text_or_json():
    ok("remember", "Prefers window seats", "--name", "seat")
    talk()

    assert '[memory "seat" from agent' in ok("chat", "context", "trip", "window seats")
    found = json.loads(ok("chat", "context", "trip", "window seats", "--budget", "500", "--json"))
    assert found["messages"][-1] == {"role": "assistant", "content": "Window or aisle?"}
    assert found["tokens"] <= found["budget"] == 500
    assert run("chat", "context", "trip", "--profile", "best").exit_code == 2


def test_a_summary_is_made_on_wish():
    talk()
    ok("chat", "append", "trip", "user", "Window")

    assert run("chat", "summary", "trip").exit_code == 3
    assert "flight to Oslo" in ok("chat", "summary", "trip", "--force")
    assert json.loads(ok("chat", "summary", "trip", "--json"))["epoch"] == 1


def test_a_log_too_short_for_a_summary_is_called_so():
    ok("chat", "append", "trip", "user", "Book me a flight to Oslo")

    assert "--force" in run("chat", "summary", "trip").stderr
    refused = run("chat", "summary", "trip", "--force")
    assert refused.exit_code == 3
    assert "--force" not in refused.stderr
    assert "two newest messages are never condensed" in refused.stderr


@pytest.mark.parametrize("options", [(), ("--force",), ("--budget", "100")])
def test_a_summary_of_no_session_says_that_there_is_none(options):
    refused = run("chat", "summary", "nobody", *options)

    assert refused.exit_code == 3
    assert "there is no session 'nobody'" in refused.stderr


def test_what_is_not_there_is_not_found():
    assert run("chat", "expand", "trip", "trip-9").exit_code == 3
    assert run("chat", "compact", "nobody").exit_code == 3
    assert run("ingest", "nowhere.txt").exit_code == 3


@pytest.mark.parametrize("path", ["", " "])
def test_a_blank_path_is_not_this_folder(tmp_path, path):
    (tmp_path / "a.md").write_text("wool socks", encoding="utf-8")

    assert run("ingest", path).exit_code == 2
    assert ok("documents") == ""


def test_what_is_missing_is_forgotten_of_a_folder_only(tmp_path):
    (tmp_path / "a.md").write_text("wool socks", encoding="utf-8")

    assert run("ingest", "a.md", "--forget-missing").exit_code == 2
    assert run("ingest", "-", "--uri", "doc:a", "--forget-missing", stdin="x").exit_code == 2


def test_files_and_folders_are_taken_in(tmp_path):
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "a.md").write_text("wool socks", encoding="utf-8")
    (folder / "b.md").write_text("rubber boots", encoding="utf-8")

    states = [line.split("\t")[2] for line in ok("ingest", "handbook").splitlines()]
    assert states == ["changed", "changed"]
    (folder / "b.md").unlink()
    again = json.loads(ok("ingest", "handbook", "--forget-missing", "--json"))
    assert [document["changed"] for document in again] == [False]
    assert ok("recall", "boots", "--mode", "keyword") == ""
    assert ok("ingest", "handbook/a.md", "--uri", "doc://a").startswith("doc://a\t1\tchanged")
    assert run("ingest", "handbook", "--uri", "doc://a").exit_code == 2
    assert "wool socks" in ok("get", "doc://a")


def test_documents_have_tags_and_hits_have_lines(tmp_path):
    """FIL-3, TXT-2"""
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "a.md").write_text("# Packing\n\nwool socks\n\n# Rain\n\nboots", encoding="utf-8")
    ok("ingest", "handbook", "--tag", "Winter", "--tag", "trip")

    (hit,) = json.loads(ok("recall", "boots", "--mode", "keyword", "--tag", "winter", "--json"))
    line = ok("recall", "boots", "--mode", "keyword")

    assert hit["text"] == "# Rain\n\nboots"
    assert hit["source"]["headings"] == ["Rain"]
    assert (hit["source"]["line_start"], hit["source"]["line_end"]) == (5, 7)
    assert line.split("\t")[1].endswith("/a.md:5")
    assert ok("documents", "handbook").count("a.md") == 1
    ok("forget", "handbook/a.md", "--yes")
    assert ok("documents") == ""
