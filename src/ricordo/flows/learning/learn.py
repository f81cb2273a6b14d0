"""Learn: count which tool calls follow which, and suggest what usually follows a call.

Only what may be kept of the arguments is written (see core/learning). A suggestion is never run
here, and one that would run a denied command is not made.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b, sha256
from itertools import pairwise
from typing import NamedTuple

from ricordo.core.learning import approvals, macros, patterns
from ricordo.core.learning.approvals import RuledPrefix
from ricordo.core.learning.macros import LearntMacro, Succession, ToolCall
from ricordo.errors import InvalidInput, NotFound, shorten
from ricordo.flows.engine import LONGEST_NAME, Engine, check_name, whole
from ricordo.flows.learning import approve
from ricordo.model import Event, Json, Macro, Receipt
from ricordo.store.codec import DAY, moment
from ricordo.store.database import Tx
from ricordo.store.tables.macros import SuccessionRow, UseRow

MOST_CALLS = 10_000  # of one lesson
KEPT = 300  # successions of one trigger tool; beyond them arguments are forgotten
FREED = 30  # how many give way at a time
_COMMANDS = ("command", "cmd")  # arguments that a shell or a terminal would run


class Lesson(NamedTuple):
    """Successions of a session that were not learnt yet, and how far they reach."""

    key: str
    upto: int
    pairs: list[tuple[ToolCall, ToolCall]]


def learn(engine: Engine, space: str, tool_calls: Iterable[Json]) -> int:
    """Count the successions in a list of calls; how many there were."""
    if isinstance(tool_calls, Mapping | str) or not isinstance(tool_calls, Iterable):
        raise InvalidInput("learn takes a list of tool calls in the order in which they were made")
    calls = [check_call(call) for call in tool_calls]
    if len(calls) > MOST_CALLS:
        raise InvalidInput(f"{len(calls):,} calls are too many for one lesson; give {MOST_CALLS:,}")
    pairs = [macros.succession(one, other) for one, other in pairwise(calls)]
    if pairs:
        now = engine.now()
        engine.store.write(lambda tx: _count(tx, engine.ensure_space(tx, space), pairs, now))
    return len(pairs)


def learn_session(engine: Engine, space: str, session: str) -> int:
    """Count the successions of a session that were not counted yet; how many there were."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None or tx.sessions.head(number, session) is None:
            raise NotFound(f"there is no session {session!r} in space {space!r}")
        if not _lesson(tx, number, (space, session)).pairs:
            return 0
    now = engine.now()

    def work(tx: Tx) -> int:
        number = engine.ensure_space(tx, space)
        lesson = _lesson(tx, number, (space, session))
        _count(tx, number, [macros.succession(*pair) for pair in lesson.pairs], now)
        tx.macros.set_learnt(number, lesson.key, lesson.upto)
        return len(lesson.pairs)

    return engine.store.write(work)


def unlearn(tx: Tx, number: int, address: tuple[str, str]) -> dict[str, int]:
    """Take what was learnt from a session out again; how many successions and macros went."""
    key = _key(tx, number, address[1])
    upto = tx.macros.learnt_upto(number, key)
    learnt = (event for event in tx.events.after(number, address) if event.seq <= upto)
    calls = [call for event in learnt for call in _calls(event)]
    counted = Counter(make_row(macros.succession(*pair)).id for pair in pairwise(calls))
    tools = dict.fromkeys(call.tool for call in calls)
    rows = [row for tool in tools for row in tx.macros.after(number, tool) if counted[row.id]]
    gone = [row.id for row in rows if row.times <= counted[row.id]]
    for row in rows:
        if row.id not in gone:
            tx.macros.add(number, row._replace(times=-counted[row.id]))
    went = {
        "successions": tx.macros.delete_successions(number, gone),
        "macros": sum(tx.macros.delete(number, id) for id in _find_unfounded(tx, number, tools)),
    }
    if upto >= 0:
        tx.macros.set_learnt(number, key, -1)
    return {table: count for table, count in went.items() if count}


def _find_unfounded(tx: Tx, number: int, tools: Iterable[str]) -> list[str]:
    """Macros of these tools that were used once and have no successions left."""
    learnt = [
        one
        for tool in tools
        for one in macros.derive([_succession(row) for row in tx.macros.after(number, tool)])
    ]
    used = [row for row in tx.macros.uses(number) if row.trigger_tool in tools]
    return [row.id for row in used if not any(one.covers(_read_use(row)) for one in learnt)]


def suggest(
    engine: Engine, space: str, tool_call: Json, limit: int, min_confidence: float
) -> list[Macro]:
    """What usually follows a call, the surest first, with the arguments that are known."""
    call = check_call(tool_call)
    most, sure = whole(limit, "limit", 0, 1_000), _share(min_confidence)
    kept = patterns.of_arguments(call.arguments, None)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        found = _macros(engine, tx, number, space, call)
    answers = approve.list_approvals(engine, space)
    denied = [RuledPrefix(one.words, one.allow) for one in answers if not one.allow]
    fitting = [
        macro
        for macro, learnt in found
        if macro.confidence >= sure
        and patterns.fits(learnt.trigger, kept)
        and _says_something(macro)
        and not _is_denied(macro, denied)
    ]
    return _distinct(fitting)[:most]


