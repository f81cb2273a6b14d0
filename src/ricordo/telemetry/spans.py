"""Spans: the steps of a memory for OpenTelemetry, by its conventions for generative AI.

Imported only where the setting `telemetry` asks for it. It needs the API of OpenTelemetry; the SDK,
exporters and samplers are the program's own. The names of attributes are written out, because the
package of conventions has none for memories yet.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from ricordo.errors import Unavailable
from ricordo.model import Json
from ricordo.telemetry.steps import Attribute, Step

try:
    from opentelemetry import context, propagate, trace
    from opentelemetry.trace import Span, SpanKind, Status, StatusCode
except ImportError as error:
    raise Unavailable(
        'telemetry needs the API of OpenTelemetry: pip install "ricordo[otel]"'
    ) from error

_SCOPE = "ricordo"
_LONGEST = 4_096  # characters of one text in a span

# What a step is called by the conventions, and in the name of its span. Others keep their own name.
_OPERATIONS = {
    "recall": "search_memory",
    "append": "create_memory",
    "remember": "upsert_memory",
    "write": "update_memory",
    "forget": "delete_memory",
    "erase_space": "delete_memory_store",
    "embed": "embeddings",
    "chat": "chat",
}
_ATTRIBUTES = {
    "space": "gen_ai.memory.store.id",
    "session": "gen_ai.conversation.id",
    "record": "gen_ai.memory.record.id",
    "records": "gen_ai.memory.record.count",
    "model": "gen_ai.request.model",
    "tokens_in": "gen_ai.usage.input_tokens",
    "tokens_out": "gen_ai.usage.output_tokens",
}
_CONTENTS = {"query": "gen_ai.memory.query.text", "records": "gen_ai.memory.records"}
_UNSHOWN = frozenset({"turn"})  # steps that a span would say nothing about


class _Begun(NamedTuple):
    span: Span
    token: object


class SpanWatcher:
    """Makes a span of each step. With `redact` every text goes through that function first."""

    def __init__(self, *, wants_contents: bool, redact: Callable[[str], str] | None = None) -> None:
        self.wants_contents = wants_contents
        self._redact = redact
        self._tracer = trace.get_tracer(_SCOPE)

    def begin(self, step: Step) -> object:
        """Begin a span inside the current one."""
        if step.name in _UNSHOWN:
            return None
        span = self._tracer.start_span(
            _name_span(step),
            kind=SpanKind.CLIENT if step.name == "chat" else SpanKind.INTERNAL,
            attributes=_describe(step),  # a sampler sees these
        )
        return _Begun(span, context.attach(trace.set_span_in_context(span)))

    def end(self, step: Step, begun: object) -> None:
        """End it, with what is known by now."""
        if not isinstance(begun, _Begun):
            return
        context.detach(begun.token)  # type: ignore[arg-type]  # what `attach` gave
        try:
            _set_failure(begun.span, step.error)
            begun.span.set_attributes(_describe(step))
            begun.span.set_attributes(self._tell_contents(step))
        finally:
            begun.span.end()

    def _tell_contents(self, step: Step) -> dict[str, str]:
        told = {}
        for name, value in step.contents.items():
            safe = self._clean(value)
            told[_CONTENTS[name]] = safe if isinstance(safe, str) else json.dumps(safe)
        return told

    def _clean(self, value: Json) -> Json:
        """A value with its texts redacted and cut; a redaction that fails tells nothing."""
        if isinstance(value, str):
            return (value if self._redact is None else self._redact(value))[:_LONGEST]
        if isinstance(value, dict):
            return {name: self._clean(each) for name, each in value.items()}
        return [self._clean(each) for each in value] if isinstance(value, list) else value


def _name_span(step: Step) -> str:
    name = _OPERATIONS.get(step.name, f"ricordo.{step.name}")
    model = step.attributes.get("model")
    return f"{name} {model}" if model else name


def _describe(step: Step) -> dict[str, str | int | float | bool]:
    """The attributes of a step under the names of the conventions; the rest under ours."""
    told: dict[str, str | int | float | bool] = {}
    if (operation := _OPERATIONS.get(step.name)) is not None:
        told["gen_ai.operation.name"] = operation
    for name, value in step.attributes.items():
        if value is not None:
            told[_ATTRIBUTES.get(name, f"ricordo.{name}")] = value
    return told


def _set_failure(span: Span, error: BaseException | None) -> None:
    """The class of an error; its message may quote texts, so it stays out."""
    if error is not None:
        span.set_attribute("error.type", type(error).__name__)
        span.set_status(Status(StatusCode.ERROR))


class RequestSpan(NamedTuple):
    """The span of a request that a server answers."""

    span: Span

    def finish(self, method: str, route: str, status: int) -> None:
        """Note what is known once it is answered. The route holds no names, a path would."""
        self.span.update_name(f"{method} {route}")
        told: dict[str, Attribute] = {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
        }
        self.span.set_attributes({name: value for name, value in told.items() if value is not None})
        if status >= 500:
            self.span.set_attribute("error.type", str(status))
            self.span.set_status(Status(StatusCode.ERROR))


def _find_parent(headers: Mapping[str, str]) -> context.Context | None:
    """The trace of a client; None if it named none, or none that the program's reader takes."""
    try:
        return propagate.extract(headers)
    except Exception:  # noqa: BLE001 - a reader of the program's own; the request goes on
        return None


@contextmanager
def begin_request(headers: Mapping[str, str]) -> Iterator[RequestSpan]:
    """The span of a request, inside the trace that the client names in `traceparent`."""
    parent = _find_parent(headers)
    with trace.get_tracer(_SCOPE).start_as_current_span(
        "request",
        context=parent,
        kind=SpanKind.SERVER,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        yield RequestSpan(span)
