"""How each documented tool searches: by the profile of its document, with its own edges."""

import pytest

from ricordo.surfaces.tools import ToolFailure, registry


@pytest.fixture
def calling(space):
    def call(toolset: str, tool: str, /, **args):
        return registry.call(tool, args, space, "trip", toolset)

    return call


# --- 003: two tiers -----------------------------------------------------------------------------


@pytest.fixture
def recalled(calling):
    def keys(query: str, **rest) -> list[str]:
        found = calling("keyed", "recall_memories", query=query, **rest)["result"]
        assert found["count"] == len(found["memories"])
        return [each["key"] for each in found["memories"]]

    return keys


def test_a_keyed_memory_that_matches_nothing_is_not_recalled(calling, recalled):
    calling("keyed", "save_memory", key="colour", content="the sea is blue")

    assert recalled("xylophone") == []


def test_special_characters_are_looked_for_as_they_stand(calling, recalled):
    calling("keyed", "save_memory", key="sale", content="reduced by 100% today")
    calling("keyed", "save_memory", key="site", content="see example.com for more")
    calling("keyed", "save_memory", key="plain", content="nothing odd in here")

    assert recalled("%") == ["sale"]
    assert recalled("_") == []
    assert recalled("example.co") == ["site"]


def test_a_keyed_memory_is_recalled_by_a_word_of_its_key(calling, recalled):
    calling("keyed", "save_memory", key="favorite-color", content="blue")

    assert recalled("favorite") == ["favorite-color"]


def test_what_repeats_the_word_comes_first(calling, recalled):
    calling("keyed", "save_memory", key="a", content="the color blue is nice")
    calling("keyed", "save_memory", key="b", content="blue blue blue everywhere blue")
    calling("keyed", "save_memory", key="c", content="green")

    assert recalled("blue") == ["b", "a"]


def test_a_recalled_memory_carries_all_but_its_score(calling):
    calling("keyed", "save_memory", key="tz", content="Lisbon time", metadata={"by": "ana"})

    [found] = calling("keyed", "recall_memories", query="Lisbon")["result"]["memories"]

    assert set(found) == {"key", "content", "category", "metadata", "updated_at"}
    assert found["metadata"] == {"by": "ana"}


def test_of_keyed_memories_zero_asks_for_none_and_less_for_all(calling, recalled, space):
    for number in range(8):
        calling("keyed", "save_memory", key=f"k{number}", content="a boat")
    space.session("trip").append("user", "a boat")

    assert recalled("boat", limit=0) == []
    assert len(recalled("boat")) == 5
    assert sorted(recalled("boat", limit=-1)) == [f"k{number}" for number in range(8)]
    assert len(recalled("boat", limit=5_000)) == 8


def test_all_is_no_more_than_one_recall_gives(lab):
    space = lab.space(config={"max_limit": 3})
    for number in range(5):
        space.remember("a boat", f"k{number}")

    found = registry.call("recall_memories", {"query": "boat", "limit": -1}, space)

    assert found["result"]["count"] == 3


def test_a_category_is_looked_for_within_both_tiers(calling, recalled):
    calling("keyed", "save_memory", key="a", content="cost 5% more")
    calling("keyed", "save_memory", key="b", content="cost 7% more", category="daily")

    assert recalled("cost", category="daily") == ["b"]
    assert recalled("%", category="daily") == ["b"]


# --- 004: plain BM25 over entries ---------------------------------------------------------------


def test_entries_that_share_no_word_with_the_query_are_not_recalled(calling):
    calling("entries", "remember", name="home", content="Lisbon, near the river")

    assert calling("entries", "recall", query="xylophone") == "no memories found"
    assert calling("entries", "recall", query="the") == "no memories found"
    assert calling("entries", "recall", query=" ") == "no memories found"
    assert calling("entries", "recall", query="river", limit=0) == "no memories found"


