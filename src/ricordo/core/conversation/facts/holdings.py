"""Holdings: what a noun phrase of the speaker takes for granted.

"My peanut allergy", "my job at Arup", "my Pixel 7a", "my sister in Oslo", "here in Tromsø": whoever
says so has it, whether the sentence around it states, asks or requests.
"""

import re
from collections.abc import Iterator

from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.facts import clauses, lexicon, life_verbs, phrases
from ricordo.core.conversation.stated_facts import StatedFact

_KIN = lexicon.join(words.KIN | {"grandad", "gran", "nan", "in-laws", "stepdad", "stepmum"})
_RELATED = re.compile(
    r"\b[Mm]y (?:current |new |day |part-time |full-time |summer "
    r"|own )?(?P<noun>job|role|shifts?|internship"
    r"|apprenticeship|position|course|degree|phd|PhD|master's|masters|thesis|dissertation|allergy"
    r"|intolerance|fear|phobia|account|contract|subscription|mortgage|insurance"
    r"|studio|practice|shop|stall|season ticket|membership|classes"
    r"|lessons|major|minor|diploma|BSc|MSc)"
    r" (?P<how>at|in|on|to|of|with|as|for) (?P<rest>.+)$"
)
_KIN_IN = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) (?:[a-z]+ )?(?P<who>{_KIN})(?: {phrases.NAME})?(?: lives"
    rf"| is|'s)? (?:over |back |down"
    rf" |up |out )?in (?P<value>{phrases.PROPER})"
)
_LIVING_IN = re.compile(rf"\b(?:based in|living in|back home in) (?P<value>{phrases.PROPER})")
_BASED = re.compile(r"\b(?P<value>[A-ZÀ-Þ][\w]+)-based\b")
_HERE_IN = re.compile(
    rf"\b(?:here in|[Gg]reetings from|[Hh]ello from|[Hh]i from|writing from"
    rf"|where I live in|where we live in) (?P<value>{phrases.PROPER})"
)
_ILL = re.compile(
    rf"\b[Mm]y (?P<value>(?:{lexicon.join(words.ALLERGENS)})(?: and (?:"
    rf"{lexicon.join(words.ALLERGENS)}))?"
    rf" (?:allergy|allergies|intolerance)|(?:"
    rf"{lexicon.join(item for item in life_verbs.HEALTH if item[:2] != 'a ')})"
    r"|hearing aids?|wheelchair|insulin pump|pacemaker|bad (?:knee"
    r"|back|hip|shoulder)|guide dog|cpap|EpiPen"
    r"|epipen|prosthesis|stoma|dentures)\b"
)
_MAKE = re.compile(
    rf"\b[Mm]y (?:(?:old|new|trusty|beloved|second-hand|vintage|{lexicon.join(words.COLOURS)}) )*"
    rf"(?P<value>(?:\d{{4}} )?[A-ZÀ-Þ][\w-]+(?: (?:[A-ZÀ-Þ0-9][\w.-]*"
    rf"|\d+\w*))*)(?P<tail>(?: (?:bike|phone|laptop"
    r"|guitar|camera|car|watch|printer|router|keyboard|oven|van|boat"
    r"|piano|amp|synth|tablet|drone|TV"
    r"|lens|machine|scooter|headphones))?)(?=$|[,.;!?]| (?:is|has"
    r"|keeps|won't|doesn't|needs|and|to|on|at"
    r"|for|with|from|runs|makes|shows|can't|isn't|but|so|after|since|when)\b)"
)
_NOT_MAKES = re.compile(
    r"^(?:[A-Z]{1,4}s?|PhD|Master|Bachelor|God|Lord|Airbnb|Google"
    r"|Amazon|Netflix|Instagram|LinkedIn|YouTube"
    r"|Excel|Word|Gmail|Facebook|Twitter|Mom|Mum|Dad|Grandma|Grandpa"
    r"|Uncle|Aunt|Christmas|Easter|JSON|HTML"
    r"|Dockerfile|Makefile|Kotlin|TypeScript|JavaScript|Tinder|Uber"
    r"|Wikipedia|Chrome|App|Lady|Dear|[IVX]+)\b"
)
_ENDED = re.compile(
    r"\b(?:lost|quit|left|leaving|lose|losing|hated|after|applied"
    r"|for|from) $",
    re.I,
)
_TEAM_OF = re.compile(r"\b(?:[Mm]y|[Oo]ur|a|I lead a|I manage a) team of (?P<value>\w+)\b")
_WHERE_I = re.compile(
    rf"\bat (?:the )?(?P<value>{phrases.PROPER}),? where (?:I|i) (?P<verb>work"
    rf"|teach|study|volunteer|train)\b"
)
_AGES = re.compile(
    r"\b(?:[Mm]y|[Oo]ur|[Tt]he) (?:[a-z]+ )?(?P<who>kids|boys|girls"
    r"|twins|children|sons|daughters) (?:are|,|\() ?"
    r"(?P<value>\d{1,2}(?:,? \d{1,2})*,? and \d{1,2})\b"
)
_REACHED = re.compile(
    rf"\b(?:reach|call|text|email|ring|phone|contact|ping) me (?:on"
    rf"|at|via) (?P<value>{phrases.CODE}|(?:\+?\d[\d -]+\d))"
)
_OF_US = re.compile(
    r"\b[Tt]here (?:are|is|'s) (?:only |just )?(?P<value>two|three"
    r"|four|five|six|seven|eight|\d+) of us\b"
)
_SIMPLE = (
    (_OF_US, "household"),
    (_HERE_IN, "home"),
    (_ILL, "health"),
    (_TEAM_OF, "team size"),
    (_REACHED, "contact"),
)


def read_holdings(said: str, *, is_stated: bool) -> Iterator[StatedFact]:
    """What the nouns of one sentence take for granted."""
    for pattern, key in _SIMPLE:
        if found := pattern.search(said):
            yield StatedFact("user", key, _trim(found["value"]))
    for pattern in (_LIVING_IN, _BASED) if is_stated and clauses.is_lasting(said) else ():
        if (found := pattern.search(said)) and re.search(r"\b(?:I|i|we|We|my|our|us)\b", said):
            yield StatedFact("user", "home", _trim(found["value"]))
    for pattern, suffix in ((_KIN_IN, "home"), (_AGES, "ages")):
        for found in pattern.finditer(said):
            if is_stated or not re.search(r" (?:lives|is|are) |'s in ", found[0]):
                yield StatedFact("user", f"{found['who']} {suffix}", _trim(found["value"]))
    if found := _WHERE_I.search(said):
        yield StatedFact("user", f"{found['verb']} at", _trim(found["value"]))
    found = _RELATED.search(said)
    if found and not _ENDED.search(said[: found.start()]):
        value = phrases.read_phrase(found["rest"], 5)
        if value and not re.search(r"\b(?:is|are|was|has|I|you|it)\b", value):
            yield StatedFact("user", f"{found['noun']} {found['how']}".lower(), value)
    for found in _MAKE.finditer(said):
        first = found["value"].split()[0]
        if not phrases.is_word(first) and not _NOT_MAKES.match(found["value"]):
            yield StatedFact("user", "owns", found["value"])


def _trim(value: str) -> str:
    return value.rstrip(" .,")
