"""A log that was cut and edited: it verifies, comes home from damage, and travels."""

import apsw
import pytest

import ricordo

SECRET = "Xerxes of the passport"


@pytest.fixture
def path(tmp_path):
    """A log of five lines: line 2 was edited twice, 4 and 5 were cut, 6 is not indexed."""
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        chat = memory.space("ana").session("trip")
        chat.extend([{"role": "user", "content": f"line {n} {SECRET}"} for n in range(1, 6)])
        chat.edit(2, "line two")
        chat.edit(2, "second line")
        chat.truncate(after=3)
        chat.append("tool", "quiet line", index=False)
        memory.space("ana").session("empty").create()
    return tmp_path / "agent.db"


def lines(memory):
    return [(e.seq, e.content, e.index) for e in memory.space("ana").session("trip").events()]


LINES = [
    (1, f"line 1 {SECRET}", True),
    (2, "second line", True),
    (3, f"line 3 {SECRET}", True),
    (6, "quiet line", False),
]


def change(path, statement):
    """Change the file behind ricordo's back."""
    raw = apsw.Connection(str(path))
    raw.execute(statement)
    raw.close()


def test_a_changed_log_verifies(path):
    with ricordo.open(path, embedder="none") as memory:
        assert lines(memory) == LINES
        assert memory.check() == []


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE events SET content = 'x' WHERE seq = 2", "the payload of event 2 was changed"),
        ("UPDATE events SET link = zeroblob(32) WHERE seq = 2", "event 2 was not edited"),
        ("UPDATE gaps SET digest = zeroblob(32) WHERE seq = 4", "event 4 does not follow"),
        ("DELETE FROM gaps WHERE seq = 5", "event 6 does not follow"),
        ("DELETE FROM gaps WHERE seq = 2", "event 2 does not follow"),
    ],
)
def test_damage_to_a_changed_log_is_found(path, statement, words):
    change(path, statement)

    with ricordo.open(path, embedder="none") as memory:
        assert any(words in violation.detail for violation in memory.check())


def test_salvage_brings_a_changed_log_home(path, tmp_path):
    done = ricordo.salvage(path, tmp_path / "new.db")

    assert done.lost == ()
    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        assert lines(memory) == LINES
        assert memory.check() == []
        assert memory.space("ana").recall("quiet", mode="keyword") == []
        assert memory.space("ana").session("trip").append("user", "next").seq == 7


def test_salvage_leaves_an_edited_event_behind_that_does_not_verify(path, tmp_path):
    change(path, "UPDATE events SET content = 'x' WHERE seq = 2")

    done = ricordo.salvage(path, tmp_path / "new.db")

    assert any("event 2 does not verify" in words for words in done.lost)
    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        assert lines(memory) == [line for line in LINES if line[0] != 2]
        assert memory.check() == []


def test_an_export_holds_what_the_log_holds_and_keeps_seqs_used(path, tmp_path):
    with ricordo.open(path, embedder="none") as memory:
        memory.space("ana").session("trip").truncate(after=3)
        memory.space("ana").exchange.export(tmp_path / "ana.jsonl")
        known = lines(memory)

    with ricordo.open(tmp_path / "other.db", embedder="none") as other:
        ana = other.space("ana")
        ana.exchange.import_file(tmp_path / "ana.jsonl")
        again = ana.exchange.import_file(tmp_path / "ana.jsonl")

        assert lines(other) == known == LINES[:3]
        assert again.added == {}
        assert ana.session("empty").info().events == 0
        assert ana.session("trip").append("user", "next").seq == 7
        assert other.check() == []
    assert f"line 5 {SECRET}" not in (tmp_path / "ana.jsonl").read_text("utf-8")


def test_an_unindexed_message_stays_unindexed_in_an_import(path, tmp_path):
    with ricordo.open(path, embedder="none") as memory:
        memory.space("ana").exchange.export(tmp_path / "ana.jsonl")

    with ricordo.open(tmp_path / "other.db", embedder="none") as other:
        other.space("ana").exchange.import_file(tmp_path / "ana.jsonl")

        assert lines(other) == LINES
        assert other.space("ana").recall("quiet", mode="keyword") == []


def test_a_copy_is_the_same_log(path, tmp_path):
    with ricordo.open(path, embedder="none") as memory:
        memory.copy(tmp_path / "copy.db")

    with ricordo.open(tmp_path / "copy.db", embedder="none") as other:
        assert lines(other) == LINES
        assert other.check() == []
        assert other.space("ana").session("trip").events()[1].revision == 2


def test_what_was_asked_right_after_a_message_goes_with_it(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        ana = memory.space("ana")
        ana.remember("Prefers window seats", name="seat")
        chat = ana.session("trip")
        for number in (1, 2):
            chat.append("user", f"which window seat {number}?")
            chat.context("window seats", 2_000)
        assert {signal.seq for signal in ana.dreams.signals()} == {1, 2}

        chat.edit(1, "[removed]")
        assert {signal.seq for signal in ana.dreams.signals()} == {2}
        chat.truncate(after=1)
        assert ana.dreams.signals() == []


def test_erased_text_of_a_cut_is_overwritten_in_the_file(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        chat = memory.space("ana").session("trip")
        chat.append("user", "Hello")
        chat.append("user", SECRET, metadata={"card": SECRET})
        chat.append("user", f"again {SECRET}")

        chat.edit(2, "[removed]")
        chat.truncate(after=2)

    assert SECRET.encode() not in (tmp_path / "agent.db").read_bytes()