def test_entries_are_recalled_by_name_but_not_by_alias(calling):
    calling("entries", "remember", name="home", content="Lisbon", aliases=["residence"])

    assert calling("entries", "recall", query="home") == "## home\nLisbon"
    assert calling("entries", "recall", query="residence") == "no memories found"


def test_entries_are_ranked_by_their_words_and_archives_are_among_them(calling, space):
    chat = space.session("trip")
    chat.append("user", "rust is a memory lane")
    archive = chat.compact()
    calling("entries", "remember", name="x", content="rust rust rust memory")

    text = calling("entries", "recall", query="rust memory")

    assert text.startswith("## x\n")
    assert f"## {archive.name}\n" in text


# --- 002: keyword unless asked otherwise --------------------------------------------------------


def test_memory_recalls_by_words_unless_another_mode_is_asked_for(calling, memory):
    calling("memory", "memory", action="remember", content="Owns a boat")
    memory.flush()

    def found(**rest):
        answer = calling("memory", "memory", action="recall", **rest)
        assert answer["ok"] is True
        return [each["content"] for each in answer["results"]]

    assert found(query="boat") == ["Owns a boat"]
    assert found(query="xylophone") == []
    assert found(query="xylophone", mode="vector") == ["Owns a boat"]


def test_memory_recalls_by_tags_too(calling):
    calling("memory", "memory", action="remember", content="Owns a boat", tags=["sailing"])

    found = calling("memory", "memory", action="recall", query="sailing")

    assert [each["content"] for each in found["results"]] == ["Owns a boat"]


@pytest.mark.parametrize("rest", [{"query": ""}, {"query": " "}, {"query": "boat", "limit": 0}])
@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_nothing_asked_of_memory_is_nothing_recalled(calling, rest, mode):
    calling("memory", "memory", action="remember", content="Owns a boat")

    found = calling("memory", "memory", action="recall", mode=mode, **rest)

    assert found == {"ok": True, "results": []}


def test_without_an_embedder_vectors_are_refused_and_words_are_named(lab):
    space = lab.space(embedder="none")
    asked = {"action": "recall", "query": "boat"}
    registry.call("memory", {"action": "remember", "content": "Owns a boat"}, space)

    by_words = registry.call("memory", asked, space)
    with pytest.raises(ToolFailure, match="mode keyword"):
        registry.call("memory", {**asked, "mode": "vector"}, space)

    assert len(by_words["results"]) == 1
    assert registry.call("memory", {**asked, "mode": "hybrid"}, space) == by_words


# --- 001: scaled once over notes and conversation -----------------------------------------------


def test_scores_of_notes_and_messages_are_scaled_together(calling, memory, space):
    chat = space.session("trip")
    for text in ("a window seat please", "no seat at all", "the boat is blue"):
        chat.append("user", text)
    calling("notes", "memory_save", content="Owns a seat in parliament")
    memory.flush()

    found = calling(
        "notes", "memory_search", query="window seat", include_conversation=True, top_k=20
    )

    scores = [each["score"] for each in found]
    assert found[0]["text"] == "a window seat please"
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    wanted = space.recall("window seat", 20, kinds=["note", "message"], profile="minmax")
    assert scores == [hit.score for hit in wanted]
    assert {each["source"] for each in found} == {"user_memory", "conversation"}


def test_memory_search_gives_what_the_weighted_profile_gives(calling, memory, space):
    for text in ("a window seat", "a seat", "a boat"):
        calling("notes", "memory_save", content=text)
    memory.flush()

    found = calling("notes", "memory_search", query="window seat")

    wanted = space.recall("window seat", kinds=["note"], profile="minmax")
    assert [(each["text"], each["score"]) for each in found] == [
        (hit.text, hit.score) for hit in wanted
    ]


@pytest.mark.parametrize("query", ["", " \n"])
def test_a_blank_search_of_notes_is_invalid_arguments(calling, query):
    with pytest.raises(ToolFailure) as caught:
        calling("notes", "memory_search", query=query)

    assert caught.value.shape["error"] == "InvalidArguments"
    assert caught.value.shape["tool"] == "memory_search"
