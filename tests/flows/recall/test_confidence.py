"""A question about something never said gets hits of low confidence, or none if so asked."""

import math

import pytest

import ricordo

SAID = [
    "I adopted a greyhound called Biscuit from the shelter",
    "Biscuit is afraid of thunderstorms and hides under the bed",
    "On Saturday we hiked to the lighthouse and had a picnic",
    "My sister Paula works as a nurse in Lisbon",
    "I baked sourdough bread, the crust was perfect",
    "The car needs new brakes, the garage wants 400 euros",
]


@pytest.fixture(scope="module")
def ana():
    memory = ricordo.open(":memory:")
    space = memory.space("ana")
    space.session("chat").extend({"role": "user", "content": text} for text in SAID)
    memory.flush()
    yield space
    memory.close()


def sure(hits):
    return max(hit.confidence for hit in hits)


@pytest.mark.parametrize(
    ("said", "foreign"),
    [
        ("What is the dog afraid of?", "Which university did the senator attend?"),
        ("Where does Paula work as a nurse?", "How is quantum entanglement measured?"),
        ("What did the garage want for new brakes?", "Who won the chess tournament in Oslo?"),
    ],
)
def test_what_was_said_is_more_certain_than_what_was_not(ana, said, foreign):
    assert sure(ana.recall(said)) > 0.5 > sure(ana.recall(foreign))


@pytest.mark.parametrize("profile", ["minmax", "rrf", "two_tier", "bm25"])
def test_who_has_no_confidence_does_not_abstain(ana, profile):
    with pytest.raises(ricordo.InvalidInput, match=profile):
        ana.recall("dog", profile=profile, abstain=0.5)


def test_abstaining_gives_no_hits_rather_than_poor_ones(ana):
    foreign = "Which university did the senator attend?"

    assert ana.recall(foreign)
    assert ana.recall(foreign, abstain=0.5) == []
    assert ana.recall("Where does Paula work as a nurse?", abstain=0.5)


def test_a_hit_as_sure_as_the_threshold_is_sure_enough(ana):
    asked = "Where does Paula work as a nurse?"
    surest = sure(ana.recall(asked))

    assert ana.recall(asked, abstain=surest) == ana.recall(asked)
    assert ana.recall(asked, abstain=math.nextafter(surest, 1)) == []


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), "high", True])
def test_an_absurd_threshold_is_refused(ana, value):
    with pytest.raises(ricordo.InvalidInput, match="abstain"):
        ana.recall("dog", abstain=value)


def test_without_a_bundled_model_confidence_rests_on_words_alone():
    with ricordo.open(":memory:", embedder="hash") as memory:
        space = memory.space("ana")
        space.remember("The garage wants 400 euros for the brakes")

        assert sure(space.recall("garage brakes euros")) > 0.6
        assert sure(space.recall("senator university")) < 0.1


@pytest.mark.parametrize(
    ("said", "foreign"),
    [
        ("Wovor hat der Hund Angst?", "Welche Universität hat der Senator besucht?"),
        ("Wo ist Paula als Krankenschwester tätig?", "Wer hat das Turnier in Oslo gewonnen?"),
    ],
)
def test_meaning_counts_in_other_languages_too(said, foreign):
    with ricordo.open(":memory:", embedder="bundled") as memory:
        ana = memory.space("ana")
        ana.remember("Unser Hund Biscuit fürchtet sich vor Gewittern und versteckt sich dann")
        ana.remember("Meine Schwester Paula arbeitet als Pflegerin in einer Klinik in Lissabon")
        ana.remember("Das Auto braucht neue Bremsen, die Werkstatt will vierhundert Euro")
        memory.flush()

        words = sure(ana.recall(said, mode="keyword"))

        assert sure(ana.recall(said)) > 2 * words > 4 * sure(ana.recall(foreign))
