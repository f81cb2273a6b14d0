"""Sessions and events: an append-only log in order, and the newest of it at hand."""

from datetime import UTC, datetime, timedelta

from ricordo.errors import InvalidInput, NotFound, OutOfOrder
from ricordo.testing.assertions import counts, raises
from ricordo.testing.lab import Lab, durable


def case_a_seq_that_does_not_rise_is_refused(lab: Lab) -> None:
    """SES-1"""
    chat = lab.space().session("trip")
    chat.append("user", "second", seq=2)

    for seq in (1, 2, 0):
        with raises(OutOfOrder, str(seq), "2", "trip"):
            chat.append("user", "late", seq=seq)

    assert [(event.seq, event.content) for event in chat.events()] == [(2, "second")]


def case_seq_starts_at_one_and_gaps_are_allowed(lab: Lab) -> None:
    """SES-1"""
    chat = lab.space().session("trip")

    seqs = [chat.append("user", "a").seq, chat.append("user", "b", seq=10).seq]
    seqs.append(chat.append("user", "c").seq)

    assert seqs == [1, 10, 11]
    first = lab.space().session("zero")
    assert [first.append("user", "a", seq=0).seq, first.append("user", "b").seq] == [0, 1]


def case_a_log_ends_where_numbers_end(lab: Lab) -> None:
    """SES-1"""
    chat = lab.space().session("trip")
    chat.append("user", "last but one", seq=2**63 - 2)
    chat.append("user", "last")

    with raises(OutOfOrder, "begin another session"):
        chat.append("user", "one too many")
    with raises(InvalidInput, "seq"):
        chat.append("user", "x", seq=2**63)


@durable
def case_a_log_is_read_back_in_order_after_reopening(lab: Lab) -> None:
    """SES-2"""
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    given = [chat.append("user", f"line {n}", metadata={"n": n}) for n in range(5)]

    again = lab.reopen(memory).space("ana").session("trip")

    assert again.events() == given
    assert again.recent(1) == given[-1:]
    assert again.append("user", "line 5").seq == 6


def case_an_event_is_read_back_as_it_was_given(lab: Lab) -> None:
    """SES-2"""
    chat = lab.space().session("trip")
    at = datetime(2023, 5, 1, 8, 30, 0, 123456, tzinfo=UTC)
    calls = [{"id": "c1", "function": {"name": "search", "arguments": '{"q": "Oslo"}'}}]
    rich = chat.append(
        "assistant",
        [{"type": "text", "text": "Looking  it up\n"}],
        at=at,
        importance=0.25,
        tool_calls=calls,
        name="Otto",
        origin="web",
        metadata={"deep": {"list": [1, 2.5, None, True, "é"]}},
    )
    chat.append("tool", "3 flights", tool_call_id="c1")
    chat.append("assistant", None, tool_calls=calls)

    events = chat.events()

    assert events[0] == rich
    assert (rich.at, rich.importance, rich.origin, rich.name) == (at, 0.25, "web", "Otto")
    assert rich.content == [{"type": "text", "text": "Looking  it up\n"}]
    assert rich.tool_calls == calls
    assert rich.metadata == {"deep": {"list": [1, 2.5, None, True, "é"]}}
    assert (events[1].tool_call_id, events[1].origin) == ("c1", "tool")
    assert events[2].content is None


def case_what_the_caller_changes_later_is_not_in_the_log(lab: Lab) -> None:
    """SES-2"""
    chat = lab.space().session("trip")
    chat.append("user", "first")
    chat.recent()
    parts = [{"type": "text", "text": "one"}]
    chat.append("user", parts)

    parts[0]["text"] = "two"

    assert chat.recent()[-1].content == chat.events()[-1].content
    assert chat.events()[-1].content == [{"type": "text", "text": "one"}]


