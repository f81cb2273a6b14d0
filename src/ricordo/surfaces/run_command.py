"""A shell command that carries out the goals of schedules, for `run-due`, `keep` and `serve`.

The goal is on its stdin and in RICORDO_GOAL. What it prints is the output of the run; an exit code
other than 0 is a failure. A command that takes too long ends with everything it has started.
"""

import contextlib
import os
import signal
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ricordo.model import Claim, Run


class CommandRunner:
    """Runs one command for each goal. Use `run` as the function of the keeper."""

    def __init__(self, path: str, command: str, timeout: float | None = None) -> None:
        self._path = path
        self._command = command
        self._timeout = timeout

    def run(self, claim: "Claim") -> "Run":
        from ricordo.model import Run

        process = subprocess.Popen(
            self._command,
            shell=True,
            env=os.environ | self._environment(claim),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # so that it can be ended with its children
        )
        try:
            said, complaint = process.communicate(claim.schedule.goal, timeout=self._timeout)
        except subprocess.TimeoutExpired:
            _end_group(process)
            return Run("failed", f"not finished within {self._timeout:g} s")
        except BaseException:
            _end_group(process)
            raise
        output = said.replace("\0", "\N{REPLACEMENT CHARACTER}").rstrip("\n")
        if process.returncode == 0:
            return Run(output=output)
        told = complaint.replace("\0", "\N{REPLACEMENT CHARACTER}").strip()
        return Run("failed", f"exit code {process.returncode}: {told or output}")

    def _environment(self, claim: "Claim") -> dict[str, str]:
        """What the command needs to know, and what makes it speak to the same memory."""
        schedule = claim.schedule
        return {
            "RICORDO_DB": self._path,
            "RICORDO_SPACE": schedule.space,
            "RICORDO_SCHEDULE": schedule.id,
            "RICORDO_GOAL": schedule.goal,
            "RICORDO_SESSION": schedule.session,
            "RICORDO_FENCE": str(claim.fence),
            "RICORDO_TRUSTED": str(int(schedule.trusted)),
        }


def _end_group(process: "subprocess.Popen[str]") -> None:
    """End a command and whatever it has started, and wait for it."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
