"""The files of dreaming: how MEMORY.md and DREAMS.md read, and how a line gets in and out. Pure.

Every line about an entry ends in a comment with the entry's number, every block in MEMORY.md and
DREAMS.md holds one with the number of its sweep. All that is done here is found by these comments,
so doing it twice changes nothing, and what a person writes beside them stays.
"""

import difflib
import re
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from ricordo.core.text.graphemes import cut_text

MEMORY, DREAMS = "MEMORY.md", "DREAMS.md"
_MEMORY_TITLE = "# MEMORY.md"
_DREAMS_TITLE = "# DREAMS.md — Dream Diary"
_EXCERPT = 80  # characters
_ENTRIES = re.compile(r"<!--((?: entry:\d+)+) -->\s*$")
_SWEEP = re.compile(r"^<!-- sweep:(\d+) -->\s*$")


class Bullet(NamedTuple):
    """A promoted entry as MEMORY.md lists it."""

    entry: int
    content: str
    score: float
    hits: int
    days: int


class Block(NamedTuple):
    """The promotions of one sweep that are still in force."""

    sweep: int
    at: datetime
    bullets: tuple[Bullet, ...]


class Remark(NamedTuple):
    """A line of the diary about some entries, without its tag."""

    text: str
    entries: tuple[int, ...]


class Night(NamedTuple):
    """One sweep as DREAMS.md tells it."""

    sweep: int
    at: datetime
    candidates: int
    skipped: int
    promoted: tuple[Remark, ...]
    duplicates: tuple[Remark, ...]
    contradictions: tuple[Remark, ...]


def escape_line(content: str) -> str:
    """Any text as one line: a line break becomes a backslash and an n, a comment plain text."""
    lines = "\\n".join(line.rstrip() for line in content.strip().splitlines())
    return lines.replace("<!--", "&lt;!--").replace("-->", "--&gt;")


def excerpt(content: str) -> str:
    """The beginning of a text, for a list."""
    line = " ".join(content.split())
    return line if len(line) <= _EXCERPT else cut_text(line, _EXCERPT - 1).rstrip() + "…"


def bullet(one: Bullet) -> str:
    told = (
        f"- {escape_line(one.content)} _(score={one.score:.2f}, hits={one.hits}, days={one.days})_"
    )
    return _tag_line(told, (one.entry,))


def add_promotions(text: str | None, blocks: Iterable[Block]) -> str | None:
    """MEMORY.md with every bullet of the blocks in it, each once; None stays None without any."""
    for block in blocks:
        there = entries_mentioned_in(text)
        lines = [bullet(one) for one in block.bullets if one.entry not in there]
        if lines:
            text = _place_bullets(text, block, lines)
    return text


def entries_mentioned_in(text: str | None) -> set[int]:
    """The entries that lines of a file are about."""
    return {entry for line in (text or "").split("\n") for entry in _entries(line)}


def without(text: str | None, entries: Collection[int]) -> str | None:
    """A file without the lines about some entries, and without the blocks this leaves empty."""
    gone = set(entries)
    if text is None or not gone & entries_mentioned_in(text):
        return text
    kept: list[str] = []
    lost = False  # whether the block at hand lost a line
    for line in text.split("\n"):
        if gone & set(_entries(line)):
            lost = True
            continue
        if line.startswith("## ") and lost:
            _trim(kept)
            lost = False
        elif line.startswith("## "):
            lost = False
        kept.append(line)
    if lost:
        _trim(kept, at_end=True)
    return "\n".join(kept)


def add_night(text: str | None, night: Night) -> str:
    """DREAMS.md with a sweep in it, once."""
    if night.sweep in _sweeps(text):
        return text or ""
    lines = [
        f"## Deep Sleep {stamp(night.at)}",
        f"<!-- sweep:{night.sweep} -->",
        "",
        f"- candidates: {night.candidates}",
        f"- promoted: {len(night.promoted)}",
        f"- skipped: {night.skipped}",
    ]
    for title, remarks in (
        ("Promoted", night.promoted),
        ("Near-duplicates", night.duplicates),
        ("Contradictions", night.contradictions),
    ):
        if remarks:
            lines += ["", f"### {title}", ""]
            lines += [
                _tag_line(f"- {escape_line(remark.text)}", remark.entries) for remark in remarks
            ]
    return _append_lines(text, _DREAMS_TITLE, lines)


def add_undo_note(text: str | None, sweep: int, at: datetime, withdrawn: int) -> str:
    """DREAMS.md with the note that a sweep was undone, once."""
    mark = f"<!-- undo:{sweep} -->"
    if mark in (text or ""):
        return text or ""
    lines = [f"## Undone {stamp(at)}", mark, "", f"- sweep: {sweep}", f"- withdrawn: {withdrawn}"]
    return _append_lines(text, _DREAMS_TITLE, lines)


def diff(before: str | None, after: str | None, name: str = MEMORY) -> str:
    """What changes in a file, as a unified diff; empty if nothing does."""
    old, new = ((text or "").splitlines() for text in (before, after))
    return "\n".join(difflib.unified_diff(old, new, name, name, lineterm="", n=1))


def stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _tag_line(line: str, entries: Iterable[int]) -> str:
    return f"{line} <!--{''.join(f' entry:{entry}' for entry in entries)} -->"


def _entries(line: str) -> list[int]:
    found = _ENTRIES.search(line)
    return [int(word.removeprefix("entry:")) for word in found[1].split()] if found else []


def _sweeps(text: str | None) -> set[int]:
    found = (_SWEEP.match(line) for line in (text or "").split("\n"))
    return {int(match[1]) for match in found if match}


def _place_bullets(text: str | None, block: Block, bullets: list[str]) -> str:
    """The bullets at the end of their block; a new block goes to the end of the file."""
    mark = f"<!-- sweep:{block.sweep} -->"
    lines = (text or "").split("\n")
    places = [place for place, line in enumerate(lines) if line.rstrip() == mark]
    if not places:
        heading = [f"## Dreamed {stamp(block.at)}", mark, "", *bullets]
        return _append_lines(text, _MEMORY_TITLE, heading)
    end = places[0] + 1
    while end < len(lines) and not lines[end].startswith("#"):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    return "\n".join([*lines[:end], *bullets, *lines[end:]])


def _append_lines(text: str | None, title: str, lines: list[str]) -> str:
    before = (text or "").rstrip("\n")
    return "\n".join([before or title, "", *lines, ""])


def _trim(kept: list[str], *, at_end: bool = False) -> None:
    """Take the last block away if nothing of it is left but its heading."""
    place = len(kept)
    while place and (not kept[place - 1].strip() or _SWEEP.match(kept[place - 1])):
        place -= 1
    if place and kept[place - 1].startswith("## Dreamed "):
        del kept[place - 1 :]
        if at_end:
            while len(kept) > 1 and not kept[-1].strip():
                kept.pop()
            kept.append("")
