"""Upkeep: only expired data is deleted; erasure, export and import hold."""

import tempfile
from datetime import timedelta
from pathlib import Path

from ricordo import Memory
from ricordo.errors import InvalidInput, NotFound
from ricordo.testing.assertions import counts, raises, texts
from ricordo.testing.lab import Lab, durable

_SHORT_LIVED = {"event_days": 90, "revision_days": 90}


def _make_old_events(lab: Lab) -> Memory:
    """A consolidated event and another one, both 100 days old."""
    memory = lab.open(config=_SHORT_LIVED)
    ana = memory.space("ana")
    ana.session("trip").append("user", "the tangerine is consolidated", importance=0.9)
    ana.session("trip").append("user", "the marmalade is not")
    lab.clock.advance(days=100)
    ana.dreams.consolidate(lambda *_: "a note", min_importance=0.7)
    return memory


def case_consolidated_events_past_their_time_go_and_others_never(lab: Lab) -> None:
    """RET-1"""
    memory = _make_old_events(lab)

    done = memory.maintain()

    chat = memory.space("ana").session("trip")
    assert done.removed["events"] == 1
    assert [event.seq for event in chat.events()] == [2]
    assert memory.space("ana").recall("tangerine", mode="keyword") == []
    assert chat.append("user", "next").seq == 3
    assert memory.check() == []


def case_what_was_said_on_other_days_stays_when_an_event_goes(lab: Lab) -> None:
    """RET-1, CHK-1"""
    memory = lab.open(config=_SHORT_LIVED)
    ana = memory.space("ana")
    first = lab.clock()
    times = [first, first + timedelta(days=1), first + timedelta(hours=1)]
    for at, importance in zip(times, (0.9, 0.5, 0.5), strict=True):
        ana.session("trip").append("user", "a tangerine", at=at, importance=importance)
    lab.clock.advance(days=100)
    ana.dreams.consolidate(lambda *_: "a note", min_importance=0.7)

    assert memory.maintain().removed["events"] == 1
    hits = ana.recall("tangerine", mode="keyword")
    assert {(hit.at, hit.source.seq_start) for hit in hits} == {(times[1], 2), (times[2], 3)}


@durable
def case_working_memory_elsewhere_forgets_events_that_went(lab: Lab) -> None:
    """RET-1, WM-3"""
    memory = _make_old_events(lab)
    elsewhere = lab.share(memory).space("ana").session("trip")
    assert len(elsewhere.recent()) == 2

    memory.maintain()

    assert elsewhere.recent() == elsewhere.events()


def case_signals_past_their_time_go_and_recent_ones_stay(lab: Lab) -> None:
    """RET-2"""
    memory = lab.open()
    space = memory.space("ana")
    for number in range(5):
        space.remember(f"fox number {number}", name=f"fox{number}")
    space.recall("fox", mode="keyword")
    memory.flush()
    lab.clock.advance(days=91)
    space.recall("number 3", limit=1)

    assert memory.maintain().removed == {"signals": 5}
    assert [signal.query for signal in space.dreams.signals()] == ["number 3"]


def case_a_dry_run_of_a_deletion_counts_and_changes_nothing(lab: Lab) -> None:
    """SES-3"""
    memory = lab.open()
    ana = memory.space("ana")
    chat = ana.session("trip")
    chat.append("user", "the tangerine flies to Oslo")
    ana.remember("Prefers window seats", name="seat", aliases=["chair"])
    ana.schedule("Water the plants", "every day at 9")
    memory.flush()
    before = memory.stats()

    entry, session = ana.forget("chair", dry_run=True), chat.delete(dry_run=True)
    everything = memory.erase("ana", dry_run=True)

    assert (entry.target, entry.removed["names"], session.removed["events"]) == ("seat", 2, 1)
    assert (everything.removed["entries"], everything.removed["schedules"]) == (1, 1)
    assert all(each.dry_run for each in (entry, session, everything))
    assert (memory.stats(), memory.check()) == (before, [])
    assert ana.forget("chair").removed == entry.removed
    assert chat.delete().removed == session.removed


def case_daily_entries_expire_when_somebody_says_so(lab: Lab) -> None:
    """RET-3"""
    memory = lab.open(config={"daily_days": 30})
    space = memory.space("ana")
    space.remember("porridge for breakfast", name="today", category="daily")
    space.remember("porridge is liked", name="taste")
    lab.clock.advance(days=31)

    memory.maintain()

    assert [entry.name for entry in space.entries()] == ["taste"]
    assert texts(space.recall("porridge", mode="keyword")) == ["porridge is liked"]


