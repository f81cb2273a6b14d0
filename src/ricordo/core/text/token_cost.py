"""Token cost: how many tokens a text costs, estimated without a vocabulary.

The estimate counts words, digits, marks and characters by script, each with a weight fitted by
least squares to cl100k_base on 1,100 texts: 24 languages, code, Markdown, JSON, emoji. On as many
texts held out it is off by 11 % in the mean, 90 % of single texts lie within 23 %, and whole sets
of texts within 1 % (code), 3 % (JSON, Markdown), 4 % (English), at worst 19 % (Vietnamese). Whoever
needs the exact figure gives a counter of their own: any callable from text to a whole number.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import SupportsIndex

from ricordo.core.text.content import parts
from ricordo.errors import InvalidInput, shorten
from ricordo.model import Json

Counter = Callable[[str], int]

MESSAGE = 4  # what the frame of one chat message costs
MEDIA = 1_000  # an image, a sound or a file in a message: servers differ, this is rather high
_MEDIA_TYPES = ("image", "audio", "input_", "file")
_RUNS = re.compile(
    r"([A-Za-z]+)|([0-9]+)|(\s*\n\s*)|([ \t]{2,})|([!-/:-@\[-`{-~]+)|([^\x00-\x7f]+)"
)
_WORD, _LETTER, _LONG = 0.775, 0.494, 6  # a word, and each letter of it beyond the sixth
_DIGITS, _BREAK, _BLANKS = 1.274, 0.891, 1.23
_MARKS, _MARK = 0.917, 0.214  # a run of marks, and each mark of it after the first
# Tokens per character, up to a code point: scripts differ by a factor of four.
_SCRIPTS = (
    (0x250, 1.454),  # accented Latin
    (0x400, 1.047),
    (0x530, 0.491),  # Greek and Cyrillic
    (0x700, 0.9),  # Hebrew and Arabic
    (0x2000, 0.732),  # Indic, Thai and their neighbours
    (0x2E80, 1.613),  # signs and dingbats
    (0x3040, 0.982),
    (0x3100, 0.852),  # kana
    (0xAC00, 0.982),  # Chinese characters
    (0xD7B0, 0.979),  # Hangul
    (0x10000, 0.982),
    (0x110000, 1.91),  # emoji and beyond
)

# By hash and length: the texts themselves would take up to 34 MB, four times that beyond Latin.
_ESTIMATES: dict[tuple[int, int], int] = {}
_CACHE_LIMIT = 16_384  # about 3 MB


def estimate(text: str) -> int:
    """About how many tokens the text costs, never less than one for a text that is there."""
    key = (hash(text), len(text))
    found = _ESTIMATES.get(key)
    if found is None:
        found = _measure(text)
        if len(_ESTIMATES) >= _CACHE_LIMIT:
            _ESTIMATES.clear()
        _ESTIMATES[key] = found
    return found


def counter(given: Counter | None) -> Counter:
    """What counts tokens: the caller's own function, or the estimate."""
    if given is None:
        return estimate
    if not callable(given) or not isinstance(given(""), SupportsIndex):
        raise InvalidInput(
            f"tokens is {shorten(given)}; give a function from text to a whole number"
        )
    return given


def _measure(text: str) -> int:
    total = 0.0
    for run in _RUNS.finditer(text):
        kind, size = run.lastindex, run.end() - run.start()
        if kind == 1:
            total += _WORD + (size - _LONG) * _LETTER if size > _LONG else _WORD
        elif kind == 2:
            total += _DIGITS * -(-size // 3)
        elif kind == 3:
            total += _BREAK
        elif kind == 4:
            total += _BLANKS
        elif kind == 5:
            total += _MARKS + (size - 1) * _MARK
        else:
            total += sum(map(_character, run[0]))
    return math.ceil(total)


@lru_cache(16_384)
def _character(character: str) -> float:
    if character.isspace():
        return _BREAK
    code = ord(character)
    return next(weight for end, weight in _SCRIPTS if code < end)


def cost(message: Mapping[str, Json], count: Counter) -> int:
    """What one chat message costs: its frame, its text, its calls."""
    total = MESSAGE + _content(message.get("content"), count)
    for field in ("name", "tool_call_id"):
        if message.get(field):
            total += count(str(message[field]))
    if message.get("tool_calls"):
        total += count(_json(message["tool_calls"]))
    return total


def _content(content: Json, count: Counter) -> int:
    if content is None:
        return 0
    if isinstance(content, str):
        return count(content)
    return sum(_part(part, count) for part in parts(content))


def _part(part: Json, count: Counter) -> int:
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return count(str(part["text"]))
    if isinstance(part, dict) and str(part.get("type")).startswith(_MEDIA_TYPES):
        return MEDIA
    return count(part if isinstance(part, str) else _json(part))


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
