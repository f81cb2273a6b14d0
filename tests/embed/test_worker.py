"""A background worker at the end of its process."""

import subprocess
import sys

SCRIPT = """
import sys, threading
import ricordo

class Slow:
    dim, name = 2, "slow"

    def embed(self, texts):
        started.set()
        while threading.main_thread().is_alive():
            pass
        total = sum(range(300_000))  # still at it while the interpreter ends
        print("finished", total > 0, flush=True)
        return [(1.0, 0.0)] * len(texts)

started = threading.Event()
memory = ricordo.open(sys.argv[1], embedder=Slow())
memory.space("ana").session("trip").append("user", "hello")
started.wait()
"""


def test_a_process_that_ends_without_closing_lets_the_model_finish(tmp_path):
    """A thread that is cut off inside a model's own code would abort the process."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "agent.db")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "finished True\n", "")
