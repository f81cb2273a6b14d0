"""Bits flipped in rows: what users said or wrote cannot change unnoticed, whatever table holds it.

Flips go to every table in turn. One that passes `check()` has to lie in a column that is named
here, with the reason why it cannot mislead. RICORDO_CRASH=all: 10,000 flips instead of 600.
"""

import random
import shutil
from collections import Counter
from pathlib import Path

import apsw
import furnished
import pytest

import ricordo
from backends import BACKENDS, urls
from ricordo.core.integrity import chain
from ricordo.flows.writing.append import payload
from ricordo.store import schema
from ricordo.store.database import Tx
from ricordo.store.seals import LISTS, Broken, Seals, covers
from ricordo.store.sqlite import file
from tier import report, tier

FLIPS = tier(600, 10_000)
ALL = "*"
PASSING = {"outbox", "erasures"}  # rows that are gone when a call is over

# Columns in which a flipped bit can pass, and why that is no harm to what anybody said.
EXPLAINED = {
    "sessions": (
        {"created_at", "updated_at", "rewrites"},
        "times of the row, each event has its own, sealed; or when working memory is read again",
    ),
    "counters": (
        {"next_entry", "next_chunk", "next_signal", "revision", "pruned"},
        "counters: too low is found, too high leaves numbers out; or when a cache is read again",
    ),
    "schedules": ({"worker", "fence", "claimed_at", "until"}, "a lease, over in minutes"),
    "reminders": ({"worker", "fence", "until", "delivered_at"}, "a lease, and when it was over"),
    "retellings": ({"is_filed"}, "the file is written once more"),
    "consolidations": ({"at"}, "when an event was consolidated"),
    "successions": ({"times", "updated_at"}, "how often something was seen"),
    "macros": ({"used_count", "used_at"}, "how often something was used"),
    "lessons": ({"session", "upto"}, "how far a session was learnt from"),
    "spending": ({ALL}, "what models cost"),
    "dreamers": ({"owner", "until"}, "a lease"),
    "outbox": ({"number"}, "the order in which files are told"),
    "erasures": ({"at"}, "when an erasure began"),
    "records": ({"expires_at", "ttl"}, "when it expires is moved by reading it"),
    "due": ({ALL}, "compared with schedules and reminders"),
    "pending": ({ALL}, "derived; compared with how far the models have come"),
    "chunks": ({"length"}, "derived; a feature of ranking"),
    "embeddings": ({ALL}, "derived; index(vectors=True) makes them anew"),
    "coverage": ({ALL}, "derived; likewise"),
    "failures": ({ALL}, "derived; likewise"),
}
# Tables without a seal whose rows are verified in another way.
VERIFIED = {
    "events": "the hash chain",
    "gaps": "the hash chain",
    "consolidations": "their keys are those of events, which SQLite compares",
    "sessions": "counters and head, by the chain; the name by its events",
    "counters": "documents and tokens, by the chunks; the others are explained above",
    "entry_tags": "every column stands in the key and in an index, which SQLite compares",
    "past_names": "likewise",
    "chunks": "compared with events, entries and documents",
    "entry_values": "compared with the metadata of entries and documents",
    "event_values": "compared with the metadata of messages",
}


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("furnished") / "a.db"
    furnished.furnish(path, path.parent)
    return path


def test_every_table_is_sealed_verified_or_explained():
    for table in [
        schema.space_row(),
        schema.counters(),
        schema.chunks(),
        *schema.list_space_tables(),
    ]:
        free, _ = EXPLAINED.get(table.name, (set(), ""))
        if "seal" in table.columns:
            left = {name for name in table.columns if not covers(table.name, name)} - {"seal"}
            assert left - free <= INDEXED.get(table.name, set()), table.name
        elif table.name not in VERIFIED and ALL not in free:
            assert set(table.columns) <= free, f"{table.name}: seal it, or say why not"


