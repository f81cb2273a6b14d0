"""Recall over several spaces with the filters of one, and paths in place of file URIs."""

import pytest

from ricordo.errors import InvalidInput


@pytest.fixture
def memory(lab):
    memory = lab.open()
    for name in ("ana", "kate"):
        space = memory.space(name)
        space.remember(f"the tangerine of {name}", name="fruit", tags=["food"], metadata={"n": 1})
        space.remember(f"the tangerine tree of {name}", name="tree", category="garden")
    return memory


def found(memory, **filters):
    hits = memory.recall("tangerine", ["ana", "kate"], 10, mode="keyword", **filters)
    return sorted((hit.space, hit.source.name) for hit in hits)


def test_filters_hold_in_every_space(memory):
    fruit = [("ana", "fruit"), ("kate", "fruit")]
    assert found(memory, tags=["food"]) == fruit
    assert found(memory, where={"n": 1}) == fruit
    assert found(memory, prefix="fru") == fruit
    assert found(memory, category="garden") == [("ana", "tree"), ("kate", "tree")]
    assert found(memory, exclude="tree") == fruit
    hers = memory.space("ana").get("tree")
    assert found(memory, exclude=[hers]) == [*fruit[:1], *fruit[1:], ("kate", "tree")]


def test_a_page_begins_at_an_offset(memory):
    whole = memory.recall("tangerine", ["ana", "kate"], 10, mode="keyword")
    page = memory.recall("tangerine", ["ana", "kate"], 2, mode="keyword", offset=1)

    assert [(h.space, h.text) for h in page] == [(h.space, h.text) for h in whole[1:3]]
    with pytest.raises(InvalidInput, match="offset"):
        memory.recall("tangerine", ["ana"], offset=-1)


def test_a_path_stands_for_its_file(lab, tmp_path, monkeypatch):
    space = lab.space()
    for name in ("one", "two"):
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / "docs" / f"{name}.md").write_text(f"A tangerine in {name}")
        space.ingest(tmp_path / "docs" / f"{name}.md")
    monkeypatch.chdir(tmp_path)

    def texts(**filters):
        return sorted(hit.text for hit in space.recall("tangerine", mode="keyword", **filters))

    assert texts(exclude="docs/one.md") == ["A tangerine in two"]
    assert texts(uri="docs/two.md") == ["A tangerine in two"]
    assert texts(uri=str(tmp_path / "docs")) == ["A tangerine in one", "A tangerine in two"]
    assert texts(uri="elsewhere/") == []
