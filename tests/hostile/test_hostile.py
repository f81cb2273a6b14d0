"""Hostile input: nothing but errors of ours, nothing from next door, nothing changed on the way.

Short: 4,000 queries and 600 texts. RICORDO_CRASH=all: 22,000 and 6,000.
"""

import contextlib
import inspect
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from malice import PIECES, deep, texts, values

import ricordo
from backends import BACKENDS, urls
from doors import COLLECTIONS
from ricordo import Memory, Space
from tier import report, tier

QUERIES = tier(4_000, 22_000)
TEXTS = tier(600, 6_000)
CANARY = "zqcanary"


@pytest.fixture
def crowded(lab) -> Memory:
    """Two spaces; the texts of one hold the canary."""
    memory = lab.open(embedder="none")
    for number, piece in enumerate(PIECES):
        for space, extra in (("ana", CANARY), ("kate", "hers")):
            try:
                memory.space(space).session("s").append("user", f"{piece} {extra} {number}")
            except ricordo.InvalidInput:
                assert "\0" in piece or not piece.isprintable() or len(piece) == 1
    return memory


@pytest.mark.timeout(tier(300, 1_500))
def test_no_query_fails_or_reaches_next_door(crowded):
    kate = crowded.space("kate")
    seen: Counter[str] = Counter()
    for query in texts(1, QUERIES):
        try:
            hits = kate.recall(query, mode="keyword", asker=None)
        except ricordo.InvalidInput:
            seen["refused"] += 1
            continue
        seen["found" if hits else "nothing"] += 1
        assert not any(CANARY in hit.text for hit in hits), query

    assert seen["found"] > 0
    report("9 hostile queries", queries=QUERIES, errors=0, leaks=0, **seen)


def test_a_query_put_into_fts5_as_it_stands_fails(crowded):
    """The control: the same queries without our tokenizer are syntax errors by the hundred."""
    import apsw

    crowded._engine.store.settle()
    raw = apsw.Connection(crowded._engine.store.url)
    failed = 0
    for query in texts(1, 500):
        try:
            raw.execute("SELECT rowid FROM words WHERE words MATCH ?", (query,)).fetchall()
        except (apsw.Error, UnicodeEncodeError):
            failed += 1
    raw.close()

    assert failed > 100
    report("9 hostile queries, control: raw", queries=500, errors=failed)


def kept(memory: Memory, seed: int, count: int) -> str:
    """Keep texts in every place that takes one; a letter for each says if it was kept."""
    verdicts = []
    space = memory.space("ana")
    for number, text in enumerate(texts(seed, count)):
        for place in PLACES:
            try:
                assert place(space, number, text), (place.__name__, text)
                verdicts.append("k")
            except ricordo.InvalidInput:
                verdicts.append("r")
            except ricordo.Conflict:
                verdicts.append("c")
    return "".join(verdicts)


def as_message(space: Space, number: int, text: str) -> bool:
    return space.session("s").append("user", text, metadata={"k": text}).content == text


def as_part(space: Space, number: int, text: str) -> bool:
    parts = [{"type": "text", "text": text}]
    return space.session("p").append("user", parts, tool_calls=[{"name": text}]).content == parts


def as_entry(space: Space, number: int, text: str) -> bool:
    space.remember(text, name=f"n{number}", metadata={"k": [text]}, source=text[:100])
    found = space.get(f"n{number}")
    return found is not None and found.content == text


def as_name(space: Space, number: int, text: str) -> bool:
    entry = space.remember("x", name=text)
    found = space.get(text)
    space.forget(entry.id)
    return found is not None and found.name == text and space.get(text) is None


def as_session(space: Space, number: int, text: str) -> bool:
    event = space.session(text).append("user", "x")
    same = space.session(text).events()[-1] == event
    space.session(text).delete()
    return same and space.session(text).events() == []


def as_tag(space: Space, number: int, text: str) -> bool:
    return space.remember("x", name="tagged", tags=[text]).name == "tagged"


PLACES = (as_message, as_part, as_entry, as_name, as_session, as_tag)


@pytest.mark.timeout(tier(300, 1_500))
def test_a_text_is_kept_exactly_or_refused(lab):
    memory = lab.open(embedder="none", durability="normal")

    verdicts = kept(memory, 2, TEXTS)

    assert memory.check() == []
    assert set(verdicts) == {"k", "r"}
    report("9 hostile texts", texts=TEXTS, places=len(PLACES), refused=verdicts.count("r"))


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_gives_the_same_verdict(backend, lab, tmp_path):
    with urls(backend, tmp_path) as places, ricordo.open(places(), embedder="none") as there:
        assert kept(there, 3, 60) == kept(lab.open(embedder="none"), 3, 60)


# --- every parameter of every method ----------------------------------------------------------

# What they do for long, or to the world outside, is not the subject here.
LEFT_OUT = frozenset({"close", "progress", "timeout", "ingest_folder", "backup", "copy", "export"})
USUAL: dict[str, Any] = {
    "name": "seat", "alias": "other", "new": "newer", "content": "text", "text": "text",
    "query": "seat", "goal": "goal", "cadence": "every day at 8:00", "category": "user",
    "key": "city", "role": "user", "messages": [{"role": "user", "content": "x"}], "lines": ["x"],
    "words": ["git"], "command": "git status", "tool_call": {"name": "t", "arguments": {}},
    "path_or_text": "text", "declared": [], "upto": 0, "expected_epoch": 0, "path": "a.md",
    "archive": "seat", "target": "seat", "schedule": "daily", "reminder": "r", "run": "r",
    "macro": "m", "sweep": 1, "uri": "doc:1", "folder": "none", "space": "ana", "claim": None,
}  # fmt: skip


