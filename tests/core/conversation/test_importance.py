"""Importance: defaults by role, the opt-in heuristic, and what is refused."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.conversation.importance import by_role, check_share, heuristic
from ricordo.errors import InvalidInput


@pytest.mark.parametrize(
    ("role", "expected"),
    [("user", 0.5), ("assistant", 0.5), ("tool", 0.3), ("system", 0.1), ("narrator", 0.5)],
)
def test_each_role_has_its_default(role, expected):
    assert by_role(role) == expected


PLAIN = "the weather is mild this week"  # no mark, between 20 and 200 bytes


@pytest.mark.parametrize(
    ("role", "text", "expected"),
    [
        ("user", "hello", 0.4),
        ("user", "this is a very important secret password", 0.9),
        ("user", "ok", 0.1),
        ("user", "OK", 0.1),
        ("system", "this is a very important secret password", 0.0),
        ("tool", PLAIN, 0.3),
        ("assistant", PLAIN, 0.5),
        ("narrator", PLAIN, 0.5),
        ("user", PLAIN, 0.6),
        ("user", "x" * 200, 0.6),
        ("user", "x" * 201, 0.8),
        ("user", "é" * 101, 0.8),  # 202 bytes
        ("user", "x" * 19, 0.4),
        ("user", "x" * 20, 0.6),
        ("user", "important: remember, note that this is so", 0.9),  # counted once
        ("user", "how the weather turned out", 0.7),
        ("user", "however the weather turned", 0.6),
        ("user", "the weather turned out mild?", 0.7),
        ("user", "Let's go with the blue one today", 0.85),
        ("user", "i prefer the blue one for today", 0.8),
        ("user", "see https://example.org for more", 0.7),
        ("user", "it stands in src/main.rs I think", 0.7),
        ("user", "look below ~/notes for the text", 0.7),
        ("user", "this and/or that, 5 km/h at most", 0.6),
        ("user", "```print``` is all that it takes", 0.8),
        ("user", "{" + "x" * 49 + "}", 0.7),  # 51 bytes
        ("user", "{" + "x" * 48 + "}", 0.6),
        ("user", "[" + "x" * 49 + "}", 0.6),
        ("tool", "ok", 0.1),  # clamped
        ("user", "I decided: actually remember https://a.b/c ```x```?", 1.0),  # clamped
    ],
)
def test_the_heuristic_weighs_role_length_and_wording(role, text, expected):
    assert heuristic(role, text) == expected


def test_a_sum_meant_to_be_the_threshold_reaches_it():
    assert 0.6 - 0.2 + 0.3 + 0.1 < 0.8

    assert heuristic("user", "remember me?") == 0.8


@given(st.sampled_from(["user", "assistant", "tool", "narrator"]), st.text())
def test_the_heuristic_stays_between_a_tenth_and_one(role, text):
    value = heuristic(role, text)

    assert 0.1 <= value <= 1.0
    assert value == round(value, 6)


@pytest.mark.parametrize("value", [math.nan, -0.001, 1.001, math.inf, -math.inf, "0.5", None, True])
def test_importance_outside_its_range_is_refused(value):
    with pytest.raises(InvalidInput, match=r"importance .* 0 to 1"):
        check_share(value)


@pytest.mark.parametrize("value", [0, 1, 0.0, 0.5, 1.0])
def test_importance_in_range_is_kept(value):
    assert check_share(value) == value
    assert type(check_share(value)) is float
