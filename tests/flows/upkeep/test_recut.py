"""Documents of an older cut: they answer, check tells of them, maintain cuts them again."""

import apsw
import pytest

import ricordo

PAGE = "# Deploy\n\nPush it.\n\n# Build\n\nRun make:\n\n    make all"


@pytest.fixture
def old(tmp_path):
    """The path of a memory whose document has chunks without a place and without headings."""
    path = tmp_path / "old.db"
    with ricordo.open(path, embedder="hash") as memory:
        memory.space("ana").ingest(PAGE, uri="doc://work.md")
        memory.flush()
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE documents SET cut = 0")
    connection.execute("UPDATE chunks SET seq_start = NULL, seq_end = NULL, author = 'work'")
    connection.close()
    return path


def test_an_older_cut_is_one_finding_with_its_remedy(old):
    with ricordo.open(old, embedder="hash") as memory:
        (found,) = memory.check()

    assert found.rule == "document"
    assert "ricordo maintain" in found.detail


def test_documents_of_an_older_cut_answer_until_they_are_cut_again(old):
    with ricordo.open(old, embedder="hash") as memory:
        space = memory.space("ana")
        before = space.recall("make", mode="keyword")
        assert memory.maintain(dry_run=True).recut == 1
        assert memory.maintain().recut == 1
        after = space.recall("make", mode="keyword")

        assert [hit.source.uri for hit in before] == ["doc://work.md"]
        assert (before[0].source.headings, before[0].source.offset) == ((), None)
        assert [(hit.text, hit.source.headings) for hit in after] == [
            ("# Build\n\nRun make:\n\n    make all", ("Build",))
        ]
        assert memory.check() == []
        assert memory.maintain().recut == 0


def test_a_document_that_changes_while_it_is_cut_again_stays_as_it_is_then(old):
    with ricordo.open(old, embedder="hash") as memory:
        from ricordo.flows.documents import cut_again

        engine, space = memory._engine, memory.space("ana")
        with engine.store.read() as tx:
            row = tx.documents.find_outdated(1, 1)
        space.ingest("# Deploy\n\nAsk first.", uri="doc://work.md")

        assert cut_again(engine, "ana", row) is False
        assert [hit.text for hit in space.recall("deploy")] == ["# Deploy\n\nAsk first."]
