"""Pages and source are plain English: forms that readers stumble over have a better one here."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = "src/ricordo"
FOLDERS = (  # what is read: folders and the names in them
    (".", "*.md"),
    ("docs", "**/*.md"),
    (SOURCE, "**/*.py"),
    (f"{SOURCE}/store/sql/common", "*.sql"),  # released migrations stay as they are
)
FILES = sorted(path for folder, names in FOLDERS for path in (ROOT / folder).glob(names))


class Form(NamedTuple):
    """A form to avoid, what to write in its place, and one example of each."""

    pattern: str
    better: str
    bad: str
    good: str


FORMS = [
    Form(r"(?<!there )\bis no (?!longer\b|more\b)\w+", "is not a …", "is no UUID", "is not a UUID"),
    Form(r"\banew\b", "again, rebuild, rewrite", "makes it anew", "rebuilds it"),
    Form(r"\b(?:is|are|was|were|be) told\b", "reported", "errors are told", "errors are reported"),
    Form(r"\bunless (?:given|told)\b", "default: …", "5 unless given", "default: 5"),
    Form(r", too[.,;:]", "also", "It is listed, too.", "It is also listed."),
    Form(r"\btak(?:e|en|es) away\b", "delete", "is taken away", "is deleted"),
    Form(r"\bpast (?:its|their) time\b", "expired", "entries past their time", "expired entries"),
    Form(r"\b(?:is|are) not there\b", "missing", "a file that is not there", "a missing file"),
    Form(r"\bbr(?:oken|eaks|eaking) off\b", "interrupted", "was broken off", "was interrupted"),
    Form(r"\bapart by\b", "separated by", "apart by a tab", "separated by tabs"),
    Form(r"\bof yours\b", "your own …", "a function of yours", "your own function"),
    Form(r"\b(?:is|are) unusable\b", "is not valid", "5 is unusable", "5 is not valid"),
    Form(r"\bat most so many\b", "maximum …", "At most so many", "Maximum number"),
    Form(r"\bpage before\b", "previous page", "of the page before", "of the previous page"),
    Form(r"\bthe \w+ there are\b", "use a … from …", "shows the ids there are", "shows the ids"),
    Form(r"\bstands? there\b", "is, is given", "it stands there twice", "it is given twice"),
    Form(r"\b(?:reminders|runs|those) to come\b", "pending", "runs to come", "future runs"),
    Form(r"\bgiven out\b", "delivered", "a reminder is given out", "a reminder is delivered"),
    Form(r"\btak(?:e|en|es) (?:\w+ ){0,3}back\b", "undo, delete", "take it back", "undo it"),
    Form(r"\bbut for\b", "except", "all but for the last", "all except the last"),
    Form(r"\bas told\b", "as given", "the path as told", "the given path"),
    Form(
        r"(?:^|[.;] )Are they \w+,", "If they are …", "Are they many, wait.", "If many are, wait."
    ),
]


def stumbles(text: str) -> Iterator[str]:
    """Every form to avoid, with the words around it and the better form."""
    line = " ".join(re.sub(r"^\s*(?:#|--) ", "", text, flags=re.MULTILINE).split())
    for form in FORMS:
        for found in re.finditer(form.pattern, line, re.IGNORECASE):
            around = line[max(0, found.start() - 30) : found.end() + 30]
            yield f"{found[0]!r} in {around!r}: write {form.better!r}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_text_is_plain_english(path):
    assert list(stumbles(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.bad)
def test_the_guard_finds_each_form_and_accepts_the_better_one(form):
    assert list(stumbles(form.bad))
    assert not list(stumbles(form.good))


def test_the_guard_finds_a_form_across_a_line_break():
    assert list(stumbles("The index is built\nanew."))
    assert list(stumbles("x = 1\n    # its value is\n    # no number"))
    assert not list(stumbles("There is no server, and it is no longer needed."))


def test_pages_and_source_are_read():
    found = {path.name for path in FILES}

    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "entries.sql", "registry.py"} < found
    assert "locks.py" in found
    assert len(FILES) > 300
