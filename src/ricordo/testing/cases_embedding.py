"""Embedding: vectors follow by themselves, failures are tried again, models are never mixed."""

from collections.abc import Callable, Sequence
from typing import Any

from ricordo import Memory
from ricordo.errors import InvalidInput, Unavailable
from ricordo.testing.assertions import names, raises, texts
from ricordo.testing.lab import Lab, TroubledEmbedder, Vector, VectorTable, durable

NORTH = {"fox": (1.0, 0.0), "the red fox": (1.0, 0.0), "a grey owl": (0.0, 1.0)}
EAST = {text: (0.0, *vector) for text, vector in NORTH.items()}


class Forgetful(TroubledEmbedder):
    """An embedder during whose first call something happens."""

    def __init__(self, happen: Callable[[], object]) -> None:
        super().__init__(failures=0)
        self._happenings = [happen]

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        while self._happenings:
            self._happenings.pop()()
        return super().embed(texts)


def case_every_chunk_has_its_vector_after_flush(lab: Lab) -> None:
    """EMB-3"""
    for embedder in ("hash", VectorTable(NORTH)):
        memory = lab.open(embedder=embedder)
        space = memory.space("ana")
        space.session("s").extend([{"role": "user", "content": f"line {n}"} for n in range(70)])
        space.remember("the red fox")

        assert memory.flush() is True
        assert (memory.stats().chunks, memory.stats().embedded) == (71, 71)
        assert memory.flush() is True


@durable
def case_a_flush_reports_how_far_it_has_come(lab: Lab) -> None:
    """EMB-3"""
    memory = lab.open(embedder="none")
    for name in ("ana", "ben"):
        lines = [{"role": "user", "content": f"line {n}"} for n in range(40)]
        memory.space(name).session("s").extend(lines)
    memory = lab.reopen(memory, embedder="hash")
    reports: list[tuple[int, int]] = []

    assert memory.flush(progress=lambda done, total: reports.append((done, total))) is True

    assert {total for _, total in reports} == {80}
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert (reports[0][0], reports[-1][0]) == (0, 80)
    reports.clear()
    memory.flush(progress=lambda done, total: reports.append((done, total)))
    assert reports == []


@durable
def case_what_is_forgotten_while_it_is_embedded_gets_no_vector(lab: Lab) -> None:
    """EMB-3"""
    memory = lab.open(embedder="none")
    for name in ("fox", "owl"):
        memory.space("ana").remember(f"the {name}", name=name)
    memory = lab.reopen(memory, embedder=Forgetful(lambda: memory.space("ana").forget("fox")))

    memory.flush()

    stats = memory.stats()
    assert (stats.chunks, stats.embedded) == (1, 1)


def case_an_unknown_embedder_is_refused_at_open(lab: Lab) -> None:
    """EMB-3"""
    for embedder in ("minilmm", "static:/no/such/folder", 7, object()):
        with raises(InvalidInput):
            lab.open(embedder=embedder)


def case_a_failed_embedding_is_tried_again(lab: Lab) -> None:
    """EMB-4"""
    embedder = TroubledEmbedder(failures=2)
    memory = lab.open(embedder=embedder)
    space = memory.space("ana")
    space.remember("the red fox", name="fox")

    memory.flush()
    assert (memory.stats().embedded, memory.stats().failed) == (0, 1)
    assert "the model is away" in str(space.stats().embedding_error)
    assert names(space.recall("fox", mode="keyword")) == ["fox"]
    lab.clock.advance(hours=1)
    memory.flush()
    lab.clock.advance(hours=1)
    memory.flush()

    assert (memory.stats().embedded, memory.stats().failed) == (1, 0)
    assert memory.stats().embedding_error is None
    assert names(space.recall("fox", mode="vector")) == ["fox"]


