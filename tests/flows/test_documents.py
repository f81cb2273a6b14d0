"""Files and folders: taken in once, replaced when changed, forgotten when gone."""

import os
import re
import sys
import types
from pathlib import Path

import pytest

import ricordo
from ricordo.errors import InvalidInput, NotFound, Unavailable


def test_a_file_is_taken_in_by_its_path(space, memory, tmp_path):
    path = tmp_path / "Packing list.md"
    path.write_text("# Packing\n\nTake the wool socks.", encoding="utf-8")

    document = space.ingest(path)
    memory.flush()

    assert document.uri == path.resolve().as_uri()
    hit = space.recall("wool socks")[0]
    assert (hit.source.kind, hit.source.uri) == ("file", document.uri)
    assert space.recall("packing list", mode="keyword")
    assert space.ingest(str(path)).changed is False


def test_a_touched_file_costs_nothing_and_a_changed_one_is_replaced(space, tmp_path):
    """FIL-1, FIL-2"""
    path = tmp_path / "notes.txt"
    path.write_text("wool socks", encoding="utf-8")
    space.ingest(path)
    os.utime(path, (1, 1))
    assert space.ingest(path).changed is False
    path.write_text("rubber boots", encoding="utf-8")

    assert space.ingest(path).changed is True
    assert space.recall("socks", mode="keyword") == []
    assert len(space.documents.list()) == 1


def test_a_document_that_is_erased_meanwhile_is_taken_in_whole(tmp_path):
    path = tmp_path / "agent.db"
    with ricordo.open(path, embedder="none") as other:
        other.space("ana").ingest("wool socks", uri="memo:1")

        heard: list[str] = []

        def erase(text: str) -> str:
            heard.append(text)
            if text == "wool  socks" and heard.count(text) == 2:  # an argument, then the document
                other.space("ana").forget("memo:1", erase=True)
            return text

        with ricordo.open(path, embedder="none", redact=erase) as memory:
            memory.space("ana").ingest("wool  socks", uri="memo:1", metadata={"a": 1})

            assert memory.check() == []
            assert memory.space("ana").recall("socks")


