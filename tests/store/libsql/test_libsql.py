"""Every conformance case on a real libSQL server, and what only a server can do to a caller."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from sqld_server import Server, why_not

import ricordo
from ricordo.store.commit_threads import Request
from ricordo.store.libsql import hrana
from ricordo.testing import Case, Lab, cases

pytestmark = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("sqld"))
    yield server
    server.kill()


@pytest.fixture
def far(server: Server) -> Iterator[Lab]:
    """Memories on the server."""
    with Lab(server.url) as lab:
        yield lab


@pytest.mark.parametrize("case", cases(), ids=str)
def test_a_memory_on_a_libsql_server_keeps_the_promise(case: Case, far: Lab):
    case.run(far)


def test_nothing_is_created_before_the_first_write(far: Lab):
    memory = far.open()

    assert memory.space("ana").recall("anything") == []
    assert memory.spaces() == []
    stream = hrana.Stream(hrana.address(far.url(memory), ""))
    assert stream.run("SELECT name FROM sqlite_schema") == []
    stream.close()


def test_threads_share_a_memory_without_loss(far: Lab):
    chat = far.open().space("ana").session("trip")

    def say(thread: int) -> None:
        for n in range(10):
            chat.append("user", f"thread {thread} says {n}")

    threads = [threading.Thread(target=say, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    events = chat.events()
    assert [event.seq for event in events] == list(range(1, 61))
    assert len({event.content for event in events}) == 60


def test_what_was_acknowledged_survives_the_end_of_the_server(tmp_path: Path):
    server = Server(tmp_path)
    url = server.url()
    memory = ricordo.open(url, embedder="none")
    chat = memory.space("ana").session("trip")
    for n in range(50):
        chat.append("user", f"message {n}")

    server.kill()
    with pytest.raises(ricordo.StoreError, match="cannot be reached"):
        chat.append("user", "into the void")
    server.start()

    with ricordo.open(url, embedder="none") as again:
        events = again.space("ana").session("trip").events()
    assert [event.content for event in events][:50] == [f"message {n}" for n in range(50)]
    chat.append("user", "the same handle goes on")
    assert chat.events()[-1].content == "the same handle goes on"
    memory.close()
    server.kill()


def test_a_handle_goes_on_after_a_restart_of_the_server(tmp_path: Path):
    server = Server(tmp_path)
    with ricordo.open(server.url(), embedder="none") as memory:
        chat = memory.space("ana").session("trip")
        chat.append("user", "before")

        server.kill()
        server.start()

        chat.append("user", "after")
        assert [event.content for event in chat.events()] == ["before", "after"]
    server.kill()


def test_a_request_that_fails_takes_nobody_along(far: Lab):
    memory = far.open()
    memory.space("ana").remember("first")
    store = memory._engine.store
    requests = [Request(work) for work in (lambda _: 1, lambda _: {}["x"], lambda _: 3)]

    store._commit(requests)

    assert [request.value for request in requests] == [1, None, 3]
    assert isinstance(requests[1].failure, KeyError)


@pytest.mark.parametrize("verb", ["check", "maintain", "stats", "spaces"])
def test_every_verb_tells_in_our_words_that_the_server_is_not_there(verb: str):
    memory = ricordo.open("http://127.0.0.1:9", embedder="none")

    with pytest.raises(ricordo.StoreError, match="is the server up"):
        getattr(memory, verb)()


def test_a_server_of_another_kind_is_told():
    class Page(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>Welcome</html>")

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Page) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()

        with pytest.raises(ricordo.StoreError, match="not as a libSQL server"):
            ricordo.open(f"http://127.0.0.1:{other.server_port}", embedder="none").spaces()
        other.shutdown()


def test_an_address_of_version_six_is_written_in_brackets():
    assert hrana.address("http://[::1]:8080", "").authority == "[::1]:8080"


def test_a_server_that_is_not_there_is_named_and_its_token_is_not(monkeypatch):
    url = "http://127.0.0.1:9?authToken=verysecret"

    with pytest.raises(ricordo.StoreError, match=r"127\.0\.0\.1:9.* is the server up") as told:
        ricordo.open(url).spaces()

    assert "verysecret" not in str(told.value)
    assert "verysecret" not in repr(hrana.address(url, ""))


@pytest.mark.parametrize("url", ["libsql://", "http://:80", "http://host:port"])
def test_a_url_without_a_server_is_refused(url: str):
    with pytest.raises(ricordo.InvalidInput, match=r"libsql|port"):
        ricordo.open(url)
