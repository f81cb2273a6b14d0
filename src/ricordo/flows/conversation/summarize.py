"""Summarize: the rolling summary of a session, compared and swapped by epoch.

The model is asked while no transaction is open. Of two writers, the second changes nothing and gets
the current epoch.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ricordo.core.conversation import plain_summary
from ricordo.core.conversation.front import show_summary
from ricordo.core.conversation.messages import plain, whole_cut
from ricordo.core.conversation.plain_summary import Use
from ricordo.core.integrity import chain
from ricordo.core.text import content, token_cost
from ricordo.core.text.token_cost import Counter, cost
from ricordo.errors import InvalidInput, shorten
from ricordo.flows.conversation.ask_model import ask_model
from ricordo.flows.engine import Engine, whole
from ricordo.flows.writing.free_json import pack_metadata
from ricordo.model import Event, Json, Spending, Summary, SummaryWrite
from ricordo.store.codec import micros, moment
from ricordo.store.database import Tx

if TYPE_CHECKING:
    from ricordo.embed.chat import ChatModel

# From the summary so far and the events that follow it to the summary of both.
Summarizer = Callable[[str, Sequence[Event]], str]

LONGEST = 100_000  # characters of a summary
SAFETY = 1_024  # tokens kept free for what nobody counted, but not more than
_SAFE_SHARE = 8  # an eighth of the budget
_MOST = 2**31


@dataclass(frozen=True, slots=True)
class Terms:
    """When to condense, how far, and with what."""

    budget: int
    used: int = 0
    summarizer: Summarizer | str | None = None
    min_events: int = 4
    trigger: float = 0.80
    target: float = 0.50
    tokens: Counter | None = None
    safety: int | None = None
    force: bool = False

    @property
    def kept_free(self) -> int:
        if self.safety is None:
            return min(SAFETY, self.budget // _SAFE_SHARE)
        return whole(self.safety, "safety", 0, _MOST)


class SummaryState(NamedTuple):
    """Where a session stands: its summary and the messages that it does not cover."""

    summary: Summary | None
    events: list[Event]

    @property
    def epoch(self) -> int:
        return 0 if self.summary is None else self.summary.epoch

    @property
    def text(self) -> str:
        return "" if self.summary is None else self.summary.text


def read(engine: Engine, space: str, session: str) -> Summary | None:
    """The summary as it stands."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return None if number is None else tx.summaries.get(number, session)


def read_as_of(engine: Engine, space: str, session: str, as_of: datetime) -> Summary | None:
    """What the summary said at a time, if that is still kept."""
    micros(as_of)  # refuses what is not a time with a zone
    told = [each for each in list_all(engine, space, session) if each.at <= as_of]
    return told[-1] if told else None


def list_all(engine: Engine, space: str, session: str) -> list[Summary]:
    """Every summary that is kept, oldest first; the last one is the current one."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        current = None if number is None else tx.summaries.get(number, session)
        if number is None or current is None:
            return []
        return [*tx.summaries.list_earlier(number, session), current]


def write(
    engine: Engine,
    address: tuple[str, str],
    told: str,
    *,
    upto: int,
    expected_epoch: int,
    metadata: Mapping[str, Json] | None = None,
) -> SummaryWrite:
    """Write a summary if its epoch is still the expected one; otherwise say which one it is."""
    said = content.clean(told, "summary", limit=LONGEST)
    upto = whole(upto, "upto", 0, 2**63 - 2)
    expected = whole(expected_epoch, "expected_epoch", 0, _MOST)
    held = _metadata(engine, metadata)
    now = engine.now()

    def work(tx: Tx) -> SummaryWrite:
        if expected and tx.spaces.number(address[0]) is None:
            return SummaryWrite(applied=False, current_epoch=0)
        number = engine.ensure_space(tx, address[0])
        summary = Summary(address[1], expected + 1, upto, said, held, moment(now))
        return swap(engine, tx, number, summary)

    return engine.store.write(work)


def swap(engine: Engine, tx: Tx, space: int, summary: Summary) -> SummaryWrite:
    """Replace the summary of the previous epoch, unless somebody else has replaced it.

    What is refused leaves no trace, so the epoch is compared before the session is touched. That
    locks its row, and the epoch is compared once more: on PostgreSQL others write meanwhile.
    """
    if (refused := _refuse(summary, tx.summaries.get(space, summary.session))) is not None:
        return refused
    now = micros(summary.at)
    head = tx.sessions.touch(space, summary.session, now, chain.START).head
    old = tx.summaries.get(space, summary.session)
    if (refused := _refuse(summary, old)) is not None:
        return refused
    if old is not None and summary.upto < old.upto:
        raise InvalidInput(f"upto {summary.upto} falls behind {old.upto}, which is summarised")
    if summary.upto > max(head.last_seq, 0):
        raise InvalidInput(
            f"upto {summary.upto} is beyond {head.last_seq}, the last event of session "
            f"{summary.session!r}; a summary covers only what was said"
        )
    tx.summaries.put(space, summary, now)
    if old is not None:
        tx.summaries.keep(space, old, summary.epoch - engine.settings.summaries_kept)
    return SummaryWrite(applied=True, current_epoch=summary.epoch)


def _refuse(summary: Summary, old: Summary | None) -> SummaryWrite | None:
    """The answer to a summary that does not follow the current one."""
    current = 0 if old is None else old.epoch
    follows = current == summary.epoch - 1
    return None if follows else SummaryWrite(applied=False, current_epoch=current)


def summarize(engine: Engine, space: str, session: str, terms: Terms) -> SummaryWrite | None:
    """Condense the oldest messages if it is time; None when it is not."""
    _check(terms)
    count = token_cost.counter(terms.tokens)
    state = load(engine, space, session)
    use = _use(state.text, state.events, terms, count)
    is_due = plain_summary.is_due(use, terms.min_events, terms.trigger)
    if not is_due and not (terms.force and len(state.events) > plain_summary.LEFT):
        return None
    summarizer, model = choose_summarizer(terms.summarizer, terms.budget)
    before = measure_spending(model)
    done, told = _condense(state, terms, count, partial(ask_summarizer, engine, summarizer))
    summary = Summary(
        session, state.epoch + 1, state.events[done - 1].seq, told, None, _moment(engine)
    )
    return save(engine, space, summary, measure_spending(model, before))


def save(engine: Engine, space: str, summary: Summary, paid: Spending | None) -> SummaryWrite:
    """Swap the summary in, and note what it cost even if somebody else was faster."""
    now = engine.now()

    def work(tx: Tx) -> SummaryWrite:
        number = engine.ensure_space(tx, space)
        if paid is not None:
            tx.summaries.spend(number, paid, now)
        return swap(engine, tx, number, summary)

    return engine.store.write(work)


def load(engine: Engine, space: str, session: str) -> SummaryState:
    """The summary and every message after it."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return SummaryState(None, [])
        summary = tx.summaries.get(number, session)
        after = -1 if summary is None else summary.upto
        events = tx.events.after(number, (space, session), after)
    return SummaryState(summary, [event for event in events if event.kind == "message"])


