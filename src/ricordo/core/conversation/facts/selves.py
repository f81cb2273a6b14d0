"""Selves: what somebody is: "I'm the eldest of three", "as a night-shift nurse, I".

A noun counts if it is built like a profession or names what a person stays for years.
"""

import re
from collections.abc import Iterator

from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.facts import lexicon, phrases
from ricordo.core.conversation.facts.clauses import SpokenClause
from ricordo.core.conversation.stated_facts import StatedFact

_STATES = frozenset().union(*words.CONDITIONS.values()) | words.split_words(
    """divorced, widowed, single, married, retired, self-employed, freelance, unemployed,
    pregnant, gluten free, gluten-free, dairy free, dairy-free, nut free, nut-free,
    sugar-free, sober, jewish, muslim, catholic, buddhist, hindu, sikh, quaker, orthodox,
    atheist, agnostic, bilingual, trilingual, gay, lesbian, bisexual, trans, non-binary,
    nonbinary, nearsighted, farsighted, red-green colour-blind, red-green colourblind, hard
    of hearing, partially sighted, adopted, an only child, only child, a night owl, night
    owl, an early bird, early bird, morning person, a morning person, wheelchair user, a
    wheelchair user, colour blind, double-jointed, hypermobile, keto, paleo, plant-based,
    tone deaf, afraid of heights, terrified of flying, lefty, a lefty, neurodivergent,
    celiac, coeliac, claustrophobic, arachnophobic, homeschooled, dual national, introvert,
    extrovert, visually impaired, insulin-dependent, tee-total, straight edge, jehovah's
    witness, seventh-day adventist, mormon, vegan, widower, widow"""
)
_STATE = re.compile(
    rf"^(?:an? |the |very |quite |severely |strictly |mildly |officially |happily |recently |newly "
    rf"|registered |also |both |proudly |still |always |lifelong )*(?P<value>(?:"
    rf"{lexicon.join(_STATES)})"
    rf"(?:(?:, | and |, and )(?:{lexicon.join(_STATES)}))*)(?=$|[\s,.;!:)])(?! (?:to"
    rf"|for \w+ber|mother|father|mum|mom|dad|parent|restaurant|recipe"
    rf"|food|people|person's|friend|cookbook|option|dish|meal|joke)s?\b)",
    re.I,
)
_BIRTH_ORDER = re.compile(
    r"^(?:the )?(?P<value>(?:eldest|oldest|youngest|middle child|middle one"
    r"|second|third) of \w+)\b",
    re.I,
)
_TALL = re.compile(
    r"^(?:about |only )?(?P<value>\d'\d{1,2}\b|\d ?(?:ft|foot) ?\d{0,2}"
    r"|1[.,]\d\d ?m|\d{3} ?cm)"
)
_AGE = re.compile(
    r"^(?:only |already )?(?P<value>\d{1,2})(?: years old)?(?=$|[,.;!]"
    r"| and\b| years)"
)
_PARENT = re.compile(
    r"^(?:an? |the )?(?:single |proud |new |first-time |expectant "
    r"|working |stay-at-home )*(?P<value>(?:mum|mom|mother|dad|father"
    r"|parent|grandmother"
    r"|grandfather|twin|widow|widower|grandparent|godmother|godfather|foster parent)(?: (?:of|to)"
    r" [\w -]{2,20}?)?)(?=$|[,.;!]| and\b| who\b)",
    re.I,
)
_NATION = re.compile(
    rf"^(?:originally |also )?(?P<value>(?:half |part )?(?-i:[A-Z])(?:"
    rf"{lexicon.join(word[1:] for word in words.DEMONYMS)})"
    rf"(?:[- ](?-i:[A-Z])\w+)?)(?=$|[,.;!]| (?:and|but|so|by|on|originally|living)\b)"
)
_FAN = re.compile(
    rf"^an? (?:\w+ ){{0,2}}?(?P<value>{phrases.PROPER}) (?:fan|supporter"
    rf"|season ticket holder|member|nerd)\b"
)
_PERSON = re.compile(r"^(?:more of )?an? (?P<value>(?:big |real |total )?[\w-]+ person)\b", re.I)
_YEARS_OLD = re.compile(r"^an? (?P<value>\d{1,2}[- ]year[- ]old)")
_OFFICE = re.compile(
    r"^(?:the |an? |also )?(?P<value>(?:\w+ )?(?:head|chair|vice-chair"
    r"|president|treasurer|secretary|founder|co-founder"
    r"|owner|captain|CTO|CEO|CFO|COO|director|organiser|organizer"
    r"|author|maintainer|leader|guardian|trustee|member)"
    r" (?:of|at|for) [\w' -]{2,40}?)(?=$|[,.;!]| (?:and|but|so|who|which)\b)"
)
_JOB_WORD = re.compile(r"[a-z]{3}(?:er|or|ist|ian|man|woman|eer|wright|smith|grapher)$")
_NOT_JOB = (
    words.NOT_JOBS
    | words.NOT_WORK
    | words.split_words(
        """beginner, believer, member, customer, user, lover, reader, player, listener, owner, fan,
    rider, sucker, procrastinator, person, human, sister, brother, mother, father, daughter,
    traveller, newcomer, water, offer, order, letter, dinner, power, partner, lover, hater,
    stickler, overthinker, worrier, walker, sleeper, starter, christian, italian, german,
    human, woman, man, doer, talker, reminder, whatever, never, ever, over, under, after,
    either, rather, together, disaster, eater"""
    )
)
_JOB = re.compile(
    r"^(?:an? |the )(?P<value>(?:[\w'/-]+ ){0,4}?(?P<head>[\w-]+))(?P<tail>$|[,.;!)]| (?:at|in|for"
    r"|from|with|and|by|on|based|working|of|who|since) ?.*)",
    re.I,
)
_ROLE = re.compile(
    r"(?:^|[,.;] |\b(?:and|but|so) )(?:(?:speaking )?as|being) (?P<rest>(?:(?:an?"
    r"|the|somebody|someone)"
    r" )?[\w' -]{3,50}?),? (?=(?:i|we|my|it|i'm|i'd|what|can|could"
    r"|how|which|there|is|do|mornings)\b)",
    re.I,
)
_SOMEONE = re.compile(
    r"\b[Aa]s (?:someone|somebody|a person|a family|a household) (?P<how>with"
    r"|who has|who lives in|who lives with"
    r"|who works in|who works as|who is|living in|working in|working with) (?P<rest>.+)$"
)
_BARE = re.compile(r"^(?P<value>[\w' -]{3,40}?) here[.!,]", re.I)
_THATS_ME = re.compile(r"^(?P<value>[\w' ,-]{3,60}?)[.,:;–—-]+ ?(?:that'?s|that is) me\b", re.I)


