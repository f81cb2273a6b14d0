"""Text at the gate: refusals, normal form, hash, and what is read out of a message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.text.content import clean, digest, extract, normalise
from ricordo.errors import InvalidInput

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "text", "content", "function", "name", "arguments", "input", "value"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("text", ["", "plain", "Zürich 東京 🦊", "tabs\tand\nlines"])
def test_ordinary_text_passes_unchanged(text):
    assert clean(text, "content") is text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"bytes", "content is bytes, not text; pass a str"),
        (None, "content is NoneType"),
        ("a\0b", "NUL character at position 1; remove it"),
        ("ok \ud800", r"lone surrogate \(U\+D800\) at position 3"),
        ("ab\udfff\0", "NUL"),
    ],
)
def test_text_no_store_can_keep_is_refused_with_the_reason(text, problem):
    with pytest.raises(InvalidInput, match=problem):
        clean(text, "content")


def test_text_is_refused_only_beyond_the_limit():
    assert clean("x" * 10, "name", limit=10)

    with pytest.raises(InvalidInput, match="name has 11 characters, the limit is 10"):
        clean("x" * 11, "name", limit=10)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_every_text_of_real_characters_is_accepted(text):
    assert clean(text, "content") == text


def test_runs_of_unicode_whitespace_become_one_blank():
    assert normalise("  a\t\tb\n\u00a0\u3000c\u2028 ") == "a b c"


@given(st.text())
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


def test_the_hash_is_blake3():
    assert digest("abc").hex() == "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"
    assert digest("").hex() == "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"


def test_plain_content_is_trimmed():
    assert extract("  hello \n", None) == "hello"
    assert extract(None, None) == ""


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ('{"city": "Oslo"}', 'tool weather arguments {"city": "Oslo"}'),
        ({"city": "Ürümqi", "days": 2}, 'tool weather arguments {"city":"Ürümqi","days":2}'),
        (None, "tool weather invocation"),
        (0, "tool weather arguments 0"),
        ({}, "tool weather arguments {}"),
    ],
)
def test_a_tool_call_reads_as_its_name_and_arguments(arguments, line):
    assert extract(None, [{"function": {"name": "weather", "arguments": arguments}}]) == line


@pytest.mark.parametrize("field", ["arguments", "input", "args"])
def test_flat_tool_calls_are_read_under_each_known_field(field):
    assert extract("", [{"name": "look", field: "x"}]) == "tool look arguments x"


def test_content_comes_first_and_each_tool_call_on_its_own_line():
    calls = [{"name": "a"}, {"function": {"name": "b", "arguments": "1"}}]

    assert extract(" hi ", calls) == "hi\ntool a invocation\ntool b arguments 1"


def test_text_is_taken_from_the_parts_that_carry_it():
    content = [
        "one",
        {"type": "text", "text": "two "},
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
        {"type": "text", "text": {"value": "three"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "four"}]},
        {"type": "tool_result", "content": "five"},
        {"type": "tool_use", "name": "look", "input": {"at": 6}},
        7,
        None,
    ]

    assert extract(content, None) == 'one\ntwo\nthree\nfour\nfive\ntool look arguments {"at":6}'


def test_arguments_can_be_left_out_wherever_a_call_stands():
    content = [[{"type": "tool_use", "name": "login", "input": {"password": "hush"}}]]
    calls = [{"function": {"name": "pay", "arguments": '{"card": "hush"}'}}]

    assert extract(content, calls, arguments=False) == "tool login invocation\ntool pay invocation"
    assert extract(content, calls).count("hush") == 2


def test_a_part_that_holds_itself_ends():
    part: dict[str, object] = {"type": "tool_result"}
    part["content"] = [part, "x"]

    assert set(extract([part], [{"name": "loop", "args": part}]).splitlines()) == {
        "x",
        "tool loop invocation",
    }


@given(anything, anything)
def test_odd_shapes_never_raise(content, tool_calls):
    assert isinstance(extract(content, tool_calls), str)
