"""The other process of a `Team`: opens the memory it is given and runs what it is sent."""

import os
import pickle
import sys
from importlib import import_module
from typing import BinaryIO

import ricordo
from ricordo import Memory


def serve(memory: Memory, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer every request with what its function returned or raised, until there are no more."""
    _send(answers, "ready")
    while True:
        try:
            module, name, given = pickle.load(requests)  # from the process that started this one
        except EOFError:
            return
        answer: object
        try:
            answer = getattr(import_module(module), name)(memory, *given)
        except Exception as error:  # noqa: BLE001 - raised again on the other side
            answer = error
        _send(answers, answer)


def _send(answers: BinaryIO, answer: object) -> None:
    pickle.dump(answer, answers)
    answers.flush()


def main() -> None:
    # Answers get a pipe of their own, so that nothing else that prints can disturb them.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with ricordo.open(sys.argv[1], embedder="hash", keep=False) as memory, answers:
        serve(memory, sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
