"""Plain facts: what one clause states, by patterns that are certain or silent.

A clause begins with its subject: I, my, we, our, the, or somebody's name. The pattern says which
fact it is, a reader takes the value; where the value does not have the right shape, there is none.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ricordo.core.conversation import fact_shapes as shapes
from ricordo.core.conversation import fact_values as values
from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.fact_values import Reader
from ricordo.core.conversation.possessions import is_unreal, read_possession
from ricordo.core.conversation.stated_facts import StatedFact


class StatementRule(NamedTuple):
    """A clause that begins so states a fact under this key; groups of the pattern fill the key."""

    pattern: re.Pattern[str]
    category: str
    key: str
    read: Reader


def _alternatives(listed: frozenset[str]) -> str:
    return "|".join(sorted(map(re.escape, listed), key=len, reverse=True))


_KIN = _alternatives(words.KIN)
_PETS = _alternatives(words.PETS)
_ADVERB = r"(?:really |also |absolutely |always |mostly |still )?"
_AM = r"(?:'m| am)"
_HAVE = r"(?:'ve| have)"
_IS = r"(?:'m| am| is|'s)"
_RELATIVE = re.compile(rf"^[Mm]y (?P<who>{_KIN})(?: [A-ZÀ-Þ]\w+)?(?=(?:'s)? [a-z])")


def _rule(pattern: str, category: str, key: str, read: Reader) -> StatementRule:
    return StatementRule(re.compile(rf"^{pattern} (?P<rest>.+)$", re.I), category, key, read)


_HOME = (
    _rule(rf"i {_ADVERB}lives? in", "user", "home", values.read_place),
    _rule(rf"i{_IS} based in", "user", "home", values.read_place),
    _rule(rf"i(?:{_HAVE})?(?: just| recently)? moved to", "user", "home", shapes.read_new_home),
    _rule(
        rf"i{_HAVE} (?:lived|been living) in",
        "user",
        "home",
        shapes.read_settled(values.read_place),
    ),
    _rule(rf"(?:i{_IS}|i comes?)(?: originally)? from", "user", "from", values.read_place),
    _rule(r"i was born(?: and raised)? in", "user", "birthplace", values.read_place),
    _rule(r"i was born in", "user", "year of birth", shapes.read_year),
    _rule(r"i was born on", "user", "date of birth", values.read_date),
    _rule(r"i grew up in", "user", "grew up in", values.read_place),
    _rule(
        rf"i{_AM} in the",
        "user",
        "timezone",
        lambda rest: shapes.read_timezone(rest) if "zone" in rest else None,
    ),
)
_WORK = (
    _rule(rf"i {_ADVERB}works? (?:at|for)", "user", "employer", shapes.read_employer),
    _rule(
        rf"i{_HAVE} (?:worked|been working) (?:at|for)",
        "user",
        "employer",
        shapes.read_settled(shapes.read_employer),
    ),
    _rule(r"i works? as (?:a|an|the)", "user", "job", shapes.read_work),
    _rule(rf"i{_IS} (?:a|an)", "user", "job", shapes.read_job),
    _rule(rf"i{_IS} (?:a|an) [\w' -]+? (?:at|for)", "user", "employer", values.read_proper),
    _rule(r"i works? in", "user", "field of work", values.read_listed(words.FIELDS)),
    _rule(rf"(?:i stud(?:y|ies)|i{_IS} studying)", "user", "studies", shapes.read_subject),
    _rule(r"i teach(?:es)?", "user", "teaches", shapes.read_subject),
)
_SELF = (
    _rule(r"(?:please )?call me", "user", "name", values.read_person),
    _rule(
        r"(?:i go by|everyone calls me|everybody calls me|(?:my )?friends call me|people call me)",
        "user",
        "name",
        values.read_person,
    ),
    _rule(rf"i{_AM} called", "user", "name", values.read_person),
    _rule(
        rf"i{_IS} (?:severely |deathly |very |highly )?allergic to",
        "user",
        "allergy to {value}",
        values.read_listed(words.ALLERGENS),
    ),
    _rule(rf"i{_IS} (?:married|engaged) to", "user", "spouse", values.read_person),
    _rule(r"i speaks?", "user", "languages", values.read_listed(words.LANGUAGES)),
    _rule(r"i plays?(?: the)?", "user", "plays {value}", shapes.read_played),
    _rule(r"i drives? (?:a|an)", "user", "car", shapes.read_vehicle),
    _rule(r"i use(?= \w+/\w+ pronouns)", "user", "pronouns", shapes.read_pronouns),
    _rule(
        r"you can (?:reach|call|text|phone|contact|email|mail) me (?:at|on|under)",
        "user",
        "email",
        values.read_email,
    ),
    _rule(
        r"you can (?:reach|call|text|phone|contact) me (?:at|on|under)",
        "user",
        "phone number",
        values.read_phone,
    ),
    _rule(rf"i{_IS}", "user", "age", shapes.read_size),
    *(
        _rule(rf"i{_IS}(?: an?)?", "user", name, values.read_listed(listed))
        for name, listed in words.CONDITIONS.items()
    ),
)
_TASTE = (
    _rule(rf"i {_ADVERB}prefers?", "preference", "prefers {value}", shapes.read_preference),
    _rule(
        rf"i {_ADVERB}(?:likes?|loves?|enjoys?|adores?)",
        "preference",
        "likes {value}",
        shapes.read_taste,
    ),
    _rule(
        rf"i {_ADVERB}(?:hates?|dislikes?|detests?|loathes?|can'?t stand|cannot stand|don'?t like"
        rf"|do not like|doesn'?t like)",
        "preference",
        "dislikes {value}",
        shapes.read_taste,
    ),
    _rule(
        r"i (?:don'?t|do not|doesn'?t|does not|can'?t|cannot) (?P<verb>eat|drink)",
        "preference",
        "does not {verb} {value}",
        shapes.read_eaten,
    ),
)
_OWN = (
    _rule(
        rf"(?:i|we) (?:have|own)(?: an?)? (?P<thing>[\w' -]*?(?:{_PETS}|{_KIN})) (?:called|named)",
        "user",
        "{thing} name",
        shapes.read_called_all,
    ),
    _rule(
        rf"(?:i|we)(?: have|{_HAVE} got) (?:an? )?(?P<thing>[\w' -]*?(?:{_PETS}"
        rf"|{_KIN})) (?:called|named)",
        "user",
        "{thing} name",
        shapes.read_called_all,
    ),
)
_TEAM = (
    _rule(
        r"our (?P<thing>[\w /-]{2,40}?) (?P<verb>(?:runs|is hosted|is deployed) on)",
        "project",
        "{thing} {verb}",
        values.read_tool,
    ),
    _rule(
        r"our (?P<thing>[\w /-]{2,40}?) (?P<verb>uses)",
        "project",
        "{thing} {verb}",
        values.read_tool,
    ),
    _rule(
        r"our (?P<thing>[\w /-]{2,40}?) is (?P<verb>(?:written|built|implemented) (?:in|with|on))",
        "project",
        "{thing} {verb}",
        values.read_tool,
    ),
    _rule(
        r"we (?P<verb>deploy (?:with|using|via|through|to|on)|host everything on|host (?:with|on"
        r"|at)|build with|test with)",
        "project",
        "{verb}",
        values.read_tool,
    ),
)
_PORT = re.compile(
    r"^(?:(?:the|our|my) (?P<thing>[\w /.-]{2,40}?)|(?P<name>[A-Z][\w.-]{2,20})) (?:is|runs"
    r"|listens|is running|is listening)(?: on)? port (?P<port>\d{2,5})(?: here)?$",
    re.I,
)
_NAMED_DATE = re.compile(
    r"^(?P<name>[A-ZÀ-Þ]\w+)'s (?P<what>birthday|anniversary|name day) is (?P<rest>.+)$"
)
_COUNTED = re.compile(
    r"^(?:i|we) (?:have|'ve got|have got) (?P<number>\w+) (?P<thing>[\w ]+?)$", re.I
)
_USE_AS = re.compile(
    r"^i (?:use|have) (?P<value>.+?) as my (?:main |default |primary )?(?P<thing>[\w ]{2,30})$",
    re.I,
)
_WE_USE = re.compile(
    r"^we use (?P<value>[\w. +#-]+?) (?:for|as) (?P<what>(?:our |the )?[\w -]{3,30})$", re.I
)
_INTRO = re.compile(r"^i(?:'m| am) (?P<rest>[A-ZÀ-Þ].*)$", re.I)
_OUR_TIME = re.compile(
    r"^our (?P<thing>(?:(?:daily|weekly|monthly|morning|team) )*(?:stand-?up|sync|retro"
    r"|retrospective|planning|demo|all-hands|office hours|check-in|scrum)) is (?:at"
    r"|every) (?P<rest>.+)$",
    re.I,
)
_SEATED = re.compile(
    r"^(?:our|my) (?P<thing>(?:[\w-]+ )?(?:office|headquarters|hq|company|school|shop|studio"
    r"|workshop|lab"
    r"|warehouse|data cent(?:re|er)|servers?)) (?:is|are) (?:located |based )?in (?P<rest>.+)$",
    re.I,
)
_LOCATED = re.compile(
    r"^(?:our|the) (?P<thing>[\w -]{2,30}?) (?:is|lives) (?:at|located at) (?P<rest>.+)$", re.I
)
_RULES = (*_HOME, *_WORK, *_SELF, *_TASTE, *_OWN, *_TEAM)


def read_clause(clause: str, *, is_greeting: bool = False) -> Iterator[StatedFact]:
    """The facts that one clause states."""
    relative = _RELATIVE.match(clause)
    who = relative["who"] if relative else ""
    told = f"I{clause[relative.end() :]}" if relative else clause
    for rule in _RULES:
        if (match := rule.pattern.match(told)) and (value := rule.read(match["rest"])):
            if is_unreal(match.groupdict().get("thing") or ""):
                continue
            groups = {name: found or "" for name, found in match.groupdict().items()}
            key = f"{who} {rule.key.format_map({**groups, 'value': value})}"
            yield StatedFact(rule.category, " ".join(key.split()), value)
    for special in _SPECIAL:
        yield from special(clause)
    if (
        is_greeting
        and (match := _INTRO.match(clause))
        and (name := values.read_person(match["rest"]))
    ):
        yield StatedFact("user", "name", name)


def _read_port(clause: str) -> Iterator[StatedFact]:
    if match := _PORT.match(clause):
        yield StatedFact("technical", f"{match['thing'] or match['name']} port", match["port"])


def _read_named_date(clause: str) -> Iterator[StatedFact]:
    if (match := _NAMED_DATE.match(clause)) and (value := values.read_date(match["rest"])):
        yield StatedFact("people", f"{match['name']} {match['what']}", value)


def _read_number(clause: str) -> Iterator[StatedFact]:
    match = _COUNTED.match(clause)
    is_number = match is not None and match["number"].lower() in words.NUMBERS
    if match and is_number and match["thing"].lower() in words.KIN | words.PETS:
        yield StatedFact("user", match["thing"], match["number"])


def _read_use(clause: str) -> Iterator[StatedFact]:
    match = _USE_AS.match(clause)
    value = values.read_tool(match["value"]) if match else None
    if match and value and match["thing"].lower() in words.TOOL_HEADS:
        yield StatedFact("user", match["thing"], value)
    if (match := _WE_USE.match(clause)) and (value := values.read_tool(match["value"])):
        what = re.sub(r"^(?:our|the) ", "", match["what"])
        if not set(what.lower().split()) & words.REFERRING:
            yield StatedFact("project", f"uses for {what}", value)


def _read_meeting(clause: str) -> Iterator[StatedFact]:
    if (match := _OUR_TIME.match(clause)) and (value := values.read_clock(match["rest"])):
        yield StatedFact("project", f"{match['thing']} time", value)


def _read_location(clause: str) -> Iterator[StatedFact]:
    if match := _LOCATED.match(clause):
        value = values.read_address(match["rest"]) or _whole_url(match["rest"])
        if (
            value
            and not set(match["thing"].lower().split()) & words.MOVING
            and not _OUR_TIME.match(clause)
        ):
            yield StatedFact("project", match["thing"], value)

    match = _SEATED.match(clause)
    value = values.read_place(match["rest"]) if match else None
    if match and value and not is_unreal(match["thing"]):
        yield StatedFact("project", f"{match['thing']} location", value)


def _whole_url(rest: str) -> str | None:
    found = values.read_url(rest)
    return found if found and "." in found and len(rest.split()) == 1 else None


_SPECIAL = (
    _read_port,
    _read_named_date,
    _read_number,
    _read_use,
    _read_meeting,
    _read_location,
    read_possession,
)
