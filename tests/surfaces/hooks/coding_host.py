"""A coding host: it runs the real hook command in a project of its own, with real JSON."""

import json
import os
import subprocess
import sys
from pathlib import Path

import ricordo

SOURCE = str(Path(ricordo.__file__).parent.parent)
KEY = "sk-proj-abcdEFGH12345678"


class Host:
    """A host that runs hooks in a project folder of its own."""

    def __init__(self, folder):
        self.project = folder / "project"
        (self.project / ".git").mkdir(parents=True)
        self.db = folder / "agent.db"
        self.env = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("RICORDO_", "CLAUDE_"))
        } | {"PYTHONPATH": SOURCE, "RICORDO_DB": str(self.db), "HOME": str(folder)}

    def start(self, event, *words):
        return subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "ricordo", "hook", event, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.env,
            cwd=self.project,
        )

    def raw(self, event, given: bytes, *words):
        process = self.start(event, *words)
        out, err = process.communicate(given, timeout=60)
        return process.returncode, out.decode(), err.decode()

    def input(self, session="s1", **given):
        return {
            "session_id": session,
            "transcript_path": "/nowhere.jsonl",
            "cwd": str(self.project / "src"),
            "permission_mode": "default",
            **given,
        }

    def hook(self, event, session="s1", **given):
        """Run a hook that has to work; its answer, or None."""
        told = self.input(session, hook_event_name=event, **given)
        code, out, err = self.raw(event, json.dumps(told).encode())
        assert (code, err) == (0, "")
        return json.loads(out) if out else None

    def context(self, event, session="s1", **given):
        answer = self.hook(event, session, **given)
        if answer is None:
            return ""
        assert set(answer) == {"hookSpecificOutput"}
        assert answer["hookSpecificOutput"]["hookEventName"] == event
        return answer["hookSpecificOutput"]["additionalContext"]

    def memory(self):
        return ricordo.open(self.db, embedder="none")

    def events(self, session="s1"):
        with self.memory() as memory:
            return memory.space(str(self.project)).session(session).events()

    def space(self, work):
        with self.memory() as memory:
            return work(memory.space(str(self.project)))
