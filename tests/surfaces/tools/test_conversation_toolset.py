"""The tools of a conversation: a host without hooks keeps its log with them."""


def test_a_model_keeps_a_conversation_and_gets_its_context(calling, space):
    tools = calling("conversation")

    first = tools("append", role="user", content="A window seat, always", name="Ana", key="t1")
    again = tools("append", role="user", content="A window seat, always", name="Ana", key="t1")
    tools("append", role="tool", content="seat 14A is free")
    tools("write_scratchpad", lines=["book it"])
    found = tools("context", query="seat", budget=1_000)

    assert first == again == {"session": "trip", "seq": 1}
    assert [event.origin for event in space.session("trip").events()] == ["agent", "tool"]
    assert "A window seat, always" in found["text"]
    assert "book it" in found["text"]
    assert tools("scratchpad") == {"lines": ["book it"]}
    assert tools("write_scratchpad", lines=[]) == {"lines": []}
    assert tools("summary") == {"text": None, "upto": None}


def test_a_conversation_is_compacted_without_loss(calling, space):
    tools = calling("conversation")
    for number in range(5):
        tools("append", role="user", content=f"Point {number}")

    archive = tools("compact", keep=1)["archive"]

    assert len(space.session("trip").expand(archive)) == 4


def test_a_conversation_needs_a_session_and_a_known_role(calling):
    assert (
        "session"
        in calling("conversation", None).refused("append", role="user", content="x").message
    )
    assert calling("conversation").refused("append", role="system", content="x").kind == (
        "invalid_arguments"
    )


def test_a_reminder_in_a_context_is_delivered_there(calling, space):
    space.remind("Call the bank", at="2020-01-01T09:00Z")
    tools = calling("conversation")

    assert "Call the bank" in tools("context")["text"]
    assert "Call the bank" not in tools("context")["text"]
