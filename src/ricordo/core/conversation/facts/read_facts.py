"""Read facts: all constructions over the sentences of a message."""

from collections.abc import Iterator

from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.facts import clauses, holdings, labels, names, selves, tastes
from ricordo.core.conversation.facts.doings import read_doings
from ricordo.core.conversation.facts.equations import read_equations, read_places
from ricordo.core.conversation.facts.sentences import SpokenSentence, list_sentences
from ricordo.core.conversation.stated_facts import StatedFact


def read_constructions(text: str) -> Iterator[StatedFact]:
    """The facts that the constructions of a message state, in order."""
    return (fact for fact in _read_sentences(text) if not _is_misplaced(fact))


def _is_misplaced(fact: StatedFact) -> bool:
    """Whether a month or a day was taken for a place: "started at Acme in June"."""
    is_place = fact.key.endswith((" where", "home", "location", "from"))
    return is_place and fact.value.lower().split()[0].strip(".,") in words.MONTHS | words.DAYS


def _read_sentences(text: str) -> Iterator[StatedFact]:
    person = ""
    for sentence in list_sentences(text):
        yield from names.read_names(sentence.text, is_stated=sentence.is_stated)
        yield from holdings.read_holdings(sentence.text, is_stated=sentence.is_stated)
        if sentence.is_stated:
            yield from _read_stated(sentence, person)
        person = names.find_bearer(sentence.text) or person


def _read_stated(sentence: SpokenSentence, person: str) -> Iterator[StatedFact]:
    said = sentence.text.rstrip(" .!")
    here = names.find_bearer(said) or person
    yield from names.read_introduction(said)
    yield from names.read_their_name(said, here)
    yield from labels.read_labels(said)
    yield from selves.read_role(sentence.text)
    yield from selves.read_bare_states(said)
    yield from tastes.read_tastes(said)
    for clause in clauses.list_clauses(said, here):
        yield from read_doings(clause)
        yield from selves.read_self(clause)
    yield from read_places(said)
    for part in clauses.split_parts(said):
        yield from read_equations(part)
