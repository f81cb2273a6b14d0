"""Run the tests of other projects against our adapters.

    python compat/run.py                 every peer of compat/peers
    python compat/run.py openai_agents   one of them

A peer is a folder of `compat/peers` with `peer.toml` (pins, tests, expected counts, deselected
tests with a reason each) and `swap.py` (puts our class in the place of theirs). Their source is
downloaded from the package index into `build/compat` and is never part of this repository. Where
a package has no tests, ours stand in the folder and drive its client. Each peer has an environment
of its own.

A run fails if fewer tests pass than expected, if a deselected test passes, or if fewer tests than
expected touch our classes.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "compat" / "peers"
BUILD = ROOT / "build" / "compat"
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Peer:
    """What `peer.toml` says."""

    folder: Path
    sdist: str  # package and version whose source has the tests
    requires: list[str]  # what they need beside it, pinned
    ours: list[str]  # our classes, as module:Class
    tests: list[str]  # files of the source
    touched: int  # tests that make one of our classes
    passed: int  # those of them that pass
    deselected: Mapping[str, str]  # test, or test[parameters] -> why it cannot pass
    ini: Mapping[str, str]  # settings of pytest
    own: bool = False  # the tests stand in the peer's folder, because the package has none
    races: str | None = None  # our test of several processes at once, in the peer's folder
    program: str | None = None  # a page of the docs that is run in the peer's environment


def read_peer(folder: Path) -> Peer:
    """The peer of a folder."""
    said: dict[str, Any] = tomllib.loads((folder / "peer.toml").read_text(encoding="utf-8"))
    expected = said.pop("expected")
    return Peer(folder, **{"deselected": {}, "ini": {}, "requires": [], **said, **expected})


def find_faults(peer: Peer, report: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What is wrong with a run, in words; nothing if it is as expected."""
    touched = [test for test, said in report.items() if said.get("touched")]
    passed = [test for test in touched if report[test]["outcome"] == "passed"]
    faults = []
    if len(touched) < peer.touched:
        faults.append(f"only {len(touched)} tests touch our classes, {peer.touched} are expected")
    if len(passed) < peer.passed:
        faults.append(f"only {len(passed)} of them pass, {peer.passed} are expected")
    for test, said in report.items():
        reason = find_reason(peer, test)
        if said["outcome"] == "failed" and reason is None:
            faults.append(f"{test} fails and is not deselected")
        if said["outcome"] == "passed" and reason is not None:
            faults.append(f"{test} passes: delete it from the deselected tests ({reason})")
    for name in peer.deselected:
        if not any(name in (test, test.partition("[")[0]) for test in report):
            faults.append(f"{name} is deselected and does not exist")
    return faults


def find_reason(peer: Peer, test: str) -> str | None:
    """Why a test is deselected, by its own name or that without parameters."""
    return peer.deselected.get(test) or peer.deselected.get(test.partition("[")[0])


def run_tests(peer: Peer, python: Path, source: Path, build: Path) -> dict[str, Any]:
    """Run the tests of a source with our classes in place; returns the outcome of each."""
    report, ini = build / "report.json", build / "pytest.ini"
    report.unlink(missing_ok=True)
    races = [str(peer.folder / peer.races)] if peer.races else []
    ini.write_text("[pytest]\n" + "".join(f"{k} = {v}\n" for k, v in peer.ini.items()), "utf-8")
    subprocess.run(
        [
            *(str(python), "-m", "pytest", "-q", "--tb=short", "-p", "ricordo_touched"),
            *("-p", "no:cacheprovider", "-c", str(ini), "--rootdir", str(source), *peer.tests),
            *races,
        ],
        cwd=source,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(ROOT / "compat" / "plugin"), str(source))),
            "RICORDO_COMPAT_OURS": " ".join(peer.ours),
            "RICORDO_COMPAT_SWAP": str(peer.folder / "swap.py"),
            "RICORDO_COMPAT_REPORT": str(report),
            "RICORDO_EMBEDDER": "none",
        },
        check=False,
    )
    if not report.exists():
        raise SystemExit(f"{peer.folder.name}: pytest did not reach its end; see above")
    return dict(json.loads(report.read_text(encoding="utf-8")))


def make_environment(peer: Peer, build: Path) -> Path:
    """The Python of the peer's own environment, made again when its pins change."""
    pins = [peer.sdist, *peer.requires]
    mark, python = build / "pins.txt", build / "venv" / "bin" / "python"
    digest = hashlib.sha256("\n".join(pins).encode()).hexdigest()
    if not mark.exists() or mark.read_text("utf-8") != digest:
        venv.create(build / "venv", with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet"]
        package = re.split(r"[=<>\[]", peer.sdist)[0]
        built = [] if peer.own else ["--no-binary", package]
        subprocess.run([*pip, *built, *pins, "-e", str(ROOT)], check=True)
        mark.write_text(digest, "utf-8")
    return python


def download(peer: Peer, build: Path) -> Path:
    """The peer's source, unpacked."""
    home = build / "source" / peer.sdist
    if not home.exists():
        home.mkdir(parents=True)
        command = ["download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(home)]
        subprocess.run([sys.executable, "-m", "pip", *command, peer.sdist], check=True)
        with tarfile.open(next(home.glob("*.tar.gz"))) as archive:
            archive.extractall(home, filter="data")
    return next(each for each in home.iterdir() if each.is_dir())


def run_program(peer: Peer, python: Path, build: Path) -> list[str]:
    """Run the program of the peer's page; returns what went wrong."""
    if peer.program is None:
        return []
    code = "\n".join(FENCE.findall((ROOT / peer.program).read_text(encoding="utf-8")))
    with tempfile.TemporaryDirectory(dir=build) as folder:  # what a run before left is not there
        done = subprocess.run([str(python), "-c", code], cwd=folder, check=False)
    return [f"the program of {peer.program} fails"] if done.returncode else []


def check_peer(peer: Peer) -> list[str]:
    """Run everything for one peer, say how it went, and return what is wrong."""
    build = BUILD / peer.folder.name
    build.mkdir(parents=True, exist_ok=True)
    python = make_environment(peer, build)
    source = peer.folder if peer.own else download(peer, build)
    report = run_tests(peer, python, source, build)
    faults = find_faults(peer, report) + run_program(peer, python, build)
    touched = [said["outcome"] for said in report.values() if said.get("touched")]
    print(
        f"{peer.folder.name} ({peer.sdist}): {len(report)} tests, "
        f"{len(touched)} touch our classes, {touched.count('passed')} of them pass, "
        f"{len(peer.deselected)} deselected",
        *(f"  {fault}" for fault in faults),
        sep="\n",
        flush=True,
    )
    return faults


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("peers", nargs="*", help="folders of compat/peers; default: all")
    chosen = options.parse_args().peers
    folders = sorted(each.parent for each in PEERS.glob("*/peer.toml"))
    if unknown := set(chosen) - {each.name for each in folders}:
        options.error(f"no peer {min(unknown)!r}; there are {', '.join(f.name for f in folders)}")
    wanted = [each for each in folders if not chosen or each.name in chosen]
    faults = [fault for each in wanted for fault in check_peer(read_peer(each))]
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
