"""A memory whose index was made by an older tokenizer: told by check, mended by maintain."""

import pytest

import ricordo
from ricordo.core.text import tokens, word_forms

SAID = "Мы поехали на поезде в Тверь"


@pytest.fixture
def old(tmp_path, monkeypatch):
    """The path of a memory from when Cyrillic words were kept whole and without their pieces."""
    monkeypatch.setattr(tokens, "_CYRILLIC_STEM", 99)
    monkeypatch.setattr(word_forms, "list_all_pieces", lambda *_: [])
    monkeypatch.setattr(tokens, "VERSION", 1)
    _forget_stems()
    path = tmp_path / "old.db"
    with ricordo.open(path, embedder="none") as memory:
        memory.space("ira").session("trip").append("user", SAID)
        assert memory.check() == []
    monkeypatch.undo()
    _forget_stems()
    return path


def _forget_stems() -> None:
    tokens._STEMS.clear()
    tokens._NUMBERS.clear()


def test_an_older_index_is_one_finding_with_its_remedy(old):
    with ricordo.open(old, embedder="none") as memory:
        (found,) = memory.check()

    assert found.rule == "index"
    assert "ricordo maintain" in found.detail


def test_maintain_reads_the_texts_anew_once(old):
    with ricordo.open(old, embedder="none") as memory:
        assert memory.maintain(dry_run=True).indexed == 1
        assert memory.check() != []

        assert memory.maintain().indexed == 1

        assert memory.check() == []
        assert memory.maintain().indexed == 0
        assert [hit.text for hit in memory.space("ira").recall("поезд", mode="keyword")] == [SAID]


def test_a_copy_is_as_old_as_the_oldest_of_both(old, tmp_path):
    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        memory.space("ben").remember("likes trains", name="trains")

    with ricordo.open(old, embedder="none") as memory:
        memory.copy(tmp_path / "new.db")

    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        assert [found.rule for found in memory.check()] == ["index"]
        assert memory.maintain().indexed == 2
        assert memory.check() == []


def test_a_process_that_had_looked_before_sees_what_maintain_did(old):
    with (
        ricordo.open(old, embedder="none") as server,
        ricordo.open(old, embedder="none") as other,
    ):
        assert server.space("ira").recall("поезд", mode="keyword") == []

        other.maintain()

        assert [hit.text for hit in server.space("ira").recall("поезд", mode="keyword")] == [SAID]


def test_a_copy_that_goes_on_after_upkeep_of_its_target_is_as_old_as_its_source(old, tmp_path):
    target = tmp_path / "new.db"

    def broken_off(*_: int) -> None:
        raise KeyboardInterrupt

    with ricordo.open(old, embedder="none") as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.copy(target, progress=broken_off)
        with ricordo.open(target, embedder="none") as other:
            other.maintain()
        memory.copy(target)

    with ricordo.open(target, embedder="none") as memory:
        assert [found.rule for found in memory.check()] == ["index"]
        memory.maintain()
        assert memory.check() == []


def test_an_index_of_a_newer_tokenizer_is_left_alone(old):
    with ricordo.open(old, embedder="none") as memory:
        memory._engine.store.write(lambda tx: tx.spaces.set_tokenizer(tokens.VERSION + 1))

        assert memory.maintain().indexed == 0


def test_what_was_salvaged_is_read_by_the_present_tokenizer(old, tmp_path):
    ricordo.salvage(old, tmp_path / "saved.db")

    with ricordo.open(tmp_path / "saved.db", embedder="none") as memory:
        assert memory.check() == []
