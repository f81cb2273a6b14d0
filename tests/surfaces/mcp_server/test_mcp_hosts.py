"""Settings of hosts: what is printed for a host starts the server."""

import json

import pytest
from click.testing import CliRunner

from ricordo.surfaces.cli.hosts import HOSTS, configuration
from ricordo.surfaces.cli.main import cli


def test_no_settings_are_printed_for_a_toolset_that_is_not_there():
    words = ["mcp", "--print-config", "codex", "--toolset", "note"]

    done = CliRunner().invoke(cli, words)

    assert done.exit_code == 2
    assert "did you mean 'notes'" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("host", HOSTS)
def test_the_settings_of_a_host_start_the_server(host):
    words = ["mcp", "--db", "/data/my agent.db", "--space", "ana 🦊"]

    text = configuration(host, words)

    if host == "claude-code":
        assert text.startswith("claude mcp add ricordo -- ")
        assert "'/data/my agent.db'" in text
        return
    if host == "codex":
        import tomllib

        found = tomllib.loads(text)["mcp_servers"]["ricordo"]
    else:
        [servers] = json.loads(text).values()
        found = servers["ricordo"]
    assert found["args"][-len(words) :] == words
    assert found["command"]


@pytest.mark.parametrize("host", HOSTS)
def test_a_coding_host_gets_the_space_of_its_project(host):
    words = ["mcp", "--print-config", host, "--quiet"]

    printed = CliRunner(env={"RICORDO_SPACE": None}).invoke(cli, words).stdout
    chosen = CliRunner().invoke(cli, [*words, "--space", "ana"]).stdout

    assert ("auto" in printed) is (host not in ("any", "claude-desktop"))
    assert "auto" not in chosen
