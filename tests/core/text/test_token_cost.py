"""How many tokens a text costs, near enough and without a vocabulary."""

import tracemalloc

import pytest

from ricordo.core.text import token_cost
from ricordo.core.text.token_cost import MEDIA, MESSAGE, cost, estimate

# Counted once with cl100k_base.
COUNTED = {
    "The quick brown fox jumps over the lazy dog.": 10,
    "def add(a: int, b: int) -> int:\n    return a + b\n": 19,
    '{"name": "weather", "arguments": {"city": "Oslo", "days": 3}}': 22,
    "Ich möchte morgen früh mit dem Zug nach Zürich fahren.": 16,
    "Я хочу завтра утром поехать на поезде в Москву.": 25,
    "我想明天早上坐火车去北京。": 15,
    "Remember that my passport number is 12345678 and that it expires in 2031.": 19,
}


@pytest.mark.parametrize("text", COUNTED, ids=lambda text: text[:12])
def test_an_estimate_lies_within_a_third_of_the_count(text):
    assert estimate(text) == pytest.approx(COUNTED[text], rel=0.34)


def test_the_sum_of_many_texts_is_nearer_than_each():
    assert sum(map(estimate, COUNTED)) == pytest.approx(sum(COUNTED.values()), rel=0.12)


def test_nothing_costs_nothing_and_something_costs_something():
    assert estimate("") == 0
    assert estimate("a") == 1
    assert estimate("🎉") >= 1


def test_estimates_of_many_long_texts_take_little_memory(monkeypatch):
    """They are kept, but neither the texts nor more than so many of them."""
    monkeypatch.setattr(token_cost, "_CACHE_LIMIT", 50)
    first = f"{0:04} " + "word " * 800
    estimate(first)
    tracemalloc.start()

    costs = [estimate(f"{number:04} " + "word " * 800) for number in range(1_000)]

    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 100_000  # the texts are 4,000,000 characters
    assert len(token_cost._ESTIMATES) <= 50
    assert set(costs) == {estimate(first)}


def test_a_longer_text_never_costs_less():
    text = "My ferry, the MS Polarlys, leaves Bergen at 21:30; bring 2 coats.\n\n" * 200
    sizes = [estimate(text[:size]) for size in range(0, 10_000, 250)]

    assert sizes == sorted(sizes)


def test_a_message_costs_its_frame_its_text_and_its_calls():
    assert cost({"role": "user", "content": "one"}, len) == MESSAGE + 3
    assert cost({"role": "assistant", "content": None, "tool_calls": [1]}, len) == MESSAGE + 3
    picture = {"type": "image_url", "image_url": {"url": "x" * 99}}
    parts = [{"type": "text", "text": "four"}, picture]
    assert cost({"role": "user", "content": parts}, len) == MESSAGE + 4 + MEDIA
