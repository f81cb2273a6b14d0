"""gunicorn, with the application loaded before and after it forks: nothing acknowledged is lost."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent

import pytest

import ricordo
from tier import report, tier

pytest.importorskip("gunicorn", reason="gunicorn does not run on this system")
REQUESTS = tier(40, 400)
APPLICATION = """
    import os, ricordo

    memory = ricordo.open(os.environ["MEMORY"], embedder="none")
    memory.space("ana").session("log").append("system", f"loaded by {os.getpid()}")

    def app(environ, start_response):
        words = environ["QUERY_STRING"]
        memory.space("ana").session("log").append("user", words)
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [str(os.getpid()).encode()]
"""


def ask(address: tuple[str, int], words: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(*address, timeout=30)
    connection.request("GET", f"/?{words}")
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body


def wait_for(address: tuple[str, int], server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert server.poll() is None, "gunicorn has ended"
        try:
            socket.create_connection(address, 1).close()
            return
        except OSError:
            os.sched_yield()
    raise AssertionError("gunicorn does not answer")


@pytest.mark.parametrize("options", [(), ("--preload",)], ids=["plain", "preload"])
def test_workers_of_gunicorn_lose_nothing(options, tmp_path):
    (tmp_path / "application.py").write_text(dedent(APPLICATION))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = probe.getsockname()
    path = tmp_path / "a.db"
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "-b", f"127.0.0.1:{address[1]}", "--workers", "3",
         "--threads", "2", "--log-level", "error", *options, "application:app"],
        cwd=tmp_path,
        env=os.environ | {
            "MEMORY": str(path),
            "PYTHONPATH": os.pathsep.join(filter(None, (str(tmp_path), *sys.path))),
        },
    )  # fmt: skip
    try:
        wait_for(address, server)
        with ThreadPoolExecutor(6) as clients:
            told = list(clients.map(lambda n: ask(address, f"request{n}"), range(REQUESTS)))
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)

    assert {status for status, _ in told} == {200}
    with ricordo.open(Path(path), embedder="none") as memory:
        log = [event.content for event in memory.space("ana").session("log").events()]
        assert {f"request{n}" for n in range(REQUESTS)} <= set(log)
        assert memory.check() == []
    row = f"10 forks: gunicorn {' '.join(options)}".strip()
    report(row, acknowledged=len(told), workers=len({pid for _, pid in told}), lost=0)
