"""Pins and mutes: what stands in every context, and what is kept and never recalled."""

from ricordo.model import MODES, PROFILE_NAMES, ContextProfile
from ricordo.testing.assertions import names
from ricordo.testing.lab import Lab, VectorTable

CONTEXT_PROFILES: tuple[ContextProfile, ...] = ("default", "tri")


def case_a_muted_entry_is_kept_and_never_recalled(lab: Lab) -> None:
    """ENT-16"""
    space = lab.space()
    space.remember("umbrella code 4711", name="door", mute=True)
    space.remember("umbrella always", name="always")

    for profile in PROFILE_NAMES:
        assert names(space.recall("umbrella", profile=profile)) == ["always"], profile
    for mode in MODES:
        assert names(space.recall("umbrella", mode=mode)) == ["always"], mode
    door = space.get("door")
    assert door is not None
    assert (door.mute, door.content) == (True, "umbrella code 4711")
    assert {entry.name for entry in space.entries()} == {"door", "always"}
    assert "4711" not in space.session("chat").context("umbrella code").text


def case_muting_and_unmuting_make_no_revision(lab: Lab) -> None:
    """ENT-16"""
    space = lab.space()
    space.remember("umbrella code 4711", name="door")

    space.remember("umbrella code 4711", name="door", mute=True)
    assert space.recall("umbrella") == []
    space.write("door", "umbrella code 4712")
    assert space.recall("umbrella") == []
    heard = space.remember("umbrella code 4712", name="door", mute=False)

    assert names(space.recall("umbrella")) == ["door"]
    assert not heard.mute
    assert [old.content for old in space.history("door")] == ["umbrella code 4711"]


def case_a_text_is_embedded_without_its_name_where_asked(lab: Lab) -> None:
    """ENT-17"""
    model = VectorTable({"blue": (1.0, 0.0), "k-1: blue": (0.0, 1.0)})
    memory = lab.open(embedder=model)
    space = memory.space("ana")
    space.remember("blue", name="k-1", embed_name=False)
    memory.flush()
    assert space.recall("blue", mode="vector")[0].parts["cosine"] == 1.0
    assert names(space.recall("k-1", mode="keyword")) == ["k-1"]

    space.remember("blue", name="k-1", embed_name=True)
    memory.flush()

    assert [hit.parts["cosine"] for hit in space.recall("blue", mode="vector")] in ([], [0.0])


def case_pinned_entries_stand_in_every_context(lab: Lab) -> None:
    """CTX-8"""
    space = lab.space()
    space.remember("Answer in short sentences", name="tone", pin=True)
    space.remember("Never wake her before nine", name="sleep", pin=True, mute=True)
    space.remember("Vegetarian since 2015", name="food", pin=True)
    space.remember("long " * 2_000, name="long", pin=True)
    chat = space.session("chat")
    chat.extend([{"role": "user", "content": f"some talk, number {n}"} for n in range(300)])

    for query in ("", None, "short sentences", "thanks!"):
        for profile in CONTEXT_PROFILES:
            context = chat.context(query, 500, profile=profile)
            first = str(context.messages[0]["content"])
            assert first.index("Answer in short") < first.index("Vegetarian"), (query, profile)
            assert "Never wake" not in context.text
            assert context.parts["pinned"] > 0
            assert "tone" not in [hit.source.name for hit in context.hits]
            assert context.tokens <= 500
    space.remember("Answer in short sentences", name="tone", pin=False)

    assert "Answer in short" not in chat.context("", 500).text
    assert space.history("tone") == []
