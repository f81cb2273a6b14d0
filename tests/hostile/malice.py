"""Input that nobody means well with: texts of every plane, the syntax of FTS5, SQL and paths."""

import math
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

PIECES = (
    "seat", "window", "harbour", "AND", "OR", "NOT", "NEAR(", "NEAR(a b, 3)", '"', '""', "'", "*",
    "^", "(", ")", "{", "}", "{terms extra} :", "terms :", "extra:", ":", "-", "+", ",", ";", "--",
    "/*", "*/", "' OR 1=1 --", "'; DROP TABLE entries; --", "%", "_", "\\", "LIKE '%'", "GLOB '*'",
    "?1", ":space", "@space", "$1", "\n", "\t", "\r", "\x1f", "\x7f", "\u2028", "\u202e", "\ufeff",
    "\u200d", "e\u0301", "é", "ﬁ", "Ⅳ", "①", "１_1c291ca3", "1_1c291ca3", "2_1c291ca3", "1_2_seat",
    "2_seat", "東京", "ก็", "नमस्ते", "👩‍👩‍👧‍👦", "🏳️‍🌈", "\U0001f9ff", "ß", "İ", "ı", "ǆ", "ΰ", "\0",
    "\ud800", "\udfff", "\uffff", "\U0010ffff", "𝒔𝒆𝒂𝒕", "../../etc/passwd", "C:\\con", "~root",
    "file:///etc/passwd", "${HOME}", "$(id)", "`id`", "<script>", "{{7*7}}", "%00", "%2e%2e/",
)  # fmt: skip


def characters(chance: random.Random, count: int) -> str:
    """Characters of all planes, surrogates among them."""
    return "".join(chr(chance.randrange(sys.maxunicode + 1)) for _ in range(count))


def texts(seed: int, count: int) -> Iterator[str]:
    """Texts to ask for or to keep: pieces, characters, repeats and lengths."""
    chance = random.Random(seed)
    for turn in range(count):
        parts = [chance.choice(PIECES) for _ in range(chance.randrange(1, 9))]
        if turn % 5 == 0:
            parts.append(characters(chance, chance.randrange(1, 30)))
        if turn % 97 == 0:
            parts.append(chance.choice(PIECES) * chance.randrange(1, 3_000))
        yield chance.choice(("", " ")).join(parts)


def deep(depth: int, *, is_list: bool = False) -> Any:
    """JSON nested so deeply that reading it as a tree takes a stack."""
    value: Any = "bottom"
    for _ in range(depth):
        value = [value] if is_list else {"k": value}
    return value


def circle() -> dict[str, Any]:
    made: dict[str, Any] = {}
    made["self"] = made
    return made


class Odd:
    """Something that fails whatever is done with it."""

    def __repr__(self) -> str:
        return "<odd>"

    def __str__(self) -> str:
        raise RuntimeError("no text")


def values() -> list[Any]:
    """What may come in place of any argument."""
    return [
        None, True, False, 0, -1, 1, 2**31, 2**63 - 1, 2**63, -(2**63), 10**30, 0.5, -0.0, 1e308,
        math.nan, math.inf, -math.inf, "", " ", "x", "\0", "a\0b", "\ud800", "x" * 600, "%", "_",
        "x" * 100_000, "../..", "/etc/passwd", b"bytes", [], ["x"], [None], ["\0"], ["x"] * 1_000,
        (), ("x",), {}, {"k": "v"}, {1: 2}, {"k": math.nan}, {"k": "\0"}, {"k": {"x"}}, {"x"},
        circle(), deep(2_000), deep(100_000), deep(100_000, is_list=True), object(), Odd(),
        datetime(1, 1, 1),  # noqa: DTZ001
        datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC),
        timedelta.max, timedelta.min, timedelta(0), iter(()), range(3),
    ]  # fmt: skip
