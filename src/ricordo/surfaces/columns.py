"""Columns: rows as the lines of a terminal, aligned, wrapped and cut to snippets. Pure."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from unicodedata import bidirectional, category, east_asian_width

from ricordo.core.text.graphemes import find_next

SNIPPET_LINES = 2
_GAP = "  "
_NARROWEST = 8  # cells of a column, unless all that it holds is shorter
_WITHOUT_WIDTH = ("Mn", "Me", "Cf")
_LEFT_TO_RIGHT = "\u200e"  # a mark without width
_TURNED = ("R", "AL")


def draw(
    titles: Sequence[str], rows: Sequence[Sequence[str]], width: int, snippet: str | None = None
) -> Iterator[str]:
    """The lines of a table of so many cells, its titles first; a snippet has two lines at most."""
    widths = fit(_measure(titles, rows), width)
    for row in (titles, *rows):
        wrapped = [wrap(cell, cells) for cell, cells in zip(row, widths, strict=True)]
        if snippet is not None:
            place = titles.index(snippet)
            wrapped[place] = cut(wrapped[place], widths[place])
        yield from _draw_row(wrapped, widths)


def count_cells(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_count_char, text))


def _count_char(char: str) -> int:
    if category(char) in _WITHOUT_WIDTH:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def _measure(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """The cells that each column would like to have."""
    columns = zip(titles, *rows, strict=True)
    return [max(1, *map(count_cells, column)) for column in columns]


def fit(wanted: Sequence[int], width: int) -> list[int]:
    """Widths of columns that fit; the widest ones give first, down to the narrowest."""
    widths = list(wanted)
    excess = sum(widths) + len(_GAP) * (len(widths) - 1) - width
    while excess > 0:
        widest = max(widths)
        if widest <= _NARROWEST:
            break  # too narrow a terminal: lines will wrap
        second = max([_NARROWEST, *sorted(widths)[-2:-1]])
        give = min(excess, max(1, widest - second))  # those of one width give in turn
        widths[widths.index(widest)] -= give
        excess -= give
    return widths


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of so many cells, between words where possible."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if count_cells(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        line = word
        while count_cells(line) > width:
            head = take(line, width)
            lines.append(head)
            line = line[len(head) :]
    return [*lines, line]


def take(text: str, width: int) -> str:
    """As much of the beginning as fits, at least one character as people see it."""
    cells = place = 0
    while place < len(text):
        end = find_next(text, place)
        cells += count_cells(text[place:end])
        if cells > width and place:
            return text[:place]
        place = end
    return text


def cut(lines: list[str], width: int) -> list[str]:
    """The first lines; the last one shows that there are more."""
    if len(lines) <= SNIPPET_LINES:
        return lines
    *first, last = lines[:SNIPPET_LINES]
    return [*first, take(last, width - 1) + "…" if count_cells(last) >= width else f"{last}…"]


def _draw_row(cells: Sequence[list[str]], widths: Sequence[int]) -> Iterator[str]:
    for parts in zip_longest(*cells, fillvalue=""):
        padded = (
            part + " " * (width - count_cells(part))
            for part, width in zip(map(_set_apart, parts), widths, strict=True)
        )
        line = _GAP.join(padded).rstrip(" ")
        yield _LEFT_TO_RIGHT + line if _LEFT_TO_RIGHT in line else line


def _set_apart(part: str) -> str:
    """Part a text that is written from right to left from the next column, which would trade places
    with it."""
    is_turned = not part.isascii() and any(bidirectional(char) in _TURNED for char in part)
    return part + _LEFT_TO_RIGHT if is_turned else part
