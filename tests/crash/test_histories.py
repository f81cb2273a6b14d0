"""Histories that hypothesis thinks up, against a plain dictionary; a crash is one of the rules.

Short: about 400 steps. RECOLLECT_CRASH=all: 10,000, and 2,000 on each server that can be started.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import recollect
from backends import BACKENDS, urls
from recollect.store.events import Events
from tier import report, tier

EXAMPLES, STEPS = tier((14, 30), (200, 50))
NAMES = st.sampled_from(["seat", "city", "dog", "Straße", "a/b", "né"])
SESSIONS = st.sampled_from(["trip", "work"])
SPACES = st.sampled_from(["ana", "kate"])
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
_names = count()


class Histories(RuleBasedStateMachine):
    """A memory beside a dictionary that says what must be in it."""

    places: ClassVar[Callable[[], str]]
    taken: ClassVar[int] = 0  # steps, over all histories
    durability: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.url = type(self).places()
        self.memory = recollect.open(self.url, embedder="none", durability=self.durability)
        self.entries: dict[tuple[str, str], list[str]] = {}  # what it said, the last one holds
        self.logs: dict[tuple[str, str], list[str]] = {}

    def step(self) -> str:
        type(self).taken += 1
        return f"token{type(self).taken} "

    @rule(space=SPACES, name=NAMES, words=WORDS)
    def remember(self, space: str, name: str, words: str) -> None:
        content = self.step() + words
        assert self.memory.space(space).remember(content, name=name).content == content
        self.entries.setdefault((space, name), []).append(content)

    @rule(space=SPACES, name=NAMES, words=WORDS)
    def write(self, space: str, name: str, words: str) -> None:
        content = self.step() + words
        if (space, name) in self.entries:
            self.memory.space(space).write(name, content)
            self.entries[space, name].append(content)
        else:
            with pytest.raises(recollect.NotFound):
                self.memory.space(space).write(name, content)

    @rule(space=SPACES, name=NAMES)
    def forget(self, space: str, name: str) -> None:
        self.step()
        if self.entries.pop((space, name), None) is None:
            with pytest.raises(recollect.NotFound):
                self.memory.space(space).forget(name)
        else:
            self.memory.space(space).forget(name)

    @rule(space=SPACES, old=NAMES, new=NAMES)
    def rename(self, space: str, old: str, new: str) -> None:
        self.step()
        handle = self.memory.space(space)
        if (space, old) not in self.entries:
            with pytest.raises(recollect.NotFound):
                handle.rename(old, new)
        elif old == new:
            handle.rename(old, new)
        elif (space, new) in self.entries:
            with pytest.raises(recollect.NameTaken):
                handle.rename(old, new)
        else:
            handle.rename(old, new)
            said = self.entries.pop((space, old))
            self.entries[space, new] = [*said, said[-1]]  # a new name is a new revision

    @rule(space=SPACES, session=SESSIONS, words=st.lists(WORDS, min_size=1, max_size=3))
    def extend(self, space: str, session: str, words: list[str]) -> None:
        said = [self.step() + each for each in words]
        messages: list[dict[str, Any]] = [{"role": "user", "content": each} for each in said]
        self.memory.space(space).session(session).extend(messages)
        self.logs.setdefault((space, session), []).extend(said)

    @rule(space=SPACES, session=SESSIONS)
    def delete(self, space: str, session: str) -> None:
        self.step()
        if self.logs.pop((space, session), None) is not None:
            self.memory.space(space).session(session).delete()

    @rule()
    def reopen(self) -> None:
        self.step()
        self.memory.close()
        self.memory = recollect.open(self.url, embedder="none", durability=self.durability)

    @precondition(lambda self: "://" not in self.url)
    @rule()
    def crash(self) -> None:
        """What a killed process leaves: the files as they are, nothing folded, nothing closed."""
        self.step()
        after = f"{self.url}{next(_names)}"
        for suffix in ("", "-wal", "-head"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(self.url + suffix, after + suffix)
        self.memory.close()
        self.url = after
        self.memory = recollect.open(self.url, embedder="none", durability=self.durability)

    @rule(space=SPACES, name=NAMES)
    def recall(self, space: str, name: str) -> None:
        """The words of an entry lead to it, and only in its own space."""
        self.step()
        said = self.entries.get((space, name))
        if said:
            token = said[-1].split()[0]
            for other in ("ana", "kate"):
                hits = self.memory.space(other).recall(token, mode="keyword", asker=None)
                found = [hit.text for hit in hits if token in hit.text.split()]
                assert bool(found) == (other == space)

    @invariant()
    def agrees(self) -> None:
        for space in ("ana", "kate"):
            handle = self.memory.space(space)
            held = {entry.name: entry.content for entry in handle.entries()}
            mine = {
                name: said[-1] for (owner, name), said in self.entries.items() if owner == space
            }
            assert held == mine
            for name in held:
                past = [old.content for old in handle.history(name)]
                assert past == self.entries[space, name][:-1]
            for session in ("trip", "work"):
                events = [event.content for event in handle.session(session).events()]
                assert events == self.logs.get((space, session), [])
                recent = [event.content for event in handle.session(session).recent(2)]
                assert recent == events[-2:]

    def teardown(self) -> None:
        assert self.memory.check() == []
        self.memory.close()


def machine(places: Callable[[], str], durability: str = "normal") -> type[Histories]:
    own = {"places": staticmethod(places), "taken": 0, "durability": durability}
    return type("Histories", (Histories,), own)


CHOSEN = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],  # shrinking a failure takes longer than reading it
)


@pytest.fixture
def files() -> Iterator[Callable[[], str]]:
    with tempfile.TemporaryDirectory() as folder:
        yield lambda: str(Path(folder) / f"{next(_names)}.db")


@pytest.mark.timeout(tier(300, 1_500))
def test_every_history_ends_as_the_dictionary_says(files):
    histories = machine(files)

    run_state_machine_as_test(histories, settings=CHOSEN)

    assert histories.taken > EXAMPLES * STEPS // 2
    report("5 histories, file", histories=EXAMPLES, steps=histories.taken, divergences=0)


def test_a_backend_that_drops_the_last_event_is_caught(files, monkeypatch):
    """The control: an error by one, planted in the store."""
    after = Events.after
    monkeypatch.setattr(Events, "after", lambda self, *given: after(self, *given)[:-1])

    with pytest.raises((AssertionError, ExceptionGroup)):
        run_state_machine_as_test(
            machine(files), settings=settings(CHOSEN, max_examples=10, print_blob=False)
        )
    report("5 histories, control: off by one", caught=1)


@pytest.mark.timeout(tier(300, 1_500))
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_server_agrees_with_the_dictionary_too(backend, tmp_path):
    few = settings(CHOSEN, max_examples=tier(2, 40), stateful_step_count=tier(15, 50))

    with urls(backend, tmp_path) as places:
        histories = machine(places, durability="full")
        run_state_machine_as_test(histories, settings=few)

    report(f"5 histories, {backend}", steps=histories.taken, divergences=0)
