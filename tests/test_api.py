"""The public surface: what is exported, documented, mirrored, and drawn in the tree of errors."""

import asyncio
import dataclasses
import inspect
import re
import threading

import pytest

import ricordo
from doors import collection_types
from ricordo import aio, errors, mirrors
from ricordo.errors import InvalidInput, RicordoError, StoreError
from ricordo.handles.records import SpaceRecords

# The handle of a space stays small: what the design allows, and what there is at present.
ALLOWED = """
    name remember remember_many get write rename alias forget fact entries history recall explain
    context session sessions ingest schedule remind dream stats
    schedules reminders documents dreams macros approvals files records exchange
"""
COLLECTIONS = {kind.__name__: kind for kind in collection_types().values()}
COLLECTIONS["SpaceRecords"] = SpaceRecords
HANDLES = {name: getattr(ricordo, name) for name in ("Memory", "Space", "Session")} | COLLECTIONS
ATTRIBUTES = {
    "Memory": {"keeper"},
    "Space": {"name", *collection_types()},
    "Session": {"name", "space"},
}
EXPORTED = {name: getattr(ricordo, name) for name in ricordo.__all__ if name[0] != "_"}


def public(owner):
    """Public names of a class with what stands behind them, those of its own bases included."""
    own = [each for each in reversed(owner.__mro__) if each.__module__.startswith("ricordo")]
    found = {name: value for each in own for name, value in vars(each).items()}
    return {name: value for name, value in found.items() if not name.startswith("_")}


def methods(owner):
    """The public methods of a class."""
    return {name: value for name, value in public(owner).items() if callable(value)}


# --- what is exported -------------------------------------------------------------------------


def test_exported_names_are_sorted_and_there_is_none_twice():
    assert list(ricordo.__all__) == sorted(set(ricordo.__all__))


def test_every_public_name_of_the_package_is_exported():
    modules = {name for name, value in vars(ricordo).items() if inspect.ismodule(value)}
    named = {name for name in vars(ricordo) if not name.startswith("_")} - modules

    assert named | {"__version__"} == set(ricordo.__all__)


def test_every_error_is_exported():
    raised = {name for name, value in vars(errors).items() if inspect.isclass(value)}

    assert raised <= set(ricordo.__all__)


def test_every_noun_that_a_method_gives_is_exported():
    nouns = {
        word
        for handle in HANDLES
        for method in methods(HANDLES[handle]).values()
        for word in re.findall(r"\b[A-Z]\w+", str(inspect.signature(method).return_annotation))
    }

    assert nouns - {"None", "Any", "SpaceRecords"} <= set(ricordo.__all__)


@pytest.mark.parametrize("name", sorted(EXPORTED))
def test_every_public_class_and_function_says_what_it_is(name):
    own = EXPORTED[name]
    spoken = {name: own}
    if inspect.isclass(own):
        spoken |= {f"{name}.{method}": value for method, value in methods(own).items()}

    # A dataclass without a docstring is given its own signature as one, which says nothing.
    silent = [
        each
        for each, value in spoken.items()
        if not (inspect.getdoc(value) or "").rstrip().endswith((".", "`"))
        or (inspect.getdoc(value) or "").startswith(f"{each}(")
    ]

    assert silent == []


def test_results_are_frozen():
    nouns = [noun for noun in EXPORTED.values() if dataclasses.is_dataclass(noun)]

    assert nouns
    assert [noun for noun in nouns if not noun.__dataclass_params__.frozen] == []


# --- the tree of errors -----------------------------------------------------------------------


def drawn_tree():
    """Pairs of an error and its parent, as the module's docstring draws them."""
    above: list[str] = []
    for line in errors.__doc__.splitlines():
        found = re.match(r"^(?P<indent>[│├└─ ]*)(?P<name>[A-Z]\w+)(?:\s{2,}.*)?$", line)
        if found:
            depth = len(found["indent"]) // 4
            del above[depth:]
            yield found["name"], above[-1] if above else "Exception"
            above.append(found["name"])


