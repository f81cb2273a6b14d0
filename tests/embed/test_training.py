"""The training pairs: how they are read, kept apart and drawn. No model is trained here."""

import json
import random
import sys
from pathlib import Path

import pytest

TRAIN = Path(__file__).parents[2] / "scripts" / "train"


@pytest.fixture
def pairs(monkeypatch):
    """The module of the scripts that reads pairs."""
    monkeypatch.syspath_prepend(str(TRAIN))
    import pairs

    yield pairs
    del sys.modules["pairs"]


@pytest.fixture
def write(tmp_path):
    """Write a set of pairs: its name, its texts, its rows of questions."""

    def write(name, texts, rows):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({"kind": "notes", "T": texts, "Q": rows}), "utf-8")
        return path

    return write


def test_a_set_keeps_golds_stale_texts_and_questions_without_an_answer(pairs, write):
    path = write(
        "p9_1",
        ["Ana: I live in Rome", "Ana: I live in Oslo"],
        [["Where does Ana live?", [1], {"stale": [0]}], ["Who is Bo?", []]],
    )

    found = pairs.read_set(path)

    assert found.kind == "p9"
    assert found.answerable == [pairs.Question("Where does Ana live?", (1,), (0,))]
    assert [each.text for each in found.unanswerable] == ["Who is Bo?"]


def test_a_gold_that_names_no_text_is_refused(pairs, write):
    path = write("p1_1", ["one"], [["Which?", [1]]])

    with pytest.raises(ValueError, match=r"p1_1.json.*'Which\?'.*text 1"):
        pairs.read_set(path)


def test_held_out_sets_are_never_learnt_from(pairs, write, tmp_path):
    names = [f"p{n}_{m}" for n in range(1, 3) for m in range(1, 4)]
    for name in names:
        write(name, ["one"], [["Which?", [0]]])

    learn, apart = pairs.split_sets(pairs.read_sets(tmp_path), frozenset({"p1_3", "p2_1"}))

    assert {each.name for each in apart} == {"p1_3", "p2_1"}
    assert {each.name for each in learn} == set(names) - {"p1_3", "p2_1"}


def test_a_held_out_set_that_is_missing_stops_the_training(pairs, write, tmp_path):
    write("p1_1", ["one"], [["Which?", [0]]])

    with pytest.raises(SystemExit, match="p1_5"):
        pairs.split_sets(pairs.read_sets(tmp_path), frozenset({"p1_5"}))


def test_the_sets_that_come_with_the_source_are_whole_and_hold_all_that_is_apart(pairs):
    own = {each.name for each in pairs.read_sets(pairs.OWN, "*.json")}

    assert pairs.read_held_out() <= own


def test_sets_of_a_folder_stand_beside_those_of_the_source_and_before_their_namesakes(
    pairs, write, tmp_path
):
    write("p1_5", ["mine"], [["Which?", [0]]])

    found = {each.name: each for each in pairs.read_all_sets(tmp_path)}

    assert found["p1_5"].texts == ("mine",)
    assert pairs.read_held_out() <= set(found)


def test_every_kind_of_pairs_has_a_set_held_out(pairs):
    kinds = {name.split("_")[0] for name in pairs.read_held_out()}

    assert kinds == {"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "pa", "pb"}


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Ana: I live in Rome", "I live in Rome"),
        ("Dr. O'Neill: come in", "come in"),
        ("no speaker here", "no speaker here"),
        ("https://example.org: a link", "https://example.org: a link"),
    ],
)
def test_the_speaker_is_cut_from_a_text(pairs, text, bare):
    assert pairs.cut_speaker(text) == bare


def test_a_batch_holds_every_gold_of_its_questions(pairs, write, tmp_path):
    texts = [f"text {n}" for n in range(40)]
    write("p1_1", texts, [[f"What about {n}?", [n, (n + 1) % 40]] for n in range(40)])

    batch = pairs.draw_batch(
        pairs.read_sets(tmp_path), random.Random(0), spaces=2, questions=5, texts=12
    )

    assert len(batch.questions) == 10
    for question, golds in zip(batch.questions, batch.golds, strict=True):
        number = int(question.split()[-1].rstrip("?"))
        assert {batch.texts[place] for place in golds} == {texts[number], texts[(number + 1) % 40]}
