"""Erased spaces: no row in any table, no byte in the file, and nothing that comes back."""

from pathlib import Path

import pytest
from canaries import CANARIES, OTHER, SECRET, hits, more, talk

import ricordo
from ricordo.errors import InvalidInput


def furnish(lab, memory):
    """Something in every table."""
    ana = memory.space("ana")
    chat = talk(memory)
    chat.compact()
    ana.remember(SECRET, name="Kwyjibo")
    ana.write("Kwyjibo", OTHER)
    ana.rename("Kwyjibo", "Bandersnatch")
    ana.ingest(f"A document: {SECRET}", uri="doc:1")
    ana.schedule("Goal-Zq to do", "every day at 9", name="daily")
    ana.remind("Remind-Zq of it", at="tomorrow 9am")
    lab.clock.advance(days=2)
    [claim] = memory.claim(1, "w")
    memory.finish(claim, ricordo.Run(output="Output-Zq here"))
    ana.recall("Query-Zq dragons")
    ana.approvals.allow(["Command-Zq", "run"])
    ana.macros.learn([{"name": "a", "arguments": {}}, {"name": "b", "arguments": {"x": "Arg-Zq"}}])
    ana.dream()
    memory.space("bob").remember("stays", name="stays")
    more(memory)
    return ana


def test_a_dry_run_counts_what_would_go_with_a_space(lab, memory):
    furnish(lab, memory)
    before = memory.stats()

    planned = memory.erase("ana", dry_run=True)

    assert planned.dry_run
    assert memory.stats() == before
    assert memory.erase("ana").removed.items() <= planned.removed.items()


def test_an_erased_space_leaves_rows_in_no_table_and_no_byte(lab, memory):
    ana = furnish(lab, memory)

    receipt = memory.erase("ana")

    raw = memory._engine.store._open_writer().raw
    tables = [name for (name,) in raw.execute(
        "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = 'space'"
        " WHERE m.type = 'table'"
    )]  # fmt: skip
    full = {t for t in tables if raw.execute(f"SELECT 1 FROM {t} WHERE space = 1").fetchall()}
    assert full == {"spaces", "counters", "tombstones"}
    extra = ("Goal-Zq", "Remind-Zq", "Output-Zq", "Query-Zq", "Command-Zq", "Arg-Zq")
    assert [c for c in (*CANARIES, *extra, "harbour") if hits(memory, c.encode())] == []
    assert (receipt.remnants, receipt.pending) == (0, False)
    assert memory.space("bob").get("stays") is not None
    assert ana.remember("new", name="new").id > 1, "numbers are never used twice"


def test_erasing_a_space_names_the_files_that_its_documents_were_read_from(memory, tmp_path):
    (tmp_path / "memo.txt").write_text(SECRET)
    memory.space("ana").ingest(tmp_path / "memo.txt")

    receipt = memory.erase("ana")

    assert any("memo.txt" in told for told in receipt.remains)


def test_reminders_of_an_erased_space_do_not_come_back_with_an_import(memory, tmp_path):
    ana = memory.space("ana")
    ana.remind(SECRET, cue="passport")
    ana.exchange.export(tmp_path / "ana.jsonl")
    memory.erase("ana")

    done = ana.exchange.import_file(tmp_path / "ana.jsonl")

    assert done.added == {}
    assert ana.reminders.list() == []


def test_a_dropped_space_leaves_no_row_and_not_its_name(lab, memory):
    furnish(lab, memory)
    named = memory.rename("ana", "Persephone-Zq of Eleusis")
    (url,) = [lab.url(memory)]

    receipt = memory.drop(named)

    assert (receipt.remnants, receipt.pending, receipt.removed["spaces"]) == (0, False, 1)
    assert not any("Persephone" in told for told in receipt.remains)
    with memory._engine.store.read() as tx:
        counts = [tx.copying.count(1, table) for table in tx.copying.tables()]
    assert set(counts) == {0}
    held = b"".join(b"".join(blocks) for blocks in memory._engine.store.read_files(1 << 20))
    assert all(word.encode() not in held for word in ("Persephone", *CANARIES))
    assert (memory.spaces(), memory.check()) == (["bob"], [])
    assert Path(url).exists()


def test_the_folder_of_a_space_follows_its_name_and_goes_with_it(lab, tmp_path):
    memory = lab.open(config={"workspace": str(tmp_path / "files")})
    ana = memory.space("ana")
    ana.remember("Prefers window seats", name="seat")
    ana.session("trip").append("user", "the tangerine flies")
    archive = ana.session("trip").compact()
    ana.files.sync()

    anna = memory.rename("ana", "anna")

    assert not (tmp_path / "files" / "ana").exists()
    assert (tmp_path / "files" / "anna" / "notes" / "seat.md").is_file()
    assert anna.files.sync().forgotten == ()
    assert [entry.name for entry in anna.entries(kind="note")] == ["seat"]
    receipt = anna.forget(archive.name)
    assert [Path(path).parent.parent.name for path in receipt.files] == ["anna"]
    (tmp_path / "files" / "kate").mkdir()
    with pytest.raises(InvalidInput, match="exists"):
        memory.rename("anna", "kate")
    memory.drop("anna")
    assert not (tmp_path / "files" / "anna").exists()
