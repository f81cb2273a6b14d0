"""Bad input: a clear error of our own, and nothing changed."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

from ricordo import Memory, Session, Space
from ricordo.errors import InvalidInput, StoreError, Unavailable
from ricordo.testing.assertions import counts, raises
from ricordo.testing.lab import Lab

Attempt = Callable[[], object]
Wrong = Any  # on purpose not what the signature asks for

NO_TEXTS: tuple[Wrong, ...] = ("a\0b", "a\ud800b", 7, b"bytes", object())
NO_NAMES: tuple[Wrong, ...] = (*NO_TEXTS, "", "  ", "n" * 513)
NO_LIMITS: tuple[Wrong, ...] = (-1, 1.5, "5", True, 2**63, -(2**63), 10**30)
WEST, EAST = timezone(timedelta(hours=-5)), timezone(timedelta(hours=5))
NO_TIMES: tuple[Wrong, ...] = (
    datetime(2024, 1, 1),  # noqa: DTZ001 - without a zone on purpose
    "2024-01-01",
    0,
    datetime.max.replace(tzinfo=WEST),
    datetime.min.replace(tzinfo=EAST),
)


def case_a_bad_name_is_refused_everywhere(lab: Lab) -> None:
    """ENT-2"""
    memory = lab.open()
    space = _fill(memory)

    def refuse_name(name: Wrong) -> None:
        _check_refusals(
            memory,
            lambda: memory.space(name),
            lambda: space.session(name),
            lambda: space.rename("home", name),
            lambda: space.alias("home", name),
            lambda: space.remember("x", name=name),
            lambda: space.remember("x", aliases=["fine", name]),
            lambda: space.remember("x", category=name),
            lambda: space.fact(name, "key", "x"),
            lambda: space.fact("user", name, "x"),
            lambda: space.entries(category=name),
            lambda: space.entries(prefix=name),
            lambda: space.recall("x", session=name),
            lambda: space.recall("x", category=name),
            lambda: space.session("trip").append(name, "x"),
            lambda: space.session("trip").append("user", "x", name=name),
        )

    for name in NO_NAMES:
        refuse_name(name)


def case_a_bad_address_is_refused_everywhere(lab: Lab) -> None:
    """ENT-2"""
    memory = lab.open()
    space = _fill(memory)
    addresses: tuple[Wrong, ...] = ("a\0b", "a\ud800b", b"home", 1.5, True, object(), ["home"])

    def refuse_name(name: Wrong) -> None:
        _check_refusals(
            memory,
            lambda: space.get(name),
            lambda: space.forget(name),
            lambda: space.write(name, "x"),
            lambda: space.rename(name, "x"),
            lambda: space.alias(name, "x"),
            lambda: space.history(name),
        )

    for name in (*addresses, None):
        refuse_name(name)

    def refuse_name_2(name: Wrong) -> None:
        _check_refusals(
            memory,
            lambda: space.entries(after=name),
            lambda: space.dreams.signals(name),
        )

    for name in addresses:
        refuse_name_2(name)


def case_an_address_that_cannot_be_is_not_there(lab: Lab) -> None:
    """ENT-2"""
    space = _fill(lab.open())

    for name in ("", " ", "x" * 100_000, 0, -1, 2**64, 10**30, str(10**30), "0x1", "１"):
        assert space.get(name) is None


def case_bad_text_is_refused_everywhere(lab: Lab) -> None:
    """SES-1, ENT-2"""
    memory = lab.open()
    space = _fill(memory)
    chat = space.session("trip")

    def refuse_text(text: Wrong) -> None:
        _check_refusals(
            memory,
            lambda: space.remember(text),
            lambda: space.write("home", text),
            lambda: space.fact("user", "dog", text),
            lambda: space.remember("x", source=text),
            lambda: space.remember("x", tags=["fine", text]),
            lambda: space.recall(text),
            lambda: space.recall("x", tags=[text]),
            lambda: chat.append("user", text),
            lambda: chat.append("user", "x", tool_call_id=text),
        )

    def refuse_json(value: Wrong) -> None:
        _check_refusals(
            memory,
            lambda: chat.append("user", [{"type": "text", "text": value}]),
            lambda: chat.append("user", "x", metadata={"deep": [{"x": value}]}),
            lambda: chat.append("user", "x", tool_calls=[{"name": value}]),
            lambda: space.remember("x", metadata={"key": value}),
        )

    for text in NO_TEXTS:
        refuse_text(text)
    for value in ("a\0b", "a\ud800b", b"bytes", object()):
        refuse_json(value)
    _check_refusals(memory, lambda: space.remember(" \n\t"), lambda: space.write("home", ""))


def case_text_beyond_the_limit_is_refused(lab: Lab) -> None:
    """ENT-2"""
    memory = lab.open(config={"max_text": 1_000})
    space = _fill(memory)
    text = "x" * 1_001

    _check_refusals(
        memory,
        lambda: space.remember(text),
        lambda: space.write("home", text),
        lambda: space.session("trip").append("user", text),
        lambda: space.session("trip").append("user", [text]),
        lambda: space.session("trip").append("user", "x", metadata={"x": text}),
        words=("1,000",),
    )
    assert space.remember("y" * 1_000).content == "y" * 1_000


def case_a_backslash_u_is_text_and_not_a_nul(lab: Lab) -> None:
    """ENT-2"""
    space = lab.space()
    odd = {"a": "\\u0000", "b": ["\\\\u0000", "\u0001", "\x1f"]}

    assert space.remember("\\u0000", metadata=odd).metadata == odd
    assert space.session("s").append("user", "\\u0000", metadata=odd).metadata == odd
    assert space.session("s").events()[0].metadata == odd


def case_what_json_cannot_keep_is_refused(lab: Lab) -> None:
    """ENT-2"""
    memory = lab.open()
    space = _fill(memory)
    loop: list[object] = []
    loop.append(loop)
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]

    def refuse(value: Wrong) -> None:
        _check_refusals(
            memory,
            lambda: space.remember("x", metadata={"value": value}),
            lambda: space.session("trip").append("user", "x", metadata={"v": value}),
        )

    for value in (float("nan"), {1: "x"}, {"a": (1, 2)}, {"a": {1, 2}}, loop, deep, lab.clock()):
        refuse(value)


def case_a_time_without_a_zone_or_beyond_the_calendar_is_refused(lab: Lab) -> None:
    """SES-1"""
    memory = lab.open()
    space = _fill(memory)

    def refuse_time(time: Wrong) -> None:
        when = "lately" if isinstance(time, str) else time  # a recall reads texts such as "7d"
        _check_refusals(
            memory,
            lambda: space.session("trip").append("user", "x", at=time),
            lambda: space.remember("x", expires_at=time),
            lambda: space.get("home", as_of=time),
            lambda: space.recall("x", since=when),
            lambda: space.recall("x", until=when),
            lambda: space.recall("x", as_of=when),
            words=("time",),
        )

    for time in NO_TIMES:
        refuse_time(time)


def case_an_absurd_limit_is_refused(lab: Lab) -> None:
    """BM-5"""
    memory = lab.open()
    space = _fill(memory)
    chat = space.session("trip")

    def refuse_limit(limit: Wrong) -> None:
        _check_refusals(
            memory,
            lambda: space.recall("x", limit=limit),
            lambda: space.entries(limit=limit),
            lambda: space.sessions(limit=limit),
            lambda: space.dreams.signals(limit=limit),
            lambda: chat.events(limit=limit),
            lambda: chat.recent(limit),
            lambda: chat.append("user", "x", seq=limit),
        )

    for limit in NO_LIMITS:
        refuse_limit(limit)


def case_an_unknown_choice_is_refused_and_the_known_ones_named(lab: Lab) -> None:
    """RRF-1"""
    memory = lab.open()
    space = _fill(memory)

    def refuse_choice(choice: Wrong) -> None:
        _check_refusals(
            memory,
            lambda: space.recall("x", mode=choice),
            lambda: space.recall("x", profile=choice),
            lambda: space.remember("x", kind=choice),
            lambda: space.recall("x", kinds=[choice]),
            lambda: space.recall("x", origins=[choice]),
            lambda: space.session("trip").extend(
                [{"role": "user", "content": "x", "kind": choice}]
            ),
            words=("not valid; use one of",),
        )

    for choice in ("nope", "", 7, None, ["note"]):
        refuse_choice(choice)

    def refuse_choice_2(choice: Wrong) -> None:
        _check_refusals(
            memory,
            lambda: space.remember("x", origin=choice),
            lambda: space.session("trip").append("user", "x", origin=choice),
            lambda: space.entries(kind=choice),
            lambda: space.recall("x", asker=choice),
            words=("not valid; use one of",),
        )

    for choice in ("nope", "", 7):
        refuse_choice_2(choice)


def case_what_is_not_a_list_is_refused(lab: Lab) -> None:
    """TAG-2"""
    memory = lab.open()
    space = _fill(memory)
    chat = space.session("trip")

    def refuse_wrong(wrong: Wrong) -> None:
        _check_refusals(
            memory,
            lambda: space.remember("x", tags=wrong),
            lambda: space.remember("x", aliases=wrong),
            lambda: space.remember("x", metadata=wrong),
            lambda: space.recall("x", tags=wrong),
            lambda: space.recall("x", kinds=wrong),
            lambda: space.recall("x", origins=wrong),
            lambda: chat.append("user", "x", tool_calls=wrong),
            lambda: chat.append("user", "x", metadata=wrong),
            lambda: chat.extend([wrong]),
        )

    for wrong in (7, "text"):
        refuse_wrong(wrong)
    one_message: Wrong = {"role": "user"}
    one_text: Wrong = "text"
    _check_refusals(memory, lambda: chat.extend(one_text), lambda: chat.extend(one_message))


def case_a_message_without_a_role_is_refused(lab: Lab) -> None:
    """SES-8"""
    memory = lab.open()
    chat = _fill(memory).session("trip")

    _check_refusals(
        memory,
        lambda: chat.extend([{"content": "x"}]),
        lambda: chat.extend([{}]),
        words=("role",),
    )


def case_a_slip_in_the_name_of_a_field_is_refused(lab: Lab) -> None:
    """SES-8"""
    memory = lab.open()
    chat = _fill(memory).session("trip")

    _check_refusals(
        memory,
        lambda: chat.extend([{"role": "user", "contents": "x"}]),
        lambda: chat.extend([{"role": "user", "content": "x", "importanc": 1}]),
        words=("did you mean",),
    )
    _check_refusals(
        memory,
        lambda: chat.extend([{"role": "user", "content": "x", "foo": 1, "metadata": {"foo": 2}}]),
        words=("'foo'",),
    )


def case_an_unknown_setting_is_refused_with_a_suggestion(lab: Lab) -> None:
    """EMB-3"""
    with raises(InvalidInput, "recent_capp", "recent_cap"):
        lab.open(config={"recent_capp": 5})
    for config in ({"recent_cap": 0}, {"recent_cap": "many"}, {"embedder": 7}, 7, "/no/such.toml"):
        with raises(InvalidInput):
            lab.open(config=config)
    with raises(InvalidInput, "durability"):
        lab.open(durability="maybe")


def case_a_closed_memory_says_so(lab: Lab) -> None:
    """STO-1"""
    memory = lab.open()
    space = _fill(memory)
    chat = space.session("trip")
    memory.close()
    memory.close()

    attempts: tuple[Attempt, ...] = (
        lambda: space.remember("x"),
        lambda: space.get("home"),
        lambda: space.recall("x"),
        lambda: chat.append("user", "x"),
        chat.recent,
        memory.stats,
        memory.check,
        memory.spaces,
    )
    for attempt in attempts:
        with raises(StoreError, "closed"):
            attempt()
    lab.forget(memory)


def case_an_unknown_backend_is_unavailable(lab: Lab) -> None:
    """STO-1"""
    import ricordo

    with raises(Unavailable, "nosuchdb"):
        ricordo.open("nosuchdb://host/name", embedder="hash")
    assert lab.open().stats().events == 0


def _fill(memory: Memory) -> Space:
    space = memory.space("ana")
    space.remember("Lisbon", name="home", aliases=["city"])
    chat: Session = space.session("trip")
    chat.append("user", "hello")
    return space


def _check_refusals(memory: Memory, *attempts: Attempt, words: tuple[str, ...] = ()) -> None:
    """Every attempt is InvalidInput, with a message worth reading, and changes nothing."""
    before = _state(memory)
    for attempt in attempts:
        with raises(InvalidInput, *words) as raised:
            attempt()
        assert len(raised.message) > 15, raised.message
    assert _state(memory) == before


def _state(memory: Memory) -> object:
    """What can be seen of a memory, without what happens by itself."""
    space = memory.space("ana")
    return (
        counts(memory),
        memory.spaces(),
        space.entries(),
        space.sessions(),
        space.session("trip").recent(),
    )
