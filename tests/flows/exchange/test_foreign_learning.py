"""What other memories learnt comes along: signals, promotions and macros, each once."""

import pytest
from test_foreign_memories import U, database

import ricordo

MEMORIES = (
    "CREATE TABLE memories (id TEXT PRIMARY KEY, agent_id TEXT, content TEXT, tags TEXT,"
    " concept_tags TEXT, created_at INTEGER)"
)
RECALLS = (
    "CREATE TABLE recall_events (id INTEGER PRIMARY KEY, agent_id TEXT, memory_id TEXT, query TEXT,"
    " score REAL, ts_ms INTEGER)"
)
PROMOTIONS = (
    "CREATE TABLE memory_promotions (memory_id TEXT PRIMARY KEY, agent_id TEXT,"
    " promoted_at INTEGER, score REAL, phase TEXT)"
)
MACROS = (
    "CREATE TABLE macros (id INTEGER PRIMARY KEY, trigger_tool TEXT, trigger_args_pattern TEXT,"
    " next_tool TEXT, next_args TEXT, confidence REAL, used_count INTEGER, created_at TEXT,"
    " updated_at TEXT)"
)
AT = 1_709_294_400_000


def test_signals_and_promotions_come_with_their_memories_once(lab, tmp_path):
    note = "INSERT INTO memories VALUES (?, ?, ?, '[]', '[]', ?)"
    recalled = "INSERT INTO recall_events VALUES (NULL, ?, ?, ?, ?, ?)"
    path = database(
        tmp_path / "agents.db",
        f"{MEMORIES};{RECALLS};{PROMOTIONS}",
        (note, (U + "1", "kate", "Prefers window seats", AT)),
        (note, (U + "2", "bob", "Of bob", AT)),
        (recalled, ("kate", U + "1", "where to sit", 0.5, AT)),
        (recalled, ("kate", U + "1", "where to sit", 0.5, AT + 1)),
        (recalled, ("kate", U + "9", "of a memory that is gone", 0.5, AT)),
        (recalled, ("bob", U + "2", "of bob", 0.5, AT)),
        ("INSERT INTO memory_promotions VALUES (?, 'kate', ?, 0.8, 'deep')", (U + "1", AT)),
    )
    space = lab.space("kate")

    done = space.exchange.import_file(path, owner="kate")
    again = space.exchange.import_file(path, owner="kate")

    assert done.added == {"entry": 1, "signal": 2, "promotion": 1}
    assert again.added == {}
    assert again.known == {"entry": 1, "signal": 2, "promotion": 1}
    assert any("a signal is not taken" in note for note in done.notes)
    assert [(s.query, s.score) for s in space.dreams.signals()] == [("where to sit", 0.5)] * 2
    [promoted] = space.dreams.promotions()
    assert (promoted.score, promoted.at.year) == (0.8, 2024)


def test_macros_come_as_often_as_they_were_used_once(lab, tmp_path):
    put = "INSERT INTO macros VALUES (NULL, ?, ?, ?, ?, 0.5, ?, '2024-03-01T12:00:00Z', ?)"
    path = database(
        tmp_path / "daemon.db",
        MACROS,
        (put, ("edit", None, "test", '{"path": "tests"}', 7, "2024-03-02T12:00:00Z")),
        (put, ("edit", "not json", "lint", None, 0, "2024-03-02T12:00:00Z")),
    )
    space = lab.space("kate")

    done = space.exchange.import_file(path)
    again = space.exchange.import_file(path)

    assert done.added == {"macro": 2}
    assert again.known == {"macro": 2}
    found = space.macros.suggest({"name": "edit", "arguments": {}}, min_confidence=0.0)
    assert found[0].next_tool == "test"
    assert found[0].followed == 7


@pytest.mark.parametrize("score", ["'high'", "1e300", "NULL"])
def test_a_score_that_is_not_a_number_is_refused_and_nothing_is_taken(lab, tmp_path, score):
    path = database(
        tmp_path / "agents.db",
        f"{MEMORIES};{RECALLS}",
        (f"INSERT INTO recall_events VALUES (NULL, 'kate', ?, 'q', {score}, 1)", (U + "1",)),
    )

    with pytest.raises(ricordo.InvalidInput, match="recall_events row 1: score is"):
        lab.space("kate").exchange.import_file(path)
