"""Fact shapes: readers for the values of particular facts: a job, a home, a taste, a make.

Each gives the value, or None where the words do not have the shape that such a value has.
"""

import re

from ricordo.core.conversation import fact_values as values
from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.fact_values import Reader

_WORKPLACE_ENDS = r"[,;!?()]|\.(?:\s|$)| (?:and|but|so|because|as|in|on|with|near) "
_WORKPLACE = (
    r"(?:an? [\w' -]*\b(?:bank|hospital|school|university|company|startup|start-up|bakery|law firm"
    r"|firm|agency|museum|library|restaurant|hotel|clinic|charity|ngo|brewery|bookshop|shop|factory"
    r"|studio|newspaper|publisher|lab|laboratory|nursery|kindergarten|pharmacy|garage|farm|café)"
    r"|the (?:[\w' -]*\b)?(?:council|government|university|hospital|police|ministry|city|army|navy"
    r"|church|museum|railway|post office|library|fire department|municipality)(?: of [\w' ]+)?)"
)
_SETTLED = re.compile(r" (?:for|since) ", re.I)


def read_settled(read: Reader) -> Reader:
    """Of something that has gone on for so long, or since then."""
    return lambda rest: read(rest) if _SETTLED.search(rest) else None


def read_year(rest: str) -> str | None:
    return rest if re.fullmatch(r"(?:19|20)\d\d", rest) else None


def read_new_home(rest: str) -> str | None:
    """Where somebody moved to, if nothing follows but when or where from."""
    when = (
        r" (?:in (?:\w+ )?\d{4}|last \w+|(?:a|an|\w+) (?:years?|months?|weeks?) ago|recently"
        r"|from [A-ZÀ-Þ]\w+)$"
    )
    place = re.sub(when, "", rest)
    found = values.read_place(place)
    return found if found == place else None


def read_taste(rest: str) -> str | None:
    """What somebody likes or not: a short phrase that refers to nothing that was said."""
    phrase = values.read_phrase(5)(re.sub(r" (?:a lot|very much|so much|the most)$", "", rest))
    if phrase is None or re.match(r"(?:a|an|my|to|up|on|about|our|no|any|some)\b", phrase, re.I):
        return None
    if re.match(r"the ", phrase, re.I) and values.read_proper(phrase) is None:
        return None
    return None if phrase.lower() in words.DAYS or len(phrase) < 3 else phrase


def read_preference(rest: str) -> str | None:
    """What somebody prefers, with what it is preferred to."""
    rated = re.match(
        r"(?P<first>[\w' -]+?) (?P<than>over|to|rather than|instead of) (?P<rest>.+)", rest
    )
    if rated is None:
        found = read_taste(rest)
        is_passing = re.search(r" for (?:the|this|that|my|our)\b", rest)
        return None if is_passing or (found and found.split()[0].lower() in words.DAYS) else found
    first, second = read_taste(rated["first"]), read_taste(rated["rest"])
    return f"{first} {rated['than']} {second}" if first and second else None


def read_eaten(rest: str) -> str | None:
    phrase = values.read_phrase(3)(rest)
    wrong = r"(?:a|an|the|my|much|often|enough|well|any|out|at|in|before|after|alone|right|with)\b"
    return None if phrase is None or re.match(wrong, phrase, re.I) else phrase


def read_employer(rest: str) -> str | None:
    found = values.read_proper(rest)
    if found is not None:
        return None if found.lower() in words.NOT_PLACES - words.TOOLS else found
    phrase = re.split(_WORKPLACE_ENDS, rest)[0].strip(" .")
    return phrase if re.fullmatch(_WORKPLACE, phrase, re.I) else None


def read_job(rest: str) -> str | None:
    """A profession, perhaps with what it is specialised in."""
    phrase = re.split(r" (?:at|from|in|for) (?=[A-ZÀ-Þ]|an? |the )", values.cut_phrase(rest))[0]
    tail = rest[len(phrase) :].strip()
    said = phrase.split()
    if not re.match(r"$|[,;.!]|(?:at|from|in|for|and|with)\b", tail) or re.search(r"\bmy\b", tail):
        return None
    if not 1 <= len(said) <= 5 or {word.lower() for word in said} & words.NOT_WORK:
        return None
    head = said[-1].lower()
    return phrase if head in words.PROFESSIONS or phrase.lower() in words.PROFESSIONS else None


