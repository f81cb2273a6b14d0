"""Recall by a vector that the caller made: the query is not embedded, its words still count."""

import pytest

from ricordo import InvalidInput, Unavailable


class Colours:
    """A model of two colours that counts the texts it was given."""

    dim = 3

    def __init__(self):
        self.texts = []

    def embed(self, texts):
        self.texts += texts
        return [[1.0 * ("red" in each), 1.0 * ("blue" in each), 0.1] for each in texts]


BLUE = [0.0, 1.0, 0.1]


@pytest.fixture
def colours():
    return Colours()


@pytest.fixture
def painted(lab, colours):
    memory = lab.open(embedder=colours)
    space = memory.space("ana")
    space.remember("The door is red", name="door")
    space.remember("The roof is blue", name="roof")
    space.session("chat").append("user", "The car is blue")
    memory.space("ben").remember("The sea is blue")
    memory.flush()
    colours.texts.clear()
    return space


@pytest.mark.parametrize("profile", ["default", "minmax", "rrf"])
def test_a_vector_stands_for_the_query_in_mode_vector(painted, colours, profile):
    hits = painted.recall("door", 2, "vector", vector=BLUE, profile=profile)

    assert {hit.text for hit in hits} == {"The roof is blue", "The car is blue"}
    assert colours.texts == []


def test_in_mode_hybrid_words_and_vector_both_count(painted, colours):
    found = {hit.source.name: hit.parts for hit in painted.recall("door", 3, vector=BLUE)}

    assert found["door"]["words"] > 0
    assert "words" not in found["roof"]
    assert found["roof"]["meaning"] > found["door"].get("meaning", 0)
    assert colours.texts == []


def test_without_words_a_vector_finds_and_leaves_no_signal(painted):
    assert painted.recall("", 1, vector=BLUE)[0].text.endswith("blue")
    assert painted.recall("", 1) == []
    assert painted.dreams.signals() == []


def test_filters_and_other_spaces_hold_for_vectors(painted):
    every = painted.recall("", 9, "vector", vector=BLUE)
    said = painted.recall("", 9, "vector", vector=BLUE, kinds=["message"])

    assert len(every) == 3
    assert [hit.text for hit in said] == ["The car is blue"]


@pytest.mark.parametrize("mode", ["vector", "hybrid"])
def test_a_vector_of_other_dimensions_is_refused(painted, mode):
    with pytest.raises(InvalidInput, match="2 dimensions, the vectors of this space have 3"):
        painted.recall("door", mode=mode, vector=[1.0, 0.0])


@pytest.mark.parametrize(
    "rest", [{"mode": "keyword"}, {"profile": "bm25"}, {"profile": "two_tier"}]
)
def test_where_no_vectors_are_compared_one_is_refused(painted, rest):
    with pytest.raises(InvalidInput, match="leave vector out"):
        painted.recall("door", vector=BLUE, **rest)


def test_without_an_embedder_a_vector_has_nothing_to_be_compared_with(lab):
    space = lab.space(embedder="none")
    space.remember("The door is red")

    with pytest.raises(Unavailable, match="without an embedder"):
        space.recall("door", vector=BLUE)


def test_what_was_just_written_is_found_by_a_vector(painted):
    painted.remember("The sky is blue today")

    hits = painted.recall("", 3, "vector", vector=BLUE)

    assert "The sky is blue today" in [hit.text for hit in hits]


def test_an_empty_space_has_no_hits_for_a_vector(lab, colours):
    memory = lab.open(embedder=colours)
    assert memory.space("ben").recall("", mode="vector", vector=BLUE) == []


def test_a_redacted_memory_takes_vectors_as_well(lab, colours):
    memory = lab.open(embedder=colours, redact=lambda text: text)
    memory.space("ana").remember("The roof is blue")
    memory.flush()

    assert memory.space("ana").recall("", mode="vector", vector=BLUE)
