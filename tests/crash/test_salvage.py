"""Salvage: every intact row of a damaged file comes home; nothing is invented or written to it."""

import contextlib
import hashlib
import json
import random
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import apsw
import history
import pytest
from click.testing import CliRunner
from test_damage import FILES, STEPS, closed, crashed, cut, flip_wal, laid_out, promised

import ricordo
from ricordo.surfaces.cli.main import cli
from tier import report, tier

__all__ = ["closed", "crashed"]  # fixtures
DAMAGES = tier(25, 250)

Harm = Callable[[bytearray, random.Random], None]


def digests(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def test_an_intact_file_comes_home_whole(closed, tmp_path):
    done = ricordo.salvage(closed, tmp_path / "new.db")

    assert done.lost == ()
    assert done.path == str(tmp_path / "new.db")
    with ricordo.open(tmp_path / "new.db", **history.OPTIONS) as memory:
        assert memory.check() == []
        assert history.state(memory) == history.states(STEPS)[STEPS]
        assert memory.space("ana").recall("window seat", mode="keyword")


def test_commits_that_are_only_in_the_wal_come_home_too(crashed, tmp_path):
    before = digests(crashed.parent)

    done = ricordo.salvage(crashed, tmp_path / "new.db")

    assert done.lost == ()
    assert digests(crashed.parent) == before
    with ricordo.open(tmp_path / "new.db", **history.OPTIONS) as memory:
        assert history.state(memory) == history.states(STEPS)[STEPS]


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log as a crash leaves it: most of its commits are in the WAL only."""
    folder = tmp_path_factory.mktemp("growing")
    with ricordo.open(folder / "live.db", embedder="none") as memory:
        session = memory.space("ana").session("log")
        for number in range(120):
            session.append("user", f"line {number} " + "word " * 50)
            if number == 20:
                writer = memory._engine.store._open_writer().raw
                writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                writer.execute("PRAGMA wal_autocheckpoint=0").fetchall()
        for suffix in FILES:
            shutil.copy(f"{folder / 'live.db'}{suffix}", f"{folder / 'a.db'}{suffix}")
    return folder / "a.db"


def test_behind_a_damaged_page_of_the_wal_salvage_goes_on_where_sqlite_stops(growing, tmp_path):
    sqlite = salvaged = 0
    chance = random.Random(6)
    for number in range(10):
        path = laid_out(growing, tmp_path, f"{number}.db")
        flip_wal(path, chance)
        ricordo.salvage(path, tmp_path / f"new{number}.db")
        salvaged += events(tmp_path / f"new{number}.db")
        sqlite += events(path)

    assert salvaged > sqlite
    report("7 salvage, a bit of the WAL flipped", salvaged=salvaged, sqlite=sqlite, of=1_200)


def events(path: Path) -> int:
    with ricordo.open(path, embedder="none") as memory:
        return memory.stats().events


def flip_some(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 5, 50))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def cut_off(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content) // 2, len(content)) :]


def blank_pages(content: bytearray, chance: random.Random) -> None:
    for _ in range(3):
        start = chance.randrange(len(content) // 4096) * 4096
        content[start : start + 4096] = bytes(4096)


def blank_first_page(content: bytearray, chance: random.Random) -> None:
    content[:4096] = bytes(4096)


@pytest.mark.timeout(tier(300, 1_200))
@pytest.mark.parametrize("harm", [flip_some, cut_off, blank_pages, blank_first_page])
def test_what_is_intact_comes_home_and_nothing_else(closed, tmp_path, harm: Harm):
    with ricordo.open(closed, embedder="none") as memory:
        said = list(promised(memory))
    log = {line for line in said if line[0].isdigit() and " None " not in line}
    chance = random.Random(3)
    saved = total = told = 0
    for number in range(1 if harm is blank_first_page else DAMAGES):
        path, new = tmp_path / "a.db", tmp_path / f"new{number}.db"
        content = bytearray(closed.read_bytes())
        harm(content, chance)
        path.write_bytes(content)

        done = ricordo.salvage(path, new)

        assert path.read_bytes() == content
        with ricordo.open(new, **history.OPTIONS) as memory:
            assert memory.check() == []
            home = list(promised(memory))
            assert spoken(home) <= spoken(said), "an event was invented or changed"
            assert done.saved.get("events", 0) == memory.stats().events
            saved += len(spoken(home))
        total += len(spoken(said))
        told += bool(done.lost)
        new.unlink()

    assert log
    assert saved > total // 3  # a cut may take half of the file, and most events with it
    if harm is blank_first_page:
        assert saved == total
    report("7 salvage", harm=harm.__name__, events_saved=saved, of=total, files_with_losses=told)


def spoken(said: list[str]) -> set[str]:
    """The lines of events; they have a digest, so that a change in one shows."""
    return {line for line in said if line.endswith("+00:00")}


def test_salvage_never_overwrites_and_never_guesses(closed, tmp_path):
    (tmp_path / "there.db").write_text("precious")

    with pytest.raises(ricordo.InvalidInput, match="exists already"):
        ricordo.salvage(closed, tmp_path / "there.db")
    with pytest.raises(ricordo.NotFound, match="no file"):
        ricordo.salvage(tmp_path / "nothing.db", tmp_path / "new.db")

    assert (tmp_path / "there.db").read_text() == "precious"
    assert not (tmp_path / "new.db").exists()


def test_what_is_no_memory_at_all_is_refused_and_nothing_is_made(tmp_path):
    (tmp_path / "notes.txt").write_text("just text\n" * 2_000)

    with pytest.raises(ricordo.Corrupt, match="nothing in"):
        ricordo.salvage(tmp_path / "notes.txt", tmp_path / "new.db")

    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_a_lost_wal_costs_what_was_in_it_and_no_more(growing, tmp_path):
    path = laid_out(growing, tmp_path, "a.db")
    cut(path, random.Random(1))
    shutil.copy(path, tmp_path / "b.db")

    ricordo.salvage(path, tmp_path / "new.db")
    ricordo.salvage(tmp_path / "b.db", tmp_path / "less.db")

    assert 120 > events(tmp_path / "new.db") > events(tmp_path / "less.db") == 21


def test_what_was_said_on_two_days_is_found_on_both(tmp_path):
    days = [datetime(2025, 1, day, tzinfo=UTC) for day in (1, 5)]
    with ricordo.open(tmp_path / "a.db", embedder="none") as memory:
        for day in days:
            memory.space("ana").session("s").append("user", "a tangerine", at=day)

    ricordo.salvage(tmp_path / "a.db", tmp_path / "new.db")

    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        found = memory.space("ana").recall("tangerine")
    assert sorted(hit.at for hit in found) == days


@pytest.mark.parametrize("column", ["created_at", "updated_at"])
def test_a_session_at_times_that_are_not_valid_takes_those_of_its_events(tmp_path, column):
    day = datetime(2025, 1, 1, tzinfo=UTC)
    with ricordo.open(tmp_path / "a.db", embedder="none") as memory:
        memory.space("ana").session("s").append("user", "a tangerine", at=day)
    with contextlib.closing(apsw.Connection(str(tmp_path / "a.db"))) as raw:
        raw.execute(f"UPDATE sessions SET {column} = {column} + (1 << 58)")
    with ricordo.open(tmp_path / "a.db", embedder="none", read_only=True) as memory:
        (found,) = memory.check()
    assert (found.rule, found.where) == ("time", "ana/sessions/s")
    assert "ricordo salvage" in found.detail

    done = ricordo.salvage(tmp_path / "a.db", tmp_path / "new.db")

    assert done.lost == ("ana/s: its times; taken from its events",)
    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        assert [each.updated_at for each in memory.space("ana").sessions()] == [day]
        assert memory.check() == []


def test_what_belongs_to_a_lost_entry_does_not_come_home_without_it(tmp_path):
    with ricordo.open(tmp_path / "a.db", embedder="none") as memory:
        ana = memory.space("ana")
        ana.remember("a tangerine", name="fruit", tags=["food"])
        ana.recall("tangerine")
        assert len(ana.dreams.signals()) == 1
    with contextlib.closing(apsw.Connection(str(tmp_path / "a.db"))) as raw:
        raw.execute("PRAGMA foreign_keys=OFF").fetchall()
        raw.execute("DELETE FROM entries").fetchall()

    done = ricordo.salvage(tmp_path / "a.db", tmp_path / "new.db")

    assert set(done.lost) == {
        f"1 rows of {table} belong to something that is lost"
        for table in ("names", "entry_tags", "signals")
    }
    assert done.saved.keys().isdisjoint({"names", "entry_tags", "signals"})
    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        assert memory.space("ana").dreams.signals() == []
        assert memory.check() == []


KEPT = {
    "UPDATE spaces SET secret = x'00'": "the secret of its log is lost",
    "UPDATE spaces SET secret = zeroblob(32)": "the secret of its log is lost",
    "UPDATE spaces SET name = ' '": "the name of space 1 is lost",
    "UPDATE entries SET kind = 'nnte'": "kind, tags or metadata of entry 1",
    "UPDATE entries SET tags = '[1]'": "kind, tags or metadata of entry 1",
}


def spoil(path: Path, *changes: str) -> None:
    with contextlib.closing(apsw.Connection(str(path))) as raw:
        raw.execute("PRAGMA foreign_keys=OFF").fetchall()
        for change in changes:
            raw.execute(change).fetchall()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    with ricordo.open(tmp_path / "a.db", embedder="none") as memory:
        memory.space("ana").session("s").append("user", "a tangerine")
        memory.space("ana").session("s").append("user", "an apricot")
        memory.space("ana").remember("a plum", name="fruit")
    return tmp_path / "a.db"


@pytest.mark.parametrize("change", KEPT)
def test_a_row_that_is_kept_can_be_read_and_costs_nothing_else(small, tmp_path, change):
    spoil(small, change)

    done = ricordo.salvage(small, tmp_path / "new.db")

    assert any(KEPT[change] in line for line in done.lost)
    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        assert memory.check() == []
        (name,) = memory.spaces()
        assert len(memory.space(name).session("s").events()) == 2
        assert [hit.text for hit in memory.space(name).recall("plum")] == ["a plum"]


def test_events_of_a_space_that_was_salvaged_before_are_verified(small, tmp_path):
    spoil(small, "DELETE FROM spaces")
    ricordo.salvage(small, tmp_path / "once.db")
    spoil(tmp_path / "once.db", "UPDATE events SET content = 'a banana' WHERE seq = 1")

    done = ricordo.salvage(tmp_path / "once.db", tmp_path / "twice.db")

    assert any("event 1 does not verify" in line for line in done.lost)


@pytest.mark.parametrize("seq", [2 + 64, 2 - 2**63])
def test_an_event_whose_number_was_changed_does_not_come_home_under_it(small, tmp_path, seq):
    with ricordo.open(small, embedder="none") as memory:
        memory.space("ana").session("s").append("user", "a cherry")
    spoil(small, f"UPDATE events SET seq = {seq} WHERE seq = 2")

    done = ricordo.salvage(small, tmp_path / "new.db")

    assert f"ana/s: event {seq} does not verify" in done.lost
    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        assert [event.seq for event in memory.space("ana").session("s").events()] == [1, 3]
        assert memory.check() == []


def test_an_event_that_nothing_verifies_has_to_be_readable(small, tmp_path):
    spoil(small, "DELETE FROM spaces", "UPDATE events SET body = '{' WHERE seq = 1")

    done = ricordo.salvage(small, tmp_path / "new.db")

    assert any("event 1 does not verify" in line for line in done.lost)
    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        assert len(memory.space("salvaged-1").session("s").events()) == 1


def test_the_verb_salvage_prints_what_was_saved(closed, tmp_path):
    new = tmp_path / "new.db"

    done = CliRunner().invoke(cli, ["salvage", str(closed), str(new), "--json"])

    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["path"] == str(new)
    assert told["lost"] == []
    assert told["saved"]["events"] == events(new) > 0
