"""Spans: what one text looks like to the index, when it is written or indexed anew."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from recollect.core import chunking, dates, tokens
from recollect.core.marks import marks, vocatives
from recollect.store.chunks import ChunkRow

MESSAGE = "message"


class Subject(NamedTuple):
    """Whose text it is: everything about a span that is not its own text."""

    kind: str
    session: str | None
    seq: int | None
    entry: int | None
    role: str
    author: str
    origin: str
    at: int
    expires_at: int | None = None
    tags: tuple[str, ...] = ()


class Indexed(NamedTuple):
    """A span's words in the form the index and the ranker keep."""

    words: int
    marks: int
    calls: str
    terms: bytes
    extra: bytes


def spans(subject: Subject, text: str) -> list[ChunkRow]:
    """Cut a text into chunks ready to be written."""
    return [
        ChunkRow(
            kind=subject.kind,
            session=subject.session,
            seq_start=subject.seq,
            seq_end=subject.seq,
            entry=subject.entry,
            part=part,
            role=subject.role,
            author=subject.author,
            origin=subject.origin,
            at=subject.at,
            expires_at=subject.expires_at,
            hash=piece.hash,
            text=piece.text,
            length=len(text),
            **indexed(subject, part, piece.text)._asdict(),
        )
        for part, piece in enumerate(chunking.chunks(text))
    ]


def indexed(subject: Subject, part: int, text: str) -> Indexed:
    """Read a span's words. An entry's title counts as its text, a message's date beside it."""
    if subject.kind == MESSAGE:
        own, around = text, _surroundings(subject, part, text)
    else:
        own = f"{subject.author} {text}" if part == 0 and subject.author else text
        around = " ".join(subject.tags) if part == 0 else ""
    stems, terms = tokens.analyse(own)
    extra = tokens.analyse(around)[1] if around else b""
    return Indexed(len(stems), marks(text), vocatives(text), terms, extra)


def _surroundings(subject: Subject, part: int, text: str) -> str:
    """The date and the speaker of a message, and the dates its relative expressions mean."""
    day = datetime.fromtimestamp(subject.at / 1_000_000, UTC).date()
    meant = dates.expand(text, day)
    return " ".join([dates.stamp(day), subject.author, *meant] if part == 0 else meant)


def embedded_text(author: str, text: str) -> str:
    """What is embedded: the text with its speaker or title in front."""
    return f"{author}: {text}" if author else text


def total_words(rows: Iterable[ChunkRow]) -> int:
    return sum(row.words for row in rows)
