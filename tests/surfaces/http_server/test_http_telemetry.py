"""Telemetry of a server: traces that go on in it, and metrics by Prometheus' rules."""

import json
import subprocess
import urllib.request

import pytest
from http_space import BASE
from prometheus_client.parser import text_string_to_metric_families
from servers import command, environment, running

from spans import PARENT, REMOTE, TRACEPARENT, recorded_spans


@pytest.fixture
def spans():
    with recorded_spans() as found:
        yield found


@pytest.fixture
def ask(tmp_path, monkeypatch, spans):
    """Ask a server that makes spans; all of them have ended when this returns."""
    monkeypatch.setenv("RICORDO_TELEMETRY", "spans")

    def ask(path, *trace, token=None):
        with running(tmp_path, makes_spans=True) as server:
            server.memory().space("ana").remember("Prefers window seats", name="seat")
            headers = [
                ("Host", f"127.0.0.1:{server.port}"),
                ("Authorization", f"Bearer {token or server.token}"),
                *(("traceparent", each) for each in trace),
            ]
            return server.raw("GET", path, headers)

    return ask


def test_a_request_goes_on_in_the_trace_of_its_client(ask, spans):
    assert ask(f"{BASE}/recall?q=window", TRACEPARENT).status == 200

    request = spans.one("GET /v1/spaces/{space}/recall")
    search = spans.one("search_memory")
    assert request.context.trace_id == REMOTE
    assert request.parent.span_id == PARENT
    assert search.parent.span_id == request.context.span_id
    assert request.attributes["http.response.status_code"] == 200


@pytest.mark.parametrize(
    "sent",
    [(), ("nonsense",), (TRACEPARENT, TRACEPARENT), (f"00-{0:032x}-{1:016x}-01",), ("ÿ" * 500,)],
)
def test_without_one_readable_trace_a_request_begins_its_own(ask, spans, sent):
    assert ask(f"{BASE}/entries/seat", *sent).status == 200

    request = spans.one("GET /v1/spaces/{space}/entries/{name}")
    assert request.parent is None
    assert request.context.trace_id != REMOTE


def test_a_request_without_a_token_makes_no_span(ask, spans):
    assert ask(f"{BASE}/recall?q=window", TRACEPARENT, token="wrong").status == 401

    assert all(span.context.trace_id != REMOTE for span in spans.all())
    assert not any("http.route" in span.attributes for span in spans.all())


def test_no_name_from_a_path_stands_in_the_span_of_a_request(ask, spans):
    ask(f"{BASE}/entries/my-diagnosis", TRACEPARENT)

    assert spans.one("GET /v1/spaces/{space}/entries/{name}").attributes == {
        "http.request.method": "GET",
        "http.route": "/v1/spaces/{space}/entries/{name}",
        "http.response.status_code": 404,
    }


def families(server, **given):
    text = server.ask("GET", "/metrics", **given).body.decode()
    return text, {family.name: family for family in text_string_to_metric_families(text)}


def values(family, suffix="", **labels):
    return [
        sample.value
        for sample in family.samples
        if sample.name == family.name + suffix and labels.items() <= sample.labels.items()
    ]


def test_every_metric_can_be_parsed_and_keeps_to_prometheus_names(fresh):
    fresh.call("ana", "remember", content="x", name="secretname")
    fresh.get("/v1/spaces/ana/recall?q=secretquery")

    text, found = families(fresh)

    assert all(family.documentation for family in found.values())
    assert all(family.type != "unknown" for family in found.values())
    lines = text.splitlines()
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) == len(set(names))
    for line in (line for line in lines if line.startswith("# TYPE")):
        _, _, name, kind = line.split()
        assert name.startswith("ricordo_")
        assert kind != "counter" or name.endswith("_total")
        assert kind != "histogram" or name.endswith("_seconds")
    assert "secretname" not in text
    assert "secretquery" not in text


def test_metrics_count_what_the_memory_does_whoever_asked(fresh):
    fresh.call("ana", "remember", content="Prefers window seats", name="seat")
    fresh.get("/v1/spaces/ana/recall?q=window")
    fresh.ask("GET", "/v1/spaces/ana/recall?q=window&mode=unheard-of")
    space = fresh.memory().space("ana")
    space.session("trip").append("user", "A window seat, please")
    space.recall("window", mode="keyword")
    fresh.memory().flush()

    text, found = families(fresh)

    model = "deterministic-hash-v1"
    recalls = found["ricordo_recall_duration_seconds"]
    assert values(recalls, "_count", mode="hybrid") == [1]
    assert values(recalls, "_count", mode="keyword") == [1]
    assert values(found["ricordo_recall_hits"], "_total", mode="hybrid") == [1]
    operations = found["ricordo_operation_duration_seconds"]
    assert values(operations, "_count", operation="remember") == [1]
    assert values(operations, "_count", operation="append") == [1]
    assert values(found["ricordo_commit_duration_seconds"], "_count")[0] >= 2
    assert values(found["ricordo_lock_wait_seconds"], "_count")[0] >= 1
    assert values(found["ricordo_embedded_texts"], "_total", model=model, purpose="texts") == [2]
    assert values(found["ricordo_embedding_backlog"]) == [0]
    assert values(found["ricordo_writes_waiting"]) == [0]
    assert values(found["ricordo_build_info"]) == [1]
    assert "unheard-of" not in text


def test_metrics_count_jobs_and_failures(fresh):
    fresh.call("ana", "remember", content="x", name="seat")
    fresh.ask("POST", "/v1/spaces/ana/tools/forget", {"name": "nobody"})
    fresh.memory().keeper.run_due()

    _, found = families(fresh)

    assert values(found["ricordo_errors"], "_total", step="forget", error="NotFound") == [1]
    assert "ricordo_job_runs" in found


def test_a_bound_token_gets_the_figures_of_its_space_alone(fresh):
    fresh.call("ana", "remember", content="x")
    bound = fresh.tokens.add("ana", "ana").token

    _, found = families(fresh, token=bound)

    assert set(found) == {"ricordo_kept", "ricordo_bytes", "ricordo_embedding_backlog"}


def test_serve_traces_requests_where_the_setting_asks_for_it(tmp_path):
    """The program's own SDK, set up before the server, sees the spans of a real process."""
    script = tmp_path / "traced.py"
    script.write_text(
        "import sys\n"
        "from opentelemetry import trace\n"
        "from opentelemetry.sdk.trace import TracerProvider\n"
        "from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor\n"
        "provider = TracerProvider()\n"
        "out = open(sys.argv.pop(1), 'w', buffering=1)\n"
        "provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=out)))\n"
        "trace.set_tracer_provider(provider)\n"
        "from ricordo.surfaces.entry import main\n"
        "main()\n"
    )
    told = tmp_path / "spans.json"
    words = ["serve", "--port", "0", "--json", "--db", str(tmp_path / "agent.db")]
    words += ["--tokens", str(tmp_path / "tokens.json")]
    program = [command()[0], str(script), str(told), *words]
    env = environment() | {"RICORDO_TELEMETRY": "spans"}
    with subprocess.Popen(program, stdout=subprocess.PIPE, env=env) as server:
        try:
            started = json.loads(server.stdout.readline())
            headers = {
                "Authorization": f"Bearer {started['token']}",
                "traceparent": TRACEPARENT,
            }
            url = f"{started['url']}/v1/spaces/ana/recall?q=x"
            with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as reply:
                assert reply.status == 200
        finally:
            server.terminate()

    text = told.read_text()
    assert f"{REMOTE:032x}" in text
    assert '"name": "GET /v1/spaces/{space}/recall"' in text
    assert '"name": "search_memory"' in text
