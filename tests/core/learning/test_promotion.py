"""Scores, gates, the two files, near-duplicates and contradictions: all without a store."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.learning import contradictions, diary, near_duplicates, promotion
from ricordo.core.learning.contradictions import Clash, FactHistory, NoteText
from ricordo.core.learning.diary import Block, Bullet, Night, Remark
from ricordo.core.learning.promotion import WEIGHTS, Gates, Tally
from ricordo.core.text import tokens
from ricordo.errors import InvalidInput

DAY = 86_400_000_000
NOW = 20_000 * DAY
AT = datetime(2026, 4, 22, 8, 30, 15, tzinfo=UTC)


def tally(entry: int = 1, hits: int = 3, queries: int = 3, days: int = 1, ago: float = 0, mean=1.0):
    return Tally(entry, hits, mean, NOW - round(ago * DAY), queries, days)


def scored(one: Tally) -> float:
    return promotion.score(promotion.parts(one, NOW))


# --- the signals ------------------------------------------------------------------------------


def test_the_reference_figures():
    """DRM-6"""
    assert scored(tally()) == 0.730979
    assert scored(tally(queries=2, mean=(1 + 1 / 2 + 1 / 3) / 3)) == 0.584313


@pytest.mark.parametrize(
    ("hits", "frequency"), [(1, 0.356), (2, 0.565), (3, 0.712), (6, 1), (99, 1)]
)
def test_frequency_grows_with_the_logarithm_up_to_six_hits(hits, frequency):
    assert round(promotion.parts(tally(hits=hits), NOW)["frequency"], 3) == frequency


@pytest.mark.parametrize(("ago", "recency"), [(0, 1), (7, 0.5), (30, 0.051), (-3, 1)])
def test_recency_halves_every_seven_days(ago, recency):
    """SIG-2; a clock that was wrong makes nothing more recent than now."""
    assert round(promotion.parts(tally(ago=ago), NOW)["recency"], 3) == recency


def test_an_entry_that_was_never_recalled_has_no_signals():
    """SIG-2"""
    assert set(promotion.parts(Tally(1, 0, 0.0, 0, 0, 0), NOW).values()) == {0.0}


def test_diversity_takes_days_for_queries_and_consolidation_takes_days_alone():
    parts = promotion.parts(tally(queries=1, days=3), NOW)

    assert (parts["diversity"], parts["consolidation"]) == (0.6, 0.6)
    assert promotion.parts(tally(queries=9, days=1), NOW)["diversity"] == 1


def test_the_weights_are_those_documented():
    assert WEIGHTS == {
        "frequency": 0.24, "relevance": 0.30, "recency": 0.15, "diversity": 0.15,
        "consolidation": 0.10,
    }  # fmt: skip


def test_with_all_weight_on_relevance_the_score_is_the_relevance():
    """DRM-4"""
    parts = promotion.parts(tally(mean=0.4321, hits=9, days=4), NOW)

    assert promotion.score(parts, promotion.weights({"relevance": 1})) == 0.4321


@pytest.mark.parametrize(
    "given", [{}, {"speed": 1}, {"recency": "x"}, {"recency": -1}, 3, {"recency": True}]
)
def test_weights_that_cannot_be_used_are_refused(given):
    with pytest.raises(InvalidInput, match="weight"):
        promotion.weights(given)


def test_queries_are_distinct_when_trimmed_and_folded():
    asked = [(1, "Window seat"), (1, " window SEAT "), (1, "Straße"), (1, "STRASSE"), (2, "x")]

    assert promotion.distinct(asked) == {1: 2, 2: 1}


# --- the gates --------------------------------------------------------------------------------


def judged(*tallies, promoted=(), **gates):
    verdict = promotion.judge(tallies, promoted, NOW, Gates(**gates))
    return [each.tally.entry for each in verdict.promoted], verdict.skipped


def test_all_gates_have_to_be_passed():
    few = tally(1, hits=2)
    narrow = tally(2, queries=1)
    poor = tally(3, mean=0.0, ago=60)
    good = tally(4)

    assert judged(few, narrow, poor, good) == ([4], 0)


def test_days_never_count_as_queries():
    """DRM-5"""
    assert judged(tally(hits=3, queries=1, days=3)) == ([], 0)
    assert judged(tally(hits=3, queries=2, days=3)) == ([1], 0)


def test_a_score_equal_to_the_gate_passes():
    one = tally()

    assert judged(one, min_score=0.730979) == ([1], 0)
    assert judged(one, min_score=0.73098) == ([], 0)


def test_the_best_come_first_and_the_cap_holds():
    """DRM-3"""
    five = [tally(entry, hits=entry + 2) for entry in (1, 2, 3, 4, 5)]

    assert judged(*five, cap=2)[0] == [4, 5]  # six hits and seven count alike: the older id first
    assert judged(*five)[0] == [4, 5, 3, 2, 1]


def test_what_was_promoted_before_is_skipped():
    assert judged(tally(1), tally(2), promoted={2}) == ([1], 1)


def test_each_rejection_names_the_gate_that_stopped_it():
    few, narrow, poor = tally(1, hits=2), tally(2, queries=1), tally(3, mean=0.0, ago=60)
    known, best, good = tally(4), tally(5, hits=9), tally(6)

    verdict = promotion.judge((few, narrow, poor, known, best, good), {4}, NOW, Gates(cap=1))

    gates = {each.tally.entry: each.gate for each in verdict.rejected}
    assert gates == {1: "recalls", 2: "queries", 3: "score", 4: "promoted", 6: "cap"}
    assert [each.score for each in verdict.rejected] == sorted(
        (each.score for each in verdict.rejected), reverse=True
    )


@given(
    st.lists(
        st.builds(
            tally, st.integers(1, 50), st.integers(1, 20), st.integers(1, 9), st.integers(1, 9)
        ),
        max_size=30,
    )
)
def test_a_score_lies_between_zero_and_the_sum_of_the_weights(tallies):
    verdict = promotion.judge(tallies, (), NOW, Gates())

    scores = [each.score for each in verdict.promoted]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) <= 20
    assert all(0.35 <= score <= 0.94 for score in scores)


# --- MEMORY.md --------------------------------------------------------------------------------


def bullet(entry: int, content: str = "Likes tea") -> Bullet:
    return Bullet(entry, content, 0.4242, 5, 3)


def block(sweep: int, *entries: int) -> Block:
    return Block(sweep, AT, tuple(bullet(entry, f"content {entry}") for entry in entries))


def test_memory_reads_as_documented():
    text = diary.add_promotions(None, [Block(7, AT, (bullet(12),))])

    assert text == (
        "# MEMORY.md\n\n## Dreamed 2026-04-22 08:30 UTC\n<!-- sweep:7 -->\n\n"
        "- Likes tea _(score=0.42, hits=5, days=3)_ <!-- entry:12 -->\n"
    )


@pytest.mark.parametrize(
    "content", ["two\nlines", "two\r\nlines", "two\x85lines\u2028", "\n two \nlines\n"]
)
def test_content_of_many_lines_makes_one_bullet(content):
    """DRM-7"""
    line = diary.bullet(bullet(1, content))

    assert len(line.splitlines()) == 1
    assert line.startswith("- two\\n")


@given(st.text(min_size=1))
def test_whatever_an_entry_says_is_one_line_that_is_found_by_its_tag(content):
    text = diary.add_promotions(None, [Block(1, AT, (bullet(5, content), bullet(6)))])

    assert diary.entries_mentioned_in(text) == {5, 6}
    assert len(text.splitlines()) == 7
    assert diary.entries_mentioned_in(diary.without(text, {5})) == {6}


def test_content_cannot_pass_for_a_tag_or_a_heading():
    spoof = "x <!-- entry:6 -->\n## Dreamed\n<!-- sweep:1 -->"
    text = diary.add_promotions(None, [Block(1, AT, (bullet(5, spoof), bullet(6)))])

    assert diary.without(text, {6}).count("\n- ") == 1
    assert "<!-- sweep:1 -->" in diary.without(text, {6})
    assert diary.entries_mentioned_in(text) == {5, 6}


def test_a_bullet_is_never_listed_twice():
    once = diary.add_promotions(None, [block(1, 4, 5)])

    assert diary.add_promotions(once, [block(1, 4, 5)]) == once
    assert diary.add_promotions(once, [block(2, 5)]) == once


def test_blocks_are_appended_and_a_block_that_broke_off_is_completed():
    first = diary.add_promotions(None, [block(1, 4)])
    both = diary.add_promotions(first, [block(2, 8)])

    whole = diary.add_promotions(both, [block(1, 4, 5)])

    assert both.startswith(first)
    assert [line for line in whole.split("\n") if line.startswith("- ")] == [
        diary.bullet(bullet(entry, f"content {entry}")) for entry in (4, 5, 8)
    ]


def test_what_a_person_wrote_beside_is_left_alone():
    text = "# Mine\n\nkeep me\n\n## Dreamed by hand\n\n- own line\n"

    more = diary.add_promotions(text, [block(1, 4)])

    assert more.startswith(text)
    assert diary.without(more, {4}) == text
    assert diary.without(text, {4}) == text


def test_removing_the_last_bullet_removes_its_block_alone():
    text = diary.add_promotions(None, [block(1, 4), block(2, 8, 9), block(3, 10)])

    without = diary.without(text, {4, 10})

    assert without == diary.add_promotions(None, [block(2, 8, 9)])
    assert diary.without(text, {4, 8, 9, 10}) == "# MEMORY.md\n"
    assert diary.without(None, {4}) is None


def test_a_note_of_a_person_inside_a_block_keeps_the_block():
    text = diary.add_promotions(None, [block(1, 4)]) + "\nmy remark\n"

    without = diary.without(text, {4})

    assert "my remark" in without
    assert "## Dreamed" in without
    assert "content 4" not in without


def test_files_with_windows_line_ends_are_understood():
    text = diary.add_promotions(None, [block(1, 4, 5)]).replace("\n", "\r\n")

    assert diary.entries_mentioned_in(text) == {4, 5}
    assert diary.entries_mentioned_in(diary.without(text, {4})) == {5}
    assert diary.add_promotions(text, [block(1, 4)]) == text


def test_no_promotions_make_no_file():
    """DRM-1"""
    assert diary.add_promotions(None, [block(1)]) is None
    assert diary.diff(None, None) == ""


def test_the_diff_shows_what_comes():
    before = diary.add_promotions(None, [block(1, 4)])

    shown = diary.diff(before, diary.add_promotions(before, [block(2, 8)])).split("\n")

    assert [line for line in shown if line.startswith("+- ")] == [
        "+" + diary.bullet(bullet(8, "content 8"))
    ]
    assert not [line for line in shown if line.startswith("-") and not line.startswith("---")]


# --- DREAMS.md --------------------------------------------------------------------------------


def night(sweep: int = 3, **more) -> Night:
    values = {"promoted": (), "duplicates": (), "contradictions": ()} | more
    return Night(sweep, AT, 12, 1, **values)


def test_the_diary_reads_as_documented():
    text = diary.add_night(None, night(promoted=(Remark("`seat`: window", (12,)),)))

    assert text == (
        "# DREAMS.md — Dream Diary\n\n## Deep Sleep 2026-04-22 08:30 UTC\n<!-- sweep:3 -->\n\n"
        "- candidates: 12\n- promoted: 1\n- skipped: 1\n\n"
        "### Promoted\n\n- `seat`: window <!-- entry:12 -->\n"
    )


def test_a_night_is_told_once_and_so_is_its_undoing():
    text = diary.add_night(None, night())
    undone = diary.add_undo_note(text, 3, AT, 2)

    assert diary.add_night(text, night()) == text
    assert undone.startswith(text)
    assert "## Undone 2026-04-22 08:30 UTC" in undone
    assert diary.add_undo_note(undone, 3, AT, 2) == undone


def test_a_line_about_two_entries_goes_with_either():
    text = diary.add_night(None, night(duplicates=(Remark("`a` and\n`b`", (4, 5)),)))

    assert "`a` and\\n`b`" in text
    for gone in (4, 5):
        assert "`a`" not in diary.without(text, {gone})
        assert "candidates: 12" in diary.without(text, {gone})


# --- near-duplicates --------------------------------------------------------------------------


def stems(text: str) -> frozenset[str]:
    return frozenset(tokens.stems(text))


def test_texts_that_share_nearly_all_words_are_alike():
    texts = {
        1: stems("Ana prefers a window seat on the night train to Vienna in May"),
        2: stems("Ana prefers a window seat on the night train to Vienna in June"),
        3: stems("The invoice of the plumber is still open"),
        4: stems("ana PREFERS a window seat, on the night train to vienna in May!"),
    }

    found = near_duplicates.pairs(texts)

    assert [pair[:2] for pair in found] == [(1, 4), (1, 2)]
    assert found[0].likeness == 1


def test_short_texts_are_only_alike_when_equal():
    assert near_duplicates.pairs({1: stems("yes"), 2: stems("no"), 3: stems("yes")}) == [
        (1, 3, 1.0)
    ]
    assert near_duplicates.pairs({1: frozenset(), 2: frozenset()}) == []


@given(st.lists(st.sets(st.sampled_from("abcdefghijkl"), min_size=1, max_size=9), max_size=12))
def test_no_pair_is_missed(sets):
    texts = {number: frozenset(each) for number, each in enumerate(sets)}
    first = {each: min(n for n, other in texts.items() if other == each) for each in texts.values()}

    expected = {(first[one], n) for n, one in texts.items() if n != first[one]}
    for one, other in {(a, b) for a in first for b in first if a != b and min(len(a), len(b)) >= 3}:
        if len(one & other) / len(one | other) >= 0.85:
            expected.add(tuple(sorted((first[one], first[other]))))

    assert {pair[:2] for pair in near_duplicates.pairs(texts)} == expected


def test_ten_thousand_texts_that_are_all_alike_stay_bounded():
    same = {number: frozenset({"a", "b", "c", f"x{number % 50}"}) for number in range(10_000)}

    assert len(near_duplicates.pairs(same)) == near_duplicates.MOST_PAIRS


# --- contradictions ---------------------------------------------------------------------------


def note(entry: int, text: str, since: int = 5) -> NoteText:
    return NoteText(entry, since, tuple(tokens.stems(text)))


def test_two_values_under_one_key_contradict_each_other():
    old = FactHistory(1, "user", "dog_name", "Rex", 1)
    new = FactHistory(2, "family", "dog_name", "Max", 9)
    same = FactHistory(3, "pets", "dog_name", "max", 4)

    assert contradictions.clashes([old, new, same], []) == [Clash(1, 2, "key")]


def test_keys_that_everybody_has_do_not_contradict():
    facts = [
        FactHistory(1, "user", "name", "Ana", 1),
        FactHistory(2, "project", "name", "Atlas", 2),
    ]

    assert contradictions.clashes(facts, []) == []


def test_a_note_with_a_value_the_fact_had_before_is_told():
    fact = FactHistory(1, "user", "dog_name", "Max", 9, ("Rex",))

    assert contradictions.clashes([fact], [note(2, "The dog is called Rex.")]) == [
        Clash(2, 1, "value")
    ]


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("The dog is called Max, not Rex", 5),  # it knows the new value
        ("T Rex was a dinosaur", 5),  # it speaks of something else
        ("The dog is called Rex again", 12),  # it is newer than the fact
        ("The dog is called Rexona", 5),  # another word
    ],
)
def test_a_note_that_does_not_contradict_is_not_told(text, since):
    fact = FactHistory(1, "user", "dog_name", "Max", 9, ("Rex",))

    assert contradictions.clashes([fact], [note(2, text, since)]) == []
