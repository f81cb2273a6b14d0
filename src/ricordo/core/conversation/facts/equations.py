"""Equations: what is what, by a copula or a verb of state, with a hard value on one side.

"The deadline is 31 January", "our staging runs on port 8443", "our wedding is set for 22 August".
The noun may be any that belongs to the speaker, because the value is one by its looks.
"""

import re
from collections.abc import Iterator

from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.facts import lexicon, phrases
from ricordo.core.conversation.stated_facts import StatedFact

_NOUN = r"(?P<noun>(?:(?!(?:is|are|was|i|we|that|which|if|and|but)\b)[\w'./#-]+ ){0,5}?[\w'./#-]+?)"
_SOFT_NOUNS = """hobby, dream job, diet, usual order, usual, go-to, comfort food, pet peeve, guilty
    pleasure, weakness, specialty, speciality, signature dish, day off, day job, side
    project, side hustle, commute, star sign, religion, faith, native language, first
    language, heritage, background, profession, trade, main instrument, sport, thesis topic,
    research area, field, house rule, rule, policy, convention, preference, default, limit,
    favourite dish, favorite dish, motto, morning routine, bedtime, budget, income, salary,
    ancestry, neighbourhood, street, train, bus, poison, drink of choice, seat preference,
    car, bike, laptop, phone, camera, guitar, desk, chair, setup"""
