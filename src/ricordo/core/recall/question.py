"""Questions: what a query text asks of a space. Pure; embedding the text is the caller's part.

Read the question, embed `question.bare` (the text without the names of known authors), rank.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise

from ricordo.core.recall.asks_assistant import asks_assistant
from ricordo.core.recall.space_index import View
from ricordo.core.text import speaker_names
from ricordo.core.text.dates import DateHint, asks_when, find_date
from ricordo.core.text.language import is_clearly_english
from ricordo.core.text.named_numbers import find_named_numbers
from ricordo.core.text.stopwords import ENGLISH, find_stopwords, stopwords
from ricordo.core.text.tokens import number, stem, stem_each, stems, words
from ricordo.core.text.word_forms import list_asked_pieces

_DATE_WORDS = """
january february march april june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec date day month year
"""
_DATE_STEMS = frozenset(stems(_DATE_WORDS))
_ASSISTANT = "assistant"  # the author of messages that an assistant wrote without a name


@dataclass(frozen=True, slots=True)
class Question:
    """A query as the ranker reads it."""

    text: str
    bare: str  # without the names of known authors: the text to embed
    subject: tuple[int, ...]  # content: no stop words, no names, each once
    stems: tuple[int, ...]  # the same with the names it gives, which are words as well
    forms: Mapping[int, tuple[int, ...]]  # by stem: pieces of its word, unless it is English
    pairs: tuple[tuple[int, int], ...]  # neighbours among the stems, names included
    named: tuple[tuple[int, ...], ...]  # stems in a row that name a thing by its number
    people: tuple[str, ...]  # authors it names
    mentions: tuple[int, ...]  # stems of all names of these authors
    date: DateHint | None
    asks_when: bool
    is_about_subject: bool  # holds more than names and dates
    is_english: bool  # as far as its words tell
    is_latin: bool  # written in plain letters, for the most part

    @property
    def words(self) -> Iterable[int]:
        """The number of everything that is looked up for it in a space."""
        more = chain(self.pairs, self.named, self.forms.values())
        said = chain(self.stems, self.mentions, self.subject, chain.from_iterable(more))
        return dict.fromkeys(said)


def read(text: str, view: View) -> Question:
    """Read a question with the names known in the space."""
    names = view.people.names()
    found = speaker_names.find(text, names)
    people = tuple(dict.fromkeys(name.author for name in found))
    if not people and view.people.find(_ASSISTANT) >= 0 and asks_assistant(text):
        people = (_ASSISTANT,)  # "what did you suggest": the assistant is who is named
    called = dict.fromkeys(part for name in found for part in stems(name.form))
    said = words(text)
    # By word, not by stem: "use" stems to "us" and "one" to "on", yet they say something.
    content = [stem(word) for word in said if word not in ENGLISH]  # as texts are kept for pairs
    bare = speaker_names.without(text, found)
    rest = words(bare)
    little = find_stopwords(rest)
    telling = [stem(word) for word in rest if word not in little]
    if not telling:  # it only names somebody
        telling = [stem(word) for word in said if word not in little]
    subject = list(dict.fromkeys(part for part in telling if part not in called))
    date = _drop_empty_hint(find_date(text))
    forms = (form for form, author in names.authors.items() if author in people)
    asked = subject or list(dict.fromkeys(telling or content or stem_each(said)))
    return Question(
        text=text,
        bare=bare,
        subject=_numbers(asked),
        stems=_numbers(dict.fromkeys([*asked, *called])),
        forms={} if is_clearly_english(said) else _forms(rest, little),
        pairs=_pairs(content),
        named=tuple(_numbers(stem_each(each)) for each in find_named_numbers(text)),
        people=people,
        mentions=_numbers(dict.fromkeys(stems(form)[0] for form in forms if stems(form))),
        date=date,
        asks_when=asks_when(text),
        is_about_subject=any(not (date and _is_date(part)) for part in subject)
        or not (people or date),
        is_english=stopwords(rest) is ENGLISH and _is_latin(said),
        is_latin=_is_latin(said),
    )


def is_english(text: str) -> bool:
    """Whether a text is English as far as its words tell; one that tells nothing is."""
    said = words(text)
    return stopwords(said) is ENGLISH and _is_latin(said)


def _is_latin(said: list[str]) -> bool:
    """Whether at least half of the words are of plain letters; numbers tell nothing."""
    letters = [word.isascii() for word in said if not word.isdigit()]
    return 2 * sum(letters) >= len(letters)


def _drop_empty_hint(hint: DateHint | None) -> DateHint | None:
    if hint is None or (hint.year is None and hint.month is None and hint.day is None):
        return None
    return hint


def _is_date(stem: str) -> bool:
    return stem[0].isdigit() or stem in _DATE_STEMS


def _numbers(found: Iterable[str]) -> tuple[int, ...]:
    return tuple(number(stem) for stem in found)


def _forms(said: list[str], little: frozenset[str]) -> dict[int, tuple[int, ...]]:
    telling = [word for word in said if word not in little]
    return {number(stem(word)): _numbers(list_asked_pieces(word)) for word in telling}


def _pairs(content: list[str]) -> tuple[tuple[int, int], ...]:
    codes = _numbers(content)
    return tuple(dict.fromkeys((a, b) for a, b in pairwise(codes) if a != b))
