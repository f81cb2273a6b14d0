"""A PostgreSQL server that is killed while it is written to, a standby that takes over, and claims.

RICORDO_CRASH=all kills more often, takes 2,000 schedules, and shows that the tests would see a
loss: without waiting for the disk there is one.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import ricordo
from ricordo import Settings

sys.path.insert(0, str(Path(__file__).parent.parent / "store"))

from postgres_server import Server, folder, running

IS_WHOLE = os.environ.get("RICORDO_CRASH") == "all"
KILLS = 10 if IS_WHOLE else 2
SCHEDULES = 2_000 if IS_WHOLE else 120
WORKERS = 4
BETWEEN_KILLS = 60  # acknowledged events
CLAIMING = Path(__file__).parent / "claiming.py"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds processes through /proc")


class Load:
    """Threads that append without a pause, and what was acknowledged to them."""

    def __init__(self, memory: ricordo.Memory) -> None:
        self._memory = memory
        self._changed = threading.Condition()
        self._is_over = False
        self.acknowledged: list[str] = []
        self.unknown: list[str] = []
        self._threads = [
            threading.Thread(target=self._append, args=(number,)) for number in range(WORKERS)
        ]

    def wait_for(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.acknowledged) >= count, timeout=120)

    def _append(self, number: int) -> None:
        own = self._memory.space(f"space {number}").session("own")
        shared = self._memory.space("shared").session("log")
        count = 0
        while not self._is_over:
            for chat in (own, shared):
                self._try(chat, f"{number} {count}")
                count += 1

    def _try(self, chat: ricordo.Session, text: str) -> None:
        try:
            chat.append("user", text)
        except ricordo.StoreError:
            self.unknown.append(text)  # told that it is not known, so no promise was made
            return
        with self._changed:
            self.acknowledged.append(text)
            self._changed.notify_all()

    @contextmanager
    def running(self) -> Iterator["Load"]:
        for thread in self._threads:
            thread.start()
        try:
            yield self
        finally:
            self._is_over = True
            for thread in self._threads:
                thread.join()


def kept(memory: ricordo.Memory) -> list[str]:
    """Every event of every session; the log of each has no gap."""
    found: list[str] = []
    for name in memory.spaces():
        for summary in memory.space(name).sessions():
            events = memory.space(name).session(summary.session).events()
            assert [event.seq for event in events] == list(range(1, len(events) + 1))
            found += [str(event.content) for event in events]
    return found


def hammer(server: Server, url: str, durability: str) -> tuple[Load, list[str]]:
    """Kill the server under load a few times; what was acknowledged, and what is there."""
    with ricordo.open(url, embedder="none", durability=durability) as memory:
        with Load(memory).running() as load:
            for kill in range(1, KILLS + 1):
                load.wait_for(kill * BETWEEN_KILLS)
                server.kill()
                server.start()
            load.wait_for(len(load.acknowledged) + WORKERS)
        assert memory.check() == []
        return load, kept(memory)


def test_a_server_that_is_killed_loses_nothing_it_acknowledged():
    with running() as server:
        load, found = hammer(server, server.url(), "full")

    assert set(load.acknowledged) - set(found) == set()
    assert len(found) == len(set(found)), "an event was kept twice"
    assert set(found) <= set(load.acknowledged) | set(load.unknown)
    assert len(load.acknowledged) >= KILLS * BETWEEN_KILLS


@pytest.mark.skipif(not IS_WHOLE, reason="the control: RICORDO_CRASH=all")
def test_without_waiting_for_the_disk_the_same_kills_lose_events():
    with running() as server:
        load, found = hammer(server, server.url(), "normal")

    assert set(load.acknowledged) - set(found)


@contextmanager
def pair(synchronous: str) -> Iterator[tuple[Server, Server]]:
    """A primary and a standby that follows it."""
    with running(wal_level="replica") as primary, folder() as place:
        standby = primary.standby(place, "one")
        standby.configure(synchronous_standby_names="")
        standby.start()
        primary.configure(synchronous_standby_names=synchronous)
        primary.reload()
        try:
            yield primary, standby
        finally:
            standby.stop()


def failover(primary: Server, standby: Server) -> tuple[Load, list[str]]:
    """Kill the primary under load and promote the standby; clients find their way by themselves."""
    url = primary.url().replace(str(primary.folder), f"{primary.folder},{standby.folder}")
    with ricordo.open(f"{url}&target_session_attrs=read-write", embedder="none") as memory:
        with Load(memory).running() as load:
            load.wait_for(BETWEEN_KILLS)
            primary.kill()
            standby.promote()
            load.wait_for(len(load.acknowledged) + WORKERS)
        assert memory.check() == []
        return load, kept(memory)


def test_a_synchronous_standby_takes_over_without_a_loss():
    with pair("FIRST 1 (one)") as (primary, standby):
        load, found = failover(primary, standby)

    assert set(load.acknowledged) - set(found) == set()
    assert len(found) == len(set(found))


def test_four_workers_claim_every_due_schedule_exactly_once():
    past = datetime.now(UTC) - timedelta(hours=2)
    with running(fsync="off") as server:
        url = server.url()
        settings = Settings(max_schedules=SCHEDULES)
        with ricordo.open(url, embedder="none", clock=lambda: past, config=settings) as memory:
            spaces = [memory.space(f"s{number}") for number in range(5)]
            made = {spaces[n % 5].schedule(f"goal {n}", "in 1 hour").id for n in range(SCHEDULES)}

        begun = claimed(url)

    assert len(begun) == len(set(begun)), "a schedule was claimed twice"
    assert set(begun) == made


def claimed(url: str) -> list[str]:
    """What four processes claimed, one line for each."""
    reading, writing = os.pipe()
    workers = [
        subprocess.Popen(
            [sys.executable, str(CLAIMING), url, f"w{number}", str(writing)],
            pass_fds=(writing,),
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        for number in range(WORKERS)
    ]
    os.close(writing)
    with os.fdopen(reading, encoding="ascii") as lines:
        told = [line.split() for line in lines]
    assert [worker.wait() for worker in workers] == [0] * WORKERS
    return [schedule for what, _, schedule, _ in told if what == "begin"]