_OWNER = r"(?:my|our|the)"
_DATED = re.compile(
    rf"^(?P<owner>{_OWNER} )?{_NOUN}(?: | deadline )(?P<verb>expires"
    rf"|closes|ends|starts|begins|opens"
    rf"|renews|is due|are due|runs out|falls|is set|is|finishes|launches"
    rf"|goes live|ships|lapses|is up"
    rf"|is scheduled|is booked|takes place|is valid|runs|comes up|deadline is)(?: "
    rf"(?:on|for|in|by|at"
    rf"|until|from))? (?P<value>{phrases.DATE}(?:,? (?:at )?{phrases.TIME}(?: [A-Z]{{3,4}})?)?)",
    re.I,
)
_DATED_SHORT = re.compile(
    rf"^(?P<owner>{_OWNER} )(?P<noun>[\w' -]{{3,30}}?)(?:'s| is)?(?: set for| due| on|:|\?) "
    rf"(?P<value>{phrases.DATE})",
    re.I,
)
_RUNS = re.compile(
    rf"^(?P<owner>{_OWNER} )?{_NOUN} (?P<verb>(?:runs|lives|listens|sits|is hosted|is deployed|is"
    rf" served|is written|is built|is implemented|is based|is stored"
    rf"|is kept|is located|deploys|ships"
    rf"|points|is reachable|is available|connects|talks|writes|is pinned|are hosted|are stored|live"
    rf"|run|are kept|are in|is parked|goes out|logs|is registered|is mounted)(?: "
    rf"on| at| in| to| with"
    rf"| behind| under| from| out of)?) (?:port |version |the )?(?P<rest>.+)$",
    re.I,
)
_IS = re.compile(
    rf"^(?P<owner>(?:{_OWNER}|(?-i:[A-Z]\w+)'s) )?{_NOUN}(?: is| are"
    rf"|'s) (?:called |named |at |on |in )?(?P<rest>.+)$",
    re.I,
)
_NAME_IS = re.compile(
    rf"^(?P<owner>(?i:{_OWNER}) )(?P<noun>[\w -]{{2,30}}?)(?:'s|s') name(?:'s"
    rf"| is) (?P<value>{phrases.PROPER})"
)
_FIXED = lexicon.join(
    words.split_words(
        """deadline, name, room, port, user, endpoint, branch, version, database, server, address,
    code, budget, host, host name, hostname, domain, url, repo, bucket, region, namespace,
    cluster, extension, number, plate, size, path, file, folder, registry, table, schema,
    queue, topic, timezone, time zone, limit, rate, price, rent, licence, license, email,
    phone, handle, channel, contact, owner, lead, dentist, vet, doctor, plumber, accountant,
    landlord, cleaner, venue, caterer, supervisor, teacher, class, course, colour, color,
    font, brand, model, mileage, height, weight, commute, seat, gate, locker, ssid, network,
    wifi, router, ip, subnet, vlan, dns, profile, key id, account id, tenant, project,
    product, codename, code name, mascot, motto, release, tag, broker, cache, proxy, cdn,
    vpn, ci, linter, orm, framework, language, stack, tracker, board, wiki, calendar,
    standup, stand-up, retro, sprint, release day, working day, office day"""
    )
)
_SOFT_WORDS = lexicon.join(
    (lexicon.LABELS | words.split_words(_SOFT_NOUNS)) - words.KIN - words.PETS - lexicon.NOT_LABELS
)
_IS_OUR = re.compile(
    rf"^(?P<value>(?:[Ee]very )?(?:{phrases.PROPER}|{phrases.CODE}))(?: is"
    rf"| are|'s) (?P<owner>(?:my|our) )"
    rf"(?P<noun>(?:[\w-]+ ){{0,3}}[\w-]+?)(?=$|[,.;!]| (?:for|of|at"
    rf"|in|on|and|but|since|so|these)\b)"
)
_A_MAKE = re.compile(
    rf"^(?:[Tt]he|[Mm]y|[Oo]ur) (?P<noun>(?:[a-z-]+ )?(?:{lexicon.join(words.THINGS)}"
    rf"|house|flat|boiler|fridge|washing machine"
    rf"|dishwasher|heating|heat pump|roof|garden|kitchen|stove|mower"
    rf"|tractor|amp|pedal|lens|tent|stroller))"
    rf"(?: is|'s) (?:an? )(?P<rest>.+)$"
)
_BEGINS = re.compile(
    rf"^(?:(?:[Mm]y|[Oo]ur|[Tt]he) )?(?P<noun>[\w' -]{{3,25}}?) (?P<verb>starts"
    rf"|ends|opens|closes|finishes|begins"
    rf"|kicks off|is always|is every|runs|meets|happens)(?: at| from"
    rf"| on)? (?P<value>(?:{phrases.WEEKLY}|{phrases.TIME}"
    rf"(?: (?:to|till|until) {phrases.TIME})?))"
)
_TURNS = re.compile(
    r"^(?P<owner>my|our) (?P<noun>(?:[\w-]+ ){0,3}[\w'-]+) (?P<verb>(?!(?:is"
    r"|was|has|does|says|thinks|looks"
    r"|sounds|needs|wants|gets|keeps|crashes|fails|throws|returns|shows|this|always)\b)[a-z]+s"
    r"(?: (?:at|in|on|to|with|for|from|by|up|off|out|around|about|over|every))?) (?P<rest>.+)$",
    re.I,
)
_OWN = re.compile(r"(?:my|our) ", re.I)
_BARE_RUN = re.compile(rf"^(?:{_FIXED}|[a-z]+s|everything)$", re.I)
_SOFT = re.compile(
    rf"^(?:[Mm]y|[Oo]ur) (?P<noun>(?:[\w-]+ ){{0,2}}?(?:{_SOFT_WORDS}))(?: is"
    rf"|'s| are) (?P<rest>.+)$"
)
_NOT_SOFT = re.compile(
    r"^(?:not|so|very|too|all|still|just|always|never|also|now|being"
    r"|getting|\w+ing|\w+ed|broken|dead|slow"
    r"|late|down|gone|lost|fine|great|good|bad|terrible|awful|horrible"
    r"|due|ready|full|empty|there|here"
    r"|on|in|at|off|up|out|about|to|from|that|what|how|killing|acting|pretty|really|quite|a (?:mess"
    r"|nightmare|disaster|problem|joke|bit|lot)|like|my|his|her|their"
    r"|your|more|less|really|old|wrong|right|unclear|clear|an absolute"
    r"|an? \w*(?:ly|ing)|messed|unknown|unavailable|different|changing"
    r"|important|boring|\d+ years old|missing|hard|easy|busy|free"
    r"|open|closed|crazy|weird|huge|small|big|tiny|short|long|tight"
    r"|over|under|none)\b",
    re.I,
)
_APPOSED = re.compile(
    rf"\b(?P<owner>[Mm]y|[Oo]ur|[Tt]he) (?P<noun>(?:[\w-]+ ){{0,2}}?(?:accountant"
    rf"|company|firm|neighbours"
    rf"|neighbors|landlord|client|supplier|employer|agency|bank|insurer"
    rf"|school|publisher|team|studio"
    rf"|charity|band|choir|gym|startup|practice|clinic|university|village"
    rf"|street|shop|product|vendor"
    rf"|caterer|venue|lender|dealer|garage|tool|library|app|service|cluster|server|boat|yacht)"
    rf"(?: (?:downstairs|upstairs|next door|we \w+ to|we use|we switched to|i use))?), "
    rf"(?:an? [\w -]+ called )?(?P<value>(?:the )?{phrases.PROPER}),"
)
_PLACED = re.compile(
    rf"\b(?:(?:my|our|its|an?) )(?P<noun>(?:[\w-]+ )?(?:office|site"
    rf"|headquarters|base|warehouse|shop"
    rf"|studio|branch|factory|lab|workshop|showroom|data cent(?:re"
    rf"|er)|campus|practice|surgery|place"
    rf"|flat|house|apartment|home|cottage|cabin|allotment|farm))s? in (?P<value>(?-i:"
    rf"{phrases.PROPER}))",
    re.I,
)
_AT_HOME = re.compile(rf"\b(?:at|back) home in (?P<value>{phrases.PROPER})")
_ADDRESS = re.compile(
    r"\b(?P<value>\d+[a-zA-Z]? (?:[A-ZÀ-Þ][\w'-]+ ){1,3}(?:Street"
    r"|St|Road|Rd|Avenue|Ave|Lane|Crescent"
    r"|Drive|Close|Way|Court|Place|Square|Terrace|Boulevard|Gardens|Row|Hill|Quay|Mews|Parade)\b\.?"
    r"(?:, (?:[A-Z0-9][\w-]*)(?: [A-Z0-9][\w-]*)*)*)"
)
_FIXED_HEAD = re.compile(rf"(?:^|\s)(?:{_FIXED})s?(?: (?:for|of|in|at|on|to) [\w' -]+)?$", re.I)
_BAD_NOUN = re.compile(
    r"\b(?:problem|question|issue|error|bug|answer|point|thing|idea"
    r"|guess|favou?rite|goal|plan|dream"
    r"|issue|reason|result|order number|meeting|flight|train|bus|password"
    r"|pin|passcode|token|secret|character"
    r"|capital|population|sum|temperature|weather|output|input|ex|old|former|previous|last|next"
    r"|first|kettle|one|ones|best|worst|only|same|other|score|function"
    r"|method|variable|homework|essay|exam|code below)\b",
    re.I,
)
_STATES = re.compile(
    r"^(?:not|so|very|too|a|an|the|in|on|at|from|to|for|as|all|still|just|always|never|also|by|now"
    r"|I|My|Our|We|This|That|He|She|It|OK|Okay|Ok)\b"
)


