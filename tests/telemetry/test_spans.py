"""Spans: what a memory does, as OpenTelemetry sees it. The SDK is real, the exporter in memory."""

import json
import subprocess
import sys

import pytest
from opentelemetry import trace
from opentelemetry.trace import SpanKind, StatusCode

import ricordo
from chat_server import saying, serving
from spans import recorded_spans

SECRET = "hunter2"


@pytest.fixture
def spans():
    with recorded_spans() as found:
        yield found


def without_secrets(text):
    return text.replace(SECRET, "[secret]")


def test_a_recall_is_a_search_by_the_conventions_for_memories(lab, spans):
    space = lab.open(config={"telemetry": "spans"}).space("ana")
    space.remember("Prefers window seats", name="seat")
    space.recall("window", session="trip")

    span = spans.one("search_memory")

    assert span.attributes["gen_ai.operation.name"] == "search_memory"
    assert span.attributes["gen_ai.memory.store.id"] == "ana"
    assert span.attributes["gen_ai.memory.record.count"] == 0
    assert span.attributes["gen_ai.conversation.id"] == "trip"
    assert span.attributes["ricordo.mode"] == "hybrid"
    assert span.kind is SpanKind.INTERNAL
    assert span.instrumentation_scope.name == "ricordo"


def test_writes_and_deletions_have_the_names_of_the_conventions(lab, spans):
    memory = lab.open(config={"telemetry": "spans"})
    space = memory.space("ana")
    event = space.session("trip").append("user", "A window seat")
    entry = space.remember("Prefers window seats", name="seat")
    space.write("seat", "Prefers the aisle")
    space.fact("user", "seat", "aisle")
    space.forget("seat")
    memory.erase("ana")

    record = "gen_ai.memory.record.id"
    assert spans.one("create_memory").attributes[record] == event.uid
    assert spans.all("upsert_memory")[0].attributes[record] == entry.uid
    assert len(spans.all("upsert_memory")) == 2
    assert spans.one("update_memory").attributes[record] == entry.uid
    assert spans.all("delete_memory")[0].attributes["gen_ai.memory.record.count"] == 1
    assert spans.one("delete_memory_store").attributes["gen_ai.memory.store.id"] == "ana"


def test_steps_inside_a_call_are_children_of_it_and_it_of_the_caller_s_span(lab, spans):
    space = lab.open(config={"telemetry": "spans"}).space("ana")
    space.remember("Prefers window seats")

    with trace.get_tracer("agent").start_as_current_span("turn") as turn:
        space.session("trip").append("user", "Where do I sit?")
        space.session("trip").context("window")

    model = "deterministic-hash-v1"
    inner = {span.name: span for span in spans.all() if span.context.trace_id == _trace(turn)}
    assert inner["create_memory"].parent.span_id == turn.get_span_context().span_id
    assert inner["ricordo.context"].parent.span_id == turn.get_span_context().span_id
    assert inner["search_memory"].parent.span_id == inner["ricordo.context"].context.span_id
    assert inner[f"embeddings {model}"].parent.span_id == inner["search_memory"].context.span_id
    assert inner["ricordo.commit"].parent.span_id == inner["create_memory"].context.span_id
    assert inner[f"embeddings {model}"].attributes["gen_ai.request.model"] == model


def _trace(span):
    return span.get_span_context().trace_id


