"""Cues: whether what is said touches what a reminder waits for. Pure."""

from ricordo.core.text.tokens import STOP_STEMS, stems
from ricordo.errors import InvalidInput


def check(cue: str) -> str:
    """The cue, if there is a word in it that can be heard."""
    if not stems(cue):
        raise InvalidInput(f"cue {cue!r} has no word; give the words to listen for")
    return cue


def stems_of(text: str) -> frozenset[str]:
    """The words of a text, by their stems."""
    return frozenset(stems(text))


def touches(cue: str, heard: frozenset[str]) -> bool:
    """Whether every telling word of the cue was heard, in any form and order."""
    wanted = set(stems(cue))
    return (wanted - STOP_STEMS or wanted) <= heard
