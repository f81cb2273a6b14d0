"""mem0's API: requests as its client sends them, with a token of ours as its key.

The client itself drives the same routes in `make compat`: its package is too heavy for here.
"""

import json

import pytest
from servers import running

from ricordo.surfaces.mcp.scope import ConnectionScope


class Client:
    """Asks as mem0's client does."""

    def __init__(self, server, token=None):
        self.server, self.token = server, token or server.token

    def ask(self, method, path, body=None):
        headers = [
            ("Host", f"127.0.0.1:{self.server.port}"),
            ("Authorization", f"Token {self.token}"),
            ("Mem0-User-ID", "0"),
            ("Content-Type", "application/json"),
        ]
        raw = b"" if body is None else json.dumps(body).encode()
        return self.server.raw(method, path, headers, raw)

    def do(self, method, path, body=None):
        reply = self.ask(method, path, body)
        assert reply.status == 200, reply.body
        return reply.json

    def add(self, *texts, **rest):
        messages = [{"role": "user", "content": text} for text in texts]
        body = {"messages": messages, "user_id": "ana", "infer": False, **rest}
        return self.do("POST", "/v3/memories/add/", body)["results"]

    def list(self, query="", **filters):
        return self.do("POST", f"/v3/memories/{query}", {"filters": filters})

    def texts(self, **filters):
        return sorted(each["memory"] for each in self.list(**filters)["results"])

    def search(self, query, **rest):
        return self.do("POST", "/v3/memories/search/", {"query": query, **rest})["results"]


@pytest.fixture
def server(tmp_path):
    with running(tmp_path, reach=ConnectionScope("shared"), is_mem0=True) as server:
        yield server


@pytest.fixture
def client(server):
    return Client(server)


def test_a_client_is_welcome_with_a_token_and_refused_without(server, client):
    assert client.do("GET", "/v1/ping/")["project_id"] == "shared"
    assert Client(server, "wrong").ask("GET", "/v1/ping/").status == 401


def test_a_server_without_the_option_does_not_answer_as_mem0(tmp_path):
    with running(tmp_path) as plain:
        assert Client(plain).ask("GET", "/v1/ping/").status == 401  # its scheme is unknown
        assert plain.ask("GET", "/v1/ping/").status == 404
        assert "/v3/memories/add/" not in plain.get("/openapi.json")["paths"]


def test_messages_are_kept_word_for_word_with_the_facts_that_are_certain(client):
    said = [
        {"role": "system", "content": "Be kind"},
        {"role": "user", "content": "My dog is called Rex. Maybe I will move."},
        {"role": "assistant", "content": [{"type": "text", "text": "A fine name"}]},
        {"role": "user", "content": {"type": "image_url", "image_url": {"url": "x"}}},
    ]
    body = {"messages": said, "user_id": "ana", "metadata": {"topic": "pets"}}

    added = client.do("POST", "/v3/memories/add/", body)

    told = ["My dog is called Rex. Maybe I will move.", "A fine name", "dog name: Rex"]
    assert [each["memory"] for each in added["results"]] == told
    assert {each["event"] for each in added["results"]} == {"ADD"}
    assert added["message"] == (
        "kept word for word: 2 of the messages; no model read them, facts that are certain: 1"
    )
    assert client.texts(user_id="ana") == sorted(told)
    [fact] = client.list(categories={"in": ["user"]})["results"]
    assert (fact["memory"], fact["metadata"]) == ("dog name: Rex", {"topic": "pets"})


def test_a_fact_stated_again_is_updated_for_the_same_ids_alone(client):
    def add(name, user):
        body = {
            "messages": [{"role": "user", "content": f"My dog is called {name}."}],
            "user_id": user,
        }
        return client.do("POST", "/v3/memories/add/", body)["results"]

    first = add("Rex", "ana")[-1]
    add("Fido", "bob")
    again, changed = add("Rex", "ana"), add("Max", "ana")[-1]

    assert [each["event"] for each in again] == ["ADD"]  # the message; the fact is known
    assert (changed["event"], changed["id"]) == ("UPDATE", first["id"])
    assert client.texts(user_id="ana", categories="user") == ["dog name: Max"]
    assert client.texts(user_id="bob", categories="user") == ["dog name: Fido"]


