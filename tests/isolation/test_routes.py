"""Nothing crosses a space over HTTP: every route of the OpenAPI document is asked for what is next
door, with a token for everything and with one that is bound to a space.

The routes are those that the server itself names. A parameter that is not known here fails the
test until somebody says what to give for it.
"""

import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import anyio
import pytest
from audit import watching
from neighbours import CANARY, WORDS, Neighbour, settle, told
from test_isolation import NOW, arguments, number

import ricordo
from ricordo.surfaces.http.app import ServeOptions, application
from ricordo.surfaces.http.routes import RequestContext
from ricordo.surfaces.mcp.scope import ConnectionScope
from ricordo.surfaces.server.guard import Rules
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.server.tokens import Grant, Tokens
from tier import report

NAME = "zqname"  # what a space is called is nobody else's business either
ANA = f"ana-{NAME}"
# Routes that are not called here: afterwards the space of the client has another name or number.
APART = ("/v1/spaces/{space}/rename", "/v1/spaces/{space}/drop")
OPEN = frozenset({"/v1/spaces"})  # names every space to whoever may see them all
WHOLE = frozenset({"/v1/check", "/v1/doctor"})  # about all spaces, for whoever may see them all
# What to give for a parameter; ADDRESS stands for each address of the neighbour in turn.
ADDRESS = object()
GIVEN: dict[str, Any] = {
    "name": ADDRESS, "session": ADDRESS, "schedule": ADDRESS, "reminder": ADDRESS, "channel": "x",
    "path": ADDRESS, "recipient": ADDRESS, "exclude": ADDRESS, "uri": ADDRESS, "offset": 0,
    "exact": "true", "n": 1_000, "before": 1_000, "at": 1, "seq": 1, "expect_last": 1,
    "expect_revision": 0, "index": "true", "new": "x", "agent": ADDRESS,
    "prefix": "", "tool": "bash", "toolset": "default", "tag": "blue", "q": WORDS, "query": WORDS,
    "limit": 1_000, "after": "0", "kind": "note", "category": "user", "mode": "keyword",
    "profile": "auto", "budget": 500, "origin": "user", "status": "active", "cadence": "cron",
    "notify": "always", "pending": "false", "abstain": "false", "rerank": "false",
    "variety": "true", "marks": "true", "signals": "false", "seen": "none", "sweep": "1",
    "where": '{"year": 1979}',
    "memory": ADDRESS, "entity": ADDRESS, "type": "user", "user_id": ADDRESS, "agent_id": ADDRESS,
    "app_id": ADDRESS, "run_id": ADDRESS,
    "as_of": NOW.isoformat(), "since": NOW.isoformat(), "until": NOW.isoformat(),
}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    route: str
    status: int
    body: str


