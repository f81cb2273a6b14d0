"""Tombstones: an import brings nothing back that was erased."""

from canaries import SECRET, hits, talk


def test_an_import_brings_nothing_erased_back(lab, memory, tmp_path):
    ana = memory.space("ana")
    ana.remember(SECRET, name="secret")
    talk(memory)
    ana.export(tmp_path / "before.jsonl")
    ana.erase("secret")
    ana.session("Snicker-snack").erase()

    done = ana.import_file(tmp_path / "before.jsonl")

    assert done.erased == 4
    assert ana.get("secret") is None
    assert ana.session("Snicker-snack").events() == []
    assert ana.session("Snicker-snack").scratchpad() == []
    assert hits(memory, SECRET.encode()) == 0


def test_the_same_text_under_another_uid_stays_away_from_imports_but_not_from_people(
    lab, memory, tmp_path
):
    other = lab.space("bob")
    other.remember(SECRET, name="copied")
    other.export(tmp_path / "bob.jsonl")
    ana = memory.space("ana")
    ana.remember(SECRET, name="secret")
    ana.erase("secret")

    assert ana.import_file(tmp_path / "bob.jsonl").erased == 1
    assert ana.remember(SECRET, name="again").content == SECRET


def test_what_was_only_forgotten_comes_back_with_an_import(memory, tmp_path):
    ana = memory.space("ana")
    ana.remember(SECRET, name="secret")
    ana.export(tmp_path / "before.jsonl")
    ana.forget("secret")

    ana.import_file(tmp_path / "before.jsonl")

    assert ana.get("secret").content == SECRET


def test_tombstones_tell_nothing_without_the_key_of_the_space(memory):
    ana, bob = memory.space("ana"), memory.space("bob")
    for space in (ana, bob):
        space.remember(SECRET, name="secret")
        space.erase("secret")
    raw = memory._engine.store._open_writer().raw
    rows = raw.execute("SELECT space, digest FROM tombstones").fetchall()

    assert len({digest for _, digest in rows}) == len(rows) == 4
