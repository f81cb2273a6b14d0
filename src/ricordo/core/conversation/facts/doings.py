"""Doings: what a clause states by its verb of the speaker or somebody of theirs.

The verb gives the key, its object the value. A verb that is not listed counts where its object has
a name or a number in it, or where the clause is about a habit.
"""

import re
from collections.abc import Iterator

from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.facts import doing_rules, objects, phrases, verbs
from ricordo.core.conversation.facts.clauses import SpokenClause
from ricordo.core.conversation.facts.selves import is_job
from ricordo.core.conversation.stated_facts import StatedFact

# Verbs that say nothing lasting of whoever does them, whatever the object.
_IDLE = (
    "think|want|wants|need|needs|get|gets|got|feel|feels|know|knows"
    "|hope|mean|means|see|sees|try|trying"
    "|look|looks|looking|guess|wonder|say|says|said|tell|ask|asked"
    "|went|go|going|am|are|is|was|were|be"
    "|been|had|did|do|does|can|could|will|would|should|must|may|might"
    "|told|saw|came|left|made|took|gave"
    "|found|bought|sold|heard|read|met|lost|spent|sent|ran|ate|drank"
    "|woke|slept|wrote|let|put|hit|cut"
    "|just|really|never|once|usually|always|mostly|also|often|mainly|set|won|rang|paid|threw|caught|kept"
    "|held|brought|not|also|to|a|an|the|my|our|in|on|at|for|with"
    "|so|and|or|but|about|like|see"
    "|remember|forget|believe|suppose|understand|agree|appreciate|thank|call|promise|bet|swear|miss"
    "|seem|keep getting|became|become|began|broke|came|chose|felt|flew|fell|forgot|getting|thinking"
    "|wondering|trying|having|being|making|doing|coming|leaving|waiting|talking|watching|asking"
    "|stuck|sorry|glad|happy|sad|tired|sure|afraid|excited|new|late"
    "|done|back|here|there|very|too|off"
    "|up|out|down|all|both|one|two|three|no|more|less|quite|pretty"
    "|almost|working on|have|has|love|loves"
    "|hate|like|likes|prefer|found|who|that|which|what|how|when|where"
    "|why|because|than|from|of|by|as"
    "|live|lives|work|works|teach|teaches|come|comes|visiting|run"
    "|everything|everyone|this|it|they|he|she|we|you|i|me|him|her"
    "|them|us|please|only|still|even|now"
)

_OPEN = re.compile(
    rf"^{doing_rules.ADVERB}(?P<verb>(?:am |are |is |have been |has been )?(?!(?:{_IDLE})\b)["
    rf"a-z]+(?:(?<!ed)|(?<=need))"
    rf"(?: (?:at|in|on|with|for|to|from|by|out|up|off|via|under|through|as|of|around)){{0,2}}) "
    rf"(?P<rest>.+)$"
)

_HABIT = re.compile(
    r"\bevery (?:day|morning|evening|night|week|weekend|month|year"
    r"|summer|winter|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)"
    r"|\b(?:once|twice|\w+ times) a (?:day|week|month|year)\b|\bon \w+days\b"
    r"|^(?:always|usually|mostly|only) "
)


def read_doings(clause: SpokenClause) -> Iterator[StatedFact]:
    """What a clause states by its verb."""
    rules = verbs.REFUSED if clause.is_negated else verbs.STATED
    if clause.is_elided and clause.does[:1].isdigit() | (
        clause.does.split()[0].lower() in words.NUMBERS
    ):
        if value := objects.read_had(clause.does):
            yield StatedFact("user", "has", value)
        return
    for rule in rules:
        found = rule.pattern.match(clause.does)
        if found is None or (clause.is_elided and not doing_rules.is_elidable(rule)):
            continue
        if clause.who != clause.who.lower() and rule.key in (
            "uses",
            "bank or provider",
            "size",
            "we are",
        ):
            continue
        value = rule.read(found["rest"])
        if value is None or objects.VAGUE.search(value) or len(value) < 2:
            continue
        verb = re.sub(
            rf"^{doing_rules.ADVERB}", "", clause.does[: found.start("rest")].strip().lower()
        )
        groups = {name: text or "" for name, text in found.groupdict().items()}
        key = rule.key.format_map({**groups, "verb": verb})
        value = value.strip()
        if key not in doing_rules.WHOLE:
            value = re.split(rf" (?:at|in) (?=(?:the )?{phrases.PROPER}$)", value)[0]
        whole = f"{key} {value}" if key in doing_rules.SEVERAL else key
        yield StatedFact(rule.category, f"{clause.who} {whole}".strip(), value)
        yield from _read_where(clause, key, found["rest"], value)
        return
    if (
        not clause.is_negated
        and not clause.is_inherited
        and clause.who.islower() == bool(clause.who)
    ):
        yield from _read_open(clause)


def _read_open(clause: SpokenClause) -> Iterator[StatedFact]:
    """Any other verb, where its object has a name or a number in it."""
    found = _OPEN.match(clause.does)
    if found is None or re.search(r"(?:ed|ing)$", found["verb"].split()[0]):
        return
    if re.match(r"(?:am|are|is|have|has) ", found["verb"]) and "ing" not in found["verb"]:
        return
    clause_text = re.split(r"[,;.]", clause.does)[0]
    value = (
        phrases.read_phrase(found["rest"], 6)
        if _HABIT.search(clause_text)
        else objects.read_named(found["rest"])
    )
    if (
        value
        and not objects.VAGUE.search(value)
        and not re.search(r"\b(?:you|your|I|it|this|that)\b", value)
    ):
        yield StatedFact("user", f"{clause.who} {found['verb']}".strip(), value)


def _read_where(clause: SpokenClause, key: str, rest: str, value: str) -> Iterator[StatedFact]:
    """The named place where it is done, and since when."""
    since = re.search(
        r"\b(?:since|back in|in) (?:\w+ )?(?P<year>(?:19|20)\d\d)\b", re.split(r"[.;]", rest)[0]
    )
    if since and since["year"] not in value:
        told = "year of birth" if key == "born" else f"{key} since"
        yield StatedFact("user", f"{clause.who} {told}".strip(), since["year"])
    if key == "employer" and (role := re.search(r"\bas an? (?P<job>[^,;.]+)", rest)):
        job = re.split(r" (?:at|on|in|for|and|but|since) ", role["job"])[0].strip(" !")
        if is_job(job):
            yield StatedFact("user", f"{clause.who} job".strip(), job)
    machine = (
        re.search(rf"\bon (?:an?|my) (?P<make>{phrases.PROPER})", rest) if key == "uses" else None
    )
    if machine:
        yield StatedFact("user", "machine", machine["make"].rstrip("."))
    found = re.search(rf"\b(?:at|in) (?:the )?(?P<place>{phrases.PROPER})", rest)
    if found and found["place"] not in value and key not in doing_rules.WHOLE:
        between = rest[: found.start()]
        if not re.search(r"[,.;:]|\b(?:but|so|because|which|who|if|when)\b", between):
            yield StatedFact(
                "user", f"{clause.who} {key} where".strip(), found["place"].rstrip(".")
            )