def test_the_drawn_tree_of_errors_is_the_tree_of_classes():
    classes = {name: each for name, each in vars(errors).items() if inspect.isclass(each)}

    assert dict(drawn_tree()) == {
        name: each.__bases__[0].__name__ for name, each in classes.items()
    }


def test_every_error_is_caught_by_the_one_base():
    for name, _ in drawn_tree():
        assert issubclass(getattr(errors, name), RicordoError)


def test_bad_input_is_a_value_error_and_what_is_not_installed_an_import_error():
    assert issubclass(InvalidInput, ValueError)
    assert issubclass(errors.Unavailable, ImportError)


# --- the awaitable mirror ---------------------------------------------------------------------


@pytest.mark.parametrize("handle", HANDLES)
def test_both_facades_offer_the_same_names(handle):
    blocking = set(methods(HANDLES[handle]))

    assert set(public(getattr(aio, handle))) == blocking | ATTRIBUTES.get(handle, set())


def test_a_space_offers_the_names_of_the_design_and_no_others():
    with ricordo.open(embedder="none") as memory:
        offered = {name for name in dir(memory.space("ana")) if not name.startswith("_")}

    assert offered == set(ALLOWED.split())


def test_both_facades_say_the_same_of_a_collection():
    for name, kind in collection_types().items():
        awaitable = getattr(aio.Space, name).fget
        assert awaitable.__annotations__["return"] is getattr(aio, kind.__name__)
        assert awaitable.__doc__ == getattr(ricordo.Space, name).fget.__doc__


@pytest.mark.parametrize("handle", HANDLES)
def test_both_facades_take_the_same_parameters_and_say_the_same(handle):
    awaitable = getattr(aio, handle)

    for name, method in methods(HANDLES[handle]).items():
        twin = getattr(awaitable, name)
        given, expected = inspect.signature(twin), inspect.signature(method)
        assert list(given.parameters.values()) == list(expected.parameters.values()), name
        assert inspect.getdoc(twin) == inspect.getdoc(method), name
    assert inspect.getdoc(awaitable) == inspect.getdoc(HANDLES[handle])


def test_both_ways_to_open_take_the_same_parameters_and_say_the_same():
    blocking, awaitable = inspect.signature(ricordo.open), inspect.signature(aio.open)

    assert list(awaitable.parameters.values()) == list(blocking.parameters.values())
    assert inspect.getdoc(aio.open) == inspect.getdoc(ricordo.open)


@pytest.mark.parametrize("handle", HANDLES)
def test_everything_but_handles_is_awaitable(handle):
    plain = {
        name
        for name, method in methods(getattr(aio, handle)).items()
        if not inspect.iscoroutinefunction(method)
    }

    assert plain == {"Memory": {"space"}, "Space": {"session", "records"}}.get(handle, set())


def run(main):
    """Run a coroutine function on a fresh event loop."""
    return asyncio.run(main())


def opened(path=":memory:"):
    return aio.open(path, embedder="hash")


def test_fifty_appends_at_once_are_all_there_in_order(tmp_path):
    async def main():
        async with opened(tmp_path / "agent.db") as memory:
            chat = memory.space("ana").session("trip")
            given = await asyncio.gather(*(chat.append("user", f"line {i}") for i in range(50)))
            return given, await chat.events(), await memory.check()

    given, events, violations = run(main)

    assert [event.seq for event in events] == list(range(1, 51))
    assert {event.uid for event in events} == {event.uid for event in given}
    assert sorted(event.content for event in events) == sorted(f"line {i}" for i in range(50))
    assert violations == []


def test_the_event_loop_goes_on_while_a_call_waits(tmp_path):
    async def main():
        loop, reached, free = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

        def hold(done, total):
            loop.call_soon_threadsafe(reached.set)
            assert free.wait(10)

        async with opened(tmp_path / "agent.db") as memory:
            await memory.space("ana").remember("Lisbon", name="home")
            copying = asyncio.create_task(memory.backup(tmp_path / "copy.db", hold))
            await reached.wait()
            here = await memory.space("ana").get("home")
            free.set()
            await copying
            return here.content

    assert run(main) == "Lisbon"


