"""Whatever takes a name takes the object as well; an object of another space is refused."""

import asyncio
from datetime import timedelta

import pytest

import ricordo
from ricordo import InvalidInput, aio

CALLS = [{"name": "edit", "arguments": {"path": "a.py"}}, {"name": "test", "arguments": {}}]


@pytest.fixture
def ana(memory):
    return memory.space("ana")


@pytest.fixture
def ben(memory):
    return memory.space("ben")


def test_an_entry_stands_for_its_name(ana):
    seat = ana.remember("Prefers window seats", name="seat")

    assert ana.get(seat) == seat
    assert ana.write(seat, "Prefers the aisle").content == "Prefers the aisle"
    assert [revision.content for revision in ana.history(seat)] == ["Prefers window seats"]
    assert ana.alias(seat, "chair").aliases == ("chair",)
    assert ana.rename(seat, "place").name == "place"
    assert ana.explain("aisle", seat).verdict == "found"
    ana.recall("aisle")
    assert [signal.entry for signal in ana.dreams.signals(seat)] == ["place"]
    older = ana.remember("Vegetarian", name="food")
    assert ana.entries(after=older) == [ana.get(seat)]
    assert ana.forget(seat).target == "place"
    assert ana.forget(older, erase=True).remnants == 0


def test_a_renamed_entry_is_still_the_same_entry(ana):
    seat = ana.remember("window", name="seat")
    ana.rename("seat", "place")
    ana.remember("another", name="seat")

    ana.forget(seat)

    assert ana.get("place") is None
    assert ana.get("seat").content == "another"


def test_a_document_stands_for_its_uri(ana):
    memo = ana.ingest("The harbour opens at nine", uri="memo:1")

    assert ana.documents.get(memo) == ana.documents.list()[0]
    assert ana.documents.get("memo:2") is None
    assert ana.forget(memo).target == "memo:1"


def test_a_session_and_its_listing_stand_for_its_name(ana):
    chat = ana.session("trip")
    event = chat.append("user", "Book a flight to Oslo")
    ana.session("other").append("user", "A flight of stairs")
    [info] = [each for each in ana.sessions() if each.session == "trip"]

    for given in (chat, info):
        assert ana.session(given).events() == [event]
        assert [hit.source.session for hit in ana.recall("flight", session=given)] == ["trip"]
        assert ana.remind("Call", at="1h", session=given).session == "trip"
        assert ana.macros.learn(session=given) == 0
    assert ana.explain("flight", event).verdict == "found"
    archive = chat.compact()
    assert chat.expand(archive) == [event]


def test_what_a_space_does_by_the_clock_stands_for_its_id(ana, memory):
    report = ana.schedule("Send the report", timedelta(hours=1))
    schedules = ana.schedules

    assert schedules.get(report) == report
    assert schedules.pause(report).status == "paused"
    assert schedules.resume(report).status == "active"
    assert schedules.update(report, goal="Send it").goal == "Send it"
    assert (schedules.runs(report), len(schedules.upcoming(report, 2))) == ([], 2)
    assert schedules.delete(report).removed["schedules"] == 1
    call = ana.remind("Call the bank", at="1h")
    assert ana.reminders.get(call) == ana.reminders.get(call.id) == call
    assert ana.reminders.delete(call).removed == {"reminders": 1}
    assert ana.reminders.get(call) is None


def test_a_run_stands_for_its_id(lab):
    memory = lab.open()
    ana = memory.space("ana")
    ana.schedule("Send", lab.clock() - timedelta(minutes=1) + timedelta(minutes=2))
    lab.clock.advance(minutes=5)
    [claim] = memory.claim()

    run = memory.finish(claim, ricordo.Run(output="sent"))

    assert ana.schedules.get_run(run).output == "sent"


def test_what_a_space_learnt_stands_for_its_id(ana):
    for _ in range(6):
        ana.macros.learn(CALLS)
    [macro] = ana.macros.list()
    rule = ana.approvals.allow("git push")
    sweep = ana.dream()

    assert ana.macros.get(macro) == ana.macros.get(macro.id) == macro
    assert ana.macros.use(macro).used_count == 1
    assert ana.macros.delete(macro).target == macro.id
    assert ana.macros.get(macro) is None
    assert ana.approvals.delete(rule).target == "git push"
    assert ana.dreams.get(sweep).id == ana.dreams.get(1).id == 1
    assert ana.dreams.get(99) is None
    assert ana.dreams.undo(sweep).undone_at is not None


