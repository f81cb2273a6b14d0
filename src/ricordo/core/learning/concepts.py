"""Concept tags: labels derived from a text, so that an entry is found by its subject.

Known terms come first, then compounds (src/main.rs, foo_bar), then words. No language model and no
statistics: the same text always gives the same tags.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain

from ricordo.core.text.language import is_clearly_english
from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.stopwords import ENGLISH, LISTS
from ricordo.core.text.tokens import INDIC, words

MOST = 8
_LONGEST = 32

_GLOSSARY_TERMS = """
openai anthropic claude gemini gpt llama mistral ollama embedding rag mcp sqlite postgres redis
kafka s3 kv docker kubernetes terraform nginx linux git github gitlab oauth jwt webhook websocket
graphql grpc cron ssh dns tls telegram whatsapp slack
"""
# Words of the trade that any entry may hold, so that they tell none apart.
_TECHNICAL_WORDS = """
memory session deploy note notes agent assistant user users message messages chat conversation
context prompt response request tool tools task tasks run running start started stop
file files folder path code data text string value values key keys name type types list item items
line lines config setting settings option default update updated change changed add added remove
removed fix issue error test tests
"""
# Words of talk that the stop list of the keyword search lets through.
_ENGLISH_WORDS = "because after before while very only e.g i.e"
_SPANISH_WORDS = """
para con una uno las los del por que como pero más mas este esta esto son sus sin muy hay ser fue
"""
_EXTENSIONS = "txt md json yaml yml toml csv log pdf html htm xml ini cfg bak"

_LITTLE: frozenset[str] = frozenset().union(*LISTS.values())
_GLOSSARY = frozenset(_GLOSSARY_TERMS.split())
_STOPPED = ENGLISH.union(
    _TECHNICAL_WORDS.split(), _ENGLISH_WORDS.split(), _SPANISH_WORDS.split(), _EXTENSIONS.split()
)

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_KANA = _HIRAGANA + _KATAKANA
_HANGUL = "\u1100-\u11ff\u3131-\u318f\uac00-\ud7ff"

_TOKEN = compile_late(r"[^\W_]+")
# Possessive, and only where a word begins: a word of 100,000 letters is looked at once.
_COMPOUND = compile_late(
    rf"(?<![\w{INDIC}])[\w{INDIC}]++(?:[./-]++[\w{INDIC}]++)++|(?<![^\W_])[^\W_]++(?:_++[^\W_]++)++"
)
# Text without blanks is parted where the script changes: particles stand apart from names.
# An apostrophe or a dot between two letters stays inside the word.
_WORD = compile_late(
    rf"[{_HAN}]+|[{_HIRAGANA}]+|[{_KATAKANA}]+"
    rf"|(?:(?![{_HAN}{_KANA}])[\w{INDIC}]|(?<=[^\W\d])['’.](?=[^\W\d]))+"
)
_ELISION = compile_late(r"\b(?:[cdjlmnst]|qu|un|dell|all|nell|sull|dall|quell)['’](?=[^\W\d_]{3})")
# Turkish parts the ending of a case from a name: İzmir'de.
_ENDING = compile_late(
    r"(?<=[^\W\d_]{3})['’](?:[dt][ea]n?|y[aeıiuü]|n?[ıiuü]n|[aeıiuü]|l[ıiuü]|yl[ae])\b"
)
# In words with letters that only Turkish has, a capital I is that of ı.
_TURKISH = compile_late("[ğışĞİŞ]")
_ANY_WORD = compile_late(r"\w++")
# Korean ties particles to a noun. Those that may as well end one are left where they are.
_PARTICLE = compile_late(
    "(?<=[\uac00-\ud7a3]{2})(?:에서는|에서|에게|한테|께서|까지|부터|으로|은|는|을|를|에|의)(?![\uac00-\ud7a3])"
    "|(?<=[\uac00-\ud7a3]{3})가(?![\uac00-\ud7a3])"
)
# Chinese words that join others: what stands on either side of them is a tag of its own.
_JOINING = compile_late("(?<=[\u4e00-\u9fff]{2})[是了在和与跟把被的](?=[\u4e00-\u9fff\\d]|$)")
_ISO_DATE = compile_late(r"\d{4}-\d{2}-\d{2}(?:\.\w+)?")
_LETTER = compile_late(r"[^\W\d_]")
_ALL_KANA = compile_late(f"[{_KANA}]+")
_ALL_CJK = compile_late(f"[{_HAN}{_KANA}{_HANGUL}]+")


def concepts(text: str, limit: int = MOST) -> tuple[str, ...]:
    """Derive at most `limit` concept tags from a text, without repeats."""
    found: dict[str, None] = {}
    if limit <= 0:
        return ()
    source = _unfold(text)
    # Without a word of English alone, the little words of every language say nothing.
    little = ENGLISH if is_clearly_english(words(text)) else _LITTLE
    for tag in chain(
        _find_terms(source), _derive_tags(_COMPOUND, source), _derive_tags(_WORD, source)
    ):
        if tag in little:
            continue
        found[tag] = None
        if len(found) == limit:
            break
    return tuple(found)


def _unfold(text: str) -> str:
    """The text in small letters, without what languages tie to their words."""
    if _TURKISH.search(text):
        text = _ANY_WORD.sub(lambda word: _undot(word.group()), text)
    source = unicodedata.normalize("NFKC", text.replace("İ", "i")).lower()
    return _JOINING.sub(" ", _PARTICLE.sub("", _ENDING.sub("", _ELISION.sub("", source))))


def _undot(word: str) -> str:
    return word.replace("I", "ı") if _TURKISH.search(word) else word


def _find_terms(source: str) -> Iterator[str]:
    """Find glossary terms as whole tokens: no gpt in egyptian."""
    return (token for match in _TOKEN.finditer(source) if (token := match.group()) in _GLOSSARY)


def _derive_tags(pattern: re.Pattern[str], source: str) -> Iterator[str]:
    candidates = (match.group().strip("_").replace("_", "-") for match in pattern.finditer(source))
    return (tag for tag in candidates if _is_telling(tag))


def _is_telling(tag: str) -> bool:
    return (
        _shortest(tag) <= len(tag) <= _LONGEST
        and _LETTER.search(tag) is not None
        and tag not in _STOPPED
        and not _ISO_DATE.fullmatch(tag)
    )


def _shortest(tag: str) -> int:
    """Two Chinese or Korean characters make a word; kana and letters need three."""
    return 2 if _ALL_CJK.fullmatch(tag) and not _ALL_KANA.fullmatch(tag) else 3
