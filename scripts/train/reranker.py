"""Train the re-ranker: question and text read together, the gold against what is mistaken for it.

Needs torch, transformers and tokenizers beside ricordo:

    python scripts/train/reranker.py PAIRS BASE TARGET --encoder DIR --passes 3

PAIRS, BASE and TARGET as for the encoder; DIR is what its training wrote: it finds the texts that
are nearest to a question, and the re-ranker begins with its weights.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from bert import Tokens, descend, encode, load_bert, make_optimiser, pool, rate_at
from encoder import LIMITS, keep
from pairs import TALKS, PairSet, cut_speaker, read_all_sets, read_held_out, split_sets
from torch.nn import functional

from ricordo.embed.reranker import QUESTION_PIECES, TEXT_PIECES

CUTS = (QUESTION_PIECES, TEXT_PIECES)
HARD, RANDOM = 7, 1  # texts that are not golds, for each gold
REACH = 16  # hard ones are drawn from so many texts nearest to the question
FROZEN = 1  # layers that stay the encoder's
GROUPS = 24  # questions of a step
SILENT, SILENT_TEXTS = 3, 5  # questions without an answer in a step, and texts of each
ABSOLUTE = 0.3  # the share of the loss that looks at one text alone


class CrossEncoder(torch.nn.Module):
    """MiniLM over question and text, and a small head on the mean of its states."""

    def __init__(self, bert: Any) -> None:
        super().__init__()
        self.bert = bert
        width = bert.config.hidden_size
        self.head = torch.nn.Sequential(
            torch.nn.Linear(width, width), torch.nn.Tanh(), torch.nn.Linear(width, 1)
        )

    def read(self, tokens: Tokens, pairs: Sequence[tuple[str, str]]) -> torch.Tensor:
        """Return one logit for each pair of question and text."""
        rows = [tokens.pair(question, text, CUTS) for question, text in pairs]
        logits: torch.Tensor = self.head(pool(self.bert, rows)).squeeze(-1)
        return logits


@dataclass(frozen=True, slots=True)
class Case:
    """A question, its golds, and the other texts of its set, those nearest to it first."""

    question: str
    golds: tuple[str, ...]
    others: tuple[str, ...]
    is_talk: bool


def find_cases(bert: Any, tokens: Tokens, source: PairSet) -> list[Case]:
    """Sort the texts of a set by their nearness to each of its questions."""
    bert.eval()
    with torch.no_grad():
        texts = encode(bert, tokens, source.texts, LIMITS[1])
        asked = encode(bert, tokens, [each.text for each in source.questions], LIMITS[0])
    orders = (asked @ texts.T).argsort(1, descending=True).tolist()
    return [
        Case(
            question.text,
            tuple(source.texts[index] for index in question.golds),
            tuple(source.texts[index] for index in order if index not in question.golds),
            source.kind in TALKS,
        )
        for question, order in zip(source.questions, orders, strict=True)
    ]


def draw_group(case: Case, rng: random.Random, reach: int = REACH) -> list[tuple[str, str]]:
    """Return a gold first, then near and far texts that are none; some lose their speakers."""
    near = rng.sample(case.others[:reach], min(HARD, len(case.others[:reach])))
    far = rng.sample(case.others[reach:], min(HARD + RANDOM - len(near), len(case.others[reach:])))
    bare = case.is_talk and rng.random() < 0.4
    shown = [rng.choice(case.golds), *near, *far]
    return [(case.question, cut_speaker(text) if bare else text) for text in shown]


def compare_groups(logits: torch.Tensor) -> torch.Tensor:
    """Return the loss of groups whose first text is the gold: list-wise, and each text alone."""
    target = torch.zeros_like(logits)
    target[:, 0] = 1
    alone = functional.binary_cross_entropy_with_logits(
        logits, target, pos_weight=torch.tensor(4.0)
    )
    return -functional.log_softmax(logits, 1)[:, 0].mean() + ABSOLUTE * alone


def learn(
    model: CrossEncoder, tokens: Tokens, groups: list[list[tuple[str, str]]], silent: list[Case]
) -> torch.Tensor:
    """Return the loss of groups and of questions that nothing answers."""
    refused = [(case.question, text) for case in silent for text in case.others[:SILENT_TEXTS]]
    logits = model.read(tokens, [pair for group in groups for pair in group] + refused)
    count = len(groups) * len(groups[0])
    none = functional.binary_cross_entropy_with_logits(logits[count:], torch.zeros(len(refused)))
    return compare_groups(logits[:count].view(len(groups), -1)) + ABSOLUTE * none


def validate(
    model: CrossEncoder, tokens: Tokens, cases: Sequence[Case], depth: int = 8
) -> tuple[float, float]:
    """Return top-1 among golds and the nearest texts, and AUROC of questions with an answer."""
    model.eval()
    firsts, answered, silent = [], [], []
    with torch.no_grad():
        for case in cases:
            shown = [*case.golds, *case.others[:depth]]
            logits = model.read(tokens, [(case.question, text) for text in shown]).tolist()
            (answered if case.golds else silent).append(max(logits))
            if case.golds:
                firsts.append(logits.index(max(logits)) < len(case.golds))
    model.train()
    wins = sum((a > s) + 0.5 * (a == s) for a in answered for s in silent)
    return sum(firsts) / len(firsts), wins / max(1, len(answered) * len(silent))


def freeze_layers(model: CrossEncoder) -> None:
    """Keep the first layers as they are; a step then spends nothing on their gradients."""
    for part in (model.bert.embeddings, *model.bert.encoder.layer[:FROZEN]):
        part.requires_grad_(False)


def find_judged(bert: Any, tokens: Tokens, sets: Sequence[PairSet]) -> list[Case]:
    """Return every eighth question of the held-out sets, and all that nothing answers."""
    found = [case for each in sets for case in find_cases(bert, tokens, each)]
    return [c for n, c in enumerate(c for c in found if c.golds) if n % 8 == 0] + [
        case for case in found if not case.golds
    ]


def train(arguments: argparse.Namespace) -> None:
    """Train until the passes are done or the time is up; keep the weights after every pass."""
    rng = random.Random(arguments.seed)
    torch.manual_seed(arguments.seed)
    learnt, apart = split_sets(read_all_sets(arguments.pairs), read_held_out())
    tokens, bert = Tokens(arguments.base), load_bert(arguments.base)
    bert.load_state_dict(torch.load(arguments.encoder / "weights.pt"))
    found = [case for each in learnt for case in find_cases(bert, tokens, each)]
    judged = find_judged(bert, tokens, apart)
    model = CrossEncoder(bert)
    freeze_layers(model)
    model.train()
    optimiser = make_optimiser(model)
    begun = time.monotonic()
    for step, share, groups, silent in draw_steps(found, rng, arguments, begun):
        loss = learn(model, tokens, groups, silent)
        descend(loss, model, optimiser, rate_at(step, share, arguments.rate))
        print(
            f"step {step + 1} loss {loss.item():.3f} {time.monotonic() - begun:.0f} s {share:.3f}"
        )
        if (step + 1) % (sum(1 for case in found if case.golds) // GROUPS // 2) == 0:
            keep(model, arguments.target)
            first, silence = validate(model, tokens, judged)
            print(f"at {share:.2f}: held-out top-1 {first:.3f} AUROC {silence:.3f}")
    keep(model, arguments.target)


Step = tuple[int, float, list[list[tuple[str, str]]], list[Case]]


def draw_steps(
    found: Sequence[Case], rng: random.Random, arguments: argparse.Namespace, begun: float
) -> Iterator[Step]:
    """Yield each step: its number, the share of the training that is done, and what it reads."""
    cases, silent = [c for c in found if c.golds], [c for c in found if not c.golds]
    one_pass = len(cases) // GROUPS
    for step in range(one_pass * arguments.passes):
        minutes = (time.monotonic() - begun) / 60
        share = max(step / (one_pass * arguments.passes), minutes / arguments.minutes)
        if share >= 1:
            return
        if step % one_pass == 0:
            rng.shuffle(cases)
        at = step % one_pass * GROUPS
        groups = [draw_group(case, rng) for case in cases[at : at + GROUPS]]
        yield step, share, groups, rng.sample(silent, SILENT)


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument(
        "--minutes", type=float, default=180, help="end after so long at the latest"
    )
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    chosen = read_arguments()
    torch.set_num_threads(chosen.threads)
    train(chosen)
