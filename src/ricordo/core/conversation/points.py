"""Points: the sentences of a conversation that are worth keeping, whole and with their speaker.

Without a model, a summary is a choice of what was said. A sentence counts that names somebody,
gives a number or states something, and that can be understood by itself. It is taken whole or left.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ricordo.core.conversation.messages import calls_of, words
from ricordo.core.conversation.small_talk import is_small_talk
from ricordo.core.conversation.telling_words import tells_something
from ricordo.core.text import tokens
from ricordo.core.text.flags import ends_asking
from ricordo.core.text.graphemes import cut_text
from ricordo.core.text.late_pattern import compile_late
from ricordo.model import Event

DOTS = "..."
SHORTEST = 400  # characters of a retelling; what is shorter is kept whole
LONGEST = 1_200
_SHARE = 5  # a retelling has a fifth of the characters
_WIDEST = 280  # characters of a sentence that is taken whole
_WORTH = 2.75  # the score from which a sentence of a long conversation is kept
_ALIKE = 0.6  # of the words of the shorter sentence

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.S)
_MARKS = re.compile(r"^\s*(?:#{1,6}\s+|>+\s*|[-*•]\s+|\d{1,2}[.)]\s+)|\*\*|__|`", re.M)
_ENDS = ".!?…؟।॥۔。！？｡"
_CLOSING = "\"')]」』）”’»"
# "am 14. Mai" goes on, and so does a sentence that begins with what somebody said.
_DAY = r"(?<=\d\.)\s+(?:[a-zà-ÿ]|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)"
_SENTENCE = re.compile(
    r"(?<=[.!?…؟।॥۔])(?<!\b[A-Z]\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)"
    rf"(?<!e\.g\.)(?<!i\.e\.)(?!{_DAY})[\"')\]]*\s+"
    r"|(?<=[。！？])(?![」』）”’。！？])|(?<=[。！？][」』）”’])(?![とっ])|\n+"
)
_CLAUSE_END = re.compile(r"[,;:–—](?=\s)|\s(?=(?:and|but|which|because|so|then)\s)")
_CAPITALS = "".join(filter(str.isupper, map(chr, range(0xC0, 0x530))))
_NAME = compile_late(rf"(?<![.!?:] )(?<!^)\b[A-Z{_CAPITALS}]\w+")
_NUMBER = re.compile(r"\d")
_STATES = re.compile(
    r"\b(?:i|i'm|i've|my|we|we've|our)\b.*\b(?:am|'m|is|are|have|'ve|got|live|work|prefer|love"
    r"|like|hate"
    r"|need|want|decided|moved|bought|started|use|plan|booked|will|'ll|must|can't|don't|paid"
    r"|found)\b",
    re.I,
)
_DECIDES = re.compile(
    r"\b(?:decid\w+|agree\w*|deadline|must|always|never|because|remember|important|prefer\w*"
    r"|allerg\w+"
    r"|birthday|address|budget|costs?|price|due|until|by (?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day)\b",
    re.I,
)
_LEANS = re.compile(
    r"^(?:it|it's|that|that's|this|these|those|they|they're|he|she|him|her|so|and|but|or|then"
    r"|also|which|same"
    r"|there|here|both|neither|either|one|because|too|not|nor|as for|exactly|agreed|with that)\b",
    re.I,
)
_POLITE = re.compile(
    r"^(?:hi|hello|hey|thanks|thank you|thx|ta|cheers|ok|okay|sure|great|good|nice|cool|yes|yeah"
    r"|yep|no|nope"
    r"|woah|whoa|you got this|long time|keep (?:going|it up)|take care|well done|sounds|no way"
    r"|enjoy|keeping"
    r"|my pleasure|right|haha|lol|wow|congrat\w*|sorry|welcome|you're welcome|bye|see you|morning"
    r"|evening|good luck"
    r"|sounds good|got it|done|perfect|absolutely|definitely|of course|awesome|oh|aw+|happy to help"
    r"|let me know|glad|that's (?:great|good|nice|cool|awesome|amazing)|i hope|hope|no problem)\b",
    re.I,
)
_ASKS = re.compile(
    r"\?$|^(?:how|what|when|where|who|why|which|do|does|did|is|are|can|could|would|should|shall"
    r"|will|any)\b",
    re.I,
)
_CHEERS = re.compile(
    r"!$|\bi'm (?:so|really|very|super|glad|here for|keen|off|happy|proud|sure)\b", re.I
)
_POINTS_AT = re.compile(r"\b(?:it|that|them|this|those|these|there|thing)\b[^\w]*$|\byour?\b", re.I)


class Sentence(NamedTuple):
    """One sentence, where it stands, and how much it says."""

    place: tuple[int, int]  # of the event and in the event
    speaker: str
    text: str
    score: float


def retell(events: Sequence[Event]) -> str:
    """The points of a conversation, one line for each speaker's turn, in a fifth of its length."""
    said = [sentence for place, event in enumerate(events) for sentence in _read(place, event)]
    total = sum(len(sentence.text) for sentence in said)
    room = max(SHORTEST, min(LONGEST, total // _SHARE))
    worth = [one for one in said if one.score >= _WORTH] if total > SHORTEST else said
    chosen = choose(worth, room) or choose(said, room)
    if not chosen:
        return _tell_of_tools(events)
    lines: list[str] = []
    before: Sentence | None = None
    for sentence in chosen:
        if before is not None and before.place[0] == sentence.place[0]:
            lines[-1] += f" {finish(sentence.text)}"
        else:
            lines.append(f"- {sentence.speaker}: {finish(sentence.text)}")
        before = sentence
    return "\n".join(lines)


def choose(said: Iterable[Sentence], room: int) -> list[Sentence]:
    """The sentences that say most in so many characters, none of them twice, in order."""
    chosen: list[Sentence] = []
    for sentence in sorted(said, key=lambda one: (-one.score, one.place)):
        cost = len(sentence.speaker) + len(sentence.text) + 5
        if sentence.score <= 0 or cost > room or _is_repeated(sentence.text, chosen):
            continue
        chosen.append(sentence)
        room -= cost
    return sorted(chosen, key=lambda one: one.place)


def condense_words(text: str, room: int) -> str:
    """The best whole sentences of a text that fit; one that alone is too long ends at a clause."""
    said = " ".join(text.split())
    if len(said) <= room:
        return said
    sentences = [
        Sentence((0, n), "", one, 10 + score(one, n)) for n, one in enumerate(split_sentences(text))
    ]
    chosen = choose(sentences, room + 5)
    return " ".join(one.text for one in chosen) or clip_clause(said, room)


def clip_clause(text: str, room: int) -> str:
    """The beginning of a text up to the last clause or word that fits, marked as cut."""
    if len(text) <= room:
        return text
    ends = [found.start() for found in _CLAUSE_END.finditer(text, room // 2, room)]
    end = ends[-1] if ends else text.rfind(" ", room // 2, room)
    return cut_text(text, end if end > 0 else room).rstrip(" ,;:–—、，；：،؛") + DOTS


def split_sentences(text: str) -> list[str]:
    """The sentences of a text without code and Markdown's marks."""
    plain = _MARKS.sub("", _FENCE.sub("\n", text))
    found = (" ".join(one.split()) for one in _SENTENCE.split(plain) if one)
    return [one for one in found if any(map(str.isalnum, one))]


def score(sentence: str, place: int = 0) -> float:
    """How much a sentence says by itself; nothing is said of one too long to be taken."""
    return 0.0 if len(sentence) > _WIDEST else _weigh(sentence) - 0.25 * min(place, 4)


@lru_cache(2048)  # the next context of a session reads most of the same sentences
def _weigh(sentence: str) -> float:
    length = max(len(sentence.split()), len(tokens.words(sentence)) // 2)
    found = 1.0 + min(2, len(_NAME.findall(sentence))) + bool(_NUMBER.search(sentence))
    found += 1.5 * bool(_STATES.search(sentence))
    found += bool(_DECIDES.search(sentence) or tells_something(sentence))
    found -= 2 * bool(_ASKS.search(sentence) or ends_asking(sentence))
    found -= bool(_CHEERS.search(sentence)) + 3 * is_small_talk(sentence)
    found -= 0.75 * bool(_POINTS_AT.search(sentence)) + 0.5 * (length < 6)
    found -= 1.5 * bool(_LEANS.match(sentence))
    found -= (2 if length < 6 else 0.75) * bool(_POLITE.match(sentence))
    if sentence.endswith(":") or (length < 4 and sentence.isascii()):
        found -= 3
    return found


def finish(sentence: str) -> str:
    """A sentence with a capital in front and a mark at its end."""
    first = sentence if re.match(r"\w+[A-Z./_]", sentence) else sentence[0].upper() + sentence[1:]
    return first if first[-1] in _ENDS + _CLOSING else f"{first.rstrip(',;:')}."


def name_speaker(event: Event) -> str:
    return " ".join((event.name or event.role).split())


def _read(place: int, event: Event) -> list[Sentence]:
    if event.role not in ("user", "assistant"):
        return []
    speaker = name_speaker(event)
    weight = event.importance + (0.75 if event.role == "user" else 0.0)
    return [
        Sentence((place, number), speaker, text, score(text, number) + weight)
        for number, text in enumerate(split_sentences(words(event)))
        if len(text) <= _WIDEST
    ]


def _is_repeated(text: str, chosen: Iterable[Sentence]) -> bool:
    mine = _key_words(text)
    for other in chosen:
        theirs = _key_words(other.text)
        shorter = min(len(mine), len(theirs))
        if mine == theirs or (shorter >= 3 and len(mine & theirs) >= _ALIKE * shorter):
            return True
    return False


def _key_words(text: str) -> frozenset[str]:
    found = re.findall(r"\w+", text.lower())
    return frozenset(word for word in found if len(word) > 3 or word.isdigit()) or frozenset(found)


def _tell_of_tools(events: Sequence[Event]) -> str:
    """What is left to say where nobody said a sentence: the words as they are, or the tools."""
    told = [" ".join(words(event).split()) for event in events]
    longest = max(told, key=len, default="")
    tools = sorted({name for event in events for name in calls_of(event).values()})
    if tools:
        return f"- Tools were called: {', '.join(tools)}."
    return (
        f"- {clip_clause(longest, _WIDEST)}"
        if longest
        else f"- {len(events)} messages without text."
    )