# Columns without a seal that stand in an index too, or that check() compares with other rows.
INDEXED = {
    "entries": {"updated_at"},
    "names": {"canonical"},
    "documents": {"chunks", "cut"},
    "schedules": {"due_at"},
    "reminders": {"due_at"},
}


def verdict(path: Path) -> str:
    try:
        with ricordo.open(path, **furnished.OPTIONS) as memory:
            return "found" if memory.check() else "passed"
    except ricordo.RicordoError:
        return "refused"
    finally:
        for suffix in ("-wal", "-shm", "-head"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)


def flipped(closed: Path, path: Path, times: int) -> Counter[str]:
    """Flip bits of rows, table by table; verdicts, and columns that changed unnoticed."""
    chance = random.Random(4)
    content = closed.read_bytes()
    rows: dict[str, list[furnished.Bytes]] = {}
    for row in furnished.rows(closed):
        rows.setdefault(row.table, []).append(row)
    assert rows.keys() >= LISTS.keys() - PASSING
    before = {table: furnished.columns(closed, table) for table in rows}
    seen: Counter[str] = Counter()
    for number in range(times):
        table = sorted(rows)[number % len(rows)]
        row = chance.choice(rows[table])
        harmed = bytearray(content)
        harmed[chance.randrange(row.start, row.end)] ^= 1 << chance.randrange(8)
        path.write_bytes(harmed)
        told = verdict(path)
        if told == "passed":
            after = furnished.columns(path, table)
            told = "harmless" if after == before[table] else changed(table, before[table], after)
        seen[told] += 1
    return seen


def changed(table: str, before: furnished.Held, after: furnished.Held) -> str:
    """What changed unnoticed, as table.column."""
    if before.keys() != after.keys():
        return f"{table}.key"
    names = {
        name
        for key, row in after.items()
        for name, value in row.items()
        if value != before[key][name]
    }
    return ", ".join(f"{table}.{name}" for name in sorted(names))


def is_explained(column: str) -> bool:
    table, _, name = column.partition(".")
    free, _ = EXPLAINED.get(table, (set(), ""))
    return name in free or ALL in free


@pytest.mark.timeout(tier(300, 1_500))
def test_a_flipped_bit_of_a_row_is_found_or_cannot_mislead(closed, tmp_path):
    seen = flipped(closed, tmp_path / "b.db", FLIPS)

    told = {name: seen.pop(name, 0) for name in ("found", "refused", "harmless")}
    unexplained = [columns for columns in seen if not all(map(is_explained, columns.split(", ")))]
    assert unexplained == []
    report("7 damage, rows", flips=FLIPS, **told, in_counters=seen.total(), columns=sorted(seen))


def test_without_seals_flipped_bits_pass(closed, tmp_path, monkeypatch):
    """The control."""
    monkeypatch.setattr(Seals, "find_broken", lambda *_: iter(()))

    seen = flipped(closed, tmp_path / "b.db", 600)

    for name in ("found", "refused", "harmless"):
        seen.pop(name, 0)
    passed = [columns for columns in seen if not all(map(is_explained, columns.split(", ")))]
    assert len(passed) > 10
    report("7 damage, rows, control: no seals", flips=600, columns=len(passed))


# --- one row, by hand -------------------------------------------------------------------------


def edit(path: Path, sql: str) -> None:
    raw = apsw.Connection(str(path))
    file._teach(raw)
    raw.execute("PRAGMA foreign_keys=OFF")
    assert raw.execute(sql).fetchall() == []
    assert raw.total_changes() > 0
    raw.close()


