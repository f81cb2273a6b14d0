"""Toolset `files`: a model works in the folder of its space, and nowhere else."""

import pytest
from toolset_runtime import Calling


@pytest.fixture
def filed(lab, tmp_path):
    return lab.space(config={"workspace": str(tmp_path / "files")})


def test_what_a_model_writes_it_finds_and_reads_again(filed):
    files = Calling(filed, "files")

    written = files("write_file", path="plans/trip.md", text="1. Book the flight")

    assert written == {"path": "plans/trip.md", "chars": 18}
    assert files("list_files") == {"files": ["plans/trip.md"], "total": 1}
    assert files("list_files", folder="plans/")["files"] == ["plans/trip.md"]
    assert files("list_files", folder="plan")["files"] == []
    page = files("read_file", path="plans/trip.md")
    assert page == {"path": "plans/trip.md", "text": "1. Book the flight", "total_chars": 18}


def test_long_answers_come_page_by_page(filed):
    files = Calling(filed, "files")
    for number in range(7):
        files("write_file", path=f"{number}.md", text="x")
    files("write_file", path="long.md", text="0123456789")

    first = files("read_file", path="long.md", max_chars=4)
    rest = files("read_file", path="long.md", offset=first["next_offset"])

    assert (first["text"], rest["text"]) == ("0123", "456789")
    assert "next_offset" not in rest
    assert files("list_files", limit=2, offset=6) == {"files": ["6.md", "long.md"], "total": 8}


@pytest.mark.parametrize("path", ["../out.md", "/etc/passwd", ".git/config", "a/../../b.md"])
def test_no_path_of_a_model_leaves_the_folder(filed, tmp_path, path):
    files = Calling(filed, "files")

    assert files.refused("write_file", path=path, text="x").kind == "invalid_arguments"
    assert files.refused("read_file", path=path).kind == "invalid_arguments"
    assert filed.files.list() == []


def test_notes_are_read_and_written_by_remember_alone(filed):
    filed.remember("Prefers window seats", name="seat")
    filed.files.sync()
    files = Calling(filed, "files")

    assert "window seats" in files("read_file", path="notes/seat.md")["text"]
    assert "remember" in files.refused("write_file", path="notes/seat.md", text="x").message


def test_a_missing_file_and_a_missing_workspace_are_named(filed, calling):
    assert Calling(filed, "files").refused("read_file", path="plan.md").kind == "not_found"
    assert calling("files")("list_files") == {"files": [], "total": 0}
    assert "workspace" in calling("files").refused("write_file", path="a.md", text="x").message
