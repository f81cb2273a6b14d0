"""Train the encoder: each question against every text of four spaces at once.

Needs torch, transformers and tokenizers beside ricordo:

    python scripts/train/encoder.py PAIRS BASE TARGET --passes 6 [--lessons FILE]

PAIRS is the folder of the pairs, BASE a folder with the upstream files of
sentence-transformers/all-MiniLM-L6-v2, TARGET a folder for the weights, kept after every pass.
FILE is what `teacher.py` wrote: the encoder then learns from the order of the teachers as well.
"""

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from bert import DEVICE, Tokens, descend, encode, load_bert, make_optimiser, rate_at
from pairs import (
    Batch,
    Lesson,
    Lessons,
    PairSet,
    draw_batch,
    read_all_sets,
    read_held_out,
    split_sets,
)
from torch.nn import functional

TEMPERATURE = 0.05
LIMITS = (48, 112)  # word pieces of a question and of a text
SPACES, QUESTIONS, TEXTS = 4, 40, 170  # of a step
FAR = -1e4  # the logit of what is no text
HURRY = 0.2  # the share of shortened questions


def compare(scores: torch.Tensor, golds: Sequence[Sequence[int]]) -> torch.Tensor:
    """Return the InfoNCE loss: each gold against all texts that are not golds of its question."""
    is_gold = torch.zeros_like(scores, dtype=torch.bool)
    for row, places in enumerate(golds):
        is_gold[row, list(places)] = True
    others = torch.logsumexp(scores.masked_fill(is_gold, FAR), 1, keepdim=True)
    share = scores - torch.logaddexp(others, scores)
    return -((share * is_gold).sum(1) / is_gold.sum(1)).mean()


def follow(scores: torch.Tensor, lessons: Sequence[Lesson], heat: float) -> torch.Tensor:
    """Return how far the order of each question's own texts is from that of the teachers."""
    longest = max(len(each.logits) for each in lessons)
    places = np.zeros((len(lessons), longest), np.int64)
    taught = np.full((len(lessons), longest), FAR, np.float32)
    for row, each in enumerate(lessons):
        places[row, : len(each.logits)] = np.arange(each.start, each.start + len(each.logits))
        taught[row, : len(each.logits)] = each.logits / heat
    logits = torch.from_numpy(taught).to(DEVICE)
    own = scores.gather(1, torch.from_numpy(places).to(DEVICE)).masked_fill(logits == FAR, FAR)
    shares = functional.log_softmax(own, 1), functional.log_softmax(logits, 1)
    return functional.kl_div(*shares, reduction="batchmean", log_target=True)


def learn(bert: Any, tokens: Tokens, batch: Batch, arguments: argparse.Namespace) -> torch.Tensor:
    """Return the loss of one step's questions and texts."""
    texts = encode(bert, tokens, batch.texts, LIMITS[1])
    questions = encode(bert, tokens, batch.questions, LIMITS[0])
    scores = questions @ texts.T / TEMPERATURE
    loss = compare(scores, batch.golds)
    if batch.lessons:
        loss = loss + arguments.trust * follow(scores, batch.lessons, arguments.heat)
    return loss


def validate(bert: Any, tokens: Tokens, sets: Sequence[PairSet]) -> tuple[float, float]:
    """Return the means over sets of top-1 and of the reciprocal rank, by cosine alone."""
    bert.eval()
    firsts, ranks = [], []
    with torch.no_grad():
        for each in sets:
            texts = encode(bert, tokens, each.texts, LIMITS[1])
            asked = each.answerable
            scores = encode(bert, tokens, [q.text for q in asked], LIMITS[0]) @ texts.T
            best = [row[list(q.golds)].max() for row, q in zip(scores, asked, strict=True)]
            rank = [int((row > top).sum()) + 1 for row, top in zip(scores, best, strict=True)]
            firsts.append(sum(r == 1 for r in rank) / len(rank))
            ranks.append(sum(1 / r for r in rank) / len(rank))
    bert.train()
    return sum(firsts) / len(sets), sum(ranks) / len(sets)


def train(arguments: argparse.Namespace) -> None:
    """Train, validate after every pass, and keep the weights as often as asked."""
    rng = random.Random(arguments.seed)
    torch.manual_seed(arguments.seed)
    learnt, apart = split_sets(read_all_sets(arguments.pairs), read_held_out())
    lessons = Lessons(arguments.lessons) if arguments.lessons else None
    tokens, bert = Tokens(arguments.base), load_bert(arguments.base)
    bert.train()
    optimiser = make_optimiser(bert)
    one_pass = sum(len(each.answerable) for each in learnt) // (SPACES * QUESTIONS)
    steps = one_pass * arguments.passes
    report("base", validate(bert, tokens, apart))
    begun = kept = time.monotonic()
    for step in range(steps):
        sizes = {"spaces": SPACES, "questions": QUESTIONS, "texts": TEXTS}
        batch = draw_batch(learnt, rng, lessons=lessons, hurry=arguments.hurry, **sizes)
        loss = learn(bert, tokens, batch, arguments)
        descend(loss, bert, optimiser, rate_at(step, step / steps, arguments.rate))
        if step % 20 == 0:
            print(f"step {step}/{steps} loss {loss.item():.3f} {time.monotonic() - begun:.0f} s")
        if (step + 1) % one_pass == 0 or time.monotonic() - kept > 600:
            keep(bert, arguments.target)
            kept = time.monotonic()
            if (step + 1) % one_pass == 0:
                report(f"pass {(step + 1) // one_pass}", validate(bert, tokens, apart))


def report(name: str, figures: tuple[float, float]) -> None:
    """Print how the held-out sets are ranked."""
    print(f"{name}: held-out top-1 {figures[0]:.3f} MRR {figures[1]:.3f}")


def keep(bert: Any, target: Path) -> None:
    """Write the weights; the last ones win."""
    target.mkdir(parents=True, exist_ok=True)
    torch.save(bert.state_dict(), target / "new.pt")
    (target / "new.pt").replace(target / "weights.pt")


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--passes", type=int, default=6)
    parser.add_argument("--rate", type=float, default=1.2e-4)
    parser.add_argument("--lessons", type=Path, help="what the teachers scored")
    parser.add_argument("--trust", type=float, default=1.0, help="how much the teachers count")
    parser.add_argument("--heat", type=float, default=1.5, help="the temperature of the teachers")
    parser.add_argument("--hurry", type=float, default=HURRY, help="share of shortened questions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    chosen = read_arguments()
    torch.set_num_threads(chosen.threads)
    train(chosen)
