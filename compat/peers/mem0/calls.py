"""Every call of mem0's client that keeps, finds or deletes memories, against a real server."""

import asyncio
import os
import socket
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
import uvicorn

import ricordo
from ricordo.surfaces.http.app import ServeOptions, application
from ricordo.surfaces.mcp.scope import ConnectionScope
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.server.tokens import Tokens

os.environ["MEM0_TELEMETRY"] = "False"  # before the import: it is read there
os.environ["MEM0_DIR"] = tempfile.mkdtemp()

from mem0 import AsyncMemoryClient, MemoryClient
from mem0.client.types import AddMemoryOptions, SearchMemoryOptions
from mem0.exceptions import MemoryNotFoundError, ValidationError

ANA = {"user_id": "ana"}


@pytest.fixture
def place(tmp_path):
    """The address of a server, and a token for it."""
    tokens = Tokens(tmp_path / "tokens.json")
    memory = LazyMemory(lambda: ricordo.open(tmp_path / "agent.db", embedder="hash"))
    options = ServeOptions(tokens, ConnectionScope("shared"), is_mem0=True)
    own = socket.socket()
    own.bind(("127.0.0.1", 0))
    own.listen()
    config = uvicorn.Config(application(memory, options), log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [own]})
    thread.start()
    yield {"host": f"http://127.0.0.1:{own.getsockname()[1]}", "api_key": tokens.ensure().token}
    server.should_exit = True
    thread.join(timeout=30)
    own.close()


@pytest.fixture
def client(place):
    return MemoryClient(**place)


def add(client, text="Prefers window seats", **rest):
    return client.add(text, **{**ANA, "infer": False, **rest})["results"][0]


def texts(client, **filters):
    return sorted(each["memory"] for each in client.get_all(filters=filters)["results"])


def test_the_constructor_checks_the_key(place):
    assert MemoryClient(**place).project_id == "shared"
    with pytest.raises(ValueError, match="no valid token"):
        MemoryClient(host=place["host"], api_key="wrong")


def test_add_a_text(client):
    kept = client.add("My dog is called Rex", **ANA)
    assert [each["memory"] for each in kept["results"]] == ["My dog is called Rex", "dog name: Rex"]
    assert "no model" in kept["message"]


def test_add_a_message(client):
    kept = client.add({"role": "assistant", "content": "Noted"}, agent_id="guide")
    assert kept["results"][0]["event"] == "ADD"


def test_add_messages(client):
    client.add([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}], **ANA)
    assert texts(client) == ["a", "b"]


def test_add_with_options(client):
    client.add("x", AddMemoryOptions(filters=ANA, metadata={"k": 1}, infer=False))
    assert client.get_all(filters=ANA)["results"][0]["metadata"] == {"k": 1}


def test_add_with_an_expiration_date(client):
    kept = add(client, expiration_date="2090-01-31")
    assert client.get(kept["id"])["expiration_date"] == "2090-01-31"


def test_get(client):
    kept = add(client)
    found = client.get(kept["id"])
    assert (found["memory"], found["user_id"]) == ("Prefers window seats", "ana")


def test_get_of_nothing(client):
    with pytest.raises(MemoryNotFoundError, match="there is no memory"):
        client.get("nothing")


def test_get_all(client):
    add(client, "a")
    add(client, "b", user_id="bob")
    assert texts(client, **ANA) == ["a"]


def test_get_all_by_pages(client):
    for text in "abc":
        add(client, text)
    page = client.get_all(filters=ANA, page=2, page_size=2)
    assert (page["count"], [each["memory"] for each in page["results"]]) == (3, ["a"])


def test_search(client):
    add(client)
    add(client, "Lives in Porto")
    found = client.search("which seats?", filters=ANA)["results"]
    assert found[0]["memory"] == "Prefers window seats"
    assert 0 <= found[0]["score"] <= 1


def test_search_with_options(client):
    add(client, "seat a", metadata={"row": 1})
    add(client, "seat b", metadata={"row": 2})
    filters = {"AND": [ANA, {"metadata": {"row": {"gte": 2}}}]}
    options = SearchMemoryOptions(filters=filters, top_k=5)
    assert [each["memory"] for each in client.search("seat", options)["results"]] == ["seat b"]


def test_update_a_text(client):
    kept = add(client)
    assert client.update(kept["id"], text="Prefers the aisle")["memory"] == "Prefers the aisle"


def test_update_metadata(client):
    kept = add(client)
    assert client.update(kept["id"], metadata={"k": 2})["metadata"] == {"k": 2}


def test_update_takes_an_expiration_date_back(client):
    kept = add(client, expiration_date="2090-01-31")
    assert client.update(kept["id"], expiration_date=None)["expiration_date"] is None


def test_history(client):
    kept = add(client, "a")
    client.update(kept["id"], text="b")
    said = [(each["event"], each["new_memory"]) for each in client.history(kept["id"])]
    assert said == [("ADD", "a"), ("UPDATE", "b")]


def test_delete(client):
    client.delete(add(client)["id"])
    assert texts(client) == []


def test_delete_all(client):
    add(client, "a")
    add(client, "b", user_id="bob")
    client.delete_all(**ANA)
    assert texts(client) == ["b"]
    with pytest.raises(ValidationError, match="at least one of"):
        client.delete_all()


def test_users_and_delete_users(client):
    add(client, "a", agent_id="guide")
    add(client, "b", user_id="bob")
    named = [(each["type"], each["name"]) for each in client.users()["results"]]
    assert named == [("agent", "guide"), ("user", "ana"), ("user", "bob")]
    client.delete_users(user_id="bob")
    assert texts(client) == ["a"]


def test_reset(client):
    add(client, "a")
    add(client, "b", user_id="bob")
    client.reset()
    assert texts(client) == []


def test_batch_update_and_batch_delete(client):
    first, second = add(client, "a"), add(client, "b")
    client.batch_update([{"memory_id": first["id"], "text": "c"}])
    client.batch_delete([{"memory_id": second["id"]}])
    assert texts(client) == ["c"]


def test_the_awaitable_client(place):
    async def work():
        async with AsyncMemoryClient(**place) as client:
            await client.add("Prefers window seats", **ANA)
            return (await client.search("seats", filters=ANA))["results"][0]["memory"]

    assert asyncio.run(work()) == "Prefers window seats"


def add_and_update(place, process):
    client = MemoryClient(**place)
    for n in range(5):
        kept = add(client, f"{process} {n}")
        client.update(kept["id"], text=f"{process} {n} again")


def test_clients_at_once_lose_no_memory(place, client):
    with ProcessPoolExecutor(3, get_context("spawn")) as pool:
        list(pool.map(add_and_update, [place] * 3, range(3)))

    assert texts(client, **ANA) == [
        f"{process} {n} again" for process in range(3) for n in range(5)
    ]
