"""Ask a chat model as a step of the memory, with what it cost; a caller's own function is none."""

from collections.abc import Callable

from ricordo.flows.engine import Engine
from ricordo.model import Spending


def ask_model(engine: Engine, model: object, purpose: str, ask: Callable[[], str]) -> str:
    """What a model answers. Only one that counts what it spends is a chat model."""
    before = getattr(model, "spent", None)
    if not isinstance(before, Spending):
        return ask()
    with engine.steps.begin("chat", model=before.model, purpose=purpose) as step:
        try:
            return ask()
        finally:  # an answer that cannot be read is paid for as well
            after: Spending = model.spent  # type: ignore[attr-defined]  # looked at above
            step.note(
                tokens_in=after.tokens_in - before.tokens_in,
                tokens_out=after.tokens_out - before.tokens_out,
            )
