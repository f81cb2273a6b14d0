"""A memory with something in every table that users fill, and where each of its rows lies."""

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import apsw

import ricordo
from ricordo import Memory, Run, Space
from ricordo.store.sqlite import file
from ricordo.store.sqlite.pages import LEAF_INDEX, LEAF_TABLE, Pages

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
OPTIONS: dict[str, Any] = {"embedder": "hash"}


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=7)
        return self.now


Held = dict[tuple[Any, ...], dict[str, Any]]  # rows by key


class Bytes(NamedTuple):
    """Where a row lies in the file."""

    table: str
    start: int
    end: int


def furnish(url: Path | str, folder: Path) -> None:
    """Make the memory, with its files in a folder, and close it."""
    config = {"workspace": str(folder / "files")}
    clock = Clock()
    with ricordo.open(url, clock=clock, config=config, **OPTIONS) as memory:
        space = memory.space("ana")
        _talk(space)
        _note(space)
        _plan(memory, space, clock)
        _learn(space)
        _keep(space)
        memory.space("kate").remember("hers", name="own")
        memory.flush()
        assert memory.check() == []


def _talk(space: Space) -> None:
    chat = space.session("trip")
    for number in range(8):
        chat.append("user", f"a window seat to Oslo, {number}", metadata={"number": number})
        chat.append("assistant", f"booked, {number}", name="Otto")
    chat.write_summary("They talk of flights", 2, 0)
    chat.write_summary("They book flights", 4, 1, metadata={"model": "none"})
    chat.write_scratchpad(["one line", "another line"])
    chat.compact("the talk", keep=2)
    space.session("work").append("user", "the invoice is late", importance=0.9)
    space.ingest("Harbours are deep", uri="doc:one", metadata={"author": "Kim"})


def _note(space: Space) -> None:
    space.remember(
        "likes a window seat", name="seat", aliases=["chair"], tags=["travel", "blue"],
        source="ana", importance=0.7, metadata={"from": "trip"},
    )  # fmt: skip
    space.write("seat", "likes an aisle seat")
    space.rename("seat", "place", keep=False)
    space.fact("user", "city", "Lisbon")
    space.fact("user", "city", "Porto")
    for query in ("aisle seat", "an aisle seat", "the seat"):
        space.recall(query, mode="keyword", asker="user")
    space._engine.store.settle()
    assert space.dream().promoted
    space.remember("gone soon", name="gone")
    space.forget("gone", erase=True)
    space.files.sync()


def _keep(space: Space) -> None:
    records = space.records("shelf", history=True)
    records.put("blue", {"size": 3}, texts="the blue book", ttl=10**9)
    records.put("blue", {"size": 4}, texts=["the blue book", "about tides"], ttl=10**9)
    records.put(("low", "raw"), b"\0bytes of a record", metadata={"from": "trip"})


def _plan(memory: Memory, space: Space, clock: Clock) -> None:
    space.schedule("look at the weather", "every day at 9:00", name="daily", channel="mail")
    space.schedule("water the plants", timedelta(minutes=1), name="once")
    space.remind("call Kim", at=timedelta(days=1), recipient="ana", channel="mail")
    space.remind("ask for the invoice", cue="invoice harbour")
    clock.now += timedelta(minutes=2)
    for claim in memory.claim(1, "worker"):
        memory.finish(claim, Run(output="watered", summary="done"))


def _learn(space: Space) -> None:
    calls = [
        {"name": "bash", "arguments": {"command": "git status"}},
        {"name": "bash", "arguments": {"command": "git diff"}},
        {"name": "edit", "arguments": {"path": "a.py"}},
    ]
    for _ in range(3):
        space.macros.learn(calls)
    space.macros.use(space.macros.list()[0])
    space.approvals.allow(["git", "status"])
    space.approvals.deny(["rm"])


def rows(path: Path) -> Iterator[Bytes]:
    """Every row of every table that has a space, as far as it lies on one page."""
    raw = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    file._teach(raw)
    listed = raw.execute("SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'").fetchall()
    owned = [
        (name, root)
        for name, root in listed
        if ("space",) in raw.execute(f"SELECT name FROM pragma_table_info('{name}')").fetchall()
    ]
    raw.close()
    with contextlib.closing(Pages(str(path))) as pages:
        for name, root in owned:
            waiting = [root]
            while waiting:
                number = waiting.pop()
                tree = pages.tree(number)
                waiting += tree.children
                for _, length, at in tree.cells if tree.kind in (LEAF_TABLE, LEAF_INDEX) else ():
                    start = (number - 1) * pages.size + at
                    if pages._local(tree.kind, length) == length:
                        yield Bytes(name, start, start + length)


def columns(path: Path, table: str) -> Held:
    """What a table holds, by key; text as bytes, because it may be none any more."""
    raw = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    file._teach(raw)
    try:
        told = raw.execute(f"PRAGMA table_info({table})").fetchall()
        names = [row[1] for row in told]
        key = [row[1] for row in sorted(told, key=lambda row: row[5]) if row[5]]
        listed = ", ".join(f"typeof({name}), CAST({name} AS BLOB)" for name in names)
        found = raw.execute(f"SELECT {listed} FROM {table}").fetchall()
    finally:
        raw.close()
    held = [dict(zip(names, zip(row[::2], row[1::2], strict=True), strict=True)) for row in found]
    return {tuple(row[name] for name in key): row for row in held}
