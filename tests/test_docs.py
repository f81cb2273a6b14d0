"""The documentation tells the truth: its examples run, and nothing public is missing from it."""

import dataclasses
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ricordo
from doors import collection_types, public_methods
from ricordo import config
from ricordo.config import PREFIX
from ricordo.core.recall.weights import WEIGHTS
from ricordo.flows.recall.profiles import PROFILES
from ricordo.model import ASKERS, MODES, ORIGINS, PARTS, RECALL_KINDS

ROOT = Path(__file__).parent.parent
SOURCE = Path(ricordo.__file__).parent.parent
DOCS = ROOT / "docs"
FRONT = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
PAGES = [*FRONT, *sorted(DOCS.glob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
HANDLES = (ricordo.Memory, ricordo.Space, ricordo.Session)

FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)(?P<target>[^)#]+)")
# Pages of frameworks that do not install beside the others, and what they need.
ELSEWHERE = {"mem0.md": "mem0", "strands.md": "strands"}
# Pages whose programs set up something for the whole process.
ALONE = {"telemetry.md"}
LANGUAGES = {"console", "json", "python", "sh", "sql", "text", "toml"}


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> Iterator[str]:
    """The code blocks of a language, each moved down to its line of the page."""
    whole = page.read_text(encoding="utf-8")
    for fence in FENCE.finditer(whole):
        if fence["language"] == language:
            yield "\n" * (whole[: fence.start()].count("\n") + 1) + fence["code"]


def every_text() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


# --- examples run -----------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_of_a_page_runs(page, tmp_path, monkeypatch):
    """Blocks run from the top of the page, in one namespace: what one makes, the next may use."""
    if page.name in ELSEWHERE and importlib.util.find_spec(ELSEWHERE[page.name]) is None:
        pytest.skip(f"{ELSEWHERE[page.name]} has an environment of its own: make compat runs it")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(f"{PREFIX}EMBEDDER", "hash")
    if page.name in ALONE:
        program = "".join(blocks(page, "python"))
        subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
        return
    scope: dict[str, object] = {"__name__": "__example__"}
    try:
        for code in blocks(page, "python"):
            exec(compile(code, str(page), "exec"), scope)
    finally:
        for value in scope.values():
            if isinstance(value, ricordo.Memory):
                value.close()


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.name)
def test_every_example_script_runs(script, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=tmp_path,
        env={**os.environ, f"{PREFIX}EMBEDDER": "hash", "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_readme_shows_what_comes_out(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(f"{PREFIX}EMBEDDER", raising=False)
    code = "\n".join(blocks(ROOT / "README.md", "python"))
    shown = re.findall(r"print\(.*\)  # (.*)$", code, re.MULTILINE)
    scope: dict[str, object] = {"__name__": "__example__"}

    exec(compile(code, "README.md", "exec"), scope)

    assert capsys.readouterr().out.splitlines() == shown
    assert len(shown) == 2


def test_the_first_example_leaves_one_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(f"{PREFIX}EMBEDDER", "hash")

    exec(compile(next(blocks(ROOT / "README.md", "python")), "README.md", "exec"), {})

    assert [path.name for path in tmp_path.iterdir()] == ["agent.db"]


def test_there_are_examples():
    assert len(EXAMPLES) >= 3
    assert list(blocks(ROOT / "README.md", "python"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_code_block_says_what_it_is(page):
    found = {fence["language"] for fence in FENCE.finditer(page.read_text(encoding="utf-8"))}

    assert found <= LANGUAGES


# --- nothing is missing -----------------------------------------------------------------------


@pytest.mark.parametrize("field", dataclasses.fields(ricordo.Settings), ids=lambda f: f.name)
def test_every_setting_is_documented_with_its_default_and_variable(field):
    page = text("docs/settings.md")
    default = str(field.default).lower() if isinstance(field.default, bool) else field.default

    assert f"| `{field.name}` | `{default}` |" in page
    assert f"`{PREFIX}{field.name.upper()}`" in page


@pytest.mark.parametrize("name", config._OTHERS)
def test_every_other_variable_is_documented(name):
    assert f"`{PREFIX}{name}`" in text("docs/settings.md")


@pytest.mark.parametrize("handle", HANDLES, ids=lambda handle: handle.__name__)
def test_every_public_method_is_documented(handle):
    whole = every_text()

    assert [name for name in public_methods(handle) if f".{name}(" not in whole] == []


@pytest.mark.parametrize(("name", "kind"), collection_types().items())
def test_every_method_of_a_collection_is_documented(name, kind):
    whole = every_text()

    assert [each for each in public_methods(kind) if f".{name}.{each}(" not in whole] == []


@pytest.mark.parametrize("name", ricordo.__all__)
def test_every_exported_name_is_documented(name):
    assert re.search(rf"\b{name}\b", every_text())


def test_every_profile_mode_kind_origin_and_asker_is_documented():
    page = text("docs/recall.md")
    memory = text("docs/memory.md")

    assert [name for name in PROFILES if f"### `{name}`" not in page] == []
    assert [word for word in (*MODES, *RECALL_KINDS, *ASKERS) if f"`{word}`" not in page] == []
    assert [word for word in ORIGINS if f"`{word}`" not in memory] == []


def test_the_weights_in_the_docs_are_the_weights_in_use():
    page = text("docs/recall.md")

    for name in WEIGHTS["hybrid"]:
        columns = (WEIGHTS[each].get(name) for each in ("hybrid", "multilingual", "keyword"))
        row = f"| `{name}` | {' | '.join(map(_figure, columns))} | {PARTS[name].sentence} |"
        assert row in page, f"docs/recall.md lacks {row}"


def _figure(weight: float | None) -> str:
    return "-" if weight is None else f"{weight:.2f}"


def test_every_command_is_documented():
    from ricordo.surfaces.cli.main import cli

    page = text("docs/cli.md")
    missing = [path for path in _commands(cli) if f"ricordo {path}" not in page]

    assert missing == []


def _commands(command: object, path: str = "") -> Iterator[str]:
    """Every command of the tree by what one types, groups included."""
    for name, inner in getattr(command, "commands", {}).items():
        if not inner.hidden:
            yield f"{path}{name}"
            yield from _commands(inner, f"{path}{name} ")


# --- pages hang together ----------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_between_pages_leads_somewhere(page):
    found = LINK.finditer(page.read_text(encoding="utf-8"))
    broken = [m["target"] for m in found if not (page.parent / m["target"]).exists()]

    assert broken == []


def test_the_index_leads_to_every_page():
    linked = {match["target"] for match in LINK.finditer(text("docs/index.md"))}

    assert {page.name for page in DOCS.glob("*.md")} - {"index.md"} <= linked


def test_the_readme_is_short_and_shows_both_commands():
    readme = text("README.md")

    assert len(readme.splitlines()) <= 115
    assert "pip install ." in readme.partition("```python")[0], "how to install comes first"
    assert "make demo" in readme
    assert "make test" in readme


def test_the_changelog_speaks_of_what_comes_next():
    assert "## Unreleased" in text("CHANGELOG.md")