def case_deleting_a_session_leaves_nothing_of_it(lab: Lab) -> None:
    """SES-3"""
    memory = lab.open()
    space = memory.space("ana")
    chat = space.session("trip")
    chat.extend([{"role": "user", "content": f"fjord {n}"} for n in range(3)])
    memory.flush()

    receipt = chat.delete()

    assert receipt.target == "trip"
    assert receipt.removed == {
        "events": 3, "sessions": 1, "chunks": 3, "words": 3, "embeddings": 3,
    }  # fmt: skip
    stats = space.stats()
    assert (stats.sessions, stats.events, stats.chunks, stats.embedded) == (0, 0, 0, 0)
    assert not (chat.events())
    assert not (chat.recent())
    assert not (space.sessions())
    for mode in ("keyword", "vector", "hybrid"):
        assert space.recall("fjord", mode=mode) == []
    with raises(NotFound, "trip"):
        chat.delete()


def case_a_deleted_session_can_begin_again(lab: Lab) -> None:
    """SES-3"""
    space = lab.space()
    chat = space.session("trip")
    old = chat.append("user", "fjord")
    chat.recent()
    chat.delete()

    new = chat.append("user", "fjord")

    assert new.seq == 1
    assert new.uid != old.uid
    assert chat.events() == chat.recent() == [new]
    assert len(space.recall("fjord")) == 1


def case_a_page_of_a_log_starts_after_a_seq(lab: Lab) -> None:
    """SES-4"""
    chat = lab.space().session("trip")
    chat.extend([{"role": "user", "content": str(n)} for n in range(5)])

    assert [event.content for event in chat.recent(3)] == ["2", "3", "4"]
    assert [event.content for event in chat.events(after=2, limit=2)] == ["2", "3"]
    assert chat.events(after=5) == chat.events(limit=0) == chat.recent(0) == []


def case_sessions_are_listed_most_recently_active_first(lab: Lab) -> None:
    """SES-5"""
    space = lab.space()
    for name in ("b", "a", "c"):
        space.session(name).append("user", "x")
    space.session("b").append("user", "y")

    listed = space.sessions()

    assert [(info.session, info.events, info.last_seq) for info in listed] == [
        ("b", 2, 2), ("c", 1, 1), ("a", 1, 1),
    ]  # fmt: skip
    assert [info.session for info in space.sessions(limit=1)] == ["b"]
    assert listed[0].created_at < listed[0].updated_at


def case_sessions_of_one_time_are_listed_by_name(lab: Lab) -> None:
    """SES-5"""
    space = lab.space()
    lab.clock.stop()
    for name in ("b", "c", "a"):
        space.session(name).append("user", "x")

    assert [info.session for info in space.sessions()] == ["a", "b", "c"]


def case_a_message_in_an_odd_shape_is_kept_and_not_indexed(lab: Lab) -> None:
    """SES-8"""
    space = lab.space()
    chat = space.session("trip")

    chat.append("user", [{"type": "image", "url": "x"}, 7, None, {"a": {"b": []}}])

    assert chat.events()[0].content == [{"type": "image", "url": "x"}, 7, None, {"a": {"b": []}}]
    assert space.stats().chunks == 0


def case_many_messages_come_all_or_not_at_all(lab: Lab) -> None:
    """SES-1, ENT-2"""
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    chat.append("user", "before")
    before = counts(memory)

    for bad in (
        {"role": "user", "content": "a\0"},
        {"role": "user", "content": "x", "seq": 1},
        {"content": "x"},
    ):
        with raises(InvalidInput if bad.get("seq") is None else OutOfOrder):
            chat.extend([{"role": "user", "content": "fine"}, bad])

    assert counts(memory) == before
    assert [event.content for event in chat.recent()] == ["before"]
    assert chat.extend([]) == []


def case_importance_follows_the_role(lab: Lab) -> None:
    """IMP-1"""
    chat = lab.space().session("trip")

    weights = {role: chat.append(role, "x").importance for role in _ROLES}

    assert weights == _ROLES
    assert chat.append("user", "x", importance=0.9).importance == 0.9
    assert [event.importance for event in chat.events()] == [*_ROLES.values(), 0.9]


_ROLES = {"user": 0.5, "assistant": 0.5, "tool": 0.3, "system": 0.1}


