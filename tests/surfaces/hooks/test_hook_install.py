"""Installing hooks: into the settings of a host, beside those of others, and out again."""

import json
import os
import subprocess
import sys

import pytest
from coding_host import SOURCE

from ricordo.surfaces.hooks import install as installing

FOREIGN = {
    "model": "opus",
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}],
    },
    "permissions": {"allow": ["Bash(ls)"]},
}


@pytest.fixture
def settings(tmp_path):
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(FOREIGN), "utf-8")
    return path


def cli(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "ricordo", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCE, **options.pop("env", {})},
        check=False,
        **options,
    )


def install(path, *words):
    done = cli("install", "claude-code", "--settings", str(path), *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands(path):
    """Every command by its event, in order."""
    hooks = json.loads(path.read_text("utf-8"))["hooks"]
    return {
        event: [hook["command"] for group in groups for hook in group["hooks"]]
        for event, groups in hooks.items()
    }


def test_installing_adds_hooks_and_keeps_those_of_others(settings):
    assert install(settings).startswith("changed\t")

    found = commands(settings)
    assert set(found) == set(installing.EVENTS)
    assert found["Stop"][0] == "say done"
    assert found["Stop"][1].endswith("hook Stop")
    after = json.loads(settings.read_text("utf-8"))
    assert (after["model"], after["permissions"]) == ("opus", FOREIGN["permissions"])
    assert after["hooks"]["PostToolUse"][1]["matcher"] == "*"


def test_installing_twice_changes_nothing_more(settings):
    install(settings)
    once = settings.read_bytes()

    assert install(settings).startswith("unchanged\t")
    assert settings.read_bytes() == once


def test_undo_restores_the_file_byte_for_byte(settings):
    before = settings.read_bytes()
    install(settings, "--approvals")
    assert "PreToolUse" in commands(settings)

    assert install(settings, "--undo").startswith("changed\t")

    assert settings.read_bytes() == before
    assert [path.name for path in settings.parent.iterdir()] == ["settings.json"]
    assert install(settings, "--undo").startswith("unchanged\t")


@pytest.mark.parametrize(
    "line", ["echo ricordo hook Stop", "notify 'ricordo hook Stop'", "ricordo check", "it's"]
)
def test_a_command_of_others_that_speaks_of_ricordo_is_kept(settings, line):
    own = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}}
    settings.write_text(json.dumps(own), "utf-8")

    install(settings)
    assert commands(settings)["Stop"][0] == line
    install(settings, "--undo")

    assert json.loads(settings.read_text("utf-8")) == own


@pytest.mark.parametrize(
    "line",
    [
        "'/opt/my tools/ricordo' hook Stop",
        "'/opt/it'\"'\"'s here/ricordo' hook Stop --db x",
        "RICORDO_DB=x ricordo hook Stop",
        "'C:\\tools\\ricordo.exe' hook Stop",
        "python3 -m ricordo hook Stop",
    ],
)
def test_hooks_of_an_earlier_install_give_way(settings, line):
    old = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}}
    settings.write_text(json.dumps(old), "utf-8")

    install(settings)

    assert len(commands(settings)["Stop"]) == 1
    assert line not in commands(settings)["Stop"]


def test_a_link_that_leads_nowhere_is_told(tmp_path):
    (tmp_path / "settings.json").symlink_to(tmp_path / "settings.json")

    done = cli("install", "claude-code", "--settings", str(tmp_path / "settings.json"))

    assert done.returncode == 2
    assert "cannot be resolved" in done.stderr
    assert "Traceback" not in done.stderr


def test_undo_takes_out_only_its_own_when_others_came_later(settings):
    install(settings)
    later = json.loads(settings.read_text("utf-8"))
    later["theme"] = "dark"
    later["hooks"]["Stop"][1]["hooks"].append({"type": "command", "command": "ring"})
    settings.write_text(json.dumps(later), "utf-8")

    install(settings, "--undo")

    after = json.loads(settings.read_text("utf-8"))
    assert after["theme"] == "dark"
    assert commands(settings) == {"Stop": ["say done", "ring"], "PostToolUse": ["fmt"]}


def test_a_file_that_was_not_there_is_gone_again_after_undo(tmp_path):
    path = tmp_path / "new" / "settings.json"
    install(path)
    assert path.stat().st_mode & 0o777 == 0o600

    install(path, "--undo")

    assert not path.exists()


def test_a_dry_run_prints_and_leaves_the_file_alone(settings):
    before = settings.read_bytes()

    printed = json.loads(install(settings, "--dry-run"))

    assert set(printed["hooks"]) == set(installing.EVENTS)
    assert settings.read_bytes() == before


@pytest.mark.parametrize("text", ["{oops", "[]", '{"hooks": []}', '{"hooks": {"Stop": 3}}'])
def test_settings_that_cannot_be_read_are_left_alone(settings, text):
    settings.write_text(text, "utf-8")

    done = cli("install", "claude-code", "--settings", str(settings))

    assert done.returncode == 2
    assert "unchanged" in done.stderr
    assert settings.read_text("utf-8") == text