def case_upkeep_twice_is_upkeep_once_and_a_dry_run_is_none(lab: Lab) -> None:
    """RET-4"""
    memory = _make_old_events(lab)
    space = memory.space("ana")
    space.remember("a code", name="code", expires_at=lab.clock() + timedelta(days=1))
    lab.clock.advance(days=2)
    before = counts(memory)

    planned = memory.maintain(dry_run=True)
    assert counts(memory) == before
    done = memory.maintain()

    assert planned.removed == {"entries": 1, "events": 1}
    assert all(done.removed[table] == count for table, count in planned.removed.items())
    assert memory.maintain(deep=True).removed == {}
    assert memory.check() == []


def case_what_is_erased_is_gone_and_no_import_brings_it_back(lab: Lab) -> None:
    """SES-3, SES-7"""
    memory = lab.open()
    ana = memory.space("ana")
    ana.remember("Zyxomma petiolatum", name="secret")
    ana.session("trip").append("user", "Vqarble the brillig wabe")
    memory.flush()
    with tempfile.TemporaryDirectory() as folder:
        ana.exchange.export(Path(folder) / "ana.jsonl")
        receipt = ana.forget("secret", erase=True)
        ana.session("trip").erase()
        done = ana.exchange.import_file(Path(folder) / "ana.jsonl")

    assert not receipt.remnants
    is_server = "://" in lab.url(memory)
    assert any("server" in told for told in receipt.remains) is is_server
    assert (done.erased, done.added) == (2, {})
    assert (ana.entries(), ana.sessions()) == ([], [])
    with raises(NotFound):
        ana.forget("secret", erase=True)


def case_an_erased_space_is_empty_and_others_are_untouched(lab: Lab) -> None:
    """SES-3"""
    memory = lab.open()
    ana, bob = memory.space("ana"), memory.space("bob")
    for space in (ana, bob):
        space.remember("the fox", name="fox")
        space.session("trip").append("user", "the heron")
        space.schedule("Send", "every day at 9", name="report")
    first = bob.get("fox")

    receipt = memory.erase("ana")

    assert receipt.removed["entries"] == receipt.removed["sessions"] == 1
    assert counts(memory)[1:5] == (1, 1, 1, 2)
    assert ana.schedules.list() == []
    assert bob.get("fox") == first
    assert ana.remember("again", name="fox").id > 1


def case_a_space_comes_back_from_its_export_and_twice_is_once(lab: Lab) -> None:
    """SES-7"""
    source, target = lab.open(), lab.open()
    ana, copy = source.space("ana"), target.space("copy")
    ana.remember("Lisbon", name="home", aliases=["city"], tags=["place"])
    ana.write("home", "Porto")
    ana.session("trip").extend({"role": "user", "content": f"line {n}"} for n in range(600))
    ana.schedule("Check the oven", "in 20 minutes")
    ana.macros.learn([{"name": tool, "arguments": {"path": tool}} for tool in ("open", "read")])
    ana.recall("porto", mode="keyword")
    lab.clock.advance(hours=1)
    source.keeper.run_schedules(lambda _: "done")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ana.jsonl"
        ana.exchange.export(path)
        done = copy.exchange.import_file(path, origin=None)
        before = counts(target)
        again = copy.exchange.import_file(path, origin=None)

    assert again.added == {}
    assert counts(target) == before
    assert {done.added[kind] for kind in ("schedule", "run", "succession", "signal")} == {1}
    assert copy.dreams.signals() == ana.dreams.signals()
    assert copy.history("home") == ana.history("home")
    assert [e.uid for e in copy.session("trip").events()] == [
        e.uid for e in ana.session("trip").events()
    ]
    assert texts(copy.recall("porto", mode="keyword")) == ["Porto"]


def case_a_file_with_one_bad_line_changes_nothing(lab: Lab) -> None:
    """SES-7"""
    memory = lab.open()
    ana = memory.space("ana")
    ana.remember("Lisbon", name="home")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ana.jsonl"
        ana.exchange.export(path)
        bad = path.with_name("bad.jsonl")
        bad.write_text(path.read_text().replace('"kind":"note"', '"kind":"song"'))
        with raises(InvalidInput, "line 2", "song"):
            memory.space("copy").exchange.import_file(bad)

    assert memory.spaces() == ["ana"]
