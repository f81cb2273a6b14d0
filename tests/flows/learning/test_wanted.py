"""Which hits of a recall leave a signal, and what that does to the promotions of a sweep."""

import sys
from pathlib import Path

import pytest

import ricordo
from ricordo.testing import Lab

sys.path.append(str(Path(__file__).parents[3]))

from bench.promotions import FLOOR, JUDGE, score_sets

NOTES = {
    "seat": "Prefers window seats on night trains",
    "plumber": "The plumber comes on Friday",
    "tea": "Drinks green tea in the evening",
    "sister": "Her sister lives in Rome",
    "bike": "The bicycle is green",
}
QUERIES = ("which window seats", "seats on night trains", "a window on the trains")


@pytest.fixture
def ana(lab: Lab) -> ricordo.Space:
    """Five notes; with vectors that mean nothing, a recall lists all of them."""
    memory = lab.open(embedder="hash")
    space = memory.space("ana")
    for name, text in NOTES.items():
        space.remember(text, name=name)
    memory.flush()
    return space


def signalled(space: ricordo.Space) -> list[tuple[str, float]]:
    return [(signal.entry, signal.score) for signal in reversed(space.dreams.signals())]


def test_neighbours_that_fill_the_list_leave_no_signal(ana):
    """SIG-4"""
    for query in QUERIES:
        assert len(ana.recall(query, asker="user")) == len(NOTES)

    assert signalled(ana) == [("seat", 1.0)] * 3
    assert [each.entry for each in ana.dream().promoted] == ["seat"]


def test_two_entries_that_fit_equally_both_leave_one(ana):
    """SIG-4"""
    ana.recall("green", asker="user")

    assert {name for name, _ in signalled(ana)} == {"tea", "bike"}


@pytest.mark.parametrize(
    "choice", [{"mode": "keyword"}, {"profile": "rrf"}, {"profile": "bm25"}, {"profile": "minmax"}]
)
def test_every_hit_leaves_one_by_words_and_in_other_profiles(ana, choice):
    """SIG-1, SIG-4"""
    hits = ana.recall("green window seats on Friday", asker="user", **choice)

    assert len(hits) > 2
    assert signalled(ana) == [(hit.entry.name, 1 / rank) for rank, hit in enumerate(hits, 1)]


def test_a_message_that_repeats_the_question_takes_no_signal_away(ana):
    """SIG-4"""
    asked = "Paolo booked seats, aboard ferries or airplanes"
    ana.session("chat").append("user", asked)

    first, second, *_ = ana.recall(asked, asker="user")

    assert first.source.kind == "event"
    assert second.score < first.score / 2
    assert signalled(ana) == [("seat", 0.5)]


def test_an_archive_takes_no_place(ana):
    """SIG-4"""
    ana.remember("which window seats on night trains, which window seats", kind="archive", name="a")

    hits = ana.recall("which window seats on night trains", asker="user")

    assert "a" in [hit.entry.name for hit in hits]
    assert [name for name, _ in signalled(ana)] == ["seat"]


def test_what_a_sweep_promotes_was_wanted():
    """SIG-4; sets of notes on which no constant was chosen."""
    score = score_sets(JUDGE, "minilm", "hybrid", log=False)["ricordo"]

    assert score.wanted >= 20
    assert score.precision >= FLOOR
    assert score.recall >= FLOOR
