"""How much of the evidence recall finds, on conversations of one's own or in the LoCoMo format.

    make bench-retrieval DATA=path/to/file.jsonl
    python bench/retrieval.py FILE [--ways default,bm25,minmax] [--embedder minilm]

Definitions: ricordo.core.recall.metrics. Only the public API is used; no data set is shipped.
"""

import argparse
import json
import re
from datetime import datetime
from pathlib import Path

from ricordo.core.recall import metrics
from ricordo.surfaces.cli import evaluation
from ricordo.surfaces.cli.evaluation import (
    Conversation,
    EvaluationReport,
    GoldQuestion,
    TestMessage,
)

_GOLD = re.compile(r"D:?(\d+):0*(\d+)")


def read(path: Path) -> list[Conversation]:
    """Conversations from JSON lines, or from a JSON list in the LoCoMo format."""
    if path.suffix == ".json":
        return [_locomo(sample) for sample in json.loads(path.read_text(encoding="utf-8"))]
    return evaluation.read(path)


def _locomo(sample: dict) -> Conversation:
    talk = sample["conversation"]
    found = Conversation(sample["sample_id"])
    numbers = sorted(int(k[8:]) for k in talk if re.fullmatch(r"session_\d+", k))
    for number in numbers:
        said = talk[f"session_{number}_date_time"] + " +0000"
        at = datetime.strptime(said, "%I:%M %p on %d %B, %Y %z")
        for turn in talk[f"session_{number}"]:
            caption = turn.get("blip_caption")
            text = turn["text"] + (f" [shares {caption}]" if caption else "")
            session, place = _GOLD.search(turn["dia_id"]).groups()
            found.messages.append(
                TestMessage(
                    id=f"{session}:{place}",
                    session=f"session {number}",
                    text=text,
                    speaker=turn["speaker"],
                    at=at,
                )
            )
    for question in sample["qa"]:
        gold = frozenset(f"{s}:{t}" for e in question["evidence"] for s, t in _GOLD.findall(e))
        found.questions.append(GoldQuestion(question["question"], gold, str(question["category"])))
    return found


def show(reports: list[EvaluationReport]) -> None:
    """One column per way, one line per measure, then R@10 by category and conversation."""
    width = max(len(report.way) for report in reports) + 2
    print(f"{len(reports[0].rows)} questions; mean over questions, each counts once")
    print(" " * 18 + "".join(f"{report.way:>{width}}" for report in reports))
    for name in metrics.MEASURES:
        print(f"{name:<18}" + "".join(f"{r.mean(name):>{width}.3f}" for r in reports))
    print(f"{'CPU ms/question':<18}" + "".join(f"{r.cpu_ms:>{width}.2f}" for r in reports))
    for category in sorted(set(reports[0].categories)):
        count = reports[0].categories.count(category)
        line = "".join(f"{r.mean('R@10', category):>{width}.3f}" for r in reports)
        print(f"{f'R@10 [{category}] {count}':<18}{line}")
    for report in reports:
        bounds = report.interval("R@10")
        print(f"R@10 of {report.way}: {bounds.mean:.3f} [{bounds.low:.3f}, {bounds.high:.3f}]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--ways", default="default:hybrid,default:keyword,bm25,minmax:hybrid")
    parser.add_argument("--embedder", default="minilm")
    given = parser.parse_args()
    ways = [tuple((way + ":hybrid").split(":")[:2]) for way in given.ways.split(",")]
    show(evaluation.evaluate(read(given.file), ways, embedder=given.embedder))


if __name__ == "__main__":
    main()
