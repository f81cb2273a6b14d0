"""The order of hits: what matches first, the newer of equals, and nobody crowded out."""

import pytest

import ricordo

WORDS = ("lantern", "harbour", "piano", "orchard")


@pytest.fixture
def memory():
    with ricordo.open(":memory:", embedder="hash") as memory:
        yield memory


@pytest.fixture
def ana(memory):
    return memory.space("ana")


def names(hits):
    return [hit.entry.name for hit in hits]


@pytest.mark.parametrize("word", WORDS)
def test_vectors_without_meaning_do_not_outweigh_words(memory, ana, word):
    for other in WORDS:
        ana.remember(f"The {other} stands near the old house", name=other)
    memory.flush()

    hits = ana.recall(word)

    assert hits[0].entry.name == word
    assert len(hits) == len(WORDS)
    assert not any("meaning" in hit.parts for hit in hits)


@pytest.mark.parametrize(
    ("profile", "mode"),
    [("default", "hybrid"), ("default", "keyword"), ("rrf", "keyword"), ("minmax", "keyword")],
)
def test_of_equal_hits_the_newest_comes_first(memory, ana, profile, mode):
    for number in range(3):
        ana.remember("black coffee at noon", name=f"n{number}")
    memory.flush()

    hits = ana.recall("black coffee", profile=profile, mode=mode)

    assert names(hits) == ["n2", "n1", "n0"]


def test_archives_leave_room_for_notes(memory, ana):
    for number in range(20):
        ana.remember(f"kiwi kiwi kiwi {number}", name=f"archive {number}", kind="archive")
    for number, fruit in enumerate(("mango", "papaya", "quince")):
        ana.remember(
            f"a long note that also says kiwi among other things like {fruit}", name=f"n{number}"
        )
    memory.flush()

    found = names(ana.recall("kiwi", limit=5))

    assert {"n0", "n1", "n2"} < set(found)


@pytest.mark.parametrize(("limit", "archives"), [(1, 1), (2, 1), (5, 1), (6, 2), (9, 3)])
def test_archives_take_at_most_a_third_while_others_wait(memory, ana, limit, archives):
    for number in range(12):
        ana.remember(f"kiwi crate{number} week{number}", name=f"old {number}", kind="archive")
        ana.remember(f"kiwi jar{number} shelf{number}", name=f"new {number}")
    memory.flush()
    archives_first = ricordo.Profile("default", {"archive": 3.0})

    found = names(ana.recall("kiwi", limit, profile=archives_first))

    assert [name.split()[0] for name in found] == ["old"] * archives + ["new"] * (limit - archives)


@pytest.mark.parametrize("copies", [5, 30, 40])
def test_copies_of_a_text_do_not_hide_the_others(memory, ana, copies):
    for number in range(copies):
        ana.remember("I like black coffee in the morning", name=f"copy {number}")
    for country in ("Peru", "Kenya", "Java", "Brazil"):
        ana.remember(f"coffee beans from {country} arrived in a sack", name=country)
    memory.flush()

    found = names(ana.recall("black coffee", limit=5))

    assert found[0].startswith("copy")
    assert set(found[1:]) == {"Peru", "Kenya", "Java", "Brazil"}
