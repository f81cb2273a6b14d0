"""Who has the right text first in everyday use: notes, chats, documents.

    make bench-everyday DATA=folder
    python bench/everyday.py FILE... [--ways default:hybrid,default:vector] [--embedder bundled]

A file holds one set as JSON: `name`, `kind` (notes, chat, documents), `items` with `id` and `text`,
in a chat also `session`, `role`, `name` and `at`, and `questions` with `q`, `gold`, `type` and
`stale`, the ids that the gold supersedes. A question of the type `unanswerable` or `smalltalk` has
no gold. Notes are remembered, messages appended, pages ingested; only the public API is used. Each
set counts alike.
"""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean

import ricordo

WAYS = "default:hybrid,default:hybrid:unread,default:vector,default:keyword,minmax:hybrid"
DEPTH = 20
MEASURES = ("top-1", "hit@5", "MRR", "stale first")


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a set; without `gold` nothing answers it."""

    text: str
    type: str
    gold: frozenset[str]
    stale: frozenset[str]


@dataclass(frozen=True, slots=True)
class Everyday:
    """One set: what a space holds, and what is asked of it."""

    name: str
    kind: str
    items: list[dict]
    questions: list[Question]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one way of recalling gave: ids in order, and how sure it was of the best one."""

    question: Question
    ids: list[str]
    confidence: float
    cpu_ms: float

    def measure(self, name: str) -> float:
        place = next((n for n, id in enumerate(self.ids) if id in self.question.gold), None)
        if name == "stale first":
            older = next((n for n, id in enumerate(self.ids) if id in self.question.stale), DEPTH)
            return float(older < (DEPTH if place is None else place))
        if name == "MRR":
            return 0.0 if place is None else 1 / (place + 1)
        return float(place is not None and place < (1 if name == "top-1" else 5))


def read(paths: list[Path]) -> list[Everyday]:
    """The sets of files, or of every JSON file in a folder."""
    files = [file for path in paths for file in (sorted(path.glob("*.json")) or [path])]
    return [_read_set(json.loads(file.read_text(encoding="utf-8"))) for file in files]


def _read_set(written: dict) -> Everyday:
    questions = [
        Question(q["q"], q["type"], frozenset(q["gold"]), frozenset(q.get("stale", ())))
        for q in written["questions"]
    ]
    return Everyday(written["name"], written["kind"], written["items"], questions)


class Times:
    """A clock that stands still between items, some hours apart."""

    now = datetime(2026, 1, 5, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def step(self) -> None:
        self.now += timedelta(hours=3)


def fill(space: ricordo.Space, items: Everyday, times: Times) -> dict[tuple[str, int], str]:
    """Write a set into a space; its ids by session and `seq`, or by name or URI and 0."""
    ids: dict[tuple[str, int], str] = {}
    for item in items.items:
        if items.kind == "documents":
            ids[space.ingest(item["text"], uri=item["id"]).uri, 0] = item["id"]
        elif items.kind == "chat":
            at = datetime.fromisoformat(item["at"])
            chat = space.session(item["session"])
            event = chat.append(item["role"], item["text"], name=item.get("name"), at=at)
            ids[event.session, event.seq] = item["id"]
        else:
            ids[space.remember(item["text"]).name, 0] = item["id"]
        times.step()
    return ids


def find_ids(hit: ricordo.Hit, ids: dict[tuple[str, int], str]) -> list[str]:
    """The ids of the items that a hit shows."""
    source = hit.source
    if source.session is None or source.seq_start is None:
        return [ids[str(source.uri if source.kind == "file" else source.name), 0]]
    places = range(source.seq_start, (source.seq_end or source.seq_start) + 1)
    return [ids[source.session, seq] for seq in places if (source.session, seq) in ids]


def ask(items: Everyday, ways: list[str], embedder: str) -> Iterator[tuple[str, Answer]]:
    """Every question of a set in every way: a profile, a mode, and `unread` for no re-ranker."""
    times = Times()
    with ricordo.open(":memory:", embedder=embedder, clock=times, keep=False) as memory:
        space = memory.space("everyday")
        ids = fill(space, items, times)
        memory.flush()
        for way in ways:
            profile, mode, *unread = [*way.split(":"), "hybrid"][: max(2, way.count(":") + 1)]
            asked = {"mode": mode, "profile": profile, "rerank": False if unread else None}
            for question in items.questions:
                start = time.process_time()
                hits = space.recall(question.text, limit=DEPTH, **asked)
                spent = 1000 * (time.process_time() - start)
                found = list(dict.fromkeys(id for hit in hits for id in find_ids(hit, ids)))
                sure = max((hit.confidence or 0.0 for hit in hits), default=0.0)
                yield way, Answer(question, found, sure, spent)


def show(answers: dict[str, dict[str, list[Answer]]], kinds: dict[str, str]) -> None:
    """One line per way: all sets, each kind, each type of question; answers by way and set."""
    for way, sets in answers.items():
        print(f"\n{way:<22}" + "".join(f"{name:>13}" for name in MEASURES) + f"{'CPU ms':>9}")
        _show_line("all sets", list(sets.values()))
        for kind in sorted(set(kinds.values())):
            _show_line(f"  {kind}", [each for name, each in sets.items() if kinds[name] == kind])
        for type in sorted({answer.question.type for each in sets.values() for answer in each}):
            rows = [[a for a in each if a.question.type == type] for each in sets.values()]
            _show_line(f"  {type}", rows)
        every = [answer for each in sets.values() for answer in each]
        print(f"  AUROC of confidence, answerable against not: {_compare_confidence(every):.3f}")


def _show_line(title: str, sets: list[list[Answer]]) -> None:
    answerable = [[a for a in each if a.question.gold] for each in sets]
    if not any(answerable):
        return
    line = f"{title:<22}"
    for name in MEASURES:
        asked = [
            [a for a in each if a.question.stale or name != MEASURES[-1]] for each in answerable
        ]
        means = [fmean(a.measure(name) for a in each) for each in asked if each]
        line += f"{fmean(means):>13.3f}" if means else f"{'-':>13}"
    spent = fmean(answer.cpu_ms for each in answerable for answer in each)
    print(line + f"{spent:>9.1f}")


def _compare_confidence(answers: list[Answer]) -> float:
    own = [answer.confidence for answer in answers if answer.question.gold]
    none = [a.confidence for a in answers if a.question.type == "unanswerable"]
    if not own or not none:
        return float("nan")
    return fmean((one > other) + (one == other) / 2 for one in own for other in none)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--ways", default=WAYS)
    parser.add_argument("--embedder", default="bundled")
    given = parser.parse_args()
    ways = given.ways.split(",")
    answers: dict[str, dict[str, list[Answer]]] = {}
    sets = read(given.files)
    for items in sets:
        for way, answer in ask(items, ways, given.embedder):
            answers.setdefault(way, {}).setdefault(items.name, []).append(answer)
    show(answers, {items.name: items.kind for items in sets})


if __name__ == "__main__":
    main()
