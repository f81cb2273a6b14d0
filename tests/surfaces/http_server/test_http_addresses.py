"""Where a server listens besides a port: on a Unix socket, and over TLS."""

import contextlib
import json
import socket
import ssl
import stat
import subprocess
import threading
import urllib.request

import pytest
from click.testing import CliRunner
from servers import command, environment

from ricordo.surfaces.cli.main import cli


@contextlib.contextmanager
def serving(folder, *words):
    common = ("serve", "--json", "--db", str(folder / "agent.db"))
    common += ("--tokens", str(folder / "tokens.json"), *words)
    with subprocess.Popen(
        command(*common), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        finished = threading.Timer(60, process.kill)  # a server that hangs fails the test
        finished.start()
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()
            process.wait()
            finished.cancel()
        assert process.stderr.read() == b""
        assert process.returncode == 0


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no Unix sockets")
def test_a_unix_socket_is_served_to_its_owner_and_a_stale_one_taken_over(tmp_path):
    path = tmp_path / "ricordo.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))  # as a killed server leaves it

    with serving(tmp_path, "--socket", str(path)) as told:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        head = f"GET /v1/spaces HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {told['token']}\r\n\r\n"  # noqa: E501
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(20)
            link.connect(str(path))
            link.sendall(head.encode())
            heard = b""
            while piece := link.recv(4_096):
                heard += piece

    assert told["url"] == f"unix:{path}"
    assert heard.startswith(b"HTTP/1.1 200 ")


def test_a_file_that_is_not_a_socket_stays_where_it_is(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine", encoding="utf-8")
    words = ["serve", "--socket", str(path), "--db", str(tmp_path / "a.db")]
    words += ["--tokens", str(tmp_path / "tokens.json")]

    result = CliRunner().invoke(cli, words, prog_name="ricordo")

    assert result.exit_code != 0
    assert "not a socket" in result.stderr
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_server_with_a_certificate_speaks_tls_alone(tmp_path):
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    make += ["-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-keyout", str(key)]
    make += ["-addext", "subjectAltName=IP:127.0.0.1", "-out", str(cert)]
    try:
        subprocess.run(make, check=True, capture_output=True, timeout=60)
    except FileNotFoundError:
        pytest.skip("there is no openssl here")

    with serving(tmp_path, "--port", "0", "--cert", str(cert), "--key", str(key)) as told:
        trust = ssl.create_default_context(cafile=str(cert))
        request = urllib.request.Request(
            f"{told['url']}/v1/spaces", headers={"Authorization": f"Bearer {told['token']}"}
        )
        with urllib.request.urlopen(request, timeout=30, context=trust) as reply:
            assert reply.status == 200
        host, port = told["url"].removeprefix("https://").split(":")
        with socket.create_connection((host, int(port)), timeout=20) as link:
            link.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            with contextlib.suppress(ConnectionResetError):
                assert b"200" not in link.recv(4_096)

    assert told["url"].startswith("https://127.0.0.1:")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--cert", "cert.pem"], "belong together"),
        (["--key", "key.pem"], "belong together"),
        (["--cert", "none.pem", "--key", "none.pem"], "cannot be read"),
    ],
)
def test_half_a_certificate_is_refused_before_anything_is_made(tmp_path, words, reason):
    words = ["serve", *words, "--tokens", str(tmp_path / "tokens.json")]

    result = CliRunner().invoke(cli, [*words, "--db", str(tmp_path / "a.db")], prog_name="ricordo")

    assert result.exit_code != 0
    assert reason in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", [("serve", "--tokens", "{folder}/tokens.json"), ("inspect",)])
def test_a_port_in_use_is_named_with_the_way_out(tmp_path, verb):
    words = [word.format(folder=tmp_path) for word in verb]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        told = CliRunner().invoke(
            cli, [*words, "--db", str(tmp_path / "agent.db"), "--port", str(port)]
        )

    assert told.exit_code == 2
    assert f"port {port} is in use at 127.0.0.1" in told.stderr
    assert "--port" in told.stderr


def test_a_host_that_is_not_of_this_machine_is_named(tmp_path):
    words = ("serve", "--db", str(tmp_path / "agent.db"), "--tokens", str(tmp_path / "t.json"))
    told = CliRunner().invoke(cli, [*words, "--host", "192.0.2.1", "--allow-host", "a.example"])

    assert told.exit_code == 2
    assert "192.0.2.1 port 8765 cannot be listened at" in told.stderr
