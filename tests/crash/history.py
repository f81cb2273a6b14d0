"""One long history of writes, the same on every run, and what the memory must show after each.

Every step is one call of the public API. The state after n steps comes from a memory in RAM that
nothing disturbed. A memory that crashed after n acknowledged steps has to show the state after n of
them or, if the next one was under way, after n + 1; nothing in between.
"""

import hashlib
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache

import ricordo
from ricordo import Memory, Run, Space

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
SPACES = ("ana", "kate")
SESSIONS = ("trip", "work")
NAMES = tuple(f"note {n}" for n in range(6))
OPTIONS = {"embedder": "hash"}
LENGTH = 300  # steps; then a new memory begins

Step = Callable[["Stage"], object]


class Stage:
    """A memory, the step it is at, and the chance and the clock that belong to that step."""

    def __init__(self, url: str, **options: object) -> None:
        self.index = 0
        self.attempt = 0
        self.memory = ricordo.open(url, clock=self.now, **(OPTIONS | options))
        self.chance = random.Random(0)

    def now(self) -> datetime:
        return START + timedelta(seconds=10 * self.index + self.attempt)

    def play(self, index: int, attempt: int = 0) -> None:
        """Take one step of the history; a second attempt comes a second later."""
        self.index, self.attempt = index, attempt
        self.chance = random.Random(index)
        step = self.chance.choices(STEPS, WEIGHTS)[0]
        step(self)

    @property
    def space(self) -> Space:
        return self.memory.space(self.chance.choice(SPACES))

    def text(self) -> str:
        words = ("window", "seat", "Oslo", "invoice", "harbour", "violin", "passport", "lantern")
        return f"step {self.index}: " + " ".join(self.chance.choices(words, k=12))


def append(stage: Stage) -> None:
    space, session = stage.space, stage.chance.choice(SESSIONS)
    space.session(session).append("user", stage.text(), metadata={"step": stage.index})


def extend(stage: Stage) -> None:
    """Several messages at once: all of them or none."""
    session = stage.space.session(stage.chance.choice(SESSIONS))
    session.extend([{"role": "assistant", "content": f"{n} {stage.text()}"} for n in range(3)])


def remember(stage: Stage) -> None:
    space, name = stage.space, stage.chance.choice(NAMES)
    space.remember(stage.text(), name=name, tags=["kept", f"s{stage.index}"], importance=0.7)


def write(stage: Stage) -> None:
    space = stage.space
    known = sorted(entry.name for entry in space.entries(kind="note"))
    if known:
        space.write(stage.chance.choice(known), stage.text())
    else:
        space.remember(stage.text(), name=NAMES[0])


def forget(stage: Stage) -> None:
    space = stage.space
    known = sorted(entry.name for entry in space.entries(kind="note"))
    if known:
        space.forget(stage.chance.choice(known))
    else:
        space.remember(stage.text(), name=NAMES[1])


def rename(stage: Stage) -> None:
    space = stage.space
    known = sorted(entry.name for entry in space.entries(kind="note"))
    if known:
        space.rename(stage.chance.choice(known), f"renamed {stage.index}", keep=True)
    else:
        space.remember(stage.text(), name=NAMES[2], aliases=[f"alias {stage.index}"])


def state_fact(stage: Stage) -> None:
    stage.space.fact("user", stage.chance.choice(("city", "dog", "job")), stage.text())


def compact(stage: Stage) -> None:
    session = stage.space.session(stage.chance.choice(SESSIONS))
    if len(session.replay()) > 3:
        session.compact(keep=1)
    else:
        session.append("user", stage.text())


def summarize(stage: Stage) -> None:
    session = stage.space.session(stage.chance.choice(SESSIONS))
    events = session.events()
    if events:
        old = session.summary()
        epoch, upto = (0, 0) if old is None else (old.epoch, old.upto)
        session.write_summary(stage.text(), max(upto, events[-1].seq), epoch)


def scribble(stage: Stage) -> None:
    session = stage.space.session(stage.chance.choice(SESSIONS))
    if session.events(limit=1):
        session.write_scratchpad([stage.text()[:200], "second line"])


def schedule(stage: Stage) -> None:
    stage.space.schedule(stage.text(), "in 5 seconds", keep=False)


def run(stage: Stage) -> None:
    """Claim and file. A kill in between leaves a claim whose lease is over at the next attempt."""
    for claim in stage.memory.claim(1, "worker", 0.5):
        stage.memory.finish(claim, Run(output=stage.text()))


def remind(stage: Stage) -> None:
    stage.space.remind(stage.text(), at=stage.now() + timedelta(days=3))


def ingest(stage: Stage) -> None:
    stage.space.ingest(stage.text(), uri=f"doc:{stage.chance.randrange(3)}")


def recall(stage: Stage) -> None:
    """Its signals ride on the next commit; they are not waited for and not part of the state."""
    stage.space.recall("window seat Oslo", mode="keyword")


def delete(stage: Stage) -> None:
    space = stage.space
    sessions = sorted(info.session for info in space.sessions())
    if len(sessions) == len(SESSIONS):
        space.session(stage.chance.choice(sessions)).delete()
    else:
        space.session(SESSIONS[0]).append("user", stage.text())


def dream(stage: Stage) -> None:
    """What it promotes depends on signals, which nobody waits for: no part of the state."""
    stage.space.dream()


STEPS: tuple[Step, ...] = (
    append, extend, remember, write, forget, rename, state_fact, compact, summarize, scribble,
    schedule, run, remind, ingest, recall, delete,
    dream,
)  # fmt: skip
WEIGHTS = (8, 3, 5, 4, 3, 2, 3, 3, 2, 2, 2, 2, 1, 2, 2, 1, 1)


def state(memory: Memory) -> str:
    """Everything a caller was promised, as one digest; uids and vectors are left out."""
    seen = hashlib.sha256()
    for line in told(memory):
        seen.update(line.encode())
    return seen.hexdigest()


def told(memory: Memory) -> Iterator[str]:
    for name in SPACES:
        space = memory.space(name)
        for info in sorted(space.sessions(), key=lambda info: info.session):
            session = space.session(info.session)
            for event in session.events():
                extra = {**(event.metadata or {}), "archived_at": ""}  # a second attempt is later
                yield f"{name}/{info.session} {event.seq} {event.role} {event.content} {extra}"
            summary = session.summary()
            yield f"{summary and (summary.epoch, summary.upto, summary.text)}"
            yield f"{session.scratchpad()}"
        for entry in sorted(space.entries(limit=1_000), key=lambda entry: entry.id):
            yield f"{entry.id} {entry.name} {entry.aliases} {entry.kind} {entry.tags}"
            yield entry.content
            yield f"{[old.content for old in space.history(entry.id)]}"
        yield f"{[(d.uri, d.hash) for d in space.documents.list()]}"
        yield f"{sorted(reminder.text for reminder in space.reminders.list())}"
    # After a kill another schedule than before may come first: their number is what counts.
    yield f"{sum(memory.space(name).schedules.count() for name in SPACES)}"


@cache
def states(count: int) -> tuple[str, ...]:
    """The state after 0, 1, 2 … steps of a history that nothing disturbed."""
    stage = Stage(":memory:")
    found = [state(stage.memory)]
    for index in range(count):
        stage.play(index)
        found.append(state(stage.memory))
    stage.memory.close()
    return tuple(found)
