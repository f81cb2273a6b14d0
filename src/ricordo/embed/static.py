"""Static embeddings from a folder in model2vec format: the mean of the tokens' vectors.

No network runs, so a text costs microseconds. The folder holds model.safetensors and
tokenizer.json; the `normalize` of its config.json makes no difference here, since rows are always
of unit length.
"""

import hashlib
import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ricordo.embed.safetensors import Tensor, read_header
from ricordo.embed.unit import UnitEmbedder
from ricordo.embed.wordpiece import MAX_WORD_CHARS, WordPiece
from ricordo.errors import InvalidInput, Unavailable
from ricordo.locks import Lock

if TYPE_CHECKING:
    import numpy.typing as npt

    from ricordo.embed.unit import Matrix

FILES = ("model.safetensors", "tokenizer.json")
MAX_TOKENS = 512
NEEDS_TOKENIZERS = (
    "{path} is not a BERT WordPiece tokenizer and needs the package: pip install tokenizers"
)

Pieces = Callable[[str], list[int]]


class StaticParts(NamedTuple):
    """The model in memory: mapped vectors, and a function from text to token ids."""

    pieces: Pieces
    vectors: "npt.NDArray[Any]"
    weights: "npt.NDArray[Any] | None"
    mapping: "npt.NDArray[Any] | None"


class StaticEmbedder(UnitEmbedder):
    """Mean of token vectors; unknown tokens count for nothing."""

    def __init__(self, folder: Path) -> None:
        """Check the files and read the header of the vectors; load nothing."""
        missing = [name for name in FILES if not (folder / name).is_file()]
        if missing:
            raise InvalidInput(
                f"{folder} lacks {', '.join(missing)}; name a folder in model2vec format"
            )
        self._folder = folder
        self._tensors = read_header(folder / "model.safetensors")
        self._vectors = _vectors_of(self._tensors, folder)
        if find_spec("tokenizers") is None:
            wordpiece_of(folder / "tokenizer.json")  # now, rather than at the first text
        self.name = f"static:{folder.name}"
        self._digest: str | None = None
        self._loaded: StaticParts | None = None
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        """Name the vectors and the tokenizer by digest; the first call reads both files."""
        if self._digest is None:
            self._digest = _digest(self._folder)
        return f"static-{self._digest[:12]}"

    @property
    def dim(self) -> int:
        return self._vectors.shape[1]

    def _rows(self, texts: list[str]) -> "Matrix":
        import numpy as np

        model = self._model()
        return np.stack([_mean(model, text) for text in texts])

    def _model(self) -> StaticParts:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._folder, self._tensors, self._vectors)
            return self._loaded


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in FILES:
        with (folder / name).open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _vectors_of(tensors: dict[str, Tensor], folder: Path) -> Tensor:
    vectors = tensors.get("embeddings") or tensors.get("embedding.weight")
    if vectors is None or len(vectors.shape) != 2 or 0 in vectors.shape:
        raise InvalidInput(
            f"{folder}/model.safetensors has no table called 'embeddings' but {sorted(tensors)}; "
            "name a folder in model2vec format"
        )
    return vectors


def _load(folder: Path, tensors: dict[str, Tensor], vectors: Tensor) -> StaticParts:
    path = folder / "tokenizer.json"
    if find_spec("tokenizers") is None or _is_bert_wordpiece(_read_json(path)):
        pieces, tokens = wordpiece_of(path)
    else:
        pieces, tokens = _foreign_tokenizer(path)
    weights, mapping = (tensors[n].open() if n in tensors else None for n in ("weights", "mapping"))
    for part in (weights, mapping):
        if part is not None and len(part) < tokens:
            raise InvalidInput(f"{folder} has {tokens} tokens but weights for {len(part)}")
    last = tokens - 1 if mapping is None else int(mapping.max())
    if last >= vectors.shape[0]:
        raise InvalidInput(f"{folder} has vectors for {vectors.shape[0]} tokens, not for {last}")
    return StaticParts(pieces, vectors.open(), weights, mapping)


def _mean(model: StaticParts, text: str) -> "Matrix":
    import numpy as np

    ids = model.pieces(text)[:MAX_TOKENS]
    if not ids:
        return np.zeros(model.vectors.shape[1], np.float32)
    places = ids if model.mapping is None else model.mapping[ids]
    rows = model.vectors[places].astype(np.float32)
    if model.weights is not None:
        rows *= model.weights[ids].reshape(-1, 1).astype(np.float32)
    mean: Matrix = rows.mean(axis=0)
    return mean


def wordpiece_of(path: Path) -> tuple[Pieces, int]:
    """Return our own tokenizer for the vocabulary in tokenizer.json, and how many tokens it has."""
    settings = _read_json(path)
    if not _is_bert_wordpiece(settings):
        raise Unavailable(NEEDS_TOKENIZERS.format(path=path))
    vocabulary: dict[str, int] = settings["model"]["vocab"]
    tokenizer = WordPiece(vocabulary, unknown=settings["model"]["unk_token"])
    unknown = tokenizer.unknown
    return (
        lambda text: [id for id in tokenizer.pieces(text) if id != unknown],
        max(vocabulary.values()) + 1,
    )


def _is_bert_wordpiece(settings: dict[str, Any]) -> bool:
    """Say whether the settings are those that `WordPiece` implements, to the letter."""
    model = settings.get("model") or {}
    normalizer = settings.get("normalizer") or {}
    return (
        model.get("type") == "WordPiece"
        and model.get("continuing_subword_prefix", "##") == "##"
        and model.get("max_input_chars_per_word", MAX_WORD_CHARS) == MAX_WORD_CHARS
        and (settings.get("pre_tokenizer") or {}).get("type") == "BertPreTokenizer"
        and normalizer.get("type") == "BertNormalizer"
        and all(normalizer.get(k) for k in ("lowercase", "clean_text", "handle_chinese_chars"))
        and normalizer.get("strip_accents") is not False
    )


def _foreign_tokenizer(path: Path) -> tuple[Pieces, int]:
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    model = _read_json(path)["model"]
    unknown = tokenizer.token_to_id(model.get("unk_token") or "")
    if unknown is None:
        unknown = model.get("unk_id")

    def pieces(text: str) -> list[int]:
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        return [id for id in ids if id != unknown]

    return pieces, max(tokenizer.get_vocab().values()) + 1


def _read_json(path: Path) -> dict[str, Any]:
    try:
        settings = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise InvalidInput(f"{path} is not JSON: {error}") from error
    if not isinstance(settings, dict):
        raise InvalidInput(f"{path} holds no object; name a folder in model2vec format")
    return settings
