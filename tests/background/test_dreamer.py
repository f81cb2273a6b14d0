"""A dreamer sweeps every space by itself, and leaves alone what somebody else is sweeping."""

from datetime import timedelta
from pathlib import Path

import pytest

import ricordo
from ricordo.flows.learning import dream_lease
from ricordo.testing import Lab


def asked_about(memory: ricordo.Memory, name: str) -> ricordo.Space:
    space = memory.space(name)
    space.remember("Prefers window seats on night trains", name="seat")
    for query in ("window seat", "night trains", "which seats?"):
        space.recall(query, mode="keyword", asker="user")
    memory.flush()
    return space


def test_every_space_is_swept(lab: Lab):
    memory = lab.open()
    for name in ("ana", "ben"):
        asked_about(memory, name)

    swept = ricordo.Dreamer(memory).run()

    assert {name: [p.entry for p in sweep.promoted] for name, sweep in swept.items()} == {
        "ana": ["seat"],
        "ben": ["seat"],
    }


def test_a_space_that_is_being_swept_is_left_alone(lab: Lab):
    memory = lab.open()
    ana = asked_about(memory, "ana")
    asked_about(memory, "ben")

    with dream_lease.hold_lease(memory._engine, "ana"):
        swept = ricordo.Dreamer(memory).run()

    assert list(swept) == ["ben"]
    assert ana.dreams.promotions() == []


def test_a_space_that_fails_does_not_keep_the_others_from_being_swept(tmp_path: Path, lab: Lab):
    memory = lab.open(config={"workspace": str(tmp_path)})
    spaces = [asked_about(memory, name) for name in ("ana", "ben", "cleo")]
    spaces[0].dream()  # makes the folder
    folder = next(path for path in tmp_path.iterdir() if path.is_dir())
    (folder / "DREAMS.md").unlink()
    (folder / "DREAMS.md").mkdir()  # can neither be read nor replaced

    with pytest.raises(ricordo.RicordoError, match="ana"):
        ricordo.Dreamer(memory).run()

    assert [len(space.dreams.promotions()) for space in spaces[1:]] == [1, 1]


def test_an_interval_must_be_above_zero(memory: ricordo.Memory):
    with pytest.raises(ricordo.InvalidInput, match="every"):
        ricordo.Dreamer(memory, every=timedelta(0))
