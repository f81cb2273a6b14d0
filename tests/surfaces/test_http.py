"""The HTTP API over a real socket: what is asked is answered, page by page, never with a 5xx."""

import json
import re
import signal
import subprocess
import threading
import urllib.parse
import urllib.request
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from servers import command, environment, running

import recollect
from recollect.errors import Busy, StoreError, Unavailable
from recollect.surfaces.cli import cli
from recollect.surfaces.http.api import ROUTES
from recollect.surfaces.http.calls import CALL
from recollect.surfaces.http.problems import problem_of
from recollect.surfaces.tools import ToolFailure, registry

BASE = "/v1/spaces/ana"
TOOLS = [(each, tool) for each in registry.toolsets() for tool in registry.toolset(each)]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("http")) as server:
        furnish(server.memory().space("ana"))
        yield server


@pytest.fixture
def fresh(tmp_path):
    with running(tmp_path) as server:
        yield server


@pytest.fixture
def twin(tmp_path):
    """A memory to compare with, reached without HTTP."""
    with recollect.open(tmp_path / "twin.db", embedder="hash") as memory:
        yield memory


def furnish(space):
    """Something of every kind."""
    for number in range(7):
        space.remember(f"Note number {number}", name=f"note {number}", tags=["some"])
    space.write("note 0", "Note number zero")
    space.remember("Prefers window seats", name="travel/seat", aliases=["seat"], category="daily")
    chat = space.session("trip")
    for number in range(5):
        chat.append("user", f"Message number {number}")
    chat.write_scratchpad(["pack"])
    chat.summarize(force=True)
    plan = space.schedule("Send the report", "every weekday at 8:30", name="report")
    space.schedule("Water the plants", "daily at 9")
    space.remind("Call the bank", at=datetime.now(UTC) + timedelta(days=1))
    space.remind("Ask for the invoice", cue="project Atlas")
    space.ingest("A page of text", uri="doc:1")
    space.recall("window seats")
    return plan


def paged(server, path, limit, **rest):
    """Every item of a list, page by page, and how many pages there were."""
    items, pages, after = [], 0, None
    while True:
        query = {**rest, "limit": limit} | ({} if after is None else {"after": after})
        page = server.get(f"{path}?{urllib.parse.urlencode(query)}")
        items += page["items"]
        pages += 1
        after = page["next"]
        if after is None:
            return items, pages


# --- what breaks ------------------------------------------------------------------------------


def test_a_memory_that_cannot_be_opened_is_a_problem_that_tells_nothing_of_the_file(
    tmp_path, caplog
):
    (tmp_path / "agent.db").write_bytes(b"this is no memory" * 1_000)
    with running(tmp_path) as server:
        replies = [server.ask("GET", "/v1/spaces"), server.ask("GET", f"{BASE}/recall?q=x")]
        counted = server.ask("GET", "/metrics")

    for reply in replies:
        assert reply.status == 500
        assert reply.headers["content-type"] == "application/problem+json"
        assert "agent.db" not in reply.body.decode()
    assert counted.status == 200
    assert "agent.db" in caplog.text


def test_what_the_store_says_does_not_leave_the_server():
    busy = problem_of(Busy("/home/ana/agent.db is locked by another process; try again"))
    broken = problem_of(StoreError("/home/ana/agent.db: no such table: entries"))
    missing = problem_of(Unavailable("the model in /home/ana/models is incomplete"))

    assert [each.status for each in (busy, broken, missing)] == [503, 500, 503]
    assert "try again" in busy.detail
    assert "/home/ana" not in busy.detail + broken.detail + missing.detail


def test_another_method_is_told_which_ones_there_are(server):
    assert server.ask("DELETE", f"{BASE}/entries/seat").headers["allow"] == "GET"
    assert server.ask("DELETE", f"{BASE}/recall").headers["allow"] == "GET, POST"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("POST", "/healthz", 405), ("POST", "/metrics", 405), ("GET", "/healthz/", 404)],
)
def test_beside_the_api_errors_are_problems_too(server, method, path, status):
    reply = server.ask(method, path, {} if method == "POST" else None)

    assert reply.status == status
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json["status"] == status


# --- reads ------------------------------------------------------------------------------------


