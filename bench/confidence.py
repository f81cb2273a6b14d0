"""How well confidence tells what a space speaks of from what it does not.

    make bench-confidence DATA=path/to/file
    python bench/confidence.py FILE [--embedder minilm]

Every conversation of FILE is asked its own questions and as many of the others, in which the names
of their speakers are exchanged for its own. Nothing but the public API is used.
"""

import argparse
import random
import re
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import ricordo
from retrieval import read
from ricordo.surfaces.cli.evaluation import Conversation, fill

BOUNDS = [tenth / 10 for tenth in range(11)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--embedder", default="minilm")
    given = parser.parse_args()
    talks = read(given.file)
    if len(talks) < 2:
        raise SystemExit(f"{given.file} holds one conversation; two or more ask each other")
    own: list[float] = []
    foreign: list[float] = []
    for number, talk in enumerate(talks):
        with ricordo.open(":memory:", embedder=given.embedder) as memory:
            fill(memory.space("eval"), talk)
            memory.flush()
            asked = [question.text for question in talk.questions if question.gold]
            own += [sure(memory.space("eval"), text) for text in asked]
            others = random.Random(number).sample(exchanged(talks, talk), len(asked))
            foreign += [sure(memory.space("eval"), text) for text in others]
    show(own, foreign)


def sure(space: ricordo.Space, text: str) -> float:
    """The best confidence among ten hits; none is no confidence."""
    return max((hit.confidence or 0.0 for hit in space.recall(text, 10)), default=0.0)


def exchanged(talks: list[Conversation], talk: Conversation) -> list[str]:
    """The questions of all the others, about the speakers of this one."""
    found = []
    for other in talks:
        if other is talk:
            continue
        pairs = list(zip(speakers(other), speakers(talk), strict=False))
        for question in other.questions:
            text = question.text
            for theirs, ours in pairs:
                text = re.sub(rf"\b{re.escape(theirs)}\b", ours, text)
            if question.gold:
                found.append(text)
    return found


def speakers(talk: Conversation) -> list[str]:
    return list(dict.fromkeys(said.speaker for said in talk.messages if said.speaker))


def show(own: list[float], foreign: list[float]) -> None:
    """AUROC, what a threshold keeps and refuses, and what each tenth holds."""
    wins = fmean((one > other) + (one == other) / 2 for one in own for other in foreign)
    print(f"{len(own)} own questions, {len(foreign)} foreign ones; AUROC {wins:.3f}")
    print("abstain   own kept   foreign refused")
    for bound in (0.3, 0.5, 0.7):
        kept = fmean(each >= bound for each in own)
        refused = fmean(each < bound for each in foreign)
        print(f"{bound:<10}{kept:<11.2f}{refused:.2f}")
    print("confidence   questions   own among them")
    for low, high in pairwise(BOUNDS):
        mine, theirs = (sum(low <= each < high for each in some) for some in (own, foreign))
        share = mine / max(1, mine + theirs)
        print(f"{low:.1f} to {high:.1f}   {mine + theirs:<12}{share:.2f}")


if __name__ == "__main__":
    main()
