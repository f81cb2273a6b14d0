"""Export and import: a space comes back as it was, and a second time changes nothing."""

import pytest
from ported import told

from ricordo.testing.assertions import counts


def test_a_space_comes_back_as_it_was(lab, full, tmp_path):
    full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    other = lab.space("copy")

    other.exchange.import_file(tmp_path / "ana.jsonl", origin=None)

    assert told(other) == told(full.space("ana"))


def test_what_was_imported_is_recalled_and_remembers_the_past(lab, full, tmp_path):
    ana = full.space("ana")
    ana.exchange.export(tmp_path / "ana.jsonl")
    copy = lab.space("copy")
    copy.exchange.import_file(tmp_path / "ana.jsonl")
    before = ana.history("home")[0].since

    assert copy.get("home", as_of=before).content == "Lisbon"
    assert copy.recall("herons", mode="keyword")[0].source.uri == "doc:herons"
    [hit] = copy.recall("hola", mode="keyword", session="trip")
    assert (hit.source.seq_start, hit.author) == (1, "Ana")
    assert copy.session("trip").expand("trip-1") != []


def test_events_that_were_consolidated_are_not_consolidated_again(lab, full, tmp_path):
    full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    copy = lab.space("copy")
    copy.exchange.import_file(tmp_path / "ana.jsonl")

    assert copy.dreams.consolidate().events == 0


def test_a_second_import_changes_nothing(lab, full, tmp_path):
    full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    memory = lab.open()
    space = memory.space("copy")
    first = space.exchange.import_file(tmp_path / "ana.jsonl")
    before, seen = counts(memory), told(space)

    second = space.exchange.import_file(tmp_path / "ana.jsonl")

    assert (counts(memory), told(space)) == (before, seen)
    assert second.added == {}
    assert second.known["event"] == first.added["event"] == 5
    assert second.known["entry"] == first.added["entry"]


def test_an_import_into_the_space_it_came_from_changes_nothing(full, tmp_path):
    ana = full.space("ana")
    ana.exchange.export(tmp_path / "ana.jsonl")
    before = told(ana)

    assert ana.exchange.import_file(tmp_path / "ana.jsonl").added == {}
    assert told(ana) == before


def test_a_session_that_went_on_since_takes_only_what_came_after(lab, full, tmp_path):
    ana = full.space("ana")
    ana.exchange.export(tmp_path / "one.jsonl")
    copy = lab.space("copy")
    copy.exchange.import_file(tmp_path / "one.jsonl")
    ana.session("trip").append("user", "one more")
    ana.exchange.export(tmp_path / "two.jsonl")

    done = copy.exchange.import_file(tmp_path / "two.jsonl")

    assert done.added == {"event": 1}
    assert copy.session("trip").events()[-1].content == "one more"


def test_a_session_that_went_on_differently_is_left_alone_and_told(lab, full, tmp_path):
    full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    other = lab.space("copy")
    other.session("trip").append("user", "another talk", seq=100)

    done = other.exchange.import_file(tmp_path / "ana.jsonl")

    assert [event.content for event in other.session("trip").events()] == ["another talk"]
    assert any("'trip' has gone on differently" in note for note in done.notes)


def test_a_name_that_another_entry_has_gives_way(lab, full, tmp_path):
    full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    other = lab.space("copy")
    other.remember("Oslo", name="home")

    done = other.exchange.import_file(tmp_path / "ana.jsonl")
    again = other.exchange.import_file(tmp_path / "ana.jsonl")

    assert done.renamed == {"home": "home-2"}
    assert (other.get("home").content, other.get("city").content) == ("Oslo", "Porto")
    assert again.added == again.renamed == {}


def test_what_a_file_says_of_its_origin_is_believed_only_if_asked_for(lab, full, tmp_path):
    full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    plain, trusted = lab.space("a"), lab.space("b")
    plain.exchange.import_file(tmp_path / "ana.jsonl")
    trusted.exchange.import_file(tmp_path / "ana.jsonl", origin=None)

    assert {e.origin for e in plain.entries()} == {"import"}
    assert {e.origin for e in plain.session("trip").events()} == {"import"}
    assert {d.origin for d in plain.documents.list()} == {"import"}
    assert {e.origin for e in plain.history("home")} == {"import"}
    assert trusted.get("home").origin == "user"


def test_events_that_upkeep_took_out_do_not_come_back(lab, tmp_path):
    memory = lab.open(config={"event_days": 90})
    ana = memory.space("ana")
    ana.session("trip").append("user", "important and old", importance=0.9)
    ana.session("trip").append("user", "stays")
    ana.exchange.export(tmp_path / "ana.jsonl")
    lab.clock.advance(days=100)
    ana.dreams.consolidate(min_importance=0.7)
    memory.maintain()

    done = ana.exchange.import_file(tmp_path / "ana.jsonl")

    assert done.added == {}
    assert done.notes == ()
    assert [event.seq for event in ana.session("trip").events()] == [2]


def test_an_import_that_broke_off_is_completed_by_the_next(lab, tmp_path):
    source = lab.space("ana")
    source.session("trip").extend({"role": "user", "content": f"line {n}"} for n in range(1_200))
    for number in range(30):
        source.remember(f"note {number}", name=f"n{number}")
    source.exchange.export(tmp_path / "ana.jsonl")
    target = lab.space("copy")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        target.exchange.import_file(tmp_path / "ana.jsonl", progress=stop)
    assert len(target.session("trip").events()) == 500
    done = target.exchange.import_file(tmp_path / "ana.jsonl")

    assert done.added == {"event": 700, "entry": 30}
    assert told(target)["events"][-1][5] == "line 1199"
