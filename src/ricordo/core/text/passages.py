"""Passages: the parts of a text that are shown, cut by its structure. Pure.

A paragraph, a list, a code block or a table stays whole up to `LONGEST` characters. What is longer
is cut at line ends, or else between sentences or words. A passage belongs to one section; small
blocks of a section share one. Positions count characters of the text itself.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ricordo.core.text import chunking, content
from ricordo.core.text.blocks import TextBlock, read_blocks
from ricordo.core.text.late_pattern import compile_late

VERSION = 1  # raise it when texts are cut at other places: documents are then cut again
LONGEST = 2_000  # characters of a block that stays whole
TARGET = 800  # characters up to which blocks share a passage
_LEAST = 250  # a smaller passage takes the next block with it, unless that makes it too long

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u9fff\uac00-\ud7ff\U00020000-\U0003ffff"
_GAPS = (  # where a long block is cut, the best kind of place first
    compile_late(r"\n(?=[ \t\r]*\n)"),
    compile_late(r"\n"),
    compile_late("[.!?][\"')\\]]*(?=\\s)|[\u3002\uff01\uff1f]"),
    compile_late(r"\s"),
    compile_late(rf"[^\w]|.(?=[^\w])|[{_UNSPACED}]|.(?=[{_UNSPACED}])", re.DOTALL),
)


class Passage(NamedTuple):
    """A part of a text from `start` to `end`, and the headings above it, the outermost first."""

    start: int
    end: int
    headings: tuple[str, ...] = ()


def cut(text: str, *, is_markdown: bool = True) -> list[Passage]:
    """Cut a text into passages in order; only blanks stand between them."""
    passages: list[Passage] = []
    above: list[TextBlock] = []  # the headings of the section
    filling: list[TextBlock] = []
    for block in _read_small_blocks(text, is_markdown):
        if filling and not _belongs(filling, block):
            passages.append(_make_passage(filling, above))
            filling = []
        if block.level:
            above = [*(heading for heading in above if heading.level < block.level), block]
        filling.append(block)
    return [*passages, _make_passage(filling, above)] if filling else passages


def find_passage(text: str, part: int) -> Passage:
    """What to show of a text for one of its chunks: all of it, or the passages it stands in.

    A chunk is a window over the normalised text, which knows nothing of passages.
    """
    if len(text) <= LONGEST:
        return Passage(0, len(text))
    first = chunking.start_of(part)
    last = first + chunking.WINDOW
    at = 0  # of the normalised text
    touched: list[Passage] = []
    for passage in cut(text):
        end = at + len(content.normalise(text[passage.start : passage.end]))
        if at < last and end > first:
            touched.append(passage)
        at = end + 1
    return Passage(touched[0].start, touched[-1].end) if touched else Passage(0, len(text))


def _make_passage(blocks: list[TextBlock], above: list[TextBlock]) -> Passage:
    titles = tuple(heading.title for heading in above if heading.title)
    return Passage(blocks[0].start, blocks[-1].end, titles)


def _belongs(filling: list[TextBlock], block: TextBlock) -> bool:
    """Whether a block goes into the passage that is being filled."""
    size = filling[-1].end - filling[0].start
    both = block.end - filling[0].start
    if block.level:  # headings that follow each other stay together: a title and what it opens
        return all(each.level for each in filling) and both <= TARGET
    if filling[-1].level:
        return True
    return both <= TARGET or (size < _LEAST and both <= LONGEST)


def _read_small_blocks(text: str, is_markdown: bool) -> Iterator[TextBlock]:
    """Blocks that are not too long, without the blanks around them."""
    for block in read_blocks(text, is_markdown=is_markdown):
        start, end = _trim(text, block.start, block.end)
        most = LONGEST if block.is_code else TARGET
        while end - start > LONGEST:
            gap = _find_gap(text, start, start + most)
            yield block._replace(start=start, end=_trim(text, start, gap)[1])
            start, _ = _trim(text, gap, end)
        yield block._replace(start=start, end=end)


def _find_gap(text: str, start: int, limit: int) -> int:
    """Where to cut before `limit`: at the last of the best gaps, not too near the start."""
    least = start + (limit - start) // 4
    for gap in _GAPS:
        ends = [found.end() for found in gap.finditer(text, least, limit)]
        if ends:
            return ends[-1]
    return limit  # one word longer than a passage


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without blanks around it; the indentation of its first line stays."""
    said = text[start:end]
    first = start + len(said) - len(said.lstrip())
    is_line_start = start == 0 or text[start - 1] == "\n"
    line = text.rfind("\n", start, first) + 1
    start = line or (start if is_line_start else first)
    return start, start + len(text[start:end].rstrip())
