"""What one client can take of a server: descriptors, time for a head, and lines of its log."""

import asyncio
import contextlib
import json
import logging
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn
from servers import command, environment

from ricordo.surfaces.quiet_log import PAUSE_SECONDS, Gate, Sparing
from ricordo.surfaces.server.connections import MOST_OPEN, Listener, TimedConnection, find_bound
from ricordo.surfaces.server.listen import ListenAddress, configure
from tier import report, tier

resource = pytest.importorskip("resource")


@dataclass(frozen=True)
class Process:
    """`ricordo serve` with few descriptors, in a process of its own."""

    url: str
    pid: int
    folder: Path
    token: str

    def ask(self, path, given=None):
        """Status and JSON of an answer."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if given is None else json.dumps(given).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def memory(self):
        """Bytes in RAM."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize()

    def log(self, part):
        lines = (self.folder / "log").read_text(encoding="utf-8").splitlines()
        return [line for line in lines if part in line]


@pytest.fixture(scope="module")
def process(tmp_path_factory):
    folder = tmp_path_factory.mktemp("process")
    words = ("serve", "--port", "0", "--json", "--db", str(folder / "agent.db"))
    words += ("--tokens", str(folder / "tokens.json"))
    limited = ["sh", "-c", 'ulimit -n 128; exec "$@"', "sh", *command(*words)]
    with (folder / "log").open("wb") as log:
        started = subprocess.Popen(limited, env=environment(), stdout=subprocess.PIPE, stderr=log)
    finished = threading.Timer(120, started.kill)  # a server that hangs fails the test
    finished.start()
    told = json.loads(started.stdout.readline())
    yield Process(told["url"], started.pid, folder, told["token"])
    started.terminate()
    started.wait()
    started.stdout.close()
    finished.cancel()


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nA: "])
def test_half_open_connections_past_the_bound_keep_nobody_out(process, sent):
    count = tier(300, 5_000)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, count + 500)), hard))
    host, port = process.url.removeprefix("http://").split(":")
    before = process.memory()
    slowest = 0.0
    with contextlib.ExitStack() as links:
        opened = []
        for number in range(count):
            link = links.enter_context(socket.create_connection((host, int(port)), timeout=20))
            link.sendall(sent)
            opened.append(link)
            if number % (count // 10) == 0:
                start = time.monotonic()
                assert process.ask("/healthz") == (200, {"status": "ok"})
                slowest = max(slowest, time.monotonic() - start)
        assert process.ask("/v1/spaces")[0] == 200
        refusal = opened[0].recv(4_096)

    assert refusal.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert b"retry-after: 5" in refusal
    assert json.loads(refusal.partition(b"\r\n\r\n")[2])["status"] == 503
    assert process.memory() - before < 40_000_000
    assert 1 <= len(process.log("")) == len(process.log("too many connections")) <= 5
    report("half-open connections", opened=count, slowest_health_s=round(slowest, 3),
           grown_mb=round((process.memory() - before) / 1e6, 1))  # fmt: skip


def test_where_all_connections_are_busy_a_new_one_is_answered_503():
    with socket.socket() as given, contextlib.ExitStack() as links:
        given.bind(("127.0.0.1", 0))
        own = links.enter_context(Listener.around(given, 0))
        own.listen()
        own.setblocking(False)
        client = links.enter_context(socket.create_connection(own.getsockname(), timeout=20))
        with pytest.raises(BlockingIOError):  # it accepts, refuses, and finds nobody else
            own.accept()

        assert read_all(client).startswith(b"HTTP/1.1 503 Service Unavailable\r\n")


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits cannot be set from outside")
def test_a_server_that_may_write_no_more_says_so_until_it_may(process):
    """The limit of a file's size, as some hosts set it; a full disk has a test of its own."""
    call = "/v1/spaces/ana/tools/remember"
    assert process.ask(call, {"content": "x", "name": "first"})[0] == 200
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    size = max(each.stat().st_size for each in process.folder.iterdir())

    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    status, refused = process.ask(call, {"content": "word " * 90_000, "name": "big"})
    _, again = process.ask(call, {"content": "word " * 90_000, "name": "big"})
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    health = process.ask("/healthz")
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, unlimited)

    assert (status, refused["kind"]) in ((507, "disk_full"), (503, "unavailable"))
    assert again["kind"] == refused["kind"]
    assert health[0] == 200
    assert health[1]["status"] == "degraded"
    assert health[1]["reason"] in ("disk_full", "unavailable")
    assert process.ask("/healthz") == (200, {"status": "ok"})
    assert process.ask(call, {"content": "x", "name": "second"})[0] == 200
    assert len(process.log("tool remember")) == 1
    assert len(process.log("writes work again")) == 1


