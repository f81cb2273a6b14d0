"""Schedules: their tools as the documents have them."""

import pytest
from toolset_runtime import UNKNOWN, finished

SCHEDULE = {
    *("schedule_id", "name", "goal", "cadence", "notification_policy", "status", "created_at"),
    *("updated_at", "next_run_at", "next_run_local", "last_run_at", "last_run_status"),
    "consecutive_failures",
}


def test_a_schedule_is_created_with_a_cron_in_a_zone(calling):
    made = calling("schedules")(
        "schedule_create",
        goal="Send the report",
        cadence_type="cron",
        cadence_value="0 8 * * *",
        timezone="Asia/Kolkata",
    )

    assert set(made) == SCHEDULE
    assert made["cadence"] == {
        "type": "cron",
        "expression": "0 8 * * *",
        "timezone": "Asia/Kolkata",
    }
    assert made["next_run_at"] == "2024-03-02T02:30:00+00:00"
    assert made["next_run_local"] == "2024-03-02 08:00:00 IST"
    assert (made["status"], made["notification_policy"]) == ("active", "always")
    assert (made["consecutive_failures"], made["last_run_at"]) == (0, None)


def test_intervals_and_single_times_are_written_as_documented(calling):
    schedules = calling("schedules")
    every = schedules("schedule_create", goal="a", cadence_type="interval", cadence_value="60")
    once = schedules(
        "schedule_create", goal="b", cadence_type="once", cadence_value="2024-03-05T10:00:00Z"
    )

    assert every["cadence"] == {"type": "interval", "every_secs": 60}
    assert once["cadence"] == {"type": "once", "at": "2024-03-05T10:00:00+00:00"}
    assert every["next_run_local"] is None


@pytest.mark.parametrize(
    ("kind", "value", "timezone"),
    [
        ("interval", "30", "UTC"),
        ("interval", "abc", "UTC"),
        ("once", "2020-01-01T00:00:00Z", "UTC"),
        ("cron", "0 8 * * *", "Invalid/Zone"),
        ("cron", "0 0 8 * * *", "UTC"),
        ("weekly", "monday", "UTC"),
    ],
)
def test_a_cadence_that_cannot_be_is_refused(calling, space, kind, value, timezone):
    failure = calling("schedules").refused(
        "schedule_create", goal="x", cadence_type=kind, cadence_value=value, timezone=timezone
    )

    assert failure.shape["error"] == "InvalidArguments"
    assert space.schedules.count() == 0


def test_the_limit_of_schedules_is_execution_failed(calling):
    schedules = calling("schedules")
    for number in range(50):
        schedules(
            "schedule_create", goal=f"g{number}", cadence_type="interval", cadence_value="3600"
        )

    failure = schedules.refused(
        "schedule_create", goal="one more", cadence_type="interval", cadence_value="3600"
    )

    assert failure.shape["error"] == "ExecutionFailed"
    assert "50" in failure.message


def test_schedules_are_searched_in_pages(calling):
    schedules = calling("schedules")
    for number in range(3):
        schedules(
            "schedule_create", goal=f"g{number}", cadence_type="interval", cadence_value="3600"
        )
    schedules("schedule_create", goal="c", cadence_type="cron", cadence_value="0 8 * * *")

    page = schedules("schedule_search", cadence_type="interval", limit=2)
    last = schedules("schedule_search", cadence_type="interval", limit=2, offset=2)

    assert [each["goal"] for each in page["schedules"]] == ["g2", "g1"]
    assert (page["total"], page["offset"], page["limit"], page["remaining"]) == (3, 0, 2, 1)
    assert "offset 2" in page["hint"]
    assert [each["goal"] for each in last["schedules"]] == ["g0"]
    assert set(last) == {"schedules", "total", "offset", "limit", "remaining"}


def test_a_per_cent_sign_is_searched_as_it_stands(calling):
    schedules = calling("schedules")
    for name in ("50%", "plain"):
        schedules(
            "schedule_create",
            goal="g",
            name=name,
            cadence_type="cron",
            cadence_value="0 8 * * *",
        )

    found = schedules("schedule_search", name="%")

    assert [each["name"] for each in found["schedules"]] == ["50%"]