def test_a_text_under_a_uri_is_never_taken_for_a_path(space, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the code is 1234", encoding="utf-8")

    space.ingest(str(secret), uri="chat://ana/1")

    assert space.get("chat://ana/1").content == str(secret)


def test_a_text_without_a_uri_is_known_by_its_hash(space):
    one, two = space.ingest("wool socks"), space.ingest("wool socks")

    assert one.uri == two.uri
    assert one.uri.startswith("text:")
    assert two.changed is False


def test_a_folder_is_taken_in_with_progress(space, tmp_path):
    folder = tmp_path / "notes"
    (folder / "inner").mkdir(parents=True)
    (folder / "a.md").write_text("wool socks", encoding="utf-8")
    (folder / "inner" / "b.txt").write_text("rubber boots", encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG\x00\xff")
    (folder / "empty.txt").touch()
    (folder / ".hidden").write_text("hidden", encoding="utf-8")
    outside = tmp_path / "outside.txt"
    outside.write_text("outside", encoding="utf-8")
    (folder / "link.txt").symlink_to(outside)
    steps = []

    done = space.documents.ingest_folder(folder, progress=lambda *step: steps.append(step))

    assert [d.uri.rpartition("/")[2] for d in done] == ["a.md", "b.txt"]
    assert steps == [(n, 4) for n in range(1, 5)]
    (folder / "a.md").unlink()
    space.ingest("elsewhere", uri="doc://elsewhere")
    space.documents.ingest_folder(folder, forget_missing=True)
    assert [d.uri.rpartition("/")[2] for d in space.documents.list()] == ["elsewhere", "b.txt"]
    with pytest.raises(InvalidInput, match="ingest_folder"):
        space.ingest(folder)
    with pytest.raises(NotFound, match="nowhere"):
        space.documents.ingest_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("pattern", ["/etc/*", "", "a\0", 5])
def test_a_pattern_that_leads_nowhere_is_refused(space, tmp_path, pattern):
    with pytest.raises(InvalidInput, match="pattern"):
        space.documents.ingest_folder(tmp_path, pattern=pattern)


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="names there are Unicode")
def test_a_file_whose_name_is_no_utf8_stays_while_it_is_there(space, tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.md")
    path.write_text("open at nine", encoding="utf-8")

    space.documents.ingest_folder(tmp_path, forget_missing=True)
    assert space.recall("nine", mode="keyword")
    path.unlink()
    space.documents.ingest_folder(tmp_path, forget_missing=True)

    assert [d.uri for d in space.documents.list() if d.uri.endswith("caf%E9.md")] == []


def test_what_is_no_text_needs_the_extra(space, tmp_path, monkeypatch):
    path = tmp_path / "report.pdf"
    path.write_bytes(b"%PDF-1.7\x00\xff\xfe")
    monkeypatch.setitem(sys.modules, "markitdown", None)

    with pytest.raises(Unavailable, match=r"ricordo\[documents\]"):
        space.ingest(path)
    page = tmp_path / "page.html"
    page.write_text("<p>wool socks</p>", encoding="utf-8")
    assert space.ingest(page).changed
    assert space.documents.list() != []


def test_the_converter_reads_what_is_no_text(space, tmp_path, monkeypatch):
    """Stands in for the optional package: the seam is one class with one method."""

    class MarkItDown:
        def __init__(self, enable_plugins):
            assert enable_plugins is False

        def convert(self, path):
            if path.name == "bad.pdf":
                raise RuntimeError("not a PDF")
            return types.SimpleNamespace(text_content="wool socks on page one")

    module = types.ModuleType("markitdown")
    module.MarkItDown = MarkItDown
    monkeypatch.setitem(sys.modules, "markitdown", module)
    (tmp_path / "report.pdf").write_bytes(b"%PDF-1.7\x00\xff\xfe")
    (tmp_path / "bad.pdf").write_bytes(b"\xff\xfe\x00bad")

    assert space.ingest(tmp_path / "report.pdf").changed
    assert space.recall("wool socks", mode="keyword")
    with pytest.raises(InvalidInput, match=r"bad\.pdf"):
        space.ingest(tmp_path / "bad.pdf")


def test_a_file_that_is_not_there_is_not_found(space, tmp_path):
    with pytest.raises(NotFound, match=r"gone\.txt"):
        space.ingest(tmp_path / "gone.txt")


def test_the_index_can_be_built_anew_with_documents(space, memory):
    space.ingest("wool socks " * 200, uri="doc://socks")
    memory.flush()
    memory.index()

    assert memory.check() == []
    assert space.recall("socks", mode="keyword", kinds=["file"])


PAGES = Path(__file__).parents[2] / "docs"


def test_500_hits_in_documents_begin_and_end_between_words_with_code_whole(lab):
    """TXT-1, TXT-2"""
    space = lab.open(embedder="none").space("ana")
    space.documents.ingest_folder(PAGES, pattern="*.md")
    pages = {
        page.resolve().as_uri(): page.read_text(encoding="utf-8") for page in PAGES.glob("*.md")
    }
    asked = [line for page in pages.values() for line in re.findall(r"^##+ (.+)$", page, re.M)]

    hits = [hit for query in asked[::3] for hit in space.recall(query, 10, mode="keyword")][:500]

    assert len(hits) == 500
    for hit in hits:
        page, start = pages[hit.source.uri], hit.source.offset
        end = start + len(hit.text)
        assert page[start:end] == hit.text
        assert not re.search(r"\w\w", page[max(0, start - 1) : start + 1])
        assert not re.search(r"\w\w", page[end - 1 : end + 1])
        assert hit.text.count("```") % 2 == 0
        assert page.split("\n")[hit.source.line_start - 1].startswith(hit.text.split("\n")[0])
        assert hit.source.line_end - hit.source.line_start == hit.text.count("\n")
        assert all(heading in page for heading in hit.source.headings)


def test_a_path_is_as_good_as_its_uri(space, tmp_path, monkeypatch):
    """FIL-3"""
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / "a.md").write_text("wool socks", encoding="utf-8")
    (folder / "b.md").write_text("rubber boots", encoding="utf-8")
    space.documents.ingest_folder(folder)
    monkeypatch.chdir(tmp_path)

    assert [d.uri.rpartition("/")[2] for d in space.documents.list("kb")] == ["a.md", "b.md"]
    assert space.documents.get("kb/a.md") == space.documents.get((folder / "a.md").as_uri())
    assert space.explain("socks", "kb/a.md").verdict == "found"
    assert space.forget("kb/a.md").target == (folder / "a.md").as_uri()
    (folder / "b.md").unlink()
    space.forget(str(folder / "b.md"), erase=True)
    assert space.documents.list() == []
    with pytest.raises(NotFound, match=r"kb/a\.md"):
        space.forget("kb/a.md")


def test_the_files_of_a_folder_get_its_tags(space, tmp_path):
    """FIL-3"""
    (tmp_path / "a.md").write_text("wool socks", encoding="utf-8")

    (document,) = space.documents.ingest_folder(tmp_path, tags=iter(["Packing", "winter"]))

    assert document.tags == ("packing", "winter")
    assert space.recall("socks", tags=["winter"])
    assert space.recall("packing", mode="keyword")
    with pytest.raises(InvalidInput, match="tags"):
        space.documents.ingest_folder(tmp_path, tags="winter")


def test_tags_of_documents_are_exported_and_imported(memory, space, tmp_path):
    """FIL-3"""
    space.ingest("wool socks", uri="doc://socks", tags=["winter"])
    space.exchange.export(tmp_path / "ana.jsonl")

    other = memory.space("ben")
    other.exchange.import_file(tmp_path / "ana.jsonl")

    assert other.documents.get("doc://socks").tags == ("winter",)
    assert other.recall("socks", tags=["winter"])


def test_chunks_are_given_as_they_were_written_with_their_lines(space):
    table = "# Limits\n\n| part | limit |\n|---|---|\n| crack | 0.4 |\n"
    text = f"{table}\n## Code\n\n```python\nx = 1\n```\n"
    space.ingest(text + "\n## Long\n\n" + "steel, bolts\n" * 120, uri="limits.md")

    chunks = space.documents.chunks("limits.md")

    assert chunks[0].text.startswith("# Limits\n\n| part | limit |\n|---|---|")
    assert (chunks[0].line_start, chunks[1].line_start) == (1, 7)
    assert all(each.text in text or "steel, bolts\nsteel" in each.text for each in chunks)
