"""Tastes: what somebody likes or not where the thing comes first, and standing instructions."""

import re
from collections.abc import Iterator

from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.stated_facts import StatedFact

_THING = r"(?P<value>[\w'-]+(?: [\w'&-]+){0,4}?)"
_DISLIKED = re.compile(
    rf"^{_THING} (?:(?:is|are)(?: just| always)? (?:a hard no|a no"
    rf"|a no-go|off the (?:table|menu)|not my"
    rf" (?:thing|cup of tea)|out)(?: for (?:me|us))?|(?:makes?|gives?) me (?:sick"
    rf"|hives|a rash|migraines"
    rf"|ill|a headache|anxious)|brings? me out in \w+|sends? me to (?:the )?hospital"
    rf"|disagrees? with me|and i don't get along"
    rf"|don't agree with me|doesn't agree with me|sets? off my \w+|triggers? my \w+)\b",
    re.I,
)
_LIKED = re.compile(
    rf"^{_THING} (?:(?:is|are) (?:my (?:thing|jam|favou?rite(?: [\w ]+?)?"
    rf"|go-to(?: [\w ]+?)?|comfort"
    rf" food|happy place|usual|team|religion|poison))|over (?P<other>[\w' -]+?)(?=,? (?:any day"
    rf"|every time|always|all day))|all the way|any day|every time|for the win|ftw)(?=$|[,.;!\s])",
    re.I,
)
_FIRST = re.compile(
    r"^(?P<value>[A-Z][\w'-]*(?: [\w'&-]+){0,3}?),? (?:always|please, always"
    r"|obviously|all day every day"
    r"|or nothing|is a must|are a must|is sacred|are sacred|tastes? like soap(?: "
    r"to me)?|is non-negotiable"
    r"|are non-negotiable|is life|calms me down|keeps me sane)[.!]?$"
)
_NO_FOR_ME = re.compile(r"^no (?P<value>[\w' -]{3,30}?) (?:for me|for us|in my house|ever)\b", re.I)
_MY_DAYS = re.compile(
    r"^(?P<value>(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?(?:(?:, "
    r"| and |, and ))?)+) (?:is|are) "
    r"(?P<how>my|our|for) ?(?P<what>[\w -]{3,30}?)(?=$|[,.;!]| and\b)"
)
_STANDING = re.compile(
    r"^(?:please )?(?P<value>(?:always|never) (?:use|answer|write"
    r"|reply|call|address|include|add|put|give|send|book|schedule"
    r"|format|quote|cite|spell|convert|show|keep|round|sign|suggest"
    r"|recommend|assume|start|end|ask|respond|speak|explain|list|provide"
    r"|leave|offer|propose) [\w' /%-]{3,60}?)(?=$|[,.;!]| because"
    r"| so\b)",
    re.I,
)
_FROM_NOW = re.compile(
    r"^(?:from now on,? (?:please )?(?P<value>[\w' -]{5,60}?)|(?:please )?(?P<early>["
    r"\w' -]{5,60}?),? from"
    r" now on)(?=$|[,.;!])",
    re.I,
)
_HABIT = re.compile(
    r"^(?P<day>(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?(?: and "
    r"|, )?)+),? (?P<value>i (?:\w+ ?){1,4})",
    re.I,
)


def read_tastes(said: str) -> Iterator[StatedFact]:
    """Likes, dislikes and standing instructions of one sentence."""
    if (found := _DISLIKED.match(said)) or (found := _NO_FOR_ME.match(said)):
        yield from _tell("dislikes", found["value"])
    elif found := _FIRST.match(said):
        yield from _tell("likes", found["value"])
    elif found := _LIKED.match(said):
        rated = f"{found['value']} over {found['other']}" if found["other"] else found["value"]
        yield from _tell("prefers" if found["other"] else "likes", rated)
    elif found := _MY_DAYS.match(said):
        day, what = found["value"].strip(), found["what"].strip()
        is_use = found["how"].lower() == "for"
        yield StatedFact("behavior", *((day.lower(), what) if is_use else (what.lower(), day)))
    elif found := _STANDING.match(said) or _FROM_NOW.match(said):
        value = found.groupdict().get("early") or found["value"]
        if value:
            yield StatedFact(
                "preference", f"instruction {' '.join(value.lower().split()[:3])}", value
            )
    elif found := _HABIT.match(said):
        yield StatedFact("behavior", found["day"].strip().lower(), found["value"].strip())


def _tell(key: str, value: str) -> Iterator[StatedFact]:
    if not {word.lower() for word in value.split()} & words.REFERRING:
        yield StatedFact("preference", f"{key} {value}", value)
