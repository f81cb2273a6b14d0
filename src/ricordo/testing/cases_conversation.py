"""Scratchpad and rolling summary: a conversation that outgrows its context."""

import threading
from datetime import timedelta

from ricordo.errors import InvalidInput
from ricordo.handles.memory import Memory, Session
from ricordo.model import SummaryWrite
from ricordo.testing.assertions import raises
from ricordo.testing.lab import Lab, durable


def talk(chat: Session, count: int, word: str = "fjord") -> None:
    """A user and an assistant take turns."""
    chat.extend(
        [
            {"role": ("user", "assistant")[n % 2], "content": f"{word} {n} is deep"}
            for n in range(count)
        ]
    )


def case_a_scratchpad_holds_what_it_may_and_no_more(lab: Lab) -> None:
    """PAD-1"""
    space = lab.space()
    chat = space.session("trip")

    assert chat.scratchpad() == []
    assert chat.scratchpad_at() is None
    written = chat.write_scratchpad(["  book a flight ", "", "x" * 240])

    assert (written.updated, written.item_count) == (True, 2)
    assert chat.scratchpad() == ["book a flight", "x" * 240]
    assert chat.scratchpad_at() is not None
    assert space.session("other").scratchpad() == []
    with raises(InvalidInput, "33", "32"):
        chat.write_scratchpad(["line"] * 33)
    with raises(InvalidInput, "241", "240"):
        chat.write_scratchpad(["x" * 241])
    with raises(InvalidInput, "clear it"):
        chat.write_scratchpad([" ", ""])
    assert chat.scratchpad() == ["book a flight", "x" * 240]
    assert chat.clear_scratchpad() is True
    assert chat.clear_scratchpad() is False
    assert chat.scratchpad() == []


def case_a_scratchpad_counts_characters_unless_bytes_are_limited(lab: Lab) -> None:
    """PAD-2"""
    chat = lab.space().session("trip")
    lines = ["é" * 240] * 32

    assert chat.write_scratchpad(lines).item_count == 32
    with raises(InvalidInput, "bytes", "8,192"):
        chat.write_scratchpad(lines, max_bytes=8_192)
    assert chat.write_scratchpad(lines).updated is False


@durable
def case_a_scratchpad_survives_messages_summaries_and_closing(lab: Lab) -> None:
    """PAD-3"""
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    chat.write_scratchpad(["book a flight"])
    talk(chat, 3)
    chat.write_summary("so far", 2, 0)
    chat = lab.reopen(memory).space("ana").session("trip")

    assert chat.scratchpad() == ["book a flight"]
    chat.delete()
    assert chat.scratchpad() == []


def case_earlier_summaries_stay_readable_and_few(lab: Lab) -> None:
    """SUM-6"""
    memory = lab.open(config={"summaries_kept": 2})
    chat = memory.space("ana").session("trip")
    talk(chat, 4)
    assert chat.summaries() == []
    for epoch in range(4):
        assert chat.write_summary(f"told {epoch}", epoch, epoch, metadata={"n": epoch}).applied
    assert not chat.write_summary("too late", 3, 1).applied

    said = chat.summaries()
    assert [(each.epoch, each.upto, each.text) for each in said] == [
        (2, 1, "told 1"),
        (3, 2, "told 2"),
        (4, 3, "told 3"),
    ]
    assert said[-1] == chat.summary()
    assert said[0].metadata == {"n": 1}
    assert chat.summary(as_of=said[1].at) == said[-1 if said[1].at == said[-1].at else 1]
    assert chat.summary(as_of=said[0].at - timedelta(days=1)) is None
    assert memory.space("ben").session("trip").summaries() == []
    with raises(InvalidInput, "zone"):
        chat.summary(as_of=said[0].at.replace(tzinfo=None))
    assert memory.check() == []
    assert chat.delete().removed["past_summaries"] == 2
    assert chat.summaries() == []


