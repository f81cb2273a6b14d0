"""The bundled re-ranker: it reads a question and a text together. English only.

Its graph lies beside the encoder's in `models/minilm`, and both share one table of word pieces.
`scripts/train` makes it, and `docs/models.md` describes it.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from ricordo.embed import pieces
from ricordo.embed.bundle import BundledModel, open_session
from ricordo.embed.minilm import FOLDER
from ricordo.embed.pieces import WordPieces, share_pieces
from ricordo.errors import InvalidInput

QUESTION_PIECES = 40
TEXT_PIECES = 64
COMPARED_PIECES = 48  # of each of two texts that are compared
ANSWERS, SUPERSEDES = 0, 1  # the outputs of the graph
_SEARCHED = 1024  # pieces of a text among which the passage is sought


class RerankerParts(NamedTuple):
    """The parts that cost memory."""

    session: Any  # onnxruntime carries no types
    pieces: WordPieces


class Reranker(BundledModel):
    """How well each text answers a question, as a logit: 0 is undecided, higher is better; and
    whether a newer text supersedes an older one as the answer."""

    name = "re-ranker"
    home = FOLDER
    files = ("reranker.onnx", *pieces.FILES)

    def read(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one logit for each text; a text's logit does not depend on the other texts."""
        if isinstance(texts, str):
            raise InvalidInput(f"read() takes a list of texts, not the text {texts[:40]!r} itself")
        if not texts:
            return []
        with self._run() as loaded:
            asked = _cut_question(loaded, question)
            return [_run(loaded, asked, [(text, TEXT_PIECES)])[ANSWERS] for text in texts]

    def compare(self, question: str, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return one logit for each pair of a newer and an older text: does the newer one
        supersede the older one?"""
        if not pairs:
            return []
        with self._run() as loaded:
            asked = _cut_question(loaded, question)
            cut = [[(text, COMPARED_PIECES) for text in pair] for pair in pairs]
            return [_run(loaded, asked, texts)[SUPERSEDES] for texts in cut]

    @property
    def fingerprint(self) -> str:
        """What changes whenever the logits would."""
        return f"ricordo-reranker-2-int8-{self._digest_files()[:12]}"

    def _load(self, folder: Path) -> RerankerParts:
        return RerankerParts(open_session(folder / "reranker.onnx"), share_pieces(folder))


def _cut_question(loaded: RerankerParts, question: str) -> list[int]:
    return list(islice(loaded.pieces.tokenizer.pieces(question), QUESTION_PIECES))


def _run(
    loaded: RerankerParts, asked: list[int], texts: Sequence[tuple[str, int]]
) -> tuple[float, float]:
    """The two logits of a question and its texts, each with the most pieces of it to read."""
    import numpy as np

    tokenizer = loaded.pieces.tokenizer
    start, end = tokenizer.specials
    ids = [start, *asked, end]
    ends = [len(ids)]
    for text, most in texts:
        ids += cut_around(asked, list(islice(tokenizer.pieces(text), _SEARCHED)), most)
        ids.append(end)
        ends.append(len(ids))
    kinds = np.zeros((1, len(ids)), np.int64)
    kinds[0, ends[0] : ends[1]] = 1
    inputs = {"pieces": loaded.pieces.look_up(ids)[np.newaxis], "kinds": kinds}
    answers, supersedes = loaded.session.run(["score"], inputs)[0][0].tolist()
    return answers, supersedes


def cut_around(question: Sequence[int], text: Sequence[int], limit: int) -> list[int]:
    """Return the passage of a text, at most `limit` pieces, that shares most with a question.

    A piece counts less the more often the text has it. The first of equal passages is taken.
    """
    if len(text) <= limit:
        return list(text)
    wanted = set(question)
    places = [place for place, piece in enumerate(text) if piece in wanted]
    counts = {piece: text.count(piece) for piece in wanted}
    starts = {0, *(max(0, min(place - limit // 4, len(text) - limit)) for place in places)}

    def share(start: int) -> float:
        return sum(1 / counts[piece] for piece in wanted.intersection(text[start : start + limit]))

    best = max(sorted(starts), key=share)
    return list(text[best : best + limit])