def case_recall_goes_on_while_a_model_is_away(lab: Lab) -> None:
    """EMB-4, RRF-1"""
    memory = lab.open(embedder=TroubledEmbedder(failures=1_000))
    space = memory.space("ana")
    space.remember("the red fox", name="fox")
    memory.flush()

    for profile in ("default", "minmax", "rrf"):
        assert names(space.recall("fox", profile=profile)) == ["fox"], profile
        with raises(Unavailable, "the model is away"):
            space.recall("fox", mode="vector", profile=profile)


def case_a_failure_ends_with_the_text_it_is_about(lab: Lab) -> None:
    """EMB-4, ENT-9"""
    memory = lab.open(embedder=TroubledEmbedder(failures=1_000))
    space = memory.space("ana")
    space.remember("the red fox", name="fox")
    space.session("s").append("user", "hello")
    memory.flush()

    space.forget("fox")
    space.session("s").delete()
    lab.clock.advance(hours=2)

    assert memory.flush() is True
    assert (memory.stats().failed, memory.stats().embedded) == (0, 0)


@durable
def case_what_has_no_vector_yet_gets_one_after_reopening(lab: Lab) -> None:
    """EMB-4"""
    memory = lab.open(embedder="none")
    memory.space("ana").remember("the red fox", name="fox")

    again = lab.reopen(memory, embedder=VectorTable(NORTH))
    again.flush()

    assert names(again.space("ana").recall("fox", mode="vector")) == ["fox"]


@durable
def case_old_vectors_serve_until_the_new_model_is_ready(lab: Lab) -> None:
    """EMB-5"""
    memory = lab.open(embedder="hash")
    space = memory.space("ana")
    space.session("s").append("user", "the red fox")
    space.session("s").append("user", "a grey owl")
    memory.flush()

    reader = lab.reopen(memory, embedder=VectorTable(NORTH), read_only=True)
    before = reader.space("ana").recall("the red fox", mode="vector")
    memory = lab.reopen(reader, embedder=VectorTable(NORTH))
    memory.flush()
    after = memory.space("ana").recall("the red fox", mode="vector")

    assert texts(before) == texts(after) == ["the red fox", "a grey owl"]
    assert abs(before[0].score - 1) < 1e-3
    assert abs(after[0].score - 1) < 1e-3
    assert abs(after[1].score) < 1e-3
    assert memory.stats().embedded == 2


def case_a_space_that_turns_to_another_language_gets_the_model_for_it(lab: Lab) -> None:
    """EMB-5"""
    memory = lab.open(embedder="bundled")
    ana = memory.space("ana")
    english = [f"On day {n} I walked the dog in the park" for n in range(40)]
    german = [f"Am {n}. Tag war ich mit dem Hund im Park" for n in range(40)]
    models = []

    for said in (english, german):
        ana.session("s").extend([{"role": "user", "content": text} for text in said])
        memory.flush()
        models.append(ana.stats().model or "")

    assert models[0].startswith("minilm")
    assert models[1].startswith("use-multilingual")
    assert (ana.stats().chunks, ana.stats().embedded) == (80, 80)
    assert len(ana.recall("der Hund im Park", 50, mode="vector")) == 50


@durable
def case_vectors_of_another_length_are_named_and_then_cured(lab: Lab) -> None:
    """EMB-5"""
    memory = lab.open(embedder=VectorTable(NORTH, name="north"))
    _fill(memory)
    wide = VectorTable(EAST, name="east", dim=3)

    reader = lab.reopen(memory, embedder=wide, read_only=True)
    for profile in ("default", "minmax", "rrf"):
        with raises(Unavailable, "2 dimensions", "with 3", "north", "east", "keyword"):
            reader.space("ana").recall("fox", mode="vector", profile=profile)
        for mode in ("keyword", "hybrid"):
            found = reader.space("ana").recall("fox", mode=mode, profile=profile)
            assert "the red fox" in texts(found), (profile, mode)
    memory = lab.reopen(reader, embedder=wide)
    memory.flush()

    found = memory.space("ana").recall("fox", mode="vector")
    assert texts(found) == ["the red fox", "a grey owl"]


