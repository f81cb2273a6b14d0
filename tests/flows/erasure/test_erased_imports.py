"""Tombstones: an import brings nothing back that was erased."""

from canaries import SECRET, hits, talk


def test_an_import_brings_nothing_erased_back(lab, memory, tmp_path):
    ana = memory.space("ana")
    ana.remember(SECRET, name="secret")
    talk(memory)
    ana.exchange.export(tmp_path / "before.jsonl")
    ana.forget("secret", erase=True)
    ana.session("Snicker-snack").erase()

    done = ana.exchange.import_file(tmp_path / "before.jsonl")

    assert done.erased == 5
    assert done.notes == (
        "session 'Snicker-snack' was erased here: its summary and scratchpad are not taken",
    )
    assert ana.get("secret") is None
    assert ana.session("Snicker-snack").events() == []
    assert ana.session("Snicker-snack").scratchpad() == []
    assert hits(memory, SECRET.encode()) == 0


def test_the_same_text_under_another_uid_stays_away_from_imports_but_not_from_people(
    lab, memory, tmp_path
):
    other = lab.space("bob")
    other.remember(SECRET, name="copied")
    other.exchange.export(tmp_path / "bob.jsonl")
    ana = memory.space("ana")
    ana.remember(SECRET, name="secret")
    ana.forget("secret", erase=True)

    assert ana.exchange.import_file(tmp_path / "bob.jsonl").erased == 1
    assert ana.remember(SECRET, name="again").content == SECRET


def state(session):
    summary = session.summary()
    return session.scratchpad(), None if summary is None else summary.text


def test_another_session_under_the_name_of_an_erased_one_comes_whole(memory, tmp_path):
    ana, bob = memory.space("ana"), memory.space("bob")
    ana.session("main").append("user", SECRET)
    ana.session("main").erase()
    talk = bob.session("main")
    talk.extend({"role": "user", "content": f"plan {n}"} for n in range(600))  # two batches
    talk.write_scratchpad(["passport: asked"])
    talk.write_summary("They plan Oslo.", 1, 0)
    bob.exchange.export(tmp_path / "bob.jsonl")

    done = ana.exchange.import_file(tmp_path / "bob.jsonl")

    assert (done.erased, done.notes) == (0, ())
    assert state(ana.session("main")) == (["passport: asked"], "They plan Oslo.")


def test_what_told_of_erased_events_stays_away_from_their_heirs(lab, memory, tmp_path):
    """A copy of the memory went on after the erasure: its summary still knows the secret."""
    ana = memory.space("ana")
    ana.session("main").append("user", SECRET)
    ana.exchange.export(tmp_path / "before.jsonl")
    copy = lab.space("ana")
    copy.exchange.import_file(tmp_path / "before.jsonl")
    copy.session("main").append("user", "and then")
    copy.session("main").write_summary(SECRET, 1, 0)
    copy.exchange.export(tmp_path / "later.jsonl")
    ana.session("main").erase()
    ana.session("main").append("user", "something new")

    done = ana.exchange.import_file(tmp_path / "later.jsonl")

    assert done.erased == 2
    assert state(ana.session("main")) == ([], None)
    assert hits(memory, SECRET.encode()) == 0


def test_what_was_only_forgotten_comes_back_with_an_import(memory, tmp_path):
    ana = memory.space("ana")
    ana.remember(SECRET, name="secret")
    ana.exchange.export(tmp_path / "before.jsonl")
    ana.forget("secret")

    ana.exchange.import_file(tmp_path / "before.jsonl")

    assert ana.get("secret").content == SECRET


def test_tombstones_tell_nothing_without_the_key_of_the_space(memory):
    ana, bob = memory.space("ana"), memory.space("bob")
    for space in (ana, bob):
        space.remember(SECRET, name="secret")
        space.forget("secret", erase=True)
    raw = memory._engine.store._open_writer().raw
    rows = raw.execute("SELECT space, digest FROM tombstones").fetchall()

    assert len({digest for _, digest in rows}) == len(rows) == 4
