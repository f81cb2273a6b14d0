"""Secrets: what looks like a password, key or token, by its name or by itself. Pure.

Made to leave out too much rather than too little: it decides what is not kept.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from ricordo.model import Json

# Every repetition has an end: these read what tools give, however long, and may not go slow.
# Whole words of a name: "token" and "PGPASSWORD" are, "tokenizer" and "monkey" are not.
_NAMES = re.compile(
    r"(?:^|[^a-z])(?:[a-z]{0,20}pass(?:word|wd|phrase)|pass(?:code)?|pwd|secrets?|tokens?|api_?keys?|apikeys?"
    r"|(?:access|private|secret|auth|signing|encryption|ssh)_?keys?|auth(?:orization)?|credentials?"
    r"|creds?|cookies?|bearer|otp|pin|cvv|iban|ssn|jwt|dsn|connection_?string)(?:[^a-z]|$)"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_KNOWN = re.compile(
    r"(?:^|[^A-Za-z0-9])(?:sk-|pk-|rk_|sk_|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|glpat-|xox[abeprs]-"
    r"|AKIA|ASIA|AIza|ya29\.|eyJ|npm_|pypi-|hf_|dop_v1_|shpat_|SG\.|key-)[A-Za-z0-9_\-.]{6,}"
    r"|-----BEGIN [A-Z ]*(?:KEY|CERTIFICATE)"
    r"|[a-zA-Z][a-zA-Z0-9+.\-]{0,20}://[^/\s:@]{0,100}:[^/\s@]{1,200}@"
    r"|(?i:\b(?:bearer|basic|token)\s+[A-Za-z0-9+/=_\-.]{6,})"
)
_DIGITS = re.compile(r"(?:\d[ \-]?){12,}")  # cards, accounts, telephones
_RUN = re.compile(r"[A-Za-z0-9+/=_\-.~:]+")
_PAIR = re.compile(r"""([A-Za-z_][\w\-]{0,60})["']?[:=>]["']?[^"'\s,;&]""")
_ASKS = re.compile(r"""^--?[\w\-]+$|[:=]["']?$|(?i:bearer|basic)$""")  # the next word is the value
_JOINTS = frozenset(("=", ":", ":=", "=>"))  # may stand apart, between a name and its value
_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z ]{0,40}(?:KEY|CERTIFICATE).*?(?:-----END [A-Z ]{0,60}-{0,5}|\Z)", re.DOTALL
)
_TOLD = re.compile(  # "the password is hunter2": a digit makes it a value, not the end of a phrase
    r"((?i:pass(?:word|wd|phrase|code)?|pin|secret|token|key)\s+(?i:is|was|to)\s+)(?=\S*\d)\S+"
)
HIDDEN = "[secret]"
_LONG = 16  # characters from which a jumble may be a key
_SURE = 32
_ENTROPY_BITS = 3.0


def is_secret_name(name: str) -> bool:
    """Whether an argument, option or variable of this name holds a secret."""
    plain = _CAMEL.sub("_", name).lower().replace("-", "_")
    return _NAMES.search(plain) is not None


def holds_secret(text: str) -> bool:
    """Whether a text shows what looks like a key or a token."""
    if _KNOWN.search(text) or _DIGITS.search(text):
        return True
    return any(_is_jumble(part) for run in _RUN.findall(text) for part in re.split("[/.:=]", run))


def _is_jumble(word: str) -> bool:
    """Long, with digits among its letters, and no more repetition than chance would give."""
    if len(word) < _LONG or not any(mark.isdigit() for mark in word):
        return False
    letters = sum(mark.isalpha() for mark in word)
    if letters < 3 or (len(word) < _SURE and re.fullmatch(r"[A-Za-z_\-]+\d{1,4}", word)):
        return False
    return _entropy(word) >= _ENTROPY_BITS


def _entropy(word: str) -> float:
    """Bits for each character."""
    return -math.fsum(
        count / len(word) * math.log2(count / len(word)) for count in Counter(word).values()
    )


def without_secrets(value: Json) -> Json:
    """A text or structure with everything left out that is called a secret or looks like one."""
    if isinstance(value, str):
        return _hide(value)
    if isinstance(value, Mapping):
        named = {"value"} if is_secret_name(str(value.get("name", value.get("key", "")))) else set()
        return {
            _hide(str(name)): (
                HIDDEN if name in named or is_secret_name(str(name)) else without_secrets(inner)
            )
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return _hidden_items(value)
    return value


def _hidden_items(items: Sequence[Json]) -> list[Json]:
    """A list, maybe the words of a command: behind an option that names a secret is its value."""
    found = []
    is_named = False
    for item in items:
        found.append(HIDDEN if is_named and isinstance(item, str) else without_secrets(item))
        is_named = isinstance(item, str) and _asks(item) and is_secret_name(item)
    return found


def _asks(word: str) -> bool:
    """Whether the next word is a value for this one."""
    return _ASKS.search(word) is not None


def hide_in_prose(text: str) -> str:
    """What somebody wrote, without the words that show a secret; the rest of it stays.

    In a structure, "token" before a word makes all of it doubtful. People write about tokens.
    """
    return _TOLD.sub(rf"\1{HIDDEN}", _hide_words(_KEY_BLOCK.sub(HIDDEN, text)))


def _hide(text: str) -> str:
    shown = _hide_words(text)
    return HIDDEN if _KNOWN.search(shown) else shown


def _hide_words(text: str) -> str:
    """The text without each word that shows a secret, and the word after one that names it."""
    words = re.split(r"(\s+)", text)
    is_named, before = False, ""
    for place in range(0, len(words), 2):
        word = words[place]
        if word in _JOINTS:
            is_named = is_named or is_secret_name(before)
        if not word or word in _JOINTS:
            continue
        is_shown = any(is_secret_name(pair[1]) for pair in _PAIR.finditer(word))
        if is_named or is_shown or holds_secret(word):
            words[place] = HIDDEN
        # What follows "Authorization: Basic" is as secret as what follows "Authorization:".
        is_named = not is_shown and _asks(word) and (is_named or is_secret_name(word))
        before = word
    return "".join(words)
