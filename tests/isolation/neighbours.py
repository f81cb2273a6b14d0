"""Two spaces side by side: one full of canaries, and every way to ask the other one for them."""

import inspect
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import ricordo
from doors import COLLECTIONS
from ricordo import Memory, Run
from ricordo.model.noun import to_json

CANARY = "zqcanary"
WORDS = "window seat harbour"


@dataclass
class Neighbour:
    """A space with something of everything, and all addresses of what is in it."""

    memory: Memory
    addresses: list[Any]
    reminder: ricordo.Reminder


def settle(memory: Memory, name: str) -> Neighbour:
    """Fill a space so that every text in it holds the canary."""
    space = memory.space(name)
    chat = space.session("trip")
    for number in range(6):
        chat.append("user", f"{CANARY} {WORDS} {number}", metadata={"k": CANARY})
        chat.append(
            "assistant",
            f"{CANARY} answer {number}",
            tool_calls=[{"name": "bash", "arguments": {"command": f"git status {CANARY}"}}],
        )
    chat.write_summary(f"{CANARY} summary", 4, 0)
    chat.write_scratchpad([f"{CANARY} line"])
    archive = chat.compact("talk")
    entry = space.remember(
        f"{CANARY} {WORDS}", name="seat", aliases=["chair"], tags=["blue"], source=CANARY,
        metadata={"k": CANARY},
    )  # fmt: skip
    space.write("seat", f"{CANARY} {WORDS} again")
    space.fact("user", "city", f"{CANARY} {WORDS}")
    space.ingest(f"{CANARY} {WORDS} document", uri="doc:one")
    space.recall(f"{WORDS} {CANARY}", mode="keyword")
    plan = space.schedule(f"{CANARY} goal", "every day at 9:00", name="daily")
    once = space.schedule(f"{CANARY} once", timedelta(hours=1), name="once")
    reminder = space.remind(f"{CANARY} reminder", at=timedelta(days=1))
    cue = space.remind(f"{CANARY} cue", cue=WORDS)
    space.approvals.allow(["git", "status"])
    shelf = space.records("shelf", history=True)
    for _ in range(2):
        shelf.put("seat", {"k": CANARY}, texts=f"{CANARY} {WORDS}")
    memory._engine.store.settle()
    addresses = [
        "seat", "chair", entry.id, entry.uid, archive.name, archive.id, "user/city", "doc:one",
        plan.id, "daily", once.id, reminder.id, cue.id, "trip", 1, "1",
    ]  # fmt: skip
    return Neighbour(memory, addresses, reminder)


def told(memory: Memory, name: str) -> list[str]:
    """Everything that a space holds, to be compared before and after."""
    space = memory.space(name)
    lines = [
        whole(space.entries(limit=1_000)),
        whole(space.sessions()),
        whole(space.documents.list()),
    ]
    lines += [whole(space.history(entry.id)) for entry in space.entries(limit=1_000)]
    for info in space.sessions():
        chat = space.session(info.session)
        lines += [whole(chat.events()), whole(chat.summary()), whole(chat.scratchpad())]
    lines += [whole(space.schedules.list(limit=50)), whole(space.reminders.list(pending=False))]
    lines += [
        whole(space.dreams.signals()),
        whole(space.approvals.list()),
        whole(space.macros.list()),
    ]
    shelf = space.records()
    lines += [whole(shelf.list()), whole(shelf.history(("shelf", "seat")))]
    return [*lines, whole(replace(space.stats(), bytes=0))]  # the file is everybody's


def whole(value: object) -> str:
    """All of a result as text: what `repr` shows is cut short."""
    return json.dumps(to_json(value))


Call = tuple[str, Callable[[], object]]


def calls(memory: Memory, name: str, foreign: Neighbour, folder: Path) -> Iterator[Call]:
    """Every public method of a space and its sessions, with every address of the neighbour."""
    space = memory.space(name)
    collections = [getattr(space, each) for each in COLLECTIONS]
    for handle in (*collections, space, space.session("trip"), space.records("shelf")):
        found = inspect.getmembers(type(handle), inspect.isfunction)
        for method, function in sorted(found, key=lambda each: each[0] in REMOVING):
            if method.startswith("_") or method in ("session", "records"):
                continue
            needed = [
                parameter.name
                for parameter in list(inspect.signature(function).parameters.values())[1:]
                if parameter.default is inspect.Parameter.empty
            ]
            for number, address in enumerate(foreign.addresses):
                given = {
                    each: value(method, each, address, foreign, folder / f"{number}")
                    for each in needed
                }
                yield f"{type(handle).__name__}.{method}", _bound(handle, method, given)
                if not needed or not ADDRESSED & set(needed):
                    break  # nothing in the call depends on the address


REMOVING = frozenset(
    {"batch", "delete", "delete_many", "edit", "erase", "forget", "replace", "truncate"}
)  # last: the others need something to find
ADDRESSED = frozenset(
    {"name", "target", "schedule", "reminder", "run", "macro", "sweep", "archive", "uri", "key"}
)


def _bound(handle: Any, method: str, given: dict[str, Any]) -> Callable[[], object]:
    if method == "fork":  # a handle has nothing to show; the events of the new session have
        return lambda: handle.fork(**given).events()
    return lambda: getattr(handle, method)(**given)


def value(method: str, parameter: str, address: Any, foreign: Neighbour, path: Path) -> Any:
    """What to give for a parameter. One that is not known here has to be taught, on purpose."""
    if parameter == "reminder" and method in ("deliver", "release"):
        return foreign.reminder
    if parameter in ADDRESSED:
        return address
    plain: dict[str, Any] = {
        "value": 1,
        "records": {"seat": 1},
        "keys": ["seat"],
        "steps": [{"get": "seat"}, {"delete": "seat"}],
        "alias": f"other {address}",
        "new": f"newer {address}",
        "content": f"{WORDS} of mine",
        "text": WORDS,
        "query": WORDS,
        "goal": WORDS,
        "cadence": "every day at 8:00",
        "category": "user",
        "key": "city",
        "role": "user",
        "messages": [{"role": "user", "content": WORDS}],
        "entries": [WORDS],
        "lines": [WORDS],
        "words": ["git", "status"],
        "command": "git status",
        "tool_call": {"name": "bash", "arguments": {"command": "git status"}},
        "path_or_text": f"{WORDS} text",
        "folder": path.parent,
        "declared": [],
        "upto": 0,
        "seq": 1,
        "after": 0,
        "n": 100,
        "expected_epoch": 0,
        "path": path,
        "claim": None,
        "reminders": [foreign.reminder],
        "run": Run(),
    }
    assert parameter in plain, f"{method} needs {parameter!r}: say in neighbours.py what to give"
    return plain[parameter]
