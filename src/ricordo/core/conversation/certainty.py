"""Certainty: which clauses of a text assert something in so many words.

Whoever reads facts out of a conversation must not take a question, a wish, a quotation, a story or
a text to translate for a statement. So a clause counts only where nothing in its surroundings
casts doubt on it: doubt in a message, in a sentence or in a clause silences that much of the text.
Pure, and English only: `foreign_facts` reads other languages.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_MASK = "\x00"  # where a quotation or code stood; a sentence with it counts for nothing
LONGEST = 4_000  # characters of a message; what is longer was pasted

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.S)
_QUOTED_NAME = re.compile(
    r"""(\b(?:called|named|is|me|by)\s+)(["“`'‘])((?:[\w.-]+\s?){1,3})["”`'’](?!\w)""", re.I
)
_FEET = re.compile(r"(\b\d'\d{1,2})\"")
_QUOTES = re.compile(
    r"\"[^\"\n]*\"|“[^”]*”|«[^»]*»|»[^«\n]*«|„[^“”]*[“”]|「[^」]*」|『[^』]*』|《[^》]*》|`[^`\n]*`|(?<!\w)['‘][^'’\n]{2,}?['’](?!\w)"
)
_LONE_QUOTE = re.compile(r"[\"“”«»„`\x00]")
_CODE_LINE = re.compile(
    r"^\s*(?:>|#|//|/\*|\*|--|\||\$ |<\w|def |class |return |import |from \w+ import|const |let "
    r"|var |select |insert |update )|[{}]|=>|->|==|;\s*$|\w\(\)|\w = ",
    re.I,
)

# Somebody wants these words worked on, or plays a part: nothing in the message is a statement.
_MATERIAL = re.compile(
    r"\b(?:translat\w*|proof-?read\w*|re-?phrase\w*|paraphras\w*|re-?writ\w+|re-?word\w*|grammar"
    r"|spell-?check\w*|role-?play\w*|pretend\w*|imagine|simulat\w+|make-believe"
    r"|act as|act like|(?:speak|talk|answer|respond|reply)(?:ing)? as|play (?:a game|the (?:role"
    r"|part))|let'?s play|you are (?:a|an|the|now|my|playing)|you'?re (?:a|an|the|now|my|playing)"
    r"|how (?:do|does|would|can|should) (?:you|i|one|we) say|once upon a time|in the voice of"
    r"|dear (?:sir|madam|all|team|hiring|mr|mrs|ms|dr)|(?:kind|best|warm) regards|sincerely"
    r"|lyrics?|what (?:song|film|movie|book|poem|show) is|(?:french|german|spanish|italian|dutch"
    r"|portuguese|chinese|japanese|korean|russian|arabic|latin) (?:for|word|version|please))\b"
    r"|^\s*(?:from|to|subject|cc|re|fwd?):\s|(?<!\*)\*\w[^*\n]{2,60}\*(?!\*)"
    r"|\b(?:lol|lmao|rofl|jk|j/k|kidding|joking|haha\w*|hehe|sarcas\w*)\b|\s/s\b|;-?\)"
    r"|\b(?:not really|or maybe|no,? wait|wait,? no|scratch that|actually,? no|i lied"
    r"|true or false|never ?mind"
    r"|that'?s a lie|is (?:that|this) (?:right|correct|true)|(?:this|that|the) (?:sentence|phrase"
    r"|line|text|passage)|the following|two truths)\b|[😂🤣😉🙃]"
    r"|\byou are (?-i:[A-Z])\w+|\binto (?-i:[A-Z])[a-z]+(?:ish|ese|an|ch)\b"
    r"|\bsay (?:this|that|it) in\b|\b(?:this|that) in (?-i:[A-Z])[a-z]+(?:ish|ese|an|ch)\b",
    re.I | re.M,
)
# From here on the message is a text that somebody asks for, or an invented world.
_REQUEST = re.compile(
    r"^(?:(?:now|then|so|ok(?:ay)?|and|also|hey|hi),?\s+)?(?:please\s+)?"
    r"(?:(?:can|could|would|will) you\s+(?:please\s+)?|i (?:need|want) (?:you to|a|an)\s+"
    r"|help me\s+(?:to\s+)?)?"
    r"(?:write|draft|compose|generate|invent|make up|summari[sz]e|continue|complete|finish|fill"
    r"|tell me a|create|read|check|improve|shorten|edit|correct|fix|post|send|reply|answer"
    r"|analy[sz]e"
    r"|classify|extract|parse|repeat|type|print|store|test|assum(?:e|ing)|suppos(?:e|ing)|consider"
    r"|picture|say|let'?s (?:say|assume|suppose|pretend)|what if|for the sake of|in this (?:case"
    r"|scenario)"
    r"|given the following)\b",
    re.I,
)
# Lines of a dialogue, and what stands below a line that announces it.
_TRANSCRIPT = re.compile(
    r"^(?!(?:fyi|note|remember|btw|ps|p\.s\.|background|about me|fun fact|context|update"
    r"|reminder)\b)"
    r"[\w.]+(?: [\w.]+){0,5}:(?:\s|$)",
    re.I,
)
_FICTION = re.compile(
    r"\b(?:in|for|of|from|with|by) (?:my|the|this|that|a|an|our|some) (?:[\w'-]+ ){0,2}?"
    r"(?:story|stories|novel|book|film|movie|play|game|dream|scene|script|screenplay|comic|sketch"
    r"|chapter|campaign|universe|world|poem|song|joke|exercise|example|test|form|scenario|sitcom"
    r"|series|fantasy|dialogue|simulation|sims?|video ?game|act|musical|opera|show)s?\b"
    r"|\b(?:minecraft|skyrim|the sims|gta|zelda|roblox|fortnite|d&d|dungeons|warcraft|simulator"
    r"|stardew|animal crossing|pok[eé]mon|mmo(?:rpg)?|rpg|second life|elden ring|larp|cosplay\w*)\b"
    r"|\b(?:characters?|protagonist|heroine|villain|narrator|npc|fan-?fic\w*|fictional|fictitious"
    r"|imaginary|hypothetical\w*|dummy|placeholder|lorem|test data|sample|for example|for instance"
    r"|e\.g\.|(?<![@/.])example(?!\.\w)|mock|fake|alias for|alter ego|persona|undercover|avatar"
    r"|in spirit|in my (?:mind|heart|head|imagination|thoughts))\b",
    re.I,
)
# Doubt, condition, hearsay and mockery: they reach over the whole sentence.
_DOUBT = re.compile(
    r"\b(?:if|unless|whether|in case|as long as|provided|assum(?:e|es|ed|ing)|suppos(?:e|ed|edly"
    r"|ing)|let'?s say|say (?:i|my|we|our)|what if|would(?:n't)?|could(?:n't)?|should(?:n't)?|might"
    r"|maybe|perhaps|probably|possibly|presumably|likely|think|thought|thinks|guess|reckon"
    r"|believe[sd]?|suspect|assume|doubt|wonder(?:ing)?|not sure|unsure|uncertain|not certain"
    r"|don'?t know|no idea|forget|forgot|seems?|seemed|appears?|apparently|allegedly|reportedly"
    r"|rumou?rs?|hear|heard|gossip|iirc|afaik|i mean|or something|or so|or was|kind of|sort of"
    r"|kinda|sorta|more or less|roughly|as if|feels? like|according to|claims?|claimed|says?|said"
    r"|saying|told|tells?|tell"
    r"|swears?|insists?|mentioned|whenever|when|once|pretty much|in theory|theoretically"
    r"|supposed to|wish(?:ed)?|almost|nearly|wrong(?:ly)?|mistaken(?:ly)?|by default|technically)\b"
    r"|\b(?:everyone|everybody) else\b|,? (?:who|don'?t|doesn'?t|isn'?t|aren'?t)"
    r" (?:doesn'?t|isn'?t|we|you|they|everyone|everybody|anyone)(?: all| both)?[.!]*$"
    r"|\bmay\b(?! (?:\d|the \d))|\w'd\b|\.\.\.|…|,? (?:right|correct|no|yes|eh|huh|innit"
    r"|okay)[.!]*$",
    re.I,
)
_MAY_MONTH = re.compile(r"\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)?|in|on|since) May\b|\bMay \d")
# These only spoil the clause that they stand in: time that passes, and what is not so.
_PASSING = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|right now|just now|for now|at the moment|at present"
    r"|currently|temporar(?:y|ily)|until|till|for the (?:time being|moment|day|week|weekend|month"
    r"|summer|winter|autumn|spring|semester|term|season|night|conference|holidays?)"
    r"|this (?:morning|afternoon|evening|week|weekend|month|year|semester|summer|winter|spring"
    r"|autumn|fall|term|quarter|sprint|time|season)|next|soon|lately|so far|while|during|on and off"
    r"|sometimes|part of the|half the|any ?more|no longer|used to|formerly|previously|before"
    r"|back then"
    r"|back in|years ago|as a (?:kid|child|teenager|student)|at first|not|never|neither|nor|hardly"
    r"|barely|nobody|no one|will|going to|gonna|about to|planning|plan to|or|except|instead|either"
    r"|\w+n't|cannot|'ll|were|was|had|only|just for|again|already|usually|left(?!-)|then"
    r"|in (?:the )?(?:summer|winter|spring|autumn|fall)"
    r"|on (?:weekends|weekdays|the side)|for (?:halloween|christmas|lent|easter|ramadan|january"
    r"|february|march|april|june|july|august|september|october|november|december|fun|once))\b"
    r"|\w'll\b|\bfor (?:a|one|two|three|four|five|six|\d+) (?:day|night|week|month|year)s?\b",
    re.I,
)
# What negation may stand in: these are statements about habits and taste.
_ALLOWED_NOT = re.compile(
    r"^(?:i|we|my [\w' -]{2,30}?) (?:don'?t|do not|doesn'?t|does not) (?:eat|drink|like)\b"
    r"|^(?:i|we) (?:can'?t|cannot|can not) (?:stand|eat|drink)\b|^i was born\b"
    r"|^(?:i|we)(?:'ve| have) (?:lived|been living|worked|been working)\b[^,;]*\b(?:for|since)\b.*",
    re.I,
)
_MOVED = re.compile(r"^i(?:'ve| have)?(?: just| recently)? moved to .*", re.I)  # its reader looks

_BULLET = re.compile(r"^\s*(?:[-•*]|\d{1,2}[.)])\s+")
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)(?<!\b[A-Z]\.)\s+|\n+"
)
_OPENERS = re.compile(
    r"^(?:(?:(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon)|morning|evening)"
    r"(?: (?:there|all|everyone|everybody|team|folks))?(?:,? [A-Z]\w+)?|thanks(?: a lot)?|thank you"
    r"|ok|okay|well|so|oh|and|but|also|btw|by the way|fyi|for the record|for your information"
    r"|for (?:reference|context|future reference)|just so you know|just fyi|heads up|a heads up"
    r"|(?:please )?note(?: that)?|(?:please )?remember(?: that)?|keep in mind(?: that)?"
    r"|don't forget(?: that)?"
    r"|as you know|(?:a )?fun fact|one more thing|quick intro|about me|actually|yes|yep|yup|yeah"
    r"|honestly|personally|in general|generally|a bit about me|some background|background"
    r"|please)(?:\s*[,:!–—-]+\s*|\s+(?=(?:i|my|our|we|the|call)\b)|\s*$))+",
    re.I,
)
_GREETING = re.compile(r"(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon))\b", re.I)
_SUBJECT = r"(?:i|i'm|i've|my|we|we're|we've|our|the|call me|everyone calls|you can|please call)\b"
_BREAK = re.compile(
    rf"\s*(?:,\s*(?:and |but |so |plus )?|;\s*|\s+(?:and|but) |\s[–—-]+\s|\.\s)(?={_SUBJECT})", re.I
)
_ELIDED = re.compile(r",? and (?=(?:live|work|drive|speak|play|study)\b)")
_ASKING = re.compile(
    r"[,;–—-]+\s*(?:(?:so|and|but)\s+)?(?:can|could|would|will|what|where|which|how|who|why|any"
    r"|do you"
    r"|is there|are there|should i|what's|please)\b[^,;]*(?:,[^,;]*)?\?$",
    re.I,
)
_COLON = re.compile(r"(?<!\bis)(?<!\bare):\s")


