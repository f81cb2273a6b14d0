"""The files of a space that nobody has written to yet."""

from pathlib import Path

import pytest

from ricordo.workspace.files import Files


@pytest.fixture
def root(tmp_path) -> Path:
    return tmp_path / "base" / "ana"


@pytest.fixture
def files(root) -> Files:
    return Files(root)
