"""Imports of other memories: databases that are only read, and taken whole or not at all."""

import json
import struct
from pathlib import Path

import apsw
import pytest
from ported import DAY, U, told

import ricordo
from ricordo.errors import InvalidInput
from ricordo.testing.assertions import counts


def database(path: Path, *statements: str | tuple[str, tuple]) -> Path:
    raw = apsw.Connection(str(path))
    for statement in statements:
        sql, values = statement if isinstance(statement, tuple) else (statement, ())
        raw.execute(sql, values).fetchall()
    raw.close()
    return path


MESSAGES = (
    "CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, content TEXT,"
    " tool_call_id TEXT, tool_name TEXT, tool_calls_json TEXT, created_at TEXT,"
    " importance REAL DEFAULT 0.5, embedding BLOB, embedding_error TEXT, consolidated_at TEXT)"
)
PUT = (
    "INSERT INTO messages (id, session_id, role, content, tool_calls_json, created_at, importance,"
    " embedding, consolidated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def legacy(tmp_path: Path, *, embedding: bytes | None = None) -> Path:
    vector = struct.pack("<384f", *range(384)) if embedding is None else embedding
    calls = json.dumps([{"id": "c", "function": {"name": "look", "arguments": "{}"}}])
    day = "2024-03-01T"
    return database(
        tmp_path / "legacy.db",
        MESSAGES,
        "CREATE TABLE facts (id INTEGER PRIMARY KEY, category TEXT, key TEXT, value TEXT,"
        " source TEXT DEFAULT '', created_at TEXT, updated_at TEXT)",
        "CREATE TABLE macros (id INTEGER PRIMARY KEY, trigger_tool TEXT)",
        "INSERT INTO macros VALUES (1, 'x')",
        (PUT, (U + "2", "s1", "assistant", "second", None, f"{day}10:01:00Z", 0.9, vector, None)),
        (PUT, (U + "1", "s1", "user", "first", None, f"{day}10:00:00Z", 0.5, None, f"{day}11:00Z")),
        (PUT, ("not-a-uuid", "s2", "assistant", None, calls, f"{day}10:00:00Z", 0.5, None, None)),
        (PUT, (U + "4", "s1", "user", "then, too", None, f"{day}10:01:00Z", 0.5, None, None)),
        "INSERT INTO facts (category, key, value, created_at, updated_at)"
        f" VALUES ('user', 'dog', 'Rex', '{day}10:00:00Z', '{day}10:00:00Z')",
    )  # fmt: skip


def test_legacy_messages_become_events_in_order_with_their_ids(lab, tmp_path):
    """SES-7, SQL-2"""
    memory = lab.open()
    space = memory.space("ana")
    done = space.exchange.import_file(legacy(tmp_path))
    before, seen = counts(memory), told(space)

    again = space.exchange.import_file(tmp_path / "legacy.db")

    assert [(e.content, e.uid) for e in space.session("s1").events()] == [
        ("first", U + "1"), ("second", U + "2"), ("then, too", U + "4"),
    ]  # fmt: skip
    [call] = space.session("s2").events()
    assert call.tool_calls[0]["function"]["name"] == "look"
    assert call.metadata == {"id": "not-a-uuid"}
    assert space.fact("user", "dog").content == "Rex"
    assert done.added == {"event": 4, "entry": 1}
    assert any("'macros'" in note for note in done.notes)
    assert again.added == {}
    assert (counts(memory), told(space)) == (before, seen)
    assert space.recall("second", mode="keyword")[0].source.session == "s1"


def test_rows_that_a_legacy_database_gains_later_are_appended(lab, tmp_path):
    space = lab.space("ana")
    path = legacy(tmp_path)
    space.exchange.import_file(path)
    database(path, (PUT, (U + "9", "s1", "user", "new", None, "2024-03-02T00:00:00Z", 0.5,
                          None, None)))  # fmt: skip

    assert space.exchange.import_file(path).added == {"event": 1}
    assert [event.content for event in space.session("s1").events()][-1] == "new"


def test_a_vector_of_a_wrong_length_refuses_the_whole_file(lab, tmp_path):
    """EMB-1"""
    memory = lab.open()

    with pytest.raises(InvalidInput, match="messages row 1: embedding has 100 bytes"):
        memory.space("ana").exchange.import_file(legacy(tmp_path, embedding=bytes(100)))

    assert memory.spaces() == []


def test_conversation_events_keep_their_sequence_and_what_cannot_be_read(lab, tmp_path):
    """SQL-2, SES-8"""
    put = "INSERT INTO conversation_events VALUES ('s', ?, ?, '2024-03-01 10:00:00')"
    path = database(
        tmp_path / "log.db",
        "CREATE TABLE conversation_events (session_id TEXT, sequence INTEGER, payload_json TEXT,"
        " created_at TEXT, PRIMARY KEY (session_id, sequence))",
        (put, (9, json.dumps({"role": "assistant", "content": "answer", "mood": "good"}))),
        (put, (2, json.dumps({"role": "user", "content": "question", "tool_calls": []}))),
        (put, (12, "{not json")),
    )
    memory = lab.open()
    space = memory.space("ana")
    space.exchange.import_file(path)

    events = space.session("s").events()

    assert [(e.seq, e.role, e.content) for e in events] == [
        (2, "user", "question"), (9, "assistant", "answer"), (12, "system", None),
    ]  # fmt: skip
    assert events[1].metadata == {"payload": {"mood": "good"}}
    assert events[2].metadata == {"payload": {"raw": "{not json"}}
    assert memory.stats().chunks == 2
    assert space.exchange.import_file(path).added == {}


def test_memories_and_interactions_of_one_agent_are_taken(lab, tmp_path):
    """SQL-2"""
    path = database(
        tmp_path / "agents.db",
        "CREATE TABLE memories (id TEXT PRIMARY KEY, agent_id TEXT, content TEXT,"
        " tags TEXT DEFAULT '[]', concept_tags TEXT DEFAULT '[]', created_at INTEGER)",
        "CREATE TABLE interactions (id TEXT PRIMARY KEY, session_id TEXT, agent_id TEXT, role TEXT,"
        " content TEXT, created_at INTEGER)",
        f"INSERT INTO memories VALUES ('{U}1', 'kate', 'likes herons', '[\"birds\"]', '[]',"
        " 1709294400000)",
        "INSERT INTO memories VALUES ('m2', 'bob', 'likes ships', '[]', '[]', 1709294400000)",
        "INSERT INTO memories VALUES ('m3', 'kate', ' ', '[]', '[]', 1709294400000)",
        *(("INSERT INTO interactions VALUES (?, 's', 'kate', 'user', ?, 1709294400000)",
           (f"i{n}", f"line {n}")) for n in range(5)),
    )  # fmt: skip
    space = lab.space("kate")

    with pytest.raises(InvalidInput, match=r"2 owners \(bob, kate\)"):
        space.exchange.import_file(path)
    with pytest.raises(InvalidInput, match="no owner 'ann'"):
        space.exchange.import_file(path, owner="ann")
    done = space.exchange.import_file(path, owner="kate")

    assert done.added == {"entry": 1, "event": 5}
    [entry] = space.entries()
    assert (entry.uid, entry.tags, entry.content) == (U + "1", ("birds",), "likes herons")
    assert entry.created_at.isoformat() == "2024-03-01T12:00:00+00:00"
    assert [e.content for e in space.session("s").events()] == [f"line {n}" for n in range(5)]
    assert any("1 rows of 'memories' are blank" in note for note in done.notes)
    assert space.exchange.import_file(path, owner="kate").added == {}


def test_keyed_memories_keep_key_category_and_metadata(lab, tmp_path):
    """SQL-2"""
    path = database(
        tmp_path / "keyed.db",
        "CREATE TABLE memories (id TEXT, group_folder TEXT, key TEXT, content TEXT,"
        " category TEXT DEFAULT 'core', metadata TEXT DEFAULT '{}', created_at TEXT,"
        " updated_at TEXT, UNIQUE (group_folder, key))",
        "INSERT INTO memories VALUES ('0192f0c1000070008000000000000001', 'main', 'seat', 'window',"
        " 'daily', '{\"a\": 1}', '2024-03-01T12:00:00+00:00', '2024-03-02T12:00:00+00:00')",
    )
    space = lab.space("ana")

    done = space.exchange.import_file(path)

    entry = space.get("seat")
    assert (entry.content, entry.category, entry.metadata) == ("window", "daily", {"a": 1})
    assert entry.uid == U + "1"
    assert (entry.updated_at - entry.created_at).days == 1
    assert space.exchange.import_file(path).added == {}
    assert done.format == "memories"


def test_a_database_is_only_read_and_nothing_is_left_beside_it(lab, tmp_path):
    folder = tmp_path / "old"
    folder.mkdir()
    path = legacy(folder)
    content = path.read_bytes()

    lab.space("ana").exchange.import_file(path)

    assert path.read_bytes() == content
    assert [file.name for file in folder.iterdir()] == ["legacy.db"]


def test_what_is_still_in_the_wal_of_a_database_in_use_is_taken_too(lab, tmp_path):
    raw = apsw.Connection(str(tmp_path / "live.db"))
    raw.execute("PRAGMA journal_mode=WAL").fetchall()
    raw.execute(MESSAGES).fetchall()
    raw.execute(PUT, (U + "1", "s", "user", "live", None, "2024-03-01T10:00:00Z", 0.5, None,
                      None)).fetchall()  # fmt: skip

    assert lab.space("ana").exchange.import_file(tmp_path / "live.db").added == {"event": 1}
    raw.close()


def test_databases_that_are_no_memory_or_our_own_are_refused(lab, full, tmp_path):
    space = lab.space("ana")
    database(tmp_path / "songs.db", "CREATE TABLE songs (id, title)")
    (tmp_path / "broken.db").write_bytes(b"SQLite format 3\0" + b"\xaa" * 5_000)

    with pytest.raises(InvalidInput, match=r"not a known memory.*songs"):
        space.exchange.import_file(tmp_path / "songs.db")
    with pytest.raises(InvalidInput, match="cannot be read as a database"):
        space.exchange.import_file(tmp_path / "broken.db")
    full.flush()
    with pytest.raises(InvalidInput, match="export the space"):
        space.exchange.import_file(lab.url(full))


FACTS = (
    "CREATE TABLE facts (id INTEGER PRIMARY KEY, category TEXT, key TEXT, value TEXT,"
    " source TEXT DEFAULT '', created_at TEXT, updated_at TEXT)"
)
KEYED = (
    "CREATE TABLE memories (id, group_folder TEXT, key TEXT, content TEXT, category TEXT,"
    " metadata, created_at TEXT, updated_at TEXT)"
)


def test_facts_alone_are_taken_and_keys_that_become_one_name_are_both_kept(lab, tmp_path):
    put = "INSERT INTO facts (category, key, value, created_at, updated_at) VALUES (?, ?, ?, ?, ?)"
    rows = [
        (put, ("user", key, value, DAY, DAY)) for key, value in (("My Dog", "a"), ("my_dog", "b"))
    ]
    path = database(tmp_path / "facts.db", FACTS, *rows)
    space = lab.space()

    done = space.exchange.import_file(path)

    assert done.added == {"entry": 2}
    assert len(done.renamed) == 1
    assert sorted(entry.content for entry in space.entries(kind="fact")) == ["a", "b"]
    assert space.exchange.import_file(path).added == {}


@pytest.mark.parametrize(
    ("schema", "row"),
    [
        (KEYED, "INSERT INTO memories VALUES (1, 'g', 'k', 'said', 'core', 7, '{d}', '{d}')"),
        (KEYED, f"INSERT INTO memories VALUES (1, 'g', 'k', 'said', 'core', '{'[' * 100_000}',"
                " '{d}', '{d}')"),
        (KEYED, "INSERT INTO memories VALUES (x'ff01', 'g', 'k', 'said', 'core', '',"
                " '{d}', '{d}')"),
        (KEYED, "INSERT INTO memories VALUES (1, 'g', 'k', CAST(x'ff41' AS TEXT), 'core', '',"
                " '{d}', '{d}')"),
    ],
    ids=["metadata-number", "metadata-deep", "id-bytes", "no-utf-8"],
)  # fmt: skip
def test_a_row_that_cannot_be_read_refuses_the_whole_file(lab, tmp_path, schema, row):
    path = database(tmp_path / "odd.db", schema, row.replace("{d}", DAY))
    space = lab.space()

    with pytest.raises(InvalidInput):
        space.exchange.import_file(path)

    assert space.entries() == []


def test_a_database_that_was_cut_off_while_it_was_written_is_refused(lab, tmp_path):
    path = database(tmp_path / "hot.db", KEYED, "PRAGMA journal_mode=DELETE")
    raw = apsw.Connection(str(path))
    raw.execute("PRAGMA cache_size=1; BEGIN").fetchall()
    for number in range(500):
        row = (number, "g", str(number), "x" * 500, DAY, DAY)
        raw.execute("INSERT INTO memories VALUES (?, ?, ?, ?, 'core', '', ?, ?)", row).fetchall()
    for part in (path, Path(f"{path}-journal")):  # as they stand when the power goes
        (tmp_path / part.name.replace("hot", "cut")).write_bytes(part.read_bytes())
    raw.close()
    space = lab.space()

    with pytest.raises(ricordo.errors.RicordoError):
        space.exchange.import_file(tmp_path / "cut.db")

    assert space.entries() == []
