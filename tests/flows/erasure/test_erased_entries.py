"""Erased entries: no byte is left of them, and a scan that can find one says so."""

import pytest
from canaries import OTHER, SECRET, hits, more, vector_of_entry

import ricordo
from ricordo.core.integrity import erasure_scan

# --- the scan can find ------------------------------------------------------------------------


def test_forgetting_alone_may_leave_bytes_behind_which_the_scan_finds(memory):
    """The control: without scrubbing, the text is still in the WAL."""
    space = memory.space("ana")
    space.remember(SECRET, name="secret")
    more(memory)
    vector = vector_of_entry(memory, "secret")

    receipt = space.forget("secret")

    assert hits(memory, SECRET.encode()) > 0
    assert hits(memory, vector) > 0
    assert receipt.remnants is None


@pytest.mark.parametrize("many", [1, 200])
def test_a_scan_finds_a_probe_at_any_offset_among_few_or_many(many):
    probes = {f"canary {number:05d} of many".encode() for number in range(many)}
    for offset in range(9):
        block = b"\x01" * (1000 + offset) + b"canary 00000 of many" + b"\x02" * 33
        assert erasure_scan.find_probes(block, probes) == {b"canary 00000 of many"}
    assert erasure_scan.find_probes(b"canary 00000 of mane", probes) == set()
    assert erasure_scan.find_probes(b"", probes) == set()


def test_probes_fit_text_as_it_stands_in_json_too():
    text = 'He said "the brillig wabe"\nand then\tthe slithy toves were out'

    assert erasure_scan.probes(text) == {"the brillig wabe", "the slithy toves were out"}
    assert erasure_scan.probes("ok") == set()
    assert all(len(probe) <= erasure_scan.WINDOW for probe in erasure_scan.probes("x" * 10_000))


# --- entries ----------------------------------------------------------------------------------


def test_an_erased_entry_leaves_no_byte_of_text_names_revisions_or_vector(memory):
    space = memory.space("ana")
    space.remember(OTHER, name="Kwyjibo-name", aliases=["Bandersnatch-alias"], source="Snark-src")
    space.write("Kwyjibo-name", SECRET)
    more(memory)
    space.recall("passport 7731-QX")
    memory.flush()
    vector = vector_of_entry(memory, "Kwyjibo-name")

    receipt = space.forget("Bandersnatch-alias", erase=True)

    canaries = (SECRET, OTHER, "Zyxomma", "Vqarble", "Kwyjibo", "Bandersnatch", "Snark-src")
    assert [c for c in canaries if hits(memory, c.encode())] == []
    assert hits(memory, vector, vector[:24], vector[-24:]) == 0
    assert (receipt.remnants, receipt.pending, receipt.remains) == (0, False, ())
    assert receipt.target == "Kwyjibo-name"
    assert receipt.removed["revisions"] == receipt.removed["entries"] == 1
    assert len(space.entries()) == 40


@pytest.mark.parametrize("verb", ["forget", "erase"])
def test_a_dry_run_counts_what_would_go_with_an_entry(memory, verb):
    ana = memory.space("ana")
    ana.remember(SECRET, name="passport", aliases=["papers"])
    ana.ingest(OTHER, uri="doc:1")
    more(memory)
    before = memory.stats()

    for name in ("papers", "doc:1"):
        planned = ana.forget(name, erase=verb == "erase", dry_run=True)
        assert (planned.dry_run, memory.stats()) == (True, before)
        assert planned.removed == ana.forget(name, erase=verb == "erase").removed
        before = memory.stats()


def test_the_stems_of_an_erased_entry_leave_the_keyword_index(memory):
    space = memory.space("ana")
    space.remember(SECRET, name="secret")
    more(memory)
    raw = memory._engine.store._open_writer().raw
    [(terms,)] = raw.execute("SELECT terms FROM chunks WHERE text = ?", (SECRET,)).fetchall()
    tokens = [terms[at : at + 4].hex().encode() for at in range(0, len(terms), 4)]

    space.forget("secret", erase=True)

    assert len(tokens) >= 4
    assert hits(memory, *tokens) == 0


