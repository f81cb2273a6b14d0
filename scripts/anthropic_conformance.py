"""Run the memory-tool tests of Anthropic's SDK against our classes.

The SDK's source is fetched into a temporary folder and thrown away again. Its tests are written for
a folder on disk; a plugin puts our classes in the place of the two file system classes, and a view
of the tree in the place of the folder. What only a disk can do is left out, by name, below.

    python scripts/anthropic_conformance.py [--sdist anthropic-2.8.0.tar.gz]
"""

import argparse
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "2.8.0"
TESTS = "tests/lib/tools/memory_tools"
LEFT_OUT = {
    "symlink": "a virtual tree has no symbolic links",
    "umask": "nor modes of files",
}

PLUGIN = '''
import asyncio
import inspect
import os
import pathlib

import anthropic.lib.tools._beta_builtin_memory_tool as sdk
import pytest
import ricordo
from ricordo.surfaces.anthropic.paths import ROOT
from ricordo.surfaces.anthropic.sdk import AsyncRicordoMemoryTool, RicordoMemoryTool

TOOLS = {}  # by the folder that a test gave
FOLDERS = {}  # by what str() makes of them


class Folder:
    """What stands for the folder of a tree: tests look into it and put bytes there."""

    def __init__(self, tree, path=ROOT):
        self.tree, self.path = tree, path
        FOLDERS[str(self)] = self

    def __truediv__(self, name):
        return Folder(self.tree, f"{self.path}/{name}")

    def mkdir(self, **_):
        pass

    def is_dir(self):
        return "directories" in self.tree.view(self.path)

    def write_bytes(self, data):
        self.tree.create(self.path, data.decode())

    def read_bytes(self):
        return files(self.tree)[self.path[1:]].encode()


class AsyncFolder(Folder):
    async def is_dir(self):
        return super().is_dir()


def files(tree):
    found = {}
    for entry in tree.space.entries(prefix=f"{ROOT}/"):
        blank = entry.metadata.get("blank")
        found[entry.name[1:]] = entry.content if blank is None else blank
    return found


class Placed:
    folder = Folder

    def __init__(self, base_path):
        self.memory = ricordo.open(os.path.join(base_path, "agent.db"), embedder="none")
        super().__init__(self.memory.space("ana"), max_bytes=None)
        self.base_path, self.memory_root = base_path, self.folder(self._tree)
        TOOLS[str(base_path)] = self


class Sync(Placed, RicordoMemoryTool):
    pass


class Async(Placed, AsyncRicordoMemoryTool):
    folder = AsyncFolder


sdk.BetaLocalFilesystemMemoryTool = Sync
sdk.BetaAsyncLocalFilesystemMemoryTool = Async


def pytest_collection_modifyitems(items):
    for item in items:
        item.module.get_directory_snapshot = lambda base: files(TOOLS[str(base)]._tree)
        item.module.Path = lambda *parts: FOLDERS.get(parts[0]) or pathlib.Path(*parts)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def pytest_runtest_teardown():
    for tool in TOOLS.values():
        tool.memory.close()
    TOOLS.clear()
    FOLDERS.clear()
'''


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sdist", type=Path, help="the SDK's source, instead of fetching it")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        sdist = given.sdist or fetched(home)
        with tarfile.open(sdist) as archive:
            archive.extractall(home, filter="data")
        return run(home, next(home.glob("anthropic-*/" + TESTS)))


def fetched(home: Path) -> Path:
    """The SDK's source from the package index."""
    command = ["download", "--quiet", "--no-deps", "--no-binary", "anthropic"]
    subprocess.run(
        [sys.executable, "-m", "pip", *command, f"anthropic=={VERSION}", "--dest", str(home)],
        check=True,
    )
    return next(home.glob("anthropic-*.tar.gz"))


def run(home: Path, tests: Path) -> int:
    (home / "ricordo_plugin.py").write_text(PLUGIN, encoding="utf-8")
    (home / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    chosen = " and ".join(f"not {word}" for word in LEFT_OUT)
    source = Path(__file__).resolve().parent.parent / "src"
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "--noconftest", "-p", "ricordo_plugin"),
            *("-c", str(home / "pytest.ini"), "--rootdir", str(home), "-k", chosen, str(tests)),
        ],
        env={"PYTHONPATH": f"{home}:{source}", "PATH": ""},
        cwd=home,
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
