"""How results look: JSON with the field names of the dataclasses, plain lines, or a table.

Plain lines are for scripts and stay stable: one record a line, fields separated by tabs. A table is
for a terminal. Results go to stdout, notes to stderr.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from shutil import get_terminal_size

import click

from ricordo.model import PARTS, Event, Hit
from ricordo.model.noun import to_json
from ricordo.surfaces.columns import draw

WIDTH = 24  # cells of the longest bar
_SPACES = re.compile(r"\s+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Printer:
    """Prints the results of one run."""

    def __init__(self, as_json: bool = False, quiet: bool = False) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.is_watched = sys.stdout.isatty()

    def document(self, value: object) -> None:
        """Print one JSON document, indented on a terminal."""
        click.echo(dumps(value, indent=2 if self.is_watched else None))

    def line(self, value: object, text: str) -> None:
        """Print a result of one line."""
        if self.as_json:
            self.document(value)
        else:
            self.write(text)

    def table(
        self,
        value: object,
        titles: Sequence[str],
        rows: Iterable[Sequence[object]],
        snippet: str | None = None,
    ) -> None:
        """Print a result of many lines. On a terminal a snippet shows how a text begins."""
        if self.as_json:
            self.document(value)
            return
        cells = [[flat(cell) for cell in row] for row in rows]
        if self.is_watched:
            self._draw(titles, cells, snippet)
            return
        for row in cells:
            self.write("\t".join(row))

    def _draw(
        self, titles: Sequence[str], cells: Sequence[Sequence[str]], snippet: str | None
    ) -> None:
        if not cells:
            return
        safe = [[self.safe(cell) for cell in row] for row in cells]
        lines = draw(titles, safe, get_terminal_size().columns, snippet)
        click.echo(click.style(next(lines), dim=True) if is_colourful() else next(lines))
        for line in lines:
            click.echo(line, color=True)

    def write(self, text: str) -> None:
        """Print a line of a result; in a pipe exactly as stored, with control characters."""
        click.echo(self.safe(text), color=True)

    def note(self, text: str) -> None:
        """Print a note beside the result, for people."""
        if not self.quiet:
            click.echo(f"ricordo: {text}", err=True)

    def safe(self, text: str) -> str:
        """Remove control characters on a terminal: stored text may come from anywhere."""
        return _CONTROL.sub("�", text) if self.is_watched else text


def dumps(value: object, *, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, default=to_json)


def flat(value: object) -> str:
    """A value as one field of a line."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return _SPACES.sub(" ", str(value)).strip()


def event_text(event: Event) -> str:
    """The text of an event, or its tool calls."""
    if isinstance(event.content, str):
        return event.content
    rest = event.content if event.content is not None else event.tool_calls
    return "" if rest is None else dumps(rest)


EVENT_TITLES = ("seq", "time", "role", "name", "text")


def event_row(event: Event) -> tuple[object, ...]:
    """An event as a row. A marker names the archive of the events before it."""
    if event.kind != "marker":
        return event.seq, event.at, event.role, event.name, event_text(event)
    told = event.metadata or {}
    text = f"up to {told.get('upto')} archived as {told.get('archive_name')}"
    return event.seq, event.at, event.kind, event.name, text


def bars(hit: Hit) -> list[str]:
    """The parts of a hit's score, the largest first, each with a bar."""
    most = max((abs(part) for part in hit.parts.values()), default=0.0) or 1.0
    lines = []
    for name, part in sorted(hit.parts.items(), key=lambda item: -abs(item[1])):
        bar = "█" * max(1, round(WIDTH * abs(part) / most))
        label = f"{name} ({PARTS[name].label})" if name in PARTS else name
        lines.append(f"    {part:+7.3f}  {label:<52}  {'' if part >= 0 else '-'}{bar}")
    return lines


def is_colourful() -> bool:
    """Whether stdout takes colour."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
