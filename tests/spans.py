"""The spans of a test, from the real SDK of OpenTelemetry, kept in memory."""

import contextlib
from collections.abc import Iterator

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

REMOTE = 0x0AF7651916CD43DD8448EB211C80319C
PARENT = 0xB7AD6B7169203331
TRACEPARENT = f"00-{REMOTE:032x}-{PARENT:016x}-01"


class Recorded:
    """Spans that have ended, in that order."""

    def __init__(self, exporter: InMemorySpanExporter) -> None:
        self._exporter = exporter

    def all(self, name: str = "") -> list[ReadableSpan]:
        return [span for span in self._exporter.get_finished_spans() if name in span.name]

    def one(self, name: str) -> ReadableSpan:
        (found,) = self.all(name)
        return found

    def told(self) -> str:
        """Everything that any span says."""
        return "\n".join(span.to_json() for span in self.all())


@contextlib.contextmanager
def recorded_spans() -> Iterator[Recorded]:
    """Record what every tracer of this process makes, until the block ends."""
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider(shutdown_on_exit=False)
        trace.set_tracer_provider(provider)
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    try:
        yield Recorded(exporter)
    finally:
        exporter.shutdown()  # it takes nothing from now on; processors cannot be removed
        exporter.clear()