def test_editing_a_schedule_changes_what_is_given(calling):
    schedules = calling("schedules")
    made = schedules("schedule_create", goal="g", cadence_type="cron", cadence_value="0 8 * * *")
    id = made["schedule_id"]

    edited = schedules("schedule_edit", schedule_id=id, name="report", notification="never")
    paused = schedules("schedule_edit", schedule_id=id, status="paused")
    resumed = schedules("schedule_edit", schedule_id=id, status="active")
    moved = schedules("schedule_edit", schedule_id=id, timezone="Asia/Kolkata")
    changed = schedules(
        "schedule_edit", schedule_id=id, cadence_type="interval", cadence_value="120"
    )

    assert (edited["name"], edited["goal"], edited["notification_policy"]) == (
        "report",
        "g",
        "never",
    )
    assert (paused["status"], paused["next_run_at"]) == ("paused", None)
    assert resumed["next_run_at"] == "2024-03-02T08:00:00+00:00"
    assert moved["next_run_at"] == "2024-03-02T02:30:00+00:00"
    assert changed["cadence"] == {"type": "interval", "every_secs": 120}


@pytest.mark.parametrize("half", [{"cadence_type": "cron"}, {"cadence_value": "0 8 * * *"}])
def test_type_and_value_of_a_cadence_change_together(calling, half):
    schedules = calling("schedules")
    made = schedules("schedule_create", goal="g", cadence_type="cron", cadence_value="0 9 * * *")

    failure = schedules.refused("schedule_edit", schedule_id=made["schedule_id"], **half)

    assert failure.shape["error"] == "InvalidArguments"


@pytest.mark.parametrize("name", ["schedule_edit", "schedule_delete", "schedule_runs"])
def test_an_unknown_schedule_and_one_of_another_space_are_the_same(calling, memory, name):
    foreign = memory.space("ben").schedule("secret goal", "daily")

    for id in (UNKNOWN, foreign.id):
        failure = calling("schedules").refused(name, schedule_id=id)
        assert failure.shape["error"] == "ExecutionFailed"
        assert "secret" not in failure.message
    assert memory.space("ben").schedules.get(foreign.id) == foreign


def test_runs_are_listed_and_read_in_characters(calling, memory, lab):
    schedules = calling("schedules")
    made = schedules("schedule_create", goal="g", cadence_type="cron", cadence_value="0 8 * * *")
    finished(memory, lab, "😀" * 600)

    listed = schedules("schedule_runs", schedule_id=made["schedule_id"])
    run = listed["runs"][0]
    first = schedules("schedule_run_output", run_id=run["run_id"], max_chars=200)
    last = schedules("schedule_run_output", run_id=run["run_id"], offset=590, max_chars=200)

    assert (listed["schedule_id"], listed["count"]) == (made["schedule_id"], 1)
    assert set(run) == {
        *("run_id", "started_at", "finished_at", "status", "output_summary", "turn_count"),
        *("cost", "notified"),
    }
    assert (run["status"], run["turn_count"], run["cost"]) == ("success", 2, 0.5)
    assert run["output_summary"] == "😀" * 500
    assert (first["chunk"], first["remaining"], first["total_length"]) == ("😀" * 200, 400, 600)
    assert (last["chunk"], last["remaining"], last["offset"]) == ("😀" * 10, 0, 590)


def test_a_run_without_output_says_so(calling, memory, lab):
    schedules = calling("schedules")
    made = schedules("schedule_create", goal="g", cadence_type="cron", cadence_value="0 8 * * *")
    finished(memory, lab, "")
    run_id = schedules("schedule_runs", schedule_id=made["schedule_id"])["runs"][0]["run_id"]

    assert set(schedules("schedule_run_output", run_id=run_id)) == {"run_id", "message"}
    assert schedules.refused("schedule_run_output", run_id=UNKNOWN).kind == "not_found"


def test_a_deleted_schedule_is_gone(calling):
    schedules = calling("schedules")
    made = schedules("schedule_create", goal="g", cadence_type="cron", cadence_value="0 8 * * *")

    deleted = schedules("schedule_delete", schedule_id=made["schedule_id"])

    assert set(deleted) == {"schedule_id", "message"}
    assert schedules("schedule_search")["total"] == 0
