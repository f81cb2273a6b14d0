"""Mirrors: run the blocking methods of a handle on threads. `aio` has the awaitable twins."""

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Mirrored = TypeVar("Mirrored")
Awaited = Coroutine[Any, Any, Result]  # Any: what an event loop sends is up to it

WORKERS = 8  # enough for writers to share a commit, few enough to be cheap


class Calls:
    """The threads that calls run on, until they are stopped."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(WORKERS, "ricordo-aio")
        self._is_stopped = False

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run `work` on a thread, with the context variables of the caller."""
        # Once stopped, use the threads of the loop: the closed memory itself refuses the call.
        context = contextvars.copy_context()
        pool = None if self._is_stopped else self._pool
        return await asyncio.get_running_loop().run_in_executor(pool, context.run, work)

    async def stop(self, last: Callable[[], None]) -> None:
        """Let every call finish, then call `last`, even if the caller is cancelled."""
        self._is_stopped = True

        def finish() -> None:
            self._pool.shutdown()  # a second caller of `stop` also waits
            last()

        await asyncio.shield(asyncio.to_thread(finish))


class Handle(Generic[Mirrored]):
    """A sync handle and the threads to use it on."""

    def __init__(self, mirrored: Mirrored, calls: Calls) -> None:
        self._sync = mirrored
        self._calls = calls

    def __repr__(self) -> str:
        return f"<aio.{repr(self._sync)[1:]}"


def unwrap(given: Any) -> Any:  # Any: an argument may be anything
    """The sync handle behind an awaitable one; any other value is returned unchanged."""
    if isinstance(given, list | tuple) and any(isinstance(each, Handle) for each in given):
        return [unwrap(each) for each in given]
    return given._sync if isinstance(given, Handle) else given


def mirror(
    method: Callable[Concatenate[Mirrored, Parameters], Result],
) -> Callable[Concatenate[Handle[Mirrored], Parameters], Awaited[Result]]:
    """Make the awaitable twin of a sync method: same parameters, same docstring."""

    @functools.wraps(method)
    async def call(
        handle: Handle[Mirrored], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Result:
        # Look it up on the handle, not on its class: a memory may redact its arguments.
        bound: Callable[Parameters, Result] = getattr(handle._sync, method.__name__)
        given = [unwrap(each) for each in args]
        named = {name: unwrap(each) for name, each in kwargs.items()}
        return await handle._calls.run(lambda: bound(*given, **named))

    return call
