"""Erasure: no byte is left of what was erased, and a scan that can find it says so.

Canaries share no beginning with the words around them, and look for the bytes of vectors, too.
"""

import json
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import recollect
from recollect.core import scanning
from recollect.flows import erase as erasing
from recollect.testing import Lab

SECRET = "Zyxomma petiolatum passport 7731-QX"
OTHER = "Vqarble the brillig wabe 5519-KJ"
NEIGHBOURS = [f"ordinary note number {number} about the harbour" for number in range(40)]


class Marked:
    """An embedder whose vectors are told apart by their bytes."""

    dim = 64
    name = "marked"

    def embed(self, texts):
        return [np.random.default_rng(sum(text.encode())).normal(size=self.dim) for text in texts]


@pytest.fixture
def memory(lab: Lab) -> recollect.Memory:
    """A memory with neighbours, written before and after what is to be erased."""
    memory = lab.open(embedder=Marked())
    space = memory.space("ana")
    for number, text in enumerate(NEIGHBOURS[:20]):
        space.remember(text, name=f"n{number}")
    return memory


def more(memory: recollect.Memory) -> None:
    for number, text in enumerate(NEIGHBOURS[20:], start=20):
        memory.space("ana").remember(text, name=f"n{number}")
    memory.flush()


def hits(memory: recollect.Memory, *needles: bytes) -> int:
    """How often any of these stands in the database and its WAL."""
    found = [Path(path) for path in memory._engine.store.files()]
    assert found
    return sum(path.read_bytes().count(needle) for path in found for needle in needles)


def vectors(memory: recollect.Memory, chunks: str) -> list[bytes]:
    raw = memory._engine.store._open_writer().raw
    return [
        row[0] for row in raw.execute(f"SELECT vector FROM embeddings WHERE chunk IN ({chunks})")
    ]


def vector_of_entry(memory: recollect.Memory, name: str) -> bytes:
    entry = memory.space("ana").get(name).id
    [vector] = vectors(memory, f"SELECT chunk FROM chunks WHERE entry = {entry}")
    return vector


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
        assert scanning.found(block, probes) == {b"canary 00000 of many"}
    assert scanning.found(b"canary 00000 of mane", probes) == set()
    assert scanning.found(b"", probes) == set()


def test_probes_fit_text_as_it_stands_in_json_too():
    text = 'He said "the brillig wabe"\nand then\tthe slithy toves were out'

    assert scanning.probes(text) == {"the brillig wabe", "the slithy toves were out"}
    assert scanning.probes("ok") == set()
    assert all(len(probe) <= scanning.WINDOW for probe in scanning.probes("x" * 10_000))


# --- entries ----------------------------------------------------------------------------------


def test_an_erased_entry_leaves_no_byte_of_text_names_revisions_or_vector(memory):
    space = memory.space("ana")
    space.remember(OTHER, name="Kwyjibo-name", aliases=["Bandersnatch-alias"], source="Snark-src")
    space.write("Kwyjibo-name", SECRET)
    more(memory)
    space.recall("passport 7731-QX")
    memory.flush()
    vector = vector_of_entry(memory, "Kwyjibo-name")

    receipt = space.erase("Bandersnatch-alias")

    canaries = (SECRET, OTHER, "Zyxomma", "Vqarble", "Kwyjibo", "Bandersnatch", "Snark-src")
    assert [c for c in canaries if hits(memory, c.encode())] == []
    assert hits(memory, vector, vector[:24], vector[-24:]) == 0
    assert (receipt.remnants, receipt.pending, receipt.remains) == (0, False, ())
    assert receipt.target == "Kwyjibo-name"
    assert receipt.removed["revisions"] == receipt.removed["entries"] == 1
    assert len(space.entries()) == 40


