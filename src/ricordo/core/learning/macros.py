"""Macros: what usually follows a tool call, worked out of the successions seen. Pure.

A macro is a pair of patterns. For two tools there is one macro for any arguments, and one for each
pattern that at least two successions share and that says more. Its confidence is the lower end of
the 95 % interval (Wilson) for "the next tool follows", halved for every half-life without use.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import combinations
from typing import NamedTuple

from ricordo.core.learning import patterns
from ricordo.core.learning.patterns import Pattern
from ricordo.core.text.content import parts
from ricordo.model import Event, Json

Z = 1.96  # the 95 % interval
COMPARED = 40  # successions of two tools that are compared with each other, the latest ones
MOST = 64  # patterns for two tools


class ToolCall(NamedTuple):
    """A tool call: its name and arguments."""

    tool: str
    arguments: Mapping[str, Json]


class Succession(NamedTuple):
    """A call, the one that followed, and how often; no pattern means that it is not known."""

    trigger_tool: str
    trigger: Pattern | None
    next_tool: str
    next: Pattern | None
    times: int = 1
    created_at: int = 0
    updated_at: int = 0


class LearntMacro(NamedTuple):
    """A macro as the successions tell it."""

    trigger_tool: str
    trigger: Pattern | None
    next_tool: str
    next: Pattern | None
    followed: int
    seen: int
    created_at: int
    updated_at: int

    @property
    def id(self) -> str:
        """The same for the same two patterns, in every space."""
        told = [self.trigger_tool, patterns.to_json(self.trigger)]
        told += [self.next_tool, patterns.to_json(self.next)]
        return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]

    def covers(self, other: "LearntMacro") -> bool:
        """Whether the other is a special case of this one."""
        return (
            (self.trigger_tool, self.next_tool) == (other.trigger_tool, other.next_tool)
            and patterns.covers(self.trigger, other.trigger)
            and patterns.covers(self.next, other.next)
        )


def calls(event: Event) -> list[ToolCall]:
    """The tool calls of an event, in the shapes of OpenAI and Anthropic; odd ones are left out."""
    found = [read_call(call) for call in event.tool_calls or []]
    found += [
        read_call(part)
        for part in parts(event.content)
        if isinstance(part, dict) and str(part.get("type")).endswith("tool_use")
    ]
    return [call for call in found if call is not None]


def read_call(given: Json) -> ToolCall | None:
    """A call from {name, arguments} or from what a model's API gives; None if it is none."""
    if not isinstance(given, Mapping):
        return None
    inner = given.get("function") or given.get("custom")
    shape = inner if isinstance(inner, Mapping) else given
    name = shape.get("name")
    if not isinstance(name, str) or not name.strip():
        return None
    raw = next((shape[key] for key in ("arguments", "input", "args") if key in shape), None)
    return ToolCall(name.strip(), _arguments(raw))


def _arguments(raw: Json) -> Mapping[str, Json]:
    if isinstance(raw, str):
        try:
            read = json.loads(raw)
        except (ValueError, RecursionError):
            read = None
        raw = read if isinstance(read, Mapping) else {"input": raw} if raw.strip() else {}
    if raw is None:
        return {}
    return raw if isinstance(raw, Mapping) else {"input": raw}


def succession(one: ToolCall, other: ToolCall) -> Succession:
    """What is kept of a call and the one that followed it."""
    return Succession(
        one.tool,
        patterns.of_arguments(one.arguments, None),
        other.tool,
        patterns.of_arguments(other.arguments, one.arguments),
    )


def confidence(followed: int, seen: int) -> float:
    """The lower end of the Wilson interval; what was seen once says nothing."""
    if followed <= 1 or seen <= 0:
        return 0.0
    share, square = followed / seen, Z * Z
    middle = share + square / (2 * seen)
    spread = Z * math.sqrt((share * (1 - share) + square / (4 * seen)) / seen)
    return max(0.0, (middle - spread) / (1 + square / seen))


def fade_confidence(confidence: float, idle: int, half_life: int) -> float:
    """Confidence after a time without use, both in the same unit."""
    return float(confidence * 0.5 ** (max(0, idle) / half_life))


def derive(seen: Sequence[Succession]) -> list[LearntMacro]:
    """The macros of one trigger tool, the surest first."""
    found: list[LearntMacro] = []
    for tool in dict.fromkeys(row.next_tool for row in seen):
        own = [row for row in seen if row.next_tool == tool]
        found += _drop_redundant([_count_support(pair, tool, seen) for pair in _pairs(own)])
    return sorted(found, key=lambda one: (-confidence(one.followed, one.seen), -one.followed))


Pair = tuple[Pattern | None, Pattern | None]


def _pairs(own: Sequence[Succession]) -> list[Pair]:
    """The patterns of one trigger tool and one next tool that are worth counting."""
    known = sorted(
        (row for row in own if row.trigger is not None and row.next is not None),
        key=lambda row: (-row.updated_at, -row.times),
    )
    found: list[Pair] = [(None, _common(known))]
    kept = known[:COMPARED]
    found += [(row.trigger, row.next) for row in kept if row.times > 1]
    found += [_generalise(one, other) for one, other in combinations(kept, 2)]
    unique = {json.dumps(list(map(patterns.to_json, pair)), sort_keys=True): pair for pair in found}
    telling = [pair for pair in unique.values() if patterns.is_telling(pair[0])]
    return [found[0], *telling[:MOST]]


def _common(rows: Iterable[Succession]) -> Pattern | None:
    """What all successions have in common behind any trigger."""
    trigger: Pattern | None = None
    following: Pattern | None = None
    for row in rows:
        assert row.next is not None
        if following is None:
            trigger, following = row.trigger, row.next
        else:
            following = patterns.least_after((trigger, following), (row.trigger, row.next))
            trigger = patterns.least(trigger, row.trigger)
    return None if following is None else patterns.link_to_call_before(following, trigger)


def _generalise(one: Succession, other: Succession) -> Pair:
    assert one.next is not None
    assert other.next is not None
    following = patterns.least_after((one.trigger, one.next), (other.trigger, other.next))
    return patterns.least(one.trigger, other.trigger), following


def _count_support(pair: Pair, tool: str, seen: Sequence[Succession]) -> LearntMacro:
    trigger, following = pair
    triggered = [row for row in seen if patterns.fits(trigger, row.trigger)]
    held = [row for row in triggered if row.next_tool == tool and _follows(pair, row)]
    return LearntMacro(
        seen[0].trigger_tool,
        trigger,
        tool,
        following,
        sum(row.times for row in held),
        sum(row.times for row in triggered),
        min(row.created_at for row in held),
        max(row.updated_at for row in held),
    )


def _follows(pair: Pair, row: Succession) -> bool:
    """Whether a succession of the two tools is one of these; all are behind any trigger."""
    return pair[0] is None or patterns.fits(pair[1], row.next, row.trigger)


def _drop_redundant(found: list[LearntMacro]) -> list[LearntMacro]:
    """Leave out what a wider macro says as surely, and what was seen once only."""
    kept: list[LearntMacro] = []
    for one in sorted(found, key=lambda one: (one.trigger is not None, -one.followed)):
        sure = confidence(one.followed, one.seen)
        is_said = any(
            wide.covers(one)
            and wide.next == one.next
            and confidence(wide.followed, wide.seen) >= sure
            for wide in kept
        )
        if not is_said and (one.trigger is None or one.followed > 1):
            kept.append(one)
    return kept
