"""The re-ranker: which passage of a text it reads, and what happens without its files."""

import pytest

from ricordo.embed.reranker import Reranker, cut_around
from ricordo.errors import Unavailable


def test_a_short_text_is_read_whole():
    assert cut_around([5], [1, 2, 3], 3) == [1, 2, 3]


def test_a_long_text_is_cut_around_what_the_question_mentions():
    text = [0] * 50 + [7, 8] + [0] * 50

    passage = cut_around([7, 8, 9], text, 20)

    assert len(passage) == 20
    assert {7, 8} <= set(passage)


def test_a_rare_piece_counts_more_than_one_that_is_everywhere():
    text = [1] * 60 + [2] + [1] * 5 + [0] * 60

    assert 2 in cut_around([1, 2], text, 10)


def test_a_text_that_shares_nothing_is_read_from_its_beginning():
    assert cut_around([99], list(range(50)), 4) == [0, 1, 2, 3]


def test_a_match_at_the_end_still_fills_the_passage():
    assert cut_around([49], list(range(50)), 4) == [46, 47, 48, 49]


def test_missing_files_are_refused_at_once(tmp_path):
    with pytest.raises(Unavailable, match=r"incomplete.*pip install"):
        Reranker(tmp_path)
