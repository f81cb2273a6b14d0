"""Upkeep: what is past its time goes, and everything else stays."""

from datetime import timedelta

from ageing import SHORT_LIVED, consolidated, rows

import ricordo
from ricordo.testing import Lab

# --- events -----------------------------------------------------------------------------------


def test_a_consolidated_event_goes_and_others_of_its_age_stay(aged):
    """RET-1"""
    chat = aged.space("ana").session("trip")
    assert [event.seq for event in chat.recent()] == [1, 2, 3]

    done = aged.maintain()

    assert [event.seq for event in chat.events()] == [2, 3]
    assert done.removed["events"] == done.removed["chunks"] == done.removed["embeddings"] == 1
    assert [e.seq for e in chat.recent()] == [2, 3]


def test_what_an_archive_stands_for_is_kept_as_long_as_the_archive(lab: Lab):
    """Compaction loses nothing, and upkeep must not lose it later."""
    memory = lab.open(config=SHORT_LIVED)
    space = memory.space("ana")
    chat = space.session("trip")
    for n in range(6):
        chat.append("user", f"important thing number {n}", importance=0.9)
    archive = chat.compact(keep=2)
    lab.clock.advance(days=100)
    consolidated(space)

    memory.maintain()
    assert [event.seq for event in chat.expand(archive.name)] == [1, 2, 3, 4]

    space.forget(archive.name)
    memory.maintain()
    assert chat.events()[0].kind == "marker"


def test_the_log_is_still_proved_whole_after_events_were_taken_out(aged):
    aged.maintain()
    chat = aged.space("ana").session("trip")
    chat.append("user", "and it goes on")

    assert [event.seq for event in chat.events()] == [2, 3, 4]
    assert aged.check() == []


def test_an_event_that_is_lost_is_told_from_one_that_was_taken_out(lab, aged):
    aged.maintain()
    store = aged._engine.store
    store.write(lambda tx: tx.rows("upkeep.drop_event", space=1, session="trip", seq=2))

    assert {violation.rule for violation in aged.check()} == {"session", "chain"}
    lab.forget(aged)
    aged.close()


def test_a_gap_that_is_lost_breaks_the_chain(lab, aged):
    aged.maintain()
    aged._engine.store.write(lambda tx: tx.upkeep.delete_gaps(1, "trip"))

    assert "chain" in {violation.rule for violation in aged.check()}
    lab.forget(aged)
    aged.close()


def test_what_was_taken_out_is_no_longer_recalled_and_the_note_of_it_is(aged):
    aged.maintain()
    space = aged.space("ana")

    assert [h.source.kind for h in space.recall("tangerine", mode="keyword")] == []
    assert space.get("consolidated-trip-1").content == "a note"


def test_a_text_that_others_of_the_session_say_too_is_still_found_by_theirs(lab):
    memory = lab.open(config=SHORT_LIVED)
    chat = memory.space("ana").session("trip")
    chat.append("user", "the tangerine is ripe", importance=0.9)
    chat.append("assistant", "noted")
    chat.append("assistant", "the tangerine is ripe", importance=0.1, name="Kim")
    lab.clock.advance(days=100)
    consolidated(memory.space("ana"))

    memory.maintain()
    [hit] = memory.space("ana").recall("tangerine", mode="keyword")

    assert (hit.source.seq_start, hit.source.seq_end, hit.author) == (3, 3, "Kim")


def test_a_text_said_again_by_one_that_goes_stays_with_the_first(lab):
    memory = lab.open(config=SHORT_LIVED)
    chat = memory.space("ana").session("trip")
    chat.append("user", "the tangerine is ripe", importance=0.1)
    chat.append("assistant", "the tangerine is ripe", importance=0.9)
    lab.clock.advance(days=100)
    consolidated(memory.space("ana"))

    memory.maintain()
    [hit] = memory.space("ana").recall("tangerine", mode="keyword")

    assert (hit.source.seq_start, hit.source.seq_end) == (1, 1)


