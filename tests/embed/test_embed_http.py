"""The HTTP embedder against a real server on this host, with its bad days."""

import json
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

from ricordo.embed import EmbedOptions, resolve
from ricordo.errors import InvalidInput, Unavailable

SECRET = "sk-very-secret"


def vector(text, dim=3):
    return [float(len(text)), *(1.0 for _ in range(dim - 1))]


def good(asked):
    data = [{"index": i, "embedding": vector(text)} for i, text in enumerate(asked["input"])]
    return 200, {}, json.dumps({"data": data[::-1]}).encode()  # servers may answer out of order


def failing(status, **headers):
    return lambda _: (status, {k.replace("_", "-"): v for k, v in headers.items()}, b"bad day")


def saying(body):
    return lambda _: (200, {}, body)


class Server:
    """Answers from a script; its last line repeats. Keeps what it was asked."""

    def __init__(self, script, port):
        self.script, self.asked, self.headers, self.paths = list(script), [], [], []
        self.url = f"http://127.0.0.1:{port}/v1"

    def reply(self, handler):
        asked = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.asked.append(asked)
        self.headers.append(dict(handler.headers))
        self.paths.append(handler.path)
        line = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return line(asked)


@contextmanager
def serving(*script):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            status, headers, body = server.reply(self)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def date_time_string(self, timestamp=None):
            return "Thu, 01 Jan 2099 00:00:00 GMT"

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as listener:
        server = Server(script, listener.server_port)
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            listener.shutdown()
            thread.join()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def waits():
    return []


@pytest.fixture
def options(waits):
    return EmbedOptions(timeout_seconds=5, wait=waits.append, environ={})


def test_answers_are_put_in_the_order_asked(options):
    with serving(good) as server:
        rows = resolve(server.url + "#tiny", options=options).embed(["a", "bbb", ""])

    assert np.allclose(rows[0], np.array(vector("a")) / np.sqrt(3))
    assert np.allclose(rows[1], np.array(vector("bbb")) / np.sqrt(11))
    assert not rows[2].any()
    assert server.asked == [{"model": "tiny", "input": ["a", "bbb"]}]
    assert server.paths == ["/v1/embeddings"]


def test_texts_are_sent_sixty_four_at_a_time(options):
    with serving(good) as server:
        rows = resolve(server.url, options=options).embed([f"text {i}" for i in range(130)])

    assert rows.shape == (130, 3)
    assert [len(asked["input"]) for asked in server.asked] == [64, 64, 2]


def test_the_dimension_is_found_out_by_asking_once(options):
    with serving(good) as server:
        embedder = resolve(server.url + "#tiny", options=options)
        assert server.asked == []

        host = server.url.split("/")[2]
        assert (embedder.dim, embedder.dim) == (3, 3)
        assert embedder.fingerprint == f"http:tiny@{host}#3"
        assert len(server.asked) == 1


def test_a_known_dimension_spares_the_question(waits):
    embedder = resolve("http://127.0.0.1:9/v1#m", options=EmbedOptions(dim=8, environ={}))

    assert embedder.fingerprint == "http:m@127.0.0.1:9#8"


def test_two_failures_then_success_is_a_success(options, waits):
    with serving(failing(500), failing(503), good) as server:
        rows = resolve(server.url, options=options).embed(["a"])

    assert rows.shape == (1, 3)
    assert waits == [0.5, 1.0]


def test_a_server_that_keeps_failing_is_unavailable(options, waits):
    with serving(failing(500)) as server:
        embedder = resolve(server.url, options=options)
        with pytest.raises(Unavailable, match=r"/v1/embeddings answered 500 .* after 4 attempts"):
            embedder.embed(["a"])

    assert waits == [0.5, 1.0, 2.0]


def test_retry_after_in_seconds_is_honoured(options, waits):
    with serving(failing(429, Retry_After="7"), good) as server:
        resolve(server.url, options=options).embed(["a"])

    assert waits == [7.0]


def test_retry_after_as_a_date_counts_from_the_servers_clock(options, waits):
    with serving(failing(503, Retry_After="Thu, 01 Jan 2099 00:00:09 GMT"), good) as server:
        resolve(server.url, options=options).embed(["a"])

    assert waits == [9.0]


def test_a_long_retry_after_is_left_to_the_caller(options, waits):
    with (
        serving(failing(429, Retry_After="3600")) as server,
        pytest.raises(Unavailable, match="429"),
    ):
        resolve(server.url, options=options).embed(["a"])

    assert waits == []


def test_a_nonsensical_retry_after_falls_back_to_the_usual_delay(options, waits):
    with serving(failing(429, Retry_After="soon"), good) as server:
        resolve(server.url, options=options).embed(["a"])

    assert waits == [0.5]


@pytest.mark.parametrize(
    ("status", "advice"),
    [(400, "model's name"), (401, "RICORDO_EMBED_KEY"), (404, "URL up to /embeddings")],
)
def test_a_refusal_is_not_retried_and_says_what_to_do(options, waits, status, advice):
    with (
        serving(failing(status)) as server,
        pytest.raises(Unavailable, match=f"{status}.*{advice}"),
    ):
        resolve(server.url, options=options).embed(["a"])

    assert len(server.asked) == 1