def test_a_call_of_a_chat_model_tells_its_model_and_tokens(lab, spans, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")
    chat = lab.open(config={"telemetry": "spans"}).space("ana").session("trip")
    chat.extend([{"role": "user", "content": f"message {n} about Oslo"} for n in range(8)])
    usage = {"prompt_tokens": 40, "completion_tokens": 9}
    with serving(saying("They talk about Oslo.", **usage)) as (url, _):
        chat.summarize(summarizer=url, force=True)

    span = spans.one("chat tiny")

    assert span.kind is SpanKind.CLIENT
    assert span.attributes["gen_ai.operation.name"] == "chat"
    assert span.attributes["gen_ai.usage.input_tokens"] == 40
    assert span.attributes["gen_ai.usage.output_tokens"] == 9
    assert "Oslo" not in spans.told()


def test_no_text_stands_in_a_span_unless_contents_are_asked_for(lab, spans):
    space = lab.open(config={"telemetry": "spans"}).space("ana")
    chat = space.session("trip")
    chat.append("user", "The zebra crossed")
    space.remember("A zebra is striped", name="animal", tags=["zebra"])
    space.recall("zebra")
    chat.context("zebra")
    with pytest.raises(ricordo.InvalidInput):
        space.recall("zebra", mode="zebra")

    assert spans.all("search_memory")
    assert "zebra" not in spans.told()


def test_contents_are_the_query_and_the_records_of_the_conventions(lab, spans):
    space = lab.open(config={"telemetry": "contents"}).space("ana")
    entry = space.remember("Prefers window seats", name="seat")
    space.recall("window")

    written = json.loads(spans.one("upsert_memory").attributes["gen_ai.memory.records"])
    asked = spans.one("search_memory").attributes
    found = json.loads(asked["gen_ai.memory.records"])

    assert written == [{"id": entry.uid, "content": "Prefers window seats"}]
    assert asked["gen_ai.memory.query.text"] == "window"
    assert found[0]["content"] == "Prefers window seats"
    assert found[0]["score"] > 0


def test_contents_pass_through_the_redaction_of_the_memory(lab, spans, tmp_path):
    path = str(tmp_path / "older.db")
    with ricordo.open(path, embedder="hash") as plain:
        plain.space("ana").remember(f"The password is {SECRET}", name="before redaction")

    config = {"telemetry": "contents"}
    with ricordo.open(path, embedder="hash", config=config, redact=without_secrets) as memory:
        memory.space("ana").recall(f"password {SECRET}")

    asked = spans.one("search_memory").attributes
    assert "The password is [secret]" in asked["gen_ai.memory.records"]
    assert SECRET not in spans.told()


def test_a_redaction_that_fails_tells_nothing_and_ends_the_span(lab, spans, tmp_path):
    broken = {"is": False}

    def redact(text):
        if broken["is"]:
            raise RuntimeError("no")
        return text

    space = lab.open(config={"telemetry": "contents"}, redact=redact).space("ana")
    chat = space.session("trip")
    event = chat.append("user", "Prefers window seats")
    engine = space._engine
    broken["is"] = True
    from ricordo.flows.recall.recall import recall
    from ricordo.flows.recall.request import Ask

    hits = recall(engine, "ana", Ask("window"))

    assert [hit.source.seq_start for hit in hits] == [event.seq]
    assert "gen_ai.memory.records" not in spans.one("search_memory").attributes


def test_a_failure_has_the_class_of_its_error_and_not_its_message(lab, spans):
    space = lab.open(config={"telemetry": "spans"}).space("ana")
    with pytest.raises(ricordo.NotFound):
        space.forget("my-diagnosis")

    span = spans.one("delete_memory")

    assert span.attributes["error.type"] == "NotFound"
    assert span.status.status_code is StatusCode.ERROR
    assert span.status.description is None
    assert span.events == ()


def test_a_memory_without_the_setting_makes_no_span(lab, spans):
    space = lab.open().space("ana")
    space.remember("x")
    space.recall("x")

    assert spans.all() == []


def test_the_setting_takes_three_words(lab):
    with pytest.raises(ricordo.InvalidInput, match="'off' or 'spans' or 'contents'"):
        lab.open(config={"telemetry": "on"})


def test_without_opentelemetry_the_setting_says_what_to_install():
    script = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "import ricordo\n"
        "try: ricordo.open(config={'telemetry': 'spans'}, embedder='none')\n"
        "except ricordo.Unavailable as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )

    assert 'pip install "ricordo[otel]"' in done.stdout
