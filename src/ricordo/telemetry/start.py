"""Start what the setting `telemetry` asks for; OpenTelemetry is imported only then."""

from collections.abc import Callable

from ricordo.telemetry.steps import Steps

OFF = "off"


def start_spans(steps: Steps, wanted: str, redact: Callable[[str], str] | None) -> None:
    """Make spans of the steps of a memory, with texts if `wanted` is "contents"."""
    if wanted != OFF:
        from ricordo.telemetry.spans import SpanWatcher

        steps.watch(SpanWatcher(wants_contents=wanted == "contents", redact=redact))
