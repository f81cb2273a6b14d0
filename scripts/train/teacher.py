"""Train a larger re-ranker on most of the spaces, and let it score all texts of the others.

Needs torch, transformers and tokenizers beside ricordo, and a GPU to end within minutes:

    python scripts/train/teacher.py PAIRS LARGER TARGET --base BASE --encoder DIR --fold 0

PAIRS, BASE and DIR as for the re-ranker, LARGER a folder with the upstream files of
sentence-transformers/all-mpnet-base-v2, TARGET a folder for the scores. Each of four teachers
learns from three quarters of the spaces and scores the quarter that it has not seen, so that a
student never learns what a teacher has by heart.

    python scripts/train/teacher.py --join TARGET

makes of the four files one, `lessons.npz`.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from bert import Tokens, descend, load_bert, make_optimiser, pool, rate_at
from pairs import Lessons, PairSet, ask_elsewhere, read_all_sets, read_held_out, split_sets
from reranker import CrossEncoder, draw_steps, find_cases, find_judged, learn_answers, validate

FOLDS = 4
CUTS = (48, 128)  # word pieces of a question and of a text
AT_ONCE = 4096  # pairs that are scored together


def is_in_fold(sets: Sequence[PairSet], fold: int) -> dict[str, bool]:
    """Return for each set whether it is one that a teacher leaves out: a quarter of each kind."""
    kinds: dict[str, list[str]] = {}
    for each in sets:
        kinds.setdefault(each.kind, []).append(each.name)
    order = [name for kind in sorted(kinds) for name in sorted(kinds[kind])]
    return {name: place % FOLDS == fold for place, name in enumerate(order)}


def score(model: Any, tokens: Tokens, source: PairSet, questions: Sequence[str]) -> np.ndarray:
    """Return the logit of every question with every text of a set."""
    rows = [tokens.pair(q, text, CUTS) for q in questions for text in source.texts]
    found = []
    with torch.no_grad():
        for at in range(0, len(rows), AT_ONCE):
            found.append(model.head(pool(model.bert, rows[at : at + AT_ONCE]))[:, 0].float().cpu())
    return torch.cat(found).numpy().reshape(len(questions), len(source.texts))


def train(arguments: argparse.Namespace) -> None:
    """Train one teacher, say how it does on the held-out sets, and write what it scores."""
    rng = random.Random(arguments.fold)
    torch.manual_seed(arguments.fold)
    sets, apart = split_sets(read_all_sets(arguments.pairs), read_held_out())
    left_out = is_in_fold(sets, arguments.fold)
    found, judged = find_near(arguments, [s for s in sets if not left_out[s.name]], apart)
    tokens, model = Tokens(arguments.larger), CrossEncoder(load_bert(arguments.larger))
    model.train()
    optimiser = make_optimiser(model)
    begun = time.monotonic()
    for step, share, drawn in draw_steps(found, rng, arguments, begun):
        loss = learn_answers(model, tokens, drawn, CUTS)
        descend(loss, model, optimiser, rate_at(step, share, arguments.rate, warm=60))
        if step % 50 == 0:
            print(f"{step} loss {loss.item():.3f} {time.monotonic() - begun:.0f} s", flush=True)
    first, silence = validate(model, tokens, judged, CUTS)
    print(f"held-out top-1 {first:.3f} AUROC {silence:.3f}", flush=True)
    model.eval()
    scored = {}
    for each in (each for each in sets if left_out[each.name]):
        questions = [q.text for q in (*each.questions, *ask_elsewhere(each, sets))]
        scored[each.name] = questions, score(model, tokens, each, questions)
    arguments.target.mkdir(parents=True, exist_ok=True)
    Lessons.keep(arguments.target / f"fold-{arguments.fold}.npz", scored)
    print(f"scored {len(scored)} sets, {time.monotonic() - begun:.0f} s", flush=True)


def find_near(
    arguments: argparse.Namespace, sets: Sequence[PairSet], apart: Sequence[PairSet]
) -> tuple[list[Any], list[Any]]:
    """Return the questions to learn from and to judge by, with the texts the encoder finds near."""
    tokens, bert = Tokens(arguments.base), load_bert(arguments.base)
    bert.load_state_dict(torch.load(arguments.encoder / "weights.pt"))
    found = [case for each in sets for case in find_cases(bert, tokens, each)]
    return found, find_judged(bert, tokens, apart)


def join(target: Path) -> None:
    """Write one file of the scores of all teachers."""
    found: dict[str, tuple[list[str], np.ndarray]] = {}
    for fold in range(FOLDS):
        with np.load(target / f"fold-{fold}.npz") as scored:
            for name in (each for each in scored.files if not each.endswith(".questions")):
                found[name] = scored[f"{name}.questions"].tolist(), scored[name]
    Lessons.keep(target / "lessons.npz", found)
    print(f"lessons for {len(found)} sets in {target / 'lessons.npz'}")


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("larger", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--fold", type=int, required=True)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=180)
    parser.add_argument("--rate", type=float, default=4e-5)
    return parser.parse_args()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--join"]:
        join(Path(sys.argv[2]))
    else:
        train(read_arguments())
