"""Export and import: a space comes back as it was, twice is once, bad files do nothing."""

import json
import struct
from pathlib import Path

import apsw
import pytest

import recollect
from recollect.errors import InvalidInput, NotFound
from recollect.testing import Lab
from recollect.testing.asserting import counts

U = "0192f0c1-0000-7000-8000-00000000000"


@pytest.fixture
def full(lab: Lab) -> recollect.Memory:
    """A space with everything that an export holds."""
    memory = lab.open()
    ana = memory.space("ana")
    ana.remember("Lisbon", name="home", aliases=["city"], tags=["place"], metadata={"lang": "pt"},
                 importance=0.9, origin="user", source="told")  # fmt: skip
    lab.clock.advance(days=1)
    ana.write("home", "Porto")
    ana.fact("user", "dog", "Rex")
    ana.remember("A note without a name\nof two lines")
    chat = ana.session("trip")
    chat.append("user", "Hello — ¡hola!", name="Ana", metadata={"a": [1, None]}, importance=0.9)
    chat.append("assistant", [{"type": "text", "text": "parts"}], seq=7)
    chat.append("assistant", None, tool_calls=[{"id": "1", "function": {"name": "f"}}])
    chat.append("tool", "done", tool_call_id="1")
    chat.write_scratchpad(["do this", "do that"])
    lab.clock.advance(days=1)
    ana.consolidate()
    chat.compact()
    ana.ingest("A document about herons", uri="doc:herons", metadata={"page": 1})
    ana.remind("Call the bank", at="tomorrow 9am")
    ana.remind("Ask for it", cue="project Atlas")
    return memory


def told(space: recollect.Space) -> dict[str, object]:
    """Everything a reader of a space sees."""
    entries = sorted(space.entries(limit=1_000), key=lambda entry: entry.uid)
    sessions = sorted(info.session for info in space.sessions())
    return {
        "entries": [(e.uid, e.name, e.aliases, e.kind, e.category, e.content, e.tags, e.origin,
                     e.source, e.importance, e.metadata, e.created_at, e.updated_at, e.expires_at)
                    for e in entries],
        "history": [space.history(entry.name) for entry in entries],
        "events": [(e.session, e.seq, e.uid, e.kind, e.role, e.content, e.name, e.tool_calls,
                    e.tool_call_id, e.importance, e.origin, e.metadata, e.at)
                   for name in sessions for e in space.session(name).events()],
        "scratchpads": [space.session(name).scratchpad() for name in sessions],
        "summaries": [(s.text, s.upto) if (s := space.session(name).summary()) else None
                      for name in sessions],
        "replays": [space.session(name).replay() for name in sessions],
        "documents": [(d.uri, d.hash, d.metadata) for d in space.documents()],
        "reminders": [(r.id, r.text, r.at, r.cue) for r in space.reminders()],
    }  # fmt: skip


# --- there and back ---------------------------------------------------------------------------


def test_a_space_comes_back_as_it_was(lab, full, tmp_path):
    full.space("ana").export(tmp_path / "ana.jsonl")
    other = lab.space("copy")

    other.import_file(tmp_path / "ana.jsonl", origin=None)

    assert told(other) == told(full.space("ana"))


def test_what_was_imported_is_recalled_and_remembers_the_past(lab, full, tmp_path):
    ana = full.space("ana")
    ana.export(tmp_path / "ana.jsonl")
    copy = lab.space("copy")
    copy.import_file(tmp_path / "ana.jsonl")
    before = ana.history("home")[0].since

    assert copy.get("home", as_of=before).content == "Lisbon"
    assert copy.recall("herons", mode="keyword")[0].source.uri == "doc:herons"
    [hit] = copy.recall("hola", mode="keyword", session="trip")
    assert (hit.source.seq_start, hit.author) == (1, "Ana")
    assert copy.session("trip").expand("trip-1") != []


def test_events_that_were_consolidated_are_not_consolidated_again(lab, full, tmp_path):
    full.space("ana").export(tmp_path / "ana.jsonl")
    copy = lab.space("copy")
    copy.import_file(tmp_path / "ana.jsonl")

    assert copy.consolidate().events == 0


