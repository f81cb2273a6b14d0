"""The command line: what it prints, how it ends, and that its documentation is true."""

import dataclasses
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import recollect
from recollect.surfaces.calling import Verb
from recollect.surfaces.cli import cli

ROOT = Path(__file__).resolve().parents[2]
VERBS = sorted(cli.commands)


@pytest.fixture(autouse=True)
def environment(tmp_path, monkeypatch):
    """A memory of its own for each test; nothing of the machine's user is touched."""
    for name in [name for name in os.environ if name.startswith("RECOLLECT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "agent.db"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "hash")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "data"))
    monkeypatch.chdir(tmp_path)


def run(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cli, list(args), input=stdin, prog_name="recollect")


def ok(*args: str, stdin: str | bytes | None = None) -> str:
    result = run(*args, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def parsed(*args: str):
    return json.loads(ok(*args, "--json"))


def command(*args: str | bytes) -> list[str | bytes]:
    return [sys.executable, "-m", "recollect.surfaces.cli", *args]


def process(*args: str | bytes, **options) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **options.pop("env", {})}
    return subprocess.run(
        command(*args), capture_output=True, env=env, timeout=60, check=False, **options
    )


def fields(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]


# writing and reading


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

    assert list(entry) == fields(recollect.Entry)
    assert entry["tags"] == ["travel", "plane"]
    assert entry["aliases"] == ["chair"]
    assert entry["expires_at"] == "2100-01-01T00:00:00+00:00"
    assert (entry["category"], entry["origin"], entry["source"]) == ("daily", "user", "mail")
    assert (entry["importance"], entry["metadata"]) == (0.9, {"lang": "pt"})


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
    assert [list(one) for one in parsed("history", "seat")] == [fields(recollect.Revision)]


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

    assert list(receipt) == fields(recollect.Receipt)
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
    assert list(parsed("show", "trip")[0]) == fields(recollect.Event)
    assert parsed("show", "trip", "--after", "9") == []
    assert [list(one) for one in parsed("sessions")] == [fields(recollect.SessionInfo)]
    assert ok("sessions").split("\t")[:2] == ["trip", "2"]


def test_an_unknown_session_is_not_found():
    assert run("show", "nowhere").exit_code == 3


# recall


def test_recall_prints_score_source_time_and_text():
    ok("remember", "Prefers window seats", "--name", "seat")
    ok("append", "trip", "user", "A window would be nice", "--at", "2026-03-01")

    lines = [line.split("\t") for line in ok("recall", "window").splitlines()]

    assert {line[1] for line in lines} == {"seat", "trip#1"}
    assert all(float(line[0]) >= 0 for line in lines)
    assert ["2026-03-01 00:00:00", "A window would be nice"] in [line[2:] for line in lines]


def test_recall_as_json_has_the_fields_of_a_hit():
    ok("remember", "Prefers window seats", "--name", "seat")

    (hit,) = parsed("recall", "window")

    assert list(hit) == fields(recollect.Hit)
    assert list(hit["source"]) == fields(recollect.Source)
    assert list(hit["entry"]) == fields(recollect.Entry)
    assert hit["at"].endswith("+00:00")


def test_recall_honours_its_filters():
    ok("remember", "window one", "--name", "a", "--tag", "t", "--category", "daily")
    ok("append", "trip", "user", "window two", "--at", "2026-03-01")
    ok("append", "home", "user", "window three", "--at", "2026-03-05")

    def texts(*options: str) -> set[str]:
        return {hit["text"] for hit in parsed("recall", "window", *options)}

    assert texts("--kind", "note") == texts("--tag", "t") == {"window one"}
    assert texts("--category", "daily") == texts("--origin", "agent") == {"window one"}
    assert texts("--session", "trip") == texts("--until", "2026-03-02") == {"window two"}
    assert texts("--since", "2026-03-04", "--kind", "message") == {"window three"}
    assert len(texts("--limit", "1")) == 1
    assert len(texts("--mode", "keyword")) == 3


def test_explain_shows_a_bar_for_each_part():
    ok("remember", "Prefers window seats", "--name", "seat")
    ok("remember", "Likes tea", "--name", "tea")
    (hit,) = parsed("recall", "window", "--limit", "1", "--mode", "keyword")

    lines = ok("recall", "window", "--limit", "1", "--mode", "keyword", "--explain").splitlines()

    assert hit["parts"]
    assert {line.split()[1] for line in lines[1:]} == set(hit["parts"])
    assert all("█" in line for line in lines[1:])


def test_recall_first_makes_the_vectors_that_writers_left():
    ok("remember", "Prefers window seats", "--name", "seat")
    assert parsed("stats")["embedded"] == 0

    ok("recall", "window")

    assert parsed("stats")["embedded"] == 1


@pytest.mark.parametrize(("option", "note"), [("--explain", "201 chunks wait"), ("--quiet", "")])
def test_a_long_queue_is_left_to_flush_and_said_so(tmp_path, option, note):
    with recollect.open(tmp_path / "agent.db", embedder="none") as memory:
        texts = [{"role": "user", "content": f"window {number}"} for number in range(201)]
        memory.space("default").session("s").extend(texts)

    result = run("recall", "window", option)

    assert result.exit_code == 0
    assert note in result.stderr
    assert bool(note) == bool(result.stderr)
    assert ok("flush") == "201 of 201 chunks embedded, 0 failed\n"
    assert run("recall", "window").stderr == ""


def test_asker_none_leaves_no_trace():
    ok("remember", "window", "--name", "seat")

    ok("recall", "window", "--asker", "none")
    assert parsed("stats")["signals"] == 0
    ok("recall", "window")
    assert parsed("stats")["signals"] == 1


def test_finding_nothing_is_no_error():
    assert ok("recall", "anything") == ""
    assert parsed("recall", "anything") == []


# the memory as a whole


def test_reading_makes_no_file(tmp_path):
    for args in (["list"], ["sessions"], ["spaces"], ["stats"], ["check"], ["recall", "x"]):
        ok(*args)

    assert list(tmp_path.iterdir()) == []


def test_the_default_memory_is_made_in_the_data_folder_on_the_first_write(monkeypatch):
    monkeypatch.delenv("RECOLLECT_DB")
    path = Path(parsed("stats")["path"])
    assert run("get", "seat").exit_code == 3
    assert not path.parent.exists()

    ok("remember", "window", "--name", "seat")

    assert path.is_file()
    assert ok("get", "seat") == "window\n"


def test_spaces_are_listed_and_counted():
    ok("remember", "x", "--space", "ana")
    ok("remember", "y", "--space", "ben")

    assert parsed("spaces") == ["ana", "ben"]
    assert ok("spaces") == "ana\nben\n"
    assert parsed("stats")["entries"] == 2
    assert parsed("stats", "--space", "ana")["entries"] == 1
    assert list(parsed("stats")) == fields(recollect.Stats)
    assert run("stats", "--space", "eve").exit_code == 3


def test_check_is_clean_and_quiet_on_stdout():
    ok("append", "trip", "user", "Oslo")

    result = run("check")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "all is well" in result.stderr
    assert parsed("check") == []


def test_check_ends_with_1_when_the_log_was_changed(tmp_path):
    ok("append", "trip", "user", "Oslo")
    with sqlite3.connect(tmp_path / "agent.db") as raw:
        raw.execute("UPDATE events SET content = 'Rome'")
    raw.close()

    result = run("check", "--json")

    assert result.exit_code == 1
    assert list(json.loads(result.stdout)[0]) == fields(recollect.Violation)
    assert run("check").stdout.startswith("chain\tdefault/trip\t")


def test_a_backup_holds_the_same_and_overwrites_nothing(tmp_path):
    ok("remember", "window", "--name", "seat")
    copy = str(tmp_path / "copy.db")

    assert ok("backup", copy) == f"{copy}\n"
    assert ok("get", "seat", "--db", copy) == "window\n"
    assert run("backup", copy).exit_code == 2


def test_index_builds_anew_and_embeds_what_waits():
    ok("remember", "window", "--name", "seat")

    assert ok("index") == "1 chunks indexed\n"
    assert parsed("stats")["embedded"] == 1
    assert parsed("index", "--vectors") == {"chunks": 1}
    assert parsed("stats")["embedded"] == 1
    assert parsed("check") == []


# errors


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["get", "nope"], 3),
        (["history", "nope"], 3),
        (["write", "nope", "x"], 3),
        (["rename", "nope", "x"], 3),
        (["alias", "nope", "x"], 3),
        (["forget", "nope", "--yes"], 3),
        (["forget", "nope"], 3),
        (["list", "--after", "nope"], 3),
        (["remember", "x", "--name", "seat", "--no-replace"], 4),
        (["rename", "tea", "seat"], 4),
        (["append", "trip", "user", "x", "--seq", "1"], 4),
        (["remember", " "], 2),
        (["remember", "x", "--importance", "7"], 2),
        (["remember", "x", "--metadata", "{"], 2),
        (["remember", "x", "--metadata", "[1]"], 2),
        (["recall", "x", "--profile", "magic"], 2),
        (["recall", "x", "--limit", "-1"], 2),
        (["recall", "x", "--mode", "magic"], 2),
        (["recall", "x", "--embedder", "magic"], 2),
        (["recall", "x", "--mode", "vector", "--embedder", "none"], 1),
        (["get", "x", "--space", " "], 2),
        (["get", "x", "--db", "missing/folder/agent.db"], 2),
        (["get", "x", "--db", "magic://host"], 1),
        (["remember"], 2),
        (["dance"], 2),
        (["--dance"], 2),
        (["recall", "x", "--dance"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_a_failure_is_one_line_and_its_exit_code(args, code):
    ok("remember", "window", "--name", "seat")
    ok("remember", "green", "--name", "tea")
    ok("append", "trip", "user", "Oslo")

    plain, document = run(*args), run(*args, "--json")

    assert (plain.exit_code, document.exit_code) == (code, code), plain.output
    assert plain.stdout == document.stdout == ""
    assert plain.stderr.startswith("recollect: ")
    assert plain.stderr.count("\n") == 1
    error = json.loads(document.stderr)["error"]
    assert list(error) == ["type", "message"]
    assert error["message"] in plain.stderr


def test_a_directory_in_place_of_the_file_is_refused(tmp_path):
    result = run("list", "--db", str(tmp_path))

    assert result.exit_code == 2
    assert "is a directory" in result.stderr


def test_a_foreign_file_is_refused_and_left_alone(tmp_path):
    foreign = tmp_path / "letter.txt"
    foreign.write_text("dear memory, " * 20)

    for args in (["list"], ["remember", "x"], ["check"], ["stats"]):
        assert run(*args, "--db", str(foreign)).exit_code == 1

    assert foreign.read_text() == "dear memory, " * 20


# as a process


def test_the_process_ends_with_the_exit_code_and_no_traceback():
    done = process("remember", "Prefers window seats", "--name", "seat")
    assert (done.returncode, done.stdout) == (0, f"seat{os.linesep}".encode())

    missing = process("get", "nope")
    assert missing.returncode == 3
    assert missing.stderr.decode().startswith("recollect: there is no entry 'nope'")
    assert b"Traceback" not in missing.stderr


def test_text_is_utf8_whatever_the_locale_says():
    c_locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    process("remember", "-", "--name", "poem", input="ação 日本 🙂".encode(), env=c_locale)

    done = process("get", "poem", env=c_locale | {"PYTHONIOENCODING": "ascii"})

    assert done.stdout.decode("utf-8").rstrip() == "ação 日本 🙂"


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are always text there")
def test_an_argument_that_is_no_text_is_refused_in_words():
    done = process("remember", b"caf\xe9")

    assert done.returncode == 2
    assert done.stderr.startswith(b"recollect: ")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end differently there")
def test_a_reader_that_has_seen_enough_is_no_failure(tmp_path):
    with recollect.open(tmp_path / "agent.db", embedder="none") as memory:
        texts = [{"role": "user", "content": "words " * 200} for _ in range(300)]
        memory.space("default").session("s").extend(texts)
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    read, written = os.pipe()
    os.close(read)

    done = subprocess.run(
        command("show", "s"), stdout=written, stderr=subprocess.PIPE, env=env, check=False
    )
    os.close(written)

    assert (done.returncode, done.stderr) == (0, b"")


def on_terminal(*args: str, typed: bytes = b"", **env: str) -> tuple[int, str]:
    """Run with a terminal at all three ends; the exit code and all that was shown."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "120", "TERM": "xterm"} | env
    with subprocess.Popen(
        command(*args), stdin=theirs, stdout=theirs, stderr=theirs, env=env
    ) as one:
        os.close(theirs)
        os.write(ours, typed)
        shown = b""
        try:
            while block := os.read(ours, 4096):
                shown += block
        except OSError:
            pass  # how Linux says that the other end is closed
        os.close(ours)
    return one.returncode, shown.decode()


def test_stored_control_characters_do_not_reach_a_terminal():
    ok("remember", "red \x1b[31malert", "--name", "evil")

    for args in (["get", "evil"], ["list"], ["recall", "alert", "--explain"]):
        code, shown = on_terminal(*args, NO_COLOR="1")
        assert code == 0
        assert "red �[31malert" in shown
        assert "\x1b" not in shown
    assert ok("get", "evil") == "red \x1b[31malert\n"


def test_forget_asks_on_a_terminal_and_takes_no_for_an_answer():
    ok("remember", "window", "--name", "seat")

    code, shown = on_terminal("forget", "seat", typed=b"n\n")
    assert code == 1
    assert "Forget 'seat' ('window')?" in shown
    assert ok("get", "seat") == "window\n"

    assert on_terminal("forget", "seat", typed=b"y\n")[0] == 0
    assert run("get", "seat").exit_code == 3


def test_long_work_shows_a_bar_on_a_terminal_only():
    ok("remember", "window", "--name", "seat")

    assert "100%" in on_terminal("index")[1]
    assert "100%" not in on_terminal("index", "--quiet")[1]
    assert run("index").stderr == ""


def test_help_and_completion_load_no_numpy():
    program = (
        "import sys; from recollect.surfaces.cli import cli; "
        "cli.main(['recall', '--help'], standalone_mode=False); "
        "assert not {'numpy', 'onnxruntime', 'blake3', 'rich'} & set(sys.modules)"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", program], env=env, check=True, capture_output=True)


def test_the_shell_is_told_verbs_and_options():
    env = {"_RECOLLECT_COMPLETE": "bash_complete", "COMP_CWORD": "1", "COMP_WORDS": "recollect re"}
    done = process(env=env)
    words = {line.split(",")[1] for line in done.stdout.decode().split()}

    assert words == {"remember", "recall", "remind", "rename"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for(shell):
    assert "_RECOLLECT_COMPLETE" in ok("completion", shell)


def test_the_demo_tells_its_story_on_the_default_embedder():
    done = process("demo", env={"RECOLLECT_EMBEDDER": "minilm", "NO_COLOR": "1"})
    told = done.stdout.decode()

    assert (done.returncode, done.stderr) == (0, b"")
    assert "\x1b" not in told
    assert re.search(r"doctor's appointment.*\n.*The vet has a free slot", told)
    assert re.search(r"as_of=.*\n.*Porto\n.*\n.*Lisbon", told)
    assert "all is well" in told


def test_the_demo_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    ok("demo")

    assert list(tmp_path.iterdir()) == []


# help and documentation


@pytest.mark.parametrize("name", VERBS)
def test_the_help_of_every_verb_ends_with_an_example(name):
    verb = cli.commands[name]
    assert isinstance(verb, Verb)
    assert verb.examples

    told = ok(name, "--help")

    assert told.rstrip().endswith(verb.examples[-1])
    assert all(f"recollect {name}" in example for example in verb.examples)
    assert all(option in told for option in ("--db", "--space", "--json", "--quiet", "--embedder"))


def test_help_alone_lists_every_verb():
    assert all(re.search(rf"^  {name} ", ok(), re.MULTILINE) for name in VERBS)
    assert ok() == ok("--help") == ok("-h")


def test_the_version_is_the_packages():
    assert ok("--version").split()[-1] == recollect.__version__


def documentation() -> str:
    return (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


def test_every_verb_and_option_is_documented():
    text = documentation()
    headings = set(re.findall(r"^## ([\w-]+)$", text, re.MULTILINE))

    assert set(VERBS) <= headings
    for name in VERBS:
        for option in cli.commands[name].params:
            for flag in option.opts:
                assert not flag.startswith("--") or flag in text, f"{name} {flag}"


def test_every_documented_command_runs(tmp_path):
    blocks = re.findall(r"```sh\n(.*?)```", documentation(), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) > 30

    for line in lines:
        feed, _, typed = line.rpartition(" | ")
        words = shlex.split(typed)
        assert words[0] == "recollect", line
        result = run(*words[1:], stdin=shlex.split(feed)[1] + "\n" if feed else None)
        assert result.exit_code == 0, f"{line}: {result.output}"
