"""Chunks: the overlapping windows of normalised text that are indexed one by one.

Positions count characters of the normalised text. A window may cut a word, never a character.
"""

from typing import NamedTuple

from ricordo.core.text.content import digest, normalise

WINDOW = 640
OVERLAP = 96
_STEP = WINDOW - OVERLAP


class Piece(NamedTuple):
    """One window: `text` stands at `start` of the normalised text, `hash` is its BLAKE3."""

    start: int
    text: str
    hash: bytes


def chunks(text: str) -> list[Piece]:
    """Cut a text into windows; blank text has none."""
    whole = normalise(text)
    if not whole:
        return []
    if len(whole) <= WINDOW:
        return [Piece(0, whole, digest(whole))]
    last = len(whole) - OVERLAP  # a window that began here would repeat what the one before showed
    return [_piece(whole, start) for start in range(0, last, _STEP)]


def start_of(part: int) -> int:
    """Where a window begins in the normalised text, by its number."""
    return part * _STEP


def _piece(whole: str, start: int) -> Piece:
    window = whole[start : start + WINDOW]
    if window[0] == " ":  # the cut fell on a blank: the text begins one later
        start, window = start + 1, window[1:]
    window = window.rstrip(" ")
    return Piece(start, window, digest(window))


def find_written(passage: str, window: str) -> str:
    """A window of a passage as it was written, with its line ends; as it is if it is not found."""
    places = [place for place, letter in enumerate(passage) if not letter.isspace()]
    letters = "".join(passage[place] for place in places)
    wanted = "".join(window.split())
    first = letters.find(wanted) if wanted else -1
    if first < 0:
        return window
    return passage[places[first] : places[first + len(wanted) - 1] + 1]