@durable
def case_a_model_that_comes_back_finds_its_vectors(lab: Lab) -> None:
    """EMB-5"""
    north, east = VectorTable(NORTH, name="north"), VectorTable(EAST, name="east", dim=3)
    memory = lab.open(embedder=north)
    _fill(memory)
    memory = lab.reopen(memory, embedder=east)
    memory.flush()
    memory.space("ana").session("s").append("user", "the red fox again")

    memory = lab.reopen(memory, embedder=north)
    memory.flush()

    assert memory.stats().embedded == 3
    assert texts(memory.space("ana").recall("fox", mode="vector"))[0] == "the red fox"


def case_a_vector_that_is_no_vector_is_an_error_and_not_a_crash(lab: Lab) -> None:
    """HYB-3"""
    nan = float("nan")
    for vector in ((nan, 1.0), (float("inf"), 0.0), (1.0,), (1.0, 2.0, 3.0)):
        memory = lab.open(embedder=VectorTable({"the red fox": vector, "fox": vector}))
        space = memory.space("ana")
        space.remember("the red fox")
        memory.flush()

        assert memory.stats().failed == 1
        assert texts(space.recall("fox")) == ["the red fox"]
        with raises(InvalidInput, "embedder"):
            space.recall("fox", mode="vector")


def case_a_text_without_a_vector_is_still_found_by_words(lab: Lab) -> None:
    """EMB-4"""
    memory = lab.open(embedder=VectorTable({"fox": (1.0, 0.0)}))
    memory.space("ana").remember("the red fox", name="fox")
    memory.flush()

    assert names(memory.space("ana").recall("fox")) == ["fox"]


def _fill(memory: Memory) -> None:
    for text in ("the red fox", "a grey owl"):
        memory.space("ana").session("s").append("user", text)
    memory.flush()


def case_nothing_is_listed_as_work_once_everything_is_embedded(lab: Lab) -> None:
    """EMB-20"""
    memory = lab.open(embedder=VectorTable(NORTH))
    for name in ("ana", "ben", "eva"):
        memory.space(name).remember("the red fox")
    assert memory.flush() is True
    assert _list_work(memory) == {}

    memory.space("ben").remember("a grey owl")
    memory.flush()

    assert _list_work(memory) == {}
    assert (memory.stats().chunks, memory.stats().embedded) == (4, 4)
    assert memory.check() == []


@durable
def case_a_model_that_comes_later_finds_the_texts_of_every_space(lab: Lab) -> None:
    """EMB-21"""
    memory = lab.open(embedder=VectorTable(NORTH))
    for name in ("ana", "ben"):
        memory.space(name).remember("the red fox")
    memory.flush()

    later = lab.reopen(memory, embedder=VectorTable(EAST, dim=3))
    later.flush()
    assert later.stats().embedded == 2
    later.space("ana").remember("a grey owl")
    later.flush()
    memory = lab.reopen(later, embedder=VectorTable(NORTH))
    memory.flush()

    assert (memory.stats().chunks, memory.stats().embedded) == (3, 3)


def case_check_finds_texts_that_nothing_would_embed(lab: Lab) -> None:
    """EMB-22"""
    memory = lab.open(embedder=TroubledEmbedder(failures=10))
    memory.space("ana").remember("the red fox")
    memory.flush()

    memory._engine.store.write(_clear_work)

    assert [violation.rule for violation in memory.check()] == ["pending"]
    memory.index()
    assert memory.check() == []


def _clear_work(tx: Any) -> None:  # a transaction of the store
    for model in tx.pending.list_pending(1):
        tx.pending.set(1, model, None)


def _list_work(memory: Memory) -> dict[int, dict[int, int]]:
    """What the table of embedding work says, by space."""
    with memory._engine.store.read() as tx:
        found = {each.space: tx.pending.list_pending(each.space) for each in tx.spaces.numbers()}
    return {space: listed for space, listed in found.items() if listed}
