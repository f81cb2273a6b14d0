"""The library's half of the soak: one process, eight threads, several spaces, bounded data.

    python bench/soak_library.py agent.db --seconds 60 --embedder hash --tally tally.json

Whatever is written is taken away again some turns later, so a file that keeps growing is a finding.
"""

import argparse
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import ricordo
from common import Talk

THREADS = 8
SPACES = 24
ENTRIES, EVENTS, DOCUMENTS = 20, 60, 2  # that one thread leaves in one space


class Worker(threading.Thread):
    """One thread that does something of everything until the time is up."""

    def __init__(self, number: int, memory: ricordo.Memory, until: float, think: float) -> None:
        super().__init__(name=f"soak-{number}")
        self._memory, self._until, self._think = memory, until, think
        self._talk, self._random = Talk(number), random.Random(number)
        self._mine = f"t{number}"
        self._turns: Counter[tuple[str, str]] = Counter()
        self.done: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        works: dict[Callable[[ricordo.Space], object], int] = {
            self.remember: 20, self.append: 20, self.extend: 5, self.recall: 30, self.context: 8,
            self.ingest: 3, self.look: 9, self.rewrite: 5,
        }  # fmt: skip
        self._works = [work for work, weight in works.items() for _ in range(weight)]

    def run(self) -> None:
        while time.monotonic() < self._until:
            work = self._random.choice(self._works)
            space = self._memory.space(f"s{self._random.randrange(SPACES)}")
            try:
                work(space)
                self.done[work.__name__] += 1
            except Exception as error:  # noqa: BLE001 - whatever it is, it is counted and shown
                self.wrong[f"{work.__name__}: {type(error).__name__}: {error!s:.100}"] += 1
            time.sleep(self._think * self._random.random() * 2)

    def _turn(self, space: ricordo.Space, kind: str, most: int) -> tuple[int, bool]:
        """The next number of a ring, and whether what stands there has to go first."""
        turn = self._turns[space.name, kind]
        self._turns[space.name, kind] += 1
        return turn % most, turn >= most

    def remember(self, space: ricordo.Space) -> None:
        place, is_taken = self._turn(space, "entry", ENTRIES)
        name = f"{self._mine}/{place}"
        if is_taken:
            space.forget(name)
        space.remember(self._talk.text(), name=name, tags=["soak"], metadata={"place": place})

    def rewrite(self, space: ricordo.Space) -> None:
        if self._turns[space.name, "entry"]:
            space.write(f"{self._mine}/0", self._talk.text())

    def _chat(self, space: ricordo.Space, more: int) -> ricordo.Session:
        """The session to go on with; one that is long enough is deleted, with all in it."""
        chat = space.session(f"{self._mine}-chat")
        before = self._turns[space.name, "event"]
        self._turns[space.name, "event"] = more if before > EVENTS else before + more
        if before > EVENTS:
            chat.delete()
        return chat

    def append(self, space: ricordo.Space) -> None:
        self._chat(space, 1).append("user", self._talk.text(), name="Ana")

    def extend(self, space: ricordo.Space) -> None:
        roles = ("user", "assistant") * 4
        said = [{"role": role, "content": self._talk.text()} for role in roles]
        self._chat(space, len(said)).extend(said)

    def recall(self, space: ricordo.Space) -> None:
        space.recall(self._talk.query(), asker=self._random.choice(("user", "agent", "auto")))

    def context(self, space: ricordo.Space) -> None:
        space.session(f"{self._mine}-chat").context(self._talk.query(), budget=2_000)

    def ingest(self, space: ricordo.Space) -> None:
        place, is_taken = self._turn(space, "document", DOCUMENTS)
        uri = f"doc:{self._mine}/{place}"
        if is_taken:
            space.forget(uri)
        space.ingest("\n\n".join(self._talk.text(80) for _ in range(4)), uri=uri)

    def look(self, space: ricordo.Space) -> None:
        space.entries(limit=20)
        space.sessions(limit=20)
        space.session(f"{self._mine}-chat").recent(10)
        space.get(f"{self._mine}/0")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--think", type=float, default=0.1)
    parser.add_argument("--embedder", default="hash")
    parser.add_argument("--tally", type=Path, required=True)
    given = parser.parse_args()
    until = time.monotonic() + given.seconds
    with ricordo.open(given.path, embedder=given.embedder) as memory:
        workers = [Worker(n, memory, until, given.think) for n in range(THREADS)]
        for each in workers:
            each.start()
        for each in workers:
            each.join()
        memory.flush(60)
        found = [str(each) for each in memory.check()]
    done = sum((each.done for each in workers), Counter())
    wrong = sum((each.wrong for each in workers), Counter())
    given.tally.write_text(json.dumps({"done": done, "wrong": wrong, "check": found}))


if __name__ == "__main__":
    main()
