"""The space of a project: one rule for hooks, for the MCP server and for every verb."""

import os
from pathlib import Path

AUTO = "auto"


def choose_space(given: str | None, folder: str = "") -> str:
    """The given space, else that of RICORDO_SPACE, else the folder of the project.

    The project is the one that the host names, or the folder that it works in, up to the folder
    that holds `.git`. However a folder is reached, by a link or not, it is one space.
    """
    for chosen in (given, os.environ.get("RICORDO_SPACE")):
        if chosen and chosen != AUTO:
            return chosen
    project = os.environ.get("CLAUDE_PROJECT_DIR") or folder or Path.cwd()
    start = Path(os.path.realpath(project))
    for each in (start, *start.parents):
        if (each / ".git").exists():
            return str(each)
    return str(start)
