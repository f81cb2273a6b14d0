"""Upkeep of the file: it gets smaller, is sound, and others work on meanwhile."""

from ageing import SHORT_LIVED, rows

import ricordo

WORDS = "the quick brown fox jumps over the lazy dog near the river bank today "


def filled(memory: ricordo.Memory, count: int) -> None:
    space = memory.space("ana")
    for number in range(count):
        space.remember(f"{number} {WORDS * 8}", name=f"n{number}")
    memory.flush()


def test_after_deleting_most_of_it_the_file_shrinks_and_is_sound(lab):
    """RET-4"""
    memory = lab.open(config=SHORT_LIVED)
    memory.space("ana").remember("x", name="x")
    empty = memory.maintain().bytes_after
    filled(memory, 200)
    full = memory.maintain().bytes_after
    for number in range(180):
        memory.space("ana").forget(f"n{number}")

    done = memory.maintain()

    assert done.bytes_after - empty < 0.25 * (full - empty)
    assert done.bytes_after < done.bytes_before
    assert memory.check() == []
    assert len(memory.space("ana").recall("fox river", 50, "keyword")) == 20


def test_a_file_without_incremental_vacuum_shrinks_by_a_deep_run(lab):
    memory = lab.open(config=SHORT_LIVED)
    filled(memory, 60)
    raw = memory._engine.store._open_writer().raw
    raw.execute("PRAGMA auto_vacuum=NONE").fetchall()
    raw.execute("VACUUM").fetchall()
    full = memory.maintain().bytes_after
    for number in range(54):
        memory.space("ana").forget(f"n{number}")

    shallow = memory.maintain().bytes_after
    deep = memory.maintain(deep=True).bytes_after

    assert shallow == full
    assert deep < full
    assert raw.execute("PRAGMA auto_vacuum").fetchall() == [(2,)]
    assert memory.check() == []


def busy(memory: ricordo.Memory, count: int) -> int:
    """What another process does meanwhile."""
    space = memory.space("bob")
    for number in range(count):
        space.session("talk").append("user", f"line {number}")
        space.recall("line", mode="keyword", limit=1)
    return len(space.session("talk").events())


def test_others_write_and_read_while_it_runs(lab):
    memory = lab.open(config=SHORT_LIVED)
    filled(memory, 40)
    lab.clock.advance(days=91)
    for number in range(30):
        memory.space("ana").write(f"n{number}", "short now")
    lab.clock.advance(days=91)
    with lab.team(memory) as other:
        other.start(busy, 60)
        reports = [memory.maintain(deep=place == 2) for place in range(4)]
        assert other.answer() == 60

    assert reports[0].removed == {"revisions": 30}
    assert memory.check() == []


def upkept(memory: ricordo.Memory) -> dict[str, int]:
    return dict(memory.maintain().removed)


def test_two_processes_at_once_take_every_row_away_once(lab):
    memory = lab.open(config=SHORT_LIVED)
    space = memory.space("ana")
    for number in range(700):
        space.remember(f"note {number}", name=f"n{number}", expires_at=lab.clock())

    with lab.team(memory) as other:
        other.start(upkept)
        own = upkept(memory)
        theirs = other.answer()

    assert own.get("entries", 0) + theirs.get("entries", 0) == 700
    assert rows(memory, "entries") == 0


def test_the_async_mirror_does_the_same(tmp_path):
    import asyncio

    async def main() -> ricordo.Upkeep:
        async with ricordo.aio.open(tmp_path / "a.db", embedder="hash") as memory:
            await memory.space("ana").remember("x", name="x")
            return await memory.maintain(dry_run=True)

    assert asyncio.run(main()).removed == {}
