"""Recall as of a time: what it embeds, a model that fails, blocks, and what supersedes what."""

from datetime import timedelta

import pytest

import ricordo
from ricordo.errors import Unavailable
from ricordo.flows.recall import look_back
from ricordo.testing import Lab
from ricordo.testing.lab import VectorTable


class Counting(VectorTable):
    """Counts the texts that it embeds, and can be away."""

    def __init__(self):
        super().__init__({})
        self.texts = []
        self.is_away = False

    def embed(self, texts):
        if self.is_away:
            raise ConnectionError("the model is away")
        self.texts += texts
        return [(float("Lisbon" in text), 1.0) for text in texts]

    def embed_query(self, texts):
        return [(float("Lisbon" in text), 1.0) for text in texts]


@pytest.fixture
def lab(tmp_path):
    with Lab(lambda: str(tmp_path / "agent.db")) as lab:
        yield lab


def move(lab, memory, names):
    """Entries that say something else a day later; the time in between."""
    space = memory.space("ana")
    for name in names:
        space.remember(f"{name} lives in Lisbon", name=name)
    memory.flush()
    then = lab.clock()
    lab.clock.advance(days=1)
    for name in names:
        space.write(name, f"{name} lives in Porto")
    memory.flush()
    return space, then


def test_what_was_said_before_is_embedded_once(lab):
    model = Counting()
    space, then = move(lab, lab.open(embedder=model), ["Ana", "Kim"])
    model.texts.clear()

    first = space.recall("Lisbon", mode="vector", as_of=then)
    again = space.recall("Lisbon", as_of=then + timedelta(hours=1))

    assert sorted(model.texts) == ["Ana: Ana lives in Lisbon", "Kim: Kim lives in Lisbon"]
    assert [round(hit.score, 2) for hit in first] == [1.0, 1.0]
    assert {hit.text for hit in again} == {hit.text for hit in first}


def test_of_too_many_texts_those_nearest_in_words_are_embedded(lab, monkeypatch):
    monkeypatch.setattr(look_back, "_MOST", 2)
    model = Counting()
    space, then = move(lab, lab.open(embedder=model), ["Ana", "Kim", "Lee", "Sam"])
    model.texts.clear()

    space.recall("Sam and Lee", as_of=then)
    assert sorted(model.texts) == ["Lee: Lee lives in Lisbon", "Sam: Sam lives in Lisbon"]
    found = space.recall("where is Ana", as_of=then)
    assert found[0].text == "Ana lives in Lisbon"


def test_a_model_that_is_away_leaves_the_words(lab, caplog):
    model = Counting()
    space, then = move(lab, lab.open(embedder=model), ["Ana", "Kim"])
    model.is_away = True

    (hit,) = space.recall("Kim", 1, as_of=then)

    assert hit.text == "Kim lives in Lisbon"
    assert "found by words only" in caplog.text
    with pytest.raises(Unavailable, match="mode 'keyword'"):
        space.recall("Kim", mode="vector", as_of=then)


def test_an_entry_that_does_not_embed_its_name_did_not_then(lab):
    model = Counting()
    memory = lab.open(embedder=model)
    space = memory.space("ana")
    space.remember("lives in Lisbon", name="home", embed_name=False)
    then = lab.clock()
    lab.clock.advance(days=1)
    space.write("home", "lives in Porto")
    model.texts.clear()

    space.recall("Lisbon", as_of=then)

    assert "lives in Lisbon" in model.texts


def test_looking_back_in_a_space_with_blocks(lab):
    memory = lab.open()
    space = memory.space("ana")
    space.session("talk").extend(
        [{"role": "user", "content": f"the boat {n} is in harbour {n % 7}"} for n in range(1_100)]
    )
    space.remember("the red boat is in Lisbon", name="red")
    memory.flush()
    memory.maintain()
    then = lab.clock()
    given = {mode: space.recall("red boat Lisbon", 20, mode) for mode in ("keyword", "hybrid")}
    lab.clock.advance(days=1)
    space.session("talk").extend(
        [{"role": "user", "content": f"a red boat from Lisbon {n}"} for n in range(600)]
    )
    space.write("red", "the red boat is in Porto")
    memory.flush()
    memory.maintain()
    memory = lab.reopen(memory)

    for mode, hits in given.items():
        found = memory.space("ana").recall("red boat Lisbon", 20, mode, as_of=then)
        assert found[0].text == hits[0].text == "the red boat is in Lisbon"
        assert [hit.text for hit in found] == [hit.text for hit in hits]


def test_a_later_text_supersedes_nothing_before_it_was_written(lab):
    memory = lab.open(embedder="minilm")
    space = memory.space("ana")
    space.remember("The depot opens at nine", name="hours")
    memory.flush()
    then = lab.clock()
    lab.clock.advance(days=1)
    space.remember("The depot now opens at ten", name="new hours")
    memory.flush()

    question = "when does the depot open?"
    newer, older = space.recall(question)
    (hit,) = space.recall(question, as_of=then)

    assert older.superseded_by == newer.source
    assert (hit.text, hit.superseded_by) == ("The depot opens at nine", None)


def test_a_memory_that_only_reads_looks_back(lab, tmp_path):
    memory = lab.open()
    _, then = move(lab, memory, ["Ana"])

    with ricordo.open(tmp_path / "agent.db", read_only=True, embedder="hash") as reader:
        assert reader.space("ana").recall("Ana", 1, as_of=then)[0].text == "Ana lives in Lisbon"
