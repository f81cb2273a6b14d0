"""Notes as Markdown: what an entry says comes back from its file, exactly; the rest is refused."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.text import markdown
from ricordo.core.text.markdown import NoteFile
from ricordo.errors import InvalidInput
from ricordo.model import Entry
from ricordo.workspace.paths import part_reason

AT = datetime(2026, 7, 1, 12, 30, 15, 123456, tzinfo=UTC)
ENTRY = Entry(
    space="ana",
    id=7,
    uid="0190f3c2-0000-7000-8000-000000000001",
    name="seat",
    aliases=("chair", "place: window"),
    kind="note",
    category="core",
    content="Prefers window seats",
    tags=("travel", "a, b"),
    concept_tags=("window seats",),
    origin="agent",
    source="",
    importance=0.5,
    metadata={},
    created_at=AT,
    updated_at=AT,
    expires_at=None,
)
# Anything that the store keeps: no NUL, no lone surrogates.
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


def test_an_entry_is_readable_as_a_file():
    assert markdown.render(ENTRY) == (
        "---\n"
        "uid: 0190f3c2-0000-7000-8000-000000000001\n"
        "name: seat\n"
        'aliases: [chair, "place: window"]\n'
        'tags: [travel, "a, b"]\n'
        "category: core\n"
        "kind: note\n"
        "origin: agent\n"
        "updated: 2026-07-01T12:30:15+00:00\n"
        "---\n"
        "\n"
        "Prefers window seats\n"
    )


@given(
    content=TEXTS,
    name=TEXTS,
    aliases=st.lists(TEXTS, max_size=3),
    tags=st.lists(TEXTS, max_size=3),
    category=TEXTS,
)
def test_whatever_an_entry_says_its_file_gives_back(content, name, aliases, tags, category):
    entry = replace(
        ENTRY,
        content=content,
        name=name,
        aliases=tuple(aliases),
        tags=tuple(tags),
        category=category,
    )

    note = markdown.parse(markdown.render(entry))

    assert note == NoteFile(
        content, entry.uid, name, entry.aliases, entry.tags, category, entry.kind
    )
    assert markdown.agrees(note, entry)


@pytest.mark.parametrize(
    "content",
    [
        "ends with newlines\n\n\n",
        "\n\nbegins with newlines",
        "---\nuid: forged\n---\n\nlooks like front matter",
        "one\r\ntwo\r\n",
        "  blanks around  ",
        "\n",
        "---",
    ],
)
def test_line_ends_and_fences_of_the_content_are_its_own(content):
    entry = replace(ENTRY, content=content)

    assert markdown.parse(markdown.render(entry)).content == content


def test_a_file_without_front_matter_is_all_content():
    assert markdown.parse("# Packing\n\n- socks\n") == NoteFile("# Packing\n\n- socks")


def test_what_front_matter_leaves_out_is_not_said():
    note = markdown.parse("---\nname: seat\n---\nAisle\n")

    assert note == NoteFile("Aisle", name="seat")


@pytest.mark.parametrize(
    ("head", "tags"),
    [
        ("tags: [a, b]", ("a", "b")),
        ('tags: ["a, b", c]', ("a, b", "c")),
        ("tags: []", ()),
        ("tags:", ()),
        ("tags: a", ("a",)),
        ("tags:\n  - a\n  - b c", ("a", "b c")),
        ('tags:\n- "a: b"', ("a: b",)),
    ],
)
def test_lists_are_read_as_editors_write_them(head, tags):
    assert markdown.parse(f"---\n{head}\n---\n\nx\n").tags == tags


def test_quotes_of_either_kind_are_read():
    assert markdown.parse("---\nname: 'it''s'\n---\nx").name == "it's"
    assert markdown.parse('---\nname: "a\\nb"\n---\nx').name == "a\nb"


def test_a_file_with_windows_line_ends_and_a_byte_order_mark_says_the_same():
    text = markdown.render(ENTRY)

    assert markdown.parse("\ufeff" + text.replace("\n", "\r\n")) == markdown.parse(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\nname: seat\n", "does not end"),
        ("---\n", "does not end"),
        ("---\nname seat\n---\nx", "write 'key: value'"),
        ("---\n  name: seat\n---\nx", "write 'key: value'"),
        ("---\nmood: good\n---\nx", "the key 'mood'; known are uid"),
        ("---\nname: a\nname: b\n---\nx", "'name' twice"),
        ('---\nname: "a\n---\nx', "close the quotes"),
        ('---\nname: "a" b\n---\nx', "close the quotes"),
        ('---\ntags: ["a, b]\n---\nx', "write \\[one, two\\]"),
        ("---\ntags: [a, [b]]\n---\nx", "write \\[one, two\\]"),
        ("---\n- a\n---\nx", "write 'key: value'"),
    ],
)
def test_front_matter_that_cannot_be_read_is_refused_with_the_reason(text, reason):
    with pytest.raises(InvalidInput, match=reason):
        markdown.parse(text)


def test_who_wrote_it_and_when_is_never_taken_from_a_file():
    note = markdown.parse("---\norigin: user\nupdated: 1999-01-01\n---\nx")

    assert note == NoteFile("x")


def test_saying_the_same_again_changes_the_stamp_but_not_the_meaning():
    later = replace(ENTRY, updated_at=datetime(2026, 8, 1, tzinfo=UTC))

    assert markdown.text_of(later) == markdown.text_of(ENTRY)
    assert markdown.render(later) != markdown.render(ENTRY)


@pytest.mark.parametrize(
    ("note", "is_agreed"),
    [
        (NoteFile("Prefers window seats"), True),
        (NoteFile("Prefers window seats", name="seat", aliases=("place: window", "chair")), True),
        (NoteFile("Prefers aisle seats"), False),
        (NoteFile("Prefers window seats", name="other"), False),
        (NoteFile("Prefers window seats", tags=()), False),
        (NoteFile("Prefers window seats", aliases=("chair",)), False),
        (NoteFile("Prefers window seats", aliases=("chair", "stool")), False),
    ],
)
def test_a_file_agrees_if_it_says_nothing_else(note, is_agreed):
    assert markdown.agrees(note, ENTRY) == is_agreed


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("seat", "seat"),
        ("Trip to Oslo", "Trip to Oslo"),
        ("user/dog_name", "user-dog_name"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\temp", "C-temp"),
        ("con", "con-"),
        ("Nul.txt", "Nul-.txt"),
        ("aux .x", "aux-.x"),
        ("lpt¹", "lpt¹-"),
        ("...", "note"),
        (" a\tb\nc ", "a b c"),
        (".hidden", "hidden"),
        ("cafe\u0301", "café"),
        ("a\u202eb", "a b"),
        ("日本" * 100, "日本" * 30),
    ],
)
def test_a_name_becomes_a_file_name_that_every_system_takes(name, stem):
    assert markdown.stem(name) == stem
    assert part_reason(f"{stem}.md") is None


@given(TEXTS)
def test_no_name_whatsoever_makes_a_file_name_that_is_refused(name):
    path = markdown.conflict_path(
        markdown.number_stem(markdown.stem(name), 9_999), "2026-07-01", "0" * 8
    )

    assert part_reason(path) is None
    assert markdown.is_conflict(path)
    assert not markdown.is_conflict(markdown.number_stem(markdown.stem(name), 1)) or re.search(
        "conflict", name
    )
