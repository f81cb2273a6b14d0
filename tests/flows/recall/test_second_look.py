"""The second look at the first hits, and the hits of several spaces."""

from datetime import UTC, datetime, timedelta

import pytest

import ricordo
from ricordo.surfaces.tools import registry


class Topics:
    """A model that knows a few subjects."""

    name, fingerprint, dim = "topics", "topics-1", 3

    def embed(self, texts):
        return [[1.0 * ("depot" in t), 1.0 * ("boat" in t), 0.1] for t in texts]


def open_memory(embedder):
    """A memory with a few notes, in which time goes on."""
    now = [datetime(2026, 3, 1, tzinfo=UTC)]

    def clock():
        now[0] += timedelta(hours=1)
        return now[0]

    opened = ricordo.open(":memory:", embedder=embedder, clock=clock, keep=False)
    for text in ("The kayak is green", "Rye bread with butter", "The roof leaks", "It rained"):
        opened.space("ana").remember(text)
    return opened


@pytest.fixture
def memory():
    with open_memory(Topics()) as opened:
        yield opened


@pytest.fixture
def depot():
    """A space whose model was measured, with a note and the one that supersedes it."""
    with open_memory("minilm") as opened:
        space = opened.space("ana")
        space.remember("The depot opens at nine in the morning", name="old")
        space.remember("The depot now opens at ten", name="new")
        opened.flush()
        yield space


NINE = "Does the depot open at nine in the morning?"


def test_the_newer_of_two_notes_comes_first_and_the_older_says_by_what_it_is_superseded(depot):
    """AGN-1"""
    first, second = depot.recall(NINE, limit=2, rerank=False)

    assert (first.entry.name, second.entry.name) == ("new", "old")
    assert second.superseded_by == first.source
    assert first.superseded_by is None
    assert "supersedes" in first.parts
    assert first.score == pytest.approx(sum(first.parts.values()), abs=1e-5)
    assert second.to_dict()["superseded_by"]["name"] == "new"


def test_a_context_and_the_tools_say_what_is_superseded(depot):
    context = depot.context(NINE)
    found = registry.call("recall", {"query": NINE}, depot)

    assert '[memory "old" from agent, 2026-03-01, superseded]' in context.text
    assert "superseded]" not in context.text.replace("2026-03-01, superseded]", "")
    told = {hit["name"]: hit.get("superseded_by") for hit in found["hits"]}
    assert (told["old"], told["new"]) == ("new", None)


def test_one_hit_is_the_newer_of_two(depot):
    (hit,) = depot.recall(NINE, limit=1)

    assert hit.entry.name == "new"


def test_who_asks_for_what_was_before_gets_the_older_text_first(depot):
    """AGN-1"""
    hits = depot.recall(f"{NINE[:-1]} as before?", limit=2, rerank=False)

    assert [hit.entry.name for hit in hits] == ["old", "new"]
    assert hits[0].superseded_by == hits[1].source


def test_the_newer_of_two_notes_comes_first_in_another_language():
    with open_memory("multilingual") as opened:
        space = opened.space("ana")
        space.remember("Donnerstags spielt Annika Badminton", name="old")
        space.remember("Annika geht jetzt donnerstags klettern", name="new")
        opened.flush()

        newer, older = space.recall("Was spielt Annika donnerstags?", limit=2)
        former, *_ = space.recall("Was spielte Annika früher donnerstags?")

    assert (newer.entry.name, older.entry.name) == ("new", "old")
    assert older.superseded_by == newer.source
    assert former.entry.name == "old"


def test_what_is_near_by_a_model_that_was_not_measured_supersedes_nothing(memory):
    space = memory.space("ana")
    space.remember("The depot opens at nine in the morning", name="old")
    space.remember("The depot now opens at ten", name="new")
    memory.flush()

    assert [hit.superseded_by for hit in space.recall(NINE, limit=2)] == [None, None]


def test_a_question_that_was_asked_before_stands_behind_its_answer(memory):
    told, asked = (memory.space("ana").session(name) for name in ("told", "asked"))
    told.append("user", "In a shed at Grenaa, the boat is fine there", name="Ruben")
    asked.append("user", "Where is the boat kept in winter?", name="Tove")
    memory.flush()

    hits = memory.space("ana").recall("Where is the boat kept in winter?", limit=2)

    assert [hit.author for hit in hits] == ["Ruben", "Tove"]
    assert "only_asks" in hits[1].parts


