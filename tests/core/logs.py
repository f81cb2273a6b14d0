"""Events made by hand, and logs made by chance."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from ricordo.model import Event

START = datetime(2024, 3, 1, 12, 0, tzinfo=UTC)


def event(seq, content="hello", role="user", **fields):
    given = {
        "space": "ana",
        "session": "trip",
        "seq": seq,
        "uid": f"uid{seq}",
        "kind": "message",
        "role": role,
        "content": content,
        "name": None,
        "tool_calls": None,
        "tool_call_id": None,
        "importance": 0.5,
        "origin": "user",
        "metadata": None,
        "at": START + timedelta(minutes=seq),
    }
    return Event(**(given | fields))


def call(id, name="weather"):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}}


@st.composite
def logs(draw, most=14):
    """A log with calls and results that may be missing, late or doubled."""
    ids = st.sampled_from(["a", "b", "c"])
    text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)
    events = []
    for seq in range(1, draw(st.integers(1, most)) + 1):
        kind = draw(st.sampled_from(["user", "assistant", "calls", "result", "marker"]))
        if kind == "calls":
            calls = [call(id) for id in draw(st.lists(ids, min_size=1, max_size=2, unique=True))]
            events.append(event(seq, draw(st.none() | text), "assistant", tool_calls=calls))
        elif kind == "result":
            events.append(event(seq, draw(text), "tool", tool_call_id=draw(ids)))
        elif kind == "marker":
            events.append(event(seq, None, "system", kind="marker"))
        else:
            events.append(event(seq, draw(text), kind))
    return events
