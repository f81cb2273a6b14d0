"""Passages: a text is cut by its structure, nothing is lost, and no word is cut."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ricordo.core.text import chunking
from ricordo.core.text.content import normalise
from ricordo.core.text.passages import LONGEST, cut, find_passage

PAGES = sorted(Path(__file__).parents[3].glob("docs/*.md"))
CODE = "def deploy(env):\n    if env == 'prod':\n        check()\n\n    push(env)\n"
BLOCKS = st.one_of(
    st.sampled_from(
        [
            "# Top",
            "## Inner #",
            "Setext\n------",
            f"```python\n{CODE}```",
            f"- a list\n\n  ~~~\n{CODE}  ~~~\n- its end",
            "| a | b |\n|---|---|\n" + "| one | two |\n" * 40,
            "A long line of prose. " * 150,
            "one" * 900,
            "\u7b2c\u4e00\u7ae0\u3002" * 700,
            "\t indented\n\n    code",
            "> quoted\n> lines",
            "---",
            "```",
        ]
    ),
    st.text(st.sampled_from("ab. \n#-`|*\t\r0"), max_size=200),
)
TEXTS = st.lists(BLOCKS, max_size=12).map("\n\n".join)


def shown(text: str, **given) -> list[str]:
    return [text[each.start : each.end] for each in cut(text, **given)]


def is_in_word(text: str, place: int) -> bool:
    """Whether a cut at this place falls into a word that could have stayed whole."""
    before, after = re.search(r"[a-zA-Z0-9_]*$", text[:place]), re.match(r"\w*", text[place:])
    return bool(before[0] and after[0]) and len(before[0] + after[0]) <= LONGEST


@settings(max_examples=100)
@given(TEXTS, st.booleans())
@example("x" * (LONGEST + 1), True)
@example("# " + "long heading " * 400, True)
def test_passages_hold_all_of_a_text_and_cut_no_word(text, is_markdown):
    found = cut(text, is_markdown=is_markdown)

    assert "".join("".join(text[a:b].split()) for a, b, _ in found) == "".join(text.split())
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert not any(is_in_word(text, place) for a, b, _ in found for place in (a, b))
    assert all(text[a:b].strip() for a, b, _ in found)


@settings(max_examples=60)
@given(TEXTS)
def test_no_passage_is_longer_than_a_block_with_its_headings(text):
    for start, end, _ in cut(text):
        body = re.sub(r"\A(?:\s*(?:#.*|Setext\n-+)\s*\n)+", "", text[start:end])
        assert len(body) <= LONGEST


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_fences_of_the_projects_own_pages_stay_whole(page):
    text = page.read_text(encoding="utf-8")
    fences = re.findall(r"^```[a-z]*\n.*?^```$", text, re.MULTILINE | re.DOTALL)
    pieces = shown(text)

    assert [f for f in fences if len(f) <= LONGEST and not any(f in each for each in pieces)] == []
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_a_passage_belongs_to_one_section_and_knows_its_headings():
    text = "# Deploy\n\n## Staging\n\nPush.\n\n## Production\n\nAsk.\n\n# Rest\n\nDone."

    found = cut(text)

    assert [each.headings for each in found] == [
        ("Deploy", "Staging"),
        ("Deploy", "Production"),
        ("Rest",),
    ]
    assert shown(text)[0] == "# Deploy\n\n## Staging\n\nPush."


def test_a_heading_in_a_code_block_is_a_comment():
    text = f"# Run\n\n```sh\n# not a heading\nmake\n```\n\n{'words ' * 160}"

    assert {each.headings for each in cut(text)} == {("Run",)}
    assert "# not a heading\nmake\n```" in shown(text)[0]


def test_code_files_have_no_headings_and_keep_functions_whole():
    body = "\n".join(f"    step_{n}()" if n % 9 else "" for n in range(90))
    text = f"# a comment\nimport os\n\n\ndef one():\n{body}\n\n\ndef two():\n{body}\n"

    found = shown(text, is_markdown=False)

    assert [each.partition("(")[0] for each in found] == [
        "# a comment\nimport os\n\n\ndef one",
        "def two",
    ]
    assert {each.headings for each in cut(text, is_markdown=False)} == {()}


def test_a_list_keeps_what_is_indented_below_its_items():
    steps = "1. Build\n\n   ```sh\n   make\n   ```\n\n2. Push" + " it out." * 30

    assert shown(f"{steps}\n\n{'After. ' * 130}")[0] == steps


def test_a_long_table_is_cut_between_its_rows():
    rows = [f"| row {n} | some words that fill the cell |" for n in range(120)]

    found = shown("\n".join(["| a | b |", "|---|---|", *rows]))

    assert len(found) > 1
    assert [line for each in found for line in each.split("\n")][2:] == rows


def test_front_matter_is_not_a_heading():
    text = "---\ntitle: Deploy\n---\n\nPush it."

    assert cut(text)[0].headings == ()


def test_what_is_short_is_shown_whole():
    text = " One line,\n\tand another.\n"

    assert find_passage(text, 0) == (0, len(text), ())


@settings(max_examples=40)
@given(st.integers(0, 30))
def test_a_window_of_a_long_text_is_shown_as_the_passages_it_is_in(place):
    text = "\n\n".join(
        f"Paragraph {n} speaks of thing{n}. {'It goes on. ' * 60}" for n in range(31)
    )
    part = next(
        part for part, piece in enumerate(chunking.chunks(text)) if f"thing{place}." in piece.text
    )

    start, end, _ = find_passage(text, part)

    assert chunking.chunks(text)[part].text in normalise(text[start:end])
    assert end - start < 3 * LONGEST
