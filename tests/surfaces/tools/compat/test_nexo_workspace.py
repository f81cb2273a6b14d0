"""The workspace: checkpoints and history, as the documents have their tools."""

import re

import pytest
from toolset_runtime import Calling


@pytest.fixture
def filed(lab, tmp_path):
    """A space whose files have a history."""
    config = {"workspace": str(tmp_path / "files"), "workspace_git": True}
    return lab.space(config=config)


def test_a_checkpoint_is_made_once_and_stands_in_the_history(filed):
    workspace = Calling(filed, "workspace")
    filed.files.write("plan.md", "one\n")

    made = workspace("forge_memory_checkpoint", note="first plan")
    again = workspace("forge_memory_checkpoint")
    history = workspace("memory_history", include_diff=True)

    assert (made["ok"], made["skipped"], made["subject"]) == (True, False, "checkpoint: first plan")
    assert re.fullmatch("[0-9a-f]{7}", made["oid"])
    assert (again["ok"], again["skipped"]) == (True, True)
    assert again["reason"]
    assert set(history["commits"][0]) == {"oid", "subject", "body", "author", "timestamp"}
    assert history["commits"][0]["oid"] == made["oid"]


def test_the_history_has_a_diff_when_asked_for_and_a_clamped_limit(filed):
    workspace = Calling(filed, "workspace")
    for text in ("one\n", "two\n", "three\n"):
        filed.files.write("plan.md", text)
        workspace("forge_memory_checkpoint", note=text.strip())

    assert "diff" not in workspace("memory_history")
    assert "+three" in workspace("memory_history", include_diff=True, limit=2)["diff"]
    assert "diff" not in workspace("memory_history", include_diff=True, limit=0)
    assert len(workspace("memory_history", limit=0)["commits"]) == 1
    assert len(workspace("memory_history", limit=500)["commits"]) >= 3


def test_without_a_history_of_files_a_checkpoint_is_refused(calling):
    failure = calling("workspace").refused("forge_memory_checkpoint")

    assert "workspace_git" in failure.message
    assert calling("workspace")("memory_history") == {"commits": []}
