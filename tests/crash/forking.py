"""A program that forks in one of the ways in which programs fork, while it writes to a memory.

`python forking.py PATTERN PATH LEDGER`: every write that was acknowledged is noted in the ledger,
by whichever process made it. `--careless` takes the protection away: the control. `--kept` lets the
keeper work all the time, in the parent.
"""

import concurrent.futures
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace

import ricordo
from ricordo import forks

WRITES = 12  # of each process, or of each thread


class Ledger:
    """What was acknowledged; lines of several processes do not mix."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)

    def note(self, text: str) -> None:
        os.write(self._descriptor, f"{text}\n".encode())


def write(memory: ricordo.Memory, ledger: Ledger, who: str, times: int = WRITES) -> None:
    chat = memory.space("ana").session("log")
    for turn in range(times):
        chat.append("user", f"{who} {turn}")
        ledger.note(f"{who} {turn}")


class Stage:
    """A memory that is open in the parent, and what children do with it."""

    def __init__(self, path: str, ledger: str) -> None:
        self.path, self.ledger = path, Ledger(ledger)
        self.memory = self.open()
        write(self.memory, self.ledger, "parent before", 2)

    def open(self) -> ricordo.Memory:
        return ricordo.open(self.path, embedder="none")

    def child(self, work: Callable[[], object], end: Callable[[], object]) -> int:
        pid = os.fork()
        if pid == 0:
            try:
                work()
                end()
            finally:
                os._exit(1)
        return pid

    def opens_again(self, who: str = "child", *, closes: bool) -> None:
        memory = self.open()
        write(memory, self.ledger, who)
        memory.space("ana").recall("parent")
        if closes:
            memory.close()

    def goes_on(self, who: str = "child") -> None:
        write(self.memory, self.ledger, who)


def leave() -> None:
    os._exit(0)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def ended(*children: int) -> None:
    for child in children:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert code in (0, -signal.SIGKILL), code


def child_closes(stage: Stage) -> None:
    """The documented way, and the parent closes while the child writes."""
    ready, go = os.pipe()
    pid = stage.child(lambda: (os.read(ready, 1), stage.opens_again(closes=True)), leave)
    early = stage.child(lambda: (stage.opens_again("early", closes=False), os.read(ready, 1)), die)
    stage.memory.close()
    os.write(go, b"xx")
    ended(pid, early)


def parent_closes_between(stage: Stage) -> None:
    """The child has written when the parent closes, and writes on: what was lost in every run."""
    told, tell = os.pipe()
    heard, say = os.pipe()

    def work() -> None:
        memory = stage.open()
        write(memory, stage.ledger, "first")
        os.write(tell, b"x")
        os.read(heard, 1)
        write(memory, stage.ledger, "second")
        memory.close()

    pid = stage.child(work, leave)
    os.read(told, 1)
    stage.memory.close()
    os.write(say, b"x")
    ended(pid)


def child_is_killed(stage: Stage) -> None:
    pids = [stage.child(lambda: stage.opens_again(closes=False), die) for _ in range(2)]
    stage.memory.close()
    ended(*pids)


def child_exits(stage: Stage) -> None:
    def end() -> None:
        sys.exit(0)

    pid = os.fork()
    if pid == 0:
        stage.opens_again(closes=False)
        end()
    write(stage.memory, stage.ledger, "parent")
    ended(pid)


def handles_go_on(stage: Stage) -> None:
    """Handles from before the fork, used in three children and the parent at once."""
    pids = [stage.child(lambda n=n: stage.goes_on(f"child {n}"), leave) for n in range(3)]
    write(stage.memory, stage.ledger, "parent")
    stage.memory.close()
    ended(*pids)


def threads_write(stage: Stage) -> None:
    """Three threads write while the process forks again and again."""
    threads = [
        threading.Thread(target=write, args=(stage.memory, stage.ledger, f"thread {n}", 40))
        for n in range(3)
    ]
    for thread in threads:
        thread.start()
    pids = [
        stage.child(lambda n=n: (stage.goes_on(f"child {n}"), stage.opens_again(f"again {n}",
                    closes=bool(n % 2))), leave)
        for n in range(4)
    ]  # fmt: skip
    for thread in threads:
        thread.join()
    ended(*pids)


def a_thread_forks(stage: Stage) -> None:
    pids: list[int] = []
    thread = threading.Thread(
        target=lambda: pids.append(stage.child(lambda: stage.goes_on("child"), leave))
    )
    thread.start()
    write(stage.memory, stage.ledger, "parent", 30)
    thread.join()
    ended(*pids)


def children_have_children(stage: Stage) -> None:
    def work() -> None:
        stage.goes_on("child")
        ended(stage.child(lambda: stage.goes_on("grandchild"), leave))
        stage.goes_on("child again")

    ended(stage.child(work, leave))
    write(stage.memory, stage.ledger, "parent")


def daemon(stage: Stage) -> None:
    """Fork twice, as daemons do: the one that stays is nobody's child."""
    told, tell = os.pipe()

    def work() -> None:
        os.setsid()
        if os.fork() == 0:
            stage.goes_on("daemon")
            os.write(tell, b"x")
            os._exit(0)

    ended(stage.child(work, leave))
    stage.memory.close()
    os.read(told, 1)


def work_in_pool(arguments: tuple[str, str, str]) -> None:
    path, ledger, who = arguments
    with ricordo.open(path, embedder="none") as memory:
        write(memory, Ledger(ledger), who)


def _processes(stage: Stage, ledger: str, method: str) -> None:
    context = multiprocessing.get_context(method)
    jobs = [(stage.path, ledger, f"{method} {n}") for n in range(3)]
    processes = [context.Process(target=work_in_pool, args=(job,)) for job in jobs]
    for process in processes:
        process.start()
    write(stage.memory, stage.ledger, "parent")
    stage.memory.close()
    for process in processes:
        process.join()
        assert process.exitcode == 0


def futures(stage: Stage, ledger: str) -> None:
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(2, context) as pool:
        done = pool.map(work_in_pool, [(stage.path, ledger, f"task {n}") for n in range(4)])
        write(stage.memory, stage.ledger, "parent")
        list(done)


PATTERNS: dict[str, Callable[[Stage], None]] = {
    each.__name__: each
    for each in (
        child_closes, parent_closes_between, child_is_killed, child_exits, handles_go_on,
        threads_write, a_thread_forks, children_have_children, daemon,
    )
}  # fmt: skip
WITH_LEDGER: dict[str, Callable[[Stage, str], None]] = {
    "multiprocessing_fork": lambda stage, ledger: _processes(stage, ledger, "fork"),
    "multiprocessing_forkserver": lambda stage, ledger: _processes(stage, ledger, "forkserver"),
    "futures": futures,
}
NAMES = (*PATTERNS, *WITH_LEDGER)


def keep_busy(memory: ricordo.Memory) -> None:
    """Start the keeper, with jobs that are due again as soon as they are done."""
    from ricordo.background import jobs

    jobs.JOBS = tuple(replace(spec, every=lambda _: 0.001) for spec in jobs.JOBS)
    memory.keeper.start()


def main(pattern: str, path: str, ledger: str, *options: str) -> None:
    stage = Stage(path, ledger)
    if "--kept" in options:
        keep_busy(stage.memory)
    if "--careless" in options:
        forks._known.clear()  # nobody is asked before a fork
    if pattern in PATTERNS:
        PATTERNS[pattern](stage)
    else:
        WITH_LEDGER[pattern](stage, ledger)


if __name__ == "__main__":
    main(*sys.argv[1:])
