"""Macros: patterns of arguments, how sure a succession is, and what is never kept."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.integrity.secrets import holds_secret, is_secret_name, without_secrets
from ricordo.core.learning import macros, patterns
from ricordo.core.learning.macros import ToolCall, confidence, derive
from ricordo.core.learning.patterns import ANY, PatternPart
from ricordo.model import Event


def seen(*pairs, times=1):
    """Successions of calls given as (tool, arguments)."""
    return [
        macros.succession(ToolCall(*one), ToolCall(*other))._replace(times=times)
        for one, other in pairs
    ]


def shell(command):
    return "bash", {"command": command}


def the_one(found, **wanted):
    """The only macro whose trigger is shown like this."""
    [one] = [each for each in found if patterns.to_json(each.trigger) == wanted["trigger"]]
    return one


# --- confidence -------------------------------------------------------------------------------


def test_confidence_rises_with_every_repetition_and_a_first_sight_says_nothing():
    figures = [confidence(times, times) for times in (1, 2, 10, 100, 1_000)]

    assert figures[0] == 0.0
    assert figures == sorted(set(figures))
    assert figures[-1] < 1.0


def test_confidence_is_the_lower_end_of_the_wilson_interval():
    assert confidence(10, 10) == pytest.approx(10 / (10 + 1.96**2))
    assert confidence(50, 100) == pytest.approx(0.40383, abs=1e-5)


@given(st.integers(2, 500), st.integers(0, 500))
def test_an_exception_lowers_confidence(followed, others):
    assert confidence(followed, followed + others + 1) < confidence(followed, followed + others)


def test_disuse_halves_confidence_by_the_half_life():
    assert macros.fade_confidence(0.8, 0, 30) == 0.8
    assert macros.fade_confidence(0.8, 30, 30) == pytest.approx(0.4)
    assert macros.fade_confidence(0.8, -5, 30) == 0.8


# --- patterns ---------------------------------------------------------------------------------


def test_one_succession_is_a_macro_for_any_arguments():
    [one] = derive(seen((("read", {"path": "a.py"}), ("edit", {"path": "a.py"}))))

    assert one.trigger is None
    assert one.next == {"path": PatternPart("from", "path")}
    assert (one.followed, one.seen) == (1, 1)


def test_what_is_copied_from_the_trigger_is_told_from_what_is_always_the_same():
    rows = seen(
        *(
            (("read", {"path": f"{n}.py"}), ("edit", {"path": f"{n}.py", "mode": "safe"}))
            for n in range(3)
        )
    )

    [one] = derive(rows)

    assert one.next == {"path": PatternPart("from", "path"), "mode": PatternPart("is", '"safe"')}


def test_a_pattern_with_fixed_and_free_parts_fits_only_its_own():
    pairs = [(shell(f"git add {n}.py"), shell(f"git commit -m {n}")) for n in range(4)]
    pairs += [(shell(f"ls {n}"), shell(f"cat {n}/x")) for n in range(4)]

    one = the_one(derive(seen(*pairs)), trigger={"command": {"starts": "git add"}})

    assert patterns.to_json(one.next) == {"command": {"starts": "git commit -m"}}
    assert (one.followed, one.seen) == (4, 4)
    for command, is_own in (("git add z", True), ("git addx z", False), ("git", False)):
        assert patterns.fits(one.trigger, patterns.of_arguments({"command": command}, None)) is (
            is_own
        )


def test_what_else_followed_counts_against_a_macro():
    rows = seen(*[(("a", {"n": n}), ("b", {})) for n in range(6)])
    rows += seen(*[(("a", {"n": n}), ("c", {})) for n in range(2)])

    told = {one.next_tool: (one.followed, one.seen) for one in derive(rows) if one.trigger is None}

    assert told == {"b": (6, 8), "c": (2, 8)}


def test_the_order_of_what_was_seen_does_not_matter():
    rows = seen(
        *[(shell(f"git add {n}"), shell(f"git commit {n}")) for n in range(5)],
        *[(shell(f"make {n}"), shell("git add .")) for n in range(5)],
    )

    assert {one.id for one in derive(rows)} == {one.id for one in derive(rows[::-1])}


def test_true_is_not_one():
    kept = patterns.of_arguments({"flag": True}, None)

    assert not patterns.fits(patterns.of_arguments({"flag": 1}, None), kept)
    assert patterns.fits(patterns.of_arguments({"flag": True}, None), kept)


ARGUMENTS = st.dictionaries(
    st.sampled_from(["a", "b", "c/d"]),
    st.one_of(
        st.sampled_from(["x", "x y", "x y z", "q", ""]), st.integers(0, 3), st.booleans(), st.none()
    ),
    max_size=3,
)


@given(ARGUMENTS, ARGUMENTS)
def test_the_least_pattern_of_two_fits_both(one, other):
    first, second = (patterns.of_arguments(each, None) for each in (one, other))

    both = patterns.least(first, second)

    assert patterns.fits(both, first)
    assert patterns.fits(both, second)
    assert patterns.covers(both, first)


@given(ARGUMENTS, ARGUMENTS, ARGUMENTS, ARGUMENTS)
def test_the_least_pattern_behind_a_call_fits_both_followers(one, next_one, two, next_two):
    first, second = seen((("t", one), ("n", next_one)), (("t", two), ("n", next_two)))

    both = patterns.least_after((first.trigger, first.next), (second.trigger, second.next))

    assert patterns.fits(both, first.next, first.trigger)
    assert patterns.fits(both, second.next, second.trigger)


@given(ARGUMENTS)
def test_patterns_survive_being_kept(arguments):
    kept = patterns.of_arguments(arguments, None)

    assert patterns.read(json.loads(json.dumps(patterns.to_json(kept)))) == kept


def test_nested_arguments_are_filled_where_they_stood():
    pattern = patterns.of_arguments({"options": {"depth": 2, "a/b": "x"}}, None)

    assert patterns.fill_arguments(pattern, {}) == ({"options": {"depth": 2, "a/b": "x"}}, [])


# --- secrets ----------------------------------------------------------------------------------

KEYS = [
    "sk-proj-abcdEFGH1234",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "AKIAIOSFODNN7EXAMPLE",
    "xoxb-123456789012-abcdef",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
    "5f4dcc3b5aa765d61d8327deb882cf99",
    "postgres://ana:hunter2@db/x",
    "Bearer abcdef123456",
    "-----BEGIN RSA PRIVATE KEY-----",
    "4111 1111 1111 1111",
]


@pytest.mark.parametrize("key", KEYS)
def test_what_looks_like_a_key_is_not_kept(key):
    for value in (key, f"curl -H {key} x", [key], {"deep": [{"x": key}]}):
        kept = patterns.of_arguments({"value": value}, None)
        shown = json.dumps(patterns.to_json(kept))
        assert key not in shown
        assert not any(len(word) > 5 and word in shown for word in key.split()), shown


@pytest.mark.parametrize(
    "name", ["password", "API_KEY", "apiKey", "x-auth-token", "client_secret", "db/passwd"]
)
def test_what_is_called_a_secret_is_not_kept(name):
    assert patterns.of_arguments({name: "plain"}, None) == {
        name.replace("~", "~0").replace("/", "~1"): ANY
    }
    assert "hunter2" not in str(patterns.of_arguments({"rows": [{name: "hunter2"}]}, None))
    assert "hunter2" not in str(patterns.of_arguments({"cmd": f"run --{name} hunter2"}, None))
    assert "hunter2" not in str(patterns.of_arguments({"cmd": f"{name}=hunter2 run"}, None))


def test_a_secret_that_is_handed_on_is_known_by_where_it_came_from():
    [row] = seen((("login", {"token": "hunter2"}), ("call", {"key": "hunter2"})))

    assert "hunter2" in str(row)  # "key" alone says nothing: an ordinary word is kept
    [row] = seen((("login", {"token": "hunter2"}), ("call", {"token": "hunter2"})))
    assert row.next == {"token": PatternPart("from", "token")}
    assert "hunter2" not in str(row)


@pytest.mark.parametrize(
    "text",
    [
        "password: hunter2 rest",
        "password=hunter2 rest",
        "rest --password hunter2",
        'rest {"a":1,"password":"hunter2"}',
        "rest\nDB_PASSWORD='hunter2'",
        "Authorization: Bearer hunter2 rest",
        "rest postgres://ana:hunter2@host/db",
        "rest\npassword = hunter2\nport = 5432",
        'rest {"password" : "hunter2"}',
        "PGPASSWORD=hunter2 psql rest",
        "rest Authorization: Basic hunter2",
        "rest <password>hunter2</password> rest",
    ],
)
def test_secrets_are_left_out_of_a_text_and_the_rest_stays(text):
    shown = without_secrets({"deep": [text]})["deep"][0]

    assert "hunter2" not in shown
    assert "rest" in shown


@pytest.mark.parametrize(
    "value",
    [
        ["mysql", "--password", "hunter2"],
        ["curl", "-H", "Authorization: Bearer hunter2"],
        [{"name": "PASSWORD", "value": "hunter2"}],
        [{"key": "api_key", "value": "hunter2"}],
    ],
)
def test_secrets_are_left_out_of_lists(value):
    assert "hunter2" not in str(without_secrets({"deep": value}))
    assert "hunter2" not in str(patterns.of_arguments({"deep": value}, None))


def test_what_is_nested_too_deeply_is_not_kept():
    deep = []
    for _ in range(5_000):
        deep = [deep]

    assert patterns.of_arguments({"deep": deep}, None) == {"deep": ANY}


def test_a_text_without_secrets_stays_as_it_is():
    text = 'git push origin main\n\tthe pass is high; "x": 1, key: value, path=/a/b'

    assert without_secrets([text, 3, None, {"n": True}]) == [text, 3, None, {"n": True}]


@pytest.mark.parametrize("mark", ["z", "1", "a:", "-", "a.b", "é", "sk-", "://", "a=", "x@"])
@pytest.mark.timeout(20)
def test_long_texts_are_read_in_time(mark):
    for text in (mark * 50_000, f"x{mark} " * 10_000):
        without_secrets(text)
        holds_secret(text)


def test_ordinary_words_are_no_secrets():
    for text in (
        "git push origin main",
        "src/ricordo/store/sqlite/file.py",
        "2024-03-01",
        "v1.2",
    ):
        assert not holds_secret(text), text
    for name in ("path", "tokenizer", "monkey", "author", "compass", "query", "passenger"):
        assert not is_secret_name(name), name


def test_a_long_text_leaves_its_first_words_at_most():
    kept = patterns.of_arguments({"text": "one two three four " * 50}, None)

    assert kept == {"text": PatternPart("starts", "one two three")}


# --- reading calls ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        {"name": "read", "arguments": {"path": "a"}},
        {"name": "read", "arguments": '{"path": "a"}'},
        {"name": "read", "input": {"path": "a"}},
        {"id": "1", "type": "function", "function": {"name": "read", "arguments": '{"path":"a"}'}},
    ],
)
def test_a_call_is_read_in_every_usual_shape(given):
    assert macros.read_call(given) == ToolCall("read", {"path": "a"})


@pytest.mark.parametrize("given", [None, 3, {}, {"name": ""}, {"name": 5}, "read"])
def test_what_is_no_call_is_left_out(given):
    assert macros.read_call(given) is None


def test_calls_of_an_event_come_from_both_places():
    event = Event(
        *("s", "c", 1, "u", "message", "assistant"),
        content=[{"type": "text", "text": "hm"}, {"type": "tool_use", "name": "b", "input": {}}],
        name=None,
        tool_calls=[{"function": {"name": "a", "arguments": "not json"}}],
        tool_call_id=None,
        importance=0.5,
        origin="agent",
        metadata=None,
        at=datetime(2024, 1, 1, tzinfo=UTC),
    )

    assert macros.calls(event) == [ToolCall("a", {"input": "not json"}), ToolCall("b", {})]
