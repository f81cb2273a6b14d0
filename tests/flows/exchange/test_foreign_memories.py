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


# --- more than events and entries -----------------------------------------------------------------


def test_notes_summaries_and_schedules_of_a_log_are_taken(lab, tmp_path):
    note = {"note_id": "note-1", "source": "memory_save", "tags": ["travel"], "schema_version": 1,
            "created_at": "2024-03-01T10:00:00Z", "updated_at": "2024-03-02T10:00:00Z"}  # fmt: skip
    state = {"summary_state": {"summary": "They met", "epoch": 2, "upper_sequence": 1},
             "scratchpad": {"items": ["book the flight"]}}  # fmt: skip
    put = "INSERT INTO conversation_events VALUES (?, ?, ?, '2024-03-01 10:00:00')"
    plan = "INSERT INTO schedules VALUES (?, 'ana', ?, 'Send it', ?, 'never', ?)"
    daily = json.dumps({"type": "cron", "expression": "0 9 * * *", "timezone": "Europe/Berlin"})
    path = database(
        tmp_path / "log.db",
        "CREATE TABLE conversation_events (session_id TEXT, sequence INTEGER, payload_json TEXT,"
        " created_at TEXT, PRIMARY KEY (session_id, sequence))",
        "CREATE TABLE chunks (chunk_id TEXT, session_id TEXT, sequence_start INTEGER,"
        " metadata_json TEXT)",
        "CREATE TABLE session_state (session_id TEXT, state_json TEXT, updated_at TEXT)",
        "CREATE TABLE schedules (schedule_id TEXT, user_id TEXT, name TEXT, goal TEXT,"
        " cadence_json TEXT, notification_policy TEXT, status TEXT)",
        (put, ("s", 1, json.dumps({"role": "user", "content": "Hello"}))),
        (put, ("s", 2, json.dumps({"role": "user", "content": "And then?"}))),
        (put, ("memory:ana", 1, json.dumps({"role": "user", "content": "Likes window seats"}))),
        ("INSERT INTO chunks VALUES ('c1', 'memory:ana', 1, ?)", (json.dumps(note),)),
        ("INSERT INTO chunks VALUES ('c2', 's', 1, '{}')", ()),
        ("INSERT INTO session_state VALUES ('s', ?, '2024-03-01 11:00:00')", (json.dumps(state),)),
        ("INSERT INTO session_state VALUES ('odd', '{broken', NULL)", ()),
        (plan, ("a", "report", daily, "active")),
        (plan, ("b", "later", daily, "paused")),
        (plan, ("c", "done", daily, "completed")),
        (plan, ("d", "odd", json.dumps({"type": "moon"}), "active")),
    )
    memory = lab.open()
    space = memory.space("ana")

    done = space.exchange.import_file(path)
    again = space.exchange.import_file(path)

    kept = space.get("note-1")
    assert (kept.content, kept.tags, kept.source) == (
        *("Likes window seats", ("travel",), "memory_save"),
    )
    assert (kept.created_at.day, kept.updated_at.day) == (1, 2)
    chat = space.session("s")
    assert (chat.summary().text, chat.summary().upto) == ("They met", 1)
    assert chat.scratchpad() == ["book the flight"]
    assert space.session("memory:ana").events() == []
    found = {each.name: each for each in space.schedules.list()}
    assert {name: each.status for name, each in found.items()} == {
        "report": "active",
        "later": "paused",
    }
    assert (found["report"].cadence.tz, found["report"].notify) == ("Europe/Berlin", "never")
    assert found["report"].next_run_at is not None
    assert done.added == {"event": 2, "entry": 1, "scratchpad": 1, "summary": 1, "schedule": 2}
    assert any("'odd' is not taken" in note for note in done.notes)
    assert "1 rows of 'schedules' are over and not taken" in done.notes
    assert again.added == {}
    assert memory.check() == []


def tasks(tmp_path: Path) -> Path:
    return database(
        tmp_path / "tasks.db",
        "CREATE TABLE scheduled_tasks (id TEXT, name TEXT, cron_expr TEXT, original_schedule TEXT,"
        " prompt TEXT, is_oneshot INTEGER, is_paused INTEGER, is_trusted INTEGER)",
        "CREATE TABLE terminal_allowed_prefixes (prefix TEXT PRIMARY KEY)",
        f"INSERT INTO scheduled_tasks VALUES ('{U}1', 'report', '30 8 * * 1-5', 'weekdays',"
        " 'Send the report', 0, 0, 1)",
        f"INSERT INTO scheduled_tasks VALUES ('{U}2', 'call', '0 9 * * *', '9', 'Call', 1, 1, 0)",
        "INSERT INTO terminal_allowed_prefixes VALUES ('git status')",
        "INSERT INTO terminal_allowed_prefixes VALUES ('*')",
    )


def test_a_file_gives_no_permissions_unless_it_is_trusted(lab, tmp_path):
    space = lab.space("ana")

    done = space.exchange.import_file(tasks(tmp_path))

    assert done.added == {"schedule": 2}
    assert [each.trusted for each in space.schedules.list()] == [False, False]
    assert space.approvals.list() == []
    assert any("'git status' is not taken; import with origin=None" in n for n in done.notes)


def test_tasks_and_approvals_of_a_trusted_file_are_taken(lab, tmp_path):
    space = lab.space("ana")

    done = space.exchange.import_file(tasks(tmp_path), origin=None)
    again = space.exchange.import_file(tmp_path / "tasks.db", origin=None)

    found = {each.name: each for each in space.schedules.list()}
    assert (found["report"].goal, found["report"].trusted) == ("Send the report", True)
    assert (found["call"].status, found["call"].cadence.kind) == ("paused", "once")
    assert [each.words for each in space.approvals.list()] == [("git", "status")]
    assert done.added == {"schedule": 2, "approval": 1}
    assert any("'*' is not taken" in note for note in done.notes)
    assert again.added == {}


def test_reminders_that_wait_are_taken_and_delivered_ones_are_not(lab, tmp_path):
    put = "INSERT INTO reminders VALUES (?, ?, 's', 'mail', 'kate', ?, ?, NULL, ?, 1709294400000)"
    path = database(
        tmp_path / "agents.db",
        "CREATE TABLE reminders (id TEXT PRIMARY KEY, agent_id TEXT, session_id TEXT, plugin TEXT,"
        " recipient TEXT, message TEXT, due_at INTEGER, claimed_at INTEGER, delivered_at INTEGER,"
        " created_at INTEGER)",
        (put, (U + "1", "kate", "Call the bank", 4_102_444_800_000, None)),
        (put, (U + "2", "kate", "Done", 1709294400000, 1709294400000)),
        (put, (U + "3", "kate", "Never due", None, None)),
        (put, (U + "4", "bob", "Of bob", 4_102_444_800_000, None)),
    )
    space = lab.space("kate")

    done = space.exchange.import_file(path, owner="kate")
    again = space.exchange.import_file(path, owner="kate")

    [kept] = space.reminders.list()
    assert (kept.text, kept.recipient, kept.channel, kept.session) == (
        *("Call the bank", "kate", "mail", "s"),
    )
    assert (kept.id, kept.at.year) == (U + "1", 2100)
    assert done.added == {"reminder": 1}
    assert again.added == {}
    assert "1 rows of 'reminders' are over and not taken" in done.notes
