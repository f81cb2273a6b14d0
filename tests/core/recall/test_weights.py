"""The weights in use are what `make train` learns."""

import sys
from pathlib import Path

import pytest

from ricordo.core.recall.weights import CONFIDENCE, WEIGHTS

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "scripts" / "train"))

import ranker  # noqa: E402


def test_the_weights_in_use_are_those_that_training_gives():
    learnt = ranker.learn_weights("minilm")

    for name in learnt:  # those of the multilingual model are learnt apart
        table = WEIGHTS[name]
        assert list(table) == list(learnt[name])
        learnt[name] |= {"reading": table.get("reading", 0.0)}  # learnt from what is read
        table = {"reading": 0.0, **table}
        # Builds of the model round their sums differently: by so much.
        assert table == pytest.approx(learnt[name], abs=0.05)


def test_the_files_that_training_writes_hold_the_weights():
    page = ranker.PAGE.read_text(encoding="utf-8")

    assert ranker.write_module(WEIGHTS, CONFIDENCE) == ranker.MODULE.read_text(encoding="utf-8")
    assert ranker.write_table(page, WEIGHTS) == page
    assert ranker.write_table(page, {**WEIGHTS, "hybrid": {"words": 9.5}}) != page
