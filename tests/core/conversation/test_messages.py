"""Calls stand with their results, or as plain words."""

from hypothesis import given
from logs import call, event, logs

from ricordo.core.conversation.messages import groups, whole_cut


def roles(events):
    return [[message["role"] for message in group.messages] for group in groups(events)]


def test_plain_messages_stand_alone_and_markers_are_left_out():
    events = [event(1), event(2, None, "system", kind="marker"), event(3, "hi", "assistant")]

    assert [group.events for group in groups(events)] == [(events[0],), (events[2],)]
    assert groups(events)[1].messages == ({"role": "assistant", "content": "hi"},)


def test_a_call_stands_with_its_results_even_if_somebody_spoke_in_between():
    events = [
        event(1, None, "assistant", tool_calls=[call("a")]),
        event(2, "hurry"),
        event(3, "sunny", "tool", tool_call_id="a"),
    ]

    assert roles(events) == [["user"], ["assistant", "tool"]]


def test_calls_of_the_newest_message_may_wait_for_their_results():
    waiting = event(2, None, "assistant", tool_calls=[call("a"), call("b")])

    assert groups([event(1), waiting])[-1].messages[0]["tool_calls"] == waiting.tool_calls


def test_an_old_call_without_a_result_becomes_words():
    found = groups([event(1, None, "assistant", tool_calls=[call("a")]), event(2)])

    assert found[0].messages == ({"role": "assistant", "content": "tool weather arguments {}"},)


def test_a_result_without_its_call_becomes_words():
    found = groups([event(1, "sunny", "tool", tool_call_id="gone"), event(2)])

    assert found[0].messages == ({"role": "assistant", "content": "[result of a tool]\n> sunny"},)


def test_only_answered_calls_of_an_old_message_are_kept():
    events = [
        event(1, None, "assistant", tool_calls=[call("a"), call("b")]),
        event(2, "sunny", "tool", tool_call_id="a"),
        event(3),
    ]

    assert [c["id"] for c in groups(events)[0].messages[0]["tool_calls"]] == ["a"]


def test_calls_as_parts_of_a_message_are_known_too():
    use = [{"type": "tool_use", "id": "a", "name": "weather", "input": {}}]
    result = [{"type": "tool_result", "tool_use_id": "a", "content": "sunny"}]
    events = [event(1, use, "assistant"), event(2, result, "user"), event(3)]

    assert roles(events) == [["assistant", "user"], ["user"]]


@given(logs())
def test_no_server_could_refuse_the_messages(events):
    """Every result follows its call, every call but those of the newest group is answered."""
    found = groups(events)
    for place, group in enumerate(found):
        asked: list[str] = []
        for message in group.messages:
            if message["role"] == "tool":
                assert message["tool_call_id"] in asked
                asked.remove(message["tool_call_id"])
            asked += [c["id"] for c in message.get("tool_calls", [])]
        assert not asked or place == len(found) - 1


@given(logs())
def test_every_message_is_in_exactly_one_group_and_the_newest_in_the_last(events):
    messages = [event for event in events if event.kind == "message"]
    found = groups(events)

    assert sorted(e.seq for group in found for e in group.events) == [e.seq for e in messages]
    if messages:
        assert found[-1].events[-1] == messages[-1]


def test_a_cut_parts_no_call_from_its_results():
    events = [
        event(1),
        event(2, None, "assistant", tool_calls=[call("a"), call("b")]),
        event(3, "sunny", "tool", tool_call_id="a"),
        event(4, "rainy", "tool", tool_call_id="b"),
        event(5),
        event(6),
    ]

    assert [whole_cut(events, cut, 2) for cut in range(1, 5)] == [1, 4, 4, 4]
    assert [whole_cut(events[:4], cut, 2) for cut in range(1, 3)] == [1, 1]
    assert whole_cut(events[1:4], 1, 2) == 0
    twice = events[1:4] + events[1:4]
    assert [whole_cut(twice, cut, 2) for cut in range(1, 5)] == [3, 3, 3, 3]
