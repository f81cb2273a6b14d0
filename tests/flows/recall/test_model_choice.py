"""The bundled models share the spaces by language: each space is asked under one of them."""

import pytest

from ricordo.embed import resolve, resolve_all
from ricordo.embed.minilm import NAME as ENGLISH
from ricordo.embed.multilingual import NAME as OTHER
from ricordo.flows.recall.embedding import Embedding
from ricordo.flows.recall.model_choice import choose_standing, is_for_second

ENGLISH_DAYS = [f"On day {n} I walked the dog in the park and met a friend" for n in range(200)]
GERMAN_DAYS = [f"Am {n}. Tag war ich mit dem Hund im Park und bei Freunden" for n in range(40)]


@pytest.fixture
def memory(lab):
    return lab.open(embedder="bundled")


def append(memory, texts, space="ana"):
    memory.space(space).session("s").extend({"role": "user", "content": text} for text in texts)


def say(memory, texts, space="ana"):
    """Append texts and wait for their vectors; the model that the space is asked under."""
    append(memory, texts, space)
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
    japanese = ["昨日は友達と映画を見ました", "今日は雨です", "明日は京都へ行きます"]
    assert say(memory, japanese, "ja").startswith(OTHER)
    assert say(memory, ["Pizza Margherita", "42"], "silent").startswith(ENGLISH)

    stats = memory.stats()
    assert (stats.chunks, stats.embedded) == (11, 11)
    assert ENGLISH in stats.model
    assert OTHER in stats.model


def test_entries_decide_as_messages_do(memory):
    memory.space("ana").remember("Sie mag den Platz am Fenster und nicht den am Gang")
    memory.space("ana").remember("Ihr Bruder ist oft bei ihnen und kocht für alle")
    memory.space("ana").remember("Das Auto ist noch in der Werkstatt")
    memory.flush()

    assert memory.space("ana").stats().model.startswith(OTHER)


def test_what_is_meant_is_found_in_another_language(memory):
    say(memory, ["Ich habe einen Hund aus dem Tierheim geholt", "Der Zug ist nicht gekommen"])
    say(memory, ["Das Fahrrad ist noch bei uns im Keller", "Am Sonntag backen wir wieder Brot"])

    best = memory.space("ana").recall("Which pet was adopted?", mode="vector")[0]

    assert "Tierheim" in best.text


@pytest.mark.parametrize(("english", "german"), [(40, 10), (200, 40)])
def test_a_space_of_which_a_fifth_is_not_english_stays(memory, english, german):
    step = english // german
    for n in range(german):
        append(memory, [*ENGLISH_DAYS[n * step : (n + 1) * step], GERMAN_DAYS[n]])
    memory.flush()

    assert memory.space("ana").stats().model.startswith(ENGLISH)
    assert vectors(memory) == {ENGLISH: english + german}


def test_an_english_space_that_goes_on_in_another_language_moves(memory):
    say(memory, ENGLISH_DAYS)

    assert say(memory, GERMAN_DAYS[:8]).startswith(ENGLISH)
    assert say(memory, GERMAN_DAYS[8:10]).startswith(OTHER)


NOTES = {
    "Turkish": ["fıstık alerjisi var", "Anahtarlar çekmecede"],
    "French": ["Rendez-vous dentiste mardi", "Allergie aux arachides"],
    "Polish": ["Klucze są w szufladzie", "Uczulenie na orzechy"],
    "Dutch": ["Fietssleutel ligt bij buurvrouw", "Allergisch voor pindakaas"],
    "Spanish": ["Llaves mesa cocina", "Alergia cacahuetes"],
    "Portuguese": ["Chaves gaveta cozinha", "Alergia amendoim"],
    "Italian": ["Chiavi cassetto cucina", "Allergia arachidi"],
}


@pytest.mark.parametrize("language", NOTES)
def test_two_short_notes_are_enough_to_see_the_language(memory, language):
    """LNG-1"""
    for text in NOTES[language]:
        memory.space("ana").remember(text)
    memory.flush()

    assert memory.space("ana").stats().model.startswith(OTHER)


def test_stats_say_why_a_space_has_its_model(memory):
    for text in ["The spare key is under the pot", "Rent is due on Friday", *NOTES["Turkish"]]:
        memory.space("ana").remember(text)
    memory.space("tom").remember("The spare key is under the pot")
    memory.flush()

    mixed, english = memory.space("ana").stats(), memory.space("tom").stats()

    assert mixed.model.startswith(OTHER)
    assert "not English: 2 of the newest 4," in mixed.model_reason
    assert english.model.startswith(ENGLISH)
    assert english.model_reason == (
        "texts that are not English: 0 of the newest 1, 0 of 1 from all over the space"
    )
    assert memory.stats().model_reason is None


def test_where_much_was_rewritten_the_texts_count_that_are_left(lab):
    memory = lab.open(embedder="none")
    ana = memory.space("ana")
    for n in range(40):  # one of ten is German, just where a sample by number looks
        ana.remember((ENGLISH_DAYS if n % 10 else GERMAN_DAYS)[n], name=f"day {n}")
    for n in range(600):
        ana.write("day 39", f"On day 39 I walked the dog in the park and met {n} friends")

    with memory._engine.store.read() as tx:
        assert tx.spaces.state(1).last_chunk == 640
        assert not is_for_second(tx, 1)


