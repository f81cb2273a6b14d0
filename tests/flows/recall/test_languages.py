"""Questions in other languages than MiniLM reads."""

import pytest

import ricordo
from ricordo.core.recall.weights import WEIGHTS


@pytest.fixture(scope="module")
def ana():
    with ricordo.open(":memory:", embedder="minilm") as memory:
        space = memory.space("ana")
        chat = space.session("garden")
        chat.append("user", "Gestern habe ich im Garten Tomaten gepflanzt", name="Jana")
        chat.append("user", "I planted tomatoes in the garden yesterday", name="Tom")
        memory.flush()
        yield space


def test_meaning_counts_half_where_the_model_does_not_read_the_language(ana):
    english = ana.recall("What was planted in the garden?", asker=None)
    german = ana.recall("Was wurde in dem Garten gepflanzt?", asker=None)
    whole = WEIGHTS["hybrid"]["meaning"]

    assert max(hit.parts.get("meaning", 0) for hit in english) == pytest.approx(whole)
    assert max(hit.parts.get("meaning", 0) for hit in german) == pytest.approx(whole / 2)


def test_another_model_is_trusted_in_every_language(tmp_path):
    class Multilingual:
        name, fingerprint, dim = "multi", "multi-1", 2

        def embed(self, texts):
            return [[1.0, float("Garten" in text)] for text in texts]

    with ricordo.open(tmp_path / "agent.db", embedder=Multilingual()) as memory:
        space = memory.space("ana")
        space.session("s").append("user", "Im Garten wachsen Tomaten")
        space.session("s").append("user", "Der Zug hatte Verspätung")
        memory.flush()

        hits = space.recall("Was wurde in dem Garten gepflanzt?", asker=None)

    whole = WEIGHTS["hybrid"]["meaning"]
    assert max(hit.parts.get("meaning", 0) for hit in hits) == pytest.approx(whole)


def test_the_multilingual_model_has_weights_that_were_learnt_for_it():
    with ricordo.open(":memory:", embedder="multilingual") as memory:
        space = memory.space("ana")
        space.remember("Im Garten wachsen Tomaten")
        space.remember("Der Zug hatte Verspätung")
        memory.flush()

        hits = space.recall("Was wächst im Garten?", asker=None)

    learnt = WEIGHTS["multilingual"]["meaning"]
    assert max(hit.parts.get("meaning", 0) for hit in hits) == pytest.approx(learnt)
