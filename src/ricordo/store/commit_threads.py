"""Commit threads: they make the commits of one store, so that no caller holds a transaction.

Callers queue their work and wait. Whatever happens to a caller meanwhile, an interrupt, a signal
handler that writes, a thread that is ended from outside, happens outside of any transaction. What
queues during one commit shares the next, where the store can do that.
"""

import _thread
import contextlib
import threading
import time
import weakref
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import MethodType
from typing import Any, TypeVar

from ricordo.errors import Busy, OutcomeUnknown, StoreError

MOST = 256  # requests that share one commit
KEPT = "ricordo: the write was kept"
NOT_KEPT = "ricordo: the write was not kept"
UNKNOWN = "ricordo: the write may have been kept; read it back before you repeat it"

PATIENCE_SECONDS = 75.0  # how long to wait for others to begin; a store has limits of its own
_LOCKED = (
    f"the memory has been kept locked for {PATIENCE_SECONDS:.0f} s; nothing was written: end the "
    "process that holds it, or try again"
)
_GRACE_SECONDS = 0.001  # until a thread without work rests
_YIELDS = 4  # times that others are let go first
_LOOK_SECONDS = 1.0  # how often a caller looks whether anybody still works
_VERDICT_SECONDS = 5.0  # how long an interrupted caller waits to learn what became of its work

Work = Callable[[Any], Any]  # Any: takes a transaction, returns whatever its caller wants
Result = TypeVar("Result")


class Request:
    """One piece of work waiting for a commit, and what became of it."""

    __slots__ = ("_begun", "_over", "failure", "is_done", "value", "work")

    def __init__(self, work: Work) -> None:
        self.work = work
        self.is_done = False
        self.value: Any = None  # whatever the work returns
        self.failure: BaseException | None = None
        self._begun = threading.Lock()
        self._over = threading.Lock()
        self._over.acquire()

    def seize(self) -> bool:
        """Begin it, or withdraw it before anybody has begun it; only the first caller may."""
        return self._begun.acquire(blocking=False)

    @property
    def is_begun(self) -> bool:
        return self._begun.locked()

    def end(self) -> None:
        self.is_done = True
        self._over.release()

    def wait(self, seconds: float) -> bool:
        return self.is_done or self._over.acquire(timeout=seconds) or self.is_done


class Crew:
    """Up to `threads` threads behind one queue; each hands batches to `commit`."""

    def __init__(
        self,
        commit: Callable[[list[Request]], None],
        rest: Callable[[], None],
        *,
        threads: int = 1,
        most: int = MOST,
    ) -> None:
        """`rest` is called when nothing has come for a moment.

        Both are methods of a store, which is held weakly: when it is forgotten, its crew goes.
        """
        self._desk = Desk(commit, rest, most)
        self._limit = threads
        self._ending = weakref.finalize(self, self._desk.queue.put, None)
        self._ending.atexit = False

    def enqueue(self, work: Work) -> Request:
        request = Request(work)
        self._desk.queue.put(request)
        if not self._desk.idle and len(self._desk.staff) < self._limit:
            self._start()
        return request

    def finish(self, request: Request) -> Any:
        """Wait for the request; its value or its failure.

        An interrupt of the caller says in a note what became of the write.
        """
        try:
            is_done = self._await(request)
        except BaseException as error:
            error.add_note(_verdict(request))
            raise
        if not is_done:
            raise Busy(_LOCKED)
        if request.failure is not None:
            raise request.failure
        return request.value

    def count_waiting(self) -> int:
        """How many requests nobody has begun, about."""
        return self._desk.queue.qsize()

    def drain(self) -> None:
        """Wait until all that was queued before is done; for a crew of one thread."""
        is_used = self._desk.staff or not self._desk.queue.empty()
        if is_used and not self._await(self.enqueue(_mark)):
            raise Busy(_LOCKED)

    def stop(self) -> None:
        """End the threads once everything queued is done; one that others keep waiting is left."""
        if (
            self._ending.detach() is not None
        ):  # while the interpreter ends, a finalizer does nothing
            self._desk.queue.put(None)
        deadline = time.monotonic() + _VERDICT_SECONDS
        while self._desk.staff and time.monotonic() < deadline:
            with contextlib.suppress(Empty):
                self._desk.left.get(timeout=_LOOK_SECONDS)

    def _await(self, request: Request) -> bool:
        """Wait until it is done; False if nobody could begin it, and nobody will."""
        if request.wait(_LOOK_SECONDS):
            return True
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not request.wait(_LOOK_SECONDS):
            if not request.is_begun:
                self._remind(request)
                if time.monotonic() > deadline and request.seize():
                    return False
            elif not self._desk.staff and not request.is_done:
                raise OutcomeUnknown("the thread that wrote was ended; read back what it wrote")
        return True

    def _remind(self, request: Request) -> None:
        """Queue it again if it was lost with a thread that was ended from outside."""
        staff = self._desk.staff
        for number, seat in list(staff.items()):
            if not seat.is_taken:
                staff.pop(number, None)  # whoever started it was interrupted on the way
        if self._desk.idle or not staff:
            self._desk.queue.put(request)
            if not staff:
                self._start()

    def _start(self) -> None:
        for number in range(self._limit):
            seat = Seat()
            if self._desk.staff.setdefault(number, seat) is seat:
                # Not threading.Thread: its start can be interrupted half-way, this is one step.
                _thread.start_new_thread(_serve, (self._desk, number, seat))
                return


