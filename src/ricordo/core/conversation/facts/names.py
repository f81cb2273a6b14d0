"""Names: who and what bears a name, and how old somebody is.

"My sister Palesa" presupposes both the sister and her name, so a question or a request may hold
it. Only the bearer must be the speaker's own, or called by their kinship ("Uncle Morty").
"""

import re
from collections.abc import Iterator

from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.facts import lexicon, phrases, selves
from ricordo.core.conversation.stated_facts import StatedFact

_BEARER = lexicon.join(words.PEOPLE | words.PETS | lexicon.BEARERS)
_GRAND = lexicon.join(word for word in lexicon.TITLES if word[0] in "GgNn" or "unt" in word)
_AGE = r"(?:\d{1,2}(?:[- ]?(?:years?[- ]old|y/?o|months?(?:[- ]old)?))?)"
_ADJECTIVES = r"(?:(?!(?:and|or|is|are|was|has|to|for|of|in|on|at|with|who|that)\b)[\w'#-]+ ){0,3}?"
_OWN = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur|[Tt]heir|[Hh]is|[Hh]er)(?P<pre> {_ADJECTIVES}|\s)(?P<who>(?i:{_BEARER}))"
    rf"(?P<sep>,? | \(|,? called |,? named |: )(?P<name>{phrases.NAME})"
    rf"(?P<tail>(?:,| \(| is)? ?(?P<age>{_AGE})(?=[,).;!]|$| and\b| years))?"
    rf"(?:, (?:an?|the|our) (?P<job>[\w -]{{3,40}}?)(?=[,.;!?)]|$| (?:in|at|from|who)\b))?"
)
_CALLED = re.compile(
    rf"(?:^|[\s(])(?P<who>{_GRAND}) (?P<name>(?!(?:The|My|I)\b)[A-ZÀ-Þ][\w-]+)(?='s\b|[\s,.;!?)]|$)"
    rf"(?:(?:,? \(?(?:who is |is )?)(?P<age>\d{{1,2}})(?=[,).;!]|$| and\b))?"
)
_BARE = re.compile(
    rf"\b(?P<who>(?:[Kk]id|[Cc]hild|[Ss]on|[Dd]aughter|[Dd]og|[Cc]at"
    rf"|[Ww]ife|[Hh]usband)(?: #\d)?) ?"
    rf"\((?P<name>{phrases.NAME})(?:, (?P<age>{_AGE}))?\)"
)
_THE_PET = re.compile(
    rf"\b[Tt]he (?P<who>{lexicon.join(words.PETS | lexicon.HOME_BEARERS)}), (?P<name>"
    rf"{phrases.NAME}),"
)
_YEAR_OLD = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) (?P<age>\w+(?:-\w+)?[- ](?:year|month|week)[- ]old)(?P<who> [a-z-]+)??"
    rf"(?P<sep>,? |,? named |,? called | \()(?P<name>{phrases.NAME})"
)
_AGED = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) (?P<age>[\w-]+[- ](?:year|month)s?[- ]old)(?: (?P<who>{_BEARER})\b)?"
)
_LIST = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur|I have|[Ww]e have|[Ww]ith) (?:(?P<count>\w+) )?(?P<who>{_BEARER}s?)"
    rf"(?: under \w+)?(?:,| are| \(| are called| are named| called| named|:) "
    rf"?(?P<name>{phrases.NAME}(?:(?:, | and |, and | & )(?:baby |little )?{phrases.NAME})+)"
)
_IS_MY = re.compile(
    rf"(?:^|[,;(] ?| and )(?P<name>{phrases.NAME})(?:'s| is| and \w+ are) (?:my|our) "
    rf"(?P<who>(?:[a-z-]+ ){{0,2}}?(?:{_BEARER}))(?=[,.;!)]|$| and| from| at| in| but| who)"
)
_THEIR_NAME = re.compile(
    rf"\b(?:[Hh]is|[Hh]er|[Tt]heir|[Ii]ts) names?(?:'s| is| are) (?P<name>{phrases.NAME}"
    rf"(?: and {phrases.NAME})?)"
)
_NAMED_THING = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur|(?:I|i|[Ww]e|[Mm]e) (?:also |now |just )?(?:{lexicon.HOLDING})"
    rf"(?: (?:a|an|the|one|two|\d))?"
    rf"|(?:^|, )(?:opened|run|own|started|founded|have|got|adopted) an?) "
    rf"(?P<who>[\w' -]{{2,40}}?)(?:,? (?:is )?(?:called|named)|'s (?:called|named)) "
    rf"(?P<name>{phrases.PROPER}(?: and {phrases.NAME})?|[a-z][\w-]+(?=[,.;!]|$| and| but))"
)
_SPELT = re.compile(
    rf"\b(?:[Ii]t|[Tt]hat|(?:my|her|his|the) (?P<who>[\w ]*?)name) (?:is"
    rf"|'s)(?: actually)? (?:spelled|spelt"
    rf"|pronounced|written) (?P<name>{phrases.NAME})"
)
_WE_NAMED = re.compile(
    rf"\b(?:[Ww]e|I) (?:have )?(?:named|called) (?:the|our|my|her|him) ?(?P<who>baby"
    rf"|son|daughter|boy|girl|dog|cat|puppy|kitten|boat|company|band"
    rf"|shop|team|project|app|service|bot|car|van|robot|house)?"
    rf"(?: after [\w ]+)? (?P<name>{phrases.NAME})"
)
_IT_IS_CALLED = re.compile(
    rf"\b(?P<who>podcast|blog|band|shop|company|startup|app|boat|novel|channel|choir|newsletter"
    rf"|business|club|team|cafe|café|bakery|studio|farm|project|tool|library|zine|magazine|store)\b"
    rf"[^.?!]*?, (?:it is|we are|it's) called (?P<name>{phrases.PROPER})"
)
_OWN_IS = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur)(?P<pre> (?:[a-z-]+ ){{0,2}}?)(?P<who>(?i:{_BEARER}))(?:'s"
    rf"| is) (?:called |named )"
    rf"(?P<name>{phrases.NAME})"
)
_REVERSED = re.compile(
    rf"\b(?P<name>{phrases.NAME}), (?:my|our) (?P<pre>(?:[a-z-]+ ){{0,2}}?)(?P<who>(?i:"
    rf"{_BEARER}))(?=[,.;)]|$)"
)
_INTRODUCED = re.compile(
    rf"^(?:(?:the |my )?name'?s |this is (?=\w+ (?:here|from|again))"
    rf"|I am (?=[A-Z]\w+(?: [A-Z]\w+)?(?:,| and i| and I| from)\b))?"
    rf"(?P<name>{phrases.NAME})(?P<tail> here(?=, (?:i|my|the|we|from"
    rf"|your)\b|[.,] [A-Z]| from| again)|,| and| from|$)"
)
_HOW_MANY = re.compile(
    r"\b(?:[Mm]y|[Oo]ur|(?:I|[Ww]e) have|of) (?P<count>two|three|four"
    r"|five|six|seven|\d) (?:[a-z-]+ )?"
    r"(?P<who>kids|children|sons|daughters|boys|girls|cats|dogs|sisters"
    r"|brothers|siblings|grandchildren"
    r"|grandkids|hens|chickens|rabbits|horses|nieces|nephews)\b"
)
_PRESUPPOSED = (_LIST, _YEAR_OLD, _OWN, _BARE, _THE_PET, _CALLED, _REVERSED)
_ASSERTED = (_OWN_IS, _IS_MY, _NAMED_THING, _WE_NAMED, _IT_IS_CALLED, _SPELT)
_GIVING = re.compile(r"\b(?:call|calls|calling|name|naming|rename|renaming|christen) $", re.I)
_NAMEABLE = lexicon.join(words.NAMED | lexicon.BEARERS | lexicon.NAMEABLE)
_NOT_BEARERS = words.UNREAL | words.split_words(
    """character, hero, wants, want, wanted, song, may, might, was, were, will, would, could,
    should, not, never, is, are"""
)
_WRONG_NAMES = re.compile(r"^(?:I|I'm|Mr|Mrs|Ms|Dr|The|My|Our|We|He|She|It|They|You|And|But|So)$")


