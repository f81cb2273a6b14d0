"""Judge exported models: everyday sets, held-out pairs, silence, and sentences of every day.

Runs in the environment of ricordo; the models are those of a folder that `export.py` wrote:

    python scripts/train/evaluate.py FOLDER --everyday EVERYDAY --pairs PAIRS

Cosine alone first, then with the first eight texts read by the re-ranker, if the folder has one.
"""

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from pairs import read_all_sets, read_held_out, split_sets

from ricordo.embed.minilm import MiniLM
from ricordo.embed.reranker import Reranker

SENTENCES = Path(__file__).with_name("sentences.tsv")
CHUNK = 600  # characters of a passage of a document
READ = 8
LEANS = (0.1, 0.2, 0.4)  # what a logit counts against a cosine times ten

Order = Callable[["Space", int], list[int]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the places of its golds and of the texts they supersede."""

    text: str
    golds: frozenset[int]
    stale: frozenset[int]


@dataclass(frozen=True, slots=True)
class Space:
    """Texts with the item each belongs to, questions, and every cosine between them."""

    texts: list[str]
    items: list[int]
    questions: list[Asked]
    cosines: np.ndarray


def read_everyday(path: Path, encoder: MiniLM) -> Space:
    """Read a set as `bench/everyday.py` does: speakers in front, documents in passages."""
    raw = json.loads(path.read_text("utf-8"))
    place = {item["id"]: index for index, item in enumerate(raw["items"])}
    shown = [(text, place[item["id"]]) for item in raw["items"] for text in show(raw["kind"], item)]
    asked = [
        Asked(
            each["q"],
            frozenset(place[id] for id in each["gold"]),
            frozenset(place[id] for id in each.get("stale", ())),
        )
        for each in raw["questions"]
    ]
    return compare([text for text, _ in shown], [item for _, item in shown], asked, encoder)


def show(kind: str, item: dict[str, str]) -> list[str]:
    """Return the texts of an item."""
    if kind == "chat":
        return [f"{item.get('name') or item['role']}: {item['text']}"]
    return list(split_passages(item["text"])) if kind == "documents" else [item["text"]]


def split_passages(text: str) -> Iterator[str]:
    """Yield passages of whole paragraphs, of about the length of a chunk."""
    held = ""
    for paragraph in re.split(r"\n\s*\n", text):
        if held and len(held) + len(paragraph) > CHUNK:
            yield held
            held = ""
        held = f"{held}\n\n{paragraph}".strip()
    if held:
        yield held


def compare(texts: list[str], items: list[int], asked: list[Asked], encoder: MiniLM) -> Space:
    """Embed texts and questions and keep their cosines."""
    cosines = encoder.embed([each.text for each in asked]) @ encoder.embed(texts).T
    return Space(texts, items, asked, cosines)


def rank_by_cosine(space: Space, row: int) -> list[int]:
    """Return the places of texts, the nearest first."""
    return [int(place) for place in np.argsort(-space.cosines[row], kind="stable")]


def read_first(reader: Reranker, space: Space, row: int) -> dict[int, float]:
    """Return the logits of the first texts by cosine."""
    first = rank_by_cosine(space, row)[:READ]
    logits = reader.read(space.questions[row].text, [space.texts[place] for place in first])
    return dict(zip(first, logits, strict=True))


def measure(space: Space, orders: Sequence[list[int]]) -> dict[str, float]:
    """Return the figures of one set, over its questions that have an answer."""
    rows: dict[str, list[float]] = {"top-1": [], "hit@5": [], "MRR": [], "stale first": []}
    for asked, order in zip(space.questions, orders, strict=True):
        if not asked.golds:
            continue
        items = list(dict.fromkeys(space.items[place] for place in order))
        rank = min(items.index(gold) for gold in asked.golds) + 1
        rows["top-1"].append(rank == 1)
        rows["hit@5"].append(rank <= 5)
        rows["MRR"].append(1 / rank)
        if asked.stale:
            rows["stale first"].append(min(items.index(old) for old in asked.stale) + 1 < rank)
    return {name: fmean(values) for name, values in rows.items() if values}


def judge(name: str, spaces: Sequence[Space], reader: Reranker | None) -> None:
    """Print the means over sets, each counting alike, and how well silence is told."""
    cosine = [[rank_by_cosine(space, r) for r in range(len(space.questions))] for space in spaces]
    print_line(f"{name}: cosine", spaces, cosine)
    print_silence(name, "cosine", spaces, [space.cosines.max(1).tolist() for space in spaces])
    if reader is None:
        return
    read = [[read_first(reader, space, r) for r in range(len(space.questions))] for space in spaces]
    for lean in LEANS:
        orders = [
            [
                reorder(order, space.cosines[row], logits[row], lean)
                for row, order in enumerate(rows)
            ]
            for space, rows, logits in zip(spaces, cosine, read, strict=True)
        ]
        print_line(f"{name}: + {lean} x reading", spaces, orders)
    print_silence(name, "reading", spaces, [[max(r.values()) for r in each] for each in read])


def reorder(
    order: list[int], cosines: np.ndarray, logits: dict[int, float], lean: float
) -> list[int]:
    """Order the texts that were read by cosine and reading together; the others follow."""
    front = sorted(logits, key=lambda place: -(10 * cosines[place] + lean * 10 * logits[place]))
    return front + [place for place in order if place not in logits]


def print_line(name: str, spaces: Sequence[Space], orders: Sequence[list[list[int]]]) -> None:
    """Print the means of one way to rank."""
    found = [measure(space, each) for space, each in zip(spaces, orders, strict=True)]
    names = dict.fromkeys(name for each in found for name in each)
    means = {n: fmean(each[n] for each in found if n in each) for n in names}
    print(f"{name:<34}" + "  ".join(f"{n} {value:.3f}" for n, value in means.items()))


def print_silence(
    name: str, way: str, spaces: Sequence[Space], best: Sequence[Sequence[float]]
) -> None:
    """Print AUROC: does the best score tell questions with an answer from those without?"""
    pairs = [
        (b, q)
        for s, each in zip(spaces, best, strict=True)
        for b, q in zip(each, s.questions, strict=True)
    ]
    answered = np.array([b for b, q in pairs if q.golds])
    silent = np.array([b for b, q in pairs if not q.golds])
    if len(silent):
        wins = (answered[:, None] > silent).mean() + (answered[:, None] == silent).mean() / 2
        print(f"{name}: AUROC by {way} {wins:.3f} ({len(silent)} without an answer)")


def judge_sentences(encoder: MiniLM) -> None:
    """Print how cosines follow our own grades of sentence pairs (rank correlation)."""
    rows = [line.split("\t") for line in SENTENCES.read_text("utf-8").splitlines()]
    left, right = (encoder.embed([row[side] for row in rows]) for side in (1, 2))
    ranks = [
        rank_values(values) for values in ([float(row[0]) for row in rows], (left * right).sum(1))
    ]
    print(f"sentences: Spearman {np.corrcoef(*ranks)[0, 1]:.3f} over {len(rows)} pairs")


def rank_values(values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return ranks, with equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return ((ends - counts + 1 + ends) / 2)[inverse]


def main() -> None:
    """Read the command line and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--everyday", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    arguments = parser.parse_args()
    encoder = MiniLM(arguments.folder)
    has_reader = (arguments.folder / "reranker.onnx").exists()
    reader = Reranker(arguments.folder) if has_reader else None
    judge_sentences(encoder)
    files = sorted(arguments.everyday.glob("*.json"))
    judge("everyday", [read_everyday(path, encoder) for path in files], reader)
    _, apart = split_sets(read_all_sets(arguments.pairs), read_held_out())
    spaces = []
    for each in apart:
        asked = [Asked(q.text, frozenset(q.golds), frozenset(q.stale)) for q in each.questions]
        spaces.append(compare(list(each.texts), list(range(len(each.texts))), asked, encoder))
    judge("held out", spaces, reader)


if __name__ == "__main__":
    main()
