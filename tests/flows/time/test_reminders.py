"""Reminders: at a time or on a cue, delivered once, by one worker at a time."""

from datetime import UTC, datetime, timedelta

import pytest
from noon import NOON

from ricordo import InvalidInput, NotFound
from schedulers import make_scheduler


def texts(reminders):
    return [reminder.text for reminder in reminders]


# --- by time ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "due"),
    [
        ("10m", NOON + timedelta(seconds=600)),
        ("2h", NOON + timedelta(hours=2)),
        ("1d", NOON + timedelta(days=1)),
        ("2026-03-05T15:00:00+01:00", datetime(2026, 3, 5, 14, tzinfo=UTC)),
        ("tomorrow 9am", datetime(2026, 3, 3, 9, tzinfo=UTC)),
        (timedelta(minutes=5), NOON + timedelta(minutes=5)),
        (NOON + timedelta(days=3), NOON + timedelta(days=3)),
    ],
)
def test_a_time_is_rfc3339_a_duration_or_words(ana, at, due):
    """REM-3."""
    assert ana.remind("Call the bank", at=at).at == due


def test_a_wall_time_is_that_of_the_zone(ana):
    made = ana.remind("Call", at="tomorrow 9am", tz="America/New_York")

    assert made.at == datetime(2026, 3, 3, 14, tzinfo=UTC)


def test_recipient_channel_and_session_are_kept(ana):
    made = ana.remind("Call", at="10m", recipient="+49", channel="whatsapp.main", session="trip")

    assert ana.reminders.list() == [made]
    assert (made.recipient, made.channel, made.session) == ("+49", "whatsapp.main", "trip")


@pytest.mark.parametrize(
    "given",
    [
        {"text": " ", "at": "10m"},
        {"text": "x"},
        {"text": "x", "at": "soon"},
        {"text": "x", "at": "daily at 9"},
        {"text": "x", "at": datetime(2026, 3, 3)},  # noqa: DTZ001 - refused for that
        {"text": "x", "cue": "..."},
        {"text": "x", "at": "10m", "recipient": "ben"},
        {"text": "x", "at": "10m", "channel": "mail"},
        {"text": "x\0", "at": "10m"},
        {"text": "x", "at": timedelta(days=10**8)},
    ],
)
def test_what_cannot_be_delivered_is_refused(ana, given):
    """REM-3: a recipient without a channel, or the other way round, has nowhere to go."""
    with pytest.raises(InvalidInput):
        ana.remind(given.pop("text"), **given)
    assert ana.reminders.list() == []


def test_the_life_of_a_reminder(ana, clock):
    """REM-1."""
    ana.remind("Call", at="10m")
    assert ana.reminders.claim(worker="a") == []
    clock.advance(minutes=10)

    [held] = ana.reminders.claim(worker="a")
    assert ana.reminders.claim(worker="b") == []
    assert ana.reminders.release(held) is True
    [again] = ana.reminders.claim(worker="b")
    assert ana.reminders.deliver(held) is False
    assert ana.reminders.deliver(again) is True
    assert ana.reminders.deliver(again) is False
    assert ana.reminders.release(again) is False
    clock.advance(days=9)
    assert ana.reminders.claim(worker="c") == []
    assert ana.reminders.list() == []
    assert [r.delivered_at for r in ana.reminders.list(pending=False)] == [
        NOON + timedelta(minutes=10)
    ]


def test_a_dead_workers_reminder_comes_back_after_its_lease(ana, clock):
    """REM-1."""
    ana.remind("Call", at="10m")
    clock.advance(minutes=10)
    [dead] = ana.reminders.claim(worker="dead", lease=300)

    clock.advance(seconds=299)
    assert ana.reminders.claim(worker="heir") == []
    clock.advance(seconds=1)
    [heir] = ana.reminders.claim(worker="heir")

    assert ana.reminders.deliver(dead) is False
    assert ana.reminders.deliver(heir) is True


