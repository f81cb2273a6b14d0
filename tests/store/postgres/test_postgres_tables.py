"""The tables on PostgreSQL: made once, read by all, refused if they are not ours."""

import threading

import pytest
from bare_postgres import plain, schema_of
from postgres_server import shared

import ricordo
from ricordo.store import migrate


def test_nothing_is_created_before_the_first_write(url):
    with ricordo.open(url, embedder="hash") as memory:
        assert memory.space("ana").recall("anything") == []
        assert memory.spaces() == []
        assert memory.stats().bytes == 0
        assert memory.check() == []
        with plain(url) as raw:
            assert not raw.execute(
                "SELECT 1 FROM pg_namespace WHERE nspname = %s", [schema_of(url)]
            ).fetchall()

        memory.space("ana").remember("x")

        assert memory.stats().bytes > 0
        assert memory.stats().spaces == 1


def test_a_reader_sees_the_tables_that_another_made(url):
    with ricordo.open(url) as reader, ricordo.open(url) as writer:
        assert reader.spaces() == []
        writer.space("ana").session("s").append("user", "x")
        assert reader.spaces() == ["ana"]


def test_a_memory_opened_to_be_read_has_to_be_there_and_stays_as_it_is(url):
    with pytest.raises(ricordo.NotFound, match="no memory at"):
        ricordo.open(url, read_only=True)
    with ricordo.open(url) as memory:
        memory.space("ana").remember("x", name="x")

    with ricordo.open(url, read_only=True) as reader:
        assert reader.space("ana").get("x") is not None
        with pytest.raises(ricordo.StoreError, match="read-only"):
            reader.space("ana").remember("y")


def test_many_who_come_first_make_the_tables_once(url):
    memories = [ricordo.open(url, embedder="none") for _ in range(5)]
    barrier = threading.Barrier(5)

    def begin(memory: ricordo.Memory, number: int) -> None:
        barrier.wait()
        memory.space(f"space {number}").session("s").append("user", "first")

    threads = [
        threading.Thread(target=begin, args=(memory, n)) for n, memory in enumerate(memories)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert memories[0].spaces() == [f"space {number}" for number in range(5)]
    with plain(url) as raw:
        (applied,) = raw.execute("SELECT count(*) FROM migrations").fetchall()
    assert applied == (len(migrate.load("postgres")),)
    for memory in memories:
        memory.close()


def test_a_newer_schema_is_refused(url):
    ricordo.open(url).space("ana").remember("x")
    with plain(url) as raw:
        raw.execute("INSERT INTO migrations (number, name, digest) VALUES (999, 'later', 'x')")

    with pytest.raises(ricordo.NewerSchema, match="install a newer"):
        ricordo.open(url)


def test_an_edited_migration_is_refused(url):
    ricordo.open(url).space("ana").remember("x")
    with plain(url) as raw:
        raw.execute("UPDATE migrations SET digest = 'edited' WHERE number = 1")

    with pytest.raises(ricordo.Corrupt, match="was edited"):
        ricordo.open(url)


def test_an_older_memory_is_brought_up_to_date(url, monkeypatch):
    every = migrate.load("postgres")
    monkeypatch.setattr(migrate, "load", lambda _: every[:1])
    with ricordo.open(url, embedder="none") as memory:
        memory._engine.store.write(lambda tx: tx.spaces.set("anything", "to make the tables"))
    with plain(url) as raw:
        raw.execute(
            "INSERT INTO spaces (space, name, secret, created_at) VALUES (1, 'ana', 's', 0)"
        )
    monkeypatch.undo()

    with pytest.raises(ricordo.StoreError, match="older schema"):
        ricordo.open(url, read_only=True).spaces()
    with ricordo.open(url, embedder="none") as memory:
        assert memory.spaces() == ["ana"]
        memory.space("ana").schedule("look", "in 1 hour")
        memory.maintain()
        assert memory.check() == []


def test_two_schemas_of_one_database_are_two_memories():
    first, second = shared().url(), shared().url()
    with ricordo.open(first) as one, ricordo.open(second) as other:
        one.space("ana").remember("x")
        assert other.spaces() == []


@pytest.mark.parametrize("name", ["", "Upper", "a-b", "pg_x", "x;drop", "1a", "a" * 64])
def test_a_schema_that_would_need_quotes_is_refused(name):
    with pytest.raises(ricordo.InvalidInput, match="schema"):
        ricordo.open(f"{shared().dsn()}&schema={name}")