def list_macros(engine: Engine, space: str, tool: str | None, limit: int) -> list[Macro]:
    """The macros of a space, or of one trigger tool, the surest first."""
    most = whole(limit, "limit", 0, 2**31)
    wanted = None if tool is None else check_name(tool, "tool")
    with engine.store.read() as tx:
        found = [macro for macro, _ in _all(engine, tx, space, wanted)]
    found.sort(key=lambda macro: (-macro.confidence, -macro.followed, macro.id))
    return found[:most]


def get(engine: Engine, space: str, macro: str) -> Macro | None:
    """One macro by its id, as it stands now."""
    id = check_name(macro, "macro")
    with engine.store.read() as tx:
        return next((one for one, _ in _all(engine, tx, space, None) if one.id == id), None)


def use(engine: Engine, space: str, macro: str) -> Macro:
    """Note that a suggestion was taken."""
    id = check_name(macro, "macro")
    now = engine.now()

    def work(tx: Tx) -> Macro:
        number, learnt = _find_macro(engine, tx, space, id)
        row = UseRow(
            id,
            learnt.trigger_tool,
            _text(learnt.trigger),
            learnt.next_tool,
            _text(learnt.next),
            1,
            now,
        )
        tx.macros.use(number, row)
        return next(one for one, _ in _all(engine, tx, space, learnt.trigger_tool) if one.id == id)

    return engine.store.write(work)


def forget(engine: Engine, space: str, macro: str) -> Receipt:
    """Forget a macro with the successions it was learnt from."""
    id = check_name(macro, "macro")

    def work(tx: Tx) -> dict[str, int]:
        number, learnt = _find_macro(engine, tx, space, id)
        behind = [
            row.id
            for row in tx.macros.after(number, learnt.trigger_tool)
            if _is_behind(learnt, _succession(row))
        ]
        used = [row.id for row in tx.macros.uses(number) if learnt.covers(_read_use(row))]
        return {
            "successions": tx.macros.delete_successions(number, behind),
            "macros": sum(tx.macros.delete(number, row) for row in used),
        }

    removed = engine.store.write(work)
    return Receipt(space=space, target=id, removed=removed, at=moment(engine.now()))


def check_call(given: Json) -> ToolCall:
    """A call that can be learnt from."""
    call = macros.read_call(given)
    if call is None:
        raise InvalidInput(
            f"tool call {shorten(given):.100} is not valid; give a mapping with name and arguments"
        )
    if len(call.tool) > LONGEST_NAME:
        raise InvalidInput(f"the name of the tool has more than {LONGEST_NAME} characters")
    _refuse_surrogates(call.arguments)
    return ToolCall(check_name(call.tool, "the name of the tool"), call.arguments)


def _refuse_surrogates(arguments: Mapping[str, Json]) -> None:
    try:
        json.dumps(patterns.flat(arguments), ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            "the arguments of a tool call hold a lone surrogate; decode the text properly"
        ) from error
    except (TypeError, ValueError, RecursionError):
        return  # no JSON at all: nothing of such a value is kept


def _lesson(tx: Tx, number: int, address: tuple[str, str]) -> Lesson:
    """What is new in a session; the call it was learnt up to is the one before."""
    key = _key(tx, number, address[1])
    upto = tx.macros.learnt_upto(number, key)
    if upto >= 0 and tx.events.one(number, address, upto) is None:
        upto = -1  # that session was deleted; this is another of its name
    calls: list[ToolCall] = []
    last = upto
    for event in tx.events.after(number, address, upto - 1 if upto >= 0 else -1):
        made = _calls(event)
        if made:
            calls += made[-1:] if event.seq == upto else made
            last = event.seq
    return Lesson(key, last, list(pairwise(calls)))


def _key(tx: Tx, number: int, session: str) -> str:
    """What a session is known by here; its name may tell something."""
    secret = tx.spaces.secret(number)
    return blake2b(session.encode(), key=secret, digest_size=16).hexdigest()


def _calls(event: Event) -> list[ToolCall]:
    return [call for call in macros.calls(event) if len(call.tool) <= LONGEST_NAME]


def _count(tx: Tx, number: int, found: list[Succession], now: int) -> None:
    for one in found:
        tx.macros.add(number, make_row(one._replace(created_at=now, updated_at=now)))
    for tool in dict.fromkeys(one.trigger_tool for one in found):
        rows = tx.macros.after(number, tool)
        if len(rows) > KEPT:
            _free(tx, number, rows)


def _free(tx: Tx, number: int, rows: list[SuccessionRow]) -> None:
    """Let the rarest and oldest go: they still count, but their arguments are forgotten."""
    known = [row for row in rows if row.trigger_args is not None]
    leaving = sorted(known, key=lambda row: (row.times, row.updated_at))[: len(rows) - KEPT + FREED]
    tx.macros.delete_successions(number, [row.id for row in leaving])
    for row in leaving:
        tx.macros.add(number, make_row(_succession(row)._replace(trigger=None, next=None)))


