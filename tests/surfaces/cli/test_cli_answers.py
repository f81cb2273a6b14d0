"""The command line answers alike to like mistakes, in words that fit every surface."""

import sqlite3

import pytest
from command_line import ok, run

# salvage


@pytest.mark.parametrize("held", [b"", b"Dear memory, how are you?", b"x" * 50_000])
def test_a_file_that_is_no_memory_is_not_salvaged(tmp_path, held):
    (tmp_path / "letter").write_bytes(held)

    result = run("salvage", "letter", "saved.db")

    assert result.exit_code == 1
    assert "nothing in 'letter' can be read as a memory" in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["letter"]


def test_a_memory_of_which_nothing_is_left_is_not_salvaged(tmp_path):
    ok("remember", "window", "--name", "seat")
    (tmp_path / "cut.db").write_bytes((tmp_path / "agent.db").read_bytes()[:2_000])

    assert run("salvage", "cut.db", "saved.db").exit_code == 1
    assert not (tmp_path / "saved.db").exists()


def test_a_healthy_file_of_another_program_is_not_salvaged(tmp_path):
    with sqlite3.connect(tmp_path / "places.db") as raw:
        raw.execute("CREATE TABLE places (id INTEGER PRIMARY KEY, url TEXT, title TEXT)")
        raw.executemany("INSERT INTO places (url, title) VALUES (?, ?)", [("a", "b")] * 500)
    raw.close()

    assert run("salvage", "places.db", "saved.db").exit_code == 1
    assert [file.name for file in tmp_path.iterdir()] == ["places.db"]


def test_a_healthy_memory_is_salvaged_whole(tmp_path):
    ok("remember", "window", "--name", "seat")
    ok("salvage", "agent.db", "saved.db")

    assert ok("get", "seat", "--db", "saved.db") == "window\n"


# what is not there


@pytest.mark.parametrize(
    "args",
    [
        ["show", "nowhere"],
        ["chat", "context", "nowhere"],
        ["chat", "replay", "nowhere"],
        ["chat", "replay", "nowhere", "--budget", "100"],
        ["chat", "close", "nowhere"],
        ["chat", "compact", "nowhere"],
        ["chat", "summary", "nowhere"],
        ["chat", "recent", "nowhere"],
        ["chat", "scratchpad", "nowhere"],
        ["chat", "scratchpad", "nowhere", "--clear"],
        ["chat", "delete", "nowhere", "--yes"],
        ["chat", "delete", "nowhere", "--dry-run"],
        ["erase", "--session", "nowhere", "--yes"],
        ["erase", "--session", "nowhere", "--dry-run"],
        ["forget", "nowhere", "--dry-run"],
        ["import", "nowhere.jsonl"],
        ["signals", "nowhere"],
        ["signals", "nowhere", "--space", "new"],
        ["list", "--config", "nowhere.toml"],
        ["ingest", "nowhere.md"],
        ["eval", "nowhere.jsonl"],
        ["schedule", "sync", "nowhere.toml"],
        ["salvage", "nowhere.db", "saved.db"],
        ["chat", "extend", "trip", "nowhere.jsonl"],
        ["schedule", "run", "nowhere"],
    ],
    ids=" ".join,
)
def test_what_is_not_there_is_not_found(args):
    ok("append", "trip", "user", "Oslo")

    result = run(*args)

    assert (result.exit_code, result.stdout) == (3, "")
    assert "nowhere" in result.stderr


@pytest.mark.parametrize(
    "args",
    [["import", "box"], ["eval", "box"], ["schedule", "sync", "box"], ["salvage", "box", "new.db"]],
    ids=" ".join,
)
def test_a_folder_in_place_of_a_file_is_called_one(tmp_path, args):
    (tmp_path / "box").mkdir()

    result = run(*args)

    assert result.exit_code == 2
    assert "'box' is a folder" in result.stderr
    assert "cannot be read" not in result.stderr


