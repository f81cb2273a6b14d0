"""The past of entries: what they said before, under which names, and clocks that are set back."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

from ricordo.testing.lab import Lab


def case_what_an_entry_said_before_can_be_read(lab: Lab) -> None:
    """ENT-6"""
    space = lab.space()
    times = []
    for content in ("tea", "coffee", "water"):
        space.remember(content, name="drink")
        times.append(lab.clock())
        lab.clock.advance(hours=1)
    space.rename("drink", "beverage")
    end = lab.clock()

    for at, content in zip(times, ("tea", "coffee", "water"), strict=True):
        then = space.get("drink", as_of=at)
        assert then is not None
        assert (then.content, then.name) == (content, "drink")
        assert space.get("beverage", as_of=at) == then
    assert space.get("drink", as_of=end) is None
    assert space.get("drink", as_of=times[0] - timedelta(hours=1)) is None
    spans = [(revision.since, revision.until) for revision in space.history("beverage")]
    assert all(since < until for since, until in spans)
    assert [until for _, until in spans[:-1]] == [since for since, _ in spans[1:]]


def case_a_clock_that_is_set_back_breaks_nothing(lab: Lab) -> None:
    """ENT-6"""
    space = lab.space()
    first = space.remember("green tea", name="drink")
    space.ingest("boats and tea", uri="doc://tea")
    lab.clock.at(lab.clock() - timedelta(hours=2))

    for content in ("green tea", "black tea"):
        assert space.remember(content, name="drink").updated_at >= first.updated_at
        space.ingest(f"boats and {content}", uri="doc://tea")

    assert [entry.content for entry in space.entries()] == ["black tea"]


def case_a_rename_while_the_clock_is_set_back_keeps_the_past_in_order(lab: Lab) -> None:
    """ENT-6"""
    space = lab.space()
    first = space.remember("green tea", name="drink")
    held = lab.clock()
    lab.clock.advance(days=1)
    second = space.write("drink", "black tea")
    lab.clock.at(first.created_at - timedelta(days=9))

    renamed = space.rename("drink", "beverage")

    lab.clock.at(second.updated_at + timedelta(days=1))
    then = space.get("drink", as_of=held)
    assert then is not None
    assert (then.content, then.name) == ("green tea", "drink")
    assert space.get("beverage", as_of=held) == then
    assert space.get("drink") is None
    assert renamed.updated_at == second.updated_at > renamed.created_at
    spans = [(revision.since, revision.until) for revision in space.history("beverage")]
    assert all(since <= until for since, until in spans)
    assert all(one[1] == next[0] for one, next in pairwise(spans))


def case_an_entry_of_the_past_has_the_aliases_of_then(lab: Lab) -> None:
    """ENT-6"""
    space = lab.space()
    space.remember("Lisbon", name="home", aliases=["city"])
    space.remember("Porto", name="work")
    first = lab.clock()
    space.alias("work", "city", rebind=True)
    space.alias("home", "nest")
    space.rename("home", "house", keep=True)
    second = lab.clock()

    def aliases(name: str, at: datetime) -> tuple[str, ...]:
        entry = space.get(name, as_of=at)
        assert entry is not None
        return entry.aliases

    assert (aliases("home", first), aliases("work", first)) == (("city",), ())
    assert (aliases("house", second), aliases("work", second)) == (("home", "nest"), ("city",))


def case_an_alias_moved_while_the_clock_is_set_back_keeps_its_past(lab: Lab) -> None:
    """ENT-6"""
    space = lab.space()
    work = space.remember("Porto", name="work")
    lab.clock.advance(days=2)
    space.remember("Lisbon", name="home", aliases=["city"])
    lab.clock.at(work.created_at + timedelta(days=1))

    space.alias("work", "city", rebind=True)

    then = space.get("work", as_of=work.created_at + timedelta(days=1, hours=1))
    assert then is not None
    assert then.aliases == ()
    assert space.get("work") == replace(work, aliases=("city",))
