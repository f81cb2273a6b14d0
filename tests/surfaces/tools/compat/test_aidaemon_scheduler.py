"""The scheduler of tasks: its tool as the documents have it."""

import pytest
from toolset_runtime import UNKNOWN, finished


def test_the_scheduler_creates_lists_pauses_resumes_and_deletes(calling, space):
    scheduler = calling("scheduler")

    made = scheduler(
        "scheduler", action="create", name="report", schedule="weekdays at 8:30", prompt="Send it"
    )
    space.schedule("Look", "every 5 minutes", name="soon", trusted=True)
    id = space.schedules.get("report").id
    listed = scheduler("scheduler", action="list").splitlines()

    for part in (id, "report", "weekdays at 8:30", "30 8 * * 1-5", "Send it", "2024-03-04T08:30"):
        assert part in made
    assert ["soon" in listed[0], "report" in listed[1]] == [True, True]
    assert "trusted" in listed[0]
    assert "paused" in scheduler("scheduler", action="pause", id=id)
    assert "2024-03-04T08:30" in scheduler("scheduler", action="resume", id=id)
    assert id in scheduler("scheduler", action="delete", id=id)
    assert "report" not in scheduler("scheduler", action="list")


def test_a_model_cannot_trust_its_own_task(calling, space):
    asked = {"action": "create", "name": "n", "schedule": "daily", "prompt": "p", "trusted": True}

    refusal = calling("scheduler").refused("scheduler", **asked)

    assert "for the user to give" in str(refusal)
    assert space.schedules.list() == []


def test_a_oneshot_task_is_gone_once_it_has_run(calling, memory, space, lab):
    calling("scheduler")(
        "scheduler",
        **{"action": "create", "name": "n", "schedule": "daily", "prompt": "p", "oneshot": True},
    )
    finished(memory, lab, "done")

    assert space.schedules.list() == []


@pytest.mark.parametrize(
    "args",
    [
        {"action": "create", "name": "n", "prompt": "p"},
        {"action": "create", "name": "n", "schedule": "never", "prompt": "p"},
        {"action": "create", "schedule": "daily", "prompt": "p"},
        {"action": "create", "name": "n", "schedule": "daily"},
        {"action": "delete"},
        {"action": "pause", "id": UNKNOWN},
        {"action": "sleep"},
        {},
    ],
)
def test_errors_of_the_scheduler_begin_with_error(calling, space, args):
    assert calling("scheduler").refused("scheduler", **args).message.startswith("Error")
    assert space.schedules.list() == []


def test_an_empty_scheduler_says_so(calling):
    assert calling("scheduler")("scheduler", action="list") == "No scheduled tasks."
