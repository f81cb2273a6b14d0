"""Histories that hypothesis thinks up, against a plain dictionary; a crash is one of the rules.

Short: about 400 steps. RICORDO_CRASH=all: 10,000, and as many on each server that can be started.
A server answers every question over a socket, so there each step is followed by a look at what it
touched, and every 25th by a look at everything. A file is looked at whole after each.
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

import ricordo
from backends import BACKENDS, urls
from ricordo.store.tables.events import Events
from tier import report, tier

EXAMPLES, STEPS = tier((8, 30), (250, 50))
SERVED, LONG = tier((2, 15), (125, 100))  # on a server: histories, and steps of each
LEAST = tier(20, 10_000)  # steps that a server has to take
SPARSE = 25
NAMES = st.sampled_from(["seat", "city", "dog", "Straße", "a/b", "né"])
LOGS = ("trip", "work")
SESSIONS = st.sampled_from(LOGS)
SPACES = st.sampled_from(["ana", "kate"])
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
_names = count()


class Histories(RuleBasedStateMachine):
    """A memory beside a dictionary that says what must be in it."""

    places: ClassVar[Callable[[], str]]
    taken: ClassVar[int] = 0  # steps, over all histories
    durability: ClassVar[str]
    every: ClassVar[int]  # after so many steps everything is compared

    def __init__(self) -> None:
        super().__init__()
        self.url = type(self).places()
        self.memory = ricordo.open(self.url, embedder="none", durability=self.durability)
        self.entries: dict[tuple[str, str], list[str]] = {}  # what it said, the last one holds
        self.logs: dict[tuple[str, str], list[str]] = {}
        self.touched: list[tuple[str, str]] = []  # spaces, with the name of an entry or a session

    def step(self, *touched: tuple[str, str]) -> str:
        type(self).taken += 1
        self.touched = list(touched)
        return f"token{type(self).taken} "

    @rule(space=SPACES, name=NAMES, words=WORDS)
    def remember(self, space: str, name: str, words: str) -> None:
        content = self.step((space, name)) + words
        assert self.memory.space(space).remember(content, name=name).content == content
        self.entries.setdefault((space, name), []).append(content)

    @rule(space=SPACES, name=NAMES, words=WORDS)
    def write(self, space: str, name: str, words: str) -> None:
        content = self.step((space, name)) + words
        if (space, name) in self.entries:
            self.memory.space(space).write(name, content)
            self.entries[space, name].append(content)
        else:
            with pytest.raises(ricordo.NotFound):
                self.memory.space(space).write(name, content)

    @rule(space=SPACES, name=NAMES)
    def forget(self, space: str, name: str) -> None:
        self.step((space, name))
        if self.entries.pop((space, name), None) is None:
            with pytest.raises(ricordo.NotFound):
                self.memory.space(space).forget(name)
        else:
            self.memory.space(space).forget(name)

    @rule(space=SPACES, old=NAMES, new=NAMES)
    def rename(self, space: str, old: str, new: str) -> None:
        self.step((space, old), (space, new))
        handle = self.memory.space(space)
        if (space, old) not in self.entries:
            with pytest.raises(ricordo.NotFound):
                handle.rename(old, new)
        elif old == new:
            handle.rename(old, new)
        elif (space, new) in self.entries:
            with pytest.raises(ricordo.NameTaken):
                handle.rename(old, new)
        else:
            handle.rename(old, new)
            said = self.entries.pop((space, old))
            self.entries[space, new] = [*said, said[-1]]  # a new name is a new revision

    @rule(space=SPACES, session=SESSIONS, words=st.lists(WORDS, min_size=1, max_size=3))
    def extend(self, space: str, session: str, words: list[str]) -> None:
        token = self.step((space, session))
        said = [f"{token}{number} {each}" for number, each in enumerate(words)]
        messages: list[dict[str, Any]] = [{"role": "user", "content": each} for each in said]
        self.memory.space(space).session(session).extend(messages)
        self.logs.setdefault((space, session), []).extend(said)

    @rule(space=SPACES, session=SESSIONS)
    def delete(self, space: str, session: str) -> None:
        self.step((space, session))
        if self.logs.pop((space, session), None) is not None:
            self.memory.space(space).session(session).delete()

    @rule()
    def reopen(self) -> None:
        self.step()
        self.memory.close()
        self.memory = ricordo.open(self.url, embedder="none", durability=self.durability)

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
        self.memory = ricordo.open(self.url, embedder="none", durability=self.durability)

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
        if type(self).taken % self.every == 0:
            self.agree()
        else:
            for space, name in self.touched:
                if name in LOGS:
                    self.agree_on_log(space, name)
                else:
                    self.agree_on_entry(space, name)

    def agree(self) -> None:
        """Compare everything."""
        for space in ("ana", "kate"):
            held = {entry.name for entry in self.memory.space(space).entries()}
            assert held == {name for owner, name in self.entries if owner == space}
            for name in held:
                self.agree_on_entry(space, name)
            for session in LOGS:
                self.agree_on_log(space, session)

    def agree_on_entry(self, space: str, name: str) -> None:
        handle, said = self.memory.space(space), self.entries.get((space, name))
        entry = handle.get(name)
        assert (entry and entry.content) == (said and said[-1])
        if said:
            assert [old.content for old in handle.history(name)] == said[:-1]

    def agree_on_log(self, space: str, session: str) -> None:
        chat, said = self.memory.space(space).session(session), self.logs.get((space, session), [])
        assert [event.content for event in chat.events()] == said
        assert [event.content for event in chat.recent(2)] == said[-2:]

    def teardown(self) -> None:
        self.agree()
        assert self.memory.check() == []
        self.memory.close()


def machine(
    places: Callable[[], str], durability: str = "normal", every: int = 1
) -> type[Histories]:
    own = {"places": staticmethod(places), "taken": 0, "durability": durability, "every": every}
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

    assert histories.taken >= tier(EXAMPLES * STEPS // 2, LEAST)
    report("5 histories, file", histories=EXAMPLES, steps=histories.taken, divergences=0)


def test_a_backend_that_drops_the_last_event_is_caught(files, monkeypatch):
    """The control: an error by one, planted in the store."""
    after = Events.after
    monkeypatch.setattr(Events, "after", lambda self, *given: after(self, *given)[:-1])

    with pytest.raises((AssertionError, ExceptionGroup)):
        run_state_machine_as_test(
            machine(files),
            settings=settings(
                CHOSEN, max_examples=10, print_blob=False, report_multiple_bugs=False
            ),
        )
    report("5 histories, control: off by one", caught=1)


@pytest.mark.timeout(tier(300, 1_500))
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_server_agrees_with_the_dictionary_too(backend, tmp_path):
    many = settings(CHOSEN, max_examples=SERVED, stateful_step_count=LONG)

    with urls(backend, tmp_path) as places:
        histories = machine(places, durability="full", every=SPARSE)
        run_state_machine_as_test(histories, settings=many)

    assert histories.taken >= LEAST
    report(f"5 histories, {backend}", steps=histories.taken, divergences=0)