def test_the_stems_of_an_erased_entry_leave_the_keyword_index(memory):
    space = memory.space("ana")
    space.remember(SECRET, name="secret")
    more(memory)
    raw = memory._engine.store._open_writer().raw
    [(terms,)] = raw.execute("SELECT terms FROM chunks WHERE text = ?", (SECRET,)).fetchall()
    tokens = [terms[at : at + 4].hex().encode() for at in range(0, len(terms), 4)]

    space.erase("secret")

    assert len(tokens) >= 4
    assert hits(memory, *tokens) == 0


def test_erasing_again_and_again_always_ends_at_nothing(memory):
    space = memory.space("ana")
    for number in range(12):
        text = f"{number:02d}Zyxomma {'long words ' * (40 * (number % 4))}{number:02d}-Endmark"
        space.remember(text, name="secret")
        memory.flush()
        receipt = space.erase("secret")
        assert receipt.remnants == 0
        assert hits(memory, b"Zyxomma", b"-Endmark") == 0


def test_a_text_longer_than_a_page_is_gone_from_every_page(memory):
    space = memory.space("ana")
    parts = [f"part {number:04d} Qzwxplk-{number:04d}" for number in range(3_000)]
    space.remember(" ".join(parts), name="long")
    more(memory)

    assert space.erase("long").remnants == 0
    assert hits(memory, b"Qzwxplk") == 0


def test_an_erased_document_is_gone_and_its_file_is_named_as_what_remains(memory, tmp_path):
    source = tmp_path / "paper.txt"
    source.write_text(SECRET)
    space = memory.space("ana")
    space.ingest(source)
    more(memory)

    receipt = space.erase(source.resolve().as_uri())

    assert hits(memory, SECRET.encode()) == 0
    assert [told for told in receipt.remains if str(source) in told]
    assert source.exists()


def test_what_somebody_else_says_too_is_neither_removed_nor_taken_for_a_remnant(memory):
    ana, bob = memory.space("ana"), memory.space("bob")
    ana.remember(SECRET, name="secret")
    bob.remember(SECRET, name="mine")
    more(memory)

    receipt = ana.erase("secret")

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

    receipt = ana.erase("secret")

    assert receipt.remnants == 0
    assert "the same words stand in events of this space" in receipt.remains


def test_erasing_what_is_not_there_changes_nothing(memory):
    with pytest.raises(recollect.NotFound, match="nobody"):
        memory.space("ana").erase("nobody")
    with pytest.raises(recollect.NotFound, match="nobody"):
        memory.space("ana").session("nobody").erase()
    with pytest.raises(recollect.NotFound, match="nobody"):
        memory.erase("nobody")

    assert memory.maintain(dry_run=True).pending == 0


def test_a_memory_in_ram_is_erased_too(lab):
    with recollect.open(":memory:", embedder="hash") as memory:
        memory.space("ana").remember(SECRET, name="secret")
        receipt = memory.space("ana").erase("secret")

    assert (receipt.remnants, receipt.pending) == (None, False), "there is no file to look into"


# --- sessions ---------------------------------------------------------------------------------


def talk(memory: recollect.Memory) -> recollect.Session:
    chat = memory.space("ana").session("Snicker-snack")
    chat.append("user", SECRET, importance=0.9, name="Frumious")
    chat.append("assistant", None, tool_calls=[{"function": {"name": "f", "arguments": OTHER}}])
    chat.append("user", "My dog is called Jabberwock-Xq.", importance=0.9)
    chat.write_scratchpad(["remember the Tumtum-Tree-Zq"])
    return chat


CANARIES = (SECRET, OTHER, "Zyxomma", "Vqarble", "Frumious", "Jabberwock", "Tumtum-Tree",
            "Snicker-snack")  # fmt: skip


