"""Names, aliases and revisions against a model that is too simple to be wrong."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import ricordo
from ricordo.testing import Lab

NAMES = st.sampled_from(["a", "b", "c", "d"])
TEXTS = st.sampled_from(["the red fox", "a grey owl", "the sea", "some rain", "fox and owl"])


class Names(RuleBasedStateMachine):
    """Entries as plain dictionaries: name -> id, id -> content and revisions."""

    def __init__(self) -> None:
        super().__init__()
        self.lab = Lab(lambda: ":memory:")
        self.memory = self.lab.open()
        self.space = self.memory.space("ana")
        self.canonical: dict[int, str] = {}
        self.names: dict[str, int] = {}
        self.said: dict[int, list[str]] = {}
        self.made = 0

    @rule(name=NAMES, text=TEXTS)
    def remember(self, name: str, text: str) -> None:
        entry = self.space.remember(text, name=name)
        if name not in self.names:
            self.made += 1
            self.names[name] = self.made
            self.canonical[self.made] = name
            self.said[self.made] = [text]
        elif self.said[self.names[name]][-1] != text:
            self.said[self.names[name]].append(text)
        assert entry.id == self.names[name]

    @rule(name=NAMES, text=TEXTS)
    def write(self, name: str, text: str) -> None:
        if name in self.names:
            self.space.write(name, text)
            if self.said[self.names[name]][-1] != text:
                self.said[self.names[name]].append(text)
        else:
            self._refused(ricordo.NotFound, self.space.write, name, text)

    @rule(name=NAMES, alias=NAMES, rebind=st.booleans())
    def alias(self, name: str, alias: str, rebind: bool) -> None:
        owner, entry = self.names.get(alias), self.names.get(name)
        if entry is None:
            self._refused(ricordo.NotFound, self.space.alias, name, alias)
        elif owner in (None, entry) or (rebind and self.canonical[owner] != alias):
            self.space.alias(name, alias, rebind=rebind)
            self.names[alias] = entry
        else:
            self._refused(ricordo.NameTaken, self.space.alias, name, alias)

    @rule(name=NAMES, new=NAMES, keep=st.booleans())
    def rename(self, name: str, new: str, keep: bool) -> None:
        owner, entry = self.names.get(new), self.names.get(name)
        if entry is None:
            self._refused(ricordo.NotFound, self.space.rename, name, new)
        elif owner not in (None, entry):
            self._refused(ricordo.NameTaken, self.space.rename, name, new)
        else:
            self.space.rename(name, new, keep=keep)
            old = self.canonical[entry]
            if old != new:
                if not keep:
                    del self.names[old]
                self.names[new] = entry
                self.canonical[entry] = new
                self.said[entry].append(self.said[entry][-1])

    @rule(name=NAMES)
    def forget(self, name: str) -> None:
        entry = self.names.get(name)
        if entry is None:
            self._refused(ricordo.NotFound, self.space.forget, name)
            return
        self.space.forget(name)
        self.names = {known: id for known, id in self.names.items() if id != entry}
        del self.said[entry], self.canonical[entry]

    @invariant()
    def agrees(self) -> None:
        for name in "abcd":
            entry = self.space.get(name)
            if name not in self.names:
                assert entry is None
                continue
            id = self.names[name]
            assert entry is not None
            assert (entry.id, entry.name, entry.content) == (
                id, self.canonical[id], self.said[id][-1],
            )  # fmt: skip
            assert {entry.name, *entry.aliases} == {n for n, i in self.names.items() if i == id}
            assert [old.content for old in self.space.history(name)] == self.said[id][:-1]

    @invariant()
    def is_found_by_what_it_says(self) -> None:
        for word in ("fox", "owl", "sea", "rain"):
            found = self.space.recall(word, limit=10, mode="keyword", asker=None)
            holders = {self.canonical[id] for id, said in self.said.items() if word in said[-1]}
            assert {hit.source.name for hit in found} == holders

    def _refused(self, error: type[Exception], verb, *given: str) -> None:
        try:
            verb(*given)
        except error:
            return
        raise AssertionError(f"{verb.__name__}{given} was not refused with {error.__name__}")

    def teardown(self) -> None:
        self.lab.close()


TestNames = Names.TestCase
TestNames.settings = settings(max_examples=25, stateful_step_count=25)
