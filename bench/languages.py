"""Who has the right text first in other languages: notes and talk in one space.

    make bench-languages DATA=folder
    python bench/languages.py [FILE...] [--ways default:hybrid,default:keyword]

A file holds one set as JSON: `lang`, `T`, the texts in the order they were written, and `Q`, rows
of a question, the indices of the texts that answer it, and maybe its `type` and the indices of the
`stale` texts that the answer supersedes. A text that begins with a speaker is appended, any other
remembered. Each language counts alike. Without a file, the sets of `notes` are asked, which nothing
was tuned on.
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
NOTES = Path(__file__).with_name("notes")
SURE = 0.5  # the confidence that `abstain` asks for
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
    """Every question of a set, in every way."""
    times = Times()
    with ricordo.open(":memory:", clock=times, keep=False) as memory:
        space = memory.space("everyday")
        ids = fill(space, written["T"], times)
        memory.flush()
        for profile, mode in ways:
            for row in written["Q"]:
                question = read_question(*row)
                hits = space.recall(question.text, limit=DEPTH, mode=mode, profile=profile)
                found = list(dict.fromkeys(id for hit in hits for id in find_ids(hit, ids)))
                sure = (hits[0].confidence or 0.0) if hits else 0.0
                yield f"{profile}:{mode}", Answer(question, found, sure, 0.0)


def read_question(text: str, golds: list[int], rest: dict | None = None) -> Question:
    """One row of a set."""
    stale = (rest or {}).get("stale", ())
    type = (rest or {}).get("type", "update" if stale else "")
    return Question(text, type, frozenset(map(str, golds)), frozenset(map(str, stale)))


def show_figures(given: list[Answer]) -> str:
    """The measures of some answers."""
    return " / ".join(f"{fmean(answer.measure(name) for answer in given):.3f}" for name in MEASURES)


def show_types(given: list[Answer]) -> None:
    """The measures by type of question, how often the stale text is first, and what is sure."""
    for type in sorted({answer.question.type for answer in given if answer.question.gold}):
        some = [a for a in given if a.question.type == type and a.question.gold]
        print(f"  {type or 'any':12}{len(some):5}  {show_figures(some)}")
    older = [a.measure("stale first") for a in given if a.question.stale]
    if older:
        print(f"  stale first {len(older):5}  {fmean(older):.3f}")
    right = [a.confidence >= SURE for a in given if a.measure("top-1")]
    wrong = [a.confidence < SURE for a in given if not a.question.gold]
    print(f"  sure of a right first hit {fmean(right):.3f} of {len(right)}")
    if wrong:
        print(f"  not sure without an answer {fmean(wrong):.3f} of {len(wrong)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("paths", nargs="*", type=Path, default=[NOTES])
    parser.add_argument("--ways", default=WAYS)
    arguments = parser.parse_args()
    ways = [(way.split(":")[0], way.split(":")[1]) for way in arguments.ways.split(",")]
    files = [file for path in arguments.paths for file in (sorted(path.glob("l_*.json")) or [path])]
    every: dict[str, list[list[Answer]]] = {}
    for file in files:
        written = json.loads(file.read_text(encoding="utf-8"))
        answers: dict[str, list[Answer]] = {}
        for way, answer in ask(written, ways):
            answers.setdefault(way, []).append(answer)
        line = []
        for way, given in answers.items():
            every.setdefault(way, []).append(given)
            line.append(f"{way} {show_figures([a for a in given if a.question.gold])}")
        print(f"{written.get('lang', file.stem):8}", "   ".join(line), flush=True)
    for way, sets in every.items():
        golden = [[a for a in given if a.question.gold] for given in sets]
        means = [fmean(fmean(a.measure(n) for a in g) for g in golden) for n in MEASURES]
        print("mean    ", way, " / ".join(f"{mean:.3f}" for mean in means))
        show_types([answer for given in sets for answer in given])


if __name__ == "__main__":
    main()