def test_a_session_whose_events_are_all_gone_still_goes_on_with_the_next_seq(lab):
    memory = lab.open(config=SHORT_LIVED)
    chat = memory.space("ana").session("trip")
    chat.append("user", "the only one", importance=0.9)
    lab.clock.advance(days=100)
    consolidated(memory.space("ana"))
    memory.maintain()

    assert chat.events() == []
    assert [info.events for info in memory.space("ana").sessions()] == [0]
    assert memory.check() == []
    assert chat.append("user", "another").seq == 2


def test_events_and_revisions_stay_for_ever_by_default(lab):
    memory = lab.open(config={"signal_days": 0})
    space = memory.space("ana")
    space.session("trip").append("user", "keep me", importance=0.9)
    space.remember("one", name="a")
    space.write("a", "two")
    space.recall("two")
    lab.clock.advance(days=10_000)
    consolidated(space)

    assert memory.maintain().removed == {}
    assert len(space.session("trip").events()) == len(space.history("a")) == 1


# --- entries, revisions, signals, runs --------------------------------------------------------


def test_old_signals_go_and_recent_ones_stay(lab):
    """RET-2"""
    memory = lab.open(config=SHORT_LIVED)
    space = memory.space("ana")
    for number in range(5):
        space.remember(f"fox number {number}", name=f"fox{number}")
    space.recall("fox", mode="keyword")
    memory.flush()
    lab.clock.advance(days=91)
    space.recall("number 3", limit=1)

    assert memory.maintain().removed == {"signals": 5}
    assert [signal.query for signal in space.dreams.signals()] == ["number 3"]


def test_daily_entries_leave_list_recall_and_index_while_core_stays(lab):
    """RET-3"""
    memory = lab.open(config={"daily_days": 30})
    space = memory.space("ana")
    space.remember("porridge for breakfast", name="today", category="daily")
    space.remember("porridge is liked", name="taste", category="core")
    memory.flush()
    space.recall("porridge")
    lab.clock.advance(days=31)
    space.remember("porridge again", name="now", category="daily")

    done = memory.maintain()

    assert {entry.name for entry in space.entries()} == {"taste", "now"}
    assert {hit.entry.name for hit in space.recall("porridge", mode="keyword")} == {"taste", "now"}
    assert done.removed["entries"] == done.removed["chunks"] == done.removed["signals"] == 1
    assert memory.check() == []


def test_daily_entries_stay_unless_somebody_asked(lab):
    memory = lab.open(config=SHORT_LIVED)
    memory.space("ana").remember("porridge", name="today", category="daily")
    lab.clock.advance(days=1_000)

    assert memory.maintain().removed == {}


def test_what_an_entry_said_long_ago_goes_and_what_it_says_stays(lab):
    memory = lab.open(config=SHORT_LIVED)
    space = memory.space("ana")
    space.remember("Lisbon", name="home")
    space.write("home", "Porto")
    lab.clock.advance(days=91)
    space.write("home", "Faro")

    assert memory.maintain().removed == {"revisions": 1}
    assert [old.content for old in space.history("home")] == ["Porto"]
    assert space.get("home").content == "Faro"


def test_entries_past_their_time_are_removed_with_everything_of_theirs(lab):
    memory = lab.open(config=SHORT_LIVED)
    space = memory.space("ana")
    space.remember("a code", name="code", expires_at=lab.clock() + timedelta(days=1))
    space.remember("stays", name="other")
    memory.flush()
    lab.clock.advance(days=2)

    assert memory.maintain().removed["entries"] == 1
    assert rows(memory, "entries") == rows(memory, "chunks") == rows(memory, "embeddings") == 1


def test_runs_beyond_those_kept_go(lab):
    memory = lab.open(config=SHORT_LIVED)
    space = memory.space("ana")
    space.schedule("Send", timedelta(minutes=1), name="report")
    for number in range(6):
        lab.clock.advance(minutes=1)
        [claim] = memory.claim(1, "w")
        memory.finish(claim, ricordo.Run(output=f"run {number}"))

    fewer = lab.reopen(memory, config={"runs_kept": 2})

    assert fewer.maintain().removed == {"runs": 4}
    assert [r.output for r in fewer.space("ana").schedules.runs("report")] == ["run 5", "run 4"]
