"""The MCP server as a process: what it says on stdout, and when it ends."""

import contextlib
import json
import signal
import subprocess
import sys
import threading

import pytest
from mcp_client import SEAT, initialize
from servers import SOURCE, command, environment

import ricordo


def messages(process, *sent):
    """Send lines to a server by hand and read as many back."""
    for each in sent:
        process.stdin.write(json.dumps(each).encode() + b"\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


@contextlib.contextmanager
def started(path, *words):
    with subprocess.Popen(
        command("mcp", "--db", str(path), *words),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        limit = threading.Timer(60, process.kill)  # a server that hangs fails the test
        limit.start()
        try:
            yield process
        finally:
            limit.cancel()
            process.kill()


def called(tool, given):
    params = {"name": tool, "arguments": given}
    return {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}


READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def test_nothing_but_messages_goes_to_stdout_and_the_end_of_input_ends_it(tmp_path):
    path = tmp_path / "agent.db"
    with started(path, "--space", "ana") as process:
        hello = messages(process, initialize())
        kept = messages(process, READY, called("remember", SEAT))
        process.stdin.close()
        rest, noise = process.stdout.read(), process.stderr.read()
        code = process.wait()

    assert hello["result"]["serverInfo"]["name"] == "ricordo"
    assert hello["result"]["serverInfo"]["version"] == ricordo.__version__
    assert kept["result"]["structuredContent"]["name"] == "travel/seat"
    assert (rest, noise, code) == (b"", b"", 0)
    assert [each.name for each in tmp_path.iterdir()] == ["agent.db"]  # closed: one file is left


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_and_closes_the_memory(tmp_path, number):
    with started(tmp_path / "agent.db") as process:
        messages(process, initialize())
        messages(process, READY, called("remember", SEAT))
        process.send_signal(number)

        assert process.wait() == 128 + number

    assert [each.name for each in tmp_path.iterdir()] == ["agent.db"]


def test_the_server_goes_when_its_client_is_killed(tmp_path):
    """A client in a process of its own starts the server, writes, and dies by SIGKILL."""
    script = (
        "import json, os, signal, subprocess, sys\n"
        f"words = {command('mcp', '--db', str(tmp_path / 'agent.db'))!r}\n"
        "server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        f"for each in {[initialize(), READY, called('remember', SEAT)]!r}:\n"
        "    server.stdin.write(json.dumps(each).encode() + b'\\n')\n"
        "server.stdin.flush()\n"
        "for _ in range(2):\n"
        "    print(server.stdout.readline().decode(), end='', flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    words = [sys.executable, "-c", script]
    with subprocess.Popen(
        words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as client:
        answers = [json.loads(client.stdout.readline()) for _ in range(2)]
        noise = client.stderr.read()  # the server has it too: it ends when the last of them is gone

    assert client.returncode == -signal.SIGKILL
    assert [each["id"] for each in answers] == [1, 2]
    assert noise == b""
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        assert memory.space("default").get("travel/seat") is not None
        assert memory.check() == []


def test_a_host_is_greeted_before_anything_heavy_is_imported():
    """A host waits for the handshake: store, models and registry come with the first request."""
    script = (
        "import sys\n"
        "from ricordo.surfaces.mcp.server import build\n"
        "from ricordo.surfaces.mcp.stdio import serve\n"
        "from ricordo.surfaces.server.lazy_memory import LazyMemory\n"
        "build(LazyMemory(lambda: None), lambda _: None)\n"
        "heavy = ('numpy', 'onnxruntime', 'apsw', "
        "'ricordo.handles.memory', 'ricordo.surfaces.tools')\n"
        "print(*[name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**environment(), "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == []


def test_the_verb_starts_alone_and_tells_of_a_mistake_like_every_other():
    """`start` imports no other verb, unless there is something to say."""
    script = (
        "import sys\n"
        "from ricordo.surfaces.cli.verbs.serve import start\n"
        "start(sys.argv[1:])\n"
        "assert 'ricordo.surfaces.cli.main' not in sys.modules\n"
    )

    def run(*words):
        return subprocess.run(
            [sys.executable, "-c", script, *words],
            env={**environment(), "RICORDO_SPACE": "bob"},
            capture_output=True,
            text=True,
            check=False,
        )

    told = run("mcp", "--print-config", "cursor", "--quiet")
    wrong = run("mcp", "--colour")

    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["mcpServers"]["ricordo"]["args"][-4:-2] == ["--space", "bob"]
    assert wrong.returncode == 2
    assert "--colour" in wrong.stderr