def _all(engine: Engine, tx: Tx, space: str, tool: str | None) -> list[tuple[Macro, LearntMacro]]:
    number = tx.spaces.number(space)
    if number is None:
        return []
    tools = tx.macros.tools(number) if tool is None else [tool]
    return [
        pair for each in tools for pair in _macros(engine, tx, number, space, ToolCall(each, {}))
    ]


def _macros(
    engine: Engine, tx: Tx, number: int, space: str, call: ToolCall
) -> list[tuple[Macro, LearntMacro]]:
    """The macros behind a tool, with the arguments that the call gives."""
    rows = tx.macros.after(number, call.tool)
    used = [
        (row, _read_use(row)) for row in tx.macros.uses(number) if row.trigger_tool == call.tool
    ]
    now = engine.now()
    half_life = engine.settings.macro_half_life_days * DAY
    found = []
    for learnt in macros.derive([_succession(row) for row in rows]):
        own = [row for row, one in used if learnt.covers(one)]
        touched = max([learnt.updated_at, *(row.used_at for row in own)])
        sure = macros.confidence(learnt.followed, learnt.seen)
        arguments, missing = patterns.fill_arguments(learnt.next, call.arguments)
        macro = Macro(
            space=space,
            id=learnt.id,
            trigger_tool=learnt.trigger_tool,
            trigger_pattern=patterns.to_json(learnt.trigger),
            next_tool=learnt.next_tool,
            next_pattern=patterns.to_json(learnt.next),
            confidence=round(macros.fade_confidence(sure, now - touched, half_life), 6),
            followed=learnt.followed,
            seen=learnt.seen,
            used_count=sum(row.used_count for row in own),
            created_at=moment(learnt.created_at),
            updated_at=moment(touched),
            arguments=arguments,
            missing=tuple(missing),
        )
        found.append((macro, learnt))
    return sorted(found, key=lambda pair: -pair[0].confidence)


def _find_macro(engine: Engine, tx: Tx, space: str, id: str) -> tuple[int, LearntMacro]:
    number = tx.spaces.number(space)
    for macro, learnt in _all(engine, tx, space, None):
        if macro.id == id and number is not None:
            return number, learnt
    raise NotFound(f"there is no macro {id!r} in space {space!r}; list them to see which there are")


def _is_behind(learnt: LearntMacro, row: Succession) -> bool:
    """Whether a succession is one that the macro was learnt from."""
    if row.next_tool != learnt.next_tool or not patterns.fits(learnt.trigger, row.trigger):
        return False
    return learnt.trigger is None or patterns.fits(learnt.next, row.next, row.trigger)


def _says_something(macro: Macro) -> bool:
    """Whether a macro suggests anything: its own tool with unknown arguments does not."""
    pattern = macro.next_pattern or {}
    is_open = all("any" in part for part in pattern.values())
    return not (macro.next_tool == macro.trigger_tool and is_open)


def _is_denied(macro: Macro, denied: list[RuledPrefix]) -> bool:
    """Whether the suggestion would run what the user said no to."""
    for name in _COMMANDS:
        known = (macro.next_pattern or {}).get(name, {})
        command = macro.arguments.get(name, known.get("starts"))
        is_words = isinstance(command, list) and all(isinstance(word, str) for word in command)
        if (isinstance(command, str) or is_words) and (
            approvals.rule(command, denied).answer == "deny"
        ):
            return True
    return False


def _distinct(found: list[Macro]) -> list[Macro]:
    """One of each call that is suggested, the surest."""
    kept: dict[str, Macro] = {}
    for macro in found:
        call = json.dumps([macro.next_tool, macro.arguments, macro.missing], sort_keys=True)
        kept.setdefault(call, macro)
    return list(kept.values())


def make_row(one: Succession) -> SuccessionRow:
    """A succession as it is kept."""
    trigger, following = _text(one.trigger), _text(one.next)
    told = json.dumps([one.trigger_tool, trigger, one.next_tool, following])
    return SuccessionRow(
        sha256(told.encode()).hexdigest()[:32],
        one.trigger_tool,
        trigger,
        one.next_tool,
        following,
        one.times,
        one.created_at,
        one.updated_at,
    )


def _succession(row: SuccessionRow) -> Succession:
    return Succession(
        row.trigger_tool,
        _pattern(row.trigger_args),
        row.next_tool,
        _pattern(row.next_args),
        row.times,
        row.created_at,
        row.updated_at,
    )


def _read_use(row: UseRow) -> LearntMacro:
    """A macro as it was when it was used; the counts do not matter."""
    return LearntMacro(
        row.trigger_tool,
        _pattern(row.trigger_pattern),
        row.next_tool,
        _pattern(row.next_pattern),
        *(0, 0, 0, 0),
    )


def _text(pattern: patterns.Pattern | None) -> str | None:
    return None if pattern is None else json.dumps(patterns.to_json(pattern), ensure_ascii=False)


def _pattern(text: str | None) -> patterns.Pattern | None:
    return None if text is None else patterns.read(json.loads(text))


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"min_confidence is {shorten(value)}; give a number from 0 to 1")
    return float(value)