CHANGES = {
    "UPDATE revisions SET content = 'likes a widow seat'": "ana/revisions",
    "UPDATE summaries SET text = 'They look flights'": "ana/summaries/trip",
    "UPDATE scratchpads SET lines = '[]'": "ana/scratchpads/trip",
    "UPDATE schedules SET goal = 'eat the plants' WHERE name = 'once'": "ana/schedules",
    "UPDATE runs SET output = 'wasted'": "ana/runs",
    "UPDATE reminders SET text = 'call Tim' WHERE at IS NOT NULL": "ana/reminders",
    "UPDATE approvals SET allow = 1 WHERE allow = 0": "ana/approvals",
    "UPDATE entries SET metadata = '{}' WHERE source = 'ana'": "ana/entries",
    "UPDATE signals SET query = 'a sea' WHERE signal = 1": "ana/signals/1",
    "UPDATE names SET since = since - 1 WHERE name = 'own'": "kate/names/own",
    "UPDATE spaces SET created_at = 7 WHERE name = 'kate'": "kate/spaces",
    "UPDATE reminders SET seal = NULL": "ana/reminders",
}


@pytest.mark.parametrize("sql", CHANGES)
def test_a_row_that_was_changed_is_named(closed, tmp_path, sql):
    path = Path(shutil.copy(closed, tmp_path / "b.db"))
    edit(path, sql)

    with ricordo.open(path, **furnished.OPTIONS) as memory:
        found = memory.check()

    # Changed metadata also differs from the values that are listed of it.
    sealed = [violation for violation in found if violation.rule != "metadata"]
    assert {violation.rule for violation in sealed} == {"seal"}
    assert all(violation.where.startswith(CHANGES[sql]) for violation in sealed)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_server_seals_its_rows_too(backend, tmp_path):
    with urls(backend, tmp_path) as places:
        url = places()
        furnished.furnish(url, tmp_path)
        with ricordo.open(url, **furnished.OPTIONS) as memory:
            assert memory.check() == []
            space = memory.space("ana")
            plan = space.schedules.get("once")
            assert plan is not None
            memory._engine.store.write(lambda tx: damage(tx, plan.id))
            found = memory.check()

    assert [(each.rule, each.where) for each in found] == [("seal", f"ana/schedules/{plan.id}")]


def damage(tx: Tx, schedule: str) -> None:
    """Write other bytes for a seal, as if the row beside it had changed."""
    space = tx.spaces.number("ana")
    assert space is not None
    Seals(tx).renew(space, Broken("schedules", {"id": schedule}, b"\0" * 8, is_missing=False))


def test_the_uid_of_an_event_cannot_change_unnoticed(closed, tmp_path):
    path = Path(shutil.copy(closed, tmp_path / "b.db"))
    edit(path, "UPDATE events SET uid = substr(uid, 1, 35) || 'x' WHERE seq = 3")

    with ricordo.open(path, **furnished.OPTIONS) as memory:
        assert [violation.rule for violation in memory.check()] == ["chain"]


@pytest.fixture
def older(closed: Path, tmp_path: Path) -> Path:
    """A memory from before there were seals, whose digests of events did not cover the uid."""
    path = Path(shutil.copy(closed, tmp_path / "older.db"))
    raw = apsw.Connection(str(path))
    file._teach(raw)
    for table in LISTS:
        raw.execute(f"UPDATE {table} SET seal = NULL").fetchall()
    for space, secret in raw.execute("SELECT space, secret FROM spaces").fetchall():
        for (session,) in raw.execute(
            "SELECT session FROM sessions WHERE space = ?", (space,)
        ).fetchall():
            relink(raw, space, secret, session)
    raw.close()
    return path


def relink(raw: apsw.Connection, space: int, secret: bytes, session: str) -> None:
    link = chain.START
    for seq, *said in raw.execute(
        "SELECT seq, kind, role, content, body, origin, at, importance FROM events"
        " WHERE space = ? AND session = ? ORDER BY seq",
        (space, session),
    ).fetchall():
        digest = chain.digest(secret, payload(*said))
        link = chain.link(link, seq, digest)
        raw.execute(
            "UPDATE events SET digest = ?, link = ? WHERE space = ? AND session = ? AND seq = ?",
            (digest, link, space, session, seq),
        ).fetchall()
    raw.execute(
        "UPDATE sessions SET head = ? WHERE space = ? AND session = ?", (link, space, session)
    ).fetchall()


