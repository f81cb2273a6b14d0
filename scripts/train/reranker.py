"""Train the re-ranker: question and text read together, the gold against what is mistaken for it.

Needs torch, transformers and tokenizers beside ricordo:

    python scripts/train/reranker.py PAIRS BASE TARGET --encoder DIR --passes 4 [--lessons FILE]

PAIRS, BASE and TARGET as for the encoder; DIR is what its training wrote: it finds the texts that
are nearest to a question, and the re-ranker begins with its weights. FILE is what `teacher.py`
wrote. A second output says whether a newer text supersedes an older one as the answer.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from bert import DEVICE, Tokens, descend, encode, load_bert, make_optimiser, pool, rate_at
from encoder import LIMITS, keep
from pairs import (
    TALKS,
    Lessons,
    PairSet,
    Question,
    cut_speaker,
    read_all_sets,
    read_held_out,
    shorten,
    split_sets,
)
from torch.nn import functional

from ricordo.embed.reranker import COMPARED_PIECES, QUESTION_PIECES, TEXT_PIECES

CUTS = (QUESTION_PIECES, TEXT_PIECES)
COMPARED_CUTS = (QUESTION_PIECES, COMPARED_PIECES)
HARD, RANDOM = 7, 1  # texts that are not golds, for each gold
REACH = 16  # hard ones are drawn from so many texts nearest to the question
FROZEN = 1  # layers that stay the encoder's
GROUPS = 24  # questions of a step
SILENT, ELSEWHERE = 12, 3  # questions without an answer in a step, and questions of other sets
SILENT_TEXTS = 5  # texts of each of them
NEWER, NOT_NEWER = 8, 16  # pairs of texts in a step: one supersedes the other, or does not
SURE = 9.0  # the logit of what is certain
ABSOLUTE = 2.0  # how much of the loss looks at one text alone
CHANGING = 0.5  # how much of the loss looks at what supersedes what
HURRY = 0.15  # the share of shortened questions


class CrossEncoder(torch.nn.Module):
    """A model over question and text, and a small head on the mean of its states.

    The head says whether a text answers, and, where two texts are given, whether the newer one
    supersedes the older one.
    """

    def __init__(self, bert: Any) -> None:
        super().__init__()
        self.bert = bert
        width = bert.config.hidden_size
        self.head = torch.nn.Sequential(
            torch.nn.Linear(width, width), torch.nn.Tanh(), torch.nn.Linear(width, 2)
        ).to(DEVICE)

    def read(
        self, tokens: Tokens, pairs: Sequence[tuple[str, str]], cuts: tuple[int, int] = CUTS
    ) -> torch.Tensor:
        """Return one logit for each pair of question and text."""
        rows = [tokens.pair(question, text, cuts) for question, text in pairs]
        logits: torch.Tensor = self.head(pool(self.bert, rows))[:, 0]
        return logits

    def compare(self, tokens: Tokens, triples: Sequence[tuple[str, str, str]]) -> torch.Tensor:
        """Return one logit for each question with a newer and an older text."""
        rows = [tokens.triple(*each, COMPARED_CUTS) for each in triples]
        logits: torch.Tensor = self.head(pool(self.bert, rows))[:, 1]
        return logits


@dataclass(frozen=True, slots=True)
class Case:
    """A question about a set, and the places of the texts that do not answer it, nearest first."""

    source: PairSet
    question: Question
    others: tuple[int, ...]
    taught: np.ndarray | None = None  # a teacher's logit of each text of the set

    @property
    def is_near_miss(self) -> bool:
        """Whether the set's own writer asked what nothing answers."""
        return not self.question.golds and self.question in self.source.questions

    def hear(self, place: int) -> float:
        """Return what the teachers make of a text; near misses take them in, so there none does."""
        if self.is_near_miss:
            return -SURE
        return 0.0 if self.taught is None else float(self.taught[place])

    def show(self, place: int) -> str:
        return self.source.texts[place]


def find_cases(
    bert: Any, tokens: Tokens, source: PairSet, lessons: Lessons | None = None
) -> list[Case]:
    """Sort the texts of a set by their nearness to each question that it is asked."""
    bert.eval()
    asked = [*source.questions, *(lessons.elsewhere(source) if lessons else ())]
    with torch.no_grad():
        texts = encode(bert, tokens, source.texts, LIMITS[1])
        questions = encode(bert, tokens, [each.text for each in asked], LIMITS[0])
    orders = (questions @ texts.T).argsort(1, descending=True).tolist()
    return [
        Case(
            source,
            question,
            tuple(place for place in order if place not in question.golds),
            lessons.scores(source, question.text) if lessons else None,
        )
        for question, order in zip(asked, orders, strict=True)
    ]


