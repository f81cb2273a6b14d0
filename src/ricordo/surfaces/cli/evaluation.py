"""Evaluate recall on your own conversations, through the public API alone.

A file is JSON lines, each a message or a question:

{"type": "message", "conversation": "c1", "id": "m1", "session": "s1", "speaker": "Ana",
 "role": "user", "time": "2023-05-08T13:56:00+00:00", "text": "I adopted a dog"}
{"type": "question", "conversation": "c1", "text": "Which pet does Ana have?", "gold": ["m1"],
 "category": "pets"}

`conversation`, `speaker`, `role`, `time` and `category` may be left out. A question whose gold is
empty is not asked.
"""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from statistics import fmean
from typing import cast

from ricordo.core.recall import metrics
from ricordo.errors import InvalidInput
from ricordo.handles import memory as api
from ricordo.model import Json, Mode, ProfileName

MEASURES = metrics.MEASURES
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class TestMessage:
    """A message of a conversation under test."""

    id: str
    session: str
    text: str
    role: str = "user"
    speaker: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question and the messages that answer it."""

    text: str
    gold: frozenset[str]
    category: str = ""
    line: int = 0  # its line in the file


@dataclass(frozen=True, slots=True)
class Conversation:
    name: str
    messages: list[TestMessage] = field(default_factory=list)
    questions: list[GoldQuestion] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """What one way of recalling reached: each question's measures, and what it cost."""

    way: str
    rows: list[dict[str, float]]
    categories: list[str]
    conversations: list[str]
    cpu_ms: float

    def mean(self, name: str, category: str | None = None) -> float:
        pairs = zip(self.rows, self.categories, strict=True)
        return fmean(row[name] for row, own in pairs if category in (None, own))

    def interval(self, name: str) -> metrics.Interval:
        return metrics.interval([row[name] for row in self.rows])


def read(path: str | Path) -> list[Conversation]:
    """Conversations from a file of JSON lines; a line that would be scored wrongly is refused."""
    found: dict[str, Conversation] = {}
    lines: dict[tuple[str, str], int] = {}  # the first line of each id
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            with _name_bad_line(path, number):
                item = json.loads(line)
                name = str(item.get("conversation", ""))
                conversation = found.setdefault(name, Conversation(name))
                if item["type"] == "message":
                    said = _read_message(item)
                    _check_id(said.id, number, lines.setdefault((name, said.id), number))
                    conversation.messages.append(said)
                else:
                    conversation.questions.append(_read_question(item, number))
    for conversation in found.values():
        _check_gold(path, conversation)
    return [each for each in found.values() if any(asked.gold for asked in each.questions)]


@contextmanager
def _name_bad_line(path: str | Path, number: int) -> Iterator[None]:
    """Name the line that cannot be used."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(
            f"line {number} of {path} {_fault(error)}; see ricordo eval --help"
        ) from error


def _check_id(id: str, number: int, first: int) -> None:
    if first != number:
        raise ValueError(f"line {first} already has the id {id!r}; give each message its own")


def _check_gold(path: str | Path, conversation: Conversation) -> None:
    known = {said.id for said in conversation.messages}
    for asked in conversation.questions:
        with _name_bad_line(path, asked.line):
            if missing := asked.gold - known:
                raise ValueError(
                    f"no message of its conversation has the id {min(missing)!r}; correct its "
                    "gold, or leave it empty if no message answers"
                )


def _fault(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"has no {error.args[0]!r}"
    if isinstance(error, json.JSONDecodeError):
        return f"is not valid JSON ({error})"
    if isinstance(error, ValueError):
        return f"is not valid: {error}"
    return "is neither a message nor a question"


def _read_message(item: dict[str, str]) -> TestMessage:
    at = datetime.fromisoformat(item["time"]) if item.get("time") else None
    return TestMessage(
        id=str(item["id"]),
        session=str(item.get("session", "session")),
        text=item["text"],
        role=item.get("role", "user"),
        speaker=item.get("speaker"),
        at=at,
    )


def _read_question(item: dict[str, Json], number: int) -> GoldQuestion:
    gold = item["gold"]
    if not isinstance(gold, list):
        raise ValueError(f"gold is {json.dumps(gold)}; give a list of ids")
    ids = frozenset(map(str, gold))
    return GoldQuestion(str(item["text"]), ids, str(item.get("category", "")), number)


def evaluate(
    conversations: Iterable[Conversation],
    ways: Iterable[tuple[str, str]],
    *,
    embedder: object = None,
    progress: Progress | None = None,
) -> list[EvaluationReport]:
    """Ask every question in every way, a way being a profile and a mode."""
    ways = list(ways)
    rows: dict[tuple[str, str], list[dict[str, float]]] = defaultdict(list)
    spent: dict[tuple[str, str], float] = defaultdict(float)
    categories, names = [], []
    conversations = list(conversations)
    for number, conversation in enumerate(conversations):
        if progress:
            progress(number, len(conversations))
        with api.open(":memory:", embedder=embedder) as memory:
            space = memory.space("eval")
            ids = fill(space, conversation)
            memory.flush()
            sessions = {said.id: said.session for said in conversation.messages}
            for asked in _usable(conversation):
                categories.append(asked.category)
                names.append(conversation.name)
                for way in ways:
                    measured, seconds = _ask(space, asked, way, ids, sessions)
                    rows[way].append(measured)
                    spent[way] += seconds
    count = max(1, len(categories))
    return [
        EvaluationReport(f"{p} ({m})", rows[p, m], categories, names, 1000 * spent[p, m] / count)
        for p, m in ways
    ]


def fill(space: api.Space, conversation: Conversation) -> dict[tuple[str, int], list[str]]:
    """Append the messages; the ids behind each event, repeats of a text included."""
    ids: dict[tuple[str, int], list[str]] = {}
    first: dict[tuple[str, str], tuple[str, int]] = {}
    for session in dict.fromkeys(said.session for said in conversation.messages):
        messages = [said for said in conversation.messages if said.session == session]
        events = space.session(session).extend(
            {"role": s.role, "content": s.text, "name": s.speaker, "at": s.at} for s in messages
        )
        for said, event in zip(messages, events, strict=True):
            # A text said twice in a session is one hit, which stands for both messages.
            place = first.setdefault((session, " ".join(said.text.split())), (session, event.seq))
            ids.setdefault(place, []).append(said.id)
    return ids


def _usable(conversation: Conversation) -> Iterator[GoldQuestion]:
    """Questions with gold that exists; the others cannot be scored."""
    known = {said.id for said in conversation.messages}
    for asked in conversation.questions:
        gold = asked.gold & known
        if gold:
            yield replace(asked, gold=gold)


def _ask(
    space: api.Space,
    asked: GoldQuestion,
    way: tuple[str, str],
    ids: dict[tuple[str, int], list[str]],
    sessions: dict[str, str],
) -> tuple[dict[str, float], float]:
    start = time.process_time()
    profile, mode = cast(ProfileName, way[0]), cast(Mode, way[1])  # recall checks them
    hits = space.recall(asked.text, metrics.DEPTH, mode, profile=profile, asker=None)
    seconds = time.process_time() - start
    places = [(str(hit.source.session), hit.source.seq_start or 0) for hit in hits]
    ranking = [id for place in places for id in ids.get(place, ())]
    order = list(dict.fromkeys(sessions[id] for id in ranking))
    gold = frozenset(sessions[id] for id in asked.gold)
    return metrics.measure(ranking, asked.gold, order, gold), seconds
