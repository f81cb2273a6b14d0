"""Objects: what follows a verb, read as the value of a fact, or None where it does not fit."""

import re
from collections.abc import Callable

from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.facts import phrases

Read = Callable[[str], str | None]

_MAKE_STOP = re.compile(r" (?:for|on|at|in|of|to|from|with|over|called|named|about) ")

VAGUE = re.compile(
    r"\b(?:question|problem|issue|meeting|idea|thing|bit|lot|time"
    r"|error|bug|feeling|headache|cold|test"
    r"|exam|interview|appointment|deadline|moment|minute|file|table|list|array|function|string"
    r"|script|query|code|column|row|image|picture|link|chance|look"
    r"|choice|plan|date|trip|flight|ticket"
    r"|essay|presentation|draft|letter|job offer|offer|doubt|request"
    r"|word|sentence|something|anything"
    r"|point|way|clue|break|party|guest|visit|hunch|crush|hangover)s?\b",
    re.I,
)

_HAD = re.compile(
    r"(?P<value>(?:(?:an?|one|two|three|four|five|six|seven|twin|\d+) )(?:[\w'-]+ ){0,3}?(?:"
    + "|".join(sorted(words.KIN | words.PETS, key=len, reverse=True))
    + r"|boys|girls|allotment|garden|greenhouse|bikes?|bees|hives|beehives|grandkids|grandchildren"
    r"|acres?|boat|campervan|caravan|motorbike|motorcycle|workshop|stepkids|tattoos?|kiln|loom|pool"
    r"|sauna|farm|vineyard|orchard|licen[cs]e|phd|degree|passport|nieces|nephews|parrots|siblings))"
    r"\b",
    re.I,
)


_BODY = re.compile(
    r"\b(?:team|department|group|unit|office|branch|club|choir|band|orchestra|project|committee"
    r"|programme|program)s?$"
)


def read_named(rest: str) -> str | None:
    """An object with a name, a digit or a make in it."""
    phrase = phrases.read_phrase(rest, 7)
    return phrase if phrase and re.search(r"[A-ZÀ-Þ]|\d", phrase) else None


def read_soft(rest: str) -> str | None:
    phrase = phrases.read_phrase(rest, 7)
    is_known = re.match(r"the [a-z]", rest) and not _BODY.search(phrase or "")
    if is_known or re.match(r"(?:at|in|on|with|for|from|been) ", rest):
        return None  # a certain one, of which only the conversation knows, or no object
    if phrase and re.search(r"\b(?:called|named)\b", phrase):
        return None
    if phrase and re.match(r"(?:[a-z]+ing|\w+ly)\b(?! [a-z]+s\b)", phrase):
        return None
    return phrase


def read_any(rest: str) -> str | None:
    return phrases.read_phrase(rest, 8)


def read_taste(rest: str) -> str | None:
    """A taste that refers to nothing that was said and is not narrowed by what follows."""
    phrase = phrases.read_phrase(rest, 7)
    if re.match(r"the [a-z]", rest) or re.match(r"\w+sel(?:f|ves)\b|each other|everywhere", rest):
        return None
    if phrase is None or re.search(r" (?:after|before|with|for th(?:is|at|e)|your|you)\b", phrase):
        return None
    tail = rest[rest.find(phrase) + len(phrase) :].lstrip(" ,")
    is_narrowed = re.match(r"(?:that|when|if|who|where|which|because it|with)\b", tail)
    is_reference = {word.lower() for word in phrase.split()} & words.REFERRING - {"being", "having"}
    return None if is_narrowed or is_reference else phrase


def read_employer(rest: str) -> str | None:
    phrase = phrases.read_phrase(re.split(r" as (?:an?|the|their|head|part)\b", rest)[0], 8)
    is_one = re.match(r"[A-ZÀ-Þ]|(?:an?|the|our|my) (?!living\b|pittance|library\b|loss\b)", rest)
    return phrase if is_one else None


