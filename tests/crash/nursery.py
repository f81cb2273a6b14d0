"""A process that raises writers and lets them be killed: forking is quicker than starting Python.

It reads lines `path first ledger order` and answers each with the pid of a writer, which opens the
memory and takes step after step of the history, telling the ledger (a FIFO) each one that was
acknowledged. With the order `early` it tells before the step: the control that has to lose.
"""

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import history


def write(path: str, first: int, ledger: int, *, is_early: bool) -> None:
    stage = history.Stage(path)
    for index in range(first, history.LENGTH):
        if is_early:
            os.write(ledger, f"{index}\n".encode())
        stage.play(index, attempt=int(index == first))
        if not is_early:
            os.write(ledger, f"{index}\n".encode())
    os.write(ledger, b"over\n")
    signal.pause()


def say(word: object) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no zombies
    history.states(3)  # imports everything that a step needs, before the first fork
    say("ready")
    for line in sys.stdin:
        path, first, fifo, order = line.rstrip("\n").split("\t")
        child = os.fork()
        if child == 0:
            sys.stdin.close()
            ledger = os.open(fifo, os.O_WRONLY)
            try:
                write(path, int(first), ledger, is_early=order == "early")
            finally:
                os._exit(1)
        say(child)


if __name__ == "__main__":
    main()