class Seat:
    """The place of one thread of a crew."""

    __slots__ = ("is_taken",)

    def __init__(self) -> None:
        self.is_taken = False  # until the thread runs


class Desk:
    """What a crew works at. The threads hold it and nothing else of the store."""

    def __init__(
        self, commit: Callable[[list[Request]], None], rest: Callable[[], None], most: int
    ) -> None:
        assert isinstance(commit, MethodType)
        assert isinstance(rest, MethodType)
        # Not weakref.WeakMethod, which costs each commit some microseconds.
        self.owner = weakref.ref(commit.__self__)
        self.commit: Callable[[Any, list[Request]], None] = commit.__func__
        self.rest: Callable[[Any], None] = rest.__func__
        self.most = most
        self.queue: SimpleQueue[Request | None] = SimpleQueue()  # None: the end
        self.idle: dict[int, None] = {}  # those of them that wait
        self.staff: dict[int, Seat] = {}  # the threads that run, or are about to
        self.left: SimpleQueue[None] = SimpleQueue()  # one for each thread that ended


def _mark(_: Any) -> None:  # Any: a transaction, of which there is none
    """The work of a request that only marks a place in the queue."""


def _verdict(request: Request) -> str:
    """What became of the work of a caller who was interrupted; what nobody has begun is undone."""
    if request.seize():
        return NOT_KEPT
    if not request.wait(_VERDICT_SECONDS) or isinstance(request.failure, OutcomeUnknown):
        return UNKNOWN
    return KEPT if request.failure is None else NOT_KEPT


def _serve(desk: Desk, number: int, seat: Seat) -> None:
    """Take requests until the end is queued."""
    if desk.staff.get(number) is not seat:
        return  # it came so late that another one was started
    seat.is_taken = True
    done: list[Request] = []
    try:
        shared = 1
        while shared:
            desk.idle[number] = None
            # Last of all: whoever is woken earlier waits for the interpreter that we still hold.
            _end(done)
            first = _wait_for_work(desk)
            desk.idle.pop(number, None)
            shared = _serve_batch(desk, first, shared, done)
            del first
    finally:
        _end(done)
        desk.idle.pop(number, None)
        desk.staff.pop(number, None)
        desk.left.put(None)


def _wait_for_work(desk: Desk) -> Request | None:
    """The next request; whoever rests for a moment first gives back what others wait for."""
    try:
        return desk.queue.get(timeout=_GRACE_SECONDS)
    except Empty:
        owner = desk.owner()
        if owner is not None:
            desk.rest(owner)
        del owner
        return desk.queue.get()


def _end(done: list[Request]) -> None:
    """Let the callers go on, the first of them first."""
    done.reverse()
    while done:
        done.pop().end()


def _serve_batch(desk: Desk, first: Request | None, shared: int, done: list[Request]) -> int:
    """Commit what waits; how many shared it, or 0 at the end of the queue."""
    batch: list[Request | None] = [] if first is None else [first]
    if first is not None and (shared > 1 or desk.queue.qsize()):
        _gather(desk, batch, shared)
    begun = [request for request in batch if request is not None and request.seize()]
    if begun:
        try:
            _carry_out(desk, begun)
        finally:
            done += begun
    if first is None or batch[-1] is None:
        desk.queue.put(None)  # for the next thread
        return 0
    return len(batch)


def _gather(desk: Desk, batch: list[Request | None], shared: int) -> None:
    """Add all that waits, once those who shared the last commit had a moment to come back.

    Who commits alone again and again does not wait; who is the first alone waits a moment.
    """
    for _ in range(_YIELDS):
        if desk.queue.qsize() + 1 >= min(shared, desk.most):
            break
        time.sleep(0)  # whoever prepares a request goes on
    while desk.queue.qsize() and len(batch) < desk.most and batch[-1] is not None:
        try:
            batch.append(desk.queue.get_nowait())
        except Empty:  # another thread was quicker
            break


def _carry_out(desk: Desk, batch: list[Request]) -> None:
    working = [request for request in batch if request.work is not _mark]
    owner = desk.owner()
    try:
        if owner is None:
            raise StoreError("this memory was dropped before it was closed; nothing was written")
        if working:
            desk.commit(owner, working)
    except BaseException as error:  # noqa: BLE001 - reported to every caller of the batch
        for request in working:
            request.failure = error
