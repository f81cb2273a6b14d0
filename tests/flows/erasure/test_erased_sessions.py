"""Erased sessions: their log, state and archives go, with what was worked out of them."""

import json

import pytest
from canaries import CANARIES, SECRET, hits, more, talk, vectors


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


@pytest.mark.parametrize("verb", ["delete", "erase"])
def test_a_dry_run_counts_what_would_go_with_a_session(memory, verb):
    chat = talk(memory)
    chat.compact()
    memory.space("ana").recall(SECRET)
    more(memory)
    before = memory.stats()

    planned = getattr(chat, verb)(dry_run=True)

    assert planned.dry_run
    assert memory.stats() == before
    assert chat.scratchpad()
    assert planned.removed == getattr(chat, verb)().removed


def test_notes_and_facts_worked_out_of_an_erased_session_go_with_it(lab, memory):
    chat = talk(memory)
    lab.clock.advance(hours=2)
    done = memory.space("ana").dreams.consolidate()
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
    [fact] = ana.dreams.consolidate().facts
    ana.session("later").append("user", "My dog is called Rex.", importance=0.9)
    lab.clock.advance(hours=2)
    ana.dreams.consolidate()
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


@pytest.mark.parametrize("tail", ["", " and the quays behind it" * 50])
def test_what_an_erased_session_asked_its_memory_goes_with_it(memory, tail):
    """A context recalls with the message it is made for, and signals keep what was asked."""
    ana = memory.space("ana")
    chat = ana.session("trip")
    chat.append("user", f"{SECRET} about the harbour{tail}")
    chat.context(f"{SECRET}  about the harbour{tail}")
    ana.recall("ordinary harbour", asker="user")
    memory.flush()
    assert {signal.query for signal in ana.dreams.signals()} >= {"ordinary harbour"}

    receipt = chat.erase()

    assert receipt.removed["signals"] > 0
    assert {signal.query for signal in ana.dreams.signals()} == {"ordinary harbour"}
    assert hits(memory, b"Zyxomma") == receipt.remnants == 0
    assert receipt.remains == ()


def called(tool: str, value: str) -> dict[str, object]:
    function = {"name": tool, "arguments": json.dumps({"value": value})}
    return {"role": "assistant", "content": None, "tool_calls": [{"function": function}]}


def test_what_was_learnt_from_an_erased_session_goes_with_it(memory):
    ana = memory.space("ana")
    for name, value in (("trip", "Zyxomma-7731"), ("other", "Vqarble-5519")):
        pair = [called("look", value), called("book", value)]
        ana.session(name).extend(pair * 3)
        ana.macros.learn(session=name)
    used = next(one for one in ana.macros.list() if "Zyxomma" in str(one.trigger_pattern))
    ana.macros.use(used)
    assert hits(memory, b"Zyxomma") > 0

    receipt = ana.session("trip").erase()

    assert receipt.removed["successions"] == 2
    assert receipt.removed["macros"] == 1
    assert hits(memory, b"Zyxomma") == 0
    assert "Vqarble" in str([macro.to_dict() for macro in ana.macros.list()])


def test_a_succession_that_another_session_has_too_is_counted_down(memory):
    ana = memory.space("ana")
    for name, times in (("trip", 3), ("other", 2)):
        ana.session(name).extend([called("look", "herons"), called("book", "herons")] * times)
        ana.macros.learn(session=name)

    ana.session("trip").erase()

    assert {one.next_tool: one.followed for one in ana.macros.list("look")} == {"book": 2}
    assert ana.macros.learn(session="other") == 0