def test_erasing_again_and_again_always_ends_at_nothing(memory):
    space = memory.space("ana")
    for number in range(12):
        text = f"{number:02d}Zyxomma {'long words ' * (40 * (number % 4))}{number:02d}-Endmark"
        space.remember(text, name="secret")
        memory.flush()
        receipt = space.forget("secret", erase=True)
        assert receipt.remnants == 0
        assert hits(memory, b"Zyxomma", b"-Endmark") == 0


def test_a_text_longer_than_a_page_is_gone_from_every_page(memory):
    space = memory.space("ana")
    parts = [f"part {number:04d} Qzwxplk-{number:04d}" for number in range(3_000)]
    space.remember(" ".join(parts), name="long")
    more(memory)

    assert space.forget("long", erase=True).remnants == 0
    assert hits(memory, b"Qzwxplk") == 0


def test_an_erased_document_is_gone_and_its_file_is_named_as_what_remains(memory, tmp_path):
    source = tmp_path / "paper.txt"
    source.write_text(SECRET)
    space = memory.space("ana")
    space.ingest(source)
    more(memory)

    receipt = space.forget(source.resolve().as_uri(), erase=True)

    assert hits(memory, SECRET.encode()) == 0
    assert [told for told in receipt.remains if str(source) in told]
    assert source.exists()


def test_what_somebody_else_says_too_is_neither_removed_nor_taken_for_a_remnant(memory):
    ana, bob = memory.space("ana"), memory.space("bob")
    ana.remember(SECRET, name="secret")
    bob.remember(SECRET, name="mine")
    more(memory)

    receipt = ana.forget("secret", erase=True)

    assert (receipt.remnants, receipt.pending) == (0, False)
    assert receipt.remains == (), "what is in another space is nobody's business"
    assert bob.get("mine").content == SECRET


def test_many_texts_that_another_space_holds_too_are_not_taken_for_remnants(memory):
    lines = [
        {"role": "user", "content": f"line {number} of the brillig wabe"} for number in range(90)
    ]
    for name in ("ana", "bob"):
        memory.space(name).session("talk").extend(lines)
    more(memory)

    receipt = memory.space("ana").session("talk").erase()

    assert (receipt.remnants, receipt.pending, receipt.remains) == (0, False, ())
    assert len(memory.space("bob").session("talk").events()) == 90


def test_the_same_words_elsewhere_in_the_space_are_named_as_what_remains(memory):
    ana = memory.space("ana")
    ana.remember(SECRET, name="secret")
    ana.session("trip").append("user", f"I told you: {SECRET}")
    more(memory)

    receipt = ana.forget("secret", erase=True)

    assert receipt.remnants == 0
    assert "the same words stand in events of this space" in receipt.remains


def test_erasing_what_is_not_there_changes_nothing(memory):
    with pytest.raises(ricordo.NotFound, match="nobody"):
        memory.space("ana").forget("nobody", erase=True)
    with pytest.raises(ricordo.NotFound, match="nobody"):
        memory.space("ana").session("nobody").erase()
    with pytest.raises(ricordo.NotFound, match="nobody"):
        memory.erase("nobody")

    assert memory.maintain(dry_run=True).pending == 0


def test_a_memory_in_ram_is_erased_too(lab):
    with ricordo.open(":memory:", embedder="hash") as memory:
        memory.space("ana").remember(SECRET, name="secret")
        receipt = memory.space("ana").forget("secret", erase=True)

    assert (receipt.remnants, receipt.pending) == (None, False), "there is no file to look into"


def test_texts_in_the_metadata_of_an_entry_are_looked_for_and_told(memory):
    ana = memory.space("ana")
    ana.remember("a person", name="person", metadata={"passport": [SECRET]})
    ana.remind("Call them", cue="call", recipient="bob", channel=SECRET)

    receipt = ana.forget("person", erase=True)

    assert receipt.remnants == 0
    assert receipt.remains == ("the same words stand in reminders of this space",)
