"""Beside the API: its OpenAPI document and its metrics."""

import json
import re

from http_space import BASE, TOOLS

import ricordo
from ricordo.model import PARTS
from ricordo.surfaces.http.api import ROUTES
from ricordo.surfaces.http.calls import CALL
from ricordo.surfaces.tools import registry


def test_the_document_holds_every_route_and_every_tool(server):
    document = server.get("/openapi.json")
    paths = document["paths"]

    assert document["openapi"].startswith("3.1")
    assert document["info"]["version"] == ricordo.__version__
    for route in ROUTES:
        if route.path != CALL:
            assert paths[route.path][route.method.lower()]["summary"]
    for name in registry.names():
        assert paths[CALL.replace("{tool}", name)]["post"]["requestBody"]
    names = [each["operationId"] for path in paths.values() for each in path.values()]
    assert len(names) == len(set(names))
    text = json.dumps(document)
    for found in set(re.findall(r'"#/components/schemas/(\w+)"', text)):
        assert document["components"]["schemas"][found]


def test_the_document_describes_every_part_of_a_score(server):
    schemas = server.get("/openapi.json")["components"]["schemas"]
    listed = schemas["Parts"]["properties"]

    hits = server.get(f"{BASE}/recall?q=window")["items"]

    assert {name: (part["title"], part["description"]) for name, part in listed.items()} == PARTS
    assert hits
    assert all(set(hit["parts"]) <= set(listed) for hit in hits)
    for kind, field in (("Hit", "parts"), ("Explanation", "parts"), ("Explanation", "last_parts")):
        assert schemas[kind]["properties"][field] == {"$ref": "#/components/schemas/Parts"}


def test_the_document_states_what_limit_is_unless_given(server):
    limits = {
        operation["operationId"]: parameter["schema"]
        for path in server.get("/openapi.json")["paths"].values()
        for operation in path.values()
        for parameter in operation.get("parameters", ())
        if parameter["name"] == "limit"
    }

    told = {name: (limits[name]["default"], limits[name]["maximum"]) for name in limits}
    own = {"recall": (5, 1000), "explain": (5, 1000), "schedules": (50, 1000)}
    own |= {"explain_event": (5, 1000)}
    own |= {"upcoming": (5, 100), "checkpoints": (100, 100)}
    assert told == {name: own.get(name, (100, 1000)) for name in limits}


def test_the_schema_of_a_tool_in_the_document_is_its_own(server):
    paths = server.get("/openapi.json")["paths"]

    for toolset, tool in TOOLS:
        body = paths[CALL.replace("{tool}", tool.name)]["post"]["requestBody"]
        schema = body["content"]["application/json"]["schema"]
        own = json.loads(json.dumps(dict(tool.parameters)))
        assert own == schema or own in schema.get("anyOf", ()), toolset


def test_metrics_count_requests_by_route_and_not_by_name(fresh):
    fresh.call("ana", "remember", content="x", name="secretname")
    fresh.get(f"{BASE}/entries/secretname")
    fresh.ask("GET", f"{BASE}/entries/nobody")
    fresh.ask("GET", "/v1/spaces", token="wrong")

    text = fresh.ask("GET", "/metrics").body.decode()

    route = "/v1/spaces/{space}/entries/{name}"
    assert f'requests_total{{route="{route}",method="GET",status="200"}} 1' in text
    assert f'requests_total{{route="{route}",method="GET",status="404"}} 1' in text
    assert 'requests_total{route="refused",method="GET",status="401"} 1' in text
    assert f'request_duration_seconds_bucket{{route="{route}",le="+Inf"}} 2' in text
    assert f'request_duration_seconds_count{{route="{route}"}} 2' in text
    assert 'ricordo_kept{kind="entries"} 1' in text
    assert "secretname" not in text
    assert "nobody" not in text


def test_metrics_tell_a_bound_token_of_its_own_space_and_of_nobody_s_requests(fresh):
    fresh.call("bob", "remember", content="x")
    fresh.call("bob", "remember", content="y")
    fresh.call("ana", "remember", content="z")
    ana = fresh.tokens.add("ana", "ana").token

    text = fresh.ask("GET", "/metrics", token=ana).body.decode()

    assert 'ricordo_kept{kind="entries"} 1' in text
    assert "ricordo_http" not in text


def test_buckets_of_the_latency_only_grow(server):
    server.get("/v1/spaces")
    text = server.ask("GET", "/metrics").body.decode()
    counts = re.findall(r'_bucket\{route="/v1/spaces",le="[^"]+"\} (\d+)', text)

    assert len(counts) == 14
    assert [int(each) for each in counts] == sorted(int(each) for each in counts)
