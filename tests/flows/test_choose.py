"""The bundled models share the spaces by language: each space is asked under one of them."""

import pytest

from recollect.embed.minilm import NAME as ENGLISH
from recollect.embed.multilingual import NAME as OTHER

ENGLISH_DAYS = [f"On day {n} I walked the dog in the park and met a friend" for n in range(40)]
GERMAN_DAYS = [
    f"Am {n}. Tag war ich mit dem Hund im Park und habe jemanden getroffen" for n in range(40)
]


@pytest.fixture
def memory(lab):
    return lab.open(embedder="bundled")


def say(memory, texts, space="ana"):
    """Append texts and wait for their vectors; the model that the space is asked under."""
    memory.space(space).session("s").extend({"role": "user", "content": text} for text in texts)
    memory.flush()
    return memory.space(space).stats().model


def vectors(memory, space=1):
    """How many vectors each model has in a space."""
    with memory._engine.store.read() as tx:
        counts = {
            m.fingerprint: tx.embeddings.count(space, m.model) for m in tx.embeddings.models()
        }
    return {name.rpartition("-")[0]: count for name, count in counts.items() if count}


def test_each_space_has_the_model_that_reads_it(memory):
    assert say(memory, ENGLISH_DAYS[:3], "en").startswith(ENGLISH)
    assert say(memory, GERMAN_DAYS[:3], "de").startswith(OTHER)
    assert say(memory, ["昨日は友達と映画を見ました", "今日は雨です"], "ja").startswith(OTHER)
    assert say(memory, ["Pizza Margherita", "42"], "silent").startswith(ENGLISH)

    stats = memory.stats()
    assert (stats.chunks, stats.embedded) == (10, 10)
    assert ENGLISH in stats.model
    assert OTHER in stats.model


def test_what_is_meant_is_found_in_another_language(memory):
    say(memory, ["Ich habe einen Hund aus dem Tierheim geholt", "Der Zug hatte Verspätung"])
    say(memory, ["Das Fahrrad steht im Keller", "Am Sonntag backen wir Brot"])

    best = memory.space("ana").recall("Which pet was adopted?", mode="vector")[0]

    assert "Tierheim" in best.text


def test_a_few_words_of_another_language_move_no_space(memory):
    say(memory, ENGLISH_DAYS)

    assert say(memory, GERMAN_DAYS[:5]).startswith(ENGLISH)
    assert vectors(memory) == {ENGLISH: 45}


def test_a_space_that_turns_to_another_language_is_embedded_anew(memory):
    say(memory, ENGLISH_DAYS)

    assert say(memory, GERMAN_DAYS).startswith(OTHER)
    assert vectors(memory)[OTHER] == 80
    assert memory.space("ana").stats().embedded == 80
    assert memory.check() == []


def test_a_greeting_does_not_decide_for_good(memory):
    assert say(memory, ["¡Hola! ¿Cómo estás hoy?"]).startswith(OTHER)

    assert say(memory, ENGLISH_DAYS).startswith(ENGLISH)
    assert vectors(memory)[ENGLISH] == 41


def test_a_mixed_space_stays_where_it_is(memory):
    pairs = zip(ENGLISH_DAYS[:10], GERMAN_DAYS[:10], strict=True)

    assert say(memory, [text for pair in pairs for text in pair]).startswith(OTHER)
    assert say(memory, ENGLISH_DAYS[10:]).startswith(OTHER)  # a fifth is still German
    assert vectors(memory) == {OTHER: 50}


def test_vectors_made_before_are_kept_until_the_space_speaks_again(lab):
    memory = lab.open(embedder="minilm")
    assert say(memory, GERMAN_DAYS[:3]).startswith(ENGLISH)

    memory = lab.reopen(memory, embedder="bundled")
    memory.flush()
    assert memory.space("ana").stats().model.startswith(ENGLISH)
    assert memory.space("ana").recall("Hund", mode="vector")

    assert say(memory, GERMAN_DAYS[3:4]).startswith(OTHER)
    assert vectors(memory) == {ENGLISH: 3, OTHER: 4}


def test_a_recall_sees_what_was_just_said_in_a_new_language(memory):
    ana = memory.space("ana")
    ana.session("s").append("user", "Ich habe einen Hund aus dem Tierheim geholt")

    assert ana.recall("Welches Tier?", mode="vector")
    assert ana.stats().model.startswith(OTHER)


def test_one_named_model_takes_every_language(lab):
    memory = lab.open(embedder="minilm")
    assert say(memory, GERMAN_DAYS[:3]).startswith(ENGLISH)

    memory = lab.reopen(memory, embedder="multilingual")
    assert say(memory, ENGLISH_DAYS[:3]).startswith(OTHER)
    assert vectors(memory)[OTHER] == 6
