"""Hooks are never in the host's way: bad input, a locked memory, and what a run costs."""

import json
import subprocess
import sys

import apsw
import pytest
from coding_host import KEY

EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop")


# --- never in the way -------------------------------------------------------------------------

GARBAGE = [
    b"",
    b"garbage",
    b"[]",
    b"null",
    b'"text"',
    b"{",
    b"{}",
    b'{"session_id": 3}',
    b'{"session_id": "  "}',
    b"\xff\xfe\x00",
    b"[" * 100_000,
]


@pytest.mark.parametrize("given", GARBAGE, ids=range(len(GARBAGE)))
def test_bad_input_is_one_line_on_stderr_and_nothing_else(host, given):
    code, out, err = host.raw("UserPromptSubmit", given)

    assert (code, out) == (0, "")
    assert err.startswith("ricordo hook: the input ")
    assert err.count("\n") == 1
    assert not host.db.exists()


@pytest.mark.parametrize("event", EVENTS)
def test_events_with_fields_of_the_wrong_kind_do_no_harm(host, event):
    given = host.input(prompt=3, tool_name=[], tool_input="x", tool_response=None, source={}, cwd=5)

    code, out, err = host.raw(event, json.dumps(given).encode())

    assert (code, out, err) == (0, "", "")


def test_an_unknown_event_is_told(host):
    code, out, err = host.raw("Nonsense", json.dumps(host.input()).encode())

    assert (code, out) == (0, "")
    assert "unknown event 'Nonsense'" in err


@pytest.mark.parametrize(
    "words",
    [["--nonsense"], ["Stop", "Stop"], *(["--timeout", wait] for wait in ("soon", "inf", "nan"))],
)
def test_a_command_line_that_makes_no_sense_does_not_refuse_the_prompt(host, words):
    code, out, err = host.raw("UserPromptSubmit", json.dumps(host.input()).encode(), *words)

    assert (code, out, err.count("\n")) == (0, "", 1)


def test_a_memory_that_cannot_be_used_is_told_and_left_alone(host):
    host.db.write_bytes(b"this is no database, but precious " * 40)
    before = host.db.read_bytes()

    code, out, err = host.raw("UserPromptSubmit", json.dumps(host.input(prompt=KEY)).encode())

    assert (code, out, err.count("\n")) == (0, "", 1)
    assert "not a memory" in err
    assert KEY not in err
    assert host.db.read_bytes() == before


def test_a_folder_that_is_not_there_is_told(host):
    host.env["RICORDO_DB"] = "/nowhere/at/all/agent.db"

    code, out, err = host.raw("UserPromptSubmit", json.dumps(host.input(prompt="x")).encode())

    assert (code, out, err.count("\n")) == (0, "", 1)
    assert "Traceback" not in err


def test_a_locked_memory_does_not_hold_up_the_host(host):
    host.hook("UserPromptSubmit", prompt="first")
    lock = apsw.Connection(str(host.db))
    lock.execute("BEGIN IMMEDIATE").fetchall()
    try:
        given = json.dumps(host.input(prompt=f"second {KEY}")).encode()
        code, out, err = host.raw("UserPromptSubmit", given, "--timeout", "1")
    finally:
        lock.execute("ROLLBACK").fetchall()
        lock.close()

    assert (code, out) == (0, "")
    assert err == (
        "ricordo hook: not finished within 1 s; "
        "nothing was answered; what it was given may be kept or not\n"
    )
    assert [event.content for event in host.events()] == ["first"]
    with host.memory() as memory:
        assert memory.check() == []


def test_two_hooks_at_once_on_one_file_both_get_through(host):
    running = [(n, host.start("UserPromptSubmit")) for n in range(6)]
    for n, process in running:
        given = json.dumps(host.input(prompt=f"line {n}", session=f"s{n % 2}")).encode()
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.close()
    for _, process in running:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stderr.read() == b""
        process.stdout.close()
        process.stderr.close()
        assert process.wait(60) == 0

    said = [event.content for s in ("s0", "s1") for event in host.events(s)]
    assert sorted(said) == [f"line {n}" for n in range(6)]
    with host.memory() as memory:
        assert memory.check() == []


def test_hooks_can_be_switched_off(host):
    host.env["RICORDO_HOOKS"] = "off"

    assert host.hook("UserPromptSubmit", prompt="Hello") is None
    assert not host.db.exists()


# --- speed ------------------------------------------------------------------------------------


def test_a_hook_loads_nothing_heavy(host):
    host.hook("UserPromptSubmit", "old", prompt="The zeppelin hangar")
    script = (
        "import sys, io, json\n"
        "sys.argv = ['ricordo', 'hook', 'UserPromptSubmit']\n"
        "from ricordo.surfaces.entry import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert end.code == 0\n"
        "heavy = ('click', 'numpy', 'onnxruntime', 'asyncio', 'tomllib', "
        "'ricordo.handles.memory')\n"
        "print(json.dumps([name for name in heavy if name in sys.modules]), file=sys.stderr)"
    )

    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(host.input("new", prompt="zeppelin hangar")).encode(),
        capture_output=True,
        env=host.env,
        check=True,
    )

    assert b"additionalContext" in done.stdout
    assert json.loads(done.stderr) == []


def test_the_cost_of_a_hook_is_shown(host, capsys):
    resource = pytest.importorskip("resource")
    host.hook("UserPromptSubmit", "old", prompt="The zeppelin hangar is in Friedrichshafen")
    costs = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        host.hook("UserPromptSubmit", "new", prompt="Where is the hangar of the zeppelin?")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    with capsys.disabled():
        sys.stdout.write(f" [hook: {min(costs) * 1000:.0f} ms of CPU] ")
    assert min(costs) > 0