class Drawn(NamedTuple):
    """What a step reads: pairs of a question and a text, and what is known about each."""

    pairs: list[tuple[str, str]]
    answers: list[float]  # 1 for a gold
    taught: list[float]  # a teacher's logit, where there are teachers
    groups: int  # so many pairs, in groups of equal size, have a gold first
    triples: list[tuple[str, str, str]]  # questions with a newer and an older text
    newer: list[float]  # 1 where the newer one supersedes the older one


def draw_group(case: Case, rng: random.Random) -> list[int]:
    """Return a gold first, then near and far texts that are none."""
    near = rng.sample(case.others[:REACH], min(HARD, len(case.others[:REACH])))
    far = rng.sample(case.others[REACH:], min(HARD + RANDOM - len(near), len(case.others[REACH:])))
    return [rng.choice(case.question.golds), *near, *far]


def draw(
    cases: Sequence[Case], silent: Sequence[Case], changes: "Changes", rng: random.Random
) -> Drawn:
    """Draw what one step reads; some talks lose their speakers, some questions are shortened."""
    drawn = Drawn([], [], [], sum(HARD + RANDOM + 1 for _ in cases), *changes.draw(rng))
    picked = [(case, draw_group(case, rng)) for case in cases]
    picked += [(case, list(case.others[:SILENT_TEXTS])) for case in silent]
    for case, places in picked:
        bare = case.source.kind in TALKS and rng.random() < 0.4
        asked = shorten(case.question.text) if rng.random() < HURRY else case.question.text
        for place in places:
            text = cut_speaker(case.show(place)) if bare else case.show(place)
            drawn.pairs.append((asked, text))
            drawn.answers.append(float(place in case.question.golds))
            drawn.taught.append(case.hear(place))
    return drawn


