"""Expiry: an expired entry is hidden until it is written again."""

from datetime import timedelta

from ricordo.testing.assertions import names
from ricordo.testing.lab import Lab


def case_an_entry_past_its_time_is_not_there(lab: Lab) -> None:
    """ENT-11"""
    space = lab.space()
    expiry = lab.clock() + timedelta(days=1)
    space.remember("umbrella today", name="today", expires_at=expiry)
    space.remember("umbrella always", name="always")
    assert set(names(space.recall("umbrella"))) == {"today", "always"}

    lab.clock.advance(days=1)

    assert space.get("today") is None
    assert [entry.name for entry in space.entries()] == ["always"]
    for profile in ("default", "minmax", "rrf", "two_tier", "bm25"):
        assert names(space.recall("umbrella", profile=profile)) == ["always"], profile
        assert space.recall("umbrella", profile=profile, category="nowhere") == [], profile
    assert space.get("today", as_of=expiry - timedelta(hours=1)) is not None


def case_an_entry_past_its_time_that_is_said_again_holds(lab: Lab) -> None:
    """ENT-11"""
    space = lab.space()
    space.remember("code 4711", name="door", expires_at=lab.clock() + timedelta(days=1))
    lab.clock.advance(days=2)

    again = space.remember("code 4711", name="door")

    assert again.expires_at is None
    assert space.get("door") == again
    assert names(space.recall("code")) == ["door"]
