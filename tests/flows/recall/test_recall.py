"""Recall over many texts: whatever is written is found, whatever is asked is answered."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ricordo
from ricordo.testing import Lab

PROFILES = ("default", "minmax", "rrf", "two_tier", "bm25")
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=80
)


@settings(max_examples=60)
@given(TEXTS, TEXTS)
def test_no_text_and_no_query_breaks_anything(text, query):
    with Lab(lambda: ":memory:") as lab:
        memory = lab.open()
        space = memory.space("ana")
        event = space.session("s").append("user", text)
        assert space.session("s").events() == [event]
        if text.strip():
            assert space.remember(text).content == text
        for profile in PROFILES:
            if query.strip():
                space.recall(query, profile=profile, mode="keyword")
                space.recall(query, profile=profile)


@settings(max_examples=60)
@given(st.lists(st.from_regex(r"[a-z]{3,8}", fullmatch=True), min_size=1, max_size=6, unique=True))
def test_every_message_is_found_by_each_of_its_words(words):
    with Lab(lambda: ":memory:") as lab:
        space = lab.space()
        space.session("s").append("user", " ".join(words))
        for word in words:
            for profile in ("default", "minmax", "rrf", "two_tier"):
                assert len(space.recall(word, mode="keyword", profile=profile)) == 1, profile


@settings(max_examples=30)
@given(TEXTS.filter(lambda text: text.strip()), st.data())
def test_any_part_of_a_text_is_found_literally(text, data):
    shown = " ".join(text.split())
    start = data.draw(st.integers(0, len(shown) - 1))
    part = shown[start : data.draw(st.integers(start + 1, len(shown)))]
    if not part.strip():
        return
    with Lab(lambda: ":memory:") as lab:
        space = lab.space()
        space.remember(text, name="n")

        assert len(space.recall(part, profile="two_tier")) == 1


def test_a_page_of_many_filters_and_limits_never_gives_more_than_asked_for(space):
    for n in range(30):
        space.session(f"s{n % 3}").append("user", f"fox {n}", origin="user" if n % 2 else "web")
        space.remember(f"fox note {n}", kind="archive" if n % 5 == 0 else "note")

    for profile in PROFILES:
        for limit in (1, 2, 7, 50):
            for by in ({}, {"kinds": ["note"]}, {"session": "s1"}, {"origins": ["web"]}):
                hits = space.recall("fox", limit, profile=profile, **by)
                assert len(hits) <= limit
                units = {
                    (hit.source.session, hit.source.seq_start, hit.source.name) for hit in hits
                }
                assert len(units) == len(hits)


def test_a_query_is_read_up_to_its_limit(lab):
    space = lab.space(config={"max_query": 10})
    space.remember("fox")
    space.remember("owl")

    found = space.recall("fox" + " " * 20 + "owl", mode="keyword")

    assert [hit.text for hit in found] == ["fox"]
    with pytest.raises(ricordo.InvalidInput, match="limit"):
        space.recall("x" * 10_000_001)


def test_each_part_of_a_file_is_a_hit_of_its_own(space):
    parts = space.ingest(
        "\n\n".join(f"Heron {n} by pond {n}. " * 30 for n in range(6)), uri="doc:1"
    )

    hits = space.recall("heron", limit=20)

    assert len(hits) == len({hit.text for hit in hits}) == parts.chunks > 5
    assert {hit.source.uri for hit in hits} == {"doc:1"}


def test_an_entry_has_no_author(space):
    space.remember("the red fox", name="fox")
    space.session("s").append("user", "the red fox", name="Ana")

    hits = space.recall("fox")

    assert {hit.source.kind: hit.author for hit in hits} == {"entry": None, "event": "Ana"}


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_a_space_that_does_not_exist_has_no_hits(memory, space, mode):
    space.remember("the red fox")

    assert memory.space("nobody").recall("fox", mode=mode) == []


def test_recall_leaves_no_signal_for_messages(space):
    space.session("s").append("user", "the red fox")

    assert len(space.recall("fox", asker="user")) == 1
    assert space.dreams.signals() == []


@pytest.mark.parametrize("path", [None, 7, b"a.db"])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(ricordo.InvalidInput, match="path"):
        ricordo.open(path)


@pytest.mark.parametrize("messages", [None, 7, "hello", {"role": "user"}])
def test_what_is_no_list_of_messages_is_refused(messages):
    with ricordo.open(":memory:", embedder="none") as memory:
        chat = memory.space("ana").session("s")

        with pytest.raises(ricordo.InvalidInput):
            chat.extend(messages)
        assert chat.events() == []


@pytest.mark.parametrize("profile", ["minmax", "rrf", "two_tier", "default"])
def test_what_others_write_does_not_decide_which_matches_are_looked_at(profile):
    """ISO-6: in the whole file "tea" is rare, in this space it is not, and that is what counts."""
    with ricordo.open(":memory:", embedder="none") as memory:
        ana, ben = memory.space("ana"), memory.space("ben")
        ana.session("s").extend(
            {"role": "user", "content": f"lemon cup {n}" if n % 10 < 3 else f"tea tea tea tea {n}"}
            for n in range(1000)
        )

        def asked():
            hits = ana.recall("tea lemon", limit=8, profile=profile, asker=None)
            return [(hit.text, hit.score) for hit in hits]

        before = asked()
        ben.session("s").extend(
            {"role": "user", "content": f"something else entirely {n}"} for n in range(6000)
        )

        assert all("lemon" in text for text, _ in before)
        assert asked() == before


def test_a_filter_without_a_match_gives_nothing_however_large_the_space(lab):
    """Above 5,000 vectors most are only estimated, and the nearest are read once more."""
    memory = lab.open()
    space = memory.space("ana")
    space.session("log").extend({"role": "user", "content": f"line {n}"} for n in range(5_001))
    memory.flush()

    assert space.recall("line", tags=["nope"]) == []
    assert space.recall("line", session="other") == []
    assert space.recall("line", kinds=["note"], mode="vector") == []
