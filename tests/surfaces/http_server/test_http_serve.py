"""`ricordo serve`: where it listens, whom it lets in, and what it leaves behind."""

import json
import signal
import subprocess
import threading
import urllib.parse
import urllib.request

import pytest
from click.testing import CliRunner
from http_space import BASE
from servers import command, environment

import ricordo
from ricordo.surfaces.cli.main import cli


def test_serve_tells_where_it_listens_makes_a_token_and_leaves_one_file(tmp_path):
    tokens, path = tmp_path / "tokens.json", tmp_path / "agent.db"
    words = ("serve", "--port", "0", "--db", str(path), "--tokens", str(tokens), "--json")
    with subprocess.Popen(
        command(*words), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        finished = threading.Timer(60, process.kill)  # a server that hangs fails the test
        finished.start()
        told = json.loads(process.stdout.readline())
        token = told["token"]
        assert token not in tokens.read_text(encoding="utf-8")
        request = urllib.request.Request(
            f"{told['url']}{BASE}/tools/remember",
            data=b'{"content": "Prefers window seats", "name": "seat"}',
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            assert reply.status == 200
        process.send_signal(signal.SIGTERM)
        rest, noise = process.communicate()
        finished.cancel()

    assert (rest, noise) == (b"", b"")
    assert process.returncode == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "agent.db",
        "tokens.json",
        "tokens.json.audit",
        "tokens.json.used",
    ]
    with ricordo.open(path, embedder="none") as memory:
        assert memory.space("ana").get("seat").content == "Prefers window seats"


@pytest.mark.parametrize(
    "words",
    [
        ("--allow-host", "memory.example.org:8765"),
        ("--allow-host", "https://memory.example.org"),
        ("--allow-host", "*"),
        ("--allow-origin", "*"),
        ("--allow-origin", "example.org"),
        ("--allow-origin", "https://example.org/app"),
    ],
)
def test_what_could_never_be_let_in_is_refused_at_the_start(tmp_path, words):
    file = ("--tokens", str(tmp_path / "tokens.json"))
    elsewhere = ("--host", "192.0.2.1", "--allow-host", "memory.example.org")  # no address of ours

    done = CliRunner().invoke(cli, ["serve", *elsewhere, *words, *file])

    assert done.exit_code == 2
    assert " ".join((words[0], repr(words[1]))) in done.stderr


def test_serving_others_needs_a_name_to_be_asked_by(tmp_path):
    done = subprocess.run(
        command("serve", "--host", "0.0.0.0", "--tokens", str(tmp_path / "tokens.json")),
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "--allow-host" in done.stderr