def test_a_space_stands_for_its_name(memory, ana, tmp_path):
    ana.remember("window", name="seat")

    assert memory.space(ana).get("seat").content == "window"
    assert [each.space for each in memory.copy(tmp_path / "copy.db", ana)] == ["ana"]
    assert memory.erase(ana).removed["entries"] == 1


def test_an_object_of_another_space_is_refused_and_nothing_changes(memory, ana, ben):
    theirs = [space.remember("window", name="seat") for space in (ana, ben)][1]
    event = ben.session("trip").append("user", "Oslo")
    ana.session("trip").append("user", "Oslo")
    archive = ben.session("trip").compact()
    plan, call = ben.schedule("Send", "hourly"), ben.remind("Call", at="1h")
    memo, rule = ben.ingest("text", uri="memo:1"), ben.approvals.allow("git")
    [info] = ben.sessions()
    wrong = (
        lambda: ana.get(theirs),
        lambda: ana.write(theirs, "aisle"),
        lambda: ana.rename(theirs, "place"),
        lambda: ana.alias(theirs, "place"),
        lambda: ana.forget(theirs),
        lambda: ana.forget(theirs, erase=True),
        lambda: ana.forget(memo),
        lambda: ana.history(theirs),
        lambda: ana.entries(after=theirs),
        lambda: ana.explain("window", theirs),
        lambda: ana.explain("Oslo", event),
        lambda: ana.recall("Oslo", session=info),
        lambda: ana.recall("Oslo", session=ben.session("trip")),
        lambda: ana.session(info),
        lambda: ana.session("trip").expand(archive),
        lambda: ana.remind("x", at="1h", session=info),
        lambda: ana.macros.learn(session=info),
        lambda: ana.dreams.signals(theirs),
        lambda: ana.dreams.undo(ben.dream()),
        lambda: ana.documents.get(memo),
        lambda: ana.schedules.pause(plan),
        lambda: ana.schedules.delete(plan),
        lambda: ana.reminders.get(call),
        lambda: ana.reminders.delete(call),
        lambda: ana.reminders.deliver(call),
        lambda: ana.reminders.release(call),
        lambda: ana.approvals.delete(rule),
    )

    for call_wrongly in wrong:
        with pytest.raises(InvalidInput, match=r"belongs to space 'ben', not to 'ana'; use memory"):
            call_wrongly()
    assert [entry.content for entry in ana.entries()] == ["window"]


def test_a_handle_of_another_memory_is_refused(lab):
    here, there = lab.open(), lab.open()
    for memory in (here, there):
        memory.space("ana").session("trip").append("user", "Oslo")
    foreign = there.space("ana")

    for call_wrongly in (
        lambda: here.erase(foreign),
        lambda: here.space(foreign),
        lambda: here.space("ana").recall("Oslo", session=foreign.session("trip")),
    ):
        with pytest.raises(InvalidInput, match="belongs to another memory"):
            call_wrongly()
    assert len(here.space("ana").session("trip").events()) == 1


def test_an_object_of_another_kind_is_refused(ana):
    plan = ana.schedule("Send", "hourly")

    for call_wrongly in (
        lambda: ana.get(plan),
        lambda: ana.forget(plan),
        lambda: ana.session(plan),
    ):
        with pytest.raises(InvalidInput):
            call_wrongly()


def test_the_awaitable_mirror_takes_objects_and_its_own_handles():
    async def main():
        async with aio.open(embedder="none") as memory:
            ana = memory.space("ana")
            chat = ana.session("trip")
            event = await chat.append("user", "Book a flight to Oslo")
            seat = await ana.remember("window", name="seat")
            plan = await ana.schedules.pause(await ana.schedule("Send", "hourly"))
            assert [hit.source.session for hit in await ana.recall("flight", session=chat)]
            assert await ana.session(chat).events() == [event]
            assert await memory.space(ana).get(seat) == seat
            assert [each.id for each in await ana.schedules.list()] == [plan.id]
            return repr(ana), repr(ana.files), (await memory.erase(ana)).removed["entries"]

    shown = asyncio.run(main())

    assert shown == ("<aio.Space 'ana'>", "<aio.SpaceFiles of space 'ana'>", 1)


def test_an_awaitable_session_in_a_list_is_left_out(tmp_path):
    async def talk() -> list[str]:
        async with aio.open(tmp_path / "a.db", embedder="none") as memory:
            ana = memory.space("ana")
            trip = ana.session("trip")
            await trip.append("user", "A flight to Oslo")
            await ana.session("other").append("user", "A flight of stairs")
            hits = await ana.recall("flight", mode="keyword", exclude=[trip])
            return [hit.text for hit in hits]

    assert asyncio.run(talk()) == ["A flight of stairs"]
