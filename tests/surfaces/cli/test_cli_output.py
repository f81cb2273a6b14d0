"""What the command line prints where: documents, streams that are closed, hosts, the demo."""

import json
import os
import subprocess
import sys

import pytest
from command_line import ROOT, ok, run

from ricordo.surfaces.hooks import main


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line for a shell in which `ricordo` is this one."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHON": sys.executable}
    line = line.replace("ricordo ", '"$PYTHON" -m ricordo ')
    return subprocess.run(
        line, shell=True, env=env, capture_output=True, text=True, timeout=60, check=False
    )


# hosts


def test_print_config_without_a_host_prints_what_most_hosts_read():
    servers = json.loads(ok("mcp", "--print-config", "--quiet"))["mcpServers"]

    assert "--db" in servers["ricordo"]["args"]


@pytest.mark.parametrize(("options", "told"), [((), "hash"), (("--embedder", "none"), "none")])
def test_a_host_gets_the_embedder_of_option_or_environment(options, told):
    servers = json.loads(ok("mcp", "--print-config", "--quiet", *options))["mcpServers"]

    words = servers["ricordo"]["args"]
    assert words[words.index("--embedder") + 1] == told


def test_an_option_after_print_config_is_no_host():
    told = json.loads(ok("mcp", "--print-config", "--json"))

    assert "mcpServers" in json.loads(told["config"])
    assert json.loads(ok("mcp", "--print-config", "codex", "--json"))["host"] == "codex"
    assert run("mcp", "--print-config", "abacus").exit_code == 2


# streams


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of another kind")
@pytest.mark.parametrize("verb", ["list", "list --json", "--help", "recall tea --explain"])
def test_a_closed_stdout_is_no_failure(verb):
    done = shell(f"ricordo {verb} >&-")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of another kind")
def test_a_closed_stderr_changes_neither_result_nor_exit_code():
    done = shell("ricordo get nope 2>&-")

    assert (done.returncode, done.stdout) == (3, "")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of another kind")
def test_a_hook_is_silent_on_a_closed_stdout():
    done = shell("ricordo hook --help >&-")

    assert (done.returncode, done.stderr) == (0, "")


def test_a_hook_takes_the_options_of_every_verb(capsys):
    assert main.main(["SessionStart", "--json", "--quiet", "--embedder", "hash"]) == 0

    assert "not recognized" not in capsys.readouterr().err
    assert main._options(["Stop", "--json"]).event == "Stop"


# the demo


def test_the_demo_is_one_document_on_wish():
    told = json.loads(ok("demo", "--json"))

    assert list(told) == ["scenes", "seconds"]
    (first, *_) = told["scenes"]
    assert first["title"] == "From nothing to the first recall"
    assert any("ana.remember" in step["code"] for step in first["steps"])
    assert first["steps"][-1]["answers"]


def test_the_demo_praises_only_what_was_found():
    told = ok("demo")

    assert (
        "The vet has a free slot" not in told.split("doctor of her pet")[1].split("And by time")[0]
    )
    assert "shares no word" not in told
    assert "this embedder knows words, not their meaning" in told
