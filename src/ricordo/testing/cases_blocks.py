"""Blocks: recall gives the same hits from packed chunks as from rows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from ricordo import Memory, Space
from ricordo.core.recall.block_plan import Sizes
from ricordo.flows.recall.make_blocks import make_blocks
from ricordo.model import Hit, Hits
from ricordo.testing.assertions import names
from ricordo.testing.lab import Lab, VectorTable, durable

SIZES = Sizes(8, 16, 32)  # so that few texts already make large blocks
QUESTIONS = ("Where is the red boat of Tove?", "What did Ruben sell at the harbour in March?")
WORDS = ("river", "boat", "lantern", "market", "violin", "harbour", "orchard", "kettle", "winter")


def _furnish(space: Space) -> None:
    """Messages of one and of several chunks, entries, documents and records."""
    for n in range(4):
        chat = space.session(f"talk {n}")
        for seq in range(12):
            said = " ".join(WORDS[(n * 5 + seq * each) % len(WORDS)] for each in range(1, 7))
            text = said if seq % 5 else f"{said}. " * 30
            chat.append(
                "user", f"Ruben, {text}?" if seq % 3 else text, name=("Tove", "Ruben")[n % 2]
            )
        for k in range(6):
            about = f"the {WORDS[(n + k) % 9]} of Tove is {WORDS[k]}"
            space.remember(about, name=f"note {n}-{k}", tags=["home"] if k % 2 else [])
        space.fact("tove", f"boat_{n}", f"red {WORDS[n]}")
        space.ingest(f"# {WORDS[n]}\n\nThe winter market.\n\n" * 3, uri=f"doc://{n}")
        space.records("shop").put(f"r{n}", {"text": f"a {WORDS[n]} for the harbour"})


def _pack(memory: Memory, name: str = "ana") -> int:
    """Make all blocks that can be made; how many there are."""
    engine = memory._engine
    with engine.store.read() as tx:
        space = tx.spaces.number(name)
    assert space is not None
    assert make_blocks(engine.store, space, SIZES)
    with engine.store.read() as tx:
        return len(tx.blocks.ranges(space))


@contextmanager
def _without_blocks(memory: Memory, name: str = "ana") -> Iterator[None]:
    """Let the memory read its rows, as if it had never packed any."""
    engine = memory._engine
    with engine.store.read() as tx:
        space = tx.spaces.number(name)
    assert space is not None
    engine.store.write(lambda tx: tx.blocks.clear(space))
    engine.views.clear()
    yield
    engine.views.clear()


def _tell(hits: Hits) -> list[object]:
    return [
        (hit.text, hit.source, round(hit.score, 5), _round(hit.confidence), hit.at, _parts(hit))
        for hit in hits
    ]


def _parts(hit: Hit) -> list[tuple[str, float]]:
    return [(name, round(part, 5)) for name, part in sorted(hit.parts.items())]


def _round(confidence: float | None) -> float | None:
    return None if confidence is None else round(confidence, 5)


def _ask(space: Space, questions: tuple[str, ...] = QUESTIONS) -> list[object]:
    """What recall says in every mode and profile, with filters and without."""
    march = datetime(2024, 3, 1, tzinfo=UTC)
    ways: list[dict[str, object]] = [
        {"mode": "hybrid"},
        {"mode": "keyword"},
        {"mode": "vector"},
        {"profile": "minmax"},
        {"profile": "rrf"},
        {"kinds": ["note", "fact"]},
        {"session": "talk 1"},
        {"tags": ["home"]},
        {"since": march, "mode": "keyword"},
        {"uri": "doc://"},
        {"exclude": ["talk 2", "note 1-1"]},
    ]
    told: list[object] = []
    for question in questions:
        for way in ways:
            told.append(_tell(space.recall(question, 8, asker=None, **way)))  # type: ignore[arg-type]
        found = space.explain(question, "note 1-1")
        told.append((found.verdict, found.rank, found.score and round(found.score, 5)))
        shop = space.records("shop").recall(question, limit=3)
        told.append([(hit.record.key, round(hit.score, 5)) for hit in shop])
        told.append([hit.text for hit in space.session("talk 1").context(question).hits])
    return told


def _compare(memory: Memory) -> None:
    """Recall from blocks, then from rows; a case that asks checks the memory at its end."""
    memory.flush()
    assert _pack(memory) > 0
    memory._engine.views.clear()
    packed = _ask(memory.space("ana"))
    with _without_blocks(memory):
        assert packed == _ask(memory.space("ana"))
    assert _pack(memory) > 0


def case_blocks_give_the_hits_that_rows_give(lab: Lab) -> None:
    """EMB-8"""
    memory = lab.open()
    _furnish(memory.space("ana"))

    _compare(memory)


def case_blocks_and_rows_beside_them_give_the_same_hits(lab: Lab) -> None:
    """EMB-8"""
    memory = lab.open()
    space = memory.space("ana")
    _furnish(space)
    memory.flush()
    _pack(memory)
    changes: list[Callable[[], object]] = [
        lambda: space.forget("note 1-2"),
        lambda: space.write("note 2-1", "the winter boat of Tove is red"),
        lambda: space.session("talk 1").edit(3, "Ruben sells the violin at the harbour"),
        lambda: space.session("talk 2").truncate(after=7),
        lambda: space.session("talk 3").delete(),
        lambda: space.ingest("# harbour\n\nAnother kettle.", uri="doc://1"),
        lambda: space.records("shop").put("r1", {"text": "a lantern in winter"}),
    ]

    for change in changes:
        change()
        memory.flush()
        memory._engine.views.clear()
        mixed = _ask(space, QUESTIONS[:1])
        with _without_blocks(memory):
            assert mixed == _ask(space, QUESTIONS[:1])
        _pack(memory)
    assert memory.check() == []


def case_a_view_of_blocks_follows_what_is_written(lab: Lab) -> None:
    """EMB-8"""
    memory = lab.open()
    space = memory.space("ana")
    _furnish(space)
    memory.flush()
    _pack(memory)
    memory._engine.views.clear()
    _ask(space)  # the view rests on blocks from here on

    for n in range(8):
        space.session("talk 1").append("user", f"the harbour market number {n} in winter")
        if n % 4 == 3:
            space.forget(f"note 0-{n // 4}")
        memory.flush()
        _pack(memory)
        warm = _tell(space.recall("harbour market", 20, asker=None))
        memory._engine.views.clear()
        assert warm == _tell(space.recall("harbour market", 20, asker=None))


def case_what_is_forgotten_leaves_no_block(lab: Lab) -> None:
    """EMB-9"""
    memory = lab.open()
    space = memory.space("ana")
    _furnish(space)
    memory.flush()
    assert _pack(memory) > 1
    engine = memory._engine
    with engine.store.read() as tx:
        number = tx.spaces.number("ana")
        assert number is not None
        chunk = next(iter(tx.chunks.of_entry(number, space.get("note 1-1").id)))  # type: ignore[union-attr]
        before = tx.blocks.ranges(number)

    space.forget("note 1-1")

    with engine.store.read() as tx:
        held = tx.blocks.ranges(number)
        assert not any(row.first <= chunk <= row.last for row in held)
        assert {row.block for row in held} < {row.block for row in before}
        assert tx.blocks.list_strays(number, {row.block for row in held}) == set()
        assert {block for block, _ in tx.blocks.list_signs(number)} <= {row.block for row in held}


@durable
def case_blocks_of_two_models_hold_the_signs_of_each(lab: Lab) -> None:
    """EMB-8"""
    memory = lab.open()
    _furnish(memory.space("ana"))
    memory.flush()
    _pack(memory)
    first = _tell(memory.space("ana").recall("red boat", 5, asker=None))
    table = VectorTable({}, name="other", dim=4)
    table.vectors = {text: (1.0, 0.5, n, 0.1) for n, text in enumerate(WORDS)}

    other = lab.share(memory, embedder=table)
    other.flush()
    _pack(other)

    _compare(other)
    memory._engine.views.clear()
    assert _tell(memory.space("ana").recall("red boat", 5, asker=None)) == first


@durable
def case_a_copy_and_a_dropped_space_see_to_their_blocks(lab: Lab) -> None:
    """EMB-9"""
    memory, target = lab.open(), lab.open(embedder="hash")
    _furnish(memory.space("ana"))
    memory.space("ben").remember("a boat", name="boat")
    memory.flush()
    _pack(memory)

    memory.copy(lab.url(target))
    assert target.check() == []
    _compare(target)
    memory.drop("ana")

    assert names(memory.space("ben").recall("boat")) == ["boat"]
    assert "ana" not in [*memory.spaces()]


def case_an_index_mends_blocks_that_differ_from_their_chunks(lab: Lab) -> None:
    """EMB-9"""
    memory = lab.open()
    space = memory.space("ana")
    _furnish(space)
    memory.flush()
    _pack(memory)
    engine = memory._engine
    with engine.store.read() as tx:
        number = tx.spaces.number("ana")
        assert number is not None
        row = tx.blocks.ranges(number)[0]
        (model,) = {model for _, model in tx.blocks.list_signs(number)}
        signs = bytearray(next(tx.blocks.signs(number, model, [row.block])) or b"")
        words = tx.blocks.words(number, row.block)
    signs[-1] ^= 1

    def spoil(tx: object) -> None:
        tx.rows("block_signs.drop", space=number, block=row.block, model=model)  # type: ignore[attr-defined]
        tx.blocks.put_signs(number, row.block, model, bytes(signs))  # type: ignore[attr-defined]
        place = row.block * 256 + min(words)
        low = row.block * 256
        tx.rows("block_words.delete", space=number, low=low, high=low + 256)  # type: ignore[attr-defined]
        tx.rows("block_words.insert", space=number, place=place, data=words[min(words)][:-1])  # type: ignore[attr-defined]

    engine.store.write(spoil)
    assert {violation.rule for violation in memory.check()} == {"block"}

    memory.index()

    assert memory.check() == []