def read_taught(rest: str) -> str | None:
    phrase = read_soft(rest)
    is_name = phrase and re.fullmatch(phrases.NAME, phrase) and phrase.lower() not in words.SUBJECTS
    return None if is_name else phrase


def read_settled(rest: str) -> str | None:
    """A new home, where nothing says that it was left again."""
    if re.search(r"\b(?:left|then|before|until|back to|again)\b", rest):
        return None
    street = re.match(r"\d+[a-z]? [A-ZÀ-Þ][\w' ]+(?:, [A-Z0-9][\w ]+)*", rest)
    return street[0] if street else read_place(rest)


def read_tool(rest: str) -> str | None:
    phrase = phrases.read_phrase(re.split(r" (?:for|to|with|on|as|in) ", rest)[0], 4)
    if phrase is None:
        return None
    if phrase.lower().rstrip("s") in words.DAYS:
        return None
    is_known = any(part.lower() in words.TOOLS for part in phrase.split())
    return phrase if is_known or re.search(r"[A-ZÀ-Þ]|\d", phrase) else None


def read_used(rest: str) -> str | None:
    return None if re.search(r"\b(?:called|named)\b", rest) else read_tool(rest)


def read_clock(rest: str) -> str | None:
    found = re.match(
        rf"(?:at |from |around |about |by )*(?P<value>{phrases.TIME}(?: (?:to"
        rf"|till|until|-) {phrases.TIME})?)",
        rest,
    )
    return found["value"] if found else None


def read_day(rest: str) -> str | None:
    day = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|weekdays|weekends"
    found = re.match(
        rf"(?:on |every |each )*(?P<value>(?:other |first |second |last )?(?:{day})(?:(?:,"
        rf"| and|, and) (?:{day}))*(?: at {phrases.TIME})?)",
        rest,
        re.I,
    )
    return found["value"] if found else None


def read_place(rest: str) -> str | None:
    found = re.match(rf"(?:the )?(?P<value>{phrases.PROPER})", rest)
    return (
        found["value"].rstrip(".")
        if found and not phrases.is_word(found["value"].split()[0])
        else None
    )


def read_listed(listed: frozenset[str]) -> Read:
    known = "|".join(sorted(map(re.escape, listed), key=len, reverse=True))
    part = (
        rf"(?:(?:an?|the|some|both|fluent|native|basic|conversational|mild"
        rf"|severe|chronic) )*(?:{known})"
    )
    pattern = re.compile(
        rf"(?P<value>{part}(?:(?:, | and |, and | or ){part})*)(?=$|[\s,.;!)])", re.I
    )

    def read(rest: str) -> str | None:
        found = pattern.match(rest)
        return found["value"] if found else None

    return read


def read_make(rest: str) -> str | None:
    phrase = phrases.read_phrase(_MAKE_STOP.split(rest)[0], 6)
    if re.match(r"been |to |had ", rest):
        return None
    if phrase is None or VAGUE.search(phrase) or phrases.is_word(phrase.split()[0]):
        return None
    return phrase if re.match(r"(?:\w+ ){0,2}(?:[A-ZÀ-Þ]|(?:19|20)\d\d)", phrase) else None


def read_had(rest: str) -> str | None:
    found = _HAD.match(rest)
    return re.sub(r"^an? ", "", found["value"], flags=re.I) if found else None


def read_sum(rest: str) -> str | None:
    found = re.match(
        r"(?P<value>(?:in )?(?:[£$€]\s?)?(?:\d[\d,.]*k?|euros|dollars"
        r"|pounds|EUR|USD|GBP|CHF)(?: (?:euros?|pounds|dollars|EUR|USD"
        r"|GBP|CHF|kr|francs))?(?: (?:a|an|per) (?:month|year|hour|week"
        r"|day))?)(?=$|[\s,.;!])",
        rest,
    )
    return found["value"] if found else None
