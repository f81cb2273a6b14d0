"""Every test of the command line has a memory and a home of its own."""

import os

import pytest


@pytest.fixture(autouse=True)
def environment(tmp_path, monkeypatch):
    """A memory of its own for each test; nothing of the machine's user is touched."""
    for name in [name for name in os.environ if name.startswith("RICORDO_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("RICORDO_DB", str(tmp_path / "agent.db"))
    monkeypatch.setenv("RICORDO_EMBEDDER", "hash")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "data"))
    monkeypatch.chdir(tmp_path)