def case_importance_by_wording_is_a_setting(lab: Lab) -> None:
    """IMP-2"""
    chat = lab.space(config={"importance": "heuristic"}).session("trip")

    def weight(role: str, text: str) -> float:
        return chat.append(role, text).importance

    assert weight("user", "hello") == 0.4
    assert weight("user", "this is a very important secret password") == 0.9
    assert weight("user", "ok") == 0.1
    assert weight("system", "this is a very important secret password") == 0.0
    assert weight("tool", "a line that is long enough") == 0.3


def case_importance_outside_nought_to_one_is_refused(lab: Lab) -> None:
    """IMP-3"""
    space = lab.space()
    chat = space.session("trip")

    for weight in (-0.1, 1.1, float("nan"), float("inf")):
        with raises(InvalidInput, "importance"):
            chat.append("user", "x", importance=weight)
        with raises(InvalidInput, "importance"):
            space.remember("x", importance=weight)

    assert not (chat.events())
    assert not (space.entries())


@durable
def case_what_else_a_message_holds_is_kept_and_not_indexed(lab: Lab) -> None:
    """SES-8"""
    memory = lab.open()
    chat = memory.space("ana").session("trip")

    chat.extend(
        [
            {"role": "assistant", "content": "tea", "refusal": None, "audio": {"id": "walrus"}},
            {"role": "assistant", "content": "tea", "audio": 1, "metadata": {"k": 2}},
        ]
    )
    chat.append("user", {"odd": "walrus"})

    again = lab.reopen(memory).space("ana")
    events = again.session("trip").events()
    assert [event.metadata for event in events] == [
        {"audio": {"id": "walrus"}},
        {"audio": 1, "k": 2},
        None,
    ]
    assert events[2].content == {"odd": "walrus"}
    assert again.recall("tea", mode="keyword")
    assert not again.recall("walrus", mode="keyword")


def case_a_sum_of_just_four_fifths_counts_as_salient(lab: Lab) -> None:
    """IMP-3"""
    chat = lab.space(config={"importance": "heuristic"}).session("trip")

    event = chat.append("user", "actually, let us meet at the station")

    assert event.importance >= 0.8


def case_a_time_is_kept_to_the_microsecond_in_any_zone(lab: Lab) -> None:
    """SES-2"""
    chat = lab.space().session("trip")
    at = datetime(2024, 2, 29, 23, 59, 59, 999999).astimezone()
    early, late = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)

    for moment in (at, early, late, datetime(1969, 12, 31, tzinfo=UTC)):
        assert chat.append("user", "x", at=moment).at == moment

    assert [event.at for event in chat.events()][:3] == [at, early, late]
    assert all(event.at.utcoffset() == timedelta(0) for event in chat.events())


@durable
def case_a_key_appends_a_message_once(lab: Lab) -> None:
    """SES-9"""
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    first = chat.append("user", "Book me a flight", key="m-1")

    again = chat.append("user", "Book me a flight to Oslo", key="m-1")
    batch = chat.extend(
        [
            {"role": "user", "content": "Book me a flight", "key": "m-1"},
            {"role": "assistant", "content": "To where?", "key": "m-2"},
            {"role": "assistant", "content": "To where?", "key": "m-2"},
            {"role": "user", "content": "Oslo"},
        ]
    )

    assert again == first
    assert [event.seq for event in batch] == [1, 2, 2, 3]
    chat = lab.reopen(memory).space("ana").session("trip")
    assert chat.append("assistant", "To where?", key="m-2") == batch[1]
    assert [event.content for event in chat.events()] == ["Book me a flight", "To where?", "Oslo"]


def case_a_key_means_its_own_session(lab: Lab) -> None:
    """SES-9"""
    memory = lab.open()
    ana, ben = memory.space("ana"), memory.space("ben")
    for space in (ana, ben):
        for name in ("trip", "work"):
            assert space.session(name).append("user", f"{name}", key="k").content == name

    assert len(ana.session("trip").events()) == 1
    with raises(InvalidInput, "key is blank"):
        ana.session("trip").append("user", "x", key=" ")
    ana.session("trip").delete()
    assert ana.session("trip").append("user", "afresh", key="k").content == "afresh"
