"""Learn the weights and the confidence of the multilingual model, from notes and talk.

    python scripts/train/languages.py PAIRS MODEL l_ar,l_de,l_ja

PAIRS is the folder of the pairs, MODEL a folder with the files of an encoder that was trained
without these sets (`multilingual.py --hold`): figures of texts that a model has seen would be too
good. The English sets of `pairs/` that no model was trained on count half, so that long talks are
ranked as well.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import held_out
import reading
from ranker import HYBRID, MODULE, PAGE, collect, fit, show, write_module, write_table

from ricordo.core.recall.weights import CONFIDENCE, WEIGHTS
from ricordo.embed.multilingual import Multilingual

NAME = "multilingual"
ENGLISH_SHARE = 0.5
FIGURES = ("cosine", "covered")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("sets")
    parser.add_argument("--confidence", action="store_true", help="only the confidence")
    given = parser.parse_args()
    names = tuple(given.sets.split(","))
    model = Multilingual(given.model)
    if given.confidence:
        asked = reading.collect(names, model, given.pairs, reads=False)
        write(WEIGHTS[NAME], reading.learn_confidence(asked, FIGURES))
        return
    write(learn_weights(names, model, given.pairs), CONFIDENCE[NAME])
    # Recall has the new weights only in a new process: what follows is learnt in one.
    subprocess.run([sys.executable, *sys.argv, "--confidence"], check=True)


def learn_weights(names: tuple[str, ...], model: Multilingual, pairs: Path) -> dict[str, float]:
    """The weights of the features with vectors of this model."""
    asked = [each for name in names for each in collect(name, model, pairs)]
    for name in held_out.LEARNT_FROM:
        asked += collect(name, model, share=ENGLISH_SHARE)
    weights = fit(asked, HYBRID)
    del weights["reading"]  # the re-ranker reads English only
    return weights


def write(weights: dict[str, float], confidence: dict[str, float]) -> None:
    """Write both tables beside those of the other models."""
    show({"weights": weights, "confidence": confidence})
    every = {**WEIGHTS, NAME: weights}
    MODULE.write_text(write_module(every, {**CONFIDENCE, NAME: confidence}), encoding="utf-8")
    PAGE.write_text(write_table(PAGE.read_text(encoding="utf-8"), every), encoding="utf-8")


if __name__ == "__main__":
    main()
