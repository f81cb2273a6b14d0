"""Phrases: where a value ends, and which values are hard: a name, a date, a number, an address.

A hard value can be taken for one whatever noun it belongs to; a soft one ("fountain pens") counts
only after a verb that takes such an object.
"""

import re

from ricordo.core.conversation import fact_words as words

_MONTH = "|".join(sorted(words.MONTHS - {"mar", "may"}, key=len, reverse=True)) + "|May|Mar"
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
DATE = (
    rf"(?:(?:{_DAY},? )?(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b(?:,? \d{{4}})?"
    rf"|(?:{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|(?:{_MONTH}) \d{{4}}\b"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:19|20)\d\d\b|New Year's (?:Day|Eve)"
    r"(?: \d{4})?|Christmas (?:Day|Eve))"
)
TIME = (
    r"(?:(?:half past |quarter (?:to|past) )?(?:\d{1,2}(?:[:.]\d{2})? ?(?:am|pm|a\.m\.|p\.m\.|h"
    r"|o'clock|sharp|UTC|CET)|\d{1,2}[:.]\d{2}|noon|midnight|(?:one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve)(?: (?:thirty|fifteen|forty-five|o'clock|sharp|in the"
    r" (?:morning|evening)|am|pm))?(?=$|[ ,.;!]))(?: (?:on|every) (?:" + _DAY + r"|day|morning))?)"
)
_SMALL = (
    r"(?:of|de|del|della|di|da|do|van|von|der|den|ten|la|le|les|du"
    r"|dos|das|al|el|bin|y|the|and|&)"
)
_CAPITAL = r"(?:[A-ZÀ-Þ][\w'.&/+-]*[\w+](?:'(?= [A-ZÀ-Þ]))?|[A-ZÀ-Þ](?=[\s,;.!]|$))"
PROPER = (
    rf"(?:(?:Dr|Mr|Mrs|Ms|Prof|St)\.? )?{_CAPITAL}(?:,? (?:{_SMALL} ){{0,2}}(?:"
    rf"{_CAPITAL}|\d[\w.]*))*"
)
_NAME_WORD = r"[A-ZÀ-Þ](?:[\w-]|'(?=[A-ZÀ-Þ]))*\w"
NAME = (
    rf"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?{_NAME_WORD}"
    rf"(?: (?:(?:de|van|von|der|den|da|di|la|le|bin|al) )*{_NAME_WORD})*"
)
CODE = (
    r"(?:(?:\d{1,3}(?:,\d{3})+|#?[A-Z]{0,4}-?\d[\w./:#-]*)"
    r"(?: ?(?:kg|km|cm|mm|m|g|mg|ml|GB|TB|MB|%|euros?|pounds|dollars"
    r"|mmol|bpm|pt|px|kWh|litres?|stone|years?|minutes?|hours?|days?|spaces|seconds?))?"
    r"(?: [A-Z0-9]*\d[\w./-]*)*"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://)?[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/[^\s,;]*)?"
    r"|[~.]?/[\w./~-]+|\+\d[\d ()-]{6,}\d|@[\w.-]+|[a-z]+[_-][\w-]*[a-z0-9]|#[0-9a-fA-F]{6})"
)
_END = re.compile(
    r"\s*(?:[;!?()]|[,:](?=\s|$)|(?<!\bSt)(?<!\b[DM]r)(?<!\bMrs)(?<!\bMs)\.(?=\s|$)"
    r"|\s[–—-]+\s|\b(?:but|so"
    r"|because|which|who|whom|whose|that|although"
    r"|though|while|if|when|where|whenever|than|please|even|except|unless|until|till|plus|then)\b)",
    re.I,
)
WEEKLY = (
    rf"(?:every |each )(?:other |second |first |last )?{_DAY[:-2]}(?: (?:at )?{TIME})?"
    rf"|(?:{_DAY[:-2]}s)(?:(?:, | and |, and )(?:{_DAY[:-2]}s))*(?: (?:at )?{TIME})?"
)
_AND = re.compile(r" (?:and|or) ")
_NEW_CLAUSE = re.compile(
    r"^(?:i|we|he|she|they|it|you|my wife|my husband|the|that|this|there|then|so|now|also|need|want"
    r"|can|can't|will|have|has|had|is|are|am|was|do|does|don't|just|never|always|still|usually|love"
    r"|loves|like|likes|hate|hates|live|lives|work|works|drive|drives|speak|speaks|play|plays|keep"
    r"|keeps|carry|carries|go|goes|use|uses|run|runs|own|owns|teach|teaches|take|takes|eat|drink"
    r"|wear|wears|sleep|study|studies|train|trains|avoid|get|got|try"
    r"|would|could|should|please|wants"
    r"|needs|it's|i'm|i've|we're|don't|rent|ride|bike|cycle|commute|volunteer|coach|sing|make|makes"
    r"|spend|spends|prefer|prefers|hold|holds|bank|host|hosts|deploy|deploys|lead|leads|manage"
    r"|everything|everyone|nothing|all|not|looking|wondering|struggling|trying|help)\b",
    re.I,
)
_TRAILING = re.compile(
    r"[ ,]+(?:btw|by the way|now|these days|nowadays|too|as well|anyway|already|at the moment"
    r"|though|fyi|lol|haha|thanks|i'm afraid|sadly|mostly|here|still|again|in case|for now|since"
    r"|every time|so far|for years|for (?:\w+ ){1,2}years?(?: now)?"
    r"|my whole life|all my life|in everything|for everything|everywhere"
    r"|in general|every time)$",
    re.I,
)
_REFERRING = re.compile(
    r"^(?:it|its|this|that|these|those|you|your|yours|him|his|them|their|he|she|they|me|us|to"
    r"|what|how|why|where|when|who|which|up|out|off|down|away|back|into|around|over|through|along"
    r"|something|anything|nothing|everything|someone|more|better|so|too|very|not|no|any|some|one"
    r"|ones|of|and|or|but|if|as|than|with|about|myself|ourselves|sure"
    r"|forward|like|another|other|hard|well|people|those|these|on"
    r"|going|in the|at the"
    r"|the same|the (?:following|above|below|first|second|last|latter"
    r"|former|other|command|code|one)"
    r"|all|only|just|a (?:bit|lot|look|few|while|moment|break|shower|nap|question|problem|test))\b",
    re.I,
)