def test_a_redirect_is_refused(options):
    with serving(failing(302, Location="http://127.0.0.1:9/elsewhere")) as server:
        embedder = resolve(server.url, options=options)
        with pytest.raises(Unavailable, match=r"302.*redirects are not followed"):
            embedder.embed(["a"])


def test_a_changed_dimension_is_refused(options):
    wider = saying(json.dumps({"data": [{"index": 0, "embedding": vector("a", 5)}]}).encode())
    with serving(good, wider) as server:
        embedder = resolve(server.url, options=options)
        embedder.embed(["a"])

        with pytest.raises(Unavailable, match="5 dimensions instead of 3"):
            embedder.embed(["a"])


@pytest.mark.parametrize(
    "body",
    [
        b"<html>gateway</html>",
        b"",
        b"[]",
        b'{"data": null}',
        b'{"data": []}',
        b'{"data": [{"index": 1, "embedding": [1.0]}]}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": 1.0}]}',
        b'{"data": [{"index": 0, "embedding": ["x"]}]}',
        b'{"data": [{"index": 0, "embedding": [NaN]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}',
    ],
)
def test_an_answer_that_holds_no_embeddings_is_refused(options, body):
    with serving(saying(body)) as server:
        embedder = resolve(server.url, options=options)
        with pytest.raises(Unavailable, match="did not answer with embeddings"):
            embedder.embed(["a"])


def test_a_server_that_never_answers_is_unavailable(waits):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        impatient = EmbedOptions(timeout_seconds=0.02, attempts=2, wait=waits.append, environ={})
        with pytest.raises(Unavailable, match=r"cannot be reached after 2 attempts .*timed out"):
            resolve(url, options=impatient).embed(["a"])

    assert waits == [0.5]


def test_a_server_that_is_not_there_is_unavailable(options):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    with pytest.raises(Unavailable, match=r"cannot be reached.*is the server running"):
        resolve(f"http://127.0.0.1:{port}/v1", options=options).embed(["a"])


def test_stats_are_told_while_the_server_is_away(lab, options):
    with serving(good) as server:
        url = server.url + "#tiny"
        memory = lab.open(embedder=resolve(url, options=options))
        memory.space("ana").remember("wool socks")
        memory.flush()
        model = memory.stats().model
    memory = lab.reopen(memory, embedder=resolve(url, options=options), read_only=True)
    fresh = lab.open(embedder=resolve(url, options=options))

    assert (memory.stats().embedded, memory.stats().model) == (1, model)
    assert memory.space("ana").stats().embedded == 1
    assert (fresh.stats().embedded, fresh.stats().model) == (0, None)


def test_the_key_is_sent_and_never_shown(waits):
    options = EmbedOptions(wait=waits.append, environ={"RICORDO_EMBED_KEY": SECRET + "\n"})
    with serving(good, failing(401)) as server:
        embedder = resolve(server.url + "?version=" + SECRET, options=options)
        embedder.embed(["a"])
        with pytest.raises(Unavailable) as refused:
            embedder.embed(["a"])

    assert server.headers[0]["Authorization"] == f"Bearer {SECRET}"
    assert server.paths[0] == f"/v1/embeddings?version={SECRET}"
    for shown in (str(refused.value), repr(options), embedder.fingerprint, embedder.name):
        assert SECRET not in shown


def test_credentials_in_the_url_are_sent_and_never_shown(options):
    with serving(good, failing(400)) as server:
        embedder = resolve(server.url.replace("//", f"//ana:{SECRET}@"), options=options)
        embedder.embed(["a"])
        with pytest.raises(Unavailable) as refused:
            embedder.embed(["a"])

    assert server.headers[0]["Authorization"].startswith("Basic ")
    assert SECRET not in str(refused.value) + embedder.fingerprint


def test_the_openai_key_is_not_sent_to_another_server():
    options = EmbedOptions(environ={"OPENAI_API_KEY": SECRET})
    with serving(good) as server:
        resolve(server.url, options=options).embed(["a"])

    assert "Authorization" not in server.headers[0]


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "https:///v1",
        "http://host:port/v1",
        f"http://ana:{SECRET}@host:0/v1",
        f"http://host/v 1?{SECRET}",
        f"http://hôst/{SECRET}",
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_showing_it(url):
    with pytest.raises(InvalidInput, match="https://host/v1#model") as refused:
        resolve(url)

    assert SECRET not in str(refused.value)


def test_a_key_with_impossible_characters_is_refused_without_showing_it():
    options = EmbedOptions(environ={"RICORDO_EMBED_KEY": f"{SECRET}\r\nX-Injected: 1"})

    with pytest.raises(InvalidInput, match="RICORDO_EMBED_KEY") as refused:
        resolve("https://host/v1", options=options)

    assert SECRET not in str(refused.value)