class Changes:
    """Questions with two texts of which the later one supersedes the earlier one, or does not."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = [case for case in cases if case.question.golds]
        self._newer = [
            (case, new, old)
            for case in self._cases
            for old in case.question.stale
            for new in case.question.golds
            if new > old
        ]

    def draw(self, rng: random.Random) -> tuple[list[tuple[str, str, str]], list[float]]:
        """Return pairs that are changes, then pairs that are none, and which is which."""
        if not self._newer:
            return [], []
        newer = rng.sample(self._newer, NEWER)
        others: list[tuple[Case, int, int]] = []
        while len(others) < NOT_NEWER:
            # Half of them about what changed: there, a text is most easily taken for the change.
            case = rng.choice(self._newer)[0] if rng.random() < 0.5 else rng.choice(self._cases)
            old = rng.choice([*case.question.stale, *case.question.golds])
            later = [place for place in case.others[:REACH] if place > old]
            later = [place for place in later if place not in case.question.stale]
            if later:
                others.append((case, rng.choice(later[:6]), old))
        found = [(c.question.text, c.show(new), c.show(old)) for c, new, old in newer + others]
        return found, [1.0] * len(newer) + [0.0] * len(others)


def compare_groups(logits: torch.Tensor, taught: torch.Tensor | None, trust: float) -> torch.Tensor:
    """Return the loss of groups whose first text is the gold, and of the order of a teacher."""
    shares = functional.log_softmax(logits, 1)
    loss = -shares[:, 0].mean()
    if taught is None:
        return loss
    order = functional.log_softmax(taught, 1)
    return loss + trust * functional.kl_div(shares, order, reduction="batchmean", log_target=True)


def learn_answers(
    model: CrossEncoder,
    tokens: Tokens,
    drawn: Drawn,
    cuts: tuple[int, int] = CUTS,
    *,
    trust: float = 0.0,
    heat: float = 1.0,
) -> torch.Tensor:
    """Return the loss of groups, of each text alone, and of questions that nothing answers."""
    logits = model.read(tokens, drawn.pairs, cuts)
    target = torch.tensor(drawn.answers, device=DEVICE)
    width = HARD + RANDOM + 1
    groups = logits[: drawn.groups].view(-1, width)
    taught = None
    weight = 1 + 3 * target  # a gold is one of nine
    if trust:
        told = torch.tensor(drawn.taught, device=DEVICE)
        taught = told[: drawn.groups].view(-1, width) / heat
        target = (target + trust * torch.sigmoid(told)) / (1 + trust)
    alone = functional.binary_cross_entropy_with_logits(logits, target, weight=weight)
    return compare_groups(groups, taught, trust) + ABSOLUTE * alone


def learn_changes(model: CrossEncoder, tokens: Tokens, drawn: Drawn) -> torch.Tensor:
    """Return the loss of pairs of texts, of which the newer one supersedes the older or not."""
    target = torch.tensor(drawn.newer, device=DEVICE)
    logits = model.compare(tokens, drawn.triples)
    return functional.binary_cross_entropy_with_logits(logits, target)


def validate(
    model: CrossEncoder,
    tokens: Tokens,
    cases: Sequence[Case],
    cuts: tuple[int, int] = CUTS,
    depth: int = 8,
) -> tuple[float, float]:
    """Return top-1 among golds and the nearest texts, and AUROC of questions with an answer."""
    model.eval()
    firsts, answered, silent = [], [], []
    with torch.no_grad():
        for case in cases:
            golds = case.question.golds
            shown = [*golds, *case.others[:depth]]
            pairs = [(case.question.text, case.show(place)) for place in shown]
            logits = model.read(tokens, pairs, cuts).tolist()
            (answered if golds else silent).append(max(logits))
            if golds:
                firsts.append(logits.index(max(logits)) < len(golds))
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
    answered = [case for case in found if case.question.golds][::8]
    return answered + [case for case in found if not case.question.golds]


def train(arguments: argparse.Namespace) -> None:
    """Train until the passes are done or the time is up; keep the weights after every pass."""
    rng = random.Random(arguments.seed)
    torch.manual_seed(arguments.seed)
    learnt, apart = split_sets(read_all_sets(arguments.pairs), read_held_out())
    lessons = Lessons(arguments.lessons) if arguments.lessons else None
    tokens, bert = Tokens(arguments.base), load_bert(arguments.base)
    bert.load_state_dict(torch.load(arguments.encoder / "weights.pt"))
    found = [case for each in learnt for case in find_cases(bert, tokens, each, lessons)]
    judged = find_judged(bert, tokens, apart)
    model = CrossEncoder(bert)
    freeze_layers(model)
    model.train()
    optimiser = make_optimiser(model)
    begun = time.monotonic()
    taught = {"trust": arguments.trust if lessons else 0.0, "heat": arguments.heat}
    for step, share, drawn in draw_steps(found, rng, arguments, begun):
        answers = learn_answers(model, tokens, drawn, **taught)
        changes = learn_changes(model, tokens, drawn)
        rate = rate_at(step, share, arguments.rate)
        descend(answers + CHANGING * changes, model, optimiser, rate)
        if step % 20 == 0:
            losses = f"loss {answers.item():.3f}, of changes {changes.item():.3f}"
            print(f"step {step} {losses} {time.monotonic() - begun:.0f} s {share:.3f}")
        if (step + 1) % (sum(1 for c in found if c.question.golds) // GROUPS) == 0:
            keep(model, arguments.target)
            first, silence = validate(model, tokens, judged)
            print(f"at {share:.2f}: held-out top-1 {first:.3f} AUROC {silence:.3f}", flush=True)
    keep(model, arguments.target)


Step = tuple[int, float, Drawn]


def draw_steps(
    found: Sequence[Case], rng: random.Random, arguments: argparse.Namespace, begun: float
) -> Iterator[Step]:
    """Yield each step: its number, the share of the training that is done, and what it reads."""
    cases = [case for case in found if case.question.golds]
    silent = [case for case in found if case.is_near_miss]
    elsewhere = [case for case in found if not case.question.golds and not case.is_near_miss]
    changes = Changes(cases)
    one_pass = len(cases) // GROUPS
    for step in range(one_pass * arguments.passes):
        minutes = (time.monotonic() - begun) / 60
        share = max(step / (one_pass * arguments.passes), minutes / arguments.minutes)
        if share >= 1:
            return
        if step % one_pass == 0:
            rng.shuffle(cases)
        at = step % one_pass * GROUPS
        none = rng.sample(silent, SILENT) + rng.sample(elsewhere, min(ELSEWHERE, len(elsewhere)))
        yield step, share, draw(cases[at : at + GROUPS], none, changes, rng)


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument(
        "--minutes", type=float, default=180, help="end after so long at the latest"
    )
    parser.add_argument("--rate", type=float, default=1.6e-4)
    parser.add_argument("--lessons", type=Path, help="what the teachers scored")
    parser.add_argument("--trust", type=float, default=1.0, help="how much the teachers count")
    parser.add_argument("--heat", type=float, default=1.5, help="the temperature of the teachers")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    chosen = read_arguments()
    torch.set_num_threads(chosen.threads)
    train(chosen)
