"""Chunk rows: how the index stores one text, when it is written or indexed again."""

from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from ricordo.core.text import chunking, dates, tokens, word_forms
from ricordo.core.text.flags import marks, vocatives
from ricordo.core.text.language import is_foreign
from ricordo.core.text.stopwords import stopwords
from ricordo.embed.vocabulary import list_english_words
from ricordo.store.codec import DAY, PIECES_FOLLOW
from ricordo.store.tables.chunks import ChunkRow

MESSAGE = "message"
FILE = "file"
_FIRST = date(1970, 1, 1)


class Subject(NamedTuple):
    """Whose text it is: everything about a span that is not its own text."""

    kind: str
    session: str | None
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
    pieces = chunking.chunks(text)
    length = pieces[-1].start + len(pieces[-1].text) if pieces else 0
    return [make_row(subject, part, piece, length) for part, piece in enumerate(pieces)]


def make_row(subject: Subject, part: int, piece: chunking.Piece, length: int) -> ChunkRow:
    """One chunk; `length` is that of the text it is a part of."""
    kind, session, entry, role, author, origin, at, expires_at, _ = subject
    return ChunkRow(
        kind,
        session,
        entry,
        part,
        role,
        author,
        origin,
        at,
        expires_at,
        piece.hash,
        piece.text,
        length,
        *index_span(subject, part, piece.text),
    )


def index_span(subject: Subject, part: int, text: str) -> Indexed:
    """Read a span's words. An entry's title counts as its text, a message's date beside it.

    The titles of a document count in each of its chunks.
    """
    is_message = subject.kind == MESSAGE
    is_titled = not is_message and (part == 0 or subject.kind == FILE) and bool(subject.author)
    own = f"{subject.author} {text}" if is_titled else text
    said = tokens.words(own)
    forms = _encode_forms(said, is_ascii=own.isascii())
    if is_message:
        head = _encode_heading(subject.author, subject.at // DAY) if part == 0 else b""
        extra = head + _encode_dates(text, subject.at // DAY, said)
    else:
        extra = _numbers(" ".join(subject.tags)) if part == 0 else b""
    terms = tokens.numbers(said)
    flags = marks(text, said if own is text else None)
    return Indexed(len(said), flags, vocatives(text, said), terms, extra + forms)


def _encode_forms(said: list[str], *, is_ascii: bool) -> bytes:
    """By what words are found in another form: single signs, then pieces of foreign words.

    Signs are words that people ask for. Pieces are only for the view in RAM, so a 0 parts them.
    """
    signs = tokens.numbers(word_forms.list_signs(said)) if not is_ascii else b""
    if not is_foreign(said, list_english_words):
        return signs
    pieces = word_forms.list_all_pieces(said, stopwords(said))
    return signs + PIECES_FOLLOW + tokens.encode_pieces(pieces) if pieces else signs


def _encode_dates(text: str, day: int, said: list[str]) -> bytes:
    """The dates that a message's relative expressions mean."""
    meant = dates.expand(text, _date(day), said)
    return _numbers(" ".join(meant)) if meant else b""


@lru_cache(4096)
def _encode_heading(author: str, day: int) -> bytes:
    """The date and the speaker of a message."""
    return _numbers(f"{dates.stamp(_date(day))} {author}")


def _numbers(text: str) -> bytes:
    return tokens.numbers(tokens.words(text))


@lru_cache(64)
def _date(day: int) -> date:
    """The date of a day counted from 1970; days that no calendar has stand at its ends."""
    return _FIRST + timedelta(days=max(-719_162, min(day, 2_932_896)))


def embedded_text(author: str, text: str) -> str:
    """What is embedded: the text with its speaker, its title or its headings in front."""
    title = " > ".join(filter(None, author.split("\n")))
    return f"{title}: {text}" if title else text
