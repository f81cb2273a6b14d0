"""Print the lowest versions that pyproject.toml allows, one requirement a line, for pip.

python scripts/lowest.py > lowest.txt && pip install -r lowest.txt
"""

import re
import tomllib
from pathlib import Path


def lowest(requirement: str) -> str:
    """`numpy>=2.0` as `numpy==2.0`; the bound itself has to be a version that exists."""
    return re.sub(r">=", "==", requirement.split(",")[0].split(";")[0].strip())


if __name__ == "__main__":
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    for requirement in tomllib.loads(text)["project"]["dependencies"]:
        print(lowest(requirement))