def test_an_erased_session_leaves_no_byte_of_its_log_state_archive_or_file(lab, memory, tmp_path):
    chat = talk(memory)
    archive = chat.compact(summarizer=lambda *_: f"Retold: {SECRET}", folder=tmp_path)
    [file] = (tmp_path / "conversations").iterdir()
    more(memory)
    seen = vectors(memory, "SELECT chunk FROM chunks WHERE session = 'Snicker-snack'")

    receipt = chat.erase()

    assert [c for c in CANARIES if hits(memory, c.encode())] == []
    assert seen
    assert hits(memory, *seen) == 0
    assert (receipt.remnants, receipt.pending) == (0, False)
    assert receipt.files == (str(file),)
    assert not file.exists()
    assert receipt.removed["events"] == 4
    assert memory.space("ana").get(archive.name) is None


def test_notes_and_facts_worked_out_of_an_erased_session_go_with_it(lab, memory):
    chat = talk(memory)
    lab.clock.advance(hours=2)
    done = memory.space("ana").consolidate()
    assert done.facts
    assert done.summaries
    more(memory)

    receipt = chat.erase()

    assert memory.space("ana").get(done.facts[0]) is None
    assert [c for c in CANARIES if hits(memory, c.encode())] == []
    assert receipt.remnants == 0


def test_what_a_fact_said_before_on_the_word_of_an_erased_session_goes_too(lab, memory):
    chat = talk(memory)
    lab.clock.advance(hours=2)
    ana = memory.space("ana")
    [fact] = ana.consolidate().facts
    ana.session("later").append("user", "My dog is called Rex.", importance=0.9)
    lab.clock.advance(hours=2)
    ana.consolidate()
    assert "Jabberwock" in ana.history(fact)[0].content

    receipt = chat.erase()

    assert "Rex" in ana.get(fact).content
    assert ana.history(fact) == []
    assert (receipt.remnants, hits(memory, b"Jabberwock")) == (0, 0)


def test_what_was_written_on_purpose_from_a_session_is_named_and_stays(memory):
    chat = talk(memory)
    memory.space("ana").remember("Likes dragons", name="likes", source="Snicker-snack#3")

    receipt = chat.erase()

    assert any("'likes'" in told for told in receipt.remains)
    assert memory.space("ana").get("likes") is not None


def test_deleting_a_session_says_which_files_went(memory, tmp_path):
    chat = talk(memory)
    chat.compact(folder=tmp_path)
    [file] = (tmp_path / "conversations").iterdir()

    receipt = chat.delete()

    assert receipt.files == (str(file),)
    assert receipt.removed["files"] == 1
    assert receipt.remnants is None


# --- a whole space ----------------------------------------------------------------------------


def test_an_erased_space_leaves_rows_in_no_table_and_no_byte(lab, memory):
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
    memory.finish(claim, recollect.Run(output="Output-Zq here"))
    ana.recall("Query-Zq dragons")
    ana.approve(["Command-Zq", "run"])
    ana.learn([{"name": "a", "arguments": {}}, {"name": "b", "arguments": {"x": "Arg-Zq"}}])
    ana.dream()
    memory.space("bob").remember("stays", name="stays")
    more(memory)

    receipt = memory.erase("ana")

    raw = memory._engine.store._open_writer().raw
    tables = [name for (name,) in raw.execute(
        "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = 'space'"
        " WHERE m.type = 'table'"
    )]  # fmt: skip
    full = {t for t in tables if raw.execute(f"SELECT 1 FROM {t} WHERE space = 1").fetchall()}
    assert full == {"spaces", "tombstones"}
    extra = ("Goal-Zq", "Remind-Zq", "Output-Zq", "Query-Zq", "Command-Zq", "Arg-Zq")
    assert [c for c in (*CANARIES, *extra, "harbour") if hits(memory, c.encode())] == []
    assert (receipt.remnants, receipt.pending) == (0, False)
    assert memory.space("bob").get("stays") is not None
    assert ana.remember("new", name="new").id > 1, "numbers are never used twice"


# --- somebody reads ---------------------------------------------------------------------------


def hold(memory: recollect.Memory) -> str:
    """Begin to read and do not end."""
    reading = memory._engine.store.read()
    memory.__dict__["held"] = reading
    tx = reading.__enter__()
    return str(tx.spaces.names())