def test_a_greeting_decides_nothing(memory):
    assert say(memory, ["¡Hola! ¿Cómo estás hoy, y los niños?"]).startswith(ENGLISH)
    assert say(memory, [*ENGLISH_DAYS[:9], *GERMAN_DAYS[:1]]).startswith(ENGLISH)


def test_a_space_that_turns_to_another_language_is_embedded_anew(memory):
    say(memory, ENGLISH_DAYS[:40])

    assert say(memory, GERMAN_DAYS).startswith(OTHER)
    assert vectors(memory)[OTHER] == 80
    assert memory.space("ana").stats().embedded == 80
    assert say(memory, ENGLISH_DAYS[40:]).startswith(OTHER)  # and stays
    assert vectors(memory)[ENGLISH] == 80


def test_vectors_made_before_serve_until_the_space_speaks_again(lab):
    memory = lab.open(embedder="minilm")
    assert say(memory, GERMAN_DAYS[:3]).startswith(ENGLISH)

    memory = lab.reopen(memory, embedder="bundled")
    memory.flush()
    assert memory.space("ana").stats().model.startswith(ENGLISH)
    assert memory.space("ana").recall("Hund", mode="vector")

    assert say(memory, GERMAN_DAYS[3:4]).startswith(OTHER)
    assert vectors(memory) == {ENGLISH: 4, OTHER: 4}


def test_a_recall_sees_what_was_just_said_in_a_new_language(memory):
    append(memory, GERMAN_DAYS[:3])

    assert len(memory.space("ana").recall("Welches Tier?", mode="vector")) == 3
    assert memory.space("ana").stats().model.startswith(OTHER)


def test_one_named_model_takes_every_language(lab):
    memory = lab.open(embedder="minilm")
    assert say(memory, GERMAN_DAYS[:3]).startswith(ENGLISH)

    memory = lab.reopen(memory, embedder="multilingual")
    assert say(memory, ENGLISH_DAYS[:3]).startswith(OTHER)
    assert vectors(memory)[OTHER] == 6


def test_a_model_begun_by_another_setting_takes_no_english_space_over(lab):
    memory = lab.open(embedder="multilingual")
    say(memory, ENGLISH_DAYS[:3])
    memory = lab.reopen(memory, embedder="minilm")
    say(memory, ENGLISH_DAYS[3:9])

    memory = lab.reopen(memory, embedder="bundled")

    assert say(memory, ENGLISH_DAYS[9:12]).startswith(ENGLISH)
    assert vectors(memory) == {ENGLISH: 12, OTHER: 3}


def test_the_model_that_covers_most_serves_until_another_embedder_is_ready(lab):
    class Slow:
        dim, name, fingerprint = 2, "slow", "slow-1"

        def embed(self, texts):
            raise ConnectionError("not yet")

    memory = lab.open(embedder="minilm")
    say(memory, ENGLISH_DAYS[:3])
    memory = lab.reopen(memory, embedder="multilingual")
    say(memory, GERMAN_DAYS)

    memory = lab.reopen(memory, embedder=Slow(), read_only=True)

    assert len(memory.space("ana").recall("Hund", 20, mode="vector")) == 20


def test_embedding_anew_keeps_the_model_of_the_space(lab, memory):
    say(memory, GERMAN_DAYS[:3])
    memory.index(vectors=True)
    assert memory.space("ana").stats().model.startswith(OTHER)
    assert memory.space("ana").recall("Hund", mode="vector")

    memory.flush()
    assert vectors(memory) == {OTHER: 3}


def test_embedding_anew_leaves_an_english_space_its_model(lab):
    memory = lab.open(embedder="multilingual")
    say(memory, ENGLISH_DAYS[:3])
    memory = lab.reopen(memory, embedder="bundled")
    memory.index(vectors=True)
    memory = lab.reopen(memory, embedder="minilm")
    say(memory, ENGLISH_DAYS[3:9])
    memory = lab.reopen(memory, embedder="bundled")

    memory.index(vectors=True)

    assert memory.space("ana").stats().model.startswith(ENGLISH)
    assert say(memory, ENGLISH_DAYS[9:10]).startswith(ENGLISH)


class Fake:
    """An embedder that fails while it is away, or on texts that hold what it hates."""

    dim = 2

    def __init__(self, name, hates=None):
        self.name, self.fingerprint, self.hates, self.is_away = name, f"{name}-1", hates, False

    def embed(self, texts):
        if self.is_away or (self.hates and any(self.hates in text for text in texts)):
            raise ConnectionError("not now")
        return [(1.0, 0.0)] * len(texts)


