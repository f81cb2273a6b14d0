"""The stream of changes: what a space is written, as it happens, to whoever may read it."""

import contextlib
import http.client
import json
import threading

import pytest
from http_space import BASE

from ricordo.surfaces.http.change_stream import MOST

CHANGES = f"{BASE}/changes"


@contextlib.contextmanager
def stream(server, token=None, path=CHANGES, **headers):
    """An open answer, from which a test reads."""
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        given = {"Authorization": f"Bearer {token or server.token}", "Accept": "text/event-stream"}
        link.request("GET", path, headers=given | headers)
        yield link.getresponse()
    finally:
        link.close()


def read_changes(answer, count):
    """The next changes of a stream, each with the id of its event."""
    found, id = [], ""
    while len(found) < count:
        line = answer.readline().decode().rstrip("\n")
        if line.startswith("id: "):
            id = line.removeprefix("id: ")
        elif line.startswith("data: "):
            found.append((id, json.loads(line.removeprefix("data: "))))
    return found


def test_a_write_of_anybody_comes_as_an_event(fresh):
    space = fresh.memory().space("ana")
    space.remember("before", name="old")
    with stream(fresh) as answer:
        assert answer.status == 200
        assert answer.readline() == b"retry: 2000\n"
        space.remember("Prefers window seats", name="seat")
        ((id, change),) = read_changes(answer, 1)

    assert (change["kind"], change["name"], change["id"]) == ("entry", "seat", id)


def test_a_client_that_was_cut_off_gets_what_it_missed(fresh):
    space = fresh.memory().space("ana")
    space.remember("first", name="first")
    seen = space.exchange.changes()[0].id
    space.remember("second", name="second")
    space.remember("third", name="third")
    with stream(fresh, **{"Last-Event-ID": seen}) as answer:
        missed = read_changes(answer, 2)

    assert [change["name"] for _, change in missed] == ["second", "third"]


def test_a_stream_reaches_no_further_than_its_token(fresh):
    fresh.memory().space("ana").remember("hers", name="seat")
    bob = fresh.tokens.add("bob", "bob").token
    for space in ("ana", "nobody", "Ana", "ana%20", "bob%2F..%2Fana"):
        with stream(fresh, bob, f"/v1/spaces/{space}/changes") as answer:
            assert answer.status == 404
            assert b"hers" not in answer.read()
    with stream(fresh, "wrong") as answer:
        assert answer.status == 401


def test_a_token_that_only_reads_may_follow(fresh):
    reader = fresh.tokens.add("reader", read_only=True).token
    with stream(fresh, reader) as answer:
        assert answer.status == 200


def test_what_is_wrong_with_a_request_is_said_before_the_stream_begins(fresh):
    with stream(fresh, path=f"{CHANGES}?kind=nonsense") as answer:
        assert answer.status == 400
    with stream(fresh, path=f"{CHANGES}?unknown=1") as answer:
        assert answer.status == 400


@pytest.mark.parametrize("way", ["one after the other", "at once"])
def test_a_token_has_a_bounded_number_of_streams(fresh, way):
    fresh.memory().space("ana").remember("x")
    greedy = fresh.tokens.add("greedy").token
    gate = threading.Barrier(3 * MOST if way == "at once" else 1)
    answered = []
    with contextlib.ExitStack() as opened:

        def follow():
            gate.wait()
            answered.append(opened.enter_context(stream(fresh, greedy)).status)

        if way == "at once":
            threads = [threading.Thread(target=follow) for _ in range(3 * MOST)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        else:
            for _ in range(MOST + 3):
                follow()

        assert answered.count(200) == MOST
        assert set(answered) == {200, 429}
        with stream(fresh) as others:
            assert others.status == 200


def test_a_refused_stream_takes_nobody_s_place(fresh):
    greedy = fresh.tokens.add("greedy").token
    for _ in range(MOST + 1):
        with stream(fresh, greedy, f"{CHANGES}?kind=nonsense") as answer:
            assert answer.status == 400
    with stream(fresh, greedy) as answer:
        assert answer.status == 200


def test_a_stream_ends_with_its_token(fresh):
    gone = fresh.tokens.add("gone", "ana").token
    fresh.memory().space("ana").remember("x")
    with stream(fresh, gone) as answer:
        assert answer.status == 200
        fresh.tokens.remove("gone")
        answer.read()  # to its end, which the server brings about

        assert answer.isclosed()
