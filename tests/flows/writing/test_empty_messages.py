"""A message without content is a slip: it is refused with the way out, and nothing is kept."""

import pytest

from ricordo.errors import InvalidInput


@pytest.mark.parametrize(
    ("write", "told"),
    [
        (
            lambda chat: chat.append("hello"),
            r"'hello' stands where the role belongs.*append\('user'",
        ),
        (lambda chat: chat.append("user"), "neither content nor tool_calls"),
        (lambda chat: chat.append("user", key="once"), "neither content nor tool_calls"),
        (lambda chat: chat.append("tool", tool_call_id="a1"), "neither content nor tool_calls"),
        (lambda chat: chat.append("assistant", tool_calls=[]), "neither content nor tool_calls"),
        (
            lambda chat: chat.extend(
                [{"role": "user", "content": "hi"}, {"role": "user", "text": "hi"}]
            ),
            "has 'text' and no 'content'; call it 'content'",
        ),
    ],
)
def test_a_message_that_says_nothing_is_refused(space, write, told):
    chat = space.session("trip")

    with pytest.raises(InvalidInput, match=told):
        write(chat)

    assert chat.events() == []


def test_calls_without_words_and_empty_words_are_kept(space):
    chat = space.session("trip")
    call = {"id": "a1", "type": "function", "function": {"name": "look", "arguments": "{}"}}

    chat.append("assistant", tool_calls=[call])
    chat.append("tool", "", tool_call_id="a1")

    assert [event.content for event in chat.events()] == [None, ""]
