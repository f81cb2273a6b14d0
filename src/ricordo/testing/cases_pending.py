"""Never silently empty: what has no vector yet is counted, and mode `vector` gives the nearest."""

from ricordo.errors import InvalidInput
from ricordo.testing.assertions import names, raises, texts
from ricordo.testing.lab import Lab, VectorTable, durable


def case_a_recall_right_after_many_writes_accounts_for_all_of_them(lab: Lab) -> None:
    """EMB-6"""
    memory = lab.open()
    space = memory.space("ana")
    for n in range(40):
        space.remember(f"umbrella number {n}")

    hits = space.recall("umbrella", 100, "vector")
    assert len(hits) + hits.pending == 40

    memory.flush()
    hits = space.recall("umbrella", 100, "vector")
    assert (len(hits), hits.pending) == (40, 0)


@durable
def case_texts_without_a_vector_are_counted_with_the_hits(lab: Lab) -> None:
    """EMB-6"""
    memory = lab.open(embedder="none")
    space = memory.space("ana")
    space.remember("the red fox", name="fox")
    space.remember("a grey owl", name="owl")
    assert space.recall("fox").pending == 0

    reader = lab.reopen(memory, embedder=VectorTable({}), read_only=True).space("ana")

    found = reader.recall("fox")
    assert (names(found), found.pending) == (["fox"], 2)
    assert (reader.recall("kettle"), reader.recall("kettle").pending) == ([], 2)
    assert reader.recall("fox", mode="keyword").pending == 0


def case_mode_vector_gives_the_nearest_with_their_repeats(lab: Lab) -> None:
    """EMB-7"""
    near = "a red kettle on the stove"
    told = {"red": (1.0, 0.0), near: (1.0, 0.0), "a grey owl": (0.6, 0.8)}
    memory = lab.open(embedder=VectorTable(told))
    space = memory.space("ana")
    for n, text in enumerate(["a grey owl", *[near] * 5]):
        space.remember(text, name=f"k-{n}", embed_name=False)
    memory.flush()

    assert texts(space.recall("red", 5, "vector")) == [near] * 5
    assert texts(space.recall("red", 2, "vector", variety=True)) == [near, "a grey owl"]
    assert len(space.recall("kettle stove", 3, variety=False)) == 3
    with raises(InvalidInput, "variety"):
        space.recall("red", variety=True, profile="bm25")
    with raises(InvalidInput, "variety"):
        space.recall("red", variety="yes")  # type: ignore[arg-type]


def case_mode_vector_takes_the_query_as_it_is(lab: Lab) -> None:
    """EMB-7"""
    told = {"tea with Mira": (1.0, 0.0), "tea with": (0.0, 1.0), "Mira: hello": (0.0, 1.0)}
    memory = lab.open(embedder=VectorTable(told))
    space = memory.space("ana")
    space.session("s").append("user", "hello", name="Mira")
    space.remember("tea with Mira")
    memory.flush()

    assert texts(space.recall("tea with Mira", 1, "vector")) == ["tea with Mira"]
