"""The English words that the bundled encoder knows whole. No model is loaded for them."""

from functools import lru_cache

from ricordo.embed.bundle import MODELS

_FILE = MODELS / "minilm" / "vocab.txt"
_LEAST = 4  # letters; shorter pieces are whole words of every language


@lru_cache(1)
def list_english_words() -> frozenset[str]:
    """Words of four letters and more that are one piece of the vocabulary."""
    pieces = _FILE.read_bytes().decode("utf-8").split("\n")
    return frozenset(piece for piece in pieces if len(piece) >= _LEAST and piece.isalpha())
