"""Doings: verbs that state something lasting of the speaker or somebody of theirs.

The verb gives the key, its object the value. Verbs with many meanings ("use", "take", "run") need
an object that looks like one: `read` says which.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ricordo.core.conversation import fact_shapes as shapes
from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.facts import phrases
from ricordo.core.conversation.facts.clauses import Clause
from ricordo.core.conversation.stated_facts import StatedFact

# Verbs that say nothing lasting of whoever does them, whatever the object.
_IDLE = (
    "think|want|wants|need|needs|get|gets|got|feel|feels|know|knows|hope|mean|means|see|sees|try|trying"
    "|look|looks|looking|guess|wonder|say|says|said|tell|ask|asked|went|go|going|am|are|is|was|were|be"
    "|been|had|did|do|does|can|could|will|would|should|must|may|might|told|saw|came|left|made|took|gave"
    "|found|bought|sold|heard|read|met|lost|spent|sent|ran|ate|drank|woke|slept|wrote|let|put|hit|cut"
    "|just|really|never|once|set|won|rang|paid|threw|caught|kept|held|brought|not|also|to|a|an|the|my|our|in|on|at|for|with|so|and|or|but|about|like|see"
    "|remember|forget|believe|suppose|understand|agree|appreciate|thank|call|promise|bet|swear|miss"
    "|seem|keep getting|became|become|began|broke|came|chose|felt|flew|fell|forgot|getting|thinking"
    "|wondering|trying|having|being|making|doing|coming|leaving|waiting|talking|watching|asking"
    "|stuck|sorry|glad|happy|sad|tired|sure|afraid|excited|new|late|done|back|here|there|very|too|off"
    "|up|out|down|all|both|one|two|three|no|more|less|quite|pretty|almost|working on|have|has|love|loves"
    "|hate|like|likes|prefer|found|who|that|which|what|how|when|where|why|because|than|from|of|by|as"
    "|live|lives|work|works|teach|teaches|come|comes|visiting|run|everything|everyone|this|it|they|he|she|we|you|i|me|him|her|them|us|please|only|still|even|now"
)
Read = Callable[[str], str | None]
_ADVERB = (
    r"(?:(?:also|always|mostly|mainly|usually|still|really|currently|just|finally|recently|actually"
    r"|already|generally|normally|officially|both|all|now|only|happily|typically|occasionally|even"
    r"|do|does|absolutely|regularly|often|exclusively|primarily|strictly|originally|myself) )*"
)


class Doing(NamedTuple):
    """A predicate that begins so states a fact under this key."""

    pattern: re.Pattern[str]
    key: str
    read: Read
    category: str = "user"
    is_elidable: bool = False  # may stand at the start of a message without its subject


def _read_named(rest: str) -> str | None:
    """An object with a name, a digit or a make in it."""
    phrase = phrases.read_phrase(rest, 7)
    return phrase if phrase and re.search(r"[A-ZÀ-Þ]|\d", phrase) else None


def _read_soft(rest: str) -> str | None:
    phrase = phrases.read_phrase(rest, 7)
    if phrase and re.match(r"(?:[a-z]+ing|\w+ly)\b(?! [a-z]+s\b)", phrase):
        return None
    return phrase


def _read_any(rest: str) -> str | None:
    return phrases.read_phrase(rest, 8)


def _read_taste(rest: str) -> str | None:
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


def _read_employer(rest: str) -> str | None:
    phrase = phrases.read_phrase(rest, 8)
    is_one = re.match(r"[A-ZÀ-Þ]|(?:an?|the|our|my) (?!living\b|pittance|library\b|loss\b)", rest)
    return phrase if is_one else None


def _read_taught(rest: str) -> str | None:
    phrase = _read_soft(rest)
    is_name = phrase and re.fullmatch(phrases.NAME, phrase) and phrase.lower() not in words.SUBJECTS
    return None if is_name else phrase


def _read_settled(rest: str) -> str | None:
    """A new home, where nothing says that it was left again."""
    if re.search(r"\b(?:left|then|before|until|back to|again)\b", rest):
        return None
    street = re.match(r"\d+[a-z]? [A-ZÀ-Þ][\w' ]+(?:, [A-Z0-9][\w ]+)*", rest)
    return street[0] if street else _read_place(rest)


def _read_tool(rest: str) -> str | None:
    phrase = phrases.read_phrase(re.split(r" (?:for|to|with|on|as|in) ", rest)[0], 4)
    if phrase is None:
        return None
    if phrase.lower().rstrip("s") in words.DAYS:
        return None
    is_known = any(part.lower() in words.TOOLS for part in phrase.split())
    return phrase if is_known or re.search(r"[A-ZÀ-Þ]|\d", phrase) else None


def _read_used(rest: str) -> str | None:
    return None if re.search(r"\b(?:called|named)\b", rest) else _read_tool(rest)


def _read_clock(rest: str) -> str | None:
    found = re.match(rf"(?:at |from |around |about |by )*(?P<value>{phrases.TIME}(?: (?:to|till|until|-) {phrases.TIME})?)", rest)
    return found["value"] if found else None


def _read_day(rest: str) -> str | None:
    day = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|weekdays|weekends"
    found = re.match(rf"(?:on |every |each )*(?P<value>(?:other |first |second |last )?(?:{day})(?:(?:,| and|, and) (?:{day}))*(?: at {phrases.TIME})?)", rest, re.I)
    return found["value"] if found else None


def _read_place(rest: str) -> str | None:
    found = re.match(rf"(?:the )?(?P<value>{phrases.PROPER})", rest)
    return found["value"].rstrip(".") if found and not phrases.is_word(found["value"].split()[0]) else None


def _read_listed(listed: frozenset[str]) -> Read:
    known = "|".join(sorted(map(re.escape, listed), key=len, reverse=True))
    part = rf"(?:(?:an?|the|some|both|fluent|native|basic|conversational|mild|severe|chronic) )*(?:{known})"
    pattern = re.compile(rf"(?P<value>{part}(?:(?:, | and |, and | or ){part})*)(?=$|[\s,.;!)])", re.I)

    def read(rest: str) -> str | None:
        found = pattern.match(rest)
        return found["value"] if found else None

    return read


def _doing(verbs: str, key: str, read: Read, category: str = "user", *, elidable: bool = False) -> Doing:
    pattern = re.compile(rf"^{_ADVERB}(?:{verbs}) ?(?:(?<= )|^)(?P<rest>.+)$", re.I)
    return Doing(pattern, key, read, category, elidable)


HEALTH = words.split_words(
    """asthma, adhd, add, autism, diabetes, type 1 diabetes, type 2 diabetes, coeliac disease, celiac
    disease, epilepsy, migraines, ibs, crohn's, arthritis, hay fever, eczema, psoriasis, tinnitus,
    dyslexia, dyscalculia, ocd, ptsd, anxiety, depression, high blood pressure, insomnia, gout, vertigo,
    endometriosis, fibromyalgia, lupus, ms, pcos, a pacemaker, pacemaker, a heart murmur, aphantasia,
    sleep apnoea, sleep apnea, a bad back, a bad knee, scoliosis, glaucoma, hypothyroidism, a prosthetic
    leg, a stammer, a stutter, hearing aids, low vision, an underactive thyroid, kidney disease,
    reflux, a latex allergy, a nut allergy, a peanut allergy, a shellfish allergy, nut allergy, peanut
    allergy, a pollen allergy, long covid, rosacea, anaemia, osteoporosis, cancer, parkinson's"""
)
_MINE = (
    _doing(r"(?:live|lives|living|am living|are living|is living|am based|are based|is based|reside|resides|have lived|have been living|has lived)(?: alone| together)? in|based in|based out of", "home", _read_place, elidable=True),
    _doing(r"(?:live|lives) (?:with|above|aboard|on an?)", "lives with", _read_soft),
    _doing(r"(?:am|is|are|come|comes|hail|hails)(?: originally)? from", "from", _read_place),
    _doing(r"(?:was |were |is )?born(?: and raised)? (?:in|on)", "born", lambda rest: phrases.find_hard(rest), elidable=True),
    _doing(r"(?:was |were )?(?:raised|brought up) in|grew up in", "grew up in", _read_place, elidable=True),
    _doing(r"grew up speaking|speak|speaks|am fluent in|fluent in|is fluent in", "languages", _read_listed(words.LANGUAGES), elidable=True),
    _doing(r"(?:am learning|are learning|is learning|learning|started learning|am studying)", "learning", _read_listed(words.LANGUAGES | words.INSTRUMENTS)),
    _doing(r"(?:work|works|am working|is working) (?:at|for)", "employer", _read_employer),
    _doing(r"(?:work|works|am working|is working|freelance|freelances|train|volunteer|volunteers) as", "job", lambda rest: shapes.read_work(re.sub(r"^an? |^the ", "", rest))),
    _doing(r"(?:work|works) in", "field of work", _read_listed(words.FIELDS)),
    _doing(r"(?:work|works) (?=nights|shifts|part-time|part time|four days|three days|from home|remotely|weekends|mornings|evenings|night shifts|fully)", "works", _read_any),
    _doing(r"(?:study|studies|studied|am studying|is studying|read|am reading|is reading)(?= [\w ]+ at [A-Z])|study|studies|am studying|is studying|majored in|major in|majors in|am majoring in|have a degree in|have a phd in|did a phd in|studied", "studies", _read_soft, elidable=True),
    _doing(r"(?:graduated|graduate) from", "university", _read_place, elidable=True),
    _doing(r"(?:teach|teaches)", "teaches", _read_taught),
    _doing(r"(?:volunteer|volunteers) (?:at|with|for|in)", "volunteers at", _read_any),
    _doing(r"(?:coach|coaches|mentor|mentors|tutor|tutors|foster|fosters)", "coaches", _read_soft),
    _doing(r"(?:play|plays|took up|have taken up|has taken up|have played|has played|is played|have been playing)(?: the)?", "plays", _read_listed(words.INSTRUMENTS | words.SPORTS), elidable=True),
    _doing(r"(?:play|plays) (?=goalkeeper|striker|defen[cs]e|midfield|centre|center|wing|prop|bass|lead|drums|second)", "plays", _read_any),
    _doing(r"(?:sing|sings|dance|dances|drum|drums|play|plays|act|acts|row|rows|swim|swims|climb|climbs|train|trains|fence|box) (?:in|with|for|at)", "member of", _read_any),
    _doing(r"(?:drive|drives|ride|rides)", "drives", _read_named),
    _doing(r"(?:own|owns|have got|have|has|bought|got) (?:an? |two |three )?(?=[\w -]*\b(?:[A-Z]|\d{4}))", "owns", lambda rest: _read_make(rest), elidable=True),
    _doing(r"(?:own|owns)", "owns", _read_soft, elidable=True),
    _doing(r"(?:rent|rents|am renting|are renting)", "rents", _read_soft),
    _doing(r"(?:collect|collects|breed|breeds|grow|grows|brew|brews|restore|restores|bake|bakes|knit|knits|build|builds|paint|paints|keep|keeps|raise|raises|sell|sells|import|imports|forage|sew|sews)", "{verb}", _read_soft),
    _doing(r"(?:have collected|have kept)", "keeps", _read_soft),
    _doing(r"(?:avoid|avoids|steer clear of|stay away from|stays away from|skip)", "avoids", _read_any),
    _doing(r"(?:wear|wears)(?: an?)?", "wears", _read_soft),
    _doing(r"(?:support|supports|root for|follow)", "supports", _read_place),
    _doing(r"(?:bank|banks) with|(?:am|are|is) with(?= (?-i:[A-Z]))", "bank or provider", _read_place),
    _doing(r"(?:am|are|is) (?:insured|signed|registered|enrolled) (?:with|at)|signed with|have signed with", "signed with", _read_any),
    _doing(r"(?:run|runs|am running|are running|is running|am on|are on|use|uses|am using|are using|is using)", "uses", _read_used),
    _doing(r"(?:run|runs|co-run|manage|manages|lead|leads|head|heads|chair|chairs|edit|edits|co-own|captain|host|hosts|organise|organises|organize|maintain|maintains|moderate|look after|looks after|care for|am raising|are raising|am responsible for|handle|handles|am in charge of|is in charge of)", "{verb}", _read_soft),
    _doing(r"(?:carry|carries)", "carries", _read_soft),
    _doing(r"(?:take|takes|am taking|am on|is on) (?=\d|[\w-]+ (?:\d|for|every|daily|twice|once)|insulin|metformin|warfarin|sertraline|levothyroxine|lithium|statins|antidepressants|blood thinners|ibuprofen|methotrexate|beta blockers)", "takes", _read_any),
    _doing(r"(?:have had|has had|have got|have|has|suffer from|suffers from|was diagnosed with|live with|got diagnosed with|am living with)(?: an?| mild| severe| chronic)*", "health", _read_listed(HEALTH)),
    _doing(r"(?:get|gets) migraines from|(?:am|is|are) (?:\w+ )?intolerant (?:to|of)|react badly to|(?:am|is|are) (?:\w+ly |very |quite )?allergic to|allergic to", "allergy", _read_any, elidable=True),
    _doing(r"(?:fast|fasts)", "fasts", _read_day),
    _doing(r"(?=(?:cycles?|bikes?|walks?|commutes?|take the \w+) (?:to (?:work|school|the office)|in|by|from)\b)", "commute", _read_any),
    _doing(r"(?:sleep|sleeps|start work|starts work|start|starts|finish|finishes|get up|gets up|wake up|wakes up|am up|go to bed|goes to bed|clock off|log off|knock off|begin)", "{verb}", _read_clock),
    _doing(r"(?:meet|meets|train|trains|rehearse|rehearses|practise|practice|have rehearsal|have choir|work from home|am in the office|is in the office|am off|are off|do the shopping|go to the office|have therapy|have physio)", "{verb}", _read_day),
    _doing(r"(?:train|trains|run|runs|swim|swims|go|goes|lift|work out|jog|do yoga|practise|practice|meditate)(?: \w+)? (?=(?:once|twice|\w+ times|every (?:day|morning|week)))", "{verb}", _read_any),
    _doing(r"(?:pay|pays|charge|charges|earn|earns|bill|bills|invoice)", "{verb}", lambda rest: _read_sum(rest)),
    _doing(r"(?:married|got married)(?: in| on)?", "married", lambda rest: phrases.find_hard(rest)),
    _doing(r"(?:am|is|are|been) (?:happily )?(?:married|engaged) to|married to", "spouse", _read_place, elidable=True),
    _doing(r"(?:belong|belongs) to|(?:am|is|are) (?:an? )?(?:\w+ )?members? of|member of", "member of", _read_any, elidable=True),
    _doing(r"(?:report|reports) to", "reports to", _read_place),
    _doing(r"(?:observe|observes|observing|celebrate|celebrates|practise|practice)", "observes", _read_named, elidable=True),
    _doing(r"(?:quit|gave up|have given up|stopped|am off) (?=smoking|drinking|alcohol|sugar|caffeine|coffee|meat|dairy|gluten|wine|social media|driving|flying)", "quit", _read_any),
    _doing(r"(?:was named|am named|is named|were named) after", "named after", _read_any),
    _doing(r"(?:go|goes) to (?=(?-i:[A-Z])|church|mosque|synagogue|college)", "goes to", _read_any),
    _doing(r"(?:go|goes) by", "goes by", _read_place),
    _doing(r"(?:write|writes|code|codes|program|develop|type|write code)(?: \w+)? (?:in|on|with)", "{verb} in", _read_tool),
    _doing(r"(?:write|writes) (?:for|about)|blog about", "writes about", _read_soft),
    _doing(r"(?:specialise|specialises|specialize|specializes) in", "specialises in", _read_any, elidable=True),
    _doing(r"(?:hold|holds)(?: an?)?(?= [\w ]*(?:licen[cs]e|passport|belt|degree|permit|visa|citizenship|certificate))", "holds", _read_any),
    _doing(r"(?:weigh|weighs|stand|stands|measure|am|is)(?= \d+(?:\.\d+)? ?(?:kg|cm|m|lbs?|pounds|stone|feet|ft)\b)", "{verb}", _read_any),
    _doing(r"(?:am|are) (?:expecting|due)(?: in| on)?", "expecting", _read_any),
    _doing(r"(?:joined|started at)", "joined", _read_place),
    _doing(r"(?:started at|starts at|goes to|attends|attend|is at|go to|are at)(?= (?-i:[A-Z][\w' ]+(?:Primary|School|Academy|University|College|High|Nursery|Kindergarten|Grammar)))", "school", _read_place),
    _doing(r"(?:passed|have passed|has passed|got)(?: my| her| his| the| an?) (?=(?:[\w-]+ )*(?:exam|test|belt|licen[cs]e|degree|certificate|permit|grade)\b)", "passed", _read_any, elidable=True),
    _doing(r"(?:identify|identifies) as", "identifies as", _read_soft),
    _doing(r"(?:deploy|deploys|ship|ships|release|releases)(?: \w+)?(?: (?:to|with|via|on|from|through|using))+", "deploys", _read_tool, "project"),
    _doing(r"(?:host|hosts|store|keep|track|manage|log|write|build|do|run|code)(?: [\w ]{2,25})? (?:on|in|with|at|by)", "{verb}", _read_tool, "project"),
    _doing(r"(?:switched|have switched|has switched|migrated|have migrated|upgraded|have upgraded|are switching)(?: over| back| everything)?(?: from [\w ]+?)? to", "switched to", _read_named, elidable=True),
    _doing(r"(?:moved|have moved|has moved|has relocated|have relocated|relocated)(?: back| house)?(?: from [\w ]+?)? to", "home", _read_settled, elidable=True),
    _doing(r"(?:dropped [\w ]+ and )?(?:went with|settled on|have chosen|chose|picked|opted for|decided on|standardi[sz]ed on)", "chose", _read_named, "project"),
    _doing(r"(?:are|is) an? (?:team|family|company|household|band|group|department|startup) of", "size", _read_any, "project"),
    _doing(r"(?:are|is) an? (?=[\w -]*(?:team|company|startup|firm|agency|studio|cooperative|co-op|charity|band|shop|department|family)\b)", "we are", _read_any, "project"),
    _doing(r"(?:have got|have adopted|adopted|have|has) (?=(?:two|three|four|five|six|seven|\d+|an?|one|twin) )", "has", lambda rest: _read_had(rest)),
    _doing(r"(?:have|has|hold|holds|do)(?: an?| our| my| the)? [\w -]{3,30}?(?= (?:on |every |each )?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days|every))", "{verb}", _read_day),
    _doing(r"have been (?:at|with)(?= [\w ]+ (?:since|for)\b)", "employer", _read_place),
    _doing(r"(?:am turning|turn|turns|is turning|turned)(?= \d)", "turns", _read_any),
    _doing(r"(?:am doing|are doing|is doing|did|am in|is in|are in)(?: an?| my| his| her| the)? (?=(?:phd|PhD|master|bachelor|apprenticeship|degree|MBA|MSc|first year|second year|third year|fourth year|final year|year \d+|grade \d+|sixth form))", "studies", _read_any),
    _doing(r"(?:am|are|is) (?:named|called)", "name", _read_place),
    _doing(r"(?:hold|have|has)(?: an?)? (?=(?:\w+ )?(?:degree|phd|masters?|licen[cs]e|citizenship|passport|tattoo|mortgage|account|diploma) (?:in|at|with|from|of))", "has", _read_any),
    _doing(r"(?:have|has) (?=(?:\w+ )?(?:hair|eyes|skin)\b)", "has", _read_any),
    _doing(r"(?:never|don't|do not) (?=work)", "works", _read_any),
    _doing(r"have been (?:married|together|engaged|vegan|vegetarian|sober|self-employed|freelancing)(?: to [\w ]+?)? (?:since|for)", "together since", _read_any),
    _doing(r"(?:serve|serves|served) (?:in|on|as)", "serves", _read_any),
    _doing(r"(?:prefer|prefers)", "prefers", _read_taste, "preference"),
    _doing(r"(?:love|loves|adore|adores|enjoy|enjoys|am into|is into|are into|am obsessed with|is obsessed with|am big on|swear by|am (?:\w+ )?(?:fan|fans) of|am (?:a )?(?:huge |big |massive |lifelong |diehard )?fan of|is (?:a )?(?:huge |big )?fan of|am keen on|am passionate about|am partial to|have a thing for|am hooked on|am addicted to|am crazy about|am mad about|am a sucker for|am fond of|live for|(?:big|huge|massive) fan of)", "likes", _read_taste, "preference"),
    _doing(r"(?:hate|hates|loathe|loathes|detest|detests|despise|dislike|dislikes|am scared of|is scared of|am afraid of|is afraid of|am terrified of|is terrified of)", "dislikes", _read_taste, "preference"),
)  # fmt: skip
_REFUSALS = (
    _doing(r"(?:can't|cannot|can not|cant) (?:stand|bear|abide|stomach)|(?:don't|do not|doesn't) (?:like|care for|enjoy)|(?:am |are |is )?not (?:an? (?:\w+ )?fan of|keen on|into)|am no fan of", "dislikes", _read_taste, "preference"),
    _doing(r"(?:can't|cannot|can not|cant|don't|do not|dont|doesn't|never|does not) (?P<what>eat|drink|touch|tolerate|digest|wear|fly|drive|smoke|cook with)", "does not {what}", _read_taste, "preference"),
    _doing(r"have never (?:liked|learned to|learnt to|been able to)|never learned to|never learnt to", "never", _read_any),
)  # fmt: skip
_OPEN = re.compile(
    rf"^{_ADVERB}(?P<verb>(?:am |are |is |have been |has been )?(?!(?:{_IDLE})\b)[a-z]+(?:(?<!ed)|(?<=need))"
    rf"(?: (?:at|in|on|with|for|to|from|by|out|up|off|via|under|through|as|of|around)){{0,2}}) "
    rf"(?P<rest>.+)$"
)
_HABIT = re.compile(
    r"\bevery (?:day|morning|evening|night|week|weekend|month|year|summer|winter|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)"
    r"|\b(?:once|twice|\w+ times) a (?:day|week|month|year)\b|\bon \w+days\b|^(?:always|usually|mostly|only) "
)
_MAKE_STOP = re.compile(r" (?:for|on|at|in|of|to|from|with|over|called|named|about) ")
_VAGUE = re.compile(
    r"\b(?:question|problem|issue|meeting|idea|thing|bit|lot|time|error|bug|feeling|headache|cold|test"
    r"|exam|interview|appointment|deadline|moment|minute|file|table|list|array|function|string"
    r"|script|query|code|column|row|image|picture|link|chance|look|choice|plan|date|trip|flight|ticket"
    r"|essay|presentation|draft|letter|job offer|offer|doubt|request|word|sentence|something|anything"
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


def _read_make(rest: str) -> str | None:
    phrase = phrases.read_phrase(_MAKE_STOP.split(rest)[0], 6)
    if phrase is None or _VAGUE.search(phrase) or phrases.is_word(phrase.split()[0]):
        return None
    return phrase if re.match(r"(?:\w+ ){0,2}(?:[A-ZÀ-Þ]|(?:19|20)\d\d)", phrase) else None


def _read_had(rest: str) -> str | None:
    found = _HAD.match(rest)
    return re.sub(r"^an? ", "", found["value"], flags=re.I) if found else None


def _read_sum(rest: str) -> str | None:
    found = re.match(r"(?P<value>(?:in )?(?:[£$€]\s?)?(?:\d[\d,.]*k?|euros|dollars|pounds|EUR|USD|GBP|CHF)(?: (?:euros?|pounds|dollars|EUR|USD|GBP|CHF|kr|francs))?(?: (?:a|an|per) (?:month|year|hour|week|day))?)(?=$|[\s,.;!])", rest)
    return found["value"] if found else None


# What somebody has several of: the value is a part of the key, so that one does not replace another.
_SEVERAL = frozenset(
    ("likes", "dislikes", "prefers", "avoids", "owns", "uses", "has", "plays", "wears", "carries", "allergy",
     "health", "member of", "does not eat", "does not drink", "supports", "takes", "learning", "teaches")
)  # fmt: skip
_ELIDABLE = frozenset(
    ("home", "employer", "job", "languages", "drives", "rents", "volunteers at", "prefers", "dislikes", "has",
     "plays", "health", "allergy", "does not {what}", "bank or provider", "joined", "learning", "from",
     "married", "switched to", "passed", "turns")
)  # fmt: skip
_WHOLE = frozenset(("home", "prefers", "likes", "dislikes", "from", "born", "chose", "employer"))


def read_doings(clause: Clause) -> Iterator[StatedFact]:
    """What a clause states by its verb."""
    rules = _REFUSALS if clause.is_negated else _MINE
    if clause.is_elided and clause.does[:1].isdigit() | (clause.does.split()[0].lower() in words.NUMBERS):
        if value := _read_had(clause.does):
            yield StatedFact("user", "has", value)
        return
    for rule in rules:
        found = rule.pattern.match(clause.does)
        if found is None or (clause.is_elided and not _is_elidable(rule)):
            continue
        if clause.who != clause.who.lower() and rule.key in ("uses", "bank or provider", "size", "we are"):
            continue
        value = rule.read(found["rest"])
        if value is None or _VAGUE.search(value) or len(value) < 2:
            continue
        verb = re.sub(rf"^{_ADVERB}", "", clause.does[: found.start("rest")].strip().lower())
        groups = {name: text or "" for name, text in found.groupdict().items()}
        key = rule.key.format_map({**groups, "verb": verb})
        value = value.strip()
        if key not in _WHOLE:
            value = re.split(rf" (?:at|in) (?=(?:the )?{phrases.PROPER}$)", value)[0]
        whole = f"{key} {value}" if key in _SEVERAL else key
        yield StatedFact(rule.category, f"{clause.who} {whole}".strip(), value)
        yield from _read_where(clause, key, found["rest"], value)
        return
    if not clause.is_negated and not clause.is_inherited and clause.who.islower() == bool(clause.who):
        yield from _read_open(clause)


def _is_elidable(rule: Doing) -> bool:
    """Whether a verb may stand without its subject and is not taken for a command."""
    return rule.is_elidable or rule.key in _ELIDABLE


def _read_open(clause: Clause) -> Iterator[StatedFact]:
    """Any other verb, where its object has a name or a number in it."""
    found = _OPEN.match(clause.does)
    if found is None or re.search(r"(?:ed|ing)$", found["verb"].split()[0]):
        return
    if re.match(r"(?:am|are|is|have|has) ", found["verb"]) and "ing" not in found["verb"]:
        return
    clause_text = re.split(r"[,;.]", clause.does)[0]
    value = phrases.read_phrase(found["rest"], 6) if _HABIT.search(clause_text) else _read_named(found["rest"])
    if value and not _VAGUE.search(value) and not re.search(r"\b(?:you|your|I|it|this|that)\b", value):
        yield StatedFact("user", f"{clause.who} {found['verb']}".strip(), value)


def _read_where(clause: Clause, key: str, rest: str, value: str) -> Iterator[StatedFact]:
    """The named place where it is done, and since when."""
    since = re.search(r"\b(?:since|back in|in) (?:\w+ )?(?P<year>(?:19|20)\d\d)\b", re.split(r"[.;]", rest)[0])
    if since and since["year"] not in value:
        yield StatedFact("user", f"{clause.who} {key} since".strip(), since["year"])
    machine = re.search(rf"\bon (?:an?|my) (?P<make>{phrases.PROPER})", rest) if key == "uses" else None
    if machine:
        yield StatedFact("user", "machine", machine["make"].rstrip("."))
    found = re.search(rf"\b(?:at|in) (?:the )?(?P<place>{phrases.PROPER})", rest)
    if found and found["place"] not in value and key not in _WHOLE:
        between = rest[: found.start()]
        if not re.search(r"[,.;:]|\b(?:but|so|because|which|who|if|when)\b", between):
            yield StatedFact("user", f"{clause.who} {key} where".strip(), found["place"].rstrip("."))
