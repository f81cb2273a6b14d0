"""Reminders: their two tools as the documents have them."""

from datetime import timedelta

import pytest


def test_both_names_make_the_same_reminder(calling, space, lab):
    lab.clock.stop()
    reminders = calling("reminders")
    args = {
        **{"at": "10m", "message": "Call the bank", "source_plugin": "telegram"},
        **{"source_instance": "main", "recipient": "ana", "session_id": "s1"},
    }

    forged, scheduled = (reminders(n, **args) for n in ("forge_reminder", "schedule_reminder"))

    assert set(forged) == {"ok", "id", "due_at", "session_id", "source_plugin", "recipient"}
    assert forged == scheduled  # the same again is the one that is there
    assert forged["source_plugin"] == "telegram.main"
    [only] = space.reminders.list()
    assert (only.text, only.channel, only.recipient, only.session) == (
        *("Call the bank", "telegram.main", "ana", "s1"),
    )
    assert only.at == lab.clock() + timedelta(minutes=10)


def test_a_dotted_plugin_stays_and_to_is_the_recipient(calling):
    made = calling("reminders")(
        "forge_reminder",
        at="2024-03-05T10:00:00Z",
        message="x",
        source_plugin="mail.work",
        source_instance="main",
        to="ben",
    )

    assert (made["source_plugin"], made["recipient"]) == ("mail.work", "ben")
    assert made["due_at"] == "2024-03-05T10:00:00+00:00"
    assert made["session_id"] == "trip"


@pytest.mark.parametrize(
    "wrong",
    [{"at": "soonish"}, {"session_id": " "}, {"recipient": None}, {"source_plugin": None}],
)
def test_a_reminder_that_cannot_be_delivered_is_refused(calling, space, wrong):
    args = {"at": "10m", "message": "x", "source_plugin": "mail", "recipient": "ana"}

    failure = calling("reminders").refused("forge_reminder", **(args | wrong))

    assert failure.kind == "invalid_arguments"
    assert space.reminders.list() == []


def test_a_time_that_has_passed_is_due_at_once(calling, space):
    calling("reminders")(
        "forge_reminder",
        **{"at": "2020-01-01T00:00:00Z", "message": "x", "source_plugin": "m", "to": "ana"},
    )

    assert [each.text for each in space.reminders.claim()] == ["x"]


def test_a_reminder_without_plugin_and_recipient_comes_up_in_the_conversation(calling, space, lab):
    made = calling("reminders")("forge_reminder", at="10m", message="Call the bank")

    lab.clock.advance(minutes=11)

    assert (made["source_plugin"], made["recipient"]) == (None, None)
    assert "Call the bank" in space.session("trip").context("").text
    assert space.reminders.due() == []