def test_a_second_import_changes_nothing(lab, full, tmp_path):
    full.space("ana").export(tmp_path / "ana.jsonl")
    memory = lab.open()
    space = memory.space("copy")
    first = space.import_file(tmp_path / "ana.jsonl")
    before, seen = counts(memory), told(space)

    second = space.import_file(tmp_path / "ana.jsonl")

    assert (counts(memory), told(space)) == (before, seen)
    assert second.added == {}
    assert second.known["event"] == first.added["event"] == 5
    assert second.known["entry"] == first.added["entry"]


def test_an_import_into_the_space_it_came_from_changes_nothing(full, tmp_path):
    ana = full.space("ana")
    ana.export(tmp_path / "ana.jsonl")
    before = told(ana)

    assert ana.import_file(tmp_path / "ana.jsonl").added == {}
    assert told(ana) == before


def test_a_session_that_went_on_since_takes_only_what_came_after(lab, full, tmp_path):
    ana = full.space("ana")
    ana.export(tmp_path / "one.jsonl")
    copy = lab.space("copy")
    copy.import_file(tmp_path / "one.jsonl")
    ana.session("trip").append("user", "one more")
    ana.export(tmp_path / "two.jsonl")

    done = copy.import_file(tmp_path / "two.jsonl")

    assert done.added == {"event": 1}
    assert copy.session("trip").events()[-1].content == "one more"


def test_a_session_that_went_on_differently_is_left_alone_and_told(lab, full, tmp_path):
    full.space("ana").export(tmp_path / "ana.jsonl")
    other = lab.space("copy")
    other.session("trip").append("user", "another talk", seq=100)

    done = other.import_file(tmp_path / "ana.jsonl")

    assert [event.content for event in other.session("trip").events()] == ["another talk"]
    assert any("'trip' has gone on differently" in note for note in done.notes)


def test_a_name_that_another_entry_has_gives_way(lab, full, tmp_path):
    full.space("ana").export(tmp_path / "ana.jsonl")
    other = lab.space("copy")
    other.remember("Oslo", name="home")

    done = other.import_file(tmp_path / "ana.jsonl")
    again = other.import_file(tmp_path / "ana.jsonl")

    assert done.renamed == {"home": "home-2"}
    assert (other.get("home").content, other.get("city").content) == ("Oslo", "Porto")
    assert again.added == again.renamed == {}


def test_what_a_file_says_of_its_origin_is_believed_only_if_asked_for(lab, full, tmp_path):
    full.space("ana").export(tmp_path / "ana.jsonl")
    plain, trusted = lab.space("a"), lab.space("b")
    plain.import_file(tmp_path / "ana.jsonl")
    trusted.import_file(tmp_path / "ana.jsonl", origin=None)

    assert {e.origin for e in plain.entries()} == {"import"}
    assert {e.origin for e in plain.session("trip").events()} == {"import"}
    assert {d.origin for d in plain.documents()} == {"import"}
    assert {e.origin for e in plain.history("home")} == {"import"}
    assert trusted.get("home").origin == "user"


def test_events_that_upkeep_took_out_do_not_come_back(lab, tmp_path):
    memory = lab.open()
    ana = memory.space("ana")
    ana.session("trip").append("user", "important and old", importance=0.9)
    ana.session("trip").append("user", "stays")
    ana.export(tmp_path / "ana.jsonl")
    lab.clock.advance(days=100)
    ana.consolidate()
    memory.maintain()

    done = ana.import_file(tmp_path / "ana.jsonl")

    assert done.added == {}
    assert done.notes == ()
    assert [event.seq for event in ana.session("trip").events()] == [2]


def test_an_import_that_broke_off_is_completed_by_the_next(lab, tmp_path):
    source = lab.space("ana")
    source.session("trip").extend({"role": "user", "content": f"line {n}"} for n in range(1_200))
    for number in range(30):
        source.remember(f"note {number}", name=f"n{number}")
    source.export(tmp_path / "ana.jsonl")
    target = lab.space("copy")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        target.import_file(tmp_path / "ana.jsonl", progress=stop)
    assert len(target.session("trip").events()) == 500
    done = target.import_file(tmp_path / "ana.jsonl")

    assert done.added == {"event": 700, "entry": 30}
    assert told(target)["events"][-1][5] == "line 1199"