def read_phrase(rest: str, most: int = 8) -> str | None:
    """The noun phrase at the start, of so many words at most, without its article."""
    phrase = cut_clause(rest)
    if not phrase or _REFERRING.match(phrase):
        return None
    bare = re.sub(r"^(?:an?|the|my|our) ", "", phrase, flags=re.I)
    return bare if bare and len(bare.split()) <= most and len(bare) > 1 else None


def cut_clause(rest: str) -> str:
    """The words up to the end of their clause; "and" goes on where a noun follows."""
    phrase = _END.split(f"{rest} ", maxsplit=1)[0]
    for joint in _AND.finditer(phrase):
        if _NEW_CLAUSE.match(phrase[joint.end() :]):
            phrase = phrase[: joint.start()]
            break
    before = ""
    while before != phrase:
        before, phrase = phrase, _TRAILING.sub("", phrase.strip(" .,!"))
    return phrase


def find_hard(rest: str, *, with_names: bool = True) -> str | None:
    """A date, time, address, code or name at the start, if its clause ends there or nearly so."""
    shapes = (WEEKLY, DATE, CODE, TIME, *((PROPER,) if with_names else ()))
    for shape in shapes:
        found = re.match(rf"(?:(?:on|at|in|the|by|no\.|number) )?(?P<value>{shape})", rest)
        if found and _ends_well(rest[found.end() :]):
            return found["value"].strip(" .,")
    return None


def _ends_well(tail: str) -> bool:
    return bool(
        re.match(
            r"$|[,;:.!?()]|\s*[–—-]+\s|\s(?:and|but|so|not|in|at|on|for|by"
            r"|with|from|over|every|each"
            r"|because|since|please|now|btw|as|these|instead|if|which|where"
            r"|an?(?= [a-z]+(?:$|[,.]))"
            r"|who|sharp|here|there)\b",
            tail,
        )
    )


def is_word(token: str) -> bool:
    """Whether a token with a capital is a common word, a day, a month or a nationality."""
    low = token.lower().rstrip(".,")
    return low in words.NOT_PERSONS or low in words.TOOLS or low in _COMMON


_COMMON = words.split_words(
    """everything, everyone, everybody, nobody, nothing, someone, something, these, those,
    same, always, never, looky, gain, father, mother, both, most, some, many, today,
    tomorrow, i, the, a, an, and, but, so, or, if, in, on, at, to, for, my, our, we, you,
    he, she, it, they, this, that, what, when, where, why, how, who, is, are, was, can,
    could, would, should, do, does, did, no, yes, not, please, thanks, hi, hello, hey, ok,
    okay, god, christmas, easter, ramadan, google, apple, amazon, microsoft, netflix, excel,
    english, maths, internet, covid, any, all, just, now, also, then, there, here, i'm,
    i've, i'd, i'll, it's"""
)