def read_work(rest: str) -> str | None:
    """What somebody works as: a profession, or a word that is built like one."""
    phrase = re.split(r" (?:at|for|from|in|by|on) ", values.cut_phrase(rest))[0]
    said = phrase.lower().split()
    if not 1 <= len(said) <= 5 or set(said) & (words.REFERRING | words.NOT_WORK):
        return None
    is_built_so = re.search(r"[a-z]{3}(?:er|or|ist|ian|man|woman|eer|ant)$", said[-1])
    is_job = said[-1] in words.PROFESSIONS or (is_built_so and said[-1] not in words.NOT_JOBS)
    return phrase if is_job else None


_read_subjects = values.read_listed(words.SUBJECTS)


def read_subject(rest: str) -> str | None:
    return _read_subjects(re.split(r" (?:at|in|to|with|full-time|part-time)\b", rest)[0])


_read_games = values.read_listed(words.SPORTS | words.INSTRUMENTS)


def read_played(rest: str) -> str | None:
    return _read_games(re.split(r" (?:in|with|at|on|for|since|every)\b", rest)[0])


def read_vehicle(rest: str) -> str | None:
    phrase = values.cut_phrase(rest)
    return None if phrase.lower() in ("uber", "lyft", "bolt") else read_model(phrase)


def read_called(rest: str) -> str | None:
    """A name after "called" or "named": with a capital, or one single word to the end."""
    found = values.read_proper(rest)
    if found is not None:
        return found
    word = re.fullmatch(r"([\w.-]{3,30})", values.cut_phrase(rest))
    return word[1] if word and word[1].lower() not in words.NOT_NAMES else None


def read_called_all(rest: str) -> str | None:
    return (values.read_people(rest) if " and " in rest else None) or read_called(rest)


def read_size(rest: str) -> str | None:
    found = re.match(r"(\d{1,3})(?: years old)(?=$|[,;. ])", rest)
    return found[1] if found else None


def read_timezone(rest: str) -> str | None:
    found = re.match(
        r"(?:the )?((?:UTC|GMT)[+-]?\d{0,2}(?::\d\d)?|[A-Z]{2,4}T|[A-Z]\w+/[A-Z]\w+|CET|BST)\b",
        rest,
    )
    return found[1] if found else None


def read_pronouns(rest: str) -> str | None:
    found = re.match(r"(?:he|she|they|it|xe|ze|any)(?:/\w+){1,2}", rest, re.I)
    return found[0] if found else None


def read_model(rest: str) -> str | None:
    """A thing by its make: an article, a year or a colour perhaps, then a name."""
    phrase = re.split(
        r" (?:running|from|on|at|in|for|of|i) ",
        values.cut_phrase(values.drop_article(rest)),
        flags=re.I,
    )[0]
    said = phrase.split()
    while said and (said[0].isdigit() or said[0].lower() in words.COLOURS | {"old", "used"}):
        said = said[1:]
    return phrase if 1 <= len(said) <= 5 and re.search(r"[A-Z]", said[0]) else None


def read_named_value(rest: str) -> str | None:
    return read_timezone(rest) or values.read_place(rest)


def read_language(rest: str) -> str | None:
    found = values.read_proper(rest)
    return found if found and found.lower() in words.LANGUAGES else None


def read_blood(rest: str) -> str | None:
    found = re.match(r"(?:A|B|AB|O)(?:[+-]| ?(?:positive|negative|pos|neg))", rest)
    return found[0] if found else None


def read_pastime(rest: str) -> str | None:
    found = values.read_phrase(3)(rest)
    known = words.SPORTS | words.INSTRUMENTS | words.SUBJECTS
    is_one = found and (found.lower() in known or re.match(r"[a-z]{2,}ing\b", found.lower()))
    return found if is_one else None