def case_a_summary_is_written_by_whoever_knows_its_epoch(lab: Lab) -> None:
    """SUM-1"""
    chat = lab.space().session("trip")
    talk(chat, 4)

    assert chat.summary() is None
    first = chat.write_summary("one", 2, 0, metadata={"by": "me"})
    assert first == SummaryWrite(applied=True, current_epoch=1)
    assert chat.write_summary("late", 3, 0) == SummaryWrite(applied=False, current_epoch=1)
    assert chat.write_summary("two", 3, 1) == SummaryWrite(applied=True, current_epoch=2)
    summary = chat.summary()
    assert summary is not None
    assert (summary.text, summary.upto, summary.epoch, summary.metadata) == ("two", 3, 2, None)


def case_a_summary_never_covers_less_nor_what_was_not_said(lab: Lab) -> None:
    """SUM-1"""
    chat = lab.space().session("trip")
    talk(chat, 4)
    chat.write_summary("one", 3, 0)

    with raises(InvalidInput, "upto 2"):
        chat.write_summary("two", 2, 1)
    with raises(InvalidInput, "upto 5"):
        chat.write_summary("two", 5, 1)
    summary = chat.summary()
    assert summary is not None
    assert (summary.text, summary.epoch) == ("one", 1)


def case_a_summary_survives_later_messages(lab: Lab) -> None:
    """SUM-2"""
    chat = lab.space().session("trip")
    talk(chat, 4)
    chat.write_summary("one", 4, 0)
    talk(chat, 4)

    summary = chat.summary()
    assert summary is not None
    assert summary.text == "one"


def one_each(_: str) -> int:
    """A counter that takes any text for one token."""
    return 1


def case_a_summary_is_due_above_eighty_percent_of_four_messages(lab: Lab) -> None:
    """SUM-3"""
    chat = lab.space().session("trip")
    talk(chat, 3)
    # Each message costs 5 by this counter: a frame of 4 and 1 for its text.
    assert chat.summarize(15, tokens=one_each, safety=0) is None
    chat.append("assistant", "four")
    assert chat.summarize(25, tokens=one_each, safety=0) is None  # exactly 80 %

    done = chat.summarize(24, tokens=one_each, safety=0)  # 83 %

    assert done == SummaryWrite(applied=True, current_epoch=1)
    summary = chat.summary()
    assert summary is not None
    assert summary.upto == 2
    assert summary.text.splitlines()[0] == "Recent condensed turns"
    assert "- [1] user: fjord 0 is deep" in summary.text


def case_condensing_stops_at_the_target(lab: Lab) -> None:
    """SUM-3"""
    chat = lab.space().session("trip")
    talk(chat, 40)

    chat.summarize(200, tokens=one_each, safety=0, trigger=0.5)

    summary = chat.summary()
    assert summary is not None
    left = 40 - summary.upto
    assert 5 + 5 * left <= 100 < 5 + 5 * (left + 1)


def case_of_two_summarizers_one_is_told_the_epoch_of_the_other(lab: Lab) -> None:
    """SUM-4"""
    chat = lab.space().session("trip")
    talk(chat, 10)
    barrier = threading.Barrier(2)
    done: list[SummaryWrite | None] = []

    def slow(previous: str, _: object) -> str:
        barrier.wait(timeout=30)
        return f"{previous} told"

    def work() -> None:
        done.append(chat.summarize(40, tokens=one_each, safety=0, summarizer=slow))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sorted(d.applied for d in done if d is not None) == [False, True]
    assert {d.current_epoch for d in done if d is not None} == {1}
    assert len(chat.events()) == 10


def summarize_there(memory: Memory, epoch: int) -> SummaryWrite:
    """Write a summary in another process."""
    return memory.space("ana").session("trip").write_summary("there", 2, epoch)


@durable
def case_summarizers_in_two_processes_do_not_overwrite_each_other(lab: Lab) -> None:
    """SUM-4"""
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    talk(chat, 4)
    with lab.team(memory) as team:
        applied = 0
        for epoch in range(10):
            team.start(summarize_there, epoch)
            here = chat.write_summary("here", 2, epoch)
            there = team.answer()
            assert here.applied != there.applied
            assert here.current_epoch == there.current_epoch == epoch + 1
            applied += here.applied
        told = chat.summary()

    assert told is not None
    assert told.epoch == 10
    assert len(chat.events()) == 4
