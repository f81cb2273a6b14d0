"""Compare a tag with the version and the changelog: `python scripts/check_release.py v1.2.3`.

Nothing is imported from the package, so that it runs before anything is installed.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def read_version(root: Path) -> str:
    """The version, from the one place where it stands."""
    home = next((root / "src").glob("*/__init__.py"))
    found = re.search(r'^__version__ = "([^"]+)"', home.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise SystemExit(f"{home} has no line that begins with __version__")
    return found[1]


def find_problems(tag: str, root: Path) -> list[str]:
    """What keeps this tag from being released; an empty list means nothing does."""
    version = read_version(root)
    problems = []
    if tag != f"v{version}":
        problems.append(f"the tag is {tag!r} and the version {version!r}: tag v{version}")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        problems.append(f"CHANGELOG.md has no section '## {version} - YYYY-MM-DD': add it")
    return problems


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("give one tag, for example v1.2.3")
    if found := find_problems(sys.argv[1], ROOT):
        raise SystemExit("\n".join(found))
    print(f"{sys.argv[1]} can be released")
