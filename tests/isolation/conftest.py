"""These tests call everything with everything, so they work in a folder of their own."""

import pytest


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Whatever takes a name for a path writes it here."""
    monkeypatch.chdir(tmp_path)
