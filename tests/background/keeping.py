"""A process that keeps a memory, with a clock that the test moves. Ends when stdin does."""

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import ricordo
from ricordo.background import keeper

START = datetime(2030, 1, 1, 6, 0, tzinfo=UTC)


class FileClock:
    """A clock that shows as many seconds after START as stand in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self) -> datetime:
        return START + timedelta(seconds=float(self._path.read_text()))


def set_clock(path: Path, passed: timedelta) -> None:
    """Move the clock in one step that no reader sees half done."""
    draft = path.with_suffix(".new")
    draft.write_text(str(passed.total_seconds()))
    draft.replace(path)


def settings(folder: Path) -> dict[str, object]:
    return {
        "workspace": str(folder / "files"),
        "workspace_git": True,
        "backup_folder": str(folder / "backups"),
        "backups_kept": 3,
        "event_days": 20,
    }


def note(path: Path, line: str) -> None:
    """Add a line that several processes may write at once."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{line}\n".encode())
    os.close(file)


def main() -> None:
    folder = Path(sys.argv[1])
    keeper.LOOK_SECONDS = 0.02
    memory = ricordo.open(
        folder / "agent.db",
        embedder="hash",
        clock=FileClock(folder / "clock"),
        config=settings(folder),
    )
    memory.keeper.start(
        lambda claim: note(folder / "runs", claim.schedule.name),
        deliver=lambda reminder: note(folder / "reminders", reminder.text),
        poll=0.02,
    )
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    memory.close()


if __name__ == "__main__":
    main()
