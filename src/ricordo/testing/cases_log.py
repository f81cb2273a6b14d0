"""The log, changed: its end cut or replaced, an event edited, a fork, sessions without an event."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ricordo import Session
from ricordo.errors import Conflict, InvalidInput, NotFound
from ricordo.model import Event
from ricordo.testing.assertions import counts, raises, texts
from ricordo.testing.lab import Lab, durable


def case_a_log_is_read_from_its_end(lab: Lab) -> None:
    """LOG-1"""
    chat = lab.space().session("trip")
    chat.extend([{"role": "user", "content": f"line {n}"} for n in range(1, 8)])

    newest = chat.tail(3)
    before = chat.tail(3, before=newest[0].seq)

    assert _says(newest) == ["line 5", "line 6", "line 7"]
    assert _says(before) == ["line 2", "line 3", "line 4"]
    assert _says(chat.tail(3, before=before[0].seq)) == ["line 1"]
    assert chat.tail(0) == []
    assert lab.space().session("none").tail(5) == []
    with raises(InvalidInput, "n"):
        chat.tail(-1)


def case_what_is_cut_is_gone_from_recall(lab: Lab) -> None:
    """LOG-2"""
    memory = lab.open(embedder="hash")
    space = memory.space("ana")
    chat = space.session("trip")
    chat.append("user", "Book a flight to Oslo")
    before = counts(memory)
    chat.append("user", "My passport number is Xerxes", metadata={"secret": "passport"})
    chat.append("assistant", "Noted: Xerxes")
    memory.flush()
    assert space.recall("Xerxes", mode="keyword")

    gone = chat.truncate(after=1)

    assert _says(gone) == ["My passport number is Xerxes", "Noted: Xerxes"]
    assert _says(chat.events()) == ["Book a flight to Oslo"]
    assert "Xerxes" not in " ".join(texts(space.recall("Xerxes passport number")))
    assert space.recall("passport", where={"secret": "passport"}) == []
    assert _says(chat.recent()) == ["Book a flight to Oslo"]
    assert counts(memory) == before
    assert memory.check() == []


def case_a_seq_is_never_used_again(lab: Lab) -> None:
    """LOG-3"""
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    chat.extend([{"role": "user", "content": f"line {n}"} for n in range(1, 5)])

    chat.truncate(after=2)
    chat.append("user", "another")
    chat.truncate(after=-1)

    assert chat.events() == []
    assert chat.append("user", "the first now").seq == 6
    info = chat.info()
    assert info is not None
    assert (info.events, info.last_seq) == (1, 6)
    assert memory.check() == []


def case_a_cut_needs_the_end_that_was_expected(lab: Lab) -> None:
    """LOG-4"""
    chat = lab.space().session("trip")
    chat.append("user", "one")
    chat.append("user", "two")

    with raises(Conflict, "ends at seq 2, not at 1", "tail()"):
        chat.truncate(after=0, expect_last=1)
    with raises(NotFound, "no session 'none'"):
        lab.space().session("none").truncate(after=0)
    with raises(InvalidInput, "after"):
        chat.truncate(after=-2)

    assert _says(chat.truncate(after=1, expect_last=2)) == ["two"]
    assert chat.truncate(after=1, expect_last=1) == []
    assert _says(chat.truncate(after=0, expect_last=1)) == ["one"]
    assert chat.truncate(after=0, expect_last=-1) == []


def case_the_end_of_a_log_is_replaced_in_one_step(lab: Lab) -> None:
    """LOG-5"""
    memory = lab.open()
    space = memory.space("ana")
    chat = space.session("trip")
    chat.extend([{"role": "user", "content": f"line {n}"} for n in range(1, 5)])

    new = chat.replace(1, [{"role": "assistant", "content": "in short"}], expect_last=4)
    with raises(Conflict, "ends at seq 5"):
        chat.replace(0, [{"role": "user", "content": "late"}], expect_last=4)
    with raises(InvalidInput, "role"):
        chat.replace(0, [{"role": "nobody", "content": "x"}])

    assert [(event.seq, event.content) for event in new] == [(5, "in short")]
    assert _says(chat.events()) == ["line 1", "in short"]
    assert texts(space.recall("in short", mode="keyword")) == ["in short"]
    assert _says(chat.replace(5, [])) == []
    assert memory.check() == []


def case_what_is_said_elsewhere_in_the_session_stays_in_recall(lab: Lab) -> None:
    """LOG-2"""
    memory = lab.open()
    space = memory.space("ana")
    chat = space.session("trip")
    for _ in range(3):
        chat.append("user", "Window seat, please")
    chat.append("user", "Something else")

    chat.truncate(after=2)

    [hit] = space.recall("window seat", mode="keyword")
    assert (hit.source.seq_start, hit.source.seq_end) == (1, 2)
    chat.edit(1, "Anything")
    [hit] = space.recall("window seat", mode="keyword")
    assert (hit.source.seq_start, hit.source.seq_end) == (2, 2)
    assert memory.check() == []


def case_what_a_summary_or_a_compaction_retells_cannot_be_cut(lab: Lab) -> None:
    """LOG-6"""
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    chat.extend([{"role": "user", "content": f"line {n}"} for n in range(1, 7)])
    chat.write_summary("Two lines", 2, 0)

    with raises(Conflict, "summary of session 'trip'", "up to seq 2"):
        chat.truncate(after=1)
    with raises(Conflict, "up to seq 2"):
        chat.edit(2, "x")
    assert len(chat.truncate(after=5)) == 1

    chat.compact()
    after = chat.append("user", "later")
    with raises(Conflict, "was compacted at seq 7"):
        chat.replace(3, [{"role": "user", "content": "x"}])
    assert _says(chat.truncate(after=7)) == ["later"]
    assert after.seq == 8
    assert len(chat.events()) == 6
    assert memory.check() == []


def case_an_edited_event_says_only_what_it_says_now(lab: Lab) -> None:
    """LOG-7"""
    memory = lab.open(embedder="hash")
    space = memory.space("ana")
    chat = space.session("trip")
    chat.append("user", "Hello", name="Ana")
    old = chat.append("user", "My card is Xerxes", name="Ana", metadata={"card": "Xerxes"})
    chat.append("assistant", "Thanks")
    memory.flush()

    new = chat.edit(2, "My card is [removed]", expect_revision=0)

    assert (new.seq, new.uid, new.at, new.role, new.name) == (2, old.uid, old.at, "user", "Ana")
    assert (new.content, new.metadata, new.revision) == ("My card is [removed]", None, 1)
    assert chat.events()[1] == new == chat.recent()[1]
    assert "Xerxes" not in " ".join(texts(space.recall("Xerxes", mode="keyword")))
    assert space.recall("card", where={"card": "Xerxes"}) == []
    assert texts(space.recall("which card", mode="keyword")) == ["My card is [removed]"]
    assert chat.edit(2, "[gone]").revision == 2
    assert memory.check() == []


def case_an_edit_that_cannot_be_made_changes_nothing(lab: Lab) -> None:
    """LOG-7"""
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    chat.append("user", "Hello")

    with raises(Conflict, "revision 0, not 1"):
        chat.edit(1, "x", expect_revision=1)
    with raises(NotFound, "no event 2"):
        chat.edit(2, "x")
    with raises(InvalidInput, "content or tool_calls"):
        chat.edit(1)

    assert _says(chat.events()) == ["Hello"]
    assert memory.check() == []


@durable
def case_another_memory_sees_an_edit_and_a_cut(lab: Lab) -> None:
    """LOG-8"""
    mine = lab.open()
    other = lab.share(mine)
    chat, theirs = (each.space("ana").session("trip") for each in (mine, other))
    chat.extend([{"role": "user", "content": f"line {n}"} for n in range(1, 4)])
    assert len(theirs.recent()) == 3

    chat.edit(1, "line one")
    assert _says(theirs.recent()) == ["line one", "line 2", "line 3"]

    chat.truncate(after=2)
    chat.append("user", "line 4")
    assert _says(theirs.recent()) == ["line one", "line 2", "line 4"]


def case_a_fork_goes_its_own_way(lab: Lab) -> None:
    """LOG-9"""
    memory = lab.open()
    space = memory.space("ana")
    chat = space.session("trip")
    chat.extend(
        [{"role": "user", "content": f"line {n}", "metadata": {"n": n}} for n in range(1, 5)]
    )
    chat.write_summary("Two lines", 2, 0)

    other = chat.fork("what if", at=3)
    other.append("user", "by train")
    chat.append("user", "by plane")

    assert _says(other.events()) == ["line 1", "line 2", "line 3", "by train"]
    assert [event.seq for event in other.events()] == [1, 2, 3, 4]
    assert [e.at for e in other.events()[:3]] == [e.at for e in chat.events()[:3]]
    assert other.events()[2].metadata == {"n": 3}
    told = other.summary()
    assert told is not None
    assert (told.text, told.upto) == ("Two lines", 2)
    assert _says(chat.events())[-1] == "by plane"
    with raises(Conflict, "'what if' already"):
        chat.fork("what if")
    with raises(NotFound, "no session 'none'"):
        space.session("none").fork("x")
    assert memory.check() == []


def case_a_session_without_an_event(lab: Lab) -> None:
    """LOG-10"""
    memory = lab.open()
    space = memory.space("ana")
    chat = space.session("trip")
    assert chat.info() is None

    assert chat.create() is True
    assert chat.create() is False

    info = chat.info()
    assert info is not None
    assert (info.session, info.events, info.last_seq) == ("trip", 0, -1)
    assert [each.session for each in space.sessions()] == ["trip"]
    assert (chat.events(), chat.tail(3), chat.recent()) == ([], [], [])
    assert chat.append("user", "Hello").seq == 1
    assert memory.check() == []


def case_a_session_tells_which_agent_holds_it(lab: Lab) -> None:
    """LOG-13"""
    memory = lab.open()
    space = memory.space("ana")
    space.session("trip").append("user", "Book a flight")
    space.session("trip").create(agent="scout")
    space.session("code/1").create(agent="coder")
    space.session("code/2").create(agent="scout")

    assert [each.agent for each in space.sessions(prefix="code/")] == ["scout", "coder"]
    assert [each.session for each in space.sessions(agent="scout")] == ["code/2", "trip"]
    assert [each.session for each in space.sessions(prefix="code", agent="scout")] == ["code/2"]
    assert space.sessions(agent="nobody") == []
    forked = space.session("trip").fork("trip 2").info()
    assert forked is not None
    assert forked.agent == "scout"
    with raises(InvalidInput, "agent"):
        space.session("trip").create(agent="")
    with TemporaryDirectory() as folder:
        space.exchange.export(Path(folder) / "ana.jsonl")
        memory.space("kate").exchange.import_file(Path(folder) / "ana.jsonl")
    told = {each.session: each.agent for each in memory.space("kate").sessions()}
    assert told == {"trip": "scout", "trip 2": "scout", "code/1": "coder", "code/2": "scout"}
    assert memory.check() == []


def case_an_event_tells_when_it_was_consolidated(lab: Lab) -> None:
    """LOG-14"""
    space = lab.space(embedder="none")
    chat = space.session("trip")
    chat.append("user", "I live in Bergen")
    lab.clock.advance(hours=2)
    chat.append("user", "The weather is fine")
    space.dreams.consolidate()

    first, second = chat.events()

    assert first.consolidated_at is not None
    assert first.consolidated_at > second.at
    assert second.consolidated_at is None
    assert chat.tail(2) == [first, second]


def case_sessions_are_listed_and_deleted_by_prefix(lab: Lab) -> None:
    """LOG-11"""
    memory = lab.open()
    space = memory.space("ana")
    for name in ("trip", "trip/hotel", "trip/flight", "trix", "work"):
        space.session(name).append("user", f"about {name}")
    memory.space("bob").session("trip/hotel").append("user", "mine")

    assert [each.session for each in space.sessions(prefix="trip/")] == [
        "trip/flight",
        "trip/hotel",
    ]
    assert [each.session for each in space.sessions(1, prefix="trip")] == ["trip/flight"]
    assert space.session("trip").delete(prefix=True, dry_run=True).removed["sessions"] == 3
    assert space.session("trip").delete(prefix=True).removed["sessions"] == 3

    assert [each.session for each in space.sessions()] == ["work", "trix"]
    assert not any("trip" in text for text in texts(space.recall("hotel")))
    assert len(memory.space("bob").session("trip/hotel").events()) == 1
    with raises(NotFound, "trip"):
        space.session("trip").delete(prefix=True)
    assert memory.check() == []


def case_what_is_not_indexed_is_kept_and_not_found(lab: Lab) -> None:
    """LOG-12"""
    memory = lab.open()
    space = memory.space("ana")
    chat = space.session("trip")

    event = chat.append("tool", "Xerxes and a thousand lines", index=False)
    chat.extend([{"role": "user", "content": "Xerxes again", "index": False}])
    chat.append("user", "Hello")

    assert event.index is False
    assert [each.index for each in chat.events()] == [False, False, True]
    assert space.recall("Xerxes", mode="keyword") == []
    memory.index()
    assert space.recall("Xerxes", mode="keyword") == []
    assert chat.edit(1, "Xerxes for all").index is True
    assert texts(space.recall("Xerxes", mode="keyword")) == ["Xerxes for all"]
    with raises(InvalidInput, "index", "True or False"):
        chat.append("user", "x", index="no")  # type: ignore[arg-type]
    assert memory.check() == []


def case_a_cut_leaves_other_spaces_and_sessions_alone(lab: Lab) -> None:
    """LOG-2"""
    memory = lab.open()
    for name in ("ana", "bob"):
        for session in ("trip", "work"):
            memory.space(name).session(session).append("user", f"Xerxes of {name} at {session}")

    memory.space("ana").session("trip").truncate(after=0)

    assert texts(memory.space("ana").recall("Xerxes")) == ["Xerxes of ana at work"]
    assert len(memory.space("bob").recall("Xerxes")) == 2


def case_one_of_many_takes_the_last_message(lab: Lab) -> None:
    """LOG-4"""
    chat = lab.space().session("trip")
    chat.extend([{"role": "user", "content": f"line {n}"} for n in range(20)])

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(lambda _: _pop(chat), range(20)))

    assert sorted(taken) == sorted(f"line {n}" for n in range(20))
    assert chat.events() == []


def _pop(chat: Session) -> str:
    """Take the last message; whoever is too late looks again."""
    while True:
        last = chat.tail(1)[0]
        with suppress(Conflict):
            gone = chat.truncate(after=last.seq - 1, expect_last=last.seq)
            return str(gone[0].content)


def _says(events: list[Event]) -> list[object]:
    return [event.content for event in events]
