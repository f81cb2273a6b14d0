"""Signals and dreaming: what counts, what is promoted, and that a sweep can be undone."""

from datetime import timedelta

from ricordo import Memory, Space, Sweep
from ricordo.errors import Conflict, InvalidInput, NotFound
from ricordo.model import Asker
from ricordo.testing.assertions import raises
from ricordo.testing.lab import Lab, durable


def _ask(space: Space, *queries: str, asker: Asker = "user") -> None:
    for query in queries:
        assert space.recall(query, mode="keyword", asker=asker), query


def _names_promoted_by(sweep: Sweep) -> list[str]:
    return [each.entry for each in sweep.promoted]


def _hot(lab: Lab) -> Space:
    """A space with one entry that was recalled thrice, by three queries."""
    space = lab.space()
    _heat(space)
    return space


def _heat(space: Space) -> None:
    space.remember("Prefers window seats on night trains", name="seat")
    space.remember("The plumber comes on Friday", name="plumber")
    _ask(space, "window", "night", "trains", "plumber")


def case_every_hit_leaves_one_signal_with_its_rank_score(lab: Lab) -> None:
    """SIG-1"""
    space = lab.space()
    space.remember("dark chocolate", name="a")
    space.remember("dark roast", name="b")

    _ask(space, "dark")
    assert sorted(signal.score for signal in space.dreams.signals()) == [
        0.5,
        1.0,
    ]
    _ask(space, "roast", "Roast ", "roast again")

    sweep = space.dream(dry_run=True)
    assert {each.entry: (each.hits, each.queries) for each in sweep.promoted} == {"b": (4, 3)}


def case_what_machines_recall_does_not_count(lab: Lab) -> None:
    """SIG-3"""
    space = lab.space()
    space.remember("Prefers window seats on night trains", name="seat")

    for asker in ("auto", "schedule"):
        _ask(space, "window", "night", "trains", asker=asker)
    assert space.dream().candidates == 0
    _ask(space, "window", "night", "trains", asker="agent")

    assert _names_promoted_by(space.dream()) == ["seat"]


def case_what_is_recalled_by_several_queries_is_promoted_once(lab: Lab) -> None:
    """DRM-2"""
    space = _hot(lab)

    first, second = space.dream(), space.dream()

    assert _names_promoted_by(first) == ["seat"]
    assert (first.candidates, first.skipped) == (2, 0)
    assert _names_promoted_by(second) == []
    assert (second.candidates, second.skipped) == (2, 1)
    assert [each.entry for each in space.dreams.promotions()] == ["seat"]


def case_a_promotion_says_how_its_score_came_about(lab: Lab) -> None:
    """DRM-6"""
    space = lab.space()
    space.remember("Prefers window seats on night trains", name="seat")
    _ask(space, "window", "night", "trains")
    lab.clock.stop()

    (promotion,) = space.dream().promoted

    assert abs(promotion.score - 0.730979) < 1e-6
    assert (promotion.hits, promotion.queries, promotion.days) == (3, 3, 1)
    assert {name: round(part, 3) for name, part in promotion.parts.items()} == {
        "frequency": 0.712, "relevance": 1, "recency": 1, "diversity": 0.6, "consolidation": 0.2,
    }  # fmt: skip


def case_one_query_on_many_days_is_not_enough(lab: Lab) -> None:
    """DRM-5"""
    space = lab.space()
    space.remember("Prefers window seats on night trains", name="seat")
    for query in ("window", " WINDOW", "Window "):
        _ask(space, query)
        lab.clock.advance(days=1)

    assert space.dream().promoted == ()
    _ask(space, "trains")

    (promotion,) = space.dream().promoted
    assert (promotion.queries, promotion.days) == (2, 4)


