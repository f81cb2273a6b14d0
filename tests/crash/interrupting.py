"""A program in which the main thread is interrupted at random while it and others write.

`python interrupting.py PATH INTERRUPTS SEED`: three threads and a second process write as well.
It prints one JSON line: what was acknowledged, which answers were given to interrupted callers, and
who got stuck or was answered falsely.
"""

import json
import random
import signal
import subprocess
import sys
import threading
import time

from forking import keep_busy

import ricordo
from ricordo.store.commit_threads import KEPT, NOT_KEPT

STUCK_SECONDS = 20


class Interrupt(Exception):
    """What the handler of a signal may raise: no KeyboardInterrupt, and no error of ours."""


class Answers:
    """What writers were told about each text."""

    def __init__(self) -> None:
        self.kept: set[str] = set()
        self.not_kept: set[str] = set()
        self.unknown: set[str] = set()
        self.errors: list[str] = []

    def take(self, text: str, error: BaseException | None) -> None:
        notes = getattr(error, "__notes__", [])
        if error is None or KEPT in notes:
            self.kept.add(text)
        elif NOT_KEPT in notes:
            self.not_kept.add(text)
        else:
            self.unknown.add(text)


def other(memory: ricordo.Memory, who: str, answers: Answers, stop: threading.Event) -> None:
    """A thread that nobody interrupts: it must never hear of the interrupts of others."""
    chat, turn = memory.space("ana").session(who), 0
    while not stop.is_set():
        turn += 1
        try:
            chat.append("user", f"{who} {turn}")
            answers.take(f"{who} {turn}", None)
        except ricordo.RicordoError as error:
            answers.errors.append(repr(error))


def interrupted(memory: ricordo.Memory, times: int, seed: int, answers: Answers) -> int:
    """Write and be interrupted; how many times the next write did not come to an end."""
    dice, chat, stuck, turn = random.Random(seed), memory.space("ana").session("main"), 0, 0
    kinds = (KeyboardInterrupt, SystemExit, Interrupt)

    def handle(*_: object) -> None:
        raise dice.choice(kinds)

    signal.signal(signal.SIGALRM, handle)
    for _ in range(times):
        text = ""
        try:
            signal.setitimer(signal.ITIMER_REAL, dice.uniform(0.0003, 0.006))
            while True:
                turn += 1
                text = f"main {turn}"
                chat.append("user", text)
                answers.take(text, None)
        except kinds as error:
            if text and text not in answers.kept:
                answers.take(text, error)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        stuck += not probe(memory)
    return stuck


def probe(memory: ricordo.Memory) -> bool:
    """Whether a write of this thread and one of another come to an end."""
    done: list[int] = []
    writing = threading.Thread(
        target=lambda: done.append(memory.space("ana").session("probe").append("user", "x").seq),
        daemon=True,
    )
    writing.start()
    writing.join(STUCK_SECONDS)
    return bool(done)


def main(path: str, times: int, seed: int) -> dict[str, object]:
    answers, stop = Answers(), threading.Event()
    memory = ricordo.open(path, embedder="none")
    memory.space("ana").session("main").append("user", "main 0")
    keep_busy(memory)
    beside = subprocess.Popen(
        [sys.executable, __file__, "beside", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    threads = [
        threading.Thread(target=other, args=(memory, f"thread{n}", answers, stop)) for n in range(3)
    ]
    for thread in threads:
        thread.start()
    stuck = interrupted(memory, times, seed, answers)
    stop.set()
    for thread in threads:
        thread.join()
    told, _ = beside.communicate(b"stop\n")
    memory.close()
    return verdict(path, answers, json.loads(told)) | {"stuck": stuck, "interrupts": times}


def verdict(path: str, answers: Answers, beside: dict[str, list[str]]) -> dict[str, object]:
    """Compare what was told with what is there."""
    with ricordo.open(path, embedder="none") as memory:
        names = ["main", "beside", *(f"thread{n}" for n in range(3))]
        log = [e for name in names for e in memory.space("ana").session(name).events()]
        there = {str(event.content) for event in log}
        found = memory.check()
    return {
        "acknowledged": len(answers.kept) + len(beside["kept"]),
        "lost": sorted((answers.kept | set(beside["kept"])) - there)[:5],
        "false": sorted(answers.not_kept & there)[:5],
        "twice": len(log) - len(there),
        "not_kept": len(answers.not_kept),
        "unknown": len(answers.unknown),
        "errors": (answers.errors + beside["errors"])[:5],
        "check": [str(each) for each in found][:5],
    }


def write_beside(path: str) -> None:
    """The second process: writes until it is told to stop."""
    stop, answers = threading.Event(), Answers()
    with ricordo.open(path, embedder="none") as memory:
        thread = threading.Thread(target=other, args=(memory, "beside", answers, stop))
        thread.start()
        sys.stdin.readline()
        stop.set()
        thread.join()
    sys.stdout.write(json.dumps({"kept": sorted(answers.kept), "errors": answers.errors}))


if __name__ == "__main__":
    if sys.argv[1] == "beside":
        write_beside(sys.argv[2])
    else:
        began = time.monotonic()
        told = main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
        sys.stdout.write(json.dumps(told | {"seconds": round(time.monotonic() - began, 1)}))
