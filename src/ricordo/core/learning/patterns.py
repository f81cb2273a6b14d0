"""Patterns: what is known of the arguments of a tool call, and the least pattern that fits two.

Arguments are flattened to paths ("options/depth"). Of each path a part is known:

is      this very value, as JSON text
starts  a text that begins with these words
from    the value that stands at this path of the call before
any     something, whatever it is

None in place of a pattern fits any arguments. Secrets and long values are never kept. Pure.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ricordo.core.integrity.secrets import holds_secret, is_secret_name, without_secrets
from ricordo.model import Json

LONGEST = 200  # characters of a value that is kept
MOST_PATHS = 40
DEEPEST = 4
HEAD = 3  # words kept of a text that is too long
_TELLING = 4  # characters of JSON: a shorter value is equal to another by chance


class PatternPart(NamedTuple):
    kind: str
    value: str = ""


Pattern = dict[str, PatternPart]
ANY = PatternPart("any")


def of_arguments(
    arguments: Mapping[str, Json], before: Mapping[str, Json] | None
) -> Pattern | None:
    """What is kept of the arguments of a call; what cannot be kept may be a copy of `before`."""
    leaves = flat(arguments)
    if len(leaves) > MOST_PATHS or any(holds_secret(path) for path in leaves):
        return None
    sources = {} if before is None else _by_value(flat(before))
    found = {}
    for path, value in leaves.items():
        part = _read_value(path, value)
        source = sources.get(_json(value)) if part.kind in ("any", "starts") else None
        found[path] = part if source is None else PatternPart("from", source)
    return found


def flat(arguments: Mapping[str, Json], depth: int = DEEPEST) -> dict[str, Json]:
    """Arguments by their paths; a slash inside a name is written ~1, as JSON pointers do."""
    found: dict[str, Json] = {}
    for name, value in arguments.items():
        own = str(name).replace("~", "~0").replace("/", "~1")
        if isinstance(value, Mapping) and value and depth > 1:
            inner = flat(value, depth - 1)
            found.update({f"{own}/{path}": leaf for path, leaf in inner.items()})
        else:
            found[own] = value
    return found


def nest_paths(leaves: Mapping[str, Json]) -> dict[str, Json]:
    """Arguments again, from their paths."""
    found: dict[str, Json] = {}
    for path, value in leaves.items():
        *above, last = [name.replace("~1", "/").replace("~0", "~") for name in path.split("/")]
        place = found
        for name in above:
            inner = place.setdefault(name, {})
            if not isinstance(inner, dict):
                break
            place = inner
        else:
            place[last] = value
    return found


def fits(pattern: Pattern | None, call: Pattern | None, before: Pattern | None = None) -> bool:
    """Whether a pattern fits what is kept of a call that came after `before`."""
    if pattern is None:
        return True
    if call is None:
        return False
    return all(path in call and _fits(part, call[path], before) for path, part in pattern.items())


def covers(wide: Pattern | None, narrow: Pattern | None) -> bool:
    """Whether a pattern fits everything that another one fits."""
    if wide is None:
        return True
    if narrow is None:
        return False
    return all(path in narrow and _fits(part, narrow[path], None) for path, part in wide.items())


def least(one: Pattern | None, other: Pattern | None) -> Pattern | None:
    """The narrowest pattern that covers two of a trigger; None when they have nothing in common."""
    if one is None or other is None:
        return None
    return {path: _least(part, other[path]) for path, part in one.items() if path in other}


def least_after(
    one: tuple[Pattern | None, Pattern], other: tuple[Pattern | None, Pattern]
) -> Pattern:
    """The narrowest pattern that covers two calls, each given behind the call before it.

    An argument that differs may be the same argument of the call before.
    """
    found = {}
    for path, part in one[1].items():
        if path in other[1]:
            twin = other[1][path]
            shared = set() if part == twin else sources(part, one[0]) & sources(twin, other[0])
            found[path] = PatternPart("from", min(shared)) if shared else _least(part, twin)
    return found


def sources(part: PatternPart, before: Pattern | None, least: int = 1) -> set[str]:
    """Where in the call before a value may have been copied from."""
    if part.kind == "from":
        return {part.value}
    if part.kind != "is" or before is None or part.value in ("true", "false", "null"):
        return set()
    if len(part.value) < least:
        return set()
    return {path for path, known in before.items() if known == part}


def link_to_call_before(pattern: Pattern, before: Pattern | None) -> Pattern:
    """The pattern with every value that stands in the call before taken from there."""
    found = {}
    for path, part in pattern.items():
        known = sources(part, before, _TELLING)
        found[path] = PatternPart("from", min(known)) if known else part
    return found


def is_telling(pattern: Pattern | None) -> bool:
    """Whether anything of the arguments is known."""
    return pattern is not None and any(part.kind != "any" for part in pattern.values())


def to_json(pattern: Pattern | None) -> dict[str, Json] | None:
    """A pattern in the form that users see and the store keeps."""
    if pattern is None:
        return None
    return {path: _part_to_json(part) for path, part in sorted(pattern.items())}


def read(given: Mapping[str, Mapping[str, Json]] | None) -> Pattern | None:
    """A pattern from the form that the store keeps."""
    if given is None:
        return None
    return {path: _read(part) for path, part in given.items()}


def fill_arguments(
    pattern: Pattern | None, before: Mapping[str, Json]
) -> tuple[dict[str, Json], list[str]]:
    """Arguments as far as a pattern knows them, and the paths that are missing."""
    given = flat(before)
    leaves: dict[str, Json] = {}
    missing = []
    for path, part in sorted((pattern or {}).items()):
        if part.kind == "is":
            leaves[path] = json.loads(part.value)
        elif part.kind == "from" and part.value in given:
            leaves[path] = given[part.value]
        else:
            missing.append(path)
    return nest_paths(leaves), missing


def _read_value(path: str, value: Json) -> PatternPart:
    """A value as it may be kept: no secret, nothing long."""
    if any(is_secret_name(name) for name in path.split("/")):
        return ANY
    if isinstance(value, str):
        return _kept_text(value)
    text = _json(value)
    if not text or len(text) > LONGEST or holds_secret(text):
        return ANY
    if _json(without_secrets(value)) != text:
        return ANY
    return PatternPart("is", text)


def _kept_text(value: str) -> PatternPart:
    words = value[: LONGEST + 1].split()
    if len(value) > LONGEST:
        words = words[:-1]  # cut in its middle
    safe = _safe_words(words)
    if safe == len(words) and len(value) <= LONGEST:
        return PatternPart("is", _json(value))
    head = words[: min(safe, HEAD)] if len(value) > LONGEST else words[:safe]
    return PatternPart("starts", " ".join(head)) if head else ANY


def _safe_words(words: list[str]) -> int:
    """How many words stand before the first that names or shows a secret."""
    for place, word in enumerate(words):
        pair = " ".join(words[max(0, place - 1) : place + 1])
        if is_secret_name(word) or holds_secret(word) or holds_secret(pair):
            return max(0, place - (not is_secret_name(word) and not holds_secret(word)))
    return len(words) if not holds_secret(" ".join(words)) else 0


def _json(value: Json) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    except (TypeError, ValueError, RecursionError):
        return ""


def _by_value(leaves: Mapping[str, Json]) -> dict[str, str]:
    """Paths by their values; of equal values the first path in order."""
    found: dict[str, str] = {}
    for path in sorted(leaves):
        text = _json(leaves[path])
        if len(text) >= _TELLING:
            found.setdefault(text, path)
    return found


@lru_cache(4096)
def _words_of(part: PatternPart) -> tuple[str, ...]:
    """The words of a part that is a text."""
    if part.kind == "starts":
        return tuple(part.value.split())
    if part.kind == "is" and part.value.startswith('"'):
        return tuple(str(json.loads(part.value)).split())
    return ()


def _fits(part: PatternPart, known: PatternPart, before: Pattern | None) -> bool:
    if part.kind == "any" or part == known:
        return True
    if part.kind == "starts":
        words = _words_of(part)
        return _words_of(known)[: len(words)] == words
    if part.kind == "from" and before is not None and known.kind == "is":
        return before.get(part.value) == known
    return False


def _least(one: PatternPart, other: PatternPart) -> PatternPart:
    if one == other:
        return one
    shared = []
    for mine, theirs in zip(_words_of(one), _words_of(other), strict=False):
        if mine != theirs:
            break
        shared.append(mine)
    return PatternPart("starts", " ".join(shared)) if shared else ANY


def _part_to_json(part: PatternPart) -> dict[str, Json]:
    if part.kind == "is":
        return {"is": json.loads(part.value)}
    return {part.kind: True if part.kind == "any" else part.value}


def _read(part: Mapping[str, Json]) -> PatternPart:
    [(kind, value)] = part.items()
    return PatternPart(kind, _json(value) if kind == "is" else "" if kind == "any" else str(value))