def test_past_times_are_due_at_once_oldest_first_and_32_at_a_time(ana):
    for number in range(40):
        ana.remind(str(number), at=NOON - timedelta(hours=number + 1))

    assert texts(ana.reminders.claim(worker="a")) == [str(n) for n in range(39, 7, -1)]
    assert len(ana.reminders.claim(worker="a")) == 8


def test_one_failed_delivery_does_not_keep_the_others(memory, ana, clock):
    """REM-2."""
    for number in range(5):
        ana.remind(str(number), at=f"{number + 1}m")
    clock.advance(hours=1)
    seen = []

    def deliver(reminder):
        if reminder.text == "2":
            raise ConnectionError("the line is dead")
        seen.append(reminder.text)

    make_scheduler(memory, str, deliver=deliver).run_due()

    assert seen == ["0", "1", "3", "4"]
    assert texts(ana.reminders.claim(worker="next")) == ["2"]


def test_spaces_keep_their_reminders_to_themselves(memory, ana, clock):
    made = ana.remind("Call", at="10m")
    ben = memory.space("ben")
    ben.remind("Swim", at="10m")
    clock.advance(hours=1)

    assert texts(ben.reminders.claim(worker="w")) == ["Swim"]
    [held] = ana.reminders.claim(worker="w")
    for touch in (ben.reminders.deliver, ben.reminders.release):
        with pytest.raises(InvalidInput, match="belongs to space 'ana'"):
            touch(held)
    with pytest.raises(NotFound):
        ben.reminders.delete(made.id)
    assert ana.reminders.deliver(held) is True


def test_a_worker_for_all_spaces_gets_those_of_all(memory, ana, clock):
    ana.remind("Call", at="10m")
    memory.space("ben").remind("Swim", at="5m")
    clock.advance(hours=1)

    assert texts(memory.claim_reminders(worker="w")) == ["Swim", "Call"]


def test_a_reminder_can_be_taken_back(ana, clock):
    made = ana.remind("Call", at="10m")

    assert ana.reminders.delete(made.id).removed == {"reminders": 1}
    clock.advance(hours=1)
    assert ana.reminders.claim(worker="w") == []


# --- by cue and into the context --------------------------------------------------------------


def test_a_cue_waits_for_its_words_in_any_form_and_order(ana):
    ana.remind("Ask for the invoice", cue="project Atlas")

    assert ana.reminders.due("How is the project going?") == []
    assert ana.reminders.due("I looked at an atlas") == []
    assert texts(ana.reminders.due("ATLAS: one of our projects")) == ["Ask for the invoice"]
    assert ana.reminders.due("project Atlas again") == []


def test_small_words_of_a_cue_need_not_be_heard(ana):
    ana.remind("Bring flowers", cue="the visit to grandma")

    assert texts(ana.reminders.due("We visited Grandma")) == ["Bring flowers"]


def test_looking_without_delivering_leaves_a_reminder_as_it_was(ana):
    ana.remind("Ask", cue="Atlas")

    assert texts(ana.reminders.due("Atlas", deliver=False)) == ["Ask"]
    assert texts(ana.reminders.due("Atlas")) == ["Ask"]


def test_the_context_gets_what_is_due_by_time_unless_somebody_else_is_to_get_it(ana, clock):
    ana.remind("Call the bank", at="10m")
    ana.remind("Message Ben", at="10m", recipient="ben", channel="mail")
    ana.remind("Later", at="2h")
    assert ana.reminders.due("hello") == []
    clock.advance(minutes=10)

    assert texts(ana.reminders.due("hello")) == ["Call the bank"]
    assert ana.reminders.due("hello") == []
    assert texts(ana.reminders.claim(worker="w")) == ["Message Ben"]


