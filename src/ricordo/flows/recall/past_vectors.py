"""Past vectors: those of what entries said before, which no table holds, in RAM."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from hashlib import blake2b

from ricordo.core.recall.growable import Array
from ricordo.locks import Lock

MOST = 4_096  # vectors; 3 MB of a bundled model
Key = tuple[int, bytes]  # a model, and the digest of what was embedded


class PastVectors:
    """A bounded cache; the longest unused go first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Array] = OrderedDict()
        self._lock = Lock()

    def find(self, model: int, texts: Iterable[str]) -> dict[str, Array]:
        """The vectors that are here, by text."""
        found = {}
        with self._lock:
            for text in texts:
                vector = self._kept.get(key := _key(model, text))
                if vector is not None:
                    self._kept.move_to_end(key)
                    found[text] = vector
        return found

    def keep(self, model: int, vectors: Mapping[str, Array]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._kept[_key(model, text)] = vector
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


def _key(model: int, text: str) -> Key:
    return model, blake2b(text.encode(), digest_size=16).digest()
