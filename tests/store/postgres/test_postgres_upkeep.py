"""Upkeep on PostgreSQL, its durability, and errors that say what to do."""

import subprocess
import sys
from pathlib import Path

import pytest
from postgres_server import shared

import ricordo


def test_a_backup_is_refused_with_what_to_do_instead(memory, tmp_path):
    memory.space("ana").remember("x")

    with pytest.raises(ricordo.InvalidInput, match=r"pg_dump .*ricordo copy"):
        memory.backup(tmp_path / "copy.db")


def test_tidying_gives_room_back(memory):
    store, space = memory._engine.store, memory.space("ana")
    for number in range(30):
        space.remember("word " * 500, name=f"n{number}")
    for number in range(30):
        space.forget(f"n{number}")

    found = store.tidy(deep=True)

    assert found["bytes_after"] < found["bytes_before"]
    assert store.scrub(1.0)
    assert store.read_files(1) == []


def test_a_password_is_never_shown():
    url = shared().url().replace("app@", "app:geheim@") + "&sslpassword=geheim"
    with ricordo.open(url) as memory:
        memory.space("ana").remember("x")
        assert "geheim" not in memory.stats().path
        assert "app@" in memory.stats().path


def test_a_server_that_is_not_there_is_told_at_once(tmp_path):
    with pytest.raises(ricordo.StoreError, match="cannot be reached"):
        ricordo.open(f"postgresql:///x?host={tmp_path}")


def test_a_url_that_is_none_is_refused():
    with pytest.raises(ricordo.InvalidInput, match="not a URL of PostgreSQL"):
        ricordo.open("postgresql://host/db?nonsense=1")


def test_without_its_driver_it_says_what_to_install():
    script = (
        "import sys; sys.modules['psycopg'] = None; import ricordo\n"
        "try: ricordo.open('postgresql:///x')\n"
        "except ricordo.Unavailable as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(Path(ricordo.__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "pip install 'ricordo[postgres]'" in done.stdout


def test_durability_full_is_kept_where_the_server_does_not(url):
    for default, durability, kept in (
        ("off", "full", "on"),
        ("remote_apply", "full", "remote_apply"),
        ("on", "normal", "off"),
    ):
        told = f"{url}&options=-c%20synchronous_commit%3D{default}"
        with ricordo.open(told, durability=durability, embedder="none") as memory:
            store = memory._engine.store

            seen = store.write(lambda tx: tx.row("driver.setting", name="synchronous_commit"))

            assert seen == (kept,)
            with store._pool.plain() as raw:  # the session is as it was: it may be another's next
                assert raw.execute("SHOW synchronous_commit").fetchone() == (default,)


def test_an_unknown_durability_is_refused(url):
    with pytest.raises(ricordo.InvalidInput, match="durability"):
        ricordo.open(url, durability="some")