def test_every_kind_that_recall_knows_can_be_asked_for(server):
    from recollect.flows.recall import KINDS

    document = server.get("/openapi.json")
    declared = document["paths"]["/v1/spaces/{space}/recall"]["get"]["parameters"]
    kind = next(each for each in declared if each["name"] == "kind")

    assert kind["schema"]["items"]["enum"] == list(KINDS)
    assert server.get(f"{BASE}/recall?q=page&kind=file")[0]["source"]["uri"] == "doc:1"


def test_an_entry_is_found_by_name_alias_id_and_uid_also_with_a_slash_in_it(server):
    entry = server.memory().space("ana").get("seat")

    for name in ("travel%2Fseat", "seat", str(entry.id), entry.uid):
        found = server.get(f"{BASE}/entries/{name}")
        assert found["content"] == "Prefers window seats"
        assert set(found) == set(recollect.Entry.__dataclass_fields__)
    assert server.ask("GET", f"{BASE}/entries/travel/seat").status == 404


def test_lists_are_the_same_in_one_page_and_in_many(server):
    for path, least in (
        (f"{BASE}/entries", 8),
        (f"{BASE}/sessions/trip/events", 5),
        (f"{BASE}/schedules", 2),
        (f"{BASE}/reminders", 2),
        (f"{BASE}/sessions", 1),
        (f"{BASE}/signals", 1),
        (f"{BASE}/documents", 1),
        (f"{BASE}/entries/note%200/history", 1),
        ("/v1/spaces", 1),
    ):
        whole, pages = paged(server, path, 1_000)
        pieces, many = paged(server, path, 1)
        assert (len(whole) >= least, pages) == (True, 1)
        assert (pieces, many) == (whole, len(whole))


def test_filters_of_a_list_are_those_of_python(server):
    notes, _ = paged(server, f"{BASE}/entries", 3, tag="some", prefix="note")
    daily = server.get(f"{BASE}/entries?category=daily")["items"]

    assert {each["name"] for each in notes} == {f"note {number}" for number in range(7)}
    assert [each["name"] for each in daily] == ["travel/seat"]


def test_recall_answers_the_same_by_query_and_by_body(server):
    by_query = server.get(f"{BASE}/recall?q=window+seats&limit=1&mode=keyword&kind=note")
    wanted = {"q": "window seats", "limit": 1, "mode": "keyword", "kind": ["note"]}
    by_body = server.ask("POST", f"{BASE}/recall", wanted).json

    assert by_query == by_body
    assert by_query[0]["entry"]["name"] == "travel/seat"
    assert by_query[0]["parts"]


def test_what_a_session_holds_is_read(server):
    assert server.get(f"{BASE}/sessions/trip/scratchpad") == ["pack"]
    assert server.get(f"{BASE}/sessions/trip/summary")["upto"] >= 0
    context = server.get(f"{BASE}/sessions/trip/context?q=seats&budget=500")
    assert "window seats" in context["text"]
    assert context["tokens"] <= 500
    seqs = [event["seq"] for event in server.get(f"{BASE}/sessions/trip/events?after=1")["items"]]
    assert seqs == [seq for seq in range(8) if seq in seqs]
    assert min(seqs) == 2


def test_reading_a_context_gives_no_reminder_out(fresh):
    space = fresh.memory().space("ana")
    space.remind("Ask for the invoice", cue="project Atlas")

    for _ in range(2):
        context = fresh.get(f"{BASE}/sessions/s/context?q=project+Atlas")
        assert "Ask for the invoice" in context["text"]


def test_schedules_are_read_with_their_runs(server):
    found = server.get(f"{BASE}/schedules/report")

    assert found["goal"] == "Send the report"
    assert server.get(f"{BASE}/schedules/{found['id']}/runs") == {"items": [], "next": None}
    assert [s["name"] for s in server.get(f"{BASE}/schedules?name=report")["items"]] == ["report"]


def test_what_was_learnt_is_read(fresh):
    space = fresh.memory().space("ana")
    space.approve("git status")
    space.learn([{"name": "read", "arguments": {}}, {"name": "write", "arguments": {}}] * 4)
    space.dream()

    assert fresh.get(f"{BASE}/approvals")[0]["words"] == ["git", "status"]
    for kind in ("sweeps", "promotions", "macros", "files"):
        assert set(fresh.get(f"{BASE}/{kind}")) == {"items", "next"}
    assert len(fresh.get(f"{BASE}/sweeps")["items"]) == 1
    assert fresh.get(f"{BASE}/checkpoints") == []
    assert fresh.ask("GET", f"{BASE}/files/notes%2Fa.md").status in (400, 404)


