"""A memory that nobody closes: it is folded back into one file when the process ends."""

import os
import subprocess
import sys
from pathlib import Path

import ricordo

SCRIPT = """
import sys, ricordo
memory = ricordo.open(sys.argv[1], embedder="hash")
memory.space("ana").remember("Prefers window seats", name="seat")
memory.space("ana").recall("seats")
"""


def run(path: Path, *options: str) -> str:
    done = subprocess.run(
        [sys.executable, *options, "-c", SCRIPT, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    return done.stderr


def test_one_file_is_left_and_holds_everything(tmp_path: Path):
    assert run(tmp_path / "agent.db") == ""

    assert [each.name for each in tmp_path.iterdir()] == ["agent.db"]
    with ricordo.open(tmp_path / "agent.db", embedder="none", keep=False) as memory:
        assert memory.space("ana").get("seat").content == "Prefers window seats"
        assert memory.check() == []


def test_in_development_mode_it_is_said_whose_memory_was_not_closed(tmp_path: Path):
    told = run(tmp_path / "agent.db", "-X", "dev")

    assert "ResourceWarning: unclosed memory" in told
    assert "agent.db" in told