def test_a_link_stays_a_link(settings, tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(settings)

    install(link)

    assert link.is_symlink()
    assert "SessionStart" in commands(settings)


def test_what_is_installed_runs(settings, host):
    done = cli(
        *("install", "claude-code", "--settings", str(settings)),
        *("--db", str(host.db), "--space", "my space", "--json"),
    )
    assert json.loads(done.stdout)["changed"] is True
    line = commands(settings)["UserPromptSubmit"][0]

    del host.env["RICORDO_DB"]
    given = json.dumps(host.input(prompt="Hello there"))
    ran = subprocess.run(
        line, shell=True, input=given, capture_output=True, text=True, env=host.env, check=False
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    with host.memory() as memory:
        [event] = memory.space("my space").session("s1").events()
    assert event.content == "Hello there"


def test_the_command_line_and_the_short_way_are_one(host):
    given = json.dumps(host.input(prompt="Hello"))
    done = cli("--db", str(host.db), "--space", "ana", "hook", "UserPromptSubmit", input=given)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with host.memory() as memory:
        assert [event.content for event in memory.space("ana").session("s1").events()] == ["Hello"]


# --- the MCP server beside the hooks ----------------------------------------------------------


def servers(settings):
    return settings.with_name(".claude.json")


def test_installing_adds_the_server_and_keeps_those_of_others(settings):
    own = {"mcpServers": {"weather": {"command": "weather"}}, "account": "secret-of-the-host"}
    servers(settings).write_text(json.dumps(own), "utf-8")
    before = servers(settings).read_bytes()

    printed = install(settings, "--db", "agent.db", "--json")

    after = json.loads(servers(settings).read_text("utf-8"))
    assert after["mcpServers"]["weather"] == {"command": "weather"}
    words = after["mcpServers"]["ricordo"]["args"]
    assert words[-5:-1] == ["mcp", "--space", "auto", "--db"]
    assert json.loads(printed)["mcp"]["changed"] is True
    assert "secret-of-the-host" not in printed
    assert install(settings, "--db", "agent.db").splitlines()[1].startswith("unchanged\t")
    install(settings, "--undo")
    assert servers(settings).read_bytes() == before


def test_a_server_of_the_same_name_that_is_another_is_kept(settings):
    own = {"mcpServers": {"ricordo": {"type": "http", "url": "http://127.0.0.1:8765/mcp"}}}
    servers(settings).write_text(json.dumps(own), "utf-8")

    done = cli("install", "claude-code", "--settings", str(settings))

    assert "another server called ricordo" in done.stderr
    assert json.loads(servers(settings).read_text("utf-8")) == own
    install(settings, "--undo")
    assert json.loads(servers(settings).read_text("utf-8")) == own


def test_a_file_of_servers_that_cannot_be_read_leaves_both_alone(settings):
    servers(settings).write_text("{oops", "utf-8")
    before = settings.read_bytes()

    done = cli("install", "claude-code", "--settings", str(settings))

    assert done.returncode == 2
    assert settings.read_bytes() == before
    assert servers(settings).read_text("utf-8") == "{oops"


def test_hooks_may_be_installed_without_the_server(settings):
    install(settings, "--no-mcp")

    assert "SessionStart" in commands(settings)
    assert not servers(settings).exists()


@pytest.mark.parametrize("project", [True, False], ids=["project", "user"])
def test_each_file_is_where_the_host_looks_for_it(host, project):
    env = {name: value for name, value in host.env.items() if name != "RICORDO_DB"}
    words = ["--project"] if project else []

    done = subprocess.run(
        [sys.executable, "-m", "ricordo", "install", "claude-code", *words],
        env=env,
        cwd=host.project,
        capture_output=True,
        check=True,
    )

    home = host.project if project else host.project.parent
    expected = [".claude/settings.json", ".mcp.json" if project else ".claude.json"]
    shown = [line.split("\t")[1] for line in done.stdout.decode().splitlines()]
    assert shown == [str(home / name) for name in expected]


def call_tools(command, env, folder, *calls):
    """Start an MCP server as a host does, call tools in turn, and end it."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
    hello["clientInfo"] = {"name": "test", "version": "1"}
    sent = [{"id": 0, "method": "initialize", "params": hello}]
    sent += [{"method": "notifications/initialized"}]
    for number, (tool, given) in enumerate(calls, 1):
        params = {"name": tool, "arguments": given}
        sent.append({"id": number, "method": "tools/call", "params": params})
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=env, cwd=folder, stdin=pipe, stdout=pipe) as process:
        answers = []
        for each in sent:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n")
            process.stdin.flush()
            if "id" in each:
                answers.append(json.loads(process.stdout.readline())["result"])
        process.stdin.close()
        assert process.wait(60) == 0
    return answers[1:]


def test_hooks_and_server_as_installed_share_the_memory_of_the_project(settings, host, tmp_path):
    install(settings, "--db", str(host.db))
    host.hook("UserPromptSubmit", "old", prompt="The zeppelin hangar is in Friedrichshafen")
    link = tmp_path / "link"
    link.symlink_to(host.project, target_is_directory=True)
    server = json.loads(servers(settings).read_text("utf-8"))["mcpServers"]["ricordo"]

    found = call_tools(
        [server["command"], *server["args"]],
        {name: value for name, value in host.env.items() if name != "RICORDO_DB"},
        link,
        ("recall", {"query": "zeppelin hangar"}),
        ("remember", {"content": "Lint before pushing", "name": "lint"}),
    )

    assert "Friedrichshafen" in str(found[0]["structuredContent"]["hits"][0])
    assert "> Lint before pushing" in host.context("SessionStart", "new", source="startup")
    with host.memory() as memory:
        assert memory.spaces() == [str(host.project)]