def test_the_next_runs_of_a_schedule_are_told(server):
    assert len(server.get(f"{BASE}/schedules/report/upcoming?limit=3")) == 3


def test_an_entry_is_read_as_it_stood_then(server):
    before = server.get(f"{BASE}/entries/note%200/history")["items"][0]
    then = urllib.parse.quote(before["since"])

    assert server.get(f"{BASE}/entries/note%200?as_of={then}")["content"] == "Note number 0"
    assert server.get(f"{BASE}/entries/note%200")["content"] == "Note number zero"


def test_an_explanation_tells_why(server):
    path = f"{BASE}/entries/seat/explanation?q=window+seats"

    told = server.get(path)
    assert told["verdict"] in ("found", "ranked")
    assert told["reason"]


def test_counts_do_not_tell_where_the_memory_lies(server):
    counted = server.get(f"{BASE}/stats")

    assert counted["entries"] == 8
    assert counted["path"] == ""


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/nowhere", None, 404),
        ("GET", "/", None, 404),
        ("GET", f"{BASE}/entries/nobody", None, 404),
        ("GET", f"{BASE}/sessions/nobody/summary", None, 404),
        ("GET", f"{BASE}/schedules/nobody", None, 404),
        ("GET", f"{BASE}/entries?after=nobody", None, 404),
        ("GET", "/v1/spaces/nobody/stats", None, 404),
        ("DELETE", f"{BASE}/entries/seat", None, 405),
        ("POST", f"{BASE}/entries", b"{}", 405),
        ("GET", f"{BASE}/entries?limit=0", None, 400),
        ("GET", f"{BASE}/entries?limit=many", None, 400),
        ("GET", f"{BASE}/entries?limit=1&limit=2", None, 400),
        ("GET", f"{BASE}/entries?kind=odd", None, 400),
        ("GET", f"{BASE}/entries?colour=red", None, 400),
        ("GET", f"{BASE}/entries?prefix=%ff", None, 400),
        ("GET", "/v1/spaces/%ff/entries", None, 400),
        ("GET", "/v1/spaces/%00/entries", None, 400),
        ("GET", f"{BASE}/recall", None, 400),
        ("GET", f"{BASE}/recall?q=x&since=yesterday", None, 400),
        ("GET", f"{BASE}/recall?q=x&profile=odd", None, 400),
        ("POST", f"{BASE}/recall", b"", 400),
        ("POST", f"{BASE}/recall", b"[]", 400),
        ("POST", f"{BASE}/recall", b"{", 400),
        ("POST", f"{BASE}/recall", b"\xff", 400),
        ("POST", f"{BASE}/recall", b'{"q": "x", "limit": true}', 400),
        ("POST", f"{BASE}/recall", b'{"q": "x", "limit": NaN}', 400),
        ("POST", f"{BASE}/recall?q=y", b'{"q": "x"}', 400),
        ("POST", f"{BASE}/recall", b'{"q": "\\ud800"}', 400),
        ("POST", f"{BASE}/recall", b'{"q": ' + b"[" * 100_000, 400),
        ("POST", f"{BASE}/tools/nothing", b"{}", 404),
        ("POST", f"{BASE}/tools/get", b'{"name": "nobody"}', 404),
        ("POST", f"{BASE}/tools/recall", b'{"query": 3}', 400),
        ("POST", f"{BASE}/tools/recall", b"null", 400),
        ("POST", f"{BASE}/tools/recall?toolset=nothing", b'{"query": "x"}', 400),
    ],
)
def test_what_is_wrong_is_told_as_a_problem(server, method, path, body, status):
    reply = server.ask(method, path, body)

    assert reply.status == status, reply.body
    assert reply.headers["content-type"] == "application/problem+json"
    told = reply.json
    assert (told["type"], told["status"]) == ("about:blank", status)
    assert told["title"]
    assert len(told["detail"]) > 5


# --- tools ------------------------------------------------------------------------------------


