"""Compaction with files, crashes and races; every event stays readable."""

import contextlib
import threading
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ricordo
from ricordo.flows.conversation import archive_files
from ricordo.testing import Lab


def talk(chat, count, word="fjord"):
    return chat.extend([{"role": "user", "content": f"{word} {n}"} for n in range(count)])


def files(folder):
    return sorted(path.name for path in (folder / "conversations").iterdir())


def test_what_cannot_be_compacted_says_the_way_out(lab):
    chat = lab.space().session("trip")
    talk(chat, 2)

    with pytest.raises(ricordo.InvalidInput, match=r"compact; append first, or keep fewer than 2$"):
        chat.compact(keep=2)
    chat.compact()
    with pytest.raises(ricordo.InvalidInput, match=r"compact after seq 2; append first$"):
        chat.compact()


def test_a_file_is_left_for_each_archive(lab, tmp_path):
    """ARC-6"""
    chat = lab.space().session("trip")
    for _ in range(2):
        talk(chat, 3)
        chat.compact("Fix bug #123: crash on startup!", folder=tmp_path)

    name = "2024-03-01-fix-bug-123-crash-on-startup"
    assert files(tmp_path) == [f"{name}-1.md", f"{name}-2.md"]
    text = (tmp_path / "conversations" / f"{name}-1.md").read_text(encoding="utf-8")
    assert text.startswith("# fix-bug-123-crash-on-startup-1\n\nArchived: 2024-03-01")
    assert "**User**: fjord 2" in text


def test_a_name_without_letters_gives_way(lab, tmp_path):
    """ARC-4"""
    space = lab.space()
    chat = space.session("!!!")
    talk(chat, 2)

    assert chat.compact("!@#", folder=tmp_path).name == "archive-1"
    assert files(tmp_path) == ["2024-03-01-archive-1.md"]


def test_two_spaces_may_share_a_folder(lab, tmp_path):
    memory = lab.open()
    for name in ("ana", "ben"):
        chat = memory.space(name).session("trip")
        talk(chat, 2, name)
        chat.compact(folder=tmp_path)

    assert len(files(tmp_path)) == 2
    texts = [(tmp_path / "conversations" / name).read_text("utf-8") for name in files(tmp_path)]
    assert ["ana 0" in text for text in texts].count(True) == 1
    assert ["ben 0" in text for text in texts].count(True) == 1


def test_files_go_with_the_archive_or_the_session(lab, tmp_path):
    space = lab.space()
    chat = space.session("trip")
    talk(chat, 2)
    first = chat.compact(folder=tmp_path)
    talk(chat, 2)
    chat.compact(folder=tmp_path)

    assert space.forget(first.name).removed["files"] == 1
    assert len(files(tmp_path)) == 1
    assert chat.delete().removed["files"] == 1
    assert files(tmp_path) == []


