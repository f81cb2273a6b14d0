"""Porter's suffix stripping of 1980, written from its published description.

The rules are the paper's own, without the later additions (no `-logi`, `-abli` becomes `-able`).
It knows nothing of tokens, caches or languages other than English: `tokens` does.
"""

_SHAPE = str.maketrans(
    {letter: "v" if letter in "aeiou" else "c" for letter in "abcdefghijklmnopqrstuvwxyz"}
)

# Suffix, replacement. The first suffix that fits decides, so a longer one stands before any
# shorter one that ends it.
_STEP_2 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = (
    ("al", ""),
    ("ance", ""),
    ("ence", ""),
    ("er", ""),
    ("ic", ""),
    ("able", ""),
    ("ible", ""),
    ("ant", ""),
    ("ement", ""),
    ("ment", ""),
    ("ent", ""),
    ("ion", ""),
    ("ou", ""),
    ("ism", ""),
    ("ate", ""),
    ("iti", ""),
    ("ous", ""),
    ("ive", ""),
    ("ize", ""),
)


def stem(word: str) -> str:
    """Strip the suffixes of a lower-case ASCII word; shorter than three letters it stays."""
    if len(word) < 3:
        return word
    word = _past_and_progressive(_plural(word))
    word = _final_y(word)
    word = _replace(word, _STEP_2, least=1)
    word = _replace(word, _STEP_3, least=1)
    word = _replace(word, _STEP_4, least=2)
    return _final_e_and_l(word)


def _shape(word: str) -> str:
    """Spell a word in v and c. A y is a vowel exactly when it follows a consonant."""
    if "y" not in word:
        return word.translate(_SHAPE)
    shape, last = [], "v"
    for letter in word:
        is_vowel = letter in "aeiou" or (letter == "y" and last == "c")
        last = "v" if is_vowel else "c"
        shape.append(last)
    return "".join(shape)


def _measure(word: str) -> int:
    """Count the vowel-to-consonant turns: the paper's m."""
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Tell whether the word ends consonant, vowel, consonant, the last not w, x or y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if not word.endswith("s") or word.endswith("ss"):
        return word
    return word[:-2] if word.endswith(("sses", "ies")) else word[:-1]


def _past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return _mend(rest) if "v" in _shape(rest) else word
    return word


def _mend(word: str) -> str:
    """Give back what -ed or -ing had taken: hop(p)ing, hop(e)ing."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    # Two y in a row are never both consonants, so y stands with the vowels here.
    if word[-2:-1] == word[-1] and word[-1] not in "aeiouylsz":
        return word[:-1]
    return word + "e" if _ends_short(word) and _measure(word) == 1 else word


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and "v" in _shape(word[:-1]) else word


def _replace(word: str, rules: tuple[tuple[str, str], ...], least: int) -> str:
    for suffix, replacement in rules:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            if _measure(rest) < least or (suffix == "ion" and not rest.endswith(("s", "t"))):
                return word
            return rest + replacement
    return word


def _final_e_and_l(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _ends_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
