"""A corrected fact never ranks below its older value, and the old one comes back by `as_of`."""

from datetime import UTC, datetime, timedelta

import ricordo

CITIES = ["Lisbon", "Porto", "Oslo", "Madrid", "Quito", "Hanoi", "Lima", "Riga", "Bern", "Cairo"]


def test_a_thousand_corrections_leave_no_stale_value():
    moments = iter(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=n) for n in range(10**6))
    memory = ricordo.open(":memory:", embedder="none", clock=lambda: next(moments))
    space = memory.space("ana")
    for person in range(100):
        for step in range(11):
            space.fact(f"person{person}", "home_city", CITIES[(person + step) % 10] + f"-{step}")

    stale = 0
    for person in range(100):
        hits = space.recall(f"person{person} home city", category=f"person{person}")
        stale += [hit.text for hit in hits] != [CITIES[person % 10] + "-10"]

    assert stale == 0
    first = space.history("person0/home_city")[0]
    assert space.get("person0/home_city", as_of=first.since).content == "Lisbon-0"
    memory.close()


def test_near_duplicates_do_not_fill_the_list():
    with ricordo.open(":memory:", embedder="hash") as memory:
        space = memory.space("ana")
        for n in range(6):
            space.remember("The blue bicycle stands in the cellar", name=f"copy{n}")
        space.remember("A bicycle lock is in the drawer", name="lock")

        names = [hit.entry.name for hit in space.recall("bicycle", limit=3)]

        assert "lock" in names


def test_archives_do_not_crowd_out_notes():
    with ricordo.open(":memory:", embedder="hash") as memory:
        space = memory.space("ana")
        for n in range(8):
            space.remember(f"We spoke of Oslo, travel and Oslo {n}", name=f"a{n}", kind="archive")
        space.remember("Oslo trip in May", name="trip")

        names = [hit.entry.name for hit in space.recall("Oslo", limit=3)]

        assert "trip" in names
        assert sum(name.startswith("a") for name in names) <= 2
