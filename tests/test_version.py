"""The version stands in one place, `__version__`; everything else reads it there."""

import re
import tomllib
from pathlib import Path

import ricordo

ROOT = Path(__file__).parent.parent
HOME = ROOT / "src" / "ricordo" / "__init__.py"
TEXTS = (".py", ".sql", ".toml", ".json", ".md", ".yml")


def pages() -> list[Path]:
    """Everything that could name the version; the changelog does so on purpose."""
    folders = [path for name in ("src", "docs", "examples") for path in (ROOT / name).rglob("*")]
    found = [path for path in folders if path.suffix in TEXTS and path.is_file()]
    return [*found, ROOT / "pyproject.toml", ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def test_no_other_literal_of_the_version_stands_in_the_tree():
    literal = re.compile(rf"(?<![\d.]){re.escape(ricordo.__version__)}(?![\d]|\.\d)")
    found = {
        path.relative_to(ROOT).as_posix(): len(literal.findall(path.read_text(encoding="utf-8")))
        for path in pages()
    }

    assert {name: count for name, count in found.items() if count} == {
        HOME.relative_to(ROOT).as_posix(): 1
    }


def test_the_build_reads_the_version_from_the_package():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    assert settings["project"]["dynamic"] == ["version"]
    assert "version" not in settings["project"]
    assert ROOT / settings["tool"]["hatch"]["version"]["path"] == HOME


def test_the_version_is_one_that_a_package_index_takes():
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?(\.dev\d+)?", ricordo.__version__)