@dataclass
class Server:
    """The app of `ricordo serve`, without a socket."""

    app: Callable[..., Awaitable[None]]
    tokens: dict[str | None, str]
    memory: ricordo.Memory
    file: Tokens

    def ask(self, method: str, path: str, given: object = None, bound: str | None = None) -> Answer:
        return anyio.run(self._ask, method, path, given, bound)

    async def _ask(self, method: str, path: str, given: object, bound: str | None) -> Answer:
        sent: list[dict[str, Any]] = []
        body = b"" if given is None else json.dumps(given).encode()
        plain, _, query = path.partition("?")
        scope = {
            "type": "http", "http_version": "1.1", "method": method, "scheme": "http",
            "path": plain, "raw_path": plain.encode(), "query_string": query.encode(),
            "root_path": "", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
            "headers": [
                (b"host", b"127.0.0.1"), (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                (b"authorization", f"Bearer {self.tokens[bound]}".encode()),
            ],
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        text = b"".join(message.get("body", b"") for message in sent)
        return Answer(f"{method} {path}", sent[0]["status"], text.decode())


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    config = {"workspace": str(tmp_path / "files")}
    with ricordo.open(
        tmp_path / "a.db", embedder="none", clock=lambda: NOW, config=config
    ) as memory:
        tokens = Tokens(tmp_path / "tokens.json")
        secrets = {bound: tokens.add(bound or "all", bound).token for bound in (None, "kate", ANA)}
        rules = Rules(rate=0)  # without a socket requests come faster than any client sends them
        options = ServeOptions(tokens, ConnectionScope("kate"), rules, is_mem0=True)
        app = application(LazyMemory(lambda: memory), options)
        yield Server(app, secrets, memory, tokens)


@pytest.fixture
def ana(server: Server) -> Neighbour:
    """The neighbour, with files too."""
    found = settle(server.memory, ANA)
    synced = server.memory.space(ANA).files.sync()
    assert synced.written
    found.addresses += server.memory.space(ANA).files.list()
    hers = server.memory.space("kate")
    hers.session("trip").append("user", "hers")
    hers.remember("hers", name="own")
    return found


def requests(server: Server, space: str, foreign: Neighbour) -> Iterator[tuple[str, str, Any]]:
    """Every operation of the document, with every address of the neighbour: method, path, body."""
    document = json.loads(server.ask("GET", "/openapi.json").body)
    for path, operations in document["paths"].items():
        if path in APART:
            continue  # see test_http_spaces.py
        for method, told_of in operations.items():
            for address in foreign.addresses:
                filled, is_addressed = fill(path, told_of, space, str(address))
                for body, depends in bodies(told_of, address):
                    yield method.upper(), filled, body
                    is_addressed |= depends
                if not is_addressed:
                    break  # nothing in the request depends on the address


def fill(path: str, told_of: dict[str, Any], space: str, address: str) -> tuple[str, bool]:
    """A path with values for all of its parameters; whether one of them is the address."""
    query: dict[str, Any] = {}
    is_addressed = False
    for parameter in told_of.get("parameters", ()):
        name = parameter["name"]
        if name == "space":
            path = path.replace("{space}", quote(space, safe=""))
            continue
        assert name in GIVEN, f"{path} takes {name!r}: say in GIVEN what to give"
        value = address if GIVEN[name] is ADDRESS else GIVEN[name]
        is_addressed |= GIVEN[name] is ADDRESS
        if parameter["in"] == "path":
            path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
        elif parameter["required"] or name == "q":
            query[name] = value
    assert "{" not in path, path
    return path + (f"?{urlencode(query)}" if query else ""), is_addressed


def bodies(told_of: dict[str, Any], address: object) -> Iterator[tuple[Any, bool]]:
    """What to send, and whether it depends on the address; a tool of two toolsets has two."""
    if "requestBody" not in told_of:
        yield None, False
        return
    schema = told_of["requestBody"]["content"]["application/json"]["schema"]
    for each in schema.get("anyOf", [schema]):
        yield arguments(each, address), bool(each.get("required"))


def leaks(
    server: Server, space: str, foreign: Neighbour, bound: str | None
) -> tuple[int, set[str]]:
    """How many requests were sent as a space, and the routes whose answers held a canary."""
    asked, found = 0, set()
    for method, path, body in requests(server, space, foreign):
        if bound is None and path in WHOLE:
            continue
        answer = server.ask(method, path, body, bound)
        asked += 1
        assert answer.status < 500, answer
        plain = path.partition("?")[0]
        if CANARY in answer.body or (NAME in answer.body and (bound or plain not in OPEN)):
            found.add(f"{method} {plain}")
    return asked, found


@pytest.mark.parametrize("bound", [None, "kate"], ids=["token for all", "token of kate"])
def test_no_route_gives_or_changes_what_is_next_door(server, ana, bound):
    before, kate = told(server.memory, ANA), number(server.memory, "kate")

    with watching() as watch:
        asked, found = leaks(server, "kate", ana, bound)
        server.memory._engine.store.settle()

    assert found == set()
    whole = {"spaces.names", "spaces.numbers"} | {
        name for name in watch.strangers(kate) if name.startswith("stats.")
    }  # an unbound token may ask for the figures of the whole memory
    assert set(watch.strangers(kate)) <= (whole if bound is None else set())
    assert told(server.memory, ANA) == before
    assert server.memory.check() == []
    assert asked > 300
    report("6 isolation, routes", token=bound or "all", requests=asked, leaks=0)


def test_a_token_learns_nothing_about_a_space_that_is_not_its_own(server, ana):
    """Not even whether it exists: the answers are those about a space that does not."""
    asked = 0
    there, nowhere = (list(requests(server, space, ana)) for space in (ANA, "nobody"))
    for (method, path, body), (_, other, _) in zip(there, nowhere, strict=True):
        if path == other:
            continue  # names no space
        answer = server.ask(method, path, body, "kate")
        same = server.ask(method, other, body, "kate")
        asked += 1
        assert answer.status == 404, answer
        assert CANARY not in answer.body
        assert answer.body.replace(ANA, "nobody") == same.body
    assert asked > 300
    for place in ("/mcp", "/mcp/"):
        assert server.ask("POST", f"{place.rstrip('/')}/{ANA}", {}, "kate").status == 404


def test_no_path_leads_into_the_folder_of_another_space(server, ana):
    home = Path(server.memory.space(ANA)._engine.settings.workspace)
    theirs = [file for file in home.rglob("*.md") if CANARY in file.read_text()]
    server.memory.space("kate").files.sync()
    assert theirs
    for file in theirs:
        inside = file.relative_to(home)
        for path in (f"../{inside}", f"x/../../{inside}", str(file), f"..\\{inside}"):
            answer = server.ask("GET", f"/v1/spaces/kate/files/{quote(path, safe='')}")
            assert answer.status in (400, 404), answer
            assert CANARY not in answer.body


# --- controls ---------------------------------------------------------------------------------


def test_a_space_that_is_asked_about_itself_shows_the_canary(server, ana):
    _, found = leaks(server, ANA, ana, ANA)

    assert len(found) > 30


def test_a_route_that_looks_next_door_is_caught(server, ana, monkeypatch):
    """A planted hole: routes take the space from somewhere else than the URL."""
    monkeypatch.setattr(RequestContext, "space", property(lambda asked: asked.memory.space(ANA)))

    _, found = leaks(server, "kate", ana, "kate")

    assert len(found) > 30
    report("6 isolation, routes, control: another space", routes=len(found))


def test_a_token_that_reaches_too_far_is_caught(server, ana, monkeypatch):
    """A planted hole: the binding of a token is forgotten."""
    monkeypatch.setattr(Grant, "reaches", lambda *_: True)

    found = {
        path
        for method, path, body in requests(server, ANA, ana)
        if CANARY in server.ask(method, path, body, "kate").body
    }

    assert len(found) > 30


def test_a_parameter_that_nobody_thought_of_fails_the_test():
    new = {"parameters": [{"name": "neighbour", "in": "query", "required": False}]}

    with pytest.raises(AssertionError, match="neighbour"):
        fill("/v1/spaces/{space}/new", new, "kate", "seat")