def attempts(memory: Memory) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every parameter of every public method in turn, with all that may come in its place."""
    space, everything = memory.space("ana"), values()
    collections = [getattr(space, each) for each in COLLECTIONS]
    for handle in (space, space.session("s"), memory, *collections):
        for method, function in inspect.getmembers(type(handle), inspect.isfunction):
            parameters = list(inspect.signature(function).parameters.values())[1:]
            if method.startswith("_") or method in LEFT_OUT:
                continue
            needed = [
                p.name
                for p in parameters
                if p.default is p.empty and p.kind is not p.VAR_POSITIONAL
            ]
            for parameter in parameters:
                if parameter.name in LEFT_OUT or parameter.kind is parameter.VAR_POSITIONAL:
                    continue
                for value in everything:
                    given = {name: USUAL.get(name, "x") for name in needed}
                    given[parameter.name] = value
                    told = f"{type(handle).__name__}.{method}({parameter.name}={kind(value)})"
                    yield told, bound(handle, method, given)


def kind(value: object) -> str:
    try:
        return repr(value)[:40]
    except RecursionError:
        return f"deep {type(value).__name__}"


def bound(handle: object, method: str, given: dict[str, Any]) -> Callable[[], object]:
    return lambda: getattr(handle, method)(**given)


@pytest.mark.timeout(tier(300, 1_500))
def test_no_argument_of_any_method_is_an_unhandled_exception(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    share = tier(0.4, 1.0)
    chance = random.Random(3)
    wrong: list[str] = []
    asked = refused = 0
    memory = ricordo.open(tmp_path / "a.db", embedder="none", durability="normal")
    memory.space("ana").remember("text", name="seat")
    for told, call in attempts(memory):
        if chance.random() > share:
            continue
        asked += 1
        try:
            call()
        except ricordo.RicordoError:
            refused += 1
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            wrong.append(f"{told}: {type(error).__name__}: {str(error)[:80]}")
    found = memory.check()
    memory.close()

    assert wrong == [], wrong[:20]
    assert found == []
    report("9 hostile arguments", calls=asked, refused=refused, unhandled=0)


# --- sizes and paths --------------------------------------------------------------------------


def test_ten_million_characters_are_kept_and_one_more_is_refused(lab):
    memory = lab.open(embedder="none")
    space = memory.space("ana")
    longest = "ab " * 3_333_333 + "c"

    assert len(longest) == 10_000_000
    assert space.session("s").append("user", longest).content == longest
    with pytest.raises(ricordo.InvalidInput, match="10,000,000"):
        space.session("s").append("user", longest + "d")
    with pytest.raises(ricordo.InvalidInput, match="10,000,000"):
        space.remember(longest + "d")


@pytest.mark.parametrize("is_list", [True, False])
def test_json_a_hundred_thousand_deep_is_refused_by_name(space, is_list):
    value = deep(100_000, is_list=is_list)
    for attempt in (
        lambda: space.session("s").append("user", "x", metadata={"k": value}),
        lambda: space.session("s").append("user", "x", tool_calls=[value]),
        lambda: space.session("s").append("user", [value]),
        lambda: space.session("s").extend([{"role": "user", "content": [value]}]),
        lambda: space.remember("x", metadata={"k": value}),
        lambda: space.ingest("text", uri="u", metadata={"k": value}),
    ):
        with pytest.raises(ricordo.InvalidInput, match="deep"):
            attempt()
    assert space.sessions() == space.entries() == space.documents.list() == []


TRICKS = (
    "../escape", "../../escape", "/etc/escape", "a/../../escape", "..\\escape", "C:\\escape",
    "con", "nul.md", "a\nb", "~/escape", "%2e%2e/escape", ".", "..", "...", " ", "x" * 300,
    "\u2024\u2024/escape", "．．/escape", "a/./b", "-rf", "$(touch escape)",
)  # fmt: skip


@pytest.mark.parametrize("trick", TRICKS)
def test_no_name_of_a_session_leads_out_of_the_folder_of_archives(tmp_path, trick):
    folder = tmp_path / "inside"
    folder.mkdir()
    with ricordo.open(tmp_path / "a.db", embedder="none") as memory:
        try:
            chat = memory.space("ana").session(trick)
            chat.append("user", "x")
            chat.compact(folder=folder)
        except ricordo.InvalidInput:
            pass

    left = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert left <= {"inside", "a.db"}
    assert not list(Path("/etc").glob("*escape*"))


@pytest.mark.parametrize("trick", TRICKS)
def test_no_path_leads_out_of_the_workspace(tmp_path, trick):
    config = {"workspace": str(tmp_path / "inside")}
    with ricordo.open(tmp_path / "a.db", embedder="none", config=config) as memory:
        space = memory.space("ana")
        for attempt in (
            lambda: space.files.write(trick, "text"),
            lambda: space.files.read(trick),
        ):
            with contextlib.suppress(ricordo.RicordoError):
                attempt()

    left = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert left <= {"inside", "a.db"}
