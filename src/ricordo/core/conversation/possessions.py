"""Possessions: "my X is Y", where the noun X says which Y is a value.

A dog has a name, a birthday is a date, a car has a make. Where the noun is not known to have such
a value, nothing is stated: "my head is killing me".
"""

import re
from collections.abc import Iterator

from ricordo.core.conversation import fact_shapes as shapes
from ricordo.core.conversation import fact_values as values
from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.fact_values import Reader
from ricordo.core.conversation.stated_facts import StatedFact

_POSSESSED = re.compile(
    r"^(?P<whose>my|our) (?P<thing>[\w'. -]{2,50}?)(?: (?:is|are)|'s(?= (?:called|named|an? "
    r"|(?-i:[A-ZÀ-Þ]))))(?P<called> called| named)? (?P<rest>.+)$",
    re.I,
)


def read_possession(clause: str) -> Iterator[StatedFact]:
    """My X is Y: the noun says which Y is one."""
    match = _POSSESSED.match(clause)
    if match is None:
        return
    thing = re.sub(r"^(?:new|current|own|very own) ", "", match["thing"], flags=re.I)
    is_own = match["whose"].lower() == "my" or _heads(thing.lower().split(), words.HOUSEHOLD)
    category = "user" if is_own else "project"
    named = re.fullmatch(r"(?P<owner>[\w -]+?)(?:'s|s') (?P<what>[\w ]+)", thing)
    if named:
        thing = f"{named['owner']} {named['what']}"
    found = _read_thing(thing, match["rest"], bool(match["called"]))
    if found is not None:
        yield StatedFact(category, *found)


def is_unreal(thing: str) -> bool:
    return bool(set(thing.lower().split()) & words.UNREAL)


_NAMES_OF = ("name", "language", "tongue")


def _read_thing(thing: str, rest: str, is_called: bool) -> tuple[str, str] | None:
    said = thing.lower().split()
    if not 1 <= len(said) <= 5 or set(said) & words.PRIVATE:
        return None
    if said[0] in ("favourite", "favorite", "fav") and len(said) > 1:
        value = _read_favourite(said[1:], rest)
        return None if value is None or set(said[1:]) & words.REFERRING else (thing, value)
    if is_unreal(thing) and said[-1] not in _NAMES_OF:
        return None
    if is_called:
        value = shapes.read_called_all(rest) if _heads(said, words.NAMED) else None
        return None if value is None else (f"{thing} name", value)
    for listed, read in _SHAPES:
        if _heads(said, listed):
            value = read(rest)
            return None if value is None else (thing, value)
    return _read_person_or_pet(thing, said, rest)


def _read_person_or_pet(thing: str, said: list[str], rest: str) -> tuple[str, str] | None:
    article = re.match(r"an? (?P<rest>.+)", rest, re.I)
    if article is None and _heads(said, words.PETS):
        value = values.read_person(rest)
        return None if value is None else (f"{thing} name", value)
    if article is None and _heads(said, words.PEOPLE):
        value = values.read_person(rest) or (" and " in rest and values.read_people(rest)) or None
        return None if value is None else (thing, value)
    if article and (set(said) & (words.PETS)):
        phrase = values.cut_phrase(article["rest"])
        is_breed = phrase.lower().split()[-1:] and phrase.lower().split()[-1] in words.BREEDS
        pet = next(word for word in said if word in words.PETS)
        return (f"{pet} breed", phrase) if is_breed else None
    return None


def _read_favourite(kind: list[str], rest: str) -> str | None:
    """A favourite by its name; of a mere kind of things any short phrase."""
    found = values.read_proper(rest)
    if found is None and _heads(kind, words.KINDS):
        found = values.read_phrase(3)(rest)
        if found and re.search(r"^(?:an?|the|to|on|in|at|still|back|over|out)\b|(?:ed|ly)$", found):
            return None
    return found if found and found.lower() not in words.NOT_FAVOURITES else None


def _heads(said: list[str], listed: frozenset[str]) -> bool:
    """Whether the noun at the end of a phrase is on the list, by one to three of its words."""
    return any(" ".join(said[-count:]) in listed for count in (1, 2, 3) if count <= len(said))


_SHAPES: tuple[tuple[frozenset[str], Reader], ...] = (
    (
        frozenset(("birthday", "date of birth", "anniversary", "wedding anniversary", "name day")),
        values.read_date,
    ),
    (
        frozenset(("email", "e-mail", "email address", "e-mail address", "mail address")),
        values.read_email,
    ),
    (
        frozenset(("phone number", "mobile number", "cell number", "telephone number")),
        values.read_phone,
    ),
    (
        frozenset(("address", "home address", "postal address", "shipping address")),
        values.read_address,
    ),
    (frozenset(("pronouns",)), shapes.read_pronouns),
    (frozenset(("blood type", "blood group")), shapes.read_blood),
    (frozenset(("name", "first name", "last name", "surname", "nickname")), values.read_person),
    (words.CODES, values.read_code),
    (
        frozenset(("native language", "mother tongue", "first language", "native tongue")),
        shapes.read_language,
    ),
    (frozenset(("nationality", "citizenship", "religion")), shapes.read_language),
    (words.NAMED_VALUES, shapes.read_named_value),
    (words.TOOL_HEADS, values.read_tool),
    (words.JOB_HEADS, lambda rest: shapes.read_work(values.drop_article(rest))),
    (words.HOBBY_HEADS, shapes.read_pastime),
    (words.STUDY_HEADS, shapes.read_subject),
    (words.COLOUR_HEADS, values.read_listed(words.COLOURS)),
    (frozenset(("diet",)), values.read_listed(words.CONDITIONS["diet"])),
    (words.THINGS, shapes.read_model),
)
