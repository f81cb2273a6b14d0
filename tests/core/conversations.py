"""Invented rows for the tests of view and ranking. Vectors are sums of one vector per stem."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from ricordo.core.recall.question import read
from ricordo.core.recall.ranking import WEIGHTS, Ranked, rank
from ricordo.core.recall.space_index import Row, View
from ricordo.core.text import dates
from ricordo.core.text.flags import marks, vocatives
from ricordo.core.text.tokens import STOP_STEMS, number, numbers, stems, words

WIDTH = 64
START = datetime(2024, 3, 4, 9, tzinfo=UTC)
ROLES = ("user", "assistant", "tool", "system")


def microseconds(at: datetime) -> int:
    return int(at.timestamp()) * 1_000_000


def message(
    chunk: int,
    author: str,
    text: str,
    *,
    session: str = "one",
    seq: int | None = None,
    at: datetime = START,
    part: int = 0,
    length: int | None = None,
) -> Row:
    surroundings = " ".join([dates.stamp(at.date()), author, *dates.expand(text, at.date())])
    return Row(
        chunk=chunk,
        kind="message",
        session=session,
        seq=chunk if seq is None else seq,
        entry=None,
        part=part,
        author=author,
        named=author not in ROLES,
        length=len(text) if length is None else length,
        at=microseconds(at),
        marks=marks(text),
        calls=vocatives(text),
        terms=numbers(words(text)),
        extra=numbers(words(surroundings)),
    )


def entry(
    chunk: int, id: int, text: str, *, kind: str = "note", tags: str = "", part: int = 0
) -> Row:
    return Row(
        chunk=chunk,
        kind=kind,
        session=None,
        seq=0,
        entry=id,
        part=part,
        author="",
        named=False,
        length=len(text),
        at=microseconds(START),
        marks=marks(text),
        calls="",
        terms=numbers(words(text)),
        extra=numbers(words(tags)),
    )


def talk(sessions: Sequence[Sequence[tuple[str, str]]]) -> list[Row]:
    """Messages of several sessions, one session a day."""
    rows: list[Row] = []
    for day, session in enumerate(sessions):
        for seq, (author, text) in enumerate(session, 1):
            at = START + timedelta(days=day)
            rows.append(message(len(rows) + 1, author, text, session=f"s{day}", seq=seq, at=at))
    return rows


def vector(text: str) -> NDArray[np.float32]:
    """A stand-in for an embedding: texts that share words are near each other."""
    total = np.full(WIDTH, 0.05)
    for stem in stems(text):
        if stem not in STOP_STEMS:
            total += np.random.default_rng(number(stem)).standard_normal(WIDTH)
    return (total / np.linalg.norm(total)).astype(np.float32)


def filled(rows: Sequence[Row], *, exact_rows: int = 20_000) -> View:
    view = View(exact_rows)
    view.add(rows)
    return view


def random_vectors(count: int, seed: int = 1, width: int = WIDTH) -> NDArray[np.float16]:
    """Vectors in clusters, as embeddings of related texts are."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((max(1, count // 20), width))
    found = centres[rng.integers(0, len(centres), count)] + rng.standard_normal((count, width))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float16)


def with_vectors(rows: list[Row], texts: list[str], exact_rows: int = 20_000) -> View:
    """A view of rows with the vectors of texts."""
    view = filled(rows, exact_rows=exact_rows)
    matrix = np.stack([vector(text) for text in texts]).astype(np.float16)
    view.put_vectors(np.array([row.chunk for row in rows]), matrix)
    return view


def ask(
    view: View, text: str, *, vectors: bool = True, limit: int = 10, weights=None, **more
) -> list[Ranked]:
    """The hits of a question."""
    question = read(text, view)
    query = vector(question.bare) if vectors else None
    weights = weights or WEIGHTS["hybrid" if vectors else "keyword"]
    return rank(view, question, query, weights=weights, limit=limit, **more)