def case_the_best_are_promoted_up_to_the_cap(lab: Lab) -> None:
    """DRM-3"""
    space = lab.space(config={"dream_cap": 2})
    for number, word in enumerate(("apple", "berry", "cherry", "damson", "elder"), start=1):
        space.remember(f"{word} jam", name=word)
        _ask(space, *(f"{word} {n}" for n in range(2 + number)))

    # From six hits and five queries on nothing more is to be had: equal scores go by their ids.
    assert _names_promoted_by(space.dream()) == ["damson", "elder"]
    assert _names_promoted_by(space.dream()) == ["cherry", "berry"]
    assert _names_promoted_by(space.dream()) == ["apple"]


def case_weights_of_ones_own_decide_the_score(lab: Lab) -> None:
    """DRM-4"""
    space = _hot(lab)

    (promotion,) = space.dream(dry_run=True, weights={"relevance": 1.0}).promoted

    assert promotion.score == round(promotion.parts["relevance"], 6)
    with raises(InvalidInput, "speed", "relevance"):
        space.dream(weights={"speed": 1.0})


def case_trying_a_sweep_changes_nothing(lab: Lab) -> None:
    """DRM-2"""
    space = _hot(lab)

    tried = space.dream(dry_run=True)

    assert _names_promoted_by(tried) == ["seat"]
    assert (tried.id, tried.dry_run) == (None, True)
    assert "+- Prefers window seats on night trains _(score=" in tried.diff
    assert space.dreams.promotions() == []
    assert space.dreams.list() == []


def case_a_sweep_can_be_undone_and_its_entries_promoted_again(lab: Lab) -> None:
    """DRM-2"""
    space = _hot(lab)
    sweep = space.dream()

    undone = space.dreams.undo(sweep)

    assert _names_promoted_by(undone) == ["seat"]
    assert undone.undone_at is not None
    assert space.dreams.promotions() == []
    assert [(each.id, each.undone_at) for each in space.dreams.list()] == [
        (sweep.id, undone.undone_at)
    ]
    with raises(Conflict, "undone before"):
        space.dreams.undo(sweep)
    with raises(NotFound, "99"):
        space.dreams.undo(99)
    with raises(InvalidInput, "not a completed sweep"):
        space.dreams.undo(space.dream(dry_run=True))
    assert _names_promoted_by(space.dream()) == ["seat"]


def case_forgetting_an_entry_takes_it_out_of_the_ledger(lab: Lab) -> None:
    """DRM-2"""
    space = _hot(lab)
    space.dream()

    space.forget("seat")

    assert space.dreams.promotions() == []
    assert space.dream().skipped == 0


def case_a_sweep_stays_in_its_space(lab: Lab) -> None:
    """DRM-2, ISO-1"""
    memory = lab.open()
    for name in ("ana", "ben"):
        space = memory.space(name)
        space.remember("Prefers window seats on night trains", name="seat")
        _ask(space, "window", "night", "trains")

    memory.space("ana").dream()

    assert memory.space("ben").dreams.promotions() == []
    assert memory.space("ben").dreams.list() == []
    with raises(NotFound):
        memory.space("ben").dreams.undo(1)


def case_entries_past_their_time_and_archives_are_not_promoted(lab: Lab) -> None:
    """DRM-2"""
    space = lab.space()
    later = lab.clock() + timedelta(hours=1)
    space.remember("Prefers window seats on night trains", name="seat", expires_at=later)
    space.remember("talk of window seats and night trains", name="old", kind="archive")
    _ask(space, "window", "night", "trains")

    lab.clock.advance(hours=2)

    assert space.dream().candidates == 0


def case_a_sweep_changes_nothing_of_an_entry_but_concept_tags(lab: Lab) -> None:
    """DRM-2"""
    space = _hot(lab)
    before, history = space.get("seat"), space.history("seat")

    space.dream()

    assert space.get("seat") == before
    assert space.history("seat") == history == []


