"""The named profiles: each keeps the scoring it is known for."""

from ricordo.errors import InvalidInput
from ricordo.model import Profile
from ricordo.testing.assertions import names, raises, scores, texts
from ricordo.testing.lab import Lab, VectorTable

HALVES = Profile("minmax", {"vector": 0.5, "text": 0.5})


def case_minmax_scales_both_legs_and_breaks_ties_by_the_later(lab: Lab) -> None:
    """HYB-1"""
    table = VectorTable(
        {
            "a: something else": (1, 0),
            "b: banana keyword": (0, 1),
            "c: banana keyword": (-1, 0),
            "banana": (1, 0),
        }
    )
    memory = lab.open(embedder=table)
    space = memory.space("ana")
    space.remember("something else", name="a")
    for name in ("b", "c"):
        space.remember("banana keyword", name=name)
    memory.flush()

    hits = space.recall("banana", profile=HALVES)

    assert names(hits) == ["b", "c", "a"]
    assert scores(hits) == [0.75, 0.5, 0.5]
    assert hits[0].parts == {"vector": 0.5, "text": 1.0}


def case_minmax_gives_equal_scores_to_the_later_message(lab: Lab) -> None:
    """HYB-2"""
    table = VectorTable({"q": (1, 0), "one": (0, 1), "two": (0, 1), "three": (0, 1)})
    memory = lab.open(embedder=table)
    chat = memory.space("ana").session("s")
    for seq, text in ((3, "one"), (5, "two"), (9, "three")):
        chat.append("user", text, seq=seq)
    memory.flush()

    hits = memory.space("ana").recall("q", profile="minmax")

    assert [hit.source.seq_end for hit in hits] == [9, 5, 3]
    assert scores(hits) == [0.7, 0.7, 0.7]


def case_weights_that_make_no_sense_are_refused(lab: Lab) -> None:
    """HYB-3"""
    space = lab.space()
    space.remember("x")

    for weights in (
        {"vector": 0.6, "text": 0.6},
        {"vector": 1.5, "text": -0.5},
        {"vector": float("nan"), "text": 1},
        {"vector": "half", "text": 0.5},
        {"vector": 0.5, "text": 0.5, "taste": 0.0},
    ):
        with raises(InvalidInput, "weight"):
            space.recall("x", profile=Profile("minmax", weights))  # type: ignore[arg-type]
    with raises(InvalidInput, "weight"):
        space.recall("x", profile=Profile("default", {"meaning": float("inf")}))


def case_minmax_gives_a_single_text_hit_a_whole_text_score(lab: Lab) -> None:
    """HYB-4"""
    space = lab.space()
    space.remember("banana", name="a")
    space.remember("cherry", name="b")

    hits = space.recall("banana", profile="minmax", mode="keyword")

    assert names(hits) == ["a"]
    assert hits[0].parts["text"] == 1.0
    assert scores(hits) == [0.3]


def case_reciprocal_ranks_add_up(lab: Lab) -> None:
    """RRF-3"""
    table = VectorTable({"fox": (1, 0), "red fox": (1, 0), "hen": (0.5, 0.5), "owl": (0, 1)})
    memory = lab.open(embedder=table)
    space = memory.space("ana")
    for text in ("owl", "hen", "red fox"):
        space.session("s").append("user", text)
    memory.flush()

    hits = space.recall("fox", profile="rrf")

    assert texts(hits) == ["red fox", "hen", "owl"]
    assert scores(hits) == [0.032787, 0.016129, 0.015873]


def case_reciprocal_rank_ties_go_to_the_newer(lab: Lab) -> None:
    """RRF-3"""
    table = VectorTable({"fox": (1, 0), "fox hen": (1, 0), "fox fox": (0, 1)})
    for said in (("fox hen", "fox fox"), ("fox fox", "fox hen")):
        memory = lab.open(embedder=table)
        for text in said:  # one is first by words, the other by meaning
            memory.space("ana").session("s").append("user", text)
        memory.flush()

        hits = memory.space("ana").recall("fox", profile="rrf")

        assert scores(hits) == [0.032522, 0.032522]
        assert texts(hits) == list(reversed(said))


def case_two_tiers_search_name_and_content(lab: Lab) -> None:
    """TWO-1"""
    space = lab.space()
    space.remember("blue", name="favorite-color")
    space.remember("rain", name="weather")

    for query in ("blue", "favorite", "color"):
        assert names(space.recall(query, profile="two_tier")) == ["favorite-color"]


def case_two_tiers_keep_the_limit(lab: Lab) -> None:
    """TWO-2"""
    space = lab.space()
    for n in range(10):
        space.remember(f"apple number {n}")

    assert len(space.recall("apple", limit=3, profile="two_tier")) == 3
    assert len(space.recall("ppl", limit=3, profile="two_tier")) == 3
    assert space.recall("pear", profile="two_tier") == []


