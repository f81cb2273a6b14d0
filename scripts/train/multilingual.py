"""Train the multilingual encoder: each question against the texts of its space.

Needs torch, transformers, tokenizers and onnx beside ricordo:

    python scripts/train/multilingual.py PAIRS SOURCE TARGET --hold l_de,l_ja

PAIRS is the folder of the pairs, SOURCE the file that `scripts/build_multilingual.py` reads, TARGET
a folder for the weights, kept after every pass. English spaces are compared with each other, a
space in another language only with itself: texts in other languages are easy to tell apart, and a
model that learns to do so no longer finds an answer in another language than the question. The
vectors of the pieces stay as they are bundled; training them gained nothing.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from bert import descend, make_optimiser, rate_at
from encoder import LIMITS, TEMPERATURE, compare, report
from pairs import Batch, PairSet, draw_batch, read_all_sets, read_held_out, split_sets
from torch.nn.functional import layer_norm, normalize, pad

from ricordo.embed.multilingual import FOLDER, unpack_rows
from ricordo.embed.unigram import END, Unigram

sys.path.append(str(Path(__file__).parents[1]))
from build_multilingual import ADJUST, COMBINE, HIDDEN, NORM, ORDERS, Source, name_filter

SPACES, QUESTIONS, TEXTS = 4, 40, 110  # of a step
OTHER_LANGUAGES = 0.4  # the share of spaces that are not English
FORGET = 0.1  # the share of pieces of a text that a step leaves out
PULL = 1e-3  # how far a step draws the weights back to the published ones
UNREAD = frozenset({"l_hi"})  # the vocabulary has no pieces for it
WIDTH = 64  # texts that are computed together


class Encoder(torch.nn.Module):
    """The encoder for many texts at once; its parameters have the names of the published ones."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        names = [*NORM, *COMBINE, *HIDDEN, *ADJUST, *(n for o in ORDERS for n in name_filter(o))]
        self.names = {name: f"weight_{place}" for place, name in enumerate(names)}
        for name, place in self.names.items():
            self.register_parameter(
                place, torch.nn.Parameter(torch.from_numpy(source.weights(name).copy()))
            )

    def take(self, names: Sequence[str]) -> list[Any]:
        return [getattr(self, self.names[name]) for name in names]

    def forward(self, pieces: Any, mask: Any) -> Any:
        """The vectors of texts; `mask` is 1 where a text has a piece."""
        seen = [pieces]
        for order, before in ORDERS.items():
            kernel, bias, gamma, beta, *layers = self.take(name_filter(order))
            found = layer_norm(pieces @ kernel + bias, (256,), gamma, beta, 1e-6) * mask
            for filters, shift in zip(layers[::2], layers[1::2], strict=True):
                wide = pad(found, (0, 0, before, order - 1 - before))
                beside = [wide[:, n : n + pieces.shape[1]] for n in range(order)]
                found = (found + torch.relu(torch.cat(beside, 2) @ filters + shift)) * mask
            seen.append(found)
        joined = layer_norm(torch.cat(seen, 2), (1280,), *self.take(NORM), 1e-6)
        kernel, bias = self.take(COMBINE)
        total = ((joined @ kernel + bias) * mask).sum(1) / mask.sum(1).sqrt()
        hidden, adjust = self.take(HIDDEN), self.take(ADJUST)
        first = torch.relu(total @ hidden[0])
        second = torch.relu(total @ adjust[0] + first @ hidden[1])
        third = torch.relu(second @ hidden[2])
        return torch.tanh(second @ adjust[1] + third @ hidden[3])

    def list_weights(self) -> dict[str, torch.Tensor]:
        return {name: getattr(self, place).detach() for name, place in self.names.items()}