def test_with_a_time_and_a_cue_whichever_comes_first_delivers_it(ana, clock):
    ana.remind("Ask", at="1h", cue="Atlas")
    ana.remind("Buy", at="1h", cue="Oslo")

    assert texts(ana.reminders.due("Atlas")) == ["Ask"]
    clock.advance(hours=1)
    assert texts(ana.reminders.due("hello")) == ["Buy"]


def test_what_a_worker_holds_does_not_come_up_in_the_context(ana, clock):
    ana.remind("Call", at="10m")
    clock.advance(minutes=10)
    [held] = ana.reminders.claim(worker="w")

    assert ana.reminders.due("hello") == []
    ana.reminders.release(held)
    assert texts(ana.reminders.due("hello")) == ["Call"]


def test_a_reminder_that_was_shown_is_given_out_once_even_if_two_saw_it(memory, ana):
    from ricordo.flows.time.remind import give_out

    ana.remind("Ask", cue="Atlas")
    shown = ana.reminders.due("Atlas", deliver=False)

    assert texts(give_out(memory._engine, "ana", shown)) == ["Ask"]
    assert give_out(memory._engine, "ana", shown) == []


def test_a_reminder_that_did_not_arrive_is_due_again_unless_it_was_delivered_since(ana):
    """REM-1."""
    ana.remind("Ask", cue="Atlas")
    ana.remind("Call", at="2020-01-01T09:00Z")
    lost = ana.reminders.due("Atlas")

    assert ana.reminders.put_back(lost) == 2
    assert sorted(texts(ana.reminders.due("Atlas"))) == ["Ask", "Call"]
    assert ana.reminders.put_back(lost) == 0
    assert ana.reminders.due("Atlas") == []


def test_cues_of_another_space_are_not_heard(memory, ana):
    memory.space("ben").remind("Secret", cue="Atlas")

    assert ana.reminders.due("Atlas") == []


def test_the_list_shows_what_is_to_come_soonest_first_and_cues_last(ana):
    ana.remind("cue", cue="Atlas")
    ana.remind("late", at="2h")
    ana.remind("soon", at="1h", recipient="ben", channel="mail")

    assert texts(ana.reminders.list()) == ["soon", "late", "cue"]
    assert texts(ana.reminders.list(recipient="ben")) == ["soon"]


def test_reminders_survive_a_restart(lab, memory, ana, clock):
    ana.remind("Call", at="10m")
    ana.remind("Ask", cue="Atlas")
    clock.advance(hours=1)

    again = lab.reopen(memory).space("ana")

    assert texts(again.reminders.due("Atlas")) == ["Call", "Ask"]


def test_check_finds_a_due_table_that_does_not_fit(lab, memory, ana):
    ana.remind("Call", at="10m")
    with memory._engine.store.read() as tx:
        number = tx.spaces.number("ana")
    memory._engine.store.write(lambda tx: tx.rows("due.put", space=number, kind="reminder", at=5))

    assert [violation.rule for violation in memory.check()] == ["due"]
    memory._engine.store.write(lambda tx: tx.due.refresh(number, "reminder"))


def test_the_same_reminder_again_is_the_one_that_is_there(ana, lab):
    timed = ana.remind("Call the bank", at="tomorrow 9am")
    cued = ana.remind("Ask for the invoice", cue="project Atlas")

    assert ana.remind("Call the bank", at="tomorrow 9am").id == timed.id
    assert ana.remind("Ask for the invoice", cue="project Atlas").id == cued.id
    ana.remind("Call the bank", at="tomorrow 9am", recipient="ana", channel="mail")
    ana.remind("Call the bank", at="tomorrow 9am", cue="project Atlas")
    assert len(ana.reminders.list()) == 4


def test_a_reminder_that_was_delivered_may_be_set_again(ana):
    ana.remind("Ask for the invoice", cue="project Atlas")
    ana.reminders.due("project Atlas")

    again = ana.remind("Ask for the invoice", cue="project Atlas")

    assert [each.id for each in ana.reminders.list()] == [again.id]
