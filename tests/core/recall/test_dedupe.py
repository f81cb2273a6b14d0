"""Near-duplicates never fill the list."""

from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.recall.dedupe import set_repeats_apart

TEXTS = st.lists(st.frozensets(st.sampled_from("abcdefgh")), max_size=12)


def test_what_repeats_an_earlier_hit_goes_last():
    one = frozenset(["green", "tea", "every", "morning"])
    other = frozenset(["dog", "named", "rex"])

    assert set_repeats_apart([one, one, other], wanted=3) == ([0, 2], [1])


def test_almost_the_same_words_count_as_a_repeat():
    long = frozenset(f"word{n}" for n in range(20))

    assert set_repeats_apart([long, long | {"and"}, frozenset(["else"])], wanted=3) == ([0, 2], [1])


def test_short_texts_are_alike_only_when_equal():
    assert set_repeats_apart([frozenset(["ok"]), frozenset(["ok", "then"])], wanted=2) == (
        [0, 1],
        [],
    )
    assert set_repeats_apart(
        [frozenset(["ok"]), frozenset(["ok"]), frozenset(["no"])], wanted=3
    ) == (
        [0, 2],
        [1],
    )


def test_archives_keep_to_their_lane_while_others_wait():
    texts = [frozenset([f"{n}a", f"{n}b", f"{n}c"]) for n in range(4)]

    assert set_repeats_apart(texts, {0, 1, 2}, most=1, wanted=4) == ([0, 3], [1, 2])


def test_no_more_than_wanted_is_looked_at():
    def texts():
        yield frozenset(["one"])
        raise AssertionError("looked further than needed")

    assert set_repeats_apart(texts(), wanted=1) == ([0], [])


@given(TEXTS)
def test_nothing_is_lost_and_the_best_hit_stays_first(texts):
    first, later = set_repeats_apart(texts, wanted=len(texts))

    assert sorted(first + later) == list(range(len(texts)))
    assert first[:1] == [0][: len(texts)]