def test_what_is_found_by_vectors_alone_is_given_as_it_is(memory):
    space = memory.space("ana")
    space.remember("depot nine", name="old")
    space.remember("depot ten, new", name="new")
    memory.flush()

    hits = space.recall("depot", limit=2, mode="vector")

    assert [hit.superseded_by for hit in hits] == [None, None]
    assert all(list(hit.parts) == ["cosine"] for hit in hits)


@pytest.mark.parametrize("given", ["yes", 1, 0.5, []])
def test_rerank_is_true_or_false(memory, given):
    with pytest.raises(ricordo.InvalidInput, match="rerank"):
        memory.space("ana").recall("depot", rerank=given)


def test_several_spaces_answer_together_each_hit_with_its_space(memory):
    """AGN-2"""
    memory.space("ana").remember("The depot opens at nine")
    memory.space("work").remember("The boat is in Grenaa")
    memory.space("other").remember("The depot is closed")
    memory.flush()

    hits = memory.recall("depot boat", spaces=["ana", memory.space("work")])

    assert {hit.space for hit in hits} == {"ana", "work"}
    assert all("closed" not in hit.text for hit in hits)
    assert len(memory.recall("depot boat", ["ana", "work"], limit=1)) == 1
    assert memory.recall("depot", ["nobody"]) == []


def test_of_several_spaces_the_surest_hit_comes_first(memory):
    memory.space("ana").remember("The kayak is green")
    memory.space("work").remember("The depot opens at nine in the morning")
    memory.flush()

    hits = memory.recall("When does the depot open in the morning?", ["ana", "work"])

    assert hits[0].space == "work"


@pytest.mark.parametrize("spaces", [[], "ana", None, 5, [3]])
def test_spaces_are_a_list_of_names(memory, spaces):
    with pytest.raises(ricordo.InvalidInput):
        memory.recall("depot", spaces)


@pytest.fixture(scope="module")
def bundled():
    with ricordo.open(":memory:", embedder="minilm", keep=False) as opened:
        space = opened.space("ana")
        for text in ("Allergic to peanuts", "Flies to Oslo in May", "The boat is in Grenaa"):
            space.remember(text)
        opened.flush()
        yield space


def test_a_model_reads_the_first_hits_and_says_so_in_a_part(bundled):
    hits = bundled.recall("what food must she avoid?", asker=None)

    assert hits[0].text == "Allergic to peanuts"
    assert all("reading" in hit.parts for hit in hits)
    for hit in hits:
        assert hit.score == pytest.approx(sum(hit.parts.values()), abs=1e-5)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize(
    "asked",
    [
        {"rerank": False},
        {"mode": "keyword"},
        {"mode": "vector"},
        {"profile": ricordo.Profile("default", {"reading": 0.0})},
    ],
)
def test_nothing_is_read_if_the_caller_does_not_want_it(bundled, asked):
    hits = bundled.recall("what peanuts must she avoid?", asker=None, **asked)

    assert hits
    assert not any("reading" in hit.parts for hit in hits)


def test_a_question_in_another_language_is_not_read(bundled):
    hits = bundled.recall("Wo liegt das Boot und wer hat den Schlüssel?", asker=None)

    assert not any("reading" in hit.parts for hit in hits)


def test_the_setting_leaves_the_reader_out_and_the_caller_may_ask_for_it():
    config = {"rerank": False}
    with ricordo.open(":memory:", embedder="minilm", keep=False, config=config) as memory:
        space = memory.space("ana")
        space.remember("Allergic to peanuts")
        memory.flush()

        (plain,) = space.recall("what food must she avoid?", asker=None)
        (read,) = space.recall("what food must she avoid?", asker=None, rerank=True)

    assert "reading" not in plain.parts
    assert "reading" in read.parts


def test_an_explanation_shows_what_was_read(bundled):
    name = bundled.recall("what food must she avoid?", asker=None)[0].entry.name

    assert "reading" in bundled.explain("what food must she avoid?", name).parts


@pytest.mark.parametrize(
    ("paid", "unpaid", "question"),
    [
        ("invoice {} is paid", "invoice {} is still open", "is invoice 102 paid?"),
        ("Rechnung {} ist bezahlt", "Rechnung {} ist noch offen", "ist Rechnung 102 bezahlt?"),
        ("room {} has a projector", "room {} has none", "does room 102 have a projector?"),
    ],
)
def test_a_question_that_names_a_number_finds_its_thing_among_those_that_fit_better(
    paid, unpaid, question
):
    with open_memory("bundled") as opened:
        space = opened.space("many")
        space.remember_many([paid.format(n) for n in range(110, 140)])
        space.remember(unpaid.format(102), name="wanted")
        opened.flush()

        (first,) = space.recall(question, limit=1)

    assert first.source.name == "wanted"
    assert first.parts["named_number"] > 0