def let_go(memory: recollect.Memory) -> None:
    memory.__dict__.pop("held").__exit__(None, None, None)


def test_while_another_process_reads_erasure_is_pending_and_upkeep_finishes_it(lab, memory):
    space = memory.space("ana")
    space.remember(SECRET, name="secret")
    more(memory)
    with lab.team(memory) as other:
        assert "ana" in other.ask(hold)

        receipt = space.erase("secret")

        assert receipt.pending
        assert receipt.remnants > 0
        assert hits(memory, SECRET.encode()) > 0
        assert space.get("secret") is None
        assert memory.maintain(dry_run=True).pending == 1
        still = memory.maintain()
        assert (still.pending, still.erased) == (1, 0)
        other.ask(let_go)
        done = memory.maintain()

    assert (done.pending, done.erased) == (0, 1)
    assert hits(memory, SECRET.encode()) == 0


def test_an_erasure_cut_off_by_a_crash_is_finished_by_upkeep(lab, memory, tmp_path):
    chat = talk(memory)
    chat.compact(folder=tmp_path)
    [file] = (tmp_path / "conversations").iterdir()
    more(memory)
    # All but the physical part, as after a kill between the two.
    erasing._deleted(memory._engine, "ana", chat.name, buries=True)
    assert hits(memory, SECRET.encode()) > 0
    assert file.exists()

    assert memory.maintain().erased == 1
    assert hits(memory, SECRET.encode()) == 0
    assert not file.exists()


# --- tombstones -------------------------------------------------------------------------------


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


# --- the workspace ----------------------------------------------------------------------------


@pytest.fixture
def filed(lab: Lab, tmp_path: Path) -> recollect.Memory:
    """A memory with files and, where git is there, a history of them."""
    has_git = shutil.which("git") is not None
    return lab.open(config={"workspace": str(tmp_path / "files"), "workspace_git": has_git})


def words_in(folder: Path, text: str) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    return [path.name for path in files if text.encode() in path.read_bytes()]


