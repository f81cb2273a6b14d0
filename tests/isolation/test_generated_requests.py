"""Requests at random, with tokens of every kind: nothing leaks, nothing breaks, nothing is written
that may not be. Every operation that the server names is among them, so a new one is covered."""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from neighbours import CANARY, Neighbour, told
from test_isolation import arguments
from test_routes import ANA, NAME, Server, ana, fill, server  # noqa: F401  fixtures

from ricordo.surfaces.http.api import MEM0_ROUTES, ROUTES
from ricordo.surfaces.tools import registry
from tier import report, tier

ODD: tuple[Any, ...] = (
    None, True, -1, 2**63, 1e308, "", " ", "\0", "x" * 600, "y" * 100_000, "../..", "%2e%2e%2f", [],
    ["x"] * 2_000, {}, {"k": "v"}, [[[[[[["deep"]]]]]]], "' OR 1=1 --", "\u202e", "*", f"{ANA}#1",
)  # fmt: skip
SPELLINGS = (ANA, ANA.upper(), f"{ANA} ", f"kate/../{ANA}", f"{ANA}%00", "nobody", "", "*", "..")
KINDS = ("kate", "reader", "expired", "foreign")


def list_operations(app: Server) -> list[tuple[str, str, dict[str, Any]]]:
    document = json.loads(app.ask("GET", "/openapi.json").body)
    return [
        (method.upper(), path, told_of)
        for path, operations in document["paths"].items()
        for method, told_of in operations.items()
    ]


def make_body(told_of: dict[str, Any], chance: random.Random, address: object) -> Any:
    """A body that fits the schema, and every other time one with something odd in it."""
    if "requestBody" not in told_of:
        return None
    schema = told_of["requestBody"]["content"]["application/json"]["schema"]
    chosen = chance.choice(schema.get("anyOf", [schema]))
    body = arguments(chosen, address)
    if chance.random() < 0.5:
        names = [*chosen.get("properties", ()), "unknown"]
        body[chance.choice(names)] = chance.choice((*ODD, address))
    return body


def generate(
    app: Server, foreign: Neighbour, count: int, seed: int
) -> Iterator[tuple[str, str, str, Any]]:
    """Token, method, path and body; the operations and the kinds of tokens in turn."""
    chance = random.Random(seed)
    operations = list_operations(app)
    for turn in range(count):
        method, path, told_of = operations[turn // len(KINDS) % len(operations)]
        kind = KINDS[turn % len(KINDS)]
        own = "rita" if kind == "reader" else "kate"
        space = own if chance.random() < 0.7 else chance.choice(SPELLINGS)
        address = chance.choice((*foreign.addresses, ANA, f"{ANA}#1", 7))
        filled, _ = fill(path, told_of, space, str(address))
        if chance.random() < 0.2:
            odd = quote(str(chance.choice(ODD))[:200], safe="")
            filled += f"{'&' if '?' in filled else '?'}{chance.choice(('q', 'limit', 'x'))}={odd}"
        yield kind, method, filled, make_body(told_of, chance, address)


def list_kept(app: Server, space: str) -> list[str]:
    """What a space holds but for the signals that every recall leaves, and their number."""
    *kept, _, approvals, macros, _ = told(app.memory, space)
    return [*kept, approvals, macros]


@pytest.mark.parametrize("seed", [1, 2])
def test_generated_requests_neither_leak_nor_break_nor_write(server, ana, seed):  # noqa: F811
    server.memory.space("rita").remember("hers alone", name="own")
    hour = timedelta(hours=1)
    past = server.file.add("past", "kate", expires_at=datetime.now(UTC) - hour).token
    server.tokens["reader"] = server.file.add("reader", "rita", read_only=True).token
    server.tokens["expired"], server.tokens["foreign"] = past, "rcl_of_another_server"
    before = told(server.memory, ANA), list_kept(server, "rita")
    count = max(tier(0, 10_000), len(KINDS) * len(list_operations(server)))
    answered: dict[str, set[int]] = {kind: set() for kind in KINDS}

    for kind, method, path, body in generate(server, ana, count, seed):
        answer = server.ask(method, path, body, kind)
        answered[kind].add(answer.status)
        assert answer.status < 500, answer
        assert CANARY not in answer.body, answer
        secret = answer.body.replace(path, "")
        assert NAME not in secret or kind in ("kate", "reader"), answer

    assert answered["expired"] | answered["foreign"] <= {200, 401}
    assert {200, 400, 404} <= answered["kate"]
    assert {200, 403, 404} <= answered["reader"]
    assert (told(server.memory, ANA), list_kept(server, "rita")) == before
    assert server.memory.check() == []
    report("generated requests", requests=count, leaks=0, failures=0, seed=seed)


def test_the_document_names_every_route_and_every_tool(server):  # noqa: F811
    """What is not in it would not be asked for."""
    named = {(method, path) for method, path, _ in list_operations(server)}
    tools = {path.rpartition("/")[2] for _, path in named if "/tools/" in path}

    routes = (*ROUTES, *MEM0_ROUTES)
    assert {(r.method, r.path) for r in routes if r.takes != "arguments"} <= named
    assert {tool.name for each in registry.toolsets() for tool in registry.toolset(each)} <= tools


def test_every_list_in_a_request_has_a_limit(server):  # noqa: F811
    for _, path, told_of in list_operations(server):
        if "requestBody" not in told_of:
            continue
        schema = told_of["requestBody"]["content"]["application/json"]["schema"]
        for chosen in schema.get("anyOf", [schema]):
            for name, each in chosen.get("properties", {}).items():
                is_list = "array" in str(each.get("type"))
                assert not is_list or "maxItems" in each or "string" in each["type"], (path, name)
