"""Files of released schemas, each made by the code of its time, with a row in every table.

Before a release, if the schema is new: `python tests/crash/released.py` (with the package and tests
on the path) writes the file of the present schema. It never replaces one: those are history.
"""

import gzip
import shutil
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

import apsw
import furnished

import ricordo
from ricordo import Memory, Space, Spending
from ricordo.store import migrate
from ricordo.store.database import Tx
from ricordo.store.sqlite import file
from ricordo.store.tables.outbox import FORGET

FIXTURES = Path(__file__).parent.parent / "fixtures"
NAME = "schema-{:03}.db.gz"


def known() -> list[int]:
    """The schemas of which there is a file."""
    return sorted(int(path.name[7:10]) for path in FIXTURES.glob("schema-*.db.gz"))


def unpack(schema: int, path: Path) -> Path:
    """Lay the file of a schema out at a path."""
    with gzip.open(FIXTURES / NAME.format(schema)) as packed:
        path.write_bytes(packed.read())
    return path


def fill(path: Path, folder: Path) -> None:
    """Make a memory of the present schema in which no table is empty."""
    furnished.furnish(path, folder)
    clock = furnished.Clock()
    clock.now += timedelta(hours=1)
    config = {"event_days": 1}
    with ricordo.open(path, clock=clock, config=config, **furnished.OPTIONS) as memory:
        _age(memory, clock)
        _talk(memory.space("ana"))
        memory.flush()
        memory._engine.store.write(_leave_work)
        _work(memory)
        assert _empty(path) == []
        assert memory.check() == []


def _age(memory: Memory, clock: furnished.Clock) -> None:
    """Events that were consolidated, and gaps where older ones were."""
    for text in ("the boat is green", "the boat is fast"):
        chat = memory.space("ana").session("boat")
        chat.append("user", text, importance=0.9)
        clock.now += timedelta(days=2)
        memory.maintain()  # takes out what was consolidated a day ago
        memory.space("ana").dreams.consolidate(min_importance=0.8)


def _talk(space: Space) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    chat = space.session("tools")
    for number in range(3):
        chat.append("assistant", "", tool_calls=[call])
        chat.append("tool", f"clean, {number}", tool_call_id="1", name="bash")
    space.macros.learn(session="tools")
    chat.append("user", "and a last word")
    space.remember("for a while", name="brief", expires_at=furnished.START + timedelta(days=9_999))


def _work(memory: Memory) -> None:
    """A schedule and a reminder that a worker holds, and a reminder that was delivered."""
    assert memory.claim(5, "worker", timedelta(days=1))
    first, *_ = memory.claim_reminders(1, "worker", timedelta(days=1))
    memory.space("ana").reminders.deliver(first)
    memory.space("ana").remind("feed the cat", at=timedelta(seconds=1))
    assert memory.claim_reminders(1, "worker", timedelta(days=1))


def _leave_work(tx: Tx) -> None:
    """What is there only while something is under way, or went wrong."""
    space = tx.spaces.number("ana")
    assert space is not None
    now = int((furnished.START + timedelta(days=5)).timestamp()) * 1_000_000
    tx.outbox.put(space, FORGET, [77])
    tx.tombstones.open(space, "erasure", now, ["notes/gone.md"])
    tx.summaries.spend(space, Spending("a-model", 1, 10, 20), now)
    tx.embeddings.fail(space, tx.embeddings.models()[0].model, 1, now, "no answer")


def _empty(path: Path) -> list[str]:
    """The tables without a row."""
    raw = apsw.Connection(str(path))
    file._teach(raw)
    listed = raw.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
    ).fetchall()
    found = [
        name
        for (name,) in listed
        if not name.startswith("words")  # FTS5 fills these when it likes
        and not raw.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchall()
    ]
    raw.close()
    return found


def main() -> None:
    target = FIXTURES / NAME.format(len(migrate.load("sqlite")))
    if target.exists():
        sys.exit(f"{target} is there already; a file of a released schema is never replaced")
    folder = Path(tempfile.gettempdir()) / "ricordo-released"  # its name stands in the file
    folder.mkdir()
    try:
        fill(folder / "a.db", folder)
        FIXTURES.mkdir(exist_ok=True)
        target.write_bytes(gzip.compress((folder / "a.db").read_bytes(), 9, mtime=0))
    finally:
        shutil.rmtree(folder)
    print(target, target.stat().st_size)  # noqa: T201 - a script


if __name__ == "__main__":
    main()
