"""A process that forks loses nothing and hangs nowhere, whoever opens, writes or dies first.

Short: each pattern once. RICORDO_CRASH=all: 200 forks and more.
"""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import forking
import pytest

import ricordo
from tier import report, tier

TIMES = tier(1, 12)
SCRIPT = Path(forking.__file__)
HANG_SECONDS = 60

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


def run(pattern: str, folder: Path, *options: str) -> tuple[set[str], set[str]]:
    """What was acknowledged, and what is there afterwards."""
    path, ledger = folder / "a.db", folder / "ledger"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), pattern, str(path), str(ledger), *options],
        capture_output=True,
        check=False,
        text=True,
        timeout=HANG_SECONDS,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    if "--careless" not in options:
        assert (done.returncode, done.stderr) == (0, "")
    with ricordo.open(path, embedder="none") as memory:
        there = {str(event.content) for event in memory.space("ana").session("log").events()}
        assert memory.check() == []
    return set(ledger.read_text().splitlines()), there


@pytest.mark.parametrize("pattern", forking.NAMES)
@pytest.mark.timeout(tier(120, 900))
def test_nothing_acknowledged_is_lost_and_nothing_hangs(pattern, tmp_path):
    acknowledged = 0
    for turn in range(TIMES):
        folder = tmp_path / str(turn)
        folder.mkdir()

        written, there = run(pattern, folder)

        assert len(written) > forking.WRITES
        assert written - there == set()
        acknowledged += len(written)
    report(f"10 forks: {pattern}", runs=TIMES, acknowledged=acknowledged, lost=0, hung=0)


@pytest.mark.parametrize("pattern", tier(("threads_write", "child_exits"), forking.NAMES))
@pytest.mark.timeout(tier(120, 900))
def test_the_same_while_the_keeper_works(pattern, tmp_path):
    acknowledged = 0
    for turn in range(tier(1, 4)):
        folder = tmp_path / str(turn)
        folder.mkdir()

        written, there = run(pattern, folder, "--kept")

        assert written - there == set()
        acknowledged += len(written)
    report(f"10 forks, kept: {pattern}", acknowledged=acknowledged, lost=0, hung=0)


def test_without_the_protection_acknowledged_writes_are_gone(tmp_path):
    """The control: connections are inherited, and the parent takes the log away."""
    written, there = run("parent_closes_between", tmp_path, "--careless")

    assert written - there != set()
    report("10 forks, control", acknowledged=len(written), lost=len(written - there))


def test_a_child_is_refused_a_file_that_a_thread_kept_in_use_while_it_forked(tmp_path):
    script = """
        import os, sys, threading, ricordo
        from ricordo import forks
        from ricordo.store.sqlite import forks as sqlite_forks
        sqlite_forks.PATIENCE_SECONDS = 0.1
        memory = ricordo.open(sys.argv[1], embedder="none")
        memory.space("ana").remember("x", name="before")
        reading, done = threading.Event(), threading.Event()
        def read():
            with memory._engine.store.read() as tx:
                tx.spaces.names()
                reading.set()
                done.wait()
        threading.Thread(target=read).start()
        reading.wait()
        if os.fork() == 0:
            for attempt in (lambda: memory.space("ana").get("before"),
                            lambda: memory.space("ana").remember("y"),
                            lambda: ricordo.open(sys.argv[1], embedder="none")):
                try:
                    attempt()
                    print("done", flush=True)
                except ricordo.StoreError as error:
                    print(error, flush=True)
            sys.exit(0)
        print(os.waitstatus_to_exitcode(os.wait()[1]))
        done.set()
        memory.space("ana").remember("z", name="after")
        print(memory.space("ana").get("after").content, memory.check())
        memory.close()
    """

    told = run_script(script, str(tmp_path / "a.db")).splitlines()

    assert len(told) == 5
    assert all("'spawn' or 'forkserver'" in line for line in told[:3])
    assert told[3:] == ["0", "z []"]


def test_a_memory_in_ram_stays_with_its_process():
    script = """
        import os, sys, ricordo
        memory = ricordo.open(embedder="none")
        memory.space("ana").remember("x", name="before")
        if os.fork() == 0:
            try:
                memory.space("ana").get("before")
            except ricordo.StoreError as error:
                print(error, flush=True)
            sys.exit(0)
        print(os.waitstatus_to_exitcode(os.wait()[1]), memory.space("ana").get("before").content)
    """

    told = run_script(script).splitlines()

    assert "use a file to share it" in told[0]
    assert told[1] == "0 x"


def test_the_bundled_model_and_its_thread_survive_a_fork(tmp_path):
    script = """
        import os, sys, ricordo
        memory = ricordo.open(sys.argv[1])
        ana = memory.space("ana")
        ana.remember("Prefers window seats", name="seat")
        memory.flush()
        ana.recall("where does she like to sit?")
        ana.remember("Lives in Oslo", name="home")   # the thread is at work while we fork
        if os.fork() == 0:
            ana.remember("Has a dog called Rex", name="dog")
            memory.flush()
            print(ana.recall("her pet")[0].source.name, ana.stats().embedded, flush=True)
            sys.exit(3)                              # not os._exit: what the model leaves must end
        print(os.waitstatus_to_exitcode(os.wait()[1]))
        memory.flush()
        print(ana.recall("her pet")[0].source.name, memory.check())
        memory.close()
    """

    told = run_script(script, str(tmp_path / "a.db")).splitlines()

    assert told == ["dog 3", "3", "dog []"]


def test_a_child_can_import_what_a_thread_was_importing(tmp_path):
    """Modules are imported when they are used, so another thread may be about it."""
    script = """
        import os, signal, sys, threading, ricordo
        memory = ricordo.open(sys.argv[1], embedder="none")
        chat = memory.space("ana").session("trip")
        imports, forks = threading.Event(), threading.Event()

        class Slow:
            def find_spec(self, name, path=None, target=None):
                if name == "ricordo.core.conversation.compaction":
                    imports.set()
                    assert forks.wait(20)

        sys.meta_path.insert(0, Slow())
        os.register_at_fork(before=forks.set)        # asked before those that came earlier
        def work():
            chat.append("user", "Book me a flight to Oslo")
            chat.compact()
        thread = threading.Thread(target=work)
        thread.start()
        imports.wait()
        if os.fork() == 0:
            signal.alarm(20)                         # a child that hangs is ended by it
            from ricordo.flows.conversation import compact
            os._exit(7)
        print(os.waitstatus_to_exitcode(os.wait()[1]))
        thread.join()
        memory.close()
    """

    assert run_script(script, str(tmp_path / "a.db")).split() == ["7"]


def run_script(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", dedent(script), *arguments],
        capture_output=True,
        check=False,
        text=True,
        timeout=HANG_SECONDS,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
