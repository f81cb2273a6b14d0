"""Places: held for as long as the frame that took them runs, and free once it has ended."""

import sys
import threading

from ricordo.locks import Hold, Lock


def take_hold() -> Hold:
    hold = Hold(sys._getframe())
    assert not hold.is_over()
    assert is_running_below(hold)
    return hold


def is_running_below(hold: Hold) -> bool:
    return not hold.is_over() and hold.is_mine()


def test_a_hold_lasts_as_long_as_its_frame():
    assert take_hold().is_over()


def test_a_hold_ends_with_its_frame_though_the_traceback_is_kept():
    holds = []

    def fail() -> None:
        holds.append(Hold(sys._getframe()))
        raise ValueError

    try:
        fail()
    except ValueError as error:
        kept = error

    assert kept.__traceback__ is not None
    assert holds[0].is_over()


def test_a_frame_of_another_thread_is_told_from_one_that_has_ended():
    holds, taken, end = [], threading.Event(), threading.Event()

    def wait() -> None:
        holds.append(Hold(sys._getframe()))
        taken.set()
        end.wait()

    thread = threading.Thread(target=wait)
    thread.start()
    taken.wait()

    assert not holds[0].is_over()
    assert not holds[0].is_mine()
    end.set()
    thread.join()
    assert holds[0].is_over()


def test_a_generator_that_waits_goes_on_after_somebody_asked():
    def count():
        hold = Hold(sys._getframe())
        yield hold
        yield 2

    counting = count()
    hold = next(counting)

    assert not hold.is_over()
    assert next(counting) == 2


def test_a_lock_whose_holder_has_ended_can_be_taken():
    lock = Lock()

    def vanish() -> None:
        assert lock.take(sys._getframe()) is not None

    vanish()

    assert lock.take(sys._getframe(), 30) is not None
