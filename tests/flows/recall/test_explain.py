"""Recall explains itself both ways: why something was found, and why it was not."""

import math
from datetime import UTC, datetime

import pytest

import ricordo


@pytest.fixture
def ana():
    memory = ricordo.open(":memory:", embedder="hash")
    yield memory.space("ana")
    assert memory.check() == []
    memory.close()


def test_parts_add_up_to_the_score(ana):
    ana.remember("Rex is a brown dog", name="dog")
    ana.session("chat").append("user", "My dog Rex likes the beach", name="Ana")

    for hit in ana.recall("dog Rex"):
        assert math.isclose(sum(hit.parts.values()), hit.score, abs_tol=1e-6)


def test_a_hit_is_explained_as_found(ana):
    ana.remember("Rex is a brown dog", name="dog")

    told = ana.explain("dog", "dog")

    assert (told.verdict, told.rank) == ("found", 1)
    assert told.parts == ana.recall("dog")[0].parts


def test_what_ranks_behind_the_last_hit_is_compared_with_it(ana):
    ana.remember("Rex is a brown dog", name="dog")
    ana.remember("The dog next door", name="door")

    order = [hit.entry.name for hit in ana.recall("brown dog Rex")]
    told = ana.explain("brown dog Rex", order[-1], limit=1)

    assert (told.verdict, told.rank) == ("ranked", 2)
    assert told.last_score > told.score
    assert told.last_parts
    assert told.parts


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "vector"])
def test_what_ranks_behind_the_hits_has_its_place_in_the_whole_space(ana, mode):
    for number in range(12):
        ana.remember(f"Rex the dog met {number} other dogs", name=f"dog {number}")
    hits = ana.recall("which dogs did Rex meet?", limit=12, mode=mode, variety=False)
    order = [hit.entry.name for hit in hits]

    told = [ana.explain("which dogs did Rex meet?", name, limit=3, mode=mode) for name in order]

    assert [each.rank for each in told] == [*range(1, 13)]
    assert [each.parts for each in told] == [hit.parts for hit in hits]


def test_a_filter_is_named_as_the_reason(ana):
    ana.remember("Rex is a brown dog", name="dog", category="daily")

    assert ana.explain("dog", "dog", category="core").verdict == "filtered"


def test_an_entry_past_its_time_is_filtered(ana):
    ana.remember("Rex", name="dog", expires_at=datetime(2020, 1, 1, tzinfo=UTC))

    assert ana.explain("Rex", "dog").verdict == "filtered"


def test_a_keyword_recall_without_a_shared_word_says_so(ana):
    ana.remember("Rex is a brown dog", name="dog")

    assert ana.explain("zebra", "dog", mode="keyword").verdict == "unmatched"


def test_a_message_is_named_by_session_and_seq(ana):
    said = ana.session("chat").append("user", "The vet is on Elm Street")

    assert ana.explain("vet", ("chat", said.seq)).verdict == "found"


def test_a_message_without_text_cannot_be_found(ana):
    said = ana.session("chat").append("user", "   ")

    assert ana.explain("anything", ("chat", said.seq)).verdict == "textless"


@pytest.mark.parametrize("target", ["nobody", 99, ("chat", 7), ("nowhere", 1)])
def test_an_unknown_target_is_not_found(ana, target):
    ana.session("chat").append("user", "hello")

    with pytest.raises(ricordo.NotFound):
        ana.explain("hello", target)


@pytest.mark.parametrize("seq", [3, 0, -7, 2**70])
def test_a_seq_at_which_nothing_was_said_is_not_found(ana, seq):
    for said in (1, 5):
        ana.session("chat").append("user", "hello", seq=said)  # one chunk, from 1 to 5

    with pytest.raises(ricordo.NotFound, match=f"message chat#{seq}"):
        ana.explain("hello", ("chat", seq))


def test_what_recall_gives_is_found_though_copies_rank_before_it(ana):
    for number in range(12):
        ana.remember("Rex is a brown dog", name=f"copy {number}")
    ana.remember("a dog barked somewhere on the long way home", name="other")

    hits = ana.recall("brown dog", limit=2)
    told = ana.explain("brown dog", "other", limit=2)

    assert [hit.entry.name for hit in hits][1] == "other"
    assert (told.verdict, told.last_score) == ("found", hits[-1].score)
    assert ana.explain("brown dog", "copy 0", limit=2).verdict == "ranked"


def test_a_message_is_named_as_a_citation_names_it(ana):
    ana.session("a#b").append("user", "Rex met other dogs")

    assert ana.get("a#b#1").content == "Rex met other dogs"
    assert ana.explain("Rex", "a#b#1") == ana.explain("Rex", ("a#b", 1))
    assert ana.explain("Rex", "a#b#1").verdict == "found"
    with pytest.raises(ricordo.NotFound, match="no message, entry or document 'a#b#2'"):
        ana.explain("Rex", "a#b#2")


def test_an_entry_whose_name_ends_like_a_citation_is_explained_as_an_entry(ana):
    ana.remember("Rex is a brown dog", name="ticket#12")

    assert ana.explain("brown dog", "ticket#12").verdict == "found"