def read_equations(said: str) -> Iterator[StatedFact]:
    """What a clause equates, by its first pattern that fits."""
    for found in _APPOSED.finditer(said):
        if not _BAD_NOUN.search(found["noun"]):
            yield StatedFact("project", _key(found["noun"]), found["value"])
    for pattern in (_NAME_IS, _DATED, _DATED_SHORT):
        match = pattern.match(said)
        if match and not _BAD_NOUN.search(match["noun"]) and _is_noun(match["noun"]):
            suffix = " name" if pattern is _NAME_IS else ""
            verb = (match.groupdict().get("verb") or "").lower()
            detail = "" if verb in ("", "is", "is on") else f" {verb}"
            yield StatedFact(
                _category(match),
                _key(match["noun"]) + suffix + detail,
                match["value"].removeprefix("the "),
            )
            return
    match = _IS_OUR.match(said)
    if (
        match
        and not _BAD_NOUN.search(match["noun"])
        and not phrases.is_word(match["value"].split()[0])
    ):
        if match["noun"].lower().split()[-1] not in words.KIN:
            yield StatedFact(_category(match), _key(match["noun"]), match["value"])
        return
    match = _BEGINS.match(said)
    if match and _is_noun(match["noun"]) and not _BAD_NOUN.search(match["noun"]):
        yield StatedFact("project", f"{_key(match['noun'])} {match['verb']}", match["value"])
        return
    yield from _read_run(said)
    yield from _read_turn(said)