def test_an_older_memory_is_clean_and_what_is_written_anew_is_sealed(older):
    with ricordo.open(older, **furnished.OPTIONS) as memory:
        assert memory.check() == []
        memory.space("ana").write("place", "likes any seat")
        memory.space("ana").session("trip").append("user", "on we go")
        assert memory.check() == []

    edit(older, "UPDATE entries SET source = 'bob' WHERE source = 'ana'")

    with ricordo.open(older, **furnished.OPTIONS) as memory:
        assert [violation.rule for violation in memory.check()] == ["seal"]


def test_an_older_memory_can_be_copied_and_salvaged(older, tmp_path):
    with ricordo.open(older, **furnished.OPTIONS) as memory:
        memory.copy(tmp_path / "copy.db")
    ricordo.salvage(older, tmp_path / "saved.db")

    for name in ("copy.db", "saved.db"):
        with ricordo.open(tmp_path / name, **furnished.OPTIONS) as memory:
            assert memory.check() == []


def salvaged(closed: Path, tmp_path: Path, *changes: str) -> ricordo.Salvage:
    """What is saved into `new.db` out of a copy that was changed behind the back of the seals."""
    path = Path(shutil.copy(closed, tmp_path / "b.db"))
    for change in changes:
        edit(path, change)
    return ricordo.salvage(path, tmp_path / "new.db")


def test_salvage_leaves_a_row_behind_that_differs_from_its_seal(closed, tmp_path):
    done = salvaged(
        closed,
        tmp_path,
        "UPDATE reminders SET text = 'call Tim' WHERE at IS NOT NULL",
        "UPDATE approvals SET allow = 1 WHERE allow = 0",
    )

    assert len(done.lost) == 2
    assert all("does not verify" in line for line in done.lost)
    with ricordo.open(tmp_path / "new.db", **furnished.OPTIONS) as memory:
        assert memory.check() == []
        ana = memory.space("ana")
        assert [reminder.text for reminder in ana.reminders.list()] == ["ask for the invoice"]
        assert [approval.words for approval in ana.approvals.list()] == [("git", "status")]


def test_salvage_keeps_an_entry_that_differs_from_its_seal_and_names_it(closed, tmp_path):
    done = salvaged(
        closed, tmp_path, "UPDATE entries SET content = 'likes an isle seat' WHERE source = 'ana'"
    )

    assert len(done.lost) == 1
    assert "does not verify; kept as it reads" in done.lost[0]
    with ricordo.open(tmp_path / "new.db", **furnished.OPTIONS) as memory:
        assert memory.check() == []
        entry = memory.space("ana").get("place")
        assert entry is not None
        assert entry.content == "likes an isle seat"
        assert memory.space("ana").history("place")


def test_salvage_puts_a_time_right_that_cannot_be(closed, tmp_path):
    done = salvaged(
        closed, tmp_path, "UPDATE entries SET updated_at = since - 1 WHERE source = 'ana'"
    )

    assert len(done.lost) == 1
    assert "was last said" in done.lost[0]
    with ricordo.open(tmp_path / "new.db", **furnished.OPTIONS) as memory:
        assert memory.check() == []


def test_salvage_keeps_a_row_that_an_older_ricordo_wrote(closed, tmp_path):
    done = salvaged(closed, tmp_path, "UPDATE approvals SET allow = 1, seal = NULL WHERE allow = 0")

    assert len(done.lost) == 1
    assert "kept as it reads" in done.lost[0]
    with ricordo.open(tmp_path / "new.db", **furnished.OPTIONS) as memory:
        assert memory.check() == []
        assert len(memory.space("ana").approvals.list()) == 2