def test_without_inference_only_the_messages_are_kept(client):
    [kept] = client.add("My dog is called Rex.")

    assert client.texts() == [kept["memory"]] == ["My dog is called Rex."]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, "abcd"),
        ({"user_id": "ana"}, "ab"),
        ({"user_id": "*"}, "abc"),
        ({"user_id": {"in": ["ana", "bob"]}}, "abc"),
        ({"user_id": {"ne": "ana"}}, "cd"),
        ({"AND": [{"user_id": "ana"}, {"agent_id": "guide"}]}, "b"),
        ({"OR": [{"user_id": "bob"}, {"agent_id": "guide"}]}, "bcd"),
        ({"NOT": [{"user_id": "ana"}]}, "cd"),
        ({"NOT": {"OR": [{"user_id": "ana"}, {"run_id": "1"}]}}, "c"),
        ({"metadata": {"year": 2001}}, "a"),
        ({"metadata": {"year": {"gte": 2001, "lt": 2010}}}, "ab"),
        ({"metadata": {"tags": {"contains": "x"}}}, "b"),
        ({"metadata": {"place.city": "Oslo"}}, "c"),
        ({"keywords": {"icontains": "TEXT A"}}, "a"),
        ({"OR": [{"user_id": "bob"}, {"keywords": {"contains": "text a"}}]}, "ac"),
        ({"NOT": [{"keywords": {"contains": "text a"}}]}, "bcd"),
        ({"created_at": {"gte": "2020-01-01", "lt": "2021-01-01"}}, "a"),
        ({"user_id": None}, "d"),
    ],
    ids=str,
)
def test_filters_choose_memories_in_lists_and_in_searches(client, filters, found):
    client.add("text a", metadata={"year": 2001}, timestamp=1_580_000_000)
    client.add("text b", agent_id="guide", metadata={"year": 2002, "tags": ["x", "y"]})
    client.add("text c", user_id="bob", metadata={"place.city": "Oslo"})
    client.add("text d", user_id=None, agent_id="guide", run_id="1")

    texts = [f"text {each}" for each in found]

    assert client.texts(**filters) == texts
    hits = client.search("text", filters=filters, top_k=50)
    assert sorted(each["memory"] for each in hits) == texts
    assert all(0 <= each["score"] <= 1 for each in hits)


def test_a_search_fills_its_limit_although_filters_leave_hits_out(client):
    client.add(*(f"seat number {n}" for n in range(30)))
    filters = {"keywords": {"contains": "number 2"}}

    assert len(client.search("seat", filters=filters, top_k=11)) == 11
    assert len(client.search("seat", filters=filters, top_k=5)) == 5
    assert client.search("seat", filters=filters, threshold=1) == []


def test_pages_have_a_count_and_neighbours(client):
    client.add(*(f"text {n}" for n in range(5)))

    first = client.list("?page=1&page_size=2")
    last = client.list("?page=3&page_size=2")

    assert (first["count"], len(first["results"]), first["previous"]) == (5, 2, None)
    assert first["next"] == "/v3/memories/?page=2&page_size=2"
    assert (len(last["results"]), last["next"]) == (1, None)


def test_a_memory_is_read_changed_and_deleted_by_its_id(client):
    [kept] = client.add("Lives in Porto")
    place = f"/v1/memories/{kept['id']}/"

    changed = client.do("PUT", place, {"text": "Lives in Lisbon", "metadata": {"k": 1}})
    history = client.do("GET", f"{place}history/")
    client.do("PUT", place, {"expiration_date": "2090-01-31"})
    ended = client.do("GET", place)
    cleared = client.do("PUT", place, {"expiration_date": None})
    client.do("DELETE", place)

    assert (changed["memory"], changed["metadata"]) == ("Lives in Lisbon", {"k": 1})
    assert [each["new_memory"] for each in history] == ["Lives in Porto", "Lives in Lisbon"]
    assert [each["event"] for each in history] == ["ADD", "UPDATE"]
    assert ended["expiration_date"] == "2090-01-31"
    assert (cleared["expiration_date"], cleared["user_id"]) == (None, "ana")
    gone = client.ask("GET", place)
    assert (gone.status, gone.headers["content-type"]) == (404, "application/json")
    assert "there is no memory" in gone.json["detail"]


def test_an_expiration_that_is_taken_back_is_gone_from_the_entry(client, server):
    [kept] = client.add("x", expiration_date="2090-01-31")
    space = server.memory().space("shared")
    assert space.get(kept["id"]).expires_at.year == 2090

    client.do("PUT", f"/v1/memories/{kept['id']}/", {"expiration_date": None})

    assert space.get(kept["id"]).expires_at is None


