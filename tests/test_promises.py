"""The page of promises and the tree agree: no id without a sentence, no sentence without a test."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from ricordo.testing.cases import cases

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "promises.md"
ID = r"[A-Z]{2,3}-\d+"
ROW = re.compile(rf"^\| `({ID})` \| (.+) \|$", re.MULTILINE)


def promised() -> dict[str, str]:
    return dict(ROW.findall(PAGE.read_text(encoding="utf-8")))


def named_by_tests() -> Iterator[str]:
    """The ids that the docstring of a test begins with."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                begins = re.match(rf"({ID}(, )?)+", ast.get_docstring(node) or "")
                yield from re.findall(ID, begins[0]) if begins else ()


def test_every_id_has_one_sentence_and_every_sentence_a_test():
    used = {check for case in cases() for check in case.checks} | set(named_by_tests())

    assert sorted(used - promised().keys()) == [], "add these to docs/promises.md"
    assert sorted(promised().keys() - used) == [], "nothing holds these: add a test or delete them"


def test_no_id_stands_twice_and_each_sentence_is_whole():
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))

    assert len(rows) == len(promised())
    assert [name for name, said in rows if not re.fullmatch(r"[A-Z`].*\.", said)] == []