def test_a_context_for_a_session_to_come_says_that_there_is_none_yet():
    ok("remember", "Prefers window seats", "--name", "seat")

    result = run("chat", "context", "new", "window seats")

    assert '[memory "seat" from agent' in result.stdout
    assert "there is no session 'new' yet" in result.stderr


def test_roles_and_an_empty_text_are_taken_as_the_help_says():
    assert ok("append", "trip", "user", "", "--name", "critic") == "1\n"

    refused = run("append", "trip", "critic", "")
    assert refused.exit_code != 0
    assert "name= for who spoke" in refused.stderr
    assert "system, developer, tool or function" in ok("append", "--help")


@pytest.mark.parametrize("verb", ["files", "checkpoints"])
def test_an_empty_list_of_files_says_that_there_is_no_workspace(verb):
    result = run(verb)

    assert (result.exit_code, result.stdout) == (0, "")
    assert "there is no workspace" in result.stderr
    assert run(verb, "--quiet").stderr == ""


# words


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["remind", "add", "x"], "a reminder needs a time or a cue; give one of them"),
        (["remind", "add", "x", "--at", "5m", "--channel", "mail"], "'mail' has no recipient"),
        (["remind", "add", "x", "--at", "5m", "--recipient", "ana"], "'ana' has no channel"),
        (["sync"], "this memory has no workspace; set workspace to a folder"),
        (["sync", "--folder", "/proc/nowhere/x"], "cannot be used: "),
        (["macros", "forget", "nope"], "list them to see which there are"),
        (["remember", "x", "--metadata", "[1]"], "metadata [1] is not an object"),
        (["append", "t", "user", "x", "--metadata", "[1]"], "metadata [1] is not valid"),
        (["append", "t", "user", "x", "--tool-calls", "3"], "tool_calls 3 is not valid; give a"),
        (["chat", "scratchpad", "t", " "], "would be empty; clear it instead"),
        (["explain", "x", "t#99"], "no message, entry or document 't#99'"),
        (["eval", "odd.jsonl"], "line 1 of odd.jsonl has no 'type'"),
        (["eval", "text.jsonl"], "line 1 of text.jsonl is not valid JSON"),
        (["list", "--db", ""], "the path of the memory is blank"),
        (["undo", "7"], "7"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_message_speaks_no_python(tmp_path, args, told):
    (tmp_path / "odd.jsonl").write_text('{"a": 1}\n')
    (tmp_path / "text.jsonl").write_text("hello\n")
    ok("append", "t", "user", "Oslo")

    result = run(*args)

    assert result.exit_code in (1, 2, 3)
    assert told in result.stderr
    for word in ("=…", "at=", "()", "Error", "Errno", "None", "NoneType"):
        assert word not in result.stderr


def test_a_marker_says_which_archive_it_stands_for():
    ok("append", "trip", "user", "Oslo")
    ok("chat", "compact", "trip")

    assert ok("show", "trip").splitlines()[1].split("\t")[2:] == [
        "marker",
        "",
        "up to 1 archived as trip-1",
    ]


# help


def test_help_uses_the_words_of_the_vocabulary():
    told = ok("--help")

    assert "Recall:" in told
    assert "Sessions:" in told
    assert "Search:" not in told
    assert "Conversation:" not in told
    assert "URL" in ok("list", "--help")


@pytest.mark.parametrize("args", [["--help"], ["chat", "--help"], ["schedule", "--help"]])
def test_no_summary_of_a_verb_is_cut_however_narrow_the_terminal(monkeypatch, args):
    monkeypatch.setenv("COLUMNS", "50")

    assert "..." not in ok(*args).split("[ARGS]...")[1]


def test_the_examples_of_a_verb_in_a_group_name_the_group():
    told = ok("chat", "append", "--help")

    assert "ricordo chat append trip" in told
    assert "ricordo append" not in told
    assert "ricordo append trip" in ok("append", "--help")
