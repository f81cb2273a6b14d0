"""Blocks: the lines of a text that belong together: a heading, a paragraph, a list, code. Pure.

It reads as much of Markdown as a cut needs, and of other texts runs of lines: what is indented
belongs to what stands above it. Positions count characters of the text.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ricordo.core.text.late_pattern import compile_late

_LONGEST_HEADING = 200  # characters; a longer line is a paragraph
_LONGEST_FRONT_MATTER = 100  # lines

_ATX = compile_late(r" {0,3}(#{1,6})(?:[ \t]+(\S.*?))??(?:[ \t]+#+)?\s*")
_UNDERLINE = compile_late(r" {0,3}(?:(=+)|-+)\s*")
_ITEM = compile_late(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])(?=\s)")
_FENCE = compile_late(rf"(?:{_ITEM.pattern})?[ \t>]*(`{{3,}}(?=[^`]*$)|~{{3,}})")
_INDENT = compile_late(r"(?: {2,}|\t)\s*\S")


class TextBlock(NamedTuple):
    """A run of lines from `start` to `end`; a heading has a level and a title."""

    start: int
    end: int
    level: int = 0
    title: str = ""
    is_code: bool = False


class TextLine(NamedTuple):
    """A line with its end, and where it stands."""

    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def is_blank(self) -> bool:
        return not self.text or self.text.isspace()


def read_blocks(text: str, *, is_markdown: bool = True) -> Iterator[TextBlock]:
    """The blocks of a text in order; blank lines between them belong to none."""
    lines = list(_read_lines(text))
    at = 0
    while at < len(lines):
        if lines[at].is_blank:
            at += 1
            continue
        count, level, title, is_code = _measure(lines, at, is_markdown)
        yield TextBlock(lines[at].start, lines[at + count - 1].end, level, title, is_code)
        at += count


def _read_lines(text: str) -> Iterator[TextLine]:
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield TextLine(start, text[start:end])
        start = end


def _measure(lines: Sequence[TextLine], at: int, is_markdown: bool) -> tuple[int, int, str, bool]:
    """The block that begins here: how many lines, its level and title, and whether it is code."""
    if not is_markdown:
        return _count_run(lines, at, is_markdown=False), 0, "", True
    if at == 0 and (count := _count_front_matter(lines)):
        return count, 0, "", False
    if (heading := _read_heading(lines[at].text)) is not None:
        return 1, *heading, False
    if at + 1 < len(lines) and (level := _underlines(lines[at].text, lines[at + 1].text)):
        return 2, level, lines[at].text.strip(), False
    if _FENCE.match(lines[at].text) and not _ITEM.match(lines[at].text):
        return _count_fenced(lines, at), 0, "", True
    return _count_run(lines, at, is_markdown=True), 0, "", False


def _count_front_matter(lines: Sequence[TextLine]) -> int:
    """The lines of the metadata in front of a page; 0 if it has none."""
    if lines[0].text.rstrip() != "---":
        return 0
    ends = (n for n, line in enumerate(lines[1:_LONGEST_FRONT_MATTER], 2) if line.text[:3] == "---")
    return next(ends, 0)


def _read_heading(line: str) -> tuple[int, str] | None:
    found = _ATX.fullmatch(line) if len(line) <= _LONGEST_HEADING else None
    return None if found is None else (len(found[1]), (found[2] or "").strip())


def _underlines(line: str, below: str) -> int:
    """The level that a line below makes of a line; 0 if it makes none."""
    found = _UNDERLINE.fullmatch(below) if len(line) <= _LONGEST_HEADING else None
    if found is None or line[:4].isspace() or _ITEM.match(line) or "|" in line:
        return 0
    return 1 if found[1] else 2


def _count_fenced(lines: Sequence[TextLine], at: int) -> int:
    """The lines of a fenced block; without a closing fence it reaches to the end."""
    found = _FENCE.match(lines[at].text)
    assert found is not None
    fence = found[1]
    for place in range(at + 1, len(lines)):
        bare = lines[place].text.strip(" \t>\r\n")
        if len(bare) >= len(fence) and not bare.strip(fence[0]):
            return place + 1 - at
    return len(lines) - at


def _count_run(lines: Sequence[TextLine], at: int, *, is_markdown: bool) -> int:
    """The lines of a paragraph, a list or a piece of code, with what is indented below it."""
    is_list = is_markdown and _ITEM.match(lines[at].text) is not None
    place = at
    while place < len(lines):
        if lines[place].is_blank:
            below = _skip_blank(lines, place)
            if below == len(lines) or not _continues(lines[below].text, is_list):
                break
            place = below
        elif is_markdown and _FENCE.match(lines[place].text):
            if not is_list or not (_is_indented(lines[place].text) or place == at):
                break
            place += _count_fenced(lines, place)
        elif is_markdown and place > at and _read_heading(lines[place].text) is not None:
            break
        else:
            place += 1
    return place - at


def _skip_blank(lines: Sequence[TextLine], place: int) -> int:
    while place < len(lines) and lines[place].is_blank:
        place += 1
    return place


def _continues(line: str, is_list: bool) -> bool:
    """Whether a block goes on after a blank line."""
    return _is_indented(line) or (is_list and _ITEM.match(line) is not None)


def _is_indented(line: str) -> bool:
    return _INDENT.match(line) is not None
