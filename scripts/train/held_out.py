"""Sets of questions about spaces that no model was trained on, written into a memory.

`pairs/*.json` hold `T`, the texts of one space in the order they were written, and `Q`, questions
with the places of the texts that answer them; an empty list means that nothing does.
"""

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import ricordo

FOLDER = Path(__file__).parent / "pairs"
TALKS = (
    *("p2_3", "p2_5", "p3_4", "p3_6", "p4_4", "p4_6", "p5_5", "p5_8"),
    *("p7_3", "p9_12", "p9_14", "pa_7", "pa_8", "pa_12"),
)
NOTES = ("p1_5", "p1_9", "p6_5", "p6_8", "p9_7", "p9_11", "p9_13", "pb_7", "pb_12")
DOCUMENTS = ("p8_5", "p8_8")
JUDGED_BY = ("p9_8", "p9_14", "pb_8", "pb_13")  # nothing is learnt from these
LEARNT_FROM = tuple(name for name in (*TALKS, *NOTES, *DOCUMENTS) if name not in JUDGED_BY)
ROLES = ("user", "assistant", "tool")

SPEAKER = re.compile(r"(\w[\w .'’-]{0,24})[:：] ?(?=\S)")  # of notes and talk in one space
_SPEAKER = re.compile(r"([^:\n]{1,25}): ")
_START = datetime(2025, 1, 6, 9, tzinfo=UTC)

Place = tuple[str, int]  # a session and a seq, or a name or URI and 0


class Asked(NamedTuple):
    """A question and the places in `T` of what answers it, and of what that supersedes."""

    text: str
    gold: list[int]
    stale: list[int]

    def is_stale(self, place: int) -> bool:
        """Whether a text is one that the answer supersedes, and no answer itself."""
        return place in self.stale and place not in self.gold


@dataclass(frozen=True, slots=True)
class HeldOut:
    """One set: the texts of a space and what is asked of it."""

    name: str
    texts: list[str]
    asked: list[Asked]


def read(name: str, folder: Path = FOLDER) -> HeldOut:
    """The set of this name."""
    written = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    asked = [Asked(q[0], q[1], q[2].get("stale", []) if len(q) > 2 else []) for q in written["Q"]]
    return HeldOut(name, written["T"], asked)


class Steps:
    """A clock that goes on by three hours whenever something is written."""

    now = _START

    def __call__(self) -> datetime:
        return self.now

    def step(self) -> None:
        self.now += timedelta(hours=3)


@contextmanager
def write(items: HeldOut, embedder: object) -> Iterator[tuple[ricordo.Space, dict[Place, int]]]:
    """A memory that holds the set, and which text stands where."""
    steps = Steps()
    with ricordo.open(":memory:", embedder=embedder, clock=steps, keep=False) as memory:
        space = memory.space("set")
        if items.name in TALKS:
            places = _append_talk(space, items)
        else:
            places = {}
            for number, text in enumerate(items.texts):
                places[_write_text(space, items.name, text, number)] = number
                steps.step()
        memory.flush()
        yield space, places


def _write_text(space: ricordo.Space, name: str, text: str, number: int) -> Place:
    if name in DOCUMENTS:
        return space.ingest(text, uri=f"passage-{number}").uri, 0
    found = SPEAKER.match(text) if is_in_other_language(name) else None
    if found is None:
        return space.remember(text).name, 0
    event = space.session("talk").append("user", text[found.end() :], name=found[1])
    return event.session, event.seq


def is_in_other_language(name: str) -> bool:
    """Whether a set is one of those that hold notes and talk in one space."""
    return name.startswith("l_")


def _append_talk(space: ricordo.Space, items: HeldOut) -> dict[Place, int]:
    """Sessions of 8 to 20 messages, some days apart: the sets do not tell where one ends."""
    chance = random.Random(items.name)
    places: dict[Place, int] = {}
    at, session, left = _START, 0, chance.randint(8, 20)
    for number, text in enumerate(items.texts):
        at += timedelta(minutes=2)
        if not left:
            session, left = session + 1, chance.randint(8, 20)
            at += timedelta(days=chance.randint(1, 20))
        left -= 1
        found = _SPEAKER.match(text)
        speaker, said = (found[1], text[found.end() :]) if found else ("user", text)
        role = speaker.lower() if speaker.lower() in ROLES[:2] else "user"
        name = None if speaker.lower() in ROLES[:2] else speaker
        event = space.session(f"s{session}").append(role, said, name=name, at=at)
        places[event.session, event.seq] = number
    return places


def locate(tx, space: int, rows) -> Iterator[Place]:
    """Where the texts of rows stand."""
    for row in rows:
        if row.session is not None:
            yield row.session, row.seq_start
        elif row.kind == "file":
            yield tx.documents.uri(space, row.entry), 0
        else:
            yield tx.entries.names(space, row.entry)[0], 0
