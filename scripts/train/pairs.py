"""The training pairs: texts of one space, the questions about them, and what no model may learn.

Pure but for reading files. A set is one file of pairs; its kind is the front of its name.
"""

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

OWN = Path(__file__).with_name("pairs")  # the sets that come with the source
HELD_OUT = Path(__file__).with_name("held_out.txt")
SPEAKER = re.compile(r"^[^\W\d_a-z][\w' .’-]{0,24}(?:: |：)")
ASKED_ELSEWHERE = 30  # questions of other sets that a teacher reads with each set
EMPTY = """
a an the is are was were be been am do does did has have had will would can could should may what
which who whom whose when where why how that this these those there of to in on at for by with from
and or it its i me my we us our you your he him his she her they them their any some so just please
tell know"""
EMPTY_WORDS = frozenset(EMPTY.split())  # what a question loses that is typed in a hurry
TALKS = frozenset({"l", "p2", "p3", "p4", "p5", "p7", "p9", "pa", "pb"})  # kinds with speakers


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the texts that answer it, and the older texts that those supersede."""

    text: str
    golds: tuple[int, ...]
    stale: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PairSet:
    """One space's texts in the order they were written, and the questions about them."""

    name: str
    texts: tuple[str, ...]
    questions: tuple[Question, ...]

    @property
    def kind(self) -> str:
        return self.name.split("_")[0]

    @property
    def answerable(self) -> list[Question]:
        return [each for each in self.questions if each.golds]

    @property
    def unanswerable(self) -> list[Question]:
        return [each for each in self.questions if not each.golds]


def read_set(path: Path) -> PairSet:
    """Read one file of pairs; refuse a gold that names no text."""
    raw = json.loads(path.read_text("utf-8"))
    questions = tuple(read_question(row) for row in raw["Q"])
    for each in questions:
        for index in (*each.golds, *each.stale):
            if not 0 <= index < len(raw["T"]):
                raise ValueError(f"{path.name}: {each.text!r} names text {index}, which is missing")
    return PairSet(path.stem, tuple(raw["T"]), questions)


def read_question(row: Sequence[Any]) -> Question:
    """Read one row: the question, its golds, and maybe the stale texts."""
    text, golds, *rest = row
    stale = rest[0].get("stale", ()) if rest else ()
    return Question(text, tuple(golds), tuple(stale))


def read_sets(folder: Path, pattern: str = "p*.json") -> list[PairSet]:
    """Read every set of a folder, by name; `p*` are the English ones."""
    found = [read_set(path) for path in sorted(folder.glob(pattern))]
    if not found:
        raise SystemExit(f"{folder} holds no file {pattern}; name the folder of the pairs")
    return found


def read_all_sets(folder: Path, pattern: str = "p*.json") -> list[PairSet]:
    """Read every set of a folder, and those that come with the source unless it has them."""
    found = read_sets(folder, pattern)
    names = {each.name for each in found}
    return found + [each for each in read_sets(OWN, pattern) if each.name not in names]


def read_held_out() -> frozenset[str]:
    """Return the names of the sets that validate and calibrate; no model learns from them."""
    return frozenset(HELD_OUT.read_text("utf-8").split())


def split_sets(
    sets: Iterable[PairSet], held_out: frozenset[str]
) -> tuple[list[PairSet], list[PairSet]]:
    """Split into the sets to learn from and those held out; a missing one is an error."""
    learn, apart = [], []
    for each in sets:
        (apart if each.name in held_out else learn).append(each)
    missing = held_out - {each.name for each in apart}
    if missing:
        raise SystemExit(f"held-out sets are missing from the pairs: {', '.join(sorted(missing))}")
    return learn, apart


def cut_speaker(text: str) -> str:
    """Cut the speaker's name from the front of a text."""
    return SPEAKER.sub("", text, count=1)


def draw_set(sets: Sequence[PairSet], rng: random.Random, power: float = 0.7) -> PairSet:
    """Draw a set: first its kind, by its number of questions to a power, then one of the kind."""
    kinds: dict[str, list[PairSet]] = {}
    for each in sets:
        kinds.setdefault(each.kind, []).append(each)
    weights = [sum(len(s.questions) for s in kind) ** power for kind in kinds.values()]
    return rng.choice(rng.choices(list(kinds.values()), weights)[0])


