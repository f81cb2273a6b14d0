"""Paths of Anthropic's memory tool: inside /memories, or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusing import refused

from ricordo.surfaces.anthropic.paths import MemoryRefused, parse_path


@pytest.mark.parametrize(
    "path", ["", "/", "memories/a", "/etc/passwd", "/memoriesX", "/Memories/a"]
)
def test_a_path_begins_with_memories(tree, path):
    assert refused(tree.create, path, "x") == f"Path must start with /memories, got: {path}"


@pytest.mark.parametrize("path", ["/memories/..", "/memories/../a", "/memories/a/../../b"])
def test_a_path_stays_inside(tree, path):
    assert refused(tree.create, path, "x") == f"Path {path} would escape /memories directory"


def test_per_cent_signs_are_not_decoded(tree):
    tree.create("/memories/%2e%2e/a", "x")

    assert tree.space.get("/memories/%2e%2e/a") is not None


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/memories/a/./b", "segment of dots; write /memories/a/b"),
        ("/memories/a//b", "empty segment"),
        ("/memories/a\x00b", "control or format"),
        ("/memories/a\nb", "control or format"),
        ("/memories/a\u200bb", "control or format"),
        ("/memories/a\u2028b", "control or format"),
        ("/memories/\ud800", "control or format"),
        ("/memories/e\u0301", "NFC"),
        ("/memories/" + "/".join("x" * 21), "21 segments, at most 20"),
        ("/memories/" + "é" * 480 + "€" * 30, "longer than 500 characters or 1,024 bytes"),
        ("/memories/" + "x" * 500, "longer than 500 characters"),
    ],
)
def test_odd_paths_are_refused(tree, path, told):
    assert told in refused(tree.create, path, "x")


def test_paths_are_told_apart_by_case_and_may_hold_twenty_segments(tree):
    tree.create("/memories/A", "1")
    tree.create("/memories/a", "2")
    tree.create("/memories/" + "/".join("x" * 20), "3")

    assert tree.view("/memories/A").endswith("\t1")
    assert tree.view("/memories/a").endswith("\t2")


@given(st.text())
def test_a_path_is_refused_or_inside(path):
    for given_path in (path, f"/memories/{path}"):
        try:
            real = parse_path(given_path).real
        except MemoryRefused as refusal:
            assert str(refusal).encode()  # noqa: PT017
        else:
            assert real == "/memories" or real.startswith("/memories/")
            assert ".." not in real.split("/")
