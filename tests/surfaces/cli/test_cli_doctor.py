"""The doctor, settings and where they come from, and completion."""

import contextlib
import json
import sqlite3
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from command_line import ROOT, ok, parsed, run

import ricordo
from ricordo.surfaces import findings
from ricordo.surfaces.cli.call import Call
from ricordo.surfaces.output import Printer


def test_a_command_names_the_memory_so_that_it_is_found_in_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def name(db):
        return Call(db, None, None, Printer(False, False)).db_option

    assert name("agent.db") == str(tmp_path / "agent.db")
    assert name("postgresql://ana:secret@host/db") == "postgresql://ana@host/db"
    assert name(None) is None


def test_the_doctor_finds_nothing_wrong_with_a_healthy_memory(tmp_path):
    ok("remember", "window", "--name", "seat")

    told = parsed("doctor")

    assert (told["json"], told["ok"]) == (1, True)
    found = {each["what"]: each for each in told["findings"]}
    assert found["version"]["detail"] == f"ricordo {ricordo.__version__}"
    assert found["db"]["detail"] == str(tmp_path / "agent.db")
    assert found["check"]["detail"] == "all rules hold"
    assert int(found["schema"]["detail"]) > 0
    assert found["embedder"]["detail"].startswith("hash makes vectors")
    assert "embedder = hash (environment)" in ok("doctor")


def test_the_doctor_tells_of_times_in_the_future_and_how_to_go_on(tmp_path):
    later = datetime.now(UTC) + timedelta(days=365)
    with ricordo.open(tmp_path / "agent.db", embedder="none", clock=lambda: later) as memory:
        memory.space("ana").remember("from next year", name="odd")
    ok("remember", "short", "--expires-at", "2020-01-01T00:00:00Z", "--name", "short")

    result = run("doctor")

    assert result.exit_code == 1
    assert "1 entries of space 'ana' have a time in the future" in result.stdout
    assert "run: ricordo maintain --confirm-clock" in result.stdout
    waiting = run("maintain")
    assert "entries\t" not in waiting.stdout
    assert "nothing was deleted by age" in waiting.stderr
    assert "entries\t1\n" in ok("maintain", "--confirm-clock")
    assert {"what": "clock", "state": "ok", "detail": "agrees with the stored times"} in parsed(
        "doctor"
    )["findings"]


def test_the_doctor_tries_both_bundled_models():
    found = {each["what"]: each for each in parsed("--embedder", "bundled", "doctor")["findings"]}

    assert found["embedder"]["state"] == "ok"
    assert "minilm-ricordo" in found["embedder"]["detail"]
    assert "use-multilingual" in found["embedder"]["detail"]


def test_the_doctor_knows_every_extra_that_can_be_installed():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name for name, needs in declared["optional-dependencies"].items() if needs}

    assert set(findings._EXTRAS) == extras


def test_the_doctor_makes_nothing(tmp_path):
    assert "nothing was written yet" in ok("doctor")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--db", "letter"], "memory"),
        (["--db", "missing/agent.db"], "memory"),
        (["--embedder", "magic"], "embedder"),
        (["--config", "letter"], "settings"),
    ],
)
def test_the_doctor_says_what_is_wrong_and_looks_at_the_rest(tmp_path, options, what):
    (tmp_path / "letter").write_text("dear memory, " * 20)

    result = run("doctor", *options, "--json")

    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert not told["ok"]
    assert what in [each["what"] for each in told["findings"] if each["state"] == "wrong"]
    assert told["findings"][-1]["what"] == "environment"


def test_settings_are_told_with_their_origin(tmp_path, monkeypatch):
    (tmp_path / "own.toml").write_text('max_limit = 7\ndurability = "normal"\n')
    monkeypatch.setenv("RICORDO_DURABILITY", "full")

    listed = parsed("config", "show", "--origin", "--config", "own.toml", "--embedder", "none")
    found = {each["name"]: (each["value"], each["origin"]) for each in listed}

    assert found["max_limit"] == (7, "file")
    assert found["durability"] == ("full", "environment")
    assert found["embedder"] == ("none", "argument")
    assert found["db"] == (str(tmp_path / "agent.db"), "environment")
    assert found["space"] == ("default", "default")
    assert found["max_text"] == (10_000_000, "default")
    assert "max_text\t10000000\n" in ok("config", "show")


def test_a_password_in_a_url_is_not_shown():
    told = ok("config", "show", "--db", "postgresql://me:hunter2@server/agents")

    assert "postgresql://me@server/agents" in told
    assert "hunter2" not in told


def test_a_settings_file_is_heeded(tmp_path, monkeypatch):
    (tmp_path / "own.toml").write_text("max_limit = 3\n")

    assert run("recall", "x", "--limit", "4").exit_code == 0
    assert run("recall", "x", "--limit", "4", "--config", "own.toml").exit_code == 2
    monkeypatch.setenv("RICORDO_CONFIG", "own.toml")
    assert run("recall", "x", "--limit", "4").exit_code == 2


def test_installed_hooks_and_hosts_get_the_settings_file(tmp_path):
    (tmp_path / "own.toml").write_text("max_limit = 3\n")
    where = ["--settings", "settings.json", "--dry-run"]

    hooks = ok("install", "claude-code", *where, "--config", "own.toml")
    host = ok("mcp", "--print-config", "--quiet", "--config", "own.toml")

    assert f"--config {tmp_path / 'own.toml'}" in hooks
    assert str(tmp_path / "own.toml") in json.loads(host)["mcpServers"]["ricordo"]["args"]


def test_a_misspelt_variable_is_told_with_what_may_be_meant(monkeypatch):
    monkeypatch.setenv("RICORDO_EMBEDER", "hash")
    monkeypatch.setenv("RICORDO_ZZZ", "1")

    result = run("list")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "unknown variable RICORDO_EMBEDER; did you mean RICORDO_EMBEDDER?" in result.stderr
    assert "unknown variable RICORDO_ZZZ; see ricordo config show" in result.stderr
    assert run("list", "--quiet").stderr == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed_where_the_shell_looks(shell):
    path = Path(ok("completion", shell, "--install").strip())

    assert path.is_relative_to(Path.home())
    assert "_RICORDO_COMPLETE" in path.read_text()


def test_the_doctor_changes_no_older_memory(tmp_path):
    ok("remember", "Prefers window seats")
    with contextlib.closing(sqlite3.connect(tmp_path / "agent.db")) as raw:
        raw.execute("PRAGMA user_version = 7")
    before = (tmp_path / "agent.db").read_bytes()

    assert "older schema" in run("doctor").output
    assert (tmp_path / "agent.db").read_bytes() == before