class Clause(NamedTuple):
    """A clause that is certain, and whether it comes with a greeting."""

    text: str
    is_greeting: bool


def is_invented(text: str) -> bool:
    """Whether a message is material to work on, a part somebody plays, or fiction."""
    return bool(_MATERIAL.search(text) or _FICTION.search(text))


def list_assertions(text: str) -> list[Clause]:
    """The clauses of a text that state something as certain, in order."""
    if len(text) > LONGEST or is_invented(text):
        return []
    is_greeting = bool(_GREETING.match(text.lstrip()))
    found = [clause for sentence in _sentences(text) for clause in _clauses(sentence)]
    return [Clause(clause, is_greeting) for clause in found]


def hide_quotations(text: str) -> str:
    """The text with a mark in place of every quotation."""
    return _QUOTES.sub(_MASK, text)


def split_sentences(text: str) -> Iterator[str]:
    """Sentences outside of code, with a mark in place of every quotation."""
    plain = _QUOTED_NAME.sub(r"\1\3", _FENCE.sub(_MASK, _FEET.sub(r"\1", text.replace("’", "'"))))
    for line in hide_quotations(plain).splitlines():
        if not _CODE_LINE.search(_BULLET.sub("", line)):
            for sentence in _SENTENCE_END.split(_BULLET.sub("", line)):
                yield " ".join(sentence.split())


