"""Cues: whether what is said touches what a reminder waits for. Pure."""

from typing import NamedTuple

from ricordo.core.text.language import is_clearly_english
from ricordo.core.text.stopwords import LISTS
from ricordo.core.text.tokens import STOP_STEMS, stem_each, stems, words
from ricordo.errors import InvalidInput

_LEAST, _ENDING = 4, 2  # letters that two forms of a word begin with; letters that one may lose
_LITTLE: frozenset[str] = frozenset().union(*LISTS.values())


class Heard(NamedTuple):
    """What was said: its stems, and its words unless it is English, which has stems enough."""

    stems: frozenset[str]
    words: tuple[str, ...] = ()


def check(cue: str) -> str:
    """The cue, if there is a word in it that can be heard."""
    if not stems(cue):
        raise InvalidInput(f"cue {cue!r} has no word; give the words to listen for")
    return cue


def hear(text: str) -> Heard:
    """The words of a text, by which cues are found."""
    said = words(text)
    return Heard(frozenset(stem_each(said)), () if is_clearly_english(said) else tuple(said))


def touches(cue: str, heard: Heard) -> bool:
    """Whether every telling word of the cue was heard, in any form and order."""
    said = words(cue)
    pairs = list(zip(said, stem_each(said), strict=True))
    wanted = [pair for pair in pairs if pair[1] not in STOP_STEMS] or pairs
    if heard.words:
        wanted = [pair for pair in wanted if len(pair[0]) > 1 and pair[0] not in _LITTLE] or wanted
    return all(stem in heard.stems or _is_heard(word, heard.words) for word, stem in wanted)


def _is_heard(word: str, said: tuple[str, ...]) -> bool:
    """Whether a word was said with another ending, or as the first part of a longer one."""
    if len(word) < _LEAST:
        return False
    beginning = word[: max(_LEAST, len(word) - _ENDING)]
    return any(each.startswith(beginning) for each in said)
