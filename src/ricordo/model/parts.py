"""The parts of a score: what each is called, in two words and in a sentence.

The one table that the command line, the HTTP API and the pages share.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Part(NamedTuple):
    """A part of a score as people read it."""

    label: str
    sentence: str


PARTS: Mapping[str, Part] = {
    "meaning": Part(
        "meaning",
        "nearness in meaning: the cosine of its best chunk, stretched so that the farthest text "
        "of the space has 0 and the nearest 1; 0.4 while there is no vector yet",
    ),
    "words": Part(
        "words",
        "the query's words in it: BM25, divided by the weight of all words of the query, those "
        "included that nobody has used here; texts up to 400 characters count as equally long",
    ),
    "words_covered": Part(
        "how many of the words",
        "the share of the query's words, rare ones counting more, that occur in it or, where "
        "messages are short, in two neighbours on either side",
    ),
    "session_meaning": Part(
        "meaning of its session",
        "how much nearer the nearest message of its session is; nothing for entries",
    ),
    "session_words": Part(
        "words of its session",
        "how much more `words` the best message of its session has; nothing for entries",
    ),
    "word_pairs": Part(
        "words side by side",
        "how many neighbouring words of the query are neighbours in it as well, at most 3",
    ),
    "question_meaning": Part(
        "meaning of the question it answers",
        "the `meaning` of the previous message, if it is a question (both must be short)",
    ),
    "question_words": Part(
        "words of the question it answers",
        "the same with `words`: an answer is found by its question",
    ),
    "previous_meaning": Part(
        "meaning of the message before", "the `meaning` of the previous message, if this is short"
    ),
    "previous_words": Part("words of the message before", "the same with `words`"),
    "speaker": Part(
        "said by the person",
        "the query names one person: 1 if that person wrote it; for an entry, if it mentions "
        'them. "What did you suggest" names the assistant',
    ),
    "mentions": Part("names the person", "1 if it mentions a person the query names"),
    "brief_speaker": Part(
        "speaker is brief",
        "how much shorter its author usually writes than the longest writer (logarithm, at most "
        "3): people say more about themselves than assistants do. Entries have the highest value "
        "of all authors, archives 0",
    ),
    "date": Part("fits the date", "the query gives a date: 1 if it fits"),
    "named_number": Part(
        "the number asked for",
        'the query names a thing by its number, as in "invoice 102" or "#882": 1 if that number '
        "stands in it",
    ),
    "tells_time": Part("tells a time", "the query asks when: 1 if it holds a word of time"),
    "length": Part(
        "longer than usual",
        "how much longer it is than its author's usual message (logarithm, from -2 to 2)",
    ),
    "is_question": Part("is a question", "1 if it asks something: questions seldom answer"),
    "opens_session": Part(
        "opens its session", "near 1 for a short first or second message of a session"
    ),
    "reading": Part(
        "read with the question",
        "what the model that reads question and text together makes of it, from -8 to 8, for the "
        "first eight; those behind count as the worst of them",
    ),
    "supersedes": Part(
        "supersedes another", "what brings it in front of an earlier text about the same thing"
    ),
    "only_asks": Part(
        "only asks", "what brings a message that only asks behind those that tell something"
    ),
    "archive": Part("is an archive", "1 for an archive, so that archives never crowd out notes"),
    "text": Part("words", "profile `minmax`: its BM25, scaled to 0..1 among the candidates"),
    "vector": Part("meaning", "profile `minmax`: its cosine, scaled to 0..1 among the candidates"),
    "bm25": Part("words", "profile `bm25`: the score itself"),
}