class Reader:
    """Texts to the vectors of their pieces, as the bundled model reads them."""

    def __init__(self, rng: random.Random) -> None:
        self._table = np.load(FOLDER / "table.npy", mmap_mode="r")
        tokenizer = Unigram.read(FOLDER / "pieces.txt")
        self._split = lru_cache(None)(lambda text: tokenizer.encode([text])[0])
        self._rng = rng

    def read(self, text: str, limit: int, forget: float) -> list[int]:
        ids = self._split(text)
        ids = ids if len(ids) <= limit else [*ids[: limit - 1], END]
        kept = [id for id in ids[1:-1] if self._rng.random() >= forget] if forget else ids[1:-1]
        return [ids[0], *(kept or ids[1:-1]), ids[-1]]

    def stack(self, rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """The vectors of the pieces of rows, padded to the longest, and the mask."""
        longest = max(map(len, rows))
        vectors = np.zeros((len(rows), longest, 512), np.float32)
        mask = np.zeros((len(rows), longest, 1), np.float32)
        for place, row in enumerate(rows):
            unpack_rows(self._table[list(row)], vectors[place, : len(row)])
            mask[place, : len(row)] = 1
        return torch.from_numpy(vectors), torch.from_numpy(mask)

    def encode(
        self, encoder: Encoder, texts: Sequence[str], limit: int, forget: float = 0.0
    ) -> torch.Tensor:
        """The unit vectors of texts, computed in groups of similar length."""
        rows = [self.read(text, limit, forget) for text in texts]
        order = sorted(range(len(rows)), key=lambda index: len(rows[index]))
        found = [
            encoder(*self.stack([rows[index] for index in order[at : at + WIDTH]]))
            for at in range(0, len(order), WIDTH)
        ]
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return normalize(torch.cat(found)[back], dim=1)


def draw_step(
    english: Sequence[PairSet], others: Sequence[PairSet], rng: random.Random
) -> list[Batch]:
    """Draw what one step learns from: the English spaces together, each other one alone."""
    count = sum(rng.random() < OTHER_LANGUAGES for _ in range(SPACES))
    wanted = [(others, 1)] * count + [(english, SPACES - count)] * (count < SPACES)
    return [
        draw_batch(sets, rng, spaces=spaces, questions=QUESTIONS, texts=TEXTS)
        for sets, spaces in wanted
    ]


def learn(encoder: Encoder, reader: Reader, batches: Sequence[Batch]) -> torch.Tensor:
    """Return the loss of one step; each question counts alike."""
    losses = []
    for batch in batches:
        texts = reader.encode(encoder, batch.texts, LIMITS[1], FORGET)
        questions = reader.encode(encoder, batch.questions, LIMITS[0], FORGET)
        loss = compare(questions @ texts.T / TEMPERATURE, batch.golds)
        losses.append(loss * len(batch.questions))
    return torch.stack(losses).sum() / sum(len(batch.questions) for batch in batches)


def validate(encoder: Encoder, reader: Reader, sets: Sequence[PairSet]) -> tuple[float, float]:
    """Return the means over sets of top-1 and of the reciprocal rank, by cosine alone."""
    firsts, ranks = [], []
    with torch.no_grad():
        for each in sets:
            texts = reader.encode(encoder, each.texts, LIMITS[1])
            asked = each.answerable
            scores = reader.encode(encoder, [q.text for q in asked], LIMITS[0]) @ texts.T
            best = [row[list(q.golds)].max() for row, q in zip(scores, asked, strict=True)]
            rank = [int((row > top).sum()) + 1 for row, top in zip(scores, best, strict=True)]
            firsts.append(sum(r == 1 for r in rank) / len(rank))
            ranks.append(sum(1 / r for r in rank) / len(rank))
    return sum(firsts) / len(sets), sum(ranks) / len(sets)


def train(arguments: argparse.Namespace) -> None:
    """Train, validate after every pass, and keep the weights."""
    rng = random.Random(arguments.seed)
    torch.manual_seed(arguments.seed)
    english, apart = split_sets(read_all_sets(arguments.pairs), read_held_out())
    hold = frozenset(filter(None, arguments.hold.split(",")))
    every = read_all_sets(arguments.pairs, "l_*.json")
    every = [each for each in every if each.name not in UNREAD]
    others, foreign = split_sets(every, hold)
    reader, encoder = Reader(rng), Encoder(Source(arguments.source))
    published = [each.detach().clone() for each in encoder.parameters()]
    optimiser = make_optimiser(encoder)
    one_pass = sum(len(s.answerable) for s in (*english, *others)) // (SPACES * QUESTIONS)
    steps = int(one_pass * arguments.passes)
    for step in range(steps):
        if step % one_pass == 0:
            report_all(f"step {step}", encoder, reader, apart, foreign)
        loss = learn(encoder, reader, draw_step(english, others, rng))
        descend(loss, encoder, optimiser, rate_at(step, step / steps, arguments.rate))
        with torch.no_grad():
            for weight, before in zip(encoder.parameters(), published, strict=True):
                weight.lerp_(before, PULL)
        print(f"step {step + 1}/{steps} loss {loss.item():.3f}", flush=True)
    report_all("end", encoder, reader, apart, foreign)
    arguments.target.mkdir(parents=True, exist_ok=True)
    torch.save(encoder.list_weights(), arguments.target / "weights.pt")


def report_all(name: str, encoder: Encoder, reader: Reader, *groups: Sequence[PairSet]) -> None:
    """Print how the held-out sets are ranked, the English ones and the others."""
    for sets in filter(None, groups):
        report(f"{name}, {len(sets)} sets", validate(encoder, reader, sets))


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--hold", default="", help="sets in other languages to hold out")
    parser.add_argument("--passes", type=float, default=2)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    chosen = read_arguments()
    torch.set_num_threads(chosen.threads)
    train(chosen)
