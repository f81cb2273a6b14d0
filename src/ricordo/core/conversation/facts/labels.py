"""Labels: "Frontend: SvelteKit", "Locker 218, code 4471", "size 43 shoes".

A note to keep says what a thing is with a colon, or with a number beside it. The label must be one
that people keep; a line of a dialogue or of a log has none of these.
"""

import re
from collections.abc import Iterator

from ricordo.core.conversation.facts import lexicon, phrases
from ricordo.core.conversation.stated_facts import StatedFact

_LABEL = lexicon.join(lexicon.LABELS)
_ROLES = (
    r"gate code|door code|alarm code|locker code|locker|code|room|meeting room|desk|extension"
    r"|apartment|flat|unit|plate|seat|badge|shoe size|collar size|ring size|size|"
    r"customer number|member number|membership number"
)
_COLON = re.compile(
    rf"(?:^|[.;,(] |- )(?:(?:my|our|the|and|current|usual|new) )*(?P<label>(?:[\w'#/-]+ ){{0,2}}?"
    rf"(?:{_LABEL})(?: (?:for|of|in|at|on) [\w' -]{{2,25}})?)(?: is| are)?: (?P<rest>[^\s].*)$",
    re.I,
)
_ANY = re.compile(r"^(?P<label>[A-Za-z][\w'/-]*(?: [\w'/-]+){0,2}): (?P<rest>(?=.{2,60}$).+)$")
_NOT_LABEL = re.compile(
    r"(?:decision|core|performance|question|task|subject|error|warning"
    r"|info|debug|example|examples|input|output|text|note|notes|q"
    r"|a|problem"
    r"|topic|prompt|story|todo|here|for|to|from|re|cc|user|assistant"
    r"|system|me|you|him|her|options?|answer|result"
    r"|file|line|traceback|translate|rewrite|correct|correction|update"
    r"|edit|step|goal|title|chapter|scene|quote"
    r"|poem|draft|headline|version|hint|tip|summary|choose|pick|guess"
    r"|convert|fix|solve|explain|is|are|my guess"
    r"|dates?|incident|inc|complaint|http|https|fact|rumou?r|caption"
    r"|character|setting|plot|reminder|ps|case|test"
    r"|given|assume|suppose|if|when|what|why|how|who|password|pin|token|secret|the)\b",
    re.I,
)
_NUMBERED = re.compile(
    rf"(?:^|(?<=\d)[,;] (?:and )?|: |(?:my|our) )(?:(?:my|our|the) )?(?P<label>(?:[a-z]"
    rf"+ )?(?:{_ROLES}))(?: is| no\.?"
    rf"| number)? ?(?P<value>#?[A-Z]{{0,3}}-?\d[\w./-]*\b|(?-i:XXL"
    rf"|XL|XS|S|M|L)\b)(?= ?(?:$|[,.;!(–-]"
    rf"| and | in | at | shoes| jeans| shirt| boots| keep| for))",
    re.I,
)
_SIZES = re.compile(
    r"(?:^|, |: )(?P<value>small|medium|large|extra large|XXL|XL|XS|S|M|L|\d\d(?:/\d\d)?) "
    r"(?P<label>shirts?|jeans|t-shirts?|trousers|shoes|boots|gloves)(?=$|[,.;!])"
)
_ENTRY = re.compile(r"^(?:and )?(?P<value>[^,;.()]{2,60}?)(?=$|[,;.(])")


def read_labels(said: str) -> Iterator[StatedFact]:
    """What a label names, each value once."""
    for found in _ANY.finditer(said):
        if not _NOT_LABEL.match(found["label"]) and found["label"].lower() not in lexicon.LABELS:
            value = phrases.find_hard(found["rest"])
            if value and not value.isdigit():
                yield StatedFact("user", found["label"].lower(), value)
    if entry := _COLON.search(said):
        yield from _read_entry(entry["label"].strip(), entry["rest"])
        return
    for pattern in (_NUMBERED, _SIZES):
        for match in pattern.finditer(said):
            yield StatedFact("user", match["label"].lower(), match["value"])


def _read_entry(label: str, rest: str) -> Iterator[StatedFact]:
    low = label.lower()
    if any(word in lexicon.NOT_LABELS for word in (low, low.split()[-1])):
        return
    if "address" in low:
        value = re.split(r"[;!(]|\.(?:\s|$)|\s[–—-]+\s", rest)[0].strip()
    else:
        phone = re.search(r"\+?\d[\d ()-]{7,}\d", rest)
        if phone and phone.start() > 0:
            yield StatedFact("user", f"{low} phone", phone[0])
        found = _ENTRY.match(rest)
        value = found["value"].strip() if found else ""
        listed = re.match(r"[\w' -]+(?:, [\w' -]+){1,5}(?:,? and [\w' -]+)?(?=[.!]?$)", rest)
        if listed and not phone and len(listed[0].split()) <= 12:
            value = listed[0]
    is_short = 0 < len(value.split()) <= 12
    if is_short and not re.match(
        r"(?:i|we|it|you|please|can|if|the user|is|how|what)\b", value, re.I
    ):
        yield StatedFact("user", low, value.strip(" .,!"))
