"""Fact values: the part of a clause that is the value of a fact, cut where it ends.

Every reader takes the words after a pattern and gives the value, or None when they do not have the
shape that such a value has. A value that is followed by words nobody expects is not a value.
"""

import re
from collections.abc import Callable, Iterable

from ricordo.core.conversation import fact_words as words

Reader = Callable[[str], str | None]

_CUT = re.compile(
    r"\s*(?:[,;:!?()]|\.(?=\s|$)|\s[–—-]+\s|\b(?:and|but|so|because|since|which|who|whom|whose"
    r"|that|where"
    r"|although|though|though|after|as|than|like|with|without|if|when|even|especially|more"
    r"|please)\b)"
)
_ENDS = re.compile(r"^(?:$|[,;.!?():–—-]|(?:but|so|because|since|although|though)\b)", re.I)
_JOINED = re.compile(
    r"and (?!(?:go|do|have|am|want|need|try|make|find|get|can|will|hate|love|like|eat|drink|take"
    r"|use)\b)"
    r"[\w'-]+(?: [\w'-]+)?$",
    re.I,
)
_TAIL = re.compile(
    r"^(?:$|[,;.!?():–—-]|(?:in|on|at|with|and|but|so|for|since|near|from|because|which|who|where"
    r"|by|as"
    r"|originally|too|here|there|now|btw|also|running|about|not far|together|close|next)\b)",
    re.I,
)
_TITLES = frozenset(("Dr.", "Mr.", "Mrs.", "Ms.", "St.", "Prof."))
_MONTH = "|".join(sorted(words.MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?:on )?(?:the )?(?P<date>(?:{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b(?:,? \d{{4}})?"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?)(?=$|[\s,;.!])",
    re.I,
)
_EMAIL = re.compile(r"(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)")
_PHONE = re.compile(r"(?P<phone>\+?\d[\d ()/-]{5,20}\d)(?=$|[,;.!]|\s[a-z])")
_URL = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/[^\s,;]*)?")
_CLOCK = re.compile(
    r"(?P<time>\d{1,2}(?:[:.]\d{2})? ?(?:am|pm|o'clock)?(?: on (?:Mon|Tues|Wednes|Thurs|Fri|Satur"
    r"|Sun)days?"
    r"(?: and (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)?)?)(?:$|[,;.!]| (?:every|each|and)\b)"
)


def read_proper(rest: str) -> str | None:
    """A name: words with capitals, joined by small ones such as "of", perhaps after "the"."""
    tokens = rest.split()
    taken, place = [], 0
    if tokens and tokens[0].lower() == "the":
        taken, place = [tokens[0]], 1
    start = place
    while place < len(tokens):
        bare = tokens[place].rstrip(",;:.!?)")
        if _is_joint(tokens, place, start) or _is_name(bare):
            keeps = tokens[place] in _TITLES
            taken.append(tokens[place] if keeps else bare)
            place += 1
            if bare != tokens[place - 1] and not keeps:
                break
        else:
            break
    if place == start:
        return None
    value = " ".join(taken)
    tail = rest[_length(tokens[:place]) :].strip()
    ended = tokens[place - 1][-1] in ",;:.!?)" and tokens[place - 1] not in _TITLES
    return value if ended or _TAIL.match(tail) else None


def read_person(rest: str) -> str | None:
    """The name of somebody: one to three words, not a nationality, a day or a month."""
    found = read_proper(rest)
    if found is None or found.lower().startswith("the ") or len(found.split()) > 4:
        return None
    said = {word.lower() for word in found.split()}
    if said & words.NOT_PERSONS or found.lower() in words.DEMONYMS:
        return None
    is_name = not any(map(str.isdigit, found)) and not re.search(r"\b[A-Z]{2,}\b", found)
    return found if is_name else None


def read_people(rest: str) -> str | None:
    """Names of several, joined by commas and "and"."""
    found = re.match(r"[^\W\d_][\w'-]*(?:(?:, | and |, and )[A-ZÀ-Þ][\w'-]*)*", rest)
    if found is None or not all(map(_is_name, re.split(r", and |, | and ", found[0]))):
        return None
    return found[0] if _TAIL.match(rest[found.end() :].strip()) else None


def read_place(rest: str) -> str | None:
    """A place by its name; a region or country may follow after a comma."""
    found = read_proper(rest)
    if found is None or found.lower() in words.NOT_PLACES:
        return None
    wider = re.fullmatch(rf"{re.escape(found)}, ([^,]+?)(?: for .*| since .*)?", rest)
    if wider and (region := read_proper(wider[1])) == wider[1]:
        return f"{found}, {region}"
    return found


def read_phrase(most: int) -> Reader:
    """A noun phrase of so many words at most, up to the end of its clause.

    What goes on after it ("stories that end well", "coffee after noon") says something narrower,
    so there the phrase is not what was stated.
    """

    def read(rest: str) -> str | None:
        phrase = cut_phrase(rest)
        tail = rest[len(phrase) :].strip()
        if joined := _JOINED.match(tail):
            phrase, tail = f"{phrase} {joined[0]}", ""
        said = phrase.split()
        if not said or len(said) > most or not _ENDS.match(tail):
            return None
        return None if {word.lower() for word in said} & words.REFERRING else phrase

    return read


def cut_phrase(rest: str) -> str:
    """The words up to the end of the clause."""
    return _CUT.split(f"{rest} ", maxsplit=1)[0].strip(" .,!")


def drop_article(phrase: str) -> str:
    return re.sub(r"^(?:an?|the) ", "", phrase, flags=re.I)


def read_date(rest: str) -> str | None:
    found = _DATE.match(rest)
    return found["date"] if found else None


def read_email(rest: str) -> str | None:
    found = _EMAIL.match(rest)
    return found["email"] if found else None


def read_phone(rest: str) -> str | None:
    found = _PHONE.match(rest)
    return found["phone"].strip() if found else None


def read_clock(rest: str) -> str | None:
    found = _CLOCK.match(rest)
    return found["time"].strip() if found else None


def read_url(rest: str) -> str | None:
    found = _URL.match(rest)
    return found[0].rstrip(".") if found else None


def read_code(rest: str) -> str | None:
    """A token such as a handle, a number plate or a size: few words, one of them with a digit."""
    phrase = cut_phrase(rest)
    tokens = phrase.split()
    if not tokens or len(tokens) > 4:
        return None
    if len(tokens) == 1 and (phrase[0] == "@" or _is_odd(phrase)):
        return phrase
    has_digits = any(map(str.isdigit, tokens[0]))
    return phrase if has_digits and not phrase.endswith(" old") else None


def read_address(rest: str) -> str | None:
    """A postal address: a street with its number, and what follows it up to the end."""
    phrase = rest.strip(" .!")
    if any(map(str.isdigit, phrase)) and len(phrase.split()) <= 8 and _is_capital(phrase):
        return None if re.search(r"\b(?:and|but|so|because|is)\b", phrase) else phrase
    return None


def read_tool(rest: str) -> str | None:
    """Software by its name: with a capital, a digit, or a name that everybody knows."""
    phrase = drop_article(_cut_at_purpose(cut_phrase(rest)))
    said = phrase.split()
    if not said or len(said) > 3 or said[0].lower().rstrip("s") in words.DAYS | words.MONTHS:
        return None
    is_named = all(_is_name(word) or _is_odd(word) or word[0].isdigit() for word in said)
    return phrase if is_named or phrase.lower() in words.TOOLS else None


def read_listed(listed: Iterable[str]) -> Reader:
    """Words of a list, several of them perhaps, joined by commas, "and" or "or"."""
    known = frozenset(listed)

    def read(rest: str) -> str | None:
        found: list[str] = []
        place = 0
        for part in re.finditer(
            r"([^,;.!?()]+?)(?:$|(?=[,;.!?()])|(?= and | or ))(?:,? (?:and|or) |, )?", rest
        ):
            if part.start() != place or part[1].strip().lower() not in known:
                break
            found.append(part[1])
            place = part.end()
        if not found:
            return None
        value = re.sub(r",?\s*(?:and|or)$", "", rest[:place].rstrip(" ,"))
        return value if _ENDS.match(rest[len(value) :].strip()) else None

    return read


def _cut_at_purpose(phrase: str) -> str:
    return re.split(r" (?:for|on|in|at|to|everywhere|here|by|from)\b", phrase, maxsplit=1)[0]


def _is_joint(tokens: list[str], place: int, start: int) -> bool:
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    return tokens[place] in words.JOINTS and place > start and _is_name(following.rstrip(",;:.!?)"))


def _is_name(token: str) -> bool:
    if not token or token.endswith(("'s", "'")) or not token[0].isalpha():
        return False
    return token[0].isupper() and token not in ("I", "I'm", "I've")


def _is_capital(text: str) -> bool:
    return any(_is_name(word.strip(",.")) for word in text.split())


def _is_odd(token: str) -> bool:
    """Whether a token does not look like a word: digits, capitals inside, or a mark."""
    return bool(re.search(r"\d|[a-z][A-Z]|\w[._/+-]\w|^@\w", token))


def _length(tokens: list[str]) -> int:
    return sum(len(token) + 1 for token in tokens)