def test_forgetting_removes_the_note_of_an_entry_at_once(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.sync()
    assert words_in(tmp_path / "files", SECRET)

    receipt = ana.forget("secret")

    assert [Path(path).name for path in receipt.files] == ["secret.md"]
    assert words_in(tmp_path / "files", SECRET) == []
    ana.sync()
    assert ana.get("secret") is None


def test_forgetting_leaves_a_note_that_a_person_has_edited_since(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember("Likes tea", name="tea")
    ana.sync()
    [note] = (tmp_path / "files").rglob("tea.md")
    note.write_text(note.read_text().replace("Likes tea", "Likes green tea"))

    receipt = ana.forget("tea")

    assert receipt.files == ()
    assert note.exists()
    assert any("tea.md" in told for told in receipt.remains)


def test_erasing_removes_notes_conflicts_and_names_the_history(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.sync()
    [note] = (tmp_path / "files").rglob("secret.md")
    note.write_text(note.read_text().replace(SECRET, f"{OTHER} by a person"))
    ana.write("secret", f"{SECRET} by the agent")
    assert ana.sync().conflicts
    if filed._engine.settings.workspace_git:
        ana.checkpoint("with the secret")

    receipt = ana.erase("secret")

    assert words_in(tmp_path / "files", "Zyxomma") == words_in(tmp_path / "files", "Vqarble") == []
    assert len(receipt.files) == 2
    assert receipt.remnants == 0
    if filed._engine.settings.workspace_git:
        [told] = [each for each in receipt.remains if "filter-repo" in each]
        assert "secret.md" in told
    ana.sync()
    assert ana.get("secret") is None


@pytest.mark.parametrize("verb", ["erase", "forget"])
def test_what_a_sweep_wrote_about_an_entry_goes_with_it(lab, tmp_path, verb):
    gates = {"dream_min_score": 0.01, "dream_min_recalls": 1, "dream_min_queries": 1}
    ana = lab.space(config={"workspace": str(tmp_path / "files"), **gates})
    ana.remember(SECRET, name="secret")
    ana.remember("herons are liked", name="herons")
    for query in ("passport", "zyxomma", "herons"):
        ana.recall(query, asker="user", mode="keyword")
    assert len(ana.dream().promoted) == 2
    assert set(words_in(tmp_path / "files", SECRET[:20])) == {"MEMORY.md", "DREAMS.md"}

    receipt = getattr(ana, verb)("secret")

    assert words_in(tmp_path / "files", "Zyxomma") == []
    assert "MEMORY.md" in words_in(tmp_path / "files", "herons")
    assert receipt.remnants == (0 if verb == "erase" else None)
    assert not receipt.pending


def test_a_note_that_came_after_an_erasure_was_cut_off_stays(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.sync()
    erasing._forgotten(filed._engine, "ana", "secret", buries=True)  # as after a kill
    ana.sync()
    ana.remember("of another matter", name="secret")
    ana.sync()
    [note] = (tmp_path / "files").rglob("secret.md")

    assert filed.maintain().erased == 1

    assert note.exists()
    assert ana.sync(delete=True).forgotten == ()


def test_words_in_a_file_that_is_not_ours_to_remove_are_told(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.sync()
    [folder] = (tmp_path / "files").iterdir()
    (folder / "own.md").write_text(f"a person wrote {SECRET}")

    receipt = ana.erase("secret")

    assert receipt.remnants == 1
    assert any("own.md" in told for told in receipt.remains)


def test_erasing_a_space_empties_its_folder(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    talk(filed).compact()
    ana.sync()

    receipt = filed.erase("ana")

    assert [c for c in CANARIES if words_in(tmp_path / "files", c)] == []
    assert receipt.files
    assert receipt.remnants == 0


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_history_that_remains_is_really_there(filed, tmp_path):
    """The control of the receipt: what it names holds the text."""
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.sync()
    ana.checkpoint("with the secret")
    ana.erase("secret")
    [folder] = (tmp_path / "files").iterdir()

    told = subprocess.run(
        ["git", "-C", str(folder), "log", "-p", "--all"], capture_output=True, text=True, check=True
    ).stdout

    assert SECRET in told


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_command_that_rewrites_history_holds_every_name_as_one_word(filed, tmp_path):
    """A name may be made so that a shell would run it."""
    ana = filed.space("ana")
    name = "it's $(touch pwned) `id`; rm -rf x"
    ana.remember(SECRET, name=name)
    ana.sync()
    ana.checkpoint("with the secret")

    [told] = ana.erase(name).remains

    words = shlex.split(told.partition("run: ")[2].partition(" (or delete")[0])
    assert words[:2] == ["git", "-C"]
    assert f"notes/{name}.md" in words
    assert len([word for word in words if "touch" in word]) == 1


@pytest.mark.parametrize("verb", ["erase", "forget"])
def test_a_link_in_the_place_of_a_note_is_left_alone_and_told(filed, tmp_path, verb):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.sync()
    [note] = (tmp_path / "files").rglob("secret.md")
    (tmp_path / "theirs.md").write_text("not ours")
    note.unlink()
    note.symlink_to(tmp_path / "theirs.md")

    receipt = getattr(ana, verb)("secret")

    assert (tmp_path / "theirs.md").read_text() == "not ours"
    assert ana.get("secret") is None
    assert verb == "forget" or any("is a link" in told for told in receipt.remains)


def test_a_folder_that_became_a_link_is_told(filed, tmp_path):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.sync()
    [folder] = (tmp_path / "files").iterdir()
    folder.rename(tmp_path / "moved")
    folder.symlink_to(tmp_path / "moved")

    receipt = ana.erase("secret")

    assert any(str(folder) in told and "link" in told for told in receipt.remains)


@pytest.mark.parametrize("whole", [False, True])
def test_what_a_killed_writer_left_aside_goes_with_what_it_holds(filed, tmp_path, whole):
    ana = filed.space("ana")
    ana.remember(SECRET, name="secret")
    ana.sync()
    [note] = (tmp_path / "files").rglob("secret.md")
    (note.parent / ".recollect-0011223344556677.tmp").write_text(note.read_text()[:-2])

    receipt = filed.erase("ana") if whole else ana.erase("secret")

    assert words_in(tmp_path / "files", "Zyxomma") == []
    assert receipt.removed["files"] == 2
    assert receipt.remnants == 0


def test_erasing_a_space_names_the_files_that_its_documents_were_read_from(memory, tmp_path):
    (tmp_path / "memo.txt").write_text(SECRET)
    memory.space("ana").ingest(tmp_path / "memo.txt")

    receipt = memory.erase("ana")

    assert any("memo.txt" in told for told in receipt.remains)


def test_reminders_of_an_erased_space_do_not_come_back_with_an_import(memory, tmp_path):
    ana = memory.space("ana")
    ana.remind(SECRET, cue="passport")
    ana.export(tmp_path / "ana.jsonl")
    memory.erase("ana")

    done = ana.import_file(tmp_path / "ana.jsonl")

    assert done.added == {}
    assert ana.reminders() == []


def test_texts_in_the_metadata_of_an_entry_are_looked_for_and_told(memory):
    ana = memory.space("ana")
    ana.remember("a person", name="person", metadata={"passport": [SECRET]})
    ana.remind("Call them", cue="call", recipient="bob", channel=SECRET)

    receipt = ana.erase("person")

    assert receipt.remnants == 0
    assert receipt.remains == ("the same words stand in reminders of this space",)


def test_what_an_erased_session_asked_its_memory_goes_with_it(memory):
    """A context recalls with the message it is made for, and signals keep what was asked."""
    ana = memory.space("ana")
    chat = ana.session("trip")
    chat.append("user", f"{SECRET} about the harbour")
    chat.context(f"{SECRET}  about the harbour")
    ana.recall("ordinary harbour", asker="user")
    memory.flush()
    assert {signal.query for signal in ana.signals()} >= {"ordinary harbour"}

    receipt = chat.erase()

    assert receipt.removed["signals"] > 0
    assert {signal.query for signal in ana.signals()} == {"ordinary harbour"}
    assert hits(memory, b"Zyxomma") == receipt.remnants == 0
    assert receipt.remains == ()


# --- macros -----------------------------------------------------------------------------------


def called(tool: str, value: str) -> dict[str, object]:
    function = {"name": tool, "arguments": json.dumps({"value": value})}
    return {"role": "assistant", "content": None, "tool_calls": [{"function": function}]}


def test_what_was_learnt_from_an_erased_session_goes_with_it(memory):
    ana = memory.space("ana")
    for name, value in (("trip", "Zyxomma-7731"), ("other", "Vqarble-5519")):
        pair = [called("look", value), called("book", value)]
        ana.session(name).extend(pair * 3)
        ana.learn(session=name)
    used = next(one for one in ana.macros() if "Zyxomma" in str(one.trigger_pattern))
    ana.use_macro(used)
    assert hits(memory, b"Zyxomma") > 0

    receipt = ana.session("trip").erase()

    assert receipt.removed["successions"] == 2
    assert receipt.removed["macros"] == 1
    assert hits(memory, b"Zyxomma") == 0
    assert "Vqarble" in str(ana.macros())


def test_a_succession_that_another_session_has_too_is_counted_down(memory):
    ana = memory.space("ana")
    for name, times in (("trip", 3), ("other", 2)):
        ana.session(name).extend([called("look", "herons"), called("book", "herons")] * times)
        ana.learn(session=name)

    ana.session("trip").erase()

    assert {one.next_tool: one.followed for one in ana.macros("look")} == {"book": 2}
    assert ana.learn(session="other") == 0