def test_a_write_that_has_begun_finishes_although_its_caller_is_cancelled():
    async def main():
        loop, begun, free = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

        class Held:
            """Messages that can be read only once the test lets them."""

            def __iter__(self):
                loop.call_soon_threadsafe(begun.set)
                assert free.wait(10)
                yield {"role": "user", "content": "one"}
                yield {"role": "user", "content": "two"}

        async with opened() as memory:
            chat = memory.space("ana").session("trip")
            writing = asyncio.create_task(chat.extend(Held()))
            await begun.wait()
            writing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await writing
            free.set()
            while not (events := await chat.events()):
                await asyncio.sleep(0)
            return [event.content for event in events], await memory.check()

    assert run(main) == (["one", "two"], [])


def test_a_write_that_has_not_begun_is_taken_back_by_cancelling():
    async def main():
        free = threading.Event()

        class Held:
            def __iter__(self):
                assert free.wait(10)
                return iter(())

        async with opened() as memory:
            chat = memory.space("ana").session("trip")
            busy = [asyncio.create_task(chat.extend(Held())) for _ in range(mirrors.WORKERS)]
            waiting = asyncio.create_task(chat.append("user", "never mind"))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
            free.set()
            await asyncio.gather(*busy)
            return await chat.events()

    assert run(main) == []


def test_closing_waits_for_writes_whose_callers_were_cancelled(tmp_path):
    async def main():
        loop, begun, closed = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

        class Held:
            def __iter__(self):
                loop.call_soon_threadsafe(begun.set)
                closed.wait(0.3)  # in vain: the memory cannot be closed before this is written
                yield {"role": "user", "content": "kept"}

        memory = await opened(tmp_path / "agent.db")
        writing = asyncio.create_task(memory.space("ana").session("trip").extend(Held()))
        await begun.wait()
        writing.cancel()
        closing = asyncio.create_task(memory.close())
        closing.add_done_callback(lambda _: closed.set())
        await closing

    run(main)

    assert [file.name for file in tmp_path.iterdir()] == ["agent.db"]
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        assert [e.content for e in memory.space("ana").session("trip").events()] == ["kept"]


def test_closing_twice_at_once_waits_for_what_is_under_way(tmp_path):
    async def main():
        memory = await opened(tmp_path / "agent.db")
        chat = memory.space("ana").session("trip")
        writing = [asyncio.create_task(chat.append("user", f"line {i}")) for i in range(50)]
        await asyncio.sleep(0)
        await asyncio.gather(memory.close(), memory.close())
        return await asyncio.gather(*writing)

    assert len(run(main)) == 50


def test_a_closed_memory_refuses_calls_and_may_be_closed_again(tmp_path):
    async def main():
        memory = await opened(tmp_path / "agent.db")
        await memory.close()
        await memory.close()
        with pytest.raises(StoreError, match="closed"):
            await memory.space("ana").remember("Lisbon")

    run(main)


def test_errors_come_through_unchanged():
    async def main():
        async with opened() as memory:
            with pytest.raises(InvalidInput, match="content is blank"):
                await memory.space("ana").remember("  ")
            with pytest.raises(ricordo.NotFound, match="nobody"):
                await memory.space("ana").forget("nobody")
            with pytest.raises(InvalidInput, match="space is blank"):
                memory.space(" ")

    run(main)


def test_a_memory_that_cannot_be_opened_says_so_when_awaited(tmp_path):
    async def main():
        with pytest.raises(InvalidInput, match="is a directory"):
            await opened(tmp_path)
        with pytest.raises(InvalidInput, match="is a directory"):
            async with opened(tmp_path):
                pytest.fail("it opened a directory")

    run(main)


def test_handles_know_their_names():
    async def main():
        async with opened() as memory:
            chat = memory.space("ana").session("trip")
            return memory.space("ana").name, chat.space, chat.name

    assert run(main) == ("ana", "ana", "trip")