def test_the_bound_leaves_descriptors_for_files():
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)

    assert min(limit // 2, MOST_OPEN) <= find_bound() < limit
    assert find_bound() <= MOST_OPEN


@pytest.fixture
def port(monkeypatch):
    """A server in this process whose clients have little time for a head."""
    monkeypatch.setattr(TimedConnection, "head_seconds", 0.1)
    config = configure(hello, ListenAddress())
    config.lifespan = "off"
    own = Listener.around(config.bind_socket(), find_bound())
    own.listen()
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [own]})
    thread.start()
    try:
        yield own.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        own.close()


async def hello(scope, receive, send):
    assert scope["type"] == "http"
    await asyncio.sleep(0.3 if scope["path"] == "/slow" else 0)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


def test_an_answer_is_sent_at_once_also_on_a_connection_that_was_used_before(monkeypatch, port):
    """With Nagle's algorithm it would wait for the client to confirm what was sent before it."""
    seen = []

    def note(self, transport, inner=TimedConnection.connection_made):
        link = transport.get_extra_info("socket")
        seen.append(link.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        inner(self, transport)

    monkeypatch.setattr(TimedConnection, "connection_made", note)
    with socket.create_connection(("127.0.0.1", port), timeout=20) as link:
        link.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"200" in read_all(link)

    assert all(seen)
    assert seen


def read_all(link):
    heard = b""
    while piece := link.recv(65_536):
        heard += piece
    return heard


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nA: "])
def test_a_head_that_does_not_come_in_time_is_not_waited_for(port, sent):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as link:
        link.sendall(sent)

        heard = read_all(link)

    assert heard.startswith(b"HTTP/1.1 408 Request Timeout\r\n")


def test_a_second_head_on_a_connection_has_no_more_time(port):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as link:
        link.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200" in link.recv(65_536)
        link.sendall(b"GET / HT")

        heard = read_all(link)

    assert b"HTTP/1.1 408 " in heard


def test_an_answer_may_take_longer_than_a_head(port):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as link:
        link.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")

        assert read_all(link).startswith(b"HTTP/1.1 200 ")


def test_what_repeats_is_logged_once_a_minute_with_how_often_it_was():
    now = 0.0
    gate = Gate(lambda: now)

    first = [gate.admit("full"), gate.admit("full"), gate.admit("full"), gate.admit("busy")]
    now += PAUSE_SECONDS

    assert first == [0, None, None, 0]
    assert [gate.admit("full"), gate.admit("full")] == [2, None]


def test_a_flood_of_asyncio_is_one_line_and_other_errors_stay_as_they_are(caplog):
    log = logging.getLogger("tests.flood")
    log.addFilter(Sparing())

    for _ in range(1_000):
        try:
            raise OSError(24, "Too many open files")
        except OSError as error:
            said = "socket.accept() out of system resource\nsocket: <...>"
            log.error(said, exc_info=error)
    for _ in range(3):
        log.error("something else")
        log.warning("Invalid HTTP request received.")

    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 5
    assert said[0] == "socket.accept() out of system resource: the limit of open files (ulimit -n)?"
    assert caplog.records[0].exc_info is None
    assert said.count("something else") == 3
