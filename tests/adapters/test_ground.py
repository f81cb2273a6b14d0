"""What adapters stand on: which space, which values, and what happens without the framework."""

import ast
import asyncio
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ricordo
from ricordo import InvalidInput, aio
from ricordo.adapters import ground, verbatim

ROOM = Path(ground.__file__).parent
HELPERS = {"__init__", "ground", "verbatim", "item_filters"}
ADAPTERS = sorted(file for file in ROOM.glob("*.py") if file.stem not in HELPERS)


def list_frameworks(file: Path) -> set[str]:
    """The packages that a module needs and ricordo does not bring."""
    known = sys.stdlib_module_names | {"ricordo", "numpy", "starlette"}
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    names += [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    return {top for name in names if (top := name.split(".")[0]) not in known}


@pytest.mark.parametrize("file", ADAPTERS, ids=lambda file: file.stem)
def test_without_its_framework_an_adapter_names_the_extra(file):
    extra = file.stem.replace("_", "-")
    script = (
        "import sys, ricordo\n"
        f"for name in {sorted(list_frameworks(file))!r}: sys.modules[name] = None\n"
        f"try: import ricordo.adapters.{file.stem}\n"
        "except ricordo.Unavailable as error: print(error)"
    )

    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(ROOM.parent.parent)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert f'pip install "ricordo[{extra}]"' in done.stdout


def test_an_adapter_takes_a_memory_or_a_space_and_nothing_else():
    with ricordo.open(embedder="none") as memory:
        ana = memory.space("ana")

        assert ground.find_space(ana, "other") is ana
        assert ground.find_space(memory, "other").name == "other"
        assert ground.find_memory(memory) is memory
        with pytest.raises(InvalidInput, match=r"not str; open one with ricordo.open"):
            ground.find_space("agent.db", "other")
        with pytest.raises(InvalidInput, match="takes a Memory, not Space"):
            ground.find_memory(ana)


def test_an_adapter_also_takes_the_awaitable_handles():
    async def look():
        async with aio.open(embedder="none") as memory:
            assert ground.find_space(memory.space("ana"), "other").name == "ana"
            return ground.find_space(memory, "other").name

    assert asyncio.run(look()) == "other"


def test_a_cancelled_write_is_finished_before_the_caller_hears_of_it():
    async def look():
        begun, may_end, ended = asyncio.Event(), asyncio.Event(), []
        loop = asyncio.get_running_loop()

        def work():
            loop.call_soon_threadsafe(begun.set)
            asyncio.run_coroutine_threadsafe(may_end.wait(), loop).result()
            ended.append("written")

        task = asyncio.create_task(ground.finish(work))
        await begun.wait()
        task.cancel()
        loop.call_soon(may_end.set)
        with pytest.raises(asyncio.CancelledError):
            await task
        return ended

    assert asyncio.run(look()) == ["written"]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_every_json_value_comes_back_from_a_memory_as_it_was(value):
    packed = verbatim.pack(value)

    with ricordo.open(embedder="none") as memory:
        kept = memory.space("ana").remember("x", name="n", metadata={"value": packed})
        assert verbatim.unpack(kept.metadata["value"]) == value


def nest(levels):
    value = "core"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [{"~json": "1"}, [{"~json": {}}], nest(300), {"a": math.inf}, "\0", "\ud800", {"\0": 1}],
    ids=["our mark", "our mark inside", "deep", "infinity", "NUL", "surrogate", "NUL in a name"],
)
def test_what_a_memory_refuses_travels_as_text(value):
    packed = verbatim.pack(value)

    assert packed.keys() == {"~json"}
    assert verbatim.unpack(packed) == value


def test_what_a_memory_takes_stays_what_it_is():
    value = {"role": "user", "content": "İzmir'de hava nasıl?", "n": [1, 2.5, None, True]}

    assert verbatim.pack(value) is value
    assert verbatim.readable("İzmir") == "İzmir"
    assert verbatim.readable("a\0b\ud800") == "a?b?"