def case_the_second_tier_has_no_score(lab: Lab) -> None:
    """TWO-3, TWO-4"""
    space = lab.space()
    space.remember("see https://example.com/page", name="link")
    space.remember("an example of a company", name="other")

    first = space.recall("example.com", profile="two_tier")
    second = space.recall("example.co", profile="two_tier")

    assert names(first) == names(second) == ["link"]
    assert first[0].score > 0
    assert first[0].parts
    assert second[0].score == 0
    assert not second[0].parts


def case_a_word_said_more_often_ranks_higher(lab: Lab) -> None:
    """TWO-5"""
    space = lab.space()
    space.remember("the color blue is nice", name="once")
    space.remember("blue blue blue everywhere blue", name="often")

    assert names(space.recall("blue", profile="two_tier")) == ["often", "once"]


def case_a_wildcard_is_a_character(lab: Lab) -> None:
    """TWO-6"""
    space = lab.space()
    space.remember("at 100% of it", name="percent")
    space.remember("snake_case", name="under")
    space.remember("plain words 100 times", name="plain")

    assert names(space.recall("%", profile="two_tier")) == ["percent"]
    assert names(space.recall("0%", profile="two_tier")) == ["percent"]
    assert names(space.recall("_", profile="two_tier")) == ["under"]
    assert space.recall("p%n", profile="two_tier") == []


def case_the_second_tier_lists_the_newest_first(lab: Lab) -> None:
    """TWO-3"""
    space = lab.space()
    for name in ("a", "b", "c"):
        space.remember("snake_case", name=name)
    space.write("a", "snake_case again")

    assert names(space.recall("e_c", profile="two_tier")) == ["a", "c", "b"]


def case_a_category_filters_both_tiers(lab: Lab) -> None:
    """ENT-11"""
    space = lab.space()
    space.remember("apple pie", name="a", category="food")
    space.remember("apple tree", name="b", category="garden")

    for query in ("apple", "ppl"):
        found = space.recall(query, profile="two_tier", category="garden")
        assert names(found) == ["b"], query


def case_plain_bm25_gives_the_known_figures(lab: Lab) -> None:
    """BM-1"""
    space = lab.space()
    space.remember("rust rust rust memory", name="a")
    space.remember("rust memory lane", name="b")
    space.remember("unrelated text entirely", name="c")

    hits = space.recall("rust memory", profile="bm25")

    assert names(hits) == ["a", "b"]
    assert scores(hits) == [1.142682, 0.980102]


def case_an_alias_is_resolved_and_not_searched(lab: Lab) -> None:
    """BM-2"""
    space = lab.space()
    space.remember("a place by the sea", name="lisbon", aliases=["hometown"])

    for profile in ("default", "minmax", "rrf", "two_tier", "bm25"):
        assert space.recall("hometown", profile=profile, mode="keyword") == [], profile
        assert names(space.recall("lisbon", profile=profile, mode="keyword")) == ["lisbon"], profile
    assert space.get("hometown") is not None


def case_a_rewritten_entry_is_found_by_its_new_words_only(lab: Lab) -> None:
    """BM-3"""
    space = lab.space()
    space.remember("the old falcon", name="bird")
    assert names(space.recall("falcon", mode="keyword")) == ["bird"]

    space.write("bird", "the young heron")

    for profile in ("default", "minmax", "rrf", "two_tier", "bm25"):
        assert space.recall("falcon", profile=profile, mode="keyword") == [], profile
        assert names(space.recall("heron", profile=profile, mode="keyword")) == ["bird"], profile


def case_notes_and_archives_share_one_search(lab: Lab) -> None:
    """BM-4"""
    space = lab.space()
    space.remember("fox fox fox", name="old", kind="archive")
    space.remember("a fox in the garden", name="new")
    space.session("s").append("user", "fox fox fox fox")

    assert names(space.recall("fox", profile="bm25")) == ["old", "new"]
    assert names(space.recall("fox", profile="bm25", kinds=["note"])) == ["new"]


def case_plain_bm25_leaves_out_short_and_common_words(lab: Lab) -> None:
    """BM-5"""
    space = lab.space()
    space.remember("This is a Rust note with the letter a", name="note")

    assert names(space.recall("RUST", profile="bm25")) == ["note"]
    for query in ("a", "the", "this is with", "no"):
        assert space.recall(query, profile="bm25") == [], query


def case_equal_entries_come_by_id(lab: Lab) -> None:
    """BM-1"""
    space = lab.space()
    for name in ("z", "y", "x"):
        space.remember("equal words", name=name)

    assert names(space.recall("equal", profile="bm25")) == ["z", "y", "x"]
