"""Approvals in a hook: denied commands are denied, allowed ones pass only if asked for."""

import json


def decision(host, command, *words):
    given = host.input(tool_name="Bash", tool_input={"command": command})
    code, out, err = host.raw("PreToolUse", json.dumps(given).encode(), *words)
    assert (code, err) == (0, "")
    return json.loads(out)["hookSpecificOutput"]["permissionDecision"] if out else None


def test_denied_commands_are_denied_and_allowed_ones_pass_only_if_asked_for(host):
    def prepare(space):
        space.approvals.allow("git")
        space.approvals.deny("git push")

    host.space(prepare)

    assert decision(host, "git push origin") == "deny"
    assert decision(host, "git status") is None
    assert decision(host, "git status", "--approve") == "allow"
    assert decision(host, "git status; rm -rf /", "--approve") is None
    assert decision(host, "ls", "--approve") is None
