"""The workflows of GitHub are sound as far as can be seen from here: nothing here can run them."""

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import ricordo

ROOT = Path(__file__).parent.parent
GITHUB = ROOT / ".github"
FLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
PINNED = re.compile(r"uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$")
WINDOWS = ".venv/Scripts/"


def read(path: Path) -> dict[Any, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in read(path)["jobs"].values() for step in job.get("steps", [])]


def recipes() -> dict[str, list[str]]:
    """The commands of each target of the Makefile."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (ROOT / "Makefile").read_text(encoding="utf-8").splitlines():
        if target := re.match(r"([\w$()-]+):(?!=)", line):
            lines = found.setdefault(target[1], [])
        elif line.startswith("\t"):
            lines.append(line.strip())
    return found


def test_there_are_workflows_for_tests_and_releases():
    assert [path.stem for path in FLOWS] == ["release", "test"]


@pytest.mark.parametrize("path", FLOWS, ids=lambda path: path.stem)
def test_every_action_is_pinned_to_a_commit_and_says_its_version(path):
    lines = re.findall(r"uses: .*", path.read_text(encoding="utf-8"))
    loose = [line for line in lines if not PINNED.match(line) and "uses: ./.github/" not in line]

    assert loose == []
    assert lines


@pytest.mark.parametrize("path", FLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_only_read_unless_a_job_says_why(path):
    flow = read(path)
    granted = [flow["permissions"], *(job.get("permissions", {}) for job in flow["jobs"].values())]
    writes = [name for each in granted for name, what in each.items() if what != "read"]

    assert writes == (["id-token"] if path.stem == "release" else [])


@pytest.mark.parametrize("path", FLOWS, ids=lambda path: path.stem)
def test_every_make_of_a_workflow_is_a_target(path):
    wanted = [
        name
        for step in steps(path)
        for name in re.findall(r"^make ([\w-]+)", step.get("run", ""), re.MULTILINE)
    ]

    assert wanted
    assert [name for name in wanted if name not in recipes()] == []


@pytest.mark.parametrize("path", FLOWS, ids=lambda path: path.stem)
def test_no_command_holds_text_that_somebody_else_may_choose(path):
    """An expression in a command is pasted into the shell; a variable is not."""
    assert [step["run"] for step in steps(path) if "${{" in step.get("run", "")] == []


def test_the_matrix_has_every_python_of_the_classifiers():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    prefix = "Programming Language :: Python :: 3."
    claimed = [
        each.removeprefix(prefix)
        for each in settings["project"]["classifiers"]
        if each.startswith(prefix)
    ]
    matrix = read(GITHUB / "workflows" / "test.yml")["jobs"]["test"]["strategy"]["matrix"]

    assert matrix["python"] == [f"3.{minor}" for minor in claimed]
    assert [name.split("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]


def test_windows_runs_the_commands_of_the_makefile():
    known = recipes()
    wanted = [
        line.replace("$(PYTHON)", "python")
        .replace("$(VENV)", ".venv")
        .replace("$(BIN)/", WINDOWS)
        .replace("$(WORKERS)", "2")
        for target in ("$(READY)", "lint", "types", "test", "demo")
        for line in known[target]
        if not line.startswith("touch ")
    ]
    windows = [
        line
        for step in steps(GITHUB / "workflows" / "test.yml")
        if step.get("if") == "runner.os == 'Windows'"
        for line in step["run"].splitlines()
    ]

    assert windows == wanted


def test_a_release_is_tested_built_and_published_from_the_environment_that_the_index_trusts():
    jobs = read(GITHUB / "workflows" / "release.yml")["jobs"]

    assert jobs["publish"]["environment"] == "pypi"
    assert jobs["publish"]["needs"] == ["test", "build"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"


# --- what a stranger is asked -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["bug", "feature"])
def test_a_form_asks_for_what_is_needed_and_no_question_twice(name):
    form = read(GITHUB / "ISSUE_TEMPLATE" / f"{name}.yml")
    questions = [each for each in form["body"] if each["type"] != "markdown"]
    needed = [each for each in questions if each.get("validations", {}).get("required")]

    assert form["name"]
    assert form["description"]
    assert len({each["id"] for each in questions}) == len(questions)
    assert all(each["attributes"]["label"] for each in questions)
    assert needed


def test_whoever_reports_a_bug_is_led_to_the_private_way():
    assert "SECURITY.md" in (GITHUB / "ISSUE_TEMPLATE" / "bug.yml").read_text(encoding="utf-8")
    assert "Report a vulnerability" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert read(GITHUB / "ISSUE_TEMPLATE" / "config.yml") == {"blank_issues_enabled": False}


# --- the tag ----------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "src" / "anything").mkdir(parents=True)
    home = tmp_path / "src" / "anything" / "__init__.py"
    home.write_text('"""Doc."""\n\n__version__ = "1.2.3"  # here\n', encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text("## 1.2.3 - 2030-01-31\n", encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(ROOT / "scripts" / "check_release.py"))


def test_a_tag_is_the_version_and_has_a_section_in_the_changelog(script, tree):
    assert script["find_problems"]("v1.2.3", tree) == []
    assert script["find_problems"]("1.2.3", tree) == [
        "the tag is '1.2.3' and the version '1.2.3': tag v1.2.3"
    ]

    (tree / "CHANGELOG.md").write_text("## Unreleased\n", encoding="utf-8")
    assert script["find_problems"]("v1.2.3", tree) == [
        "CHANGELOG.md has no section '## 1.2.3 - YYYY-MM-DD': add it"
    ]


def test_the_script_reads_the_version_of_this_tree(script):
    assert script["read_version"](ROOT) == ricordo.__version__


def test_the_tests_of_the_page_are_never_skipped_unnoticed():
    tests = next(path for path in FLOWS if path.stem == "test")
    wanted = [
        step["env"]["REQUIRE_BROWSER"] for step in steps(tests) if step.get("run") == "make test"
    ]

    assert wanted == ["${{ runner.os == 'Linux' && '1' || '' }}"]