_BROUGHT_UP = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) {_ADJECTIVES}(?P<who>{_BEARER})\b|^(?:the )?(?P<kid>kid(?: "
    rf"#\d)?|cat|dog|son|daughter)\b"
)


def read_names(said: str, *, is_stated: bool) -> Iterator[StatedFact]:
    """Names and ages of people, pets and things that are the speaker's own."""
    taken: set[str] = set()
    for pattern in (*_PRESUPPOSED, *(_ASSERTED if is_stated else ())):
        for found in pattern.finditer(said):
            name = _clean_name(found["name"], pattern)
            if name is None or name in taken or _GIVING.search(said[: found.start()]):
                continue
            taken.add(name)
            yield from _tell(found.groupdict(), name, pattern)
    for found in _HOW_MANY.finditer(said):
        yield StatedFact("user", f"number of {found['who']}", found["count"])
    for found in _AGED.finditer(said):
        yield StatedFact("user", f"{found['who'] or 'child'} age", found["age"])


def read_introduction(said: str) -> Iterator[StatedFact]:
    """The speaker's own name: "name's Bob", "Bob here", "I am Bob, and"."""
    found = _INTRODUCED.match(said)
    is_bare = found is not None and found.start("name") == 0
    if found is None or (is_bare and found["tail"] != " here") or len(found["name"].split()) > 3:
        return
    if not phrases.is_word(found["name"].split()[0]):
        yield StatedFact("user", "name", found["name"])


def read_their_name(said: str, who: str) -> Iterator[StatedFact]:
    """The name of somebody whom the sentences before brought up."""
    if who and (found := _THEIR_NAME.search(said)):
        yield StatedFact("user", f"{who} name", found["name"])


def find_bearer(said: str) -> str:
    """The last person or pet of the speaker that a sentence brings up, or nothing."""
    found = list(_BROUGHT_UP.finditer(said))
    return found[-1]["who"] or found[-1]["kid"] if found else ""


def _tell(
    groups: dict[str, str | None], name: str, pattern: re.Pattern[str]
) -> Iterator[StatedFact]:
    who = (groups.get("who") or "child").strip()
    if set(who.lower().split()) & _NOT_BEARERS:
        return
    if pattern is _NAMED_THING and not re.search(rf"\b(?:{_NAMEABLE})s?$", who, re.I):
        return
    if pattern is _SPELT:
        yield StatedFact("user", "name spelling", name)
        return
    if pattern is _IS_MY:
        yield StatedFact("people", f"{name} relation", who)
        return
    if set((groups.get("pre") or "").lower().split()) & (_NOT_BEARERS | {"a", "an"}):
        return
    yield StatedFact("user", f"{who} name".lower(), name)
    if groups.get("job") and selves.is_job(str(groups["job"])):
        yield StatedFact("user", f"{who} job".lower(), str(groups["job"]))
    if groups.get("age"):
        yield StatedFact("user", f"{who} age".lower(), str(groups["age"]))
    if groups.get("count") and groups["count"] in words.NUMBERS:
        yield StatedFact("user", f"number of {who}", str(groups["count"]))


def _clean_name(name: str, pattern: re.Pattern[str]) -> str | None:
    name = re.sub(r"'s$", "", name.strip(" .,"))
    first = name.split()[0]
    if _WRONG_NAMES.match(first) or (phrases.is_word(first) and pattern is not _NAMED_THING):
        return None
    is_shout = name.isupper() and len(name) < 4
    return None if is_shout or len(name) < 2 else name
