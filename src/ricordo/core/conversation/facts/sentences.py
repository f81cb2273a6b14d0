"""Sentences: the parts of a message that a construction may read, with what they may be read for.

A name that comes with its bearer ("my sister Palesa") holds in a question as well as in a
statement. Everything else counts only where a sentence states it: the question at its end is cut
off, and doubt silences the sentence. Pure, and English only.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ricordo.core.conversation import certainty
from ricordo.core.conversation.fact_words import split_words
from ricordo.core.conversation.facts import openings

_EXPANDED = (
    (re.compile(r"\b(I|i)'?m\b"), r"\1 am"),
    (re.compile(r"\b([Ww]e|[Tt]hey|[Yy]ou)'re\b"), r"\1 are"),
    (re.compile(r"\b(I|i|[Ww]e|[Tt]hey)'?ve\b"), r"\1 have"),
    (re.compile(r"\b([Hh]e|[Ss]he|[Ii]t|[Ww]ho|[Tt]hat)'s\b"), r"\1 is"),
)
_ASKED = re.compile(
    r"(?:[,;:]|\s[–—-]+|\s(?=so |and |but ))\s*(?:(?:so|and|but|anyway|now|ok|hey)[, ]+)*"
    r"(?:can|could|would|will|what|whats|what's|where|where's|which|how|who|who's|why|why's|any|do"
    r"|does|did|is|are|should|shall|am i|have you|anything|thoughts|ideas|tips|please|does that"
    r"|isn't|aren't|is that|got any|know any|would you|when)\b.*$",
    re.I | re.S,
)
_ASIDES = re.compile(
    r",? ?(?:just )?(?:in case (?:you(?:'re| are)? \w+|it \w+)|if (?:you (?:need|want|must|ask"
    r"|wonder)"
    r"|that (?:helps|matters)|it (?:helps|matters)|anyone asks)|whatever \w+|as i (?:told|said)"
    r"[^,.;]*|as (?:always|usual|every year|you know)|to be honest"
    r"|(?:scratch|forget|ignore) what i said|believe it or not|i(?:'d"
    r"| would)"
    r" say|not that it matters)\b",
    re.I,
)
_DOUBTED = re.compile(
    r"\b(?:if|unless|whether|in case|provided|assum\w+|suppos\w+|let'?s say|say (?:i|my|we|our)"
    r"|might|maybe|perhaps|probably|possibly|presumably|potentially|likely|i think|thought"
    r"|thinks|thinking|guess\w*|reckons?|believes?|suspects?|doubts?|wonder\w*|unsure|uncertain"
    r"|(?:not|n't) (?:\w+ )?(?:sure|certain|know|remember|recall|say)|no idea|no clue|seems?"
    r"|seemed|appears?|apparently|allegedly|reportedly|rumou?rs?|heard|gossip|iirc|afaik|dunno"
    r"|or something|as if|according to|claims?|claimed|says|said|saying|told|tells|swears?"
    r"|insists?|mentioned|in theory|theoretically|supposed to|wish\w*|dream\w*|hopes?|hoping|hoped"
    r"|fantasi\w+|imagin\w+|could be|can't decide|undecided|considering|tempted|debating|toying"
    r"|weighing|asked me|were i|had i|mistaken\w*|almost|nearly|so-called|hypothe\w+|what a"
    r"|joke|joked|jokes|rhetorical\w*|depends|depending|for argument|as though|everyone else"
    r"|horoscope|"
    r"just love|someone called|somebody called|wants? me to|keeps? calling me|feels? like|felt"
    r" like|wanted|want to (?:be|become)|read that|quoted?|quoting"
    r"|saw (?:a|an|that)|poster|headline"
    r"|slogan|lyrics|proverb|saying goes|yeah,? right|oh,? sure|oh,? great"
    r"|oh,? yes|of course i|sure,? and|who (?:does|is)n'?t|everybody else|(?:don't|aren't|isn't"
    r"|am|do|doesn't)"
    r" (?:i|we|it|she|he|you|they|everyone|everybody|anyone)(?: all| both)?(?=[.!]*$)"
    r"|song|one day|someday)\b|[,.] (?:right"
    r"|correct|no|eh|huh|innit)[.!]*$|\w\?\?",
    re.I,
)
_ANSWERED = re.compile(r"\b((?:[Mm]y|[Oo]ur) [\w' ]{3,25})\? (?=\d|(?:Always|Mostly) )")
_CONTRAST = re.compile(
    r",? (?:and )?not (?:my |the |in |on |at |an? )?[\w.:/-]+(?: [\w-]+)?[.!]*$", re.I
)
# Where somebody writes no capitals at all, these words come before a name.
_PLACED = re.compile(
    r"\b((?:live in|living in|based in|am from|i'm from|im from|work at"
    r"|work for|called|named|moved to|name is"
    r"|name's|born in|drive an?|own an?|grew up in|here in|(?:my|our) (?:dog"
    r"|cat|son|daughter|wife|husband|sister"
    r"|brother|boyfriend|girlfriend|partner)) )(?!(?:the|an?|my|our"
    r"|his|her|is|are|has|and|or|me|it|this|that|home"
    r"|here|there|so|in|on|at|to|for|with|who|wants|needs|keeps|just"
    r"|lives|works|loves|hates|was|will|would|can"
    r"|does|got|said|says|thinks|always|never|won't|isn't|doesn't|about|after|all)\b)(\w+(?: \d+)?)"
)
_LOG = re.compile(r"^\s*(?:\$ |>>> |Traceback|#+ |[A-Z]+ \d{4}-)|\bException\b", re.M)
_NOT_ASSERTED = re.compile(r"[\"“”«»„`\x00]")


# Small words of other languages that English text does not have.
_FOREIGN = split_words(
    """naam, se, ek, het, hond, en, und, ich, mein, meine, mijn, ik, je, est, mi, nombre, och, jag,
    heter, meu, nome, em, moro, y, el, los, las, que, się, w, mam, vivo, wohne, woon, nie, ist, der,
    das, ein, une, le, les, dans, pour, con, por, para, il, che, sono, è, é, na, jest"""
)


class SpokenSentence(NamedTuple):
    """A sentence, whether it states what it says, and whether it comes after a request."""

    text: str
    is_stated: bool
    is_request: bool = False


def list_sentences(text: str) -> list[SpokenSentence]:
    """The sentences of a message in order, up to one that makes the rest an invented text."""
    if (
        len(text) > certainty.LONGEST
        or certainty.is_invented(text)
        or _is_foreign(text)
        or _LOG.search(text)
    ):
        return []
    if text == text.lower():
        text = _PLACED.sub(lambda found: found[1] + found[2].title(), text)
    return list(_read_sentences(_ANSWERED.sub(r"\1 is ", text)))


def _is_foreign(text: str) -> bool:
    """Whether words of another language's grammar come up twice."""
    return sum(word in _FOREIGN for word in re.findall(r"\w+", text)) > 1


def _read_sentences(text: str) -> Iterator[SpokenSentence]:
    for said in certainty.split_sentences(text):
        if _NOT_ASSERTED.search(said):
            continue
        if openings.makes_text(said):
            yield SpokenSentence(_expand(said), is_stated=False, is_request=True)
            return
        if openings.is_transcript(said):
            return
        head = _cut_question(_ASIDES.sub("", said))
        is_stated = bool(head) and not _DOUBTED.search(head)
        yield SpokenSentence(_expand(openings.drop(head or said)), is_stated)


def _cut_question(said: str) -> str:
    """The sentence without the question at its end; empty where it is a question as a whole."""
    cut = _ASKED.sub("", said) if said.endswith("?") or openings.asks_late(said) else said
    is_question = cut.endswith("?") or openings.asks(cut)
    return "" if is_question else _CONTRAST.sub("", cut.strip())


def _expand(said: str) -> str:
    for pattern, whole in _EXPANDED:
        said = pattern.sub(whole, said)
    return said
