"""Lists over HTTP: one shape for all of them, in the answers and in the document."""

import pytest
from servers import running

from ricordo.surfaces.http.api import ROUTES

BASE = "/v1/spaces/ana"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("server")) as server:
        space = server.memory().space("ana")
        space.remember("Prefers window seats", "seat")
        space.approvals.allow(["git", "status"])
        space.schedule("Send the report", "daily", name="report")
        space.session("trip").write_scratchpad(["pack"])
        yield server


@pytest.mark.parametrize(
    ("path", "count"),
    [
        (f"{BASE}/recall?q=window", 1),
        (f"{BASE}/sessions/trip/scratchpad", 1),
        (f"{BASE}/schedules/report/upcoming?limit=2", 2),
        (f"{BASE}/spending", 0),
        (f"{BASE}/approvals", 1),
        (f"{BASE}/checkpoints", 0),
        (f"{BASE}/tools?toolset=memory", 1),
        (f"{BASE}/entries", 1),
        ("/v1/spaces", 1),
    ],
)
def test_every_list_has_items_and_next(server, path, count):
    given = server.get(path)

    assert set(given) == {"items", "next"}
    assert (len(given["items"]), given["next"]) == (count, None)


def test_no_route_answers_with_a_bare_array(server):
    paths = server.get("/openapi.json")["paths"]

    for route in ROUTES:
        operation = paths.get(route.path, {}).get(route.method.lower())
        if operation is None:
            continue  # the call of a tool stands there by the name of each
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        assert schema.get("type") != "array", route.path
        if route.is_list:
            assert schema["required"] == ["items", "next"]
