"""Passages: what a hit shows is what was written, and a document is shown by its structure."""

from ricordo.testing.assertions import texts
from ricordo.testing.lab import Lab

CODE = "def deploy(env):\n    if env == 'prod':\n        check()\n    push(env)"
PAGE = f"""# Deploy

Read this before you push.

## Production

Call the lead, then run it:

```python
{CODE}
```

## Staging

| step | who |
|---|---|
| build | anybody |
"""


def case_hits_show_texts_as_they_were_written(lab: Lab) -> None:
    """TXT-1"""
    memory = lab.open()
    space = memory.space("ana")
    note = "Steps to bake bread:\n\n1. knead\n2. wait\n\n\tbake(240)"
    said = "My bicycle needs:\n- a chain\n- a bell"
    space.remember(note, name="bread")
    space.session("trip").append("user", said)
    space.ingest(PAGE, uri="doc://deploy.md")
    memory.flush()

    assert texts(space.recall("bake bread", 1)) == [note]
    assert texts(space.recall("bicycle chain", 1)) == [said]
    hit = space.recall("deploy production code", 1)[0]
    assert f"```python\n{CODE}\n```" in hit.text
    shown = space.session("new").context("bake bread").text
    assert "> 1. knead\n> 2. wait" in shown


def case_of_a_long_text_the_passages_that_match_are_shown(lab: Lab) -> None:
    """TXT-1"""
    memory = lab.open(embedder="none")
    space = memory.space("ana")
    parts = [f"Chapter {n} is about number{n}.\n{'It goes on. ' * 55}" for n in range(9)]
    long = "\n\n".join(parts)
    space.remember(long, name="book")
    space.session("trip").append("user", f"{long}\n\nThat is all.")

    for hit in space.recall("number7", 2, mode="keyword"):
        assert "about number7.\nIt goes on." in hit.text
        assert hit.text in f"{long}\n\nThat is all."
        assert len(hit.text) < 2_001 < len(long)


def case_a_passage_has_headings_lines_and_a_place(lab: Lab) -> None:
    """TXT-2"""
    memory = lab.open()
    space = memory.space("ana")
    space.ingest(PAGE, uri="doc://deploy.md")
    memory.flush()

    hit = space.recall("who builds for staging?", 1, mode="keyword")[0]
    source = hit.source

    assert (source.kind, source.uri) == ("file", "doc://deploy.md")
    assert source.headings == ("Deploy", "Staging")
    assert source.offset == PAGE.index("## Staging")
    assert (source.line_start, source.line_end) == (16, 20)
    assert hit.text == PAGE[source.offset :].rstrip()
    assert hit.to_dict()["source"]["headings"] == ["Deploy", "Staging"]


def case_titles_and_headings_of_a_document_count_as_words(lab: Lab) -> None:
    """TXT-2"""
    memory = lab.open(embedder="none")
    space = memory.space("ana")
    long = "Nothing here says it. " * 80
    space.ingest(f"# Walrus\n\n{long}\n\n{long}", uri="doc://arctic.md")

    for word in ("walrus", "arctic"):
        hits = space.recall(word, mode="keyword")
        assert len(hits) > 1
        assert {hit.source.uri for hit in hits} == {"doc://arctic.md"}


def case_other_blanks_are_shown_although_they_are_no_change(lab: Lab) -> None:
    """TXT-1"""
    space = lab.space()
    space.ingest("Cod is dried on racks", uri="doc://cod")

    assert not space.ingest("Cod is\n  dried on racks", uri="doc://cod").changed
    assert texts(space.recall("racks")) == ["Cod is\n  dried on racks"]


def case_neighbours_in_a_section_stand_behind_other_hits(lab: Lab) -> None:
    """TXT-3"""
    memory = lab.open(embedder="none")
    space = memory.space("ana")
    long = ["walrus " * 9 + f"{word} " * 90 for word in ("alpha", "beta", "gamma", "delta")]
    space.ingest("# Ice\n\n" + "\n\n".join(long), uri="doc://ice.md")
    space.ingest("# Sea\n\nA walrus.\n\n# Zoo\n\nA walrus sleeps.", uri="doc://sea.md")

    hits = space.recall("walrus", 4, mode="keyword")

    places = [(hit.source.uri, hit.source.headings) for hit in hits]
    assert places.count(("doc://ice.md", ("Ice",))) == 2
    assert {("doc://sea.md", ("Sea",)), ("doc://sea.md", ("Zoo",))} < set(places)
    assert len(space.recall("walrus", 10, mode="keyword")) == 6


def case_documents_have_tags(lab: Lab) -> None:
    """FIL-3"""
    memory = lab.open()
    space = memory.space("ana")
    first = space.ingest("Cod is dried", uri="doc://cod", tags=["Fish", "food"])
    space.ingest("Cod is a command", uri="doc://unix")

    assert first.tags == ("fish", "food")
    hits = space.recall("cod", tags=["fish"])
    assert [hit.source.uri for hit in hits] == ["doc://cod"]
    assert not space.ingest("Cod is dried", uri="doc://cod").changed
    moved = space.ingest("Cod is dried", uri="doc://cod", tags=["dry"])
    assert (moved.changed, moved.tags) == (True, ("dry",))
    assert space.recall("cod", tags=["fish"]) == []
    assert space.ingest("Cod is salted", uri="doc://cod").tags == ("dry",)
    space.forget("doc://cod")
    assert space.recall("cod", tags=["dry"]) == []


def case_documents_are_explained(lab: Lab) -> None:
    """FIL-3"""
    memory = lab.open()
    space = memory.space("ana")
    document = space.ingest(PAGE, uri="doc://deploy.md")
    memory.flush()

    assert space.explain("deploy to production", "doc://deploy.md").verdict == "found"
    assert space.explain("deploy to production", document).rank == 1
    assert space.explain("deploy", document, kinds=["note"]).verdict == "filtered"
