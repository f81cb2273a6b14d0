"""Names from elsewhere: an attribute that a handle lacks is answered with the one that it has."""

import pytest

import ricordo
from ricordo.model.guesses import MEANT

HANDLES = (ricordo.Memory, ricordo.Space, ricordo.Session)


@pytest.mark.parametrize(
    ("guess", "meant"),
    [
        ("memory.search", "recall"),
        ("memory.users", "spaces"),
        ("memory.delete_space", "erase"),
        ("memory.connect", None),
        ("space.search", "recall"),
        ("space.add", "remember"),
        ("space.update", "write"),
        ("space.delete", "forget"),
        ("space.facts", "entries"),
        ("space.thread", "session"),
        ("chat.add", "append"),
        ("chat.messages", "events"),
        ("chat.history", "events"),
        ("chat.dance", None),
    ],
)
def test_a_name_from_elsewhere_is_answered_with_ours(guess, meant):
    with ricordo.open(":memory:", embedder="none") as memory:
        handles = {"memory": memory, "space": memory.space("ana")}
        handles["chat"] = handles["space"].session("trip")
        handle, _, name = guess.partition(".")

        with pytest.raises(AttributeError) as raised:
            getattr(handles[handle], name)

    assert f"has no attribute {name!r}" in str(raised.value)
    assert raised.value.name == name
    assert ("did you mean" in str(raised.value)) is (meant is not None)
    assert meant is None or str(raised.value).endswith(f"did you mean {meant}?")


def test_a_redacting_handle_answers_too():
    with ricordo.open(":memory:", embedder="none", redact=str.lower) as memory:
        with pytest.raises(AttributeError, match="did you mean recall"):
            memory.space("ana").search("x")  # type: ignore[attr-defined]
        assert not hasattr(memory.space("ana"), "_repr_html_")


def test_every_suggestion_is_a_method():
    known = {name for handle in HANDLES for name in dir(handle)}

    assert {method for methods in MEANT.values() for method in methods} <= known
