"""Nouns turn into JSON whole, and show themselves in one short line."""

import dataclasses
import json
from datetime import UTC, datetime
from typing import get_args

import pytest

import ricordo
from ricordo.flows.conversation import context
from ricordo.flows.recall import explain, profiles
from ricordo.model import choices
from ricordo.model.noun import Noun, to_json
from ricordo.store.sqlite import driver

NOUNS = [
    noun for noun in (getattr(ricordo, name) for name in ricordo.__all__) if isinstance(noun, type)
]
RESULTS = [
    noun for noun in NOUNS if dataclasses.is_dataclass(noun) and noun is not ricordo.Settings
]


@pytest.mark.parametrize("noun", RESULTS, ids=lambda noun: noun.__name__)
def test_every_result_is_a_noun_without_a_dict_of_its_own(noun):
    assert issubclass(noun, Noun)
    assert noun.__repr__ is Noun.__repr__
    assert "__dict__" not in dir(noun)


def test_a_result_turns_into_json_with_all_that_is_in_it(memory):
    ana = memory.space("ana")
    entry = ana.remember("Prefers window seats", name="seat", tags=["travel"], metadata={"a": [1]})
    [hit] = ana.recall("window")

    told = hit.to_dict()

    assert told == json.loads(json.dumps(told))
    assert set(told) == {field.name for field in dataclasses.fields(hit)}
    assert told["entry"] == entry.to_dict()
    assert told["entry"]["tags"] == ["travel"]
    assert told["entry"]["created_at"] == entry.created_at.isoformat()
    assert told["source"]["name"] == "seat"


def test_a_context_a_claim_and_a_sweep_turn_into_json(lab):
    memory = lab.open()
    ana = memory.space("ana")
    ana.session("trip").append("user", "To Oslo")
    ana.schedule("Send", "hourly")
    lab.clock.advance(hours=2)

    for result in (ana.session("trip").context("Oslo"), *memory.claim(), ana.dream(), ana.stats()):
        assert json.loads(json.dumps(result.to_dict())) == result.to_dict()


def test_times_are_in_utc_and_what_json_lacks_is_refused():
    at = datetime.fromisoformat("2026-03-02T08:30:00+01:00")

    assert to_json({"at": (at,)}) == {"at": ["2026-03-02T07:30:00+00:00"]}
    with pytest.raises(TypeError, match="set"):
        to_json({"a": {1}})


def test_a_result_shows_itself_in_one_short_line(memory):
    ana = memory.space("ana")
    seat = ana.remember("Prefers window seats", name="seat")
    long = ana.remember("one\nline " * 500, name="long")
    event = ana.session("trip").append("user", "Book me a flight")
    [hit] = ana.recall("flight", kinds=["message"])
    plan = ana.schedule("Send the report", "every weekday at 8:30", name="report")

    assert repr(seat) == "<Entry 'seat' note 'Prefers window seats'>"
    assert repr(event) == "<Event trip#1 user 'Book me a flight'>"
    assert repr(hit) == f"<Hit {hit.score:.2f} 'Book me a flight' from 'trip#1'>"
    assert repr(plan).startswith("<Schedule 'report' active, ")
    assert repr(ana.sessions()) == "[<SessionInfo 'trip' 1 events>]"
    assert len(repr(long)) < 100
    assert "\n" not in repr(long)


def test_a_result_that_has_no_line_of_its_own_shows_what_it_holds():
    spent = ricordo.Spending("gpt", 2, 30, 4)
    at = datetime(2026, 3, 2, tzinfo=UTC)
    receipt = ricordo.Receipt("ana", "seat", {"entries": 1}, at)

    assert repr(spent) == "<Spending model='gpt' calls=2 tokens_in=30 tokens_out=4>"
    assert repr(receipt) == (
        "<Receipt space='ana' target='seat' removed={'entries': 1} "
        "at=2026-03-02T00:00:00+00:00 pending=False dry_run=False>"
    )


def test_handles_show_what_they_lead_to(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        ana = memory.space("ana")
        assert repr(memory) == f"<Memory {str(tmp_path / 'agent.db')!r}>"
        assert repr(ana) == "<Space 'ana'>"
        assert repr(ana.session("trip")) == "<Session 'trip' of space 'ana'>"
        assert repr(ana.schedules) == "<SpaceSchedules of space 'ana'>"


def test_a_choice_is_written_down_once():
    """What a type allows is what the code accepts."""
    assert set(get_args(choices.ProfileName)) == set(profiles.PROFILES)
    assert get_args(choices.ContextProfile) == context.PROFILES
    assert set(get_args(choices.Reached)) == set(explain.HELD)
    assert set(get_args(choices.Durability)) == set(driver._DURABILITY)
