"""Draw the charts of the documentation from recorded figures.

    python bench/charts.py

`bench/figures/*.json` hold a title, the names of series, and rows of a label with one figure for
each; each becomes an SVG of the same name in `docs/charts`. Nothing is measured here.
"""

import json
from html import escape
from pathlib import Path

FIGURES = Path(__file__).parent / "figures"
CHARTS = Path(__file__).parents[1] / "docs" / "charts"
COLOURS = ("#1f6feb", "#9ec5fe", "#6c757d", "#ced4da")
WIDTH, LEFT, BAR, GAP, HEAD = 640, 150, 14, 12, 56


def main() -> None:
    CHARTS.mkdir(exist_ok=True)
    for file in sorted(FIGURES.glob("*.json")):
        drawn = draw(json.loads(file.read_text(encoding="utf-8")))
        (CHARTS / f"{file.stem}.svg").write_text(drawn, encoding="utf-8")


def draw(chart: dict) -> str:
    """Horizontal bars from 0 to 1, one group for each row."""
    series, rows = chart["series"], chart["rows"]
    step = BAR * len(series) + GAP
    height = HEAD + step * len(rows)
    parts = [_text(8, 20, chart["title"], size=15)]
    for number, name in enumerate(series):
        x = LEFT + number * 120
        parts.append(_bar(x, 32, 10, COLOURS[number], 10))
        parts.append(_text(x + 14, 41, name))
    for place, (label, figures) in enumerate(rows):
        y = HEAD + place * step
        parts.append(_text(8, y + step / 2, label))
        for number, figure in enumerate(figures):
            length = figure * (WIDTH - LEFT - 60)
            parts.append(_bar(LEFT, y + number * BAR, length, COLOURS[number], BAR - 2))
            parts.append(_text(LEFT + length + 4, y + number * BAR + 10, f"{figure:.2f}"[1:]))
    body = "\n".join(parts)
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n{body}\n</svg>\n'


def _bar(x: float, y: float, width: float, colour: str, height: float) -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.1f}" height="{height}" fill="{colour}"/>'


def _text(x: float, y: float, words: str, size: int = 11) -> str:
    font = f'font-family="sans-serif" font-size="{size}" fill="#57606a"'
    return f'<text x="{x:.0f}" y="{y:.0f}" {font}>{escape(words)}</text>'


if __name__ == "__main__":
    main()