def test_batches_change_and_delete_all_or_none(client):
    kept = client.add("a", "b")
    known, odd = {"memory_id": kept[0]["id"], "text": "new"}, {"memory_id": "none", "text": "x"}

    assert client.ask("PUT", "/v1/batch/", {"memories": [known, odd]}).status == 404
    assert client.ask("DELETE", "/v1/batch/", {"memories": [known, odd]}).status == 404
    assert client.texts() == ["a", "b"]

    client.do("PUT", "/v1/batch/", {"memories": [known]})
    client.do("DELETE", "/v1/batch/", {"memories": [{"memory_id": kept[1]["id"]}]})

    assert client.texts() == ["new"]


def test_entities_are_counted_and_deleted(client):
    client.add("a", agent_id="guide")
    client.add("b", user_id="bob")

    listed = client.do("GET", "/v1/entities/")["results"]
    client.do("DELETE", "/v2/entities/user/bob/")

    told = [(each["type"], each["name"], each["total_memories"]) for each in listed]
    assert told == [("agent", "guide", 1), ("user", "ana", 1), ("user", "bob", 1)]
    assert client.texts() == ["a"]
    for path in ("/v2/entities/user/bob/", "/v2/entities/planet/mars/"):
        assert client.ask("DELETE", path).status == 404


def test_deleting_all_needs_an_id_and_never_deletes_more_than_was_asked(client):
    client.add("a")
    client.add("b", user_id="bob")

    for odd in ("", "?filters=%7B%7D", "?user_id=ana&metadata=x", "?user=ana"):
        assert client.ask("DELETE", f"/v1/memories/{odd}").status == 400, odd
    assert client.texts() == ["a", "b"]

    client.do("DELETE", "/v1/memories/?user_id=ana")
    assert client.texts() == ["b"]
    client.do("DELETE", "/v1/memories/?user_id=*")
    assert client.texts() == []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"messages": [{"role": "user", "content": "x"}]}, "at least one of user_id"),
        ({"messages": [], "user_id": "ana"}, "give 1 to 1,000"),
        ({"messages": [{"content": 7}], "user_id": "ana"}, "give a text"),
        ({"messages": [{"content": "x"}], "user_id": " "}, "1 to 256 characters"),
        ({"messages": [{"content": "x"}], "user_id": "a", "expiration_date": "soon"}, "2027-01-31"),
        ({"messages": [{"content": "x"}], "user_id": "a", "timestamp": 10**30}, "seconds since"),
        ({"messages": "x", "user_id": "ana"}, "must be an array"),
    ],
    ids=str,
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_kept(client, body, told):
    reply = client.ask("POST", "/v3/memories/add/", body)

    assert reply.status == 400
    assert told in reply.json["detail"]
    assert client.texts() == []


@pytest.mark.parametrize(
    "filters",
    [
        {"user": "ana"},
        {"AND": []},
        {"user_id": {"like": "a"}},
        {"user_id": {"in": "ana"}},
        {"metadata": "x"},
    ],
    ids=str,
)
def test_filters_that_cannot_be_read_are_refused(client, filters):
    for path in ("/v3/memories/", "/v3/memories/search/"):
        reply = client.ask("POST", path, {"query": "x", "filters": filters})
        assert reply.status == 400
        assert "filters" in reply.json["detail"] or "of user_id" in reply.json["detail"]


def test_each_token_has_the_memories_of_its_own_space(server, client):
    ana = Client(server, server.tokens.add("ana", "ana").token)
    [hers] = ana.add("only hers")
    client.add("shared by others")

    assert ana.texts() == ["only hers"]
    assert client.texts() == ["shared by others"]
    assert client.ask("GET", f"/v1/memories/{hers['id']}/").status == 404
    assert client.ask("DELETE", f"/v1/memories/{hers['id']}/").status == 404
    assert [each.content for each in server.memory().space("ana").entries()] == ["only hers"]


def test_what_a_client_keeps_is_recalled_with_everything_else(server, client):
    client.add("Prefers window seats")
    space = server.memory().space("shared")
    space.remember("The train to Porto leaves at nine", name="train")

    assert space.recall("window seats")[0].text == "Prefers window seats"
    assert client.search("train to Porto")[0]["memory"] == "The train to Porto leaves at nine"
    [row] = [each for each in server.tokens.audit.read() if each.action == "mem0_add_memories"]
    assert row.space == "shared"
