"""What a text tells about itself at index time: whether it asks, tells a time, calls somebody."""

from collections.abc import Sequence

from ricordo.core.text.dates import has_time_word
from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.tokens import words

ASKS, ENDS_ASKING, TELLS_TIME = 1, 2, 4

# The question marks of Latin, Greek, Arabic, Armenian, Ethiopic and wide scripts, and the particle
# that ends a question in Japanese.
QUESTION_MARKS = "?\u037e\u061f\u055e\u1367\u2e2e\uff1f\ufe56\u203d\u2047-\u2049"
_KA = r"(?:です|ます|した|でしょう|せん)か[。.!！]*"
_ASKED = compile_late(rf"[{QUESTION_MARKS}]|{_KA}(?:\s|$)")
_ENDS_ASKED = compile_late(rf"(?:[{QUESTION_MARKS}]|{_KA})\s*$")
_CAPITAL = compile_late(r"\s([A-Z][^\W\d_]+)")
_GREETINGS = (
    "hi|hey|hello|thanks|thank you|wow|oh|yes|yeah|yep|no|awesome|great|congrats|cool|good|nice|"
    "sure|sorry|absolutely|bye|dear|well|okay|ok"
)
_GREETING_WORDS = frozenset(greeting.split()[0] for greeting in _GREETINGS.split("|"))
_GREETING = compile_late(
    rf"(?:^|[.!?]\s)\s*(?i:{_GREETINGS})(?:\s(?:there|again|morning|evening))?,?$"
)
_EXCLAIMED = compile_late(r"\w*[!?]")
_LONGEST_GREETING = 24  # characters before a name that can belong to its greeting
# Words that begin sentences and would pass for names.
_NOT_NAMES_TEXT = """
I It That This The We You They He She My Your Our What When Where Why How Who Is Are Do Did So And
But Not Yes No Oh Wow Thanks Thank Hey Hi Hello Good Great Sure Let Just Sounds Well Really Glad
There Those These Here If In On At For To An Everyone Everybody All Guys Folks Friend Buddy Dude Man
Mate Sir God Gosh Boy Girl
"""
_NOT_NAMES = frozenset(_NOT_NAMES_TEXT.split())


def marks(text: str, said: Sequence[str] | None = None) -> int:
    """Return the flags of a text: ASKS, ENDS_ASKING, TELLS_TIME. `said` are its words, if known."""
    found = TELLS_TIME if has_time_word(text, said) else 0
    # A pattern of many letters is slow, and one of them is ASCII.
    if "?" in text if text.isascii() else _ASKED.search(text):
        found |= ASKS | (ENDS_ASKING if ends_asking(text) else 0)
    return found


def ends_asking(text: str) -> bool:
    """Whether a text ends with a question, in any script."""
    return _ENDS_ASKED.search(text) is not None


def vocatives(text: str, said: Sequence[str] | None = None) -> str:
    """Return the names by which the text calls somebody, separated by blanks."""
    if "," not in text and _GREETING_WORDS.isdisjoint(words(text) if said is None else said):
        return ""
    if len(text) > 2_000:
        text = text[:2_000]  # who is called is called at the beginning
    return " ".join(
        found[1]
        for found in _CAPITAL.finditer(text)
        if found[1] not in _NOT_NAMES and _is_called(text, found.start(), found.end())
    )


def _is_called(text: str, start: int, end: int) -> bool:
    """Whether the capitalised word there is greeted, or stands between a comma and a mark."""
    if text[start - 1 : start] == "," and _EXCLAIMED.match(text, end):
        return True
    return _GREETING.search(text, max(0, start - _LONGEST_GREETING), start) is not None