def choose_summarizer(
    given: Summarizer | str | None, budget: int = plain_summary.LIMIT
) -> tuple[Summarizer, "ChatModel | None"]:
    """What condenses: the extractive default, a callable, or a chat model (perhaps by its URL)."""
    if given is None:
        return partial(plain_summary.condense, limit=plain_summary.choose_limit(budget)), None
    from ricordo.embed.chat import ChatModel  # hooks condense without one

    model = ChatModel(given) if isinstance(given, str) else given
    if not callable(model):
        raise InvalidInput(
            f"summarizer {shorten(given)} is not valid; give a callable or a chat URL"
        )
    return model, model if isinstance(model, ChatModel) else None


def measure_spending(model: "ChatModel | None", before: Spending | None = None) -> Spending | None:
    """What a model has cost so far, or since before."""
    if model is None:
        return None
    now = model.spent
    if before is None:
        return now
    figures = zip(_figures(now), _figures(before), strict=True)
    return Spending(now.model, *(later - earlier for later, earlier in figures))


def _figures(spending: Spending) -> tuple[int, int, int]:
    return spending.calls, spending.tokens_in, spending.tokens_out


def ask_summarizer(
    engine: Engine, summarizer: Summarizer, previous: str, events: Sequence[Event]
) -> str:
    """What the summarizer says, redacted and checked: nothing is written that cannot be kept."""
    answer = ask_model(engine, summarizer, "summarize", lambda: summarizer(previous, events))
    said = content.clean(answer, "the summarizer's answer", limit=LONGEST)
    told = engine.redact_text(said)
    if not told.strip():
        raise InvalidInput("the summarizer gave a blank text; nothing was written")
    return told


def _condense(
    state: SummaryState, terms: Terms, count: Counter, summarizer: Summarizer
) -> tuple[int, str]:
    """Condense from the oldest on until use is down to the target; how many, and the text."""
    told, done = state.text, 0
    while True:
        rest = state.events[done:]
        more = plain_summary.how_many(_use(told, rest, terms, count), terms.target)
        if done == 0:
            more = max(1, more)
        whole_groups = whole_cut(rest, more, plain_summary.LEFT) if more else 0
        if whole_groups == 0 and (done or not more):
            return done, told
        more = whole_groups or more  # a log that is one long call cannot be cut but inside it
        told = summarizer(told, rest[:more])
        done += more


def _use(told: str, events: Sequence[Event], terms: Terms, count: Counter) -> Use:
    fixed = terms.used + terms.kept_free
    if told:
        fixed += cost(show_summary(told), count)
    return Use(fixed, [cost(plain(event), count) for event in events], terms.budget)


def _check(terms: Terms) -> None:
    whole(terms.budget, "budget", 1, _MOST)
    whole(terms.used, "used", 0, _MOST)
    whole(terms.min_events, "min_events", 1, _MOST)
    for name in ("trigger", "target"):
        ratio = getattr(terms, name)
        if isinstance(ratio, bool) or not isinstance(ratio, int | float) or not 0 <= ratio <= 1:
            raise InvalidInput(f"{name} is {shorten(ratio)}; give a ratio from 0 to 1")


def _metadata(engine: Engine, given: Mapping[str, Json] | None) -> Mapping[str, Json] | None:
    if given is None:
        return None
    pack_metadata(given, engine.settings)
    return dict(given)


def _moment(engine: Engine) -> datetime:
    return moment(engine.now())
