"""Working memory: the newest events of a session at hand, in every process."""

from ricordo import Session
from ricordo.testing.lab import Lab, durable


def case_what_a_caller_changes_is_changed_for_nobody_else(lab: Lab) -> None:
    """WM-1"""
    chat = lab.space().session("s")
    chat.append("user", "first")
    chat.recent()
    given = chat.append("user", [{"type": "text", "text": "said"}], metadata={"a": 1})
    for event in (given, *chat.recent(), *chat.events()):
        if isinstance(event.content, list):
            event.content.append({"type": "text", "text": "never said"})

    assert [event.content for event in chat.recent()] == [event.content for event in chat.events()]
    assert chat.recent()[1].content == [{"type": "text", "text": "said"}]


def case_working_memory_keeps_the_first_user_message(lab: Lab) -> None:
    """WM-1"""
    for asked_before in (True, False):
        chat = lab.space(config={"recent_cap": 5}).session("trip")
        _talk(chat, 10, read_between=asked_before)

        assert [event.content for event in chat.recent()] == ["m0", "m6", "m7", "m8", "m9"]


@durable
def case_the_anchor_is_the_first_user_message_wherever_the_window_begins(lab: Lab) -> None:
    """WM-1"""
    memory = lab.open()
    roles = ["user", "assistant"] * 27
    memory.space("ana").session("trip").extend(
        {"role": role, "content": f"m{n}"} for n, role in enumerate(roles)
    )

    chat = lab.reopen(memory).space("ana").session("trip")
    assert chat.recent()[0].content == "m4"
    assert [event.content for event in chat.recent(3)] == ["m0", "m52", "m53"]
    chat.append("user", "m54")
    assert [event.content for event in chat.recent()[:2]] == ["m0", "m6"]


def case_a_cut_view_always_has_the_newest_event(lab: Lab) -> None:
    """WM-2"""
    chat = lab.space().session("trip")
    _talk(chat, 10, read_between=True)

    for limit in range(1, 11):
        seen = chat.recent(limit)
        assert len(seen) == limit
        assert seen[-1].content == "m9"
        assert seen == sorted(seen, key=lambda event: event.seq)
    assert [event.content for event in chat.recent(4)] == ["m0", "m7", "m8", "m9"]


@durable
def case_working_memory_is_the_same_hot_and_cold(lab: Lab) -> None:
    """WM-3"""
    memory = lab.open(config={"recent_cap": 5})
    chat = memory.space("ana").session("trip")
    _talk(chat, 12, read_between=True)
    hot = [chat.recent(limit) for limit in (None, 1, 3, 5, 9)]

    again = lab.reopen(memory, config={"recent_cap": 5}).space("ana").session("trip")

    assert [again.recent(limit) for limit in (None, 1, 3, 5, 9)] == hot
    assert hot[0][0].content == "m0"


@durable
def case_working_memory_holds_the_last_fifty_after_a_restart(lab: Lab) -> None:
    """WM-3"""
    memory = lab.open()
    for role in ("assistant", "user"):
        chat = memory.space("ana").session(role)
        chat.extend([{"role": role, "content": f"m{n}"} for n in range(60)])

    again = lab.reopen(memory).space("ana")

    for chat in (again.session("assistant"), again.session("user")):
        assert chat.recent() == chat.recent(50) == chat.events()[-50:]
        assert chat.recent(55) == chat.events()[-55:]
        chat.delete()
        assert chat.recent() == []


@durable
def case_working_memory_follows_another_writer(lab: Lab) -> None:
    """WM-3, SES-6"""
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    chat.append("user", "one")
    chat.recent()
    other = lab.share(memory).space("ana").session("trip")

    other.append("user", "two")
    assert [event.content for event in chat.recent()] == ["one", "two"]
    chat.append("user", "three")

    assert [event.content for event in other.recent()] == ["one", "two", "three"]
    other.delete()
    assert chat.recent() == []


def _talk(chat: Session, count: int, *, read_between: bool) -> None:
    """A user's line, then the assistant's."""
    for n in range(count):
        chat.append("user" if n == 0 else "assistant", f"m{n}")
        if read_between:
            chat.recent()
