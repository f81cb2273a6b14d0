"""Who has the right text first in other languages: notes and talk in one space.

    make bench-languages DATA=folder
    python bench/languages.py FILE... [--ways default:hybrid,default:keyword]

A file holds one set as JSON: `lang`, `T`, the texts in the order they were written, and `Q`, rows
of a question and the indices of the texts that answer it. A text that begins with a speaker is
appended, any other remembered. Each language counts alike.
"""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import ricordo
from everyday import DEPTH, Answer, Question, Times, find_ids

WAYS = "default:hybrid,default:vector,default:keyword"
MEASURES = ("top-1", "hit@5", "MRR")
_SPEAKER = re.compile(r"(\w[\w .'’-]{0,24})[:：] ?(?=\S)")


def fill(space: ricordo.Space, texts: list[str], times: Times) -> dict[tuple[str, int], str]:
    """Write the texts of a set into a space; their indices by place."""
    ids: dict[tuple[str, int], str] = {}
    for number, text in enumerate(texts):
        if found := _SPEAKER.match(text):
            chat = space.session("talk")
            event = chat.append("user", text[found.end() :], name=found[1], at=times.now)
            ids[event.session, event.seq] = str(number)
        else:
            ids[space.remember(text).name, 0] = str(number)
        times.step()
    return ids


def ask(written: dict, ways: list[tuple[str, str]]) -> Iterator[tuple[str, Answer]]:
    """Every question of a set that has an answer, in every way."""
    times = Times()
    with ricordo.open(":memory:", clock=times, keep=False) as memory:
        space = memory.space("everyday")
        ids = fill(space, written["T"], times)
        memory.flush()
        for profile, mode in ways:
            for text, golds, *_ in written["Q"]:
                question = Question(text, "", frozenset(map(str, golds)), frozenset())
                hits = space.recall(text, limit=DEPTH, mode=mode, profile=profile)
                found = list(dict.fromkeys(id for hit in hits for id in find_ids(hit, ids)))
                if golds:
                    yield f"{profile}:{mode}", Answer(question, found, 0.0, 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--ways", default=WAYS)
    arguments = parser.parse_args()
    ways = [(way.split(":")[0], way.split(":")[1]) for way in arguments.ways.split(",")]
    files = [file for path in arguments.paths for file in (sorted(path.glob("l_*.json")) or [path])]
    means: dict[str, list[list[float]]] = {}
    for file in files:
        written = json.loads(file.read_text(encoding="utf-8"))
        answers: dict[str, list[Answer]] = {}
        for way, answer in ask(written, ways):
            answers.setdefault(way, []).append(answer)
        line = []
        for way, given in answers.items():
            figures = [fmean(answer.measure(name) for answer in given) for name in MEASURES]
            means.setdefault(way, []).append(figures)
            line.append(f"{way} " + " / ".join(f"{figure:.3f}" for figure in figures))
        print(f"{written.get('lang', file.stem):8}", "   ".join(line), flush=True)
    for way, rows in means.items():
        print(
            "mean    ",
            way,
            " / ".join(f"{fmean(column):.3f}" for column in zip(*rows, strict=True)),
        )


if __name__ == "__main__":
    main()
