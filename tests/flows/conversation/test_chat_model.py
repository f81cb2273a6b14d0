"""A chat model over real HTTP: what is asked, what is paid, and what happens when it fails."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import ricordo
from chat_server import saying, serving
from ricordo import ChatModel
from ricordo.errors import InvalidInput, Unavailable


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def chat(space):
    chat = space.session("trip")
    chat.extend([{"role": "user", "content": f"message {n} about Oslo"} for n in range(8)])
    return chat


def model(url, **options):
    return ChatModel(url, **({"environ": {}, "wait": lambda _: None} | options))


def test_a_model_writes_the_summary_and_is_metered(chat, space):
    with serving(saying("Ana plans Oslo.", prompt_tokens=120, completion_tokens=9)) as (url, asked):
        done = chat.summarize(60, summarizer=model(url), safety=0)

    assert done.applied
    assert chat.summary().text == "Ana plans Oslo."
    path, headers, payload = asked[0]
    assert path == "/v1/chat/completions"
    assert payload["model"] == "tiny"
    assert '"text": "message 0 about Oslo"' in payload["messages"][1]["content"]
    assert "Authorization" not in headers
    calls = len(asked)
    assert space.dreams.spending() == [ricordo.Spending("tiny", calls, 120 * calls, 9 * calls)]


def test_the_key_travels_in_its_header_only(chat):
    with serving((401, b"no")) as (url, asked):
        asking = model(url, environ={"RICORDO_CHAT_KEY": "sesame"})
        with pytest.raises(Unavailable, match="RICORDO_CHAT_KEY") as error:
            chat.compact(summarizer=asking)

    assert asked[0][1]["Authorization"] == "Bearer sesame"
    assert "sesame" not in str(error.value)


def test_a_busy_server_is_asked_again(chat):
    waits = []
    with serving((503, b""), (429, b""), saying("Fine.")) as (url, asked):
        archive = chat.compact(summarizer=model(url, wait=waits.append))

    assert archive.content == "Fine."
    assert len(asked) == 3
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize(
    "answer",
    [(200, b"{}"), (200, b"no json"), saying(" "), (500, b""), (404, b"")],
    ids=["empty", "garbled", "blank", "broken", "missing"],
)
def test_a_failing_model_leaves_everything_as_it_was(chat, space, answer):
    with serving(answer) as (url, _), pytest.raises(Unavailable):
        chat.compact(summarizer=model(url, attempts=2))

    assert chat.summary() is None
    assert space.entries() == []
    assert len(chat.events()) == 8


def test_a_server_that_is_away_says_so(chat):
    with serving(saying("x")) as (url, _):
        pass
    with pytest.raises(Unavailable, match="cannot be reached"):
        chat.compact(summarizer=model(url, attempts=1))


def test_a_slow_server_is_given_up(chat):
    hold = threading.Event()

    class Slow(BaseHTTPRequestHandler):
        def do_POST(self):
            hold.wait(30)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            asking = model(
                f"http://127.0.0.1:{server.server_port}/v1", attempts=1, timeout_seconds=0.05
            )
            with pytest.raises(Unavailable, match="timed out"):
                chat.compact(summarizer=asking)
        finally:
            hold.set()
            server.shutdown()
            thread.join()


def test_the_budget_is_hard(chat):
    with serving(saying("Fine.", prompt_tokens=500, completion_tokens=50)) as (url, asked):
        asking = model(url, budget_tokens=900, answer_tokens=100)
        asking("", chat.events())
        with pytest.raises(Unavailable, match="budget"):
            asking("", chat.events())

    assert len(asked) == 1
    spent = asking.spent
    assert (spent.calls, spent.tokens_in, spent.tokens_out) == (1, 500, 50)


def test_calls_at_once_share_the_budget(chat):
    events = chat.events()
    with serving(saying("Fine.", prompt_tokens=400, completion_tokens=100)) as (url, asked):
        asking = model(url, budget_tokens=1_200, answer_tokens=100)
        refused = []

        def work():
            try:
                asking("", events)
            except Unavailable:
                refused.append(1)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

    spent = asking.spent
    assert spent.tokens_in + spent.tokens_out <= 1_200
    assert len(asked) == spent.calls == 6 - len(refused)


def test_a_url_is_enough(chat, monkeypatch):
    monkeypatch.delenv("RICORDO_CHAT_KEY", raising=False)
    with serving(saying("Fine.")) as (url, _):
        assert chat.compact(summarizer=url).content == "Fine."
    with pytest.raises(InvalidInput, match="chat model's URL"):
        chat.compact(summarizer="not a url")
    with pytest.raises(InvalidInput, match="callable"):
        chat.compact(summarizer=7)


def test_a_model_consolidates_summary_and_facts(lab):
    space = lab.space()
    space.session("trip").append("user", "I live in Bergen", importance=0.9)
    lab.clock.advance(hours=2)
    facts = '[{"category": "user", "key": "home", "value": "Bergen"}]'
    with serving(saying("Ana lives in Bergen."), saying(facts)) as (url, asked):
        done = space.dreams.consolidate(model(url))

    assert done.facts == ("user/home",)
    assert space.get(done.summaries[0]).content == "Ana lives in Bergen."
    assert len(asked) == 2
    assert space.dreams.spending()[0].calls == 2
