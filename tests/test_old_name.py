"""The name the package had while it was being built stands in one line of the changelog only."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
OLD = "recol" + "lect"
FOLDERS = ("src", "tests", "docs", "bench", "scripts", "examples", ".ci", ".github")


def written() -> list[Path]:
    """Every file that somebody wrote: those at the root, and those in the folders of the tree."""
    top = [file for file in ROOT.iterdir() if file.is_file() and file.name != ".git"]
    inner = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.is_file()]
    return [file for file in top + inner if "__pycache__" not in file.parts]


def test_the_old_name_stands_in_one_line_of_the_changelog():
    found = [
        f"{file.relative_to(ROOT)}: {line[:80]}"
        for file in written()
        for line in file.read_bytes().decode("utf-8", "replace").splitlines()
        if OLD in line.lower()
    ]

    assert len(found) == 1
    assert found[0].startswith("CHANGELOG.md: ")


def test_no_file_bears_the_old_name():
    assert [file for file in written() if OLD in str(file.relative_to(ROOT)).lower()] == []