def case_near_duplicates_are_told_and_left_alone(lab: Lab) -> None:
    """DRM-2"""
    space = lab.space()
    space.remember("Ana likes a window seat on the night train to Vienna in May", name="one")
    space.remember("Ana likes a window seat on the night train to Vienna in June", name="two")
    _ask(space, "Vienna window")

    sweep = space.dream()

    assert [(pair.first, pair.second) for pair in sweep.duplicates] == [("one", "two")]
    assert sweep.duplicates[0].likeness >= 0.85
    assert len(space.entries()) == 2
    assert space.dreams.list()[0].duplicates == sweep.duplicates


def case_what_contradicts_a_newer_value_is_told_and_left_alone(lab: Lab) -> None:
    """DRM-2"""
    space = lab.space()
    space.fact("user", "dog_name", "Rex")
    space.fact("family", "dog_name", "Rex")
    space.remember("The dog is called Rex", name="pet")
    _ask(space, "dog called")
    lab.clock.advance(hours=1)
    space.fact("user", "dog_name", "Max")

    sweep = space.dream()

    told = {(each.older, each.newer) for each in sweep.contradictions}
    assert told == {("family/dog_name", "user/dog_name"), ("pet", "user/dog_name")}
    assert [entry.content for entry in space.entries(kind="note")] == ["The dog is called Rex"]


def case_a_promoted_entry_that_was_rewritten_is_told(lab: Lab) -> None:
    """DRM-2"""
    space = _hot(lab)
    space.dream()

    space.write("seat", "Prefers aisle seats now")

    (told,) = space.dream().contradictions
    assert (told.older, told.newer) == ("seat", "seat")


def case_old_signals_go_by_themselves(lab: Lab) -> None:
    """RET-2"""
    memory = lab.open(config={"max_signals": 0})
    space = memory.space("ana")
    for number in range(5):
        space.remember(f"window number {number}")
    _ask(space, "window")
    assert memory.stats().signals == 5

    lab.clock.advance(days=91)
    for _ in range(52):  # a look for old ones comes with every 256th
        _ask(space, "window")

    assert memory.stats().signals == 260
    lab.clock.advance(days=91)
    space.dream()
    assert memory.stats().signals == 0


def case_signals_of_an_entry_stay_few(lab: Lab) -> None:
    """RET-2"""
    memory = lab.open(config={"max_signals": 20})
    space = memory.space("ana")
    for number in range(10):
        space.remember(f"window number {number}", name=f"w{number}")
    space.remember("The plumber comes on Friday", name="plumber")
    _ask(space, "plumber", "friday")
    lab.clock.advance(days=1)

    for number in range(75):  # of 10 signals each; a look at who has too many comes every 256
        space.recall(f"window {number}", limit=10, mode="keyword", asker="user")
    space.dream(dry_run=True)

    most = 20 + 20 // 2 + 256 // 10 + 1  # room before an entry is thinned, and until the next look
    assert all(20 <= len(space.dreams.signals(f"w{number}", 1_000)) <= most for number in range(10))
    assert [signal.query for signal in space.dreams.signals("w3", 3)] == [
        "window 74",
        "window 73",
        "window 72",
    ]
    assert [signal.query for signal in space.dreams.signals("plumber")] == [
        "friday",
        "plumber",
    ]
    assert len(space.dream().promoted) == 10


@durable
def case_two_processes_never_sweep_a_space_at_once(lab: Lab) -> None:
    """DRM-7"""
    memory = lab.open()
    _heat(memory.space("ana"))
    with lab.team(memory) as team:
        team.start(sweep_often, "ana", 20)
        here = sweep_often(memory, "ana", 20)
        there = team.answer()

    assert here + there == ["seat"]
    assert [each.entry for each in memory.space("ana").dreams.promotions()] == ["seat"]


def sweep_often(memory: Memory, name: str, times: int) -> list[str]:
    """Everything that the sweeps of this process promoted; one that is refused promotes nothing."""
    found: list[str] = []
    for _ in range(times):
        try:
            found += _names_promoted_by(memory.space(name).dream())
        except Conflict:
            continue
    return found
