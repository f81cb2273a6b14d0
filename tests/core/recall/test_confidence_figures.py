import numpy as np
import pytest
from conversations import WIDTH, entry, filled

from ricordo.core.recall.confidence import judge
from ricordo.core.recall.question import read

SAME, ACROSS = np.eye(2, WIDTH, dtype=np.float32)


def judge_two(by: str, vector: np.ndarray | None) -> list[float]:
    """The confidence of a text with the word that was asked for, and of one without it."""
    view = filled([entry(1, 1, "green kayak"), entry(2, 2, "rye bread")])
    view.put_vectors(np.array([1, 2]), np.stack([SAME, SAME]).astype(np.float16))
    return judge(view, read("kayak", view), vector, [1, 2], by=by)


@pytest.mark.parametrize(
    ("by", "vector", "expected"),
    [
        ("minilm", SAME, [0.9999, 0.9926]),
        ("minilm", ACROSS, [0.2142, 0.0022]),
        ("multilingual", SAME, [0.9998, 0.9002]),
        ("multilingual", ACROSS, [0.7858, 0.0074]),
        ("words", SAME, [0.9845, 0.0452]),
        ("minilm", None, [0.9845, 0.0452]),
    ],
)
def test_confidence_stands_where_it_stood_when_it_was_last_measured(by, vector, expected):
    assert judge_two(by, vector) == pytest.approx(expected, abs=1e-4)


def test_a_rare_word_of_the_question_counts_more_than_a_common_one():
    texts = ["kayak", "bread", "bread", "bread", "bread"]
    view = filled([entry(n, n, text) for n, text in enumerate(texts, 1)])

    rare, common, *_ = judge(view, read("kayak bread", view), None, [1, 2], by="words")

    assert rare > 0.5 > common
    assert judge(view, read("kayak", view), None, [], by="words") == []
