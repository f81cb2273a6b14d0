"""Embedders: text to vectors. `resolve` turns what the user wrote into one, without loading it."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakValueDictionary

from ricordo.embed import hashing
from ricordo.embed.minilm import MiniLM
from ricordo.embed.multilingual import Multilingual
from ricordo.embed.unit import UnitEmbedder
from ricordo.errors import InvalidInput, Unavailable

if TYPE_CHECKING:
    from ricordo.embed.bundle import BundledEmbedder
    from ricordo.embed.reranker import Reranker
    from ricordo.embed.unit import Matrix

GROUP = "ricordo.embedders"
ACCEPTED = (
    '"bundled", "minilm", "multilingual", "hash", "static:/path/to/model", '
    '"https://host/v1#model", "none" or None, an object with embed(texts) and dim, '
    "or a name registered under " + GROUP
)


ENGLISH_ONLY = MiniLM.label  # what the fingerprint of the model begins with that reads no other
MANY_LANGUAGES = Multilingual.label
_BUNDLED: "dict[str, type[MiniLM] | type[Multilingual]]" = {
    kind.name: kind for kind in (MiniLM, Multilingual)
}
# Names by which other programs call models that are here.
_OTHER_NAMES = {"deterministic": "hash", "AllMiniLML6V2": "minilm", "all-MiniLM-L6-v2": "minilm"}
_NOT_BUNDLED = ("model2vec", "potion_8m", "potion_32m")  # and by which those that are not
MEANINGLESS = hashing.LABEL  # the fingerprint of vectors that say nothing about their texts
_in_use: "WeakValueDictionary[str, BundledEmbedder]" = WeakValueDictionary()


class Embedder(Protocol):
    """What recall needs: rows of unit length, or zero for blank text, under one fingerprint."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def fingerprint(self) -> str:
        """What is stored with each vector; it differs whenever vectors would differ."""

    @property
    def dim(self) -> int:
        """The length of each row."""

    def recognise(self, kept: Sequence[str]) -> str | None:
        """The fingerprint, told without reaching a server; None if only the server knows."""

    def embed(self, texts: Sequence[str]) -> "Matrix":
        """Return a float32 matrix with one row per text."""

    def embed_query(self, texts: Sequence[str]) -> "Matrix":
        """The same for questions, where a model reads them differently."""


@dataclass(frozen=True, slots=True)
class EmbedOptions:
    """Settings of embedders that reach over the network; the others ignore them."""

    dim: int | None = None  # spares the first question to the server
    timeout_seconds: float = 30.0
    attempts: int = 4
    wait: Callable[[float], None] = time.sleep
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)


def resolve(spec: object, *, options: EmbedOptions | None = None) -> Embedder | None:
    """Return the embedder that `spec` names, or None for none.

    Cheap: files are looked at, not loaded, and no server is asked. What is missing is an error now.
    """
    if spec is None or isinstance(spec, UnitEmbedder):
        return spec
    if isinstance(spec, str):
        return _resolve_name(spec, options or EmbedOptions())
    if callable(getattr(spec, "embed", None)) and not isinstance(spec, type):
        from ricordo.embed.adapter import AdaptedEmbedder

        return AdaptedEmbedder(spec)
    raise InvalidInput(f"embedder {spec!r} is not usable; give {ACCEPTED}")


def resolve_all(spec: object) -> tuple[Embedder, ...]:
    """Return the embedders that `spec` names: none, one, or a second one for other languages."""
    names = tuple(_BUNDLED) if spec == "bundled" else (spec,)
    found = (resolve(name) for name in names)
    return tuple(one for one in found if one is not None)


@lru_cache(maxsize=8)  # else every question would load it again
def built_in(fingerprint: str) -> Embedder | None:
    """Return the built-in embedder of a fingerprint: old vectors can be asked with it."""
    known = (resolve("minilm"), resolve("multilingual"), resolve("hash"))
    return next((one for one in known if one is not None and one.fingerprint == fingerprint), None)


@lru_cache(maxsize=1)
def reader() -> "Reranker | None":
    """The model that reads a question and a text together; None if it is not installed."""
    from ricordo.embed.reranker import Reranker

    try:
        return Reranker()
    except Unavailable:
        return None


def _resolve_name(spec: str, options: EmbedOptions) -> Embedder | None:
    spec = _OTHER_NAMES.get(spec, spec)
    kind, _, rest = spec.partition(":")
    if spec == "none":
        return None
    if spec in _BUNDLED:
        return _share_bundled(spec)
    if spec == "hash":
        from ricordo.embed.hashing import HashEmbedder

        return HashEmbedder()
    if kind == "static":
        return _static(rest)
    if kind.lower() in ("http", "https"):
        return _http(spec, options)
    return _call_factory(kind, rest)


def _share_bundled(name: str) -> Embedder:
    """A bundled model: every memory of the process uses the same, until none does."""
    found = _in_use.get(name)
    if found is None:
        found = _in_use[name] = _BUNDLED[name]()
    return found


def _static(path: str) -> Embedder:
    from ricordo.embed.static import StaticEmbedder

    if not path:
        raise InvalidInput('embedder "static" needs a path: "static:/path/to/model"')
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise InvalidInput(
            f"embedder static: {folder} is not a folder; give one in model2vec format"
        )
    return StaticEmbedder(folder)


def _http(url: str, options: EmbedOptions) -> Embedder:
    from ricordo.embed.http import HttpEmbedder

    return HttpEmbedder(
        url,
        environ=options.environ,
        dim=options.dim,
        timeout_seconds=options.timeout_seconds,
        attempts=options.attempts,
        wait=options.wait,
    )


def _call_factory(name: str, argument: str) -> Embedder | None:
    """Call the factory registered as `name`, with what follows the colon if anything does."""
    from importlib.metadata import entry_points  # here: it costs more to import than all of this

    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found and name in _NOT_BUNDLED:
        raise InvalidInput(
            f"embedder {name!r} is not bundled; download the model in model2vec format and give "
            '"static:/path/to/model"'
        )
    if name not in found:
        others = f" (installed: {', '.join(sorted(found))})" if found else ""
        raise InvalidInput(f"embedder {name!r} is not known; give {ACCEPTED}{others}")
    factory: Any = found[name].load()  # entry points carry no types
    made = factory(argument) if argument else factory()
    if made is None or isinstance(made, str):
        raise InvalidInput(
            f"embedder {name!r} made {made!r}, which is not an embedder; ask its author"
        )
    return resolve(made)


def _forget_models() -> None:
    """The locks of models may be held by threads of the parent."""
    _in_use.clear()
    built_in.cache_clear()
    reader.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_models)
