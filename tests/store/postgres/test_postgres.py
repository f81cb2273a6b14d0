"""The PostgreSQL backend: every conformance case, and the same answers as SQLite."""

import asyncio

import pytest

import ricordo
from ricordo import testing
from ricordo.core.text import tokens
from ricordo.testing import Case, Lab, cases

# Cases that PostgreSQL does not run, and why.
EXCEPTIONS: dict[str, str] = {}

PROFILES = ("default", "minmax", "rrf", "two_tier", "bm25")


# --- the same promises ------------------------------------------------------------------------


@pytest.mark.parametrize("case", [c for c in cases() if c.name not in EXCEPTIONS], ids=str)
def test_a_memory_on_postgresql_keeps_the_promise(case: Case, lab: Lab):
    case.run(lab)


def test_no_case_is_left_out_without_a_reason():
    assert set(EXCEPTIONS) <= {case.name for case in cases()}
    assert all(EXCEPTIONS.values())


def test_the_awaitable_mirror_works_on_a_server(url):
    async def talk() -> list[str]:
        async with ricordo.aio.open(url, embedder="hash") as memory:
            await memory.space("ana").session("trip").append("user", "a flight to Oslo")
            hits = await memory.space("ana").recall("flight")
            return [hit.text for hit in hits]

    assert asyncio.run(talk()) == ["a flight to Oslo"]


# --- the same answers -------------------------------------------------------------------------

FACTS = (
    "The kitchen window faces the harbour and the old lighthouse",
    "Bella the spaniel is afraid of thunder",
    "The budget for the Lisbon trip is 1,200 euros",
    "Train to Porto leaves at seven, platform four",
    "Ana prefers window seats, always on the left",
    "The harbour café closes at seven on Sundays",
    "Rex, the neighbour's dog, barks at the spaniel",
    "Passport number is kept in the blue folder",
    "Thunder over the lighthouse woke everybody at four",
    "Платформа четыре, поезд в семь",
    "京都の旅館を予約した",
)
QUESTIONS = (
    "where is the lighthouse", "spaniel thunder", "what leaves at seven", "window seats",
    "budget of the trip", "поезд", "京都の旅館", "café", "the blue folder", "who barks", "harbour",
)  # fmt: skip


def test_recall_gives_the_same_top_ten_as_sqlite(lab, tmp_path):
    with Lab(lambda: str(tmp_path / "agent.db")) as other:
        spaces = [each.open().space("ana") for each in (lab, other)]
        for space in spaces:
            fill(space)

        for profile in PROFILES:
            for mode in ("keyword", "hybrid"):
                for question in QUESTIONS:
                    ours, theirs = (
                        [
                            (hit.text, hit.source, round(hit.score, 9), hit.parts)
                            for hit in space.recall(
                                question, limit=10, profile=profile, mode=mode, asker=None
                            )
                        ]
                        for space in spaces
                    )
                    assert ours == theirs, (profile, mode, question)
                    assert ours or mode == "keyword" or profile == "bm25", (profile, question)


def fill(space: ricordo.Space) -> None:
    chat = space.session("talk")
    for number, text in enumerate(FACTS * 3):
        chat.append("user" if number % 2 else "assistant", f"{text} ({number})")
    for number, text in enumerate(FACTS):
        space.remember(text, name=f"note {number}", tags=["Harbour", f"t{number % 3}"])
    space.forget("note 3")
    space.write("note 4", "Ana now prefers the aisle")
    memory = ricordo.Memory(space._engine)
    memory.flush()


def test_the_index_answers_as_fts5_does(lab, tmp_path):
    with Lab(lambda: str(tmp_path / "agent.db")) as other:
        memories = [each.open(embedder="none") for each in (lab, other)]
        for memory in memories:
            fill(memory.space("ana"))
        stems = [tokens.number(stem) for text in FACTS for stem in tokens.stems(text)]
        phrases = [
            tuple(stems[at : at + size]) for size in (1, 2, 3) for at in range(len(stems) - size)
        ]

        answers = []
        for memory in memories:
            with memory._engine.store.read() as tx:
                counts = tx.search.frequencies(1, stems)
                held = [
                    found
                    for tags in (False, True)
                    for allowed in (None, [1, 2, 3, 20, 40])
                    for found in tx.search.find_phrases(1, phrases, allowed, 7, tags=tags)
                ]
                answers.append((counts, held))

        assert answers[0] == answers[1]
        assert any(len(found) == 7 for found in answers[0][1])
        assert any(found == [] for found in answers[0][1])


def test_the_plain_runner_takes_a_server_too():
    assert len(testing.cases()) > 200
