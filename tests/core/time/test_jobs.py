"""Jobs: due after one interval, tried again after a failure, and done by one process at a time."""

import pytest

from ricordo.core.time import jobs
from ricordo.core.time.jobs import JobState

HOUR = 3_600_000_000
NOW = 1_000 * HOUR


def test_a_new_job_is_due_after_one_interval():
    state = jobs.plan_first(NOW, HOUR)

    assert not jobs.is_due(state, NOW + HOUR - 1)
    assert jobs.is_due(state, NOW + HOUR)


def test_a_job_that_went_well_is_due_again_after_one_interval_and_has_no_owner():
    done = jobs.finish(NOW, HOUR, "3 rows", has_model=False)

    assert (done.next_at, done.last_at, done.result) == (NOW + HOUR, NOW, "3 rows")
    assert (done.owner, done.failures, done.error) == ("", 0, "")


def test_failures_are_tried_again_ever_more_rarely_and_never_later_than_the_interval():
    state, pauses = jobs.plan_first(NOW, 24 * HOUR), []
    for _ in range(12):
        state = jobs.fail(state, NOW, 24 * HOUR, "no disk")
        pauses.append(state.next_at - NOW)

    assert pauses[0] == jobs.FIRST_RETRY
    assert pauses == sorted(pauses)
    assert pauses[-1] == jobs.LAST_RETRY
    assert jobs.fail(state, NOW, HOUR, "no disk").next_at == NOW + HOUR
    assert (state.failures, state.error, state.owner) == (12, "no disk", "")


def test_a_failure_keeps_the_result_of_the_last_pass_that_went_well():
    done = jobs.finish(NOW, HOUR, "3 rows", has_model=False)

    assert jobs.fail(done, NOW, HOUR, "no disk").result == "3 rows"


def test_a_time_further_ahead_than_one_interval_is_planned_again():
    """It was planned while the clock was wrong, or under a longer interval."""
    year_ahead = JobState(NOW + 8_760 * HOUR)

    assert jobs.replan(year_ahead, NOW, HOUR).next_at == NOW + HOUR
    assert jobs.replan(JobState(NOW + 1), NOW, HOUR) == JobState(NOW + 1)


@pytest.mark.parametrize(
    ("owner", "until", "is_held"),
    [("", NOW + 1, False), ("a", NOW + 1, True), ("a", NOW, False), ("a", NOW + 99 * HOUR, False)],
)
def test_a_lease_holds_until_it_ends_and_not_if_it_was_taken_in_a_wrong_time(owner, until, is_held):
    assert jobs.is_held(JobState(NOW, owner=owner, until=until), NOW) is is_held


def test_a_process_without_a_chat_model_waits_one_interval_for_one_that_has_it():
    state = JobState(NOW, needs_model=1)

    assert jobs.may_do(state, NOW, HOUR, has_model=True)
    assert not jobs.may_do(state, NOW, HOUR, has_model=False)
    assert jobs.may_do(state, NOW + HOUR, HOUR, has_model=False)
    assert jobs.may_do(JobState(NOW), NOW, HOUR, has_model=False)


def test_a_job_that_was_broken_off_is_due_at_once_for_anybody():
    held = JobState(NOW - 1, owner="a", until=NOW + HOUR)

    free = jobs.release(held, NOW)

    assert jobs.is_due(free, NOW)
    assert not jobs.is_held(free, NOW)