def read_self(clause: SpokenClause) -> Iterator[StatedFact]:
    """What a clause says that somebody is."""
    if clause.is_negated or clause.who != clause.who.lower():
        return
    found = re.match(
        r"(?:am|is|are|have been|has been|'s)(?: both| also| still)? (?P<rest>.+)$", clause.does
    )
    if found and not (clause.is_elided and clause.does.startswith("is ") and not clause.who):
        yield from _read_identity(found["rest"], clause.who)


def read_role(said: str) -> Iterator[StatedFact]:
    """What the speaker is, said in passing: "as a nurse, I", "night owl here"."""
    for found in _ROLE.finditer(said):
        if not re.search(r"\byou\b", said[found.end() : found.end() + 20]):
            yield from _read_identity(found["rest"], "", is_role=True)
    if someone := _SOMEONE.search(said):
        value = phrases.read_phrase(someone["rest"], 5)
        if someone["how"] == "who is":
            yield from _read_identity(someone["rest"], "")
        elif value:
            yield StatedFact("user", someone["how"].lower(), value)
    if bare := _BARE.match(said):
        rest = bare["value"]
        yield from _read_identity(rest if _STATE.match(rest) else f"a {rest}", "")


def read_bare_states(said: str) -> Iterator[StatedFact]:
    """Conditions without a subject: "Vegan, by the way", "divorced, two boys"."""
    found = _STATE.match(said) or _PARENT.match(said)
    if found and re.match(r"$|[,.;!]| (?:since|for|and|btw|by)\b", said[found.end() :]):
        yield StatedFact("user", _name_state(found["value"]), found["value"])


def _name_state(value: str) -> str:
    """The key of what somebody is: diet, health and handedness have one of their own."""
    known = (key for key, listed in words.CONDITIONS.items() if value.lower() in listed)
    return next(known, f"is {value.lower()}")


def _read_identity(rest: str, who: str, *, is_role: bool = False) -> Iterator[StatedFact]:
    if found := _OFFICE.match(rest):
        yield StatedFact("user", f"{who} role".strip(), found["value"].strip())
        return
    if found := _YEARS_OLD.match(rest):
        yield StatedFact("user", f"{who} age".strip(), found["value"])
        rest = f"a {rest[found.end() :].strip()}"
    job = _JOB.match(rest if not is_role else f"{rest},")
    if job and not is_job(job["value"]):
        job = None
    for pattern, key in (
        ()
        if job
        else (
            (_STATE, "is"),
            (_BIRTH_ORDER, "birth order"),
            (_TALL, "height"),
            (_PARENT, "is"),
            (_PERSON, "is"),
        )
    ):
        if found := pattern.match(rest):
            name = _name_state(found["value"]) if key == "is" else key
            yield StatedFact("user", f"{who} {name}".strip(), found["value"])
            return
    if (found := _NATION.match(rest)) and (not who or who in words.KIN):
        yield StatedFact("user", f"{who} nationality".strip(), found["value"])
        return
    if found := _FAN.match(rest):
        yield StatedFact("preference", f"{who} supports".strip(), found["value"])
        return
    if (found := _AGE.match(rest)) and (who or int(found["value"]) > 9):
        yield StatedFact("user", f"{who} age".strip(), found["value"])
        return
    if found := job:
        calling = _name_calling(found["value"], rest)
        yield StatedFact("user", f"{who} {calling}".strip(), found["value"])
        place = re.match(
            rf" (?:at|in|for|from) (?:the )?(?P<place>{phrases.PROPER})", found["tail"]
        )
        if place:
            yield StatedFact("user", f"{who} job where".strip(), place["place"].rstrip("."))


def _name_calling(value: str, rest: str) -> str:
    """The key of a word that is built like a job; a smoker or an optimist is not said to be one."""
    is_known = value.lower().split()[-1] in words.PROFESSIONS
    is_said = re.search(r"\b(?:by (?:trade|profession|training)|for a living)\b", rest)
    return "job" if is_known or is_said else _name_state(value)


def is_job(value: str) -> bool:
    said = value.lower().split()
    head = said[-1]
    if set(said) & (words.NOT_WORK | words.REFERRING | {"bit", "fan", "my", "your", "his"}):
        return False
    is_known = head in words.PROFESSIONS or head.rstrip("s") in words.PROFESSIONS
    return is_known or bool(_JOB_WORD.search(head) and head not in _NOT_JOB)