def _read_turn(said: str) -> Iterator[StatedFact]:
    """What a thing does with a hard value, and what a kept thing is."""
    match = _TURNS.match(said)
    if match and _is_noun(match["noun"]) and not _BAD_NOUN.search(match["noun"]):
        value = phrases.find_hard(match["rest"])
        if value:
            yield StatedFact("project", f"{_key(match['noun'])} {match['verb'].lower()}", value)
    match = _A_MAKE.match(said)
    if (
        match
        and (value := phrases.read_phrase(match["rest"], 6))
        and re.match(r"(?:(?!of|from|by)[\w-]+ ){0,1}?(?:[A-Z]|\d{2})", value)
    ):
        yield StatedFact("user", _key(match["noun"]), value)
        return
    match = _SOFT.match(said)
    if match and not _NOT_SOFT.match(match["rest"]) and not _BAD_NOUN.search(match["noun"]):
        value = phrases.read_phrase(match["rest"], 7)
        if value and not set(value.lower().split()) & (words.REFERRING | words.DEMONYMS):
            yield StatedFact("user", _key(match["noun"]), value)


def read_places(said: str) -> Iterator[StatedFact]:
    """Addresses, and where somebody's own house or office is."""
    for found in _PLACED.finditer(said):
        if not _BAD_NOUN.search(found["noun"]):
            yield StatedFact(
                "project", f"{_key(found['noun'])} location", found["value"].rstrip(".")
            )
    if home := _AT_HOME.search(said):
        yield StatedFact("user", "home", home["value"].rstrip("."))
    if (street := _ADDRESS.search(said)) and re.search(r"\b(?:i|we|my|our|me|us)\b", said, re.I):
        yield StatedFact("user", "address", street["value"].rstrip("."))


def _read_run(said: str) -> Iterator[StatedFact]:
    match = _RUNS.match(said)
    if match and not _BAD_NOUN.search(match["noun"]) and _is_noun(match["noun"]):
        is_somebody = match["verb"].lower().startswith("lives") and not _OWN.match(said)
        value = phrases.find_hard(match["rest"], with_names=not is_somebody)
        is_kept = match["owner"] or re.search(r"\bport\b", said) or _BARE_RUN.match(match["noun"])
        if value and is_kept:
            yield StatedFact("project", f"{_key(match['noun'])} {match['verb'].lower()}", value)
            return
    match = _IS.match(said)
    if not match or _BAD_NOUN.search(match["noun"]) or not _is_noun(match["noun"]):
        return
    if said.startswith("'s", match.end("noun")) and re.search(r" [A-ZÀ-Þ]\w*$", match["noun"]):
        return  # not "is", but whose it is: "teaches at King's College"
    is_fixed = bool(_FIXED_HEAD.search(match["noun"]))
    owner = (match["owner"] or "").strip()
    is_own = owner.lower() not in ("", "the")
    if not owner and match["noun"].lower() not in lexicon.LABELS | words.PEOPLE:
        return
    if not (is_fixed or is_own) or _STATES.match(match["rest"]):
        return
    value = phrases.find_hard(match["rest"])
    if (
        value
        and (is_fixed or not value[0].isdigit() or len(value) > 2)
        and (
            not _is_adjective(value)
            or re.search(r"(?:language|tongue|nationality)$", match["noun"], re.I)
        )
    ):
        whose = owner[:-2] if owner.endswith("'s") else ""
        yield StatedFact(_category(match), f"{whose} {_key(match['noun'])}".strip(), value)


def _is_noun(noun: str) -> bool:
    said = noun.lower().split()
    return len(said) <= 6 and not set(said) & _NOT_NOUNS and len(noun) > 1


def _is_adjective(value: str) -> bool:
    return value.lower() in words.DEMONYMS or value.lower() in words.DAYS


def _category(match: re.Match[str]) -> str:
    return "user" if (match["owner"] or "").strip().lower() == "my" else "project"


def _key(noun: str) -> str:
    return re.sub(r"'s\b", "", noun.lower()).strip()


_NOT_NOUNS = words.split_words(
    """i, we, you, he, she, it, they, this, that, there, what, who, how, where, why, when,
    which, not, never, if, to, will, can, would, was, were, have, has, had, got, nothing,
    something, here, then, so, because, today, tomorrow, yesterday, tonight"""
)
