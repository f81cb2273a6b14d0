"""Every conformance case, in RAM and on a file."""

import re
import sys

import pytest

from ricordo import testing
from ricordo.testing import Case, Lab, cases

KEY = "0f1e2d3c" * 8


@pytest.mark.parametrize("case", [case for case in cases() if not case.needs_durable], ids=str)
def test_a_memory_in_ram_keeps_the_promise(case: Case):
    with Lab(lambda: ":memory:") as lab:
        case.run(lab)


@pytest.mark.parametrize("case", cases(), ids=str)
def test_a_memory_in_a_file_keeps_the_promise(case: Case, lab: Lab):
    case.run(lab)


@pytest.mark.parametrize("case", cases(), ids=str)
def test_an_encrypted_memory_keeps_the_promise(case: Case, lab: Lab, monkeypatch, tmp_path):
    monkeypatch.setenv("RICORDO_KEY", KEY)

    case.run(lab)

    heads = [path.read_bytes()[:6] for path in tmp_path.glob("memory*.db")]
    assert b"SQLite" not in heads


def test_every_case_has_a_name_of_its_own_and_names_its_checks():
    found = cases()

    assert len({case.name for case in found}) == len(found) > 120
    for case in found:
        assert case.checks, case.name
        assert re.fullmatch(r"[a-z0-9_]{15,}", case.name), case.name


def test_run_tells_which_promises_are_broken(monkeypatch):
    def broken(lab: Lab) -> None:
        lab.space().remember("x")
        assert lab.space().entries() != []

    def fine(lab: Lab) -> None:
        lab.space().remember("x")

    told = [Case(name, ("X-1",), case, False) for name, case in (("a", broken), ("b", fine))]
    monkeypatch.setattr(sys.modules["ricordo.testing.cases"], "cases", lambda: told)

    failures = testing.run(lambda: ":memory:")

    assert [failure.case.name for failure in failures] == ["a"]
    assert isinstance(failures[0].error, AssertionError)


def test_the_lab_fails_a_case_that_leaves_damage_behind():
    lab = Lab(lambda: ":memory:")
    memory = lab.open()
    memory.space("ana").session("s").append("user", "x")
    memory._engine.store.write(lambda tx: tx.spaces.grew(1, 1, 1))

    with pytest.raises(AssertionError, match="statistics"):
        lab.close()