# --- the file itself --------------------------------------------------------------------------


def test_an_export_is_json_lines_with_a_version_and_a_count(full, tmp_path):
    done = full.space("ana").export(tmp_path / "ana.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "ana.jsonl").read_text().splitlines()]

    assert lines[0]["recollect"] == "export"
    assert lines[0]["version"] == 1
    assert lines[-1] == {"type": "end", "records": len(lines) - 2}
    assert sum(done.records.values()) == len(lines) - 2
    assert done.bytes == (tmp_path / "ana.jsonl").stat().st_size
    assert (tmp_path / "ana.jsonl").stat().st_mode & 0o077 == 0


def test_an_export_never_overwrites_and_leaves_nothing_beside_it(full, tmp_path):
    (tmp_path / "there").write_text("mine")

    for path, error, word in (
        (tmp_path / "there", InvalidInput, "exists"),
        (tmp_path / "no" / "file", InvalidInput, "folder"),
        ("\0", InvalidInput, "path"),
    ):
        with pytest.raises(error, match=word):
            full.space("ana").export(path)
    with pytest.raises(NotFound, match="nobody"):
        full.space("nobody").export(tmp_path / "new")

    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith("memory")] == [
        "there"
    ]
    assert (tmp_path / "there").read_text() == "mine"


def changed(lines: list[str], number: int, **fields: object) -> list[str]:
    """The lines of an export with one record changed; None takes a field away."""
    record = json.loads(lines[number - 1]) | fields
    record = {key: value for key, value in record.items() if value != "<gone>"}
    return [*lines[: number - 1], json.dumps(record), *lines[number:]]