def shorten(question: str) -> str:
    """Return what somebody types who is in a hurry: the words that matter, in lower case."""
    words = [word.lower() for word in re.findall(r"[^\s?!,;\"]+", question)]
    kept = [word for word in words if word.strip(".'’") not in EMPTY_WORDS]
    return " ".join(kept if len(kept) > 1 else words)


def ask_elsewhere(source: PairSet, sets: Sequence[PairSet]) -> list[Question]:
    """Return questions of other sets of its kind, which it can hardly answer; always the same."""
    rng = random.Random(source.name)
    near = [each for each in sets if each.kind == source.kind and each.name != source.name]
    others = [question for each in near for question in each.questions]
    picked = rng.sample(others, min(ASKED_ELSEWHERE, len(others)))
    return [Question(each.text, ()) for each in picked]


class Lessons:
    """What teachers scored: the questions of each set, and some of others, by its texts."""

    def __init__(self, path: Path) -> None:
        self._rows: dict[str, dict[str, np.ndarray]] = {}
        with np.load(path) as found:
            for name in found.files:
                if name.endswith(".questions"):
                    front = name.removesuffix(".questions")
                    rows = zip(found[name].tolist(), found[front].astype(np.float32), strict=True)
                    self._rows[front] = dict(rows)

    def scores(self, source: PairSet, question: str) -> np.ndarray:
        """Return a teacher's logit for each text of a set."""
        return self._rows[source.name][question]

    def elsewhere(self, source: PairSet) -> list[Question]:
        """Return the questions of other sets that the teachers read with this one."""
        own = {q.text for q in source.questions}
        return [Question(text, ()) for text in self._rows[source.name] if text not in own]

    @staticmethod
    def keep(path: Path, scores: Mapping[str, tuple[Sequence[str], np.ndarray]]) -> None:
        """Write what was scored: by set, the questions and a row of logits for each."""
        columns: dict[str, Any] = {}
        for name, (questions, logits) in scores.items():
            columns[f"{name}.questions"] = np.array(questions)
            columns[name] = logits.astype(np.float16)
        np.savez_compressed(path, **columns)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A teacher's logits for a question: for texts of a step from `start` on."""

    start: int
    logits: np.ndarray


@dataclass(frozen=True, slots=True)
class Batch:
    """Questions, texts, for each question the positions of its golds among the texts, and what a
    teacher makes of the texts of its space."""

    questions: tuple[str, ...]
    texts: tuple[str, ...]
    golds: tuple[tuple[int, ...], ...]
    lessons: tuple[Lesson, ...] = ()


def draw_batch(
    sets: Sequence[PairSet],
    rng: random.Random,
    *,
    spaces: int,
    questions: int,
    texts: int,
    lessons: Lessons | None = None,
    hurry: float = 0.0,
) -> Batch:
    """Draw a step's questions and texts from several sets; half of the talks lose speakers.

    A share of the questions, `hurry`, is shortened.
    """
    asked: list[str] = []
    shown: list[str] = []
    golds: list[tuple[int, ...]] = []
    taught: list[Lesson] = []
    for _ in range(spaces):
        source = draw_set(sets, rng)
        picked = rng.sample(source.answerable, min(questions, len(source.answerable)))
        kept = draw_texts(source, picked, rng, texts)
        place = {index: len(shown) + position for position, index in enumerate(kept)}
        bare = source.kind in TALKS and rng.random() < 0.5
        shown += [cut_speaker(source.texts[i]) if bare else source.texts[i] for i in kept]
        told = [shorten(q.text) if rng.random() < hurry else q.text for q in picked]
        if lessons is not None:
            rows = [lessons.scores(source, each.text)[kept] for each in picked]
            taught += [Lesson(len(shown) - len(kept), row) for row in rows]
        asked += told
        golds += [tuple(place[index] for index in each.golds) for each in picked]
    return Batch(tuple(asked), tuple(shown), tuple(golds), tuple(taught))


def draw_texts(
    source: PairSet, picked: Sequence[Question], rng: random.Random, limit: int
) -> list[int]:
    """Return all golds of the picked questions, and others of the same set up to a limit."""
    golds = {index for each in picked for index in each.golds}
    others = [index for index in range(len(source.texts)) if index not in golds]
    rng.shuffle(others)
    return sorted(golds | set(others[: max(0, limit - len(golds))]))
