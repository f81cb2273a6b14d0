"""Learn the weights of the ranker's features: notes, talks and documents, each set counting alike.

    make train
    python scripts/train/ranker.py [--embedder bundled] [--print]

The sets of `pairs/` that no model was trained on are written into memories through the public API;
the features are those that recall computes. What no set can teach is set by hand below.
"""

import argparse
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import held_out
import numpy as np
import reading
from listwise import Listed, learn

from ricordo.core.recall import question
from ricordo.core.recall.ranking import describe_units
from ricordo.core.recall.weights import CONFIDENCE, WEIGHTS
from ricordo.flows.recall.query_vector import embed_query
from ricordo.model.parts import PARTS

ROOT = Path(__file__).parents[2]
MODULE = ROOT / "src/ricordo/core/recall/weights.py"
PAGE = ROOT / "docs/recall.md"
STRENGTH = 2e-3
# The sets know no dates, numbers and archives; their assistants write as briefly as their users.
GIVEN = {
    **{"reading": 0.6, "date": 2.0, "named_number": 5.0, "archive": -6.0},
    "brief_speaker": 0.3,
}
HYBRID = (
    *("meaning", "words", "words_covered", "session_meaning", "session_words"),
    *("question_meaning", "question_words", "previous_meaning", "previous_words"),
    *("word_pairs", "speaker", "mentions", "tells_time", "length", "is_question", "opens_session"),
)
KEYWORD = tuple(name for name in HYBRID if not name.endswith("meaning"))
HEAD = '''"""The weights of the ranker's features. Written by `make train`, not by hand."""

from collections.abc import Mapping
'''
TABLE = "| part | hybrid | multilingual | keyword | what it says |\n|---|---|---|---|---|\n"

Features = Mapping[str, np.ndarray]
Example = tuple[Features, list[int], float]  # of all units, which answer, how much it counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--embedder", default="bundled")
    parser.add_argument("--print", action="store_true", help="leave the file as it is")
    parser.add_argument("--reading", action="store_true", help="only the second look")
    given = parser.parse_args()
    if given.reading:
        learn_second_look(given.embedder)
        return
    weights = learn_weights(given.embedder)
    show(weights)
    if given.print:
        return
    weights["multilingual"] = dict(WEIGHTS["multilingual"])  # `languages.py` learns these
    MODULE.write_text(write_module(weights, CONFIDENCE), encoding="utf-8")
    # Recall has the new weights only in a new process: what follows is learnt in one.
    command = [sys.executable, __file__, "--embedder", given.embedder, "--reading"]
    subprocess.run(command, check=True)


def learn_second_look(embedder: str) -> None:
    """Learn the weight of a reading and the tables of confidence, and write both down."""
    asked = reading.collect(held_out.LEARNT_FROM, embedder)
    tables = {
        name: reading.learn_confidence(asked, figures) for name, figures in reading.TABLES.items()
    }
    tables["multilingual"] = dict(CONFIDENCE["multilingual"])  # measured with its own sets
    weights = {name: dict(table) for name, table in WEIGHTS.items()}
    weights["hybrid"]["reading"] = reading.learn_reading(asked)
    show({"reading": {"weight": weights["hybrid"]["reading"]}, **tables})
    MODULE.write_text(write_module(weights, tables), encoding="utf-8")
    PAGE.write_text(write_table(PAGE.read_text(encoding="utf-8"), weights), encoding="utf-8")


def show(tables: Mapping[str, Mapping[str, float]]) -> None:
    for name, table in tables.items():
        print(name, *(f"{feature} {weight:.2f}" for feature, weight in table.items()), sep="\n  ")


def learn_weights(embedder: object) -> dict[str, dict[str, float]]:
    """The weights with vectors and without."""
    asked = [each for name in held_out.LEARNT_FROM for each in collect(name, embedder)]
    keyword = fit(asked, KEYWORD)
    del keyword["reading"]  # nothing is read where words alone count
    return {"hybrid": fit(asked, HYBRID), "keyword": keyword}


def collect(
    name: str, embedder: object, folder: Path = held_out.FOLDER, *, share: float = 1.0
) -> list[Example]:
    """The features of the units for each question of a set, the golds, and how much it counts.

    What a gold supersedes is left out: only its age is wrong, and it would
    teach that words which a question shares with a text say little. The second look deals with it.
    """
    items = held_out.read(name, folder)
    found = []
    with held_out.write(items, embedder) as (space, places):
        answered = [asked for asked in items.asked if asked.gold]
        for asked in answered:
            features, numbers = look(space, asked.text, places)
            kept = [unit for unit, number in enumerate(numbers) if not asked.is_stale(number)]
            gold = [row for row, unit in enumerate(kept) if numbers[unit] in asked.gold]
            shown = {part: values[kept] for part, values in features.items()}
            found.append((shown, gold, share / len(answered)))
    return found


def look(
    space: "held_out.ricordo.Space", text: str, places: dict[held_out.Place, int]
) -> tuple[Features, list[int]]:
    """The features of every unit of the space for a question, and the text behind each unit."""
    engine = space._engine
    meaning = embed_query(engine, space.name, text, "hybrid")
    assert meaning is not None

    def work(tx):
        with engine.views.fresh(tx, meaning.space, meaning.model.model) as view:
            values = describe_units(view, question.read(text, view), meaning.vector)
            chunks = view.chunks[view.column("start")].tolist()
            rows = tx.chunks.hydrate(meaning.space, chunks)
            found = held_out.locate(tx, meaning.space, (rows[chunk] for chunk in chunks))
            return values, [places[place] for place in found]

    return engine.views.read(engine.store, work)


def fit(asked: list[Example], names: tuple[str, ...]) -> dict[str, float]:
    """The weights that order these examples best, and those set by hand."""
    lists = []
    for features, gold, counts in asked:
        zero = np.zeros(len(features["is_question"]))
        table = np.stack([features.get(name, zero) for name in names], axis=1)
        lists.append(Listed(table.astype(np.float64), gold, counts))
    weights = learn(lists, STRENGTH)
    learnt = {name: round(float(each), 2) for name, each in zip(names, weights, strict=True)}
    return learnt | GIVEN


def write_module(
    weights: Mapping[str, Mapping[str, float]], tables: Mapping[str, Mapping[str, float]]
) -> str:
    """The Python file that recall reads."""
    return HEAD + _write_mapping("WEIGHTS", weights) + _write_mapping("CONFIDENCE", tables)


def _write_mapping(title: str, tables: Mapping[str, Mapping[str, float]]) -> str:
    lines = [f"\n{title}: Mapping[str, Mapping[str, float]] = {{\n"]
    for name, table in tables.items():
        lines.append(f'    "{name}": {{\n')
        lines += [f'        "{feature}": {weight},\n' for feature, weight in table.items()]
        lines.append("    },\n")
    return "".join(lines) + "}\n"


def write_table(page: str, weights: Mapping[str, Mapping[str, float]]) -> str:
    """The documentation of recall with these weights in its table."""
    rows = []
    for name in weights["hybrid"]:
        found = [weights[column].get(name) for column in ("hybrid", "multilingual", "keyword")]
        told = " | ".join("-" if each is None else f"{each:.2f}" for each in found)
        rows.append(f"| `{name}` | {told} | {PARTS[name].sentence} |")
    head, _, rest = page.partition(TABLE)
    return head + TABLE + "\n".join(rows) + "\n\n" + rest.partition("\n\n")[2]


if __name__ == "__main__":
    main()