def test_a_crash_before_the_file_is_made_up_for(lab, tmp_path, monkeypatch):
    """A row asks for the file; the next replay makes it."""
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    talk(chat, 2)

    def crash(*_):
        raise OSError("no space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(archive_files, "place", crash)
        with pytest.raises(OSError, match="no space"):
            chat.compact(folder=tmp_path)
    assert not (tmp_path / "conversations").exists()
    chat = lab.reopen(memory).space("ana").session("trip")

    assert chat.replay()
    assert files(tmp_path) == ["2024-03-01-trip-1.md"]
    assert chat.replay()
    assert files(tmp_path) == ["2024-03-01-trip-1.md"]


def test_a_crash_after_the_file_leaves_one_file(lab, tmp_path, monkeypatch):
    memory = lab.open()
    chat = memory.space("ana").session("trip")
    talk(chat, 2)
    with monkeypatch.context() as broken:
        broken.setattr(archive_files, "_note_path", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            chat.compact(folder=tmp_path)
    chat.replay()

    assert files(tmp_path) == ["2024-03-01-trip-1.md"]


def compact_for_ever(memory, path):
    """Compact until killed; tells each archive through a file."""
    chat = memory.space("ana").session("trip")
    for n in range(10_000):
        chat.append("user", f"killed {n}")
        archive = chat.compact()
        with Path(path).open("a") as told:
            told.write(archive.name + "\n")


def test_killing_leaves_all_of_a_compaction_or_none(lab, tmp_path):
    """ARC-3"""
    memory = lab.open()
    memory.space("ana").session("trip").append("user", "begin")
    told = tmp_path / "told"
    told.touch()
    team = lab.team(memory)
    team.start(compact_for_ever, str(told))
    while told.read_text().count("\n") < 5:
        pass
    team.kill()
    space = memory.space("ana")
    chat = space.session("trip")

    archives = {entry.name for entry in space.entries(kind="archive", limit=1_000)}
    markers = [e.metadata["archive_name"] for e in chat.events() if e.kind == "marker"]
    assert set(told.read_text().split()) <= archives
    assert archives == set(markers)
    assert chat.summary().epoch == len(archives)
    said = [e for name in markers for e in chat.expand(name) if e.kind == "message"]
    rest = [e for e in chat.events() if e.kind == "message" and e.seq > said[-1].seq]
    assert said + rest == [e for e in chat.events() if e.kind == "message"]


def test_messages_that_arrive_while_a_model_writes_are_not_archived(lab):
    chat = lab.space().session("trip")
    talk(chat, 3)

    def slow(previous, events):
        chat.append("user", "late")
        return f"{len(events)} events"

    archive = chat.compact(summarizer=slow)

    assert archive.content == "3 events"
    assert [m["content"] for m in chat.replay()] == ["3 events", "late"]


def test_archives_made_at_once_have_names_of_their_own(lab):
    space = lab.space()
    chats = [space.session(f"s{n}") for n in range(6)]
    for chat in chats:
        talk(chat, 2)
    threads = [threading.Thread(target=chat.compact, args=("Same",)) for chat in chats]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    names = [entry.name for entry in space.entries(kind="archive")]
    assert sorted(names) == [f"same-{n}" for n in range(1, 7)]


def test_an_archive_carries_the_least_trusted_origin(lab):
    chat = lab.space().session("trip")
    chat.append("user", "look it up")
    chat.append("tool", "from the net", origin="web")

    assert chat.compact().origin == "web"


STEPS = st.lists(
    st.sampled_from(["append", "tool", "summarize", "compact", "keep", "crash", "delete"]),
    min_size=1,
    max_size=14,
)


@settings(max_examples=25)
@given(steps=STEPS)
def test_any_sequence_keeps_every_event_readable(tmp_path_factory, steps):
    """Appends, summaries, compactions and crashes in any order lose nothing."""
    folder = tmp_path_factory.mktemp("sequence")
    with Lab(lambda: str(folder / "memory.db")) as lab:
        memory = lab.open()
        said = []
        for number, step in enumerate(steps):
            chat = memory.space("ana").session("trip")
            if step == "append":
                said += talk(chat, 3, f"step{number}")
            elif step == "tool":
                call = {"id": f"c{number}", "function": {"name": "f", "arguments": "{}"}}
                said.append(chat.append("assistant", tool_calls=[call]))
                said.append(chat.append("tool", "done", tool_call_id=f"c{number}"))
            elif step == "summarize":
                chat.summarize(60, safety=0, force=True)
            elif step in ("compact", "keep"):
                with contextlib.suppress(ricordo.InvalidInput, ricordo.NotFound):
                    chat.compact(keep=2 if step == "keep" else 0)
            elif step == "crash":
                memory = lab.reopen(memory)
            elif said:
                chat.delete()
                said = []
        chat = memory.space("ana").session("trip")
        assert [e for e in chat.events() if e.kind == "message"] == said
        _check_archives(memory.space("ana"), chat, said)
        summary = chat.summary()
        assert summary is None or summary.upto <= max((e.seq for e in chat.events()), default=0)
        if said:
            shown = chat.context("", 400)
            assert shown.events[-1] == said[-1]
            assert shown.tokens <= 400


def _check_archives(space, chat, said):
    """Every archived event is in exactly one archive, and replay holds all the others."""
    archives = space.entries(kind="archive", limit=100)
    told = [e for archive in archives for e in chat.expand(archive.name) if e.kind == "message"]
    assert max(Counter(e.seq for e in told).values(), default=1) == 1
    last = max((e.seq for e in told), default=-1)
    assert {e.seq for e in told} == {e.seq for e in said if e.seq <= last}
    replayed = chat.replay()[bool(archives) :]
    assert len(replayed) == sum(e.seq > last for e in said)