ENTRY = 8  # the first line that holds an entry
BAD = {
    "no header": (lambda lines: lines[1:], "line 1: .*no export"),
    "a newer version": (lambda lines: changed(lines, 1, version=2), "line 1: .*version 2"),
    "cut off": (lambda lines: lines[:-1], "the last line is missing"),
    "one line less": (lambda lines: lines[:3] + lines[4:], "records are told"),
    "something after the end": (lambda lines: [*lines, lines[2]], "after the last line"),
    "no JSON": (lambda lines: [*lines[:3], "{oops", *lines[4:]], "line 4: .*JSON"),
    "no object": (lambda lines: [*lines[:3], "[1]", *lines[4:]], "line 4: .*list"),
    "an unknown type": (lambda lines: changed(lines, 2, type="song"), "line 2: type 'song'"),
    "an unknown field": (lambda lines: changed(lines, 2, colour=1), "line 2: field 'colour'"),
    "a missing field": (lambda lines: changed(lines, 2, role="<gone>"), "line 2: .*'role'"),
    "a bad time": (lambda lines: changed(lines, 2, at="noon"), "line 2: at 'noon'"),
    "a time without zone": (lambda lines: changed(lines, 2, at="2024-01-01"), "time zone"),
    "a bad uid": (lambda lines: changed(lines, 2, uid="7"), "line 2: uid '7'"),
    "a negative seq": (lambda lines: changed(lines, 2, seq=-1), "line 2: seq is -1"),
    "a NUL": (lambda lines: changed(lines, 2, content="a\0b"), "line 2: .*NUL"),
    "a lone surrogate": (lambda lines: changed(lines, 2, content="\ud800"), "line 2: .*surrogate"),
    "a bad origin": (lambda lines: changed(lines, ENTRY, origin=1), "line 8: origin is int"),
    "a blank entry": (lambda lines: changed(lines, ENTRY, content=" "), "line 8: content is blank"),
    "an entry of parts": (lambda lines: changed(lines, ENTRY, content=[]), "line 8: content is"),
    "a bad kind": (lambda lines: changed(lines, ENTRY, kind="song"), "line 8: kind 'song'"),
    "a bad revision": (lambda lines: changed(lines, ENTRY, revisions=[{}]), "line 8: field"),
    "no importance": (lambda lines: changed(lines, ENTRY, importance=None), "line 8: importance"),
    "a bad range": (lambda lines: changed(lines, ENTRY, retells=["s", 1]), "line 8: retells"),
    "before 1970": (
        lambda lines: changed(lines, ENTRY, created_at="1960-01-01T00:00:00+00:00",
                              updated_at="1960-01-01T00:00:00+00:00"),
        "line 8: .*1970",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_refused_by_line_and_nothing_is_written(lab, full, tmp_path, what):
    change, message = BAD[what]
    full.space("ana").export(tmp_path / "ana.jsonl")
    lines = (tmp_path / "ana.jsonl").read_text().splitlines()
    (tmp_path / "bad.jsonl").write_text("\n".join(change(lines)) + "\n")
    memory = lab.open()

    with pytest.raises(InvalidInput, match=message):
        memory.space("copy").import_file(tmp_path / "bad.jsonl")

    assert memory.spaces() == []


def test_a_bad_line_behind_many_good_ones_is_found_before_anything_is_written(lab, tmp_path):
    source = lab.space("ana")
    source.session("trip").extend({"role": "user", "content": f"line {n}"} for n in range(1_200))
    source.export(tmp_path / "ana.jsonl")
    lines = (tmp_path / "ana.jsonl").read_text().splitlines()
    (tmp_path / "bad.jsonl").write_text("\n".join(changed(lines, 1_150, role=" ")) + "\n")
    memory = lab.open()

    with pytest.raises(InvalidInput, match="line 1150: role is blank"):
        memory.space("copy").import_file(tmp_path / "bad.jsonl")

    assert memory.spaces() == []


def test_what_is_no_file_of_ours_is_refused(lab, tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "empty").write_bytes(b"")
    space = lab.space("ana")

    for path, error in (
        (tmp_path / "missing", NotFound),
        (tmp_path, NotFound),
        (tmp_path / "binary", InvalidInput),
        (tmp_path / "empty", InvalidInput),
        (7, InvalidInput),
    ):
        with pytest.raises(error):
            space.import_file(path)
    with pytest.raises(InvalidInput, match="origin 'me'"):
        space.import_file(tmp_path / "empty", origin="me")


def export_of(path: Path, *records: dict[str, object]) -> Path:
    head = {"recollect": "export", "version": 1, "space": "x", "at": "2024-03-01T10:00:00+00:00"}
    lines = [head, *records, {"type": "end", "records": len(records)}]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


DAY = "2024-03-01T10:00:00+00:00"
ARCHIVE = {
    "type": "entry", "uid": U + "1", "content": "They spoke", "kind": "archive",
    "created_at": DAY, "updated_at": DAY,
}  # fmt: skip
STATE = {
    "type": "session", "session": "trip", "scratchpad": [], "summary": "They spoke", "upto": 36,
    "summarized_at": None,
}  # fmt: skip


@pytest.mark.parametrize(
    "record",
    [
        ARCHIVE | {"retells": ["trip", 5, 10**30]},
        ARCHIVE | {"retells": ["trip", 5, 4]},
        ARCHIVE | {"retells": ["trip", -1, 4]},
        STATE | {"upto": 10**30},
    ],
)
def test_numbers_that_no_log_has_are_refused_by_line(lab, tmp_path, record):
    space = lab.space()

    with pytest.raises(InvalidInput, match="line 2"):
        space.import_file(export_of(tmp_path / "bad.jsonl", record))

    assert space.entries() == space.sessions() == []


def test_a_summary_covers_nothing_that_comes_after_the_import(lab, tmp_path):
    """Upkeep took all of its events out before the export."""
    space = lab.space()
    space.import_file(export_of(tmp_path / "bare.jsonl", STATE))

    chat = space.session("trip")
    chat.append("user", "Where are the herons?")

    assert chat.summary().text == "They spoke"
    assert "Where are the herons?" in [told["content"] for told in chat.restore()]


# --- other memories ---------------------------------------------------------------------------


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
    done = space.import_file(legacy(tmp_path))
    before, seen = counts(memory), told(space)

    again = space.import_file(tmp_path / "legacy.db")

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
    space.import_file(path)
    database(path, (PUT, (U + "9", "s1", "user", "new", None, "2024-03-02T00:00:00Z", 0.5,
                          None, None)))  # fmt: skip

    assert space.import_file(path).added == {"event": 1}
    assert [event.content for event in space.session("s1").events()][-1] == "new"


def test_a_vector_of_a_wrong_length_refuses_the_whole_file(lab, tmp_path):
    """EMB-1"""
    memory = lab.open()

    with pytest.raises(InvalidInput, match="messages row 1: embedding has 100 bytes"):
        memory.space("ana").import_file(legacy(tmp_path, embedding=bytes(100)))

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
    space.import_file(path)

    events = space.session("s").events()

    assert [(e.seq, e.role, e.content) for e in events] == [
        (2, "user", "question"), (9, "assistant", "answer"), (12, "system", None),
    ]  # fmt: skip
    assert events[1].metadata == {"payload": {"mood": "good"}}
    assert events[2].metadata == {"payload": {"raw": "{not json"}}
    assert memory.stats().chunks == 2
    assert space.import_file(path).added == {}


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
        space.import_file(path)
    with pytest.raises(InvalidInput, match="no owner 'ann'"):
        space.import_file(path, owner="ann")
    done = space.import_file(path, owner="kate")

    assert done.added == {"entry": 1, "event": 5}
    [entry] = space.entries()
    assert (entry.uid, entry.tags, entry.content) == (U + "1", ("birds",), "likes herons")
    assert entry.created_at.isoformat() == "2024-03-01T12:00:00+00:00"
    assert [e.content for e in space.session("s").events()] == [f"line {n}" for n in range(5)]
    assert any("1 rows of 'memories' are blank" in note for note in done.notes)
    assert space.import_file(path, owner="kate").added == {}


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

    done = space.import_file(path)

    entry = space.get("seat")
    assert (entry.content, entry.category, entry.metadata) == ("window", "daily", {"a": 1})
    assert entry.uid == U + "1"
    assert (entry.updated_at - entry.created_at).days == 1
    assert space.import_file(path).added == {}
    assert done.format == "memories"


def test_a_database_is_only_read_and_nothing_is_left_beside_it(lab, tmp_path):
    folder = tmp_path / "old"
    folder.mkdir()
    path = legacy(folder)
    content = path.read_bytes()

    lab.space("ana").import_file(path)

    assert path.read_bytes() == content
    assert [file.name for file in folder.iterdir()] == ["legacy.db"]


def test_what_is_still_in_the_wal_of_a_database_in_use_is_taken_too(lab, tmp_path):
    raw = apsw.Connection(str(tmp_path / "live.db"))
    raw.execute("PRAGMA journal_mode=WAL").fetchall()
    raw.execute(MESSAGES).fetchall()
    raw.execute(PUT, (U + "1", "s", "user", "live", None, "2024-03-01T10:00:00Z", 0.5, None,
                      None)).fetchall()  # fmt: skip

    assert lab.space("ana").import_file(tmp_path / "live.db").added == {"event": 1}
    raw.close()


def test_databases_that_are_no_memory_or_our_own_are_refused(lab, full, tmp_path):
    space = lab.space("ana")
    database(tmp_path / "songs.db", "CREATE TABLE songs (id, title)")
    (tmp_path / "broken.db").write_bytes(b"SQLite format 3\0" + b"\xaa" * 5_000)

    with pytest.raises(InvalidInput, match=r"no memory that is known.*songs"):
        space.import_file(tmp_path / "songs.db")
    with pytest.raises(InvalidInput, match="cannot be read as a database"):
        space.import_file(tmp_path / "broken.db")
    full.flush()
    with pytest.raises(InvalidInput, match="export the space"):
        space.import_file(lab.url(full))


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

    done = space.import_file(path)

    assert done.added == {"entry": 2}
    assert len(done.renamed) == 1
    assert sorted(entry.content for entry in space.entries(kind="fact")) == ["a", "b"]
    assert space.import_file(path).added == {}


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
        space.import_file(path)

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

    with pytest.raises(recollect.errors.RecollectError):
        space.import_file(tmp_path / "cut.db")

    assert space.entries() == []
