"""Foreign suites: fewer passes, a deselected test that passes, a swap without effect: all fail."""

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SUITE = """
from peer_package import Store

def test_keeps():
    assert Store().keeps() == "ours"

def test_looks_inside():
    assert Store().connection

def test_of_something_else():
    assert True
"""
PEER = """
sdist = "peer-package==1.0"
ours = ["our_package:OurStore"]
tests = ["tests/test_store.py"]
ini = { python_files = "test_*.py" }

[expected]
touched = 2
passed = 1

[deselected]
"tests/test_store.py::test_looks_inside" = "looks into a connection"
"""
SWAP = "import our_package, peer_package\npeer_package.Store = our_package.OurStore\n"


@pytest.fixture(scope="module")
def runner():
    return runpy.run_path(str(ROOT / "compat" / "run.py"))


@pytest.fixture
def suite(tmp_path, runner):
    """A peer with three tests; what is given replaces a file of it."""

    def run(**changed):
        source, folder = tmp_path / "source", tmp_path / "peer"
        (source / "tests").mkdir(parents=True)
        folder.mkdir()
        files = {
            source / "tests" / "test_store.py": changed.get("suite", SUITE),
            source
            / "peer_package.py": "class Store:\n    def keeps(self):\n        return 'theirs'\n",
            source
            / "our_package.py": "class OurStore:\n    def keeps(self):\n        return 'ours'\n",
            folder / "peer.toml": changed.get("peer", PEER),
            folder / "swap.py": changed.get("swap", SWAP),
        }
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
        peer = runner["read_peer"](folder)
        report = runner["run_tests"](peer, Path(sys.executable), source, tmp_path)
        return runner["find_faults"](peer, report)

    return run


def test_a_run_that_is_as_expected_has_no_fault(suite):
    assert suite() == []


def test_a_drop_in_passes_is_a_fault(suite):
    faults = suite(suite=SUITE.replace('== "ours"', '== "theirs"'))

    assert faults == [
        "only 0 of them pass, 1 are expected",
        "tests/test_store.py::test_keeps fails and is not deselected",
    ]


def test_a_deselected_test_that_passes_is_a_fault(suite):
    [fault] = suite(suite=SUITE.replace("assert Store().connection", "assert Store()"))

    assert "test_looks_inside passes: delete it" in fault


def test_a_swap_that_no_longer_bites_is_a_fault(suite):
    faults = suite(swap="")

    assert "only 0 tests touch our classes, 2 are expected" in faults


def test_a_deselected_test_that_is_gone_is_a_fault(suite):
    [fault] = suite(peer=PEER + '"tests/test_store.py::test_gone" = "it was here"\n')

    assert fault == "tests/test_store.py::test_gone is deselected and does not exist"


PEERS = sorted((ROOT / "compat" / "peers").glob("*/peer.toml"))


@pytest.mark.parametrize("file", PEERS, ids=lambda file: file.parent.name)
def test_every_peer_is_pinned_and_says_why_a_test_is_left_out(file, runner):
    peer = runner["read_peer"](file.parent)

    assert all("==" in pin for pin in (peer.sdist, *peer.requires))
    assert all(reason.strip() for reason in peer.deselected.values())
    assert 0 < peer.passed <= peer.touched
    beside = peer.tests if peer.own else ["swap.py"]
    beside = [*beside, peer.races] if peer.races else beside
    assert sorted(each.name for each in file.parent.iterdir() if each.is_file()) == sorted(
        ["peer.toml", *beside]
    )