class Pair:
    """Two embedders of our own over one memory."""

    def __init__(self, lab, second=None):
        self.first, self.second = Fake("first"), second or Fake("second")
        self.memory = lab.open(embedder="none")
        self.clock = lab.clock
        self.embedders = (resolve(self.first), resolve(self.second))
        engine = self.memory._engine
        self.embedding = Embedding(engine.store, self.embedders, engine.now)

    def turn(self):
        """A space that was English, and of which half is German now."""
        append(self.memory, ENGLISH_DAYS[:40])
        self.embedding.flush()
        append(self.memory, GERMAN_DAYS)

    def marks(self):
        """Which one is asked, and how far each has come."""
        with self.memory._engine.store.read() as tx:
            asked = choose_standing(tx, 1, self.embedders).embedder.name
            serving = tx.embeddings.list_serving(1)
        return asked, {each.model.fingerprint.partition("-")[0]: each.upto for each in serving}

    def failures(self, space, name):
        with self.memory._engine.store.read() as tx:
            return tx.embeddings.failures(space, tx.embeddings.model(f"{name}-1").model)


def test_new_texts_come_before_a_model_that_takes_over(lab):
    pair = Pair(lab)
    pair.turn()

    pair.embedding.catch_up("ana", 0)  # too much for no time
    assert pair.embedding._advance()
    assert pair.embedding._advance()
    assert pair.marks() == ("first", {"first": 80})  # found by meaning before the other begins

    append(pair.memory, GERMAN_DAYS[:1], "ben")
    assert pair.embedding._advance()
    with pair.memory._engine.store.read() as tx:
        assert choose_standing(tx, 2, pair.embedders).upto == 1  # nor does another space wait

    pair.embedding.flush()
    assert pair.marks()[0] == "second"


def test_what_failed_comes_before_a_model_that_takes_over(lab):
    pair = Pair(lab)
    append(pair.memory, ENGLISH_DAYS[:40])
    pair.embedding.flush()
    pair.first.is_away = True
    append(pair.memory, ENGLISH_DAYS[:1], "ben")
    pair.embedding.flush()
    pair.first.is_away = False
    append(pair.memory, GERMAN_DAYS)
    assert len(pair.failures(2, "first")) == 1
    pair.clock.advance(hours=1)

    for _ in range(3):  # two batches of new texts, then what is due
        assert pair.embedding._advance()

    assert pair.failures(2, "first") == []
    assert pair.marks() == ("first", {"first": 80})


def test_a_question_wakes_a_model_that_was_taking_over_when_the_process_ended(lab):
    memory = lab.open(embedder="none")
    store, now = memory._engine.store, memory._engine.now
    first = Embedding(store, resolve_all("bundled"), now)
    append(memory, ENGLISH_DAYS[:40])
    first.flush()
    append(memory, GERMAN_DAYS[:20])
    first.catch_up("ana")  # the second model has begun and has everything to do

    memory = lab.reopen(memory, embedder="bundled")
    assert memory._engine.embedding._worker._threads == []
    assert memory.space("ana").recall("the dog")

    assert memory._engine.embedding._worker._threads != []
    memory.flush()
    assert memory.space("ana").stats().model.startswith(OTHER)


def test_embedding_anew_hands_no_space_to_a_model_that_fails(lab):
    pair = Pair(lab)
    pair.second.is_away = True
    pair.turn()
    pair.embedding.flush()

    pair.memory.index(vectors=True)
    pair.embedding.flush()

    assert pair.marks() == ("first", {"first": 80})


def test_embedding_anew_asks_under_the_old_vectors_until_the_new_model_has_come_as_far(lab):
    pair = Pair(lab)
    append(pair.memory, GERMAN_DAYS)
    engine = pair.memory._engine
    Embedding(engine.store, pair.embedders[:1], engine.now).flush()

    pair.memory.index(vectors=True)
    assert pair.embedding._advance()
    assert pair.marks() == ("first", {"first": 32})

    pair.embedding.flush()
    assert pair.marks()[0] == "second"


def test_one_text_that_fails_is_the_one_that_is_blamed(lab):
    pair = Pair(lab, second=Fake("second", hates="day 7 "))
    pair.turn()
    pair.embedding.flush()

    assert pair.marks() == ("first", {"first": 80, "second": 7})
    (failure,) = pair.failures(1, "second")
    assert (failure.chunk, failure.attempts) == (8, 1)

    pair.memory.space("ana").session("s").delete()
    pair.embedding.flush()  # and with the text the trouble is gone
    append(pair.memory, GERMAN_DAYS)
    pair.embedding.flush()
    assert pair.marks()[0] == "second"


def test_a_first_model_that_fails_still_gets_a_successor(lab):
    pair = Pair(lab)
    pair.turn()
    pair.first.is_away = True
    pair.embedding.flush()

    assert pair.marks()[0] == "second"


def test_a_model_that_fails_takes_no_space_over(lab):
    pair = Pair(lab)
    pair.second.is_away = True
    pair.turn()

    for _ in range(2):
        pair.embedding.flush()
        assert pair.marks() == ("first", {"first": 80})
        pair.clock.advance(hours=1)
    pair.second.is_away = False
    pair.embedding.flush()

    assert pair.marks()[0] == "second"