@pytest.mark.parametrize("toolset", registry.toolsets())
def test_every_tool_answers_its_examples_as_the_registry_does(fresh, twin, toolset):
    """The same calls go to a twin memory without HTTP: what one refuses the other refuses."""
    for space in (twin.space("ana"), fresh.memory().space("ana")):
        space.remember("Prefers window seats", name="seat")
    for tool in registry.toolset(toolset):
        for example in tool.examples:
            path = f"{BASE}/tools/{tool.name}?toolset={toolset}&session=trip"
            reply = fresh.ask("POST", path, dict(example))
            kind, expected = outcome(tool, example, twin.space("ana"))
            if kind is None:
                assert reply.status == 200, reply.body
                assert shape(reply.json["result"]) == shape(expected)
            else:
                assert reply.status in (400, 404, 409, 422)
                assert reply.json["error"] == kind
            assert twin.flush(10)
            assert fresh.memory().flush(10)


def outcome(tool, example, space):
    """What the registry says to a call: the kind of its failure, or None and the result."""
    try:
        return None, registry.call(tool.name, example, space, "trip", tool.toolset)
    except ToolFailure as failure:
        return failure.kind, None


def shape(value):
    """What is left of a result without its ids and times."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    return [shape(inner) for inner in value] if isinstance(value, list) else type(value)


def test_tools_are_listed_as_mcp_declares_them(server):
    assert server.get(f"{BASE}/tools") == registry.definitions("default", "mcp")
    assert server.get(f"{BASE}/tools?toolset=notes") == registry.definitions("notes", "mcp")


def test_two_spaces_never_see_each_other(fresh):
    """Everything that can be read of one is read, and holds nothing of the other."""
    for name, canary in (("ana", "canaryana"), ("bob", "canarybob")):
        space = fresh.memory().space(name)
        furnish(space)
        space.remember(f"{canary} likes window seats", name=canary, tags=[canary])
        space.session(canary).append("user", f"{canary} speaks of window seats")
        space.schedule(canary, "daily at 9", name=canary)
        space.remind(canary, cue=canary)
        space.ingest(f"{canary} in a document", uri=f"doc:{canary}")
        space.approve([canary, "status"])
        space.learn(
            [{"name": canary, "arguments": {}}, {"name": f"{canary}2", "arguments": {}}] * 4
        )

    for name, foreign in (("ana", b"canarybob"), ("bob", b"canaryana")):
        token = fresh.tokens.add(name, name).token
        own = f"canary{name}"
        seen = b""
        for route in ROUTES:
            if route.method != "GET":
                continue
            path = route.path.replace("{space}", name).replace("{name}", own)
            path = path.replace("{session}", own).replace("{schedule}", own)
            path = path.replace("{path}", own)
            wants = any(each.required for each in route.parameters)
            reply = fresh.ask(
                "GET", path + ("?q=window+seats+canary" if wants else ""), token=token
            )
            assert reply.status in (200, 400, 404), (path, reply.body)
            seen += reply.body
        for tool in registry.toolset("default"):
            for example in tool.examples:
                path = f"/v1/spaces/{name}/tools/{tool.name}"
                seen += fresh.ask("POST", path, dict(example), token).body
        seen += fresh.ask("GET", "/metrics", token=token).body
        assert own.encode() in seen
        assert foreign not in seen


# --- beside the API ---------------------------------------------------------------------------


def test_the_document_holds_every_route_and_every_tool(server):
    document = server.get("/openapi.json")
    paths = document["paths"]

    assert document["openapi"].startswith("3.1")
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
    assert f'request_seconds_bucket{{route="{route}",le="+Inf"}} 2' in text
    assert f'request_seconds_count{{route="{route}"}} 2' in text
    assert 'recollect_kept{kind="entries"} 1' in text
    assert "secretname" not in text
    assert "nobody" not in text


def test_metrics_tell_a_bound_token_of_its_own_space_and_of_nobody_s_requests(fresh):
    fresh.call("bob", "remember", content="x")
    fresh.call("bob", "remember", content="y")
    fresh.call("ana", "remember", content="z")
    ana = fresh.tokens.add("ana", "ana").token

    text = fresh.ask("GET", "/metrics", token=ana).body.decode()

    assert 'recollect_kept{kind="entries"} 1' in text
    assert "recollect_http" not in text


def test_buckets_of_the_latency_only_grow(server):
    server.get("/v1/spaces")
    text = server.ask("GET", "/metrics").body.decode()
    counts = re.findall(r'_bucket\{route="/v1/spaces",le="[^"]+"\} (\d+)', text)

    assert len(counts) == 14
    assert [int(each) for each in counts] == sorted(int(each) for each in counts)


# --- robustness -------------------------------------------------------------------------------

ODD = st.text(max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD, inner, max_size=3),
    max_leaves=6,
)


def odd_request(data):
    """A request that is nearly right: a route of ours, filled with anything."""
    route = data.draw(st.sampled_from(ROUTES))
    toolset, tool = data.draw(st.sampled_from(TOOLS))
    path = route.path.replace("{tool}", tool.name)
    for piece in re.findall(r"\{(\w+)\}", path):
        safe = urllib.parse.quote(data.draw(ODD.filter(bool)), safe="", errors="surrogatepass")
        path = path.replace(f"{{{piece}}}", safe)
    known = st.sampled_from([each.name for each in route.parameters] or ["none"])
    query = data.draw(st.lists(st.tuples(known, ODD), max_size=3))
    body = data.draw(st.dictionaries(known | ODD, VALUES, max_size=4))
    if route.path == CALL:
        query = [("toolset", toolset)]
        names = list(tool.parameters.get("properties", {})) or ["none"]
        odd = data.draw(st.dictionaries(st.sampled_from(names), VALUES, max_size=2))
        body = {**data.draw(st.sampled_from(tool.examples)), **odd}
    path += "?" + urllib.parse.urlencode(query, errors="surrogatepass")
    return route.method, path, body if route.method == "POST" else None


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_nothing_that_is_sent_breaks_the_server(server, data):
    method, path, body = odd_request(data)

    reply = server.ask(method, path, body)

    assert reply.status < 500, (method, path, body, reply.body)
    json.loads(reply.body)


def test_many_clients_at_once_are_all_answered(fresh):
    statuses = []

    def work(number):
        for turn in range(5):
            made = fresh.ask(
                "POST",
                f"{BASE}/tools/remember",
                {"content": f"{number} {turn}", "name": f"n{number}"},
            )
            statuses.append(made.status)
            statuses.append(fresh.ask("GET", f"{BASE}/recall?q={number}").status)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert statuses == [200] * 80
    assert len(fresh.get(f"{BASE}/entries")["items"]) == 8


# --- the command ------------------------------------------------------------------------------


def test_serve_tells_where_it_listens_makes_a_token_and_leaves_one_file(tmp_path):
    tokens, path = tmp_path / "tokens.json", tmp_path / "agent.db"
    words = ("serve", "--port", "0", "--db", str(path), "--tokens", str(tokens), "--json")
    with subprocess.Popen(
        command(*words), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        finished = threading.Timer(60, process.kill)  # a server that hangs fails the test
        finished.start()
        told = json.loads(process.stdout.readline())
        token = json.loads(tokens.read_text(encoding="utf-8"))["tokens"][0]["token"]
        request = urllib.request.Request(
            f"{told['url']}{BASE}/tools/remember",
            data=b'{"content": "Prefers window seats", "name": "seat"}',
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            assert reply.status == 200
        process.send_signal(signal.SIGTERM)
        rest, noise = process.communicate()
        finished.cancel()

    assert (rest, noise) == (b"", b"")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["agent.db", "tokens.json"]
    with recollect.open(path, embedder="none") as memory:
        assert memory.space("ana").get("seat").content == "Prefers window seats"


@pytest.mark.parametrize(
    "words",
    [
        ("--allow-host", "memory.example.org:8765"),
        ("--allow-host", "https://memory.example.org"),
        ("--allow-host", "*"),
        ("--allow-origin", "*"),
        ("--allow-origin", "example.org"),
        ("--allow-origin", "https://example.org/app"),
    ],
)
def test_what_could_never_be_let_in_is_refused_at_the_start(tmp_path, words):
    file = ("--tokens", str(tmp_path / "tokens.json"))
    elsewhere = ("--host", "192.0.2.1", "--allow-host", "memory.example.org")  # no address of ours

    done = CliRunner().invoke(cli, ["serve", *elsewhere, *words, *file])

    assert done.exit_code == 2
    assert " ".join((words[0], repr(words[1]))) in done.stderr


def test_serving_others_needs_a_name_to_be_asked_by(tmp_path):
    done = subprocess.run(
        command("serve", "--host", "0.0.0.0", "--tokens", str(tmp_path / "tokens.json")),
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "--allow-host" in done.stderr
