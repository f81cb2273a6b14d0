import numpy as np
import pytest
from conversations import WIDTH, entry, filled

from ricordo.core.recall.confidence import Figures, judge, measure
from ricordo.core.recall.question import read

SAME, ACROSS = np.eye(2, WIDTH, dtype=np.float32)


def measure_two(vector: np.ndarray | None) -> list[Figures]:
    """The figures of a text with the word that was asked for, and of one without it."""
    view = filled([entry(1, 1, "green kayak"), entry(2, 2, "rye bread")])
    view.put_vectors(np.array([1, 2]), np.stack([SAME, SAME]).astype(np.float16))
    return measure(view, read("kayak", view), vector, [1, 2])


def test_figures_of_a_hit_are_its_cosine_and_what_it_holds_of_the_question():
    assert measure_two(SAME) == [(1.0, 1.0), (1.0, 0.0)]
    assert measure_two(ACROSS) == [(0.0, 1.0), (0.0, 0.0)]
    assert measure_two(None) == [(0.0, 1.0), (0.0, 0.0)]


@pytest.mark.parametrize("by", ["reading", "minilm", "multilingual", "words"])
def test_confidence_rises_with_what_the_hit_holds_of_the_question(by):
    low, high = (judge(Figures(0.3, covered), by) for covered in (0.0, 1.0))

    assert 0 < low < high < 1


@pytest.mark.parametrize("by", ["minilm", "multilingual"])
def test_confidence_rises_with_the_cosine_where_the_model_was_measured(by):
    assert judge(Figures(0.2, 0.5), by) < judge(Figures(0.8, 0.5), by)
    assert judge(Figures(0.2, 0.5), "words") == judge(Figures(0.8, 0.5), "words")


def test_confidence_rises_with_what_the_reader_makes_of_the_hit():
    figures = Figures(0.5, 0.5)

    assert judge(figures, "reading", -4) < 0.2 < 0.6 < judge(figures, "reading", 4)


def test_a_rare_word_of_the_question_counts_more_than_a_common_one():
    texts = ["kayak", "bread", "bread", "bread", "bread"]
    view = filled([entry(n, n, text) for n, text in enumerate(texts, 1)])

    rare, common, *_ = measure(view, read("kayak bread", view), None, [1, 2])

    assert rare.covered > 0.5 > common.covered
    assert measure(view, read("kayak", view), None, []) == []


def test_figures_belong_to_their_chunk_in_whatever_order_chunks_came():
    long = entry(1, 1, "green kayak"), entry(3, 1, "rye bread", part=1)
    view = filled([*long, entry(2, 2, "blue tent")])

    (figures,) = measure(view, read("tent", view), None, [2])

    assert figures.covered == 1
