"""Metrics of what the memory of a server does, whoever asked for it: its steps, counted.

Labels hold modes, jobs, models and classes of errors; never a name or a text of a memory.
"""

import threading
from collections.abc import Iterator

from ricordo.surfaces.http.families import CounterFamily, HistogramFamily
from ricordo.telemetry.steps import Step

_OPERATIONS = frozenset(
    {"append", "remember", "write", "write_records", "forget", "erase_space", "context"}
)


class StepMetrics:
    """Watches a memory and counts. It takes no texts."""

    wants_contents = False

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._recalls = HistogramFamily(
            "ricordo_recall_duration_seconds", "How long recalls took, by mode.", ("mode",)
        )
        self._hits = CounterFamily(
            "ricordo_recall_hits_total", "Hits of recalls, by mode.", ("mode",)
        )
        self._operations = HistogramFamily(
            "ricordo_operation_duration_seconds",
            "How long other operations took, with the wait for their commit.",
            ("operation",),
        )
        self._errors = CounterFamily(
            "ricordo_errors_total",
            "Steps of the memory that failed, by the class of the error.",
            ("step", "error"),
        )
        self._commits = HistogramFamily(
            "ricordo_commit_duration_seconds",
            "How long writes waited until they were durable.",
            (),
        )
        self._turns = HistogramFamily(
            "ricordo_lock_wait_seconds",
            "How long the commit thread waited for other processes that write.",
            (),
        )
        self._embeddings = HistogramFamily(
            "ricordo_embedding_duration_seconds",
            "How long batches of texts and queries took to embed.",
            ("model", "purpose"),
        )
        self._texts = CounterFamily(
            "ricordo_embedded_texts_total", "Texts and queries embedded.", ("model", "purpose")
        )
        self._chats = HistogramFamily(
            "ricordo_chat_duration_seconds", "How long chat models took.", ("model", "purpose")
        )
        self._tokens = CounterFamily(
            "ricordo_chat_tokens_total", "Tokens that chat models used.", ("model", "direction")
        )
        self._jobs = HistogramFamily(
            "ricordo_job_duration_seconds", "How long jobs of the keeper took.", ("job",)
        )
        self._runs = CounterFamily(
            "ricordo_job_runs_total", "Passes of the keeper's jobs, by outcome.", ("job", "outcome")
        )

    def begin(self, step: Step) -> object:
        """Nothing: all is known at the end."""

    def end(self, step: Step, begun: object) -> None:  # noqa: ARG002 - nothing was begun
        """Count a step."""
        with self._lock:
            if step.error is not None:
                self._errors.add((step.name, type(step.error).__name__))
            self._count(step)

    def _count(self, step: Step) -> None:
        model, purpose = _text(step, "model"), _text(step, "purpose")
        if step.name == "recall":
            # A mode that was refused is the client's own word.
            mode = "refused" if step.error is not None else _text(step, "mode")
            self._recalls.add((mode,), step.seconds)
            self._hits.add((mode,), _number(step, "records"))
        elif step.name == "commit":
            self._commits.add((), step.seconds)
        elif step.name == "turn":
            self._turns.add((), step.seconds)
        elif step.name == "embed":
            self._embeddings.add((model, purpose), step.seconds)
            self._texts.add((model, purpose), _number(step, "records") * (step.error is None))
        elif step.name == "chat":
            self._chats.add((model, purpose), step.seconds)
            self._tokens.add((model, "in"), _number(step, "tokens_in"))
            self._tokens.add((model, "out"), _number(step, "tokens_out"))
        elif step.name == "job":
            job = _text(step, "job")
            self._jobs.add((job,), step.seconds)
            self._runs.add((job, "success" if step.error is None else "failure"))
        elif step.name in _OPERATIONS:
            self._operations.add((step.name,), step.seconds)

    def lines(self) -> Iterator[str]:
        """Everything counted so far."""
        with self._lock:
            for family in (
                *(self._recalls, self._hits, self._operations, self._errors),
                *(self._commits, self._turns, self._embeddings, self._texts),
                *(self._chats, self._tokens, self._jobs, self._runs),
            ):
                yield from family.lines()


def _text(step: Step, name: str) -> str:
    return str(step.attributes.get(name, ""))


def _number(step: Step, name: str) -> int:
    value = step.attributes.get(name, 0)
    return value if isinstance(value, int) else 0
