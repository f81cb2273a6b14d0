"""Openings: what the first words of a sentence make of it, such as a question or a request."""

import re

_FILLER = re.compile(
    r"^(?:(?:(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon)|morning|evening)"
    r"(?: (?:there|all|everyone|team|folks))?|thanks(?: a lot)?|thank you|ok|okay|well|so|oh|and"
    r"|but|also|btw|by the way|fyi|ftr|for the record|for your information|for (?:reference"
    r"|context|future reference|later)|just so you know|just fyi|(?:a )?heads up|(?:please )?note"
    r"(?: that)?|note to self|(?:please )?remember(?: that)?|(?:a )?(?:quick |small |gentle )?"
    r"reminder(?: that)?|keep in mind(?: that)?|bear in mind(?: that)?|don't forget(?: that)?"
    r"|dear assistant|please note that|as you know|(?:a )?fun fact|one more thing|quick (?:intro"
    r"|one|note|question|update)|about me|actually|yes|yep|yup|yeah|no|nope|correction|update|edit"
    r"|small correction|honestly|personally|in general|generally|some background|background"
    r"|context|ps|p\.s|since you asked|long story short|sorry|oops|turns out|finally|good news"
    r"|tbh|also|plus|first off|again|in short|basically|for me|confirmed|let it be known that"
    r"|you should know(?: that)?|worth knowing|random fact|last thing|as for me|at home|at work"
    r"|here|these days|nowadays|in our (?:house|family|team)|in my case|anyway|look|listen"
    r"|right|true|same|more about me|setup|in fact)(?:\s*[,:!–—-]+\s*|\s+(?=(?:i|my|our|we|the"
    r"|it|i'm|we're|i've)\b)))+",
    re.I,
)
_QUESTION = re.compile(
    r"^(?:can|could|would|will|what|whats|what's|where|where's|which|how|how's|who|who's|whose|why"
    r"|why's|whom|do|does|did|is|are|was|were|should|shall|may i|am i|has|have (?:you|i|we)|isn't"
    r"|aren't|wasn't|weren't|don't you|didn't|doesn't|any|ever)\b",
    re.I,
)
_LATE = re.compile(
    r"[,;] (?:so )?(?:how|what|why|where|which) (?:do|does|can|is"
    r"|are|should)\b",
    re.I,
)
_REQUEST = re.compile(
    r"^(?:(?:now|then|so|ok(?:ay)?|and|also|hey|hi),?\s+)?(?:please\s+)?"
    r"(?:(?:can|could|would|will) you\s+(?:please\s+)?|i (?:need|want) (?:you to|a|an)\s+"
    r"|help me\s+(?:to\s+)?)?"
    r"(?:write|draft|compose|generate|invent|make up|summari[sz]e|continue|complete|finish|fill in"
    r"|tell me a|create|read this|check this|improve|shorten|edit"
    r"|correct (?:the|this|my)|fix (?:the"
    r"|this|my)|post this|reply to|answer as|analy[sz]e|classify|extract|parse|repeat|print"
    r"|suppos(?:e|ing)|consider a|picture|say|turn (?:this|that|it)|convert|give me (?:a|an|five"
    r"|three|ten|some|two) (?:\w+ )?(?:sentence|example|line|sample)s?|let'?s (?:say|assume|suppose"
    r"|pretend)|what if|for the sake of|in this (?:case|scenario)|given the following|explain"
    r"|format|describe|here(?:'s| is) (?:the|a|an|my) (?:test|fixture|text|draft|essay|paragraph"
    r"|snippet|sentence|story|poem|log|output|excerpt|quote|bio|cv"
    r"|profile|intro|letter|email|message))\b",
    re.I,
)
_TRANSCRIPT = re.compile(
    r"^(?P<who>[A-Z][\w.]+(?: [A-Z][\w.]+)?): (?:(?:i|i'm|my|we|our"
    r"|no|yes|hi|hello|so|well)\b|.*\?$)",
    re.I,
)
_LABELS_OF_SELF = re.compile(
    r"^(?:fyi|note|remember|btw|ps|background|about me|fun fact|context|update|reminder"
    r"|correction|edit|tl;dr|status)\b",
    re.I,
)


def drop(said: str) -> str:
    """The sentence without greetings and other words that only open it."""
    return _FILLER.sub("", said)


def asks(said: str) -> bool:
    return bool(_QUESTION.match(drop(said)))


def asks_late(said: str) -> bool:
    """Whether a sentence without a question mark ends in a question."""
    return bool(_LATE.search(said))


def makes_text(said: str) -> bool:
    """Whether what follows is a text that somebody asks for."""
    return bool(_REQUEST.match(said))


def is_transcript(said: str) -> bool:
    """Whether this is a line of a dialogue."""
    return bool(_TRANSCRIPT.match(said)) and not _LABELS_OF_SELF.match(said)
