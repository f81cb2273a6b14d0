"""The demo: one invented week of an assistant, shown as calls of the API.

Every line of code shown is the line that runs. The clock is set by hand, so that the week passes
at once.
"""

import dataclasses
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from ricordo.model import Entry, Hit, Json, Receipt
from ricordo.surfaces.output import bars, flat, is_colourful

_MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

_WEEK: dict[str, list[dict[str, Json]]] = {
    "monday": [
        {"role": "user", "name": "Ana", "content": "I must be in Oslo on Thursday. A flight?"},
        {"role": "assistant", "content": "There is one at 7:40. Any wishes for the cabin?"},
        {"role": "user", "name": "Ana", "content": "By the window, I like to see the mountains."},
    ],
    "tuesday": [
        {"role": "user", "name": "Ana", "content": "Rex needs his vaccination before I leave."},
        {"role": "assistant", "content": "Noted. The vet has a free slot tomorrow at 17:00."},
    ],
    "thursday": [
        {"role": "user", "name": "Ana", "content": "Landed. The fish soup was wonderful."},
        {"role": "assistant", "content": "I will suggest it again when you are in town."},
    ],
}
_DAYS = {"monday": 0, "tuesday": 1, "thursday": 3}


def play(embedder: str | None = None, *, is_silent: bool = False) -> dict[str, Json]:
    """Run all scenes in a temporary folder and return what was shown."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="ricordo-") as folder:
        stage = Stage(Path(folder) / "agent.db", embedder, is_silent)
        try:
            for scene in (_start, _talk, _remember, _correct, _find, _travel, _explain):
                scene(stage)
            for scene in (_isolate, _forget, _verify):
                scene(stage)
        finally:
            stage.memory.close()
    seconds = time.perf_counter() - began
    stage.end()
    stage.say(f"That took {seconds:.1f} seconds; the temporary folder was deleted.")
    stage.say('Try it: ricordo remember "Prefers window seats" --name seat')
    stage.say("All verbs: ricordo --help. Guides: docs/ in the repository, cli.md first.")
    return {"scenes": [dataclasses.asdict(scene) for scene in stage.scenes], "seconds": seconds}


@dataclass(slots=True)
class DemoStep:
    """A line of code and its results."""

    code: str
    answers: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Scene:
    """Some steps under a title."""

    title: str
    steps: list[DemoStep] = field(default_factory=list)


class Stage:
    """Shows a line of code, runs it and shows its results."""

    def __init__(self, path: Path, embedder: str | None, is_silent: bool = False) -> None:
        import ricordo

        self.now = _MONDAY
        self.memory = ricordo.open(path, embedder=embedder, clock=lambda: self.now)
        self.names: dict[str, Any] = {"memory": self.memory, "date": self.date, **_WEEK}
        self.scenes: list[Scene] = []
        self._is_colourful = is_colourful()
        self._is_silent = is_silent

    def date(self, text: str) -> datetime:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)

    def title(self, text: str) -> None:
        self.scenes.append(Scene(text))
        self._show("")
        self._show(self._style(text, bold=True))

    def say(self, text: str) -> None:
        self._show(self._style(f"  {text}", dim=True))

    def code(self, source: str) -> None:
        self.scenes[-1].steps.append(DemoStep(source))
        self._show("  " + self._style(source, fg="cyan"))

    def run(self, source: str, name: str | None = None) -> Any:
        """Show the expression, with the name of its result, and evaluate it."""
        self.code(source if name is None else f"{name} = {source}")
        value = eval(source, self.names)  # so that what is shown is what runs
        if name is not None:
            self.names[name] = value
        return value

    def answer(self, text: str) -> None:
        self.scenes[-1].steps[-1].answers.append(text)
        self._show("    " + self._style(f"→ {text}", fg="green"))

    def hits(self, hits: Iterable[Hit]) -> list[Hit]:
        """Show what was recalled, and give it back."""
        found = list(hits)
        for hit in found:
            self.answer(f"{hit.at:%a} {hit.source.place:<14} {flat(hit.text)}")
        if not found:
            self.answer("nothing")
        return found

    def detail(self, text: str) -> None:
        """More about the last answer."""
        self.scenes[-1].steps[-1].answers.append(text.strip())
        self._show(f"  {text}")

    def end(self) -> None:
        self._show("")

    def _show(self, text: str) -> None:
        if not self._is_silent:
            click.echo(text)

    def _style(self, text: str, **style: Any) -> str:
        return click.style(text, **style) if self._is_colourful else text


def _start(stage: Stage) -> None:
    stage.title("From nothing to the first recall")
    stage.code('memory = ricordo.open("agent.db")')
    stage.run('memory.space("ana")', "ana")
    stage.run('ana.remember("Prefers green tea to coffee", name="drink")')
    stage.hits(stage.run('ana.recall("what should I order for her?", limit=1)'))
    stage.say("One file, no server, no key, no download, no language model.")


def _talk(stage: Stage) -> None:
    stage.title("A week of conversation goes into an append-only log")
    stage.run('ana.session("trip")', "chat")
    for day, after in _DAYS.items():
        stage.now = _MONDAY + timedelta(days=after)
        for event in stage.run(f"chat.extend({day})"):
            stage.answer(f"{event.seq}  {event.name or event.role}: {event.content}")
    stage.say("When extend returns, all of it is durable and can be found by its words.")


def _remember(stage: Stage) -> None:
    stage.title("What matters becomes an entry, under a name")
    stage.now = _MONDAY + timedelta(days=3, hours=2)
    stage.run('ana.remember("Soup bar at the harbour", name="oslo-food", aliases=["lunch"])')
    stage.run('ana.fact("user", "home_city", "Porto")')
    stage.run('ana.fact("user", "dog_name", "Rex")')


def _correct(stage: Stage) -> None:
    stage.title("A fact is corrected: the last value holds, the old one stays in the history")
    stage.now = _MONDAY + timedelta(days=5)
    entry: Entry = stage.run('ana.fact("user", "home_city", "Lisbon")')
    stage.answer(f"{entry.name} = {entry.content}")
    for old in stage.run('ana.history("user/home_city")'):
        stage.answer(f"{old.content}, from {old.since:%A} to {old.until:%A}")


def _find(stage: Stage) -> None:
    stage.title("Recalled by name, by words, by meaning")
    stage.answer(stage.run('ana.get("lunch").content'))
    stage.hits(stage.run('ana.recall("vaccination", limit=1, mode="keyword")'))
    asked = 'ana.recall("the doctor of her pet: an appointment?", limit=1)'
    if any("vet" in hit.text for hit in stage.hits(stage.run(asked))):
        stage.say("The last hit shares no meaningful word with the question.")
    else:
        stage.say(
            "The right answer is the vet's slot: this embedder knows words, not their meaning."
        )
        stage.say("The default embedder finds it; leave out --embedder and RICORDO_EMBEDDER.")


def _travel(stage: Stage) -> None:
    stage.title("And by time")
    stage.answer(stage.run('ana.get("user/home_city", as_of=date("2026-03-06")).content'))
    stage.answer(stage.run('ana.get("user/home_city").content'))
    stage.hits(stage.run('ana.recall("what did she say?", since=date("2026-03-04"), limit=1)'))


def _explain(stage: Stage) -> None:
    stage.title("Every hit explains its score")
    hit: Hit = stage.run('ana.recall("did she like the fish soup?")[0]', "hit")
    stage.answer(f"{hit.score:.2f} = the sum of hit.parts, for {hit.text!r}")
    for line in bars(hit):
        stage.detail(line)


def _isolate(stage: Stage) -> None:
    stage.title("Spaces do not see each other")
    stage.run('memory.space("ben")', "ben")
    stage.hits(stage.run('ben.recall("fish soup at the harbour")'))


def _forget(stage: Stage) -> None:
    stage.title("Forgetting is real, and leaves a receipt")
    receipt: Receipt = stage.run('ana.forget("drink")')
    stage.answer(", ".join(f"{table} {count}" for table, count in receipt.removed.items()))
    stage.hits(stage.run('ana.recall("green tea", mode="keyword")'))


def _verify(stage: Stage) -> None:
    stage.title("Nothing is broken, and all of it is one file")
    violations = stage.run("memory.check()")
    stage.answer("all is well" if not violations else f"{len(violations)} violations")
    stats = stage.run("memory.stats()")
    stage.answer(
        f"{stats.events} events, {stats.entries} entries, {stats.chunks} chunks, "
        f"{stats.embedded} vectors, {stats.bytes // 1024} KiB"
    )
