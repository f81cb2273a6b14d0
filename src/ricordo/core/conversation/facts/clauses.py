"""Clauses: who does what in a sentence, clause by clause.

A clause begins at the sentence or after a comma, a joint word or a dash. Its subject is the
speaker, somebody of theirs, or, where the clause begins with a verb, that of the clause before.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.facts import lexicon, phrases

_BOUNDARY = re.compile(
    r"(?:[,;:]\s+|\(|\s[–—-]+\s|\s(?=(?:and|but|so|because|plus|since|as)\s))"
    r"(?:(?:and|but|so|because|plus|since|also|yes|though|as|that|then|me|who)\b,?\s+)*",
    re.I,
)
_KIN = lexicon.join(words.PEOPLE | words.PETS | lexicon.BEARERS)
_SPEAKER = re.compile(r"^(?:i|we|me and \w+|my \w+ and i|my \w+ [A-Z]\w+ and i)\s+", re.I)
_KINSMAN = re.compile(
    rf"^(?:(?:my|our|the(?= (?:{lexicon.join(words.PETS)})\b))(?: (?!(?:ex"
    rf"|my|late|old|former|first|last|next)\b)[\w-]+){{0,2}}? (?P<who>{_KIN})"
    rf"(?:,? (?-i:{phrases.NAME}),?)?|(?P<title>{lexicon.join(lexicon.TITLES)}"
    rf"|Dad|Mum|Mom|Father|Mother|Brother|Sister|Husband|Wife) ?"
    rf"(?P<name>(?-i:[A-ZÀ-Þ])\w+)?)(?:\s+|(?P<is>'s )(?=(?:an?|the"
    rf"|called|allergic|from|in|into|\d|\w+ing|vegan|vegetarian|diabetic"
    rf"|coeliac|celiac|deaf|dyslexic|colour-?blind|retired|left-handed"
    rf"|not|a|lactose|autistic|muslim|jewish|catholic)\b))",
    re.I,
)
_BY_NAME = re.compile(rf"^(?P<who>{phrases.NAME}) (?=[a-z]+s\b|is\b)")
_PAST = re.compile(r"\b(?:was|were|had|lived|worked|loved|dreamt|spent|years? (?:of|in))\b", re.I)
_UNKNOWN = "?"  # he or she, and nobody was named before
_PRONOUN = re.compile(r"^(?:he|she|they)\s+", re.I)
_PASSING = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|right now|just now|for now|at the moment|at present"
    r"|currently|temporar(?:y|ily)|until|till|for the (?:time being|moment|day|week|weekend|month"
    r"|summer|winter|semester|term|season|night|conference|holidays?)"
    r"|this (?:morning|afternoon|evening|week|weekend|month|semester|summer|winter|spring|autumn"
    r"|fall|term|quarter|sprint|time|season)|soon|lately|any ?more|no longer|used to|formerly"
    r"|previously|back then|years ago|as a (?:kid|child|teenager|student)|at first|will|going to"
    r"|gonna|about to|planning|plan to|'ll|would|could|should|instead of|for (?:halloween|lent|fun)"
    r"|stuck|next (?:week|month|year|time)|last (?:night|week)|won't|wouldn't|shall|if|whether"
    r"|in (?:the|my) (?:past|game)|in (?:the )?(?:summer|winter|spring"
    r"|autumn|fall)|by training|on (?:tv|paper"
    r"|stage|weekends|the side)|for (?:january|february|march|april"
    r"|june|july|august|september|october"
    r"|november|december)|for a (?:day|night|week|month)|when i was"
    r"|too (?:much|many)|every ?time)\b|\w'(?:ll|d)\b",
    re.I,
)
_NEGATION = re.compile(
    r"\b(?:not|never|neither|nor|hardly|barely|nobody|no one|cannot|\w+n't|dont|cant|without)\b",
    re.I,
)


class SpokenClause(NamedTuple):
    """Who, what they do or are, with all that follows; whose it is, "" for the speaker."""

    who: str
    does: str
    is_negated: bool
    is_elided: bool = False  # no subject in the sentence so far
    is_inherited: bool = False  # the subject of a clause before


def list_clauses(said: str, person: str = "") -> Iterator[SpokenClause]:
    """The clauses of a sentence that hold for longer than a day; `person` is he or she."""
    starts = [0, *(found.end() for found in _BOUNDARY.finditer(said))]
    who: str | None = None
    for number, start in enumerate(starts):
        rest = said[start:]
        end = starts[number + 1] if number + 1 < len(starts) else len(said)
        own = said[start:end]
        subject = _find_subject(rest, person)
        if re.search(r"\bwho\s+$", said[:start], re.I) and subject is None:
            subject = (person or _UNKNOWN, rest)
        if subject is not None:
            who, does = subject
        elif who is None and number and not is_bare_list(said):
            continue
        else:
            does = rest
        if not _PASSING.search(own) and does and who != _UNKNOWN:
            yield SpokenClause(
                who or "",
                does,
                bool(_NEGATION.search(own)),
                subject is None and who is None,
                _is_inherited(subject, said[:start]),
            )


def _is_inherited(subject: tuple[str, str] | None, before: str) -> bool:
    """Whether a clause may be something else than another doing of the same subject."""
    return subject is None and not re.search(r"\band $", before)


def is_bare_list(said: str) -> bool:
    """Whether a sentence leaves its subject out: "divorced, two boys, moved to Trieste"."""
    return not re.match(
        r"(?:the|an?|this|that|it|there|here|you|your|what|in|on|at|for"
        r"|to)\b",
        said,
        re.I,
    )


def _find_subject(rest: str, person: str) -> tuple[str, str] | None:
    if found := _SPEAKER.match(rest):
        return "", rest[found.end() :]
    if found := _KINSMAN.match(rest):
        who = found["who"] or " ".join(filter(None, (found["title"], found["name"])))
        return who.lower(), ("is " if found["is"] else "") + rest[found.end() :]
    if (found := _BY_NAME.match(rest)) and not phrases.is_word(found["who"].split()[0]):
        return found["who"], rest[found.end() :]
    if found := _PRONOUN.match(rest):
        return person or _UNKNOWN, rest[found.end() :]
    return None


def is_lasting(said: str) -> bool:
    """Whether nothing in a sentence is negated, planned or over soon."""
    return not (_PASSING.search(said) or _NEGATION.search(said) or _PAST.search(said))


def split_parts(said: str) -> Iterator[str]:
    """The sentence from each of its clauses on, where the clause holds and is not negated."""
    starts = [0, *(found.end() for found in _BOUNDARY.finditer(said))]
    for start, end in zip(starts, [*starts[1:], len(said)], strict=True):
        own = said[start:end]
        is_dated = re.search(rf"\b(?:until|till|by) {phrases.DATE}", own)
        if (is_dated or not _PASSING.search(own)) and not _NEGATION.search(own):
            yield said[start:]