def _sentences(text: str) -> Iterator[str]:
    """Sentences that nothing casts doubt on, up to where somebody asks for a text."""
    for said in split_sentences(text):
        if _REQUEST.search(said) or _TRANSCRIPT.search(said):
            return
        stated = _ASKING.sub(".", said)
        if not stated.endswith("?") and _is_certain(stated):
            yield _OPENERS.sub("", stated)


def _is_certain(sentence: str) -> bool:
    doubtful = _MAY_MONTH.sub("", sentence)
    return not (_DOUBT.search(doubtful) or _LONE_QUOTE.search(sentence))


def _clauses(sentence: str) -> Iterator[str]:
    """Clauses with a subject of their own, as long as every one before them has one as well."""
    said = sentence.rstrip(" .!")
    parts = [_OPENERS.sub("", part) for part in _BREAK.split(said)]
    for part in parts:
        if _COLON.search(part):
            return
        told = _ELIDED.split(part) if part.lower().startswith("i ") else [part]
        for number, clause in enumerate(told):
            whole = clause if number == 0 else f"I {clause}"
            if not _is_passing(whole):
                yield whole
        if not _starts_plainly(part):
            return


def _is_passing(clause: str) -> bool:
    return bool(_PASSING.search(_MOVED.sub("", _ALLOWED_NOT.sub("", clause))))


def _starts_plainly(clause: str) -> bool:
    """Whether a clause begins with its subject: after "In my story" nothing is certain."""
    return bool(re.match(rf"{_SUBJECT}|[A-Z]\w+'s\b|[A-Z]\w+ (?:runs|is|listens)\b", clause, re.I))
