"""Consolidation in the background."""

import threading

import pytest

from ricordo import InvalidInput


def test_two_passes_at_once_consolidate_an_event_once(lab):
    space = lab.space()
    space.session("trip").append("user", "The ferry leaves at nine", importance=0.9)
    lab.clock.advance(hours=2)
    barrier = threading.Barrier(2)
    done = []

    def model(previous, events):
        barrier.wait(30)
        return "a ferry"

    threads = [
        threading.Thread(target=lambda: done.append(space.dreams.consolidate(model))) for _ in "ab"
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sorted(result.events for result in done) == [0, 1]
    assert len(space.entries()) == 1


def say(chat, count, start=0):
    for n in range(start, start + count):
        chat.append("user", f"On day {n} we sailed from harbour {n} to island {n + 1}")


def test_two_hundred_old_messages_become_notes_in_one_pass(lab):
    space = lab.space()
    say(space.session("old"), 200)
    lab.clock.advance(days=30)

    done = space.dreams.consolidate()

    assert (done.events, len(done.summaries), done.failed) == (200, 7, {})
    assert space.dreams.consolidate().events == 0
    assert len(space.session("old").events()) == 200


def test_a_note_is_far_shorter_than_what_it_retells(lab):
    space = lab.space()
    say(space.session("old"), 30)
    lab.clock.advance(hours=2)

    note = space.get(space.dreams.consolidate().summaries[0])

    said = sum(len(event.content) for event in space.session("old").events())
    assert len(note.content) < said / 2
    assert all(line.startswith("- user: On day ") for line in note.content.splitlines())


def test_a_fact_cites_the_event_that_states_it(lab):
    space = lab.space()
    chat = space.session("trip")
    chat.append("user", "The ferry leaves at nine")
    chat.append("user", "I live in Bergen")
    chat.append("user", "The ferry was late")
    lab.clock.advance(hours=2)

    space.dreams.consolidate()

    source = space.fact("user", "home").source
    assert space.get(source).content == "I live in Bergen"


def test_a_fact_of_another_language_replaces_the_earlier_one(lab):
    space = lab.space()
    chat = space.session("trip")
    chat.append("user", "I live in Bergen")
    chat.append("user", "Seit zwei Jahren wohne ich in Ulm.")
    lab.clock.advance(hours=2)

    space.dreams.consolidate()

    assert space.fact("user", "home").content == "Ulm"


def test_a_session_that_fails_is_left_whole_and_the_others_go_on(lab):
    space = lab.space()
    say(space.session("bad"), 65)
    say(space.session("good"), 65)
    lab.clock.advance(hours=2)
    asked = []

    def model(previous, events):
        asked.append(events[0].session)
        if events[0].session == "bad":
            raise ConnectionError("away")
        return "they sailed"

    done = space.dreams.consolidate(model, min_importance=0)

    assert (done.events, set(done.failed)) == (65, {"bad"})
    assert asked.count("bad") == 1
    assert space.dreams.consolidate().events == 65


def test_what_a_note_shows_is_not_recalled_beside_it(lab):
    space = lab.space(embedder="none")
    chat = space.session("old")
    chat.append("user", "The blue tin holds the passport of Ingrid")
    say(chat, 40)
    lab.clock.advance(hours=2)
    space.dreams.consolidate()

    context = chat.context("blue tin passport", 20_000)

    assert context.text.count('[memory "consolidated-old-1"') == 1
    assert any(hit.text.startswith("The blue tin") for hit in context.hits)


def test_the_front_of_a_context_with_notes_changes_seldom(lab):
    space = lab.space(embedder="none")
    chat = space.session("old")
    say(chat, 60)
    lab.clock.advance(hours=2)
    space.dreams.consolidate()
    fronts = []
    for n in range(40):
        chat.append("user", f"and then {n}")
        fronts.append(str(chat.context("", 20_000).messages[:2]))

    assert len(set(fronts)) <= 3


def test_a_long_consolidated_session_shows_its_newest_notes_only(lab):
    space = lab.space(embedder="none")
    chat = space.session("old")
    say(chat, 100)
    lab.clock.advance(hours=2)
    while space.dreams.consolidate(min_importance=0, per_session=2).events:
        pass

    context = chat.context("", 100_000)

    assert len(context.events) < 20
    assert 'consolidated-old-5"' not in context.text
    assert 'consolidated-old-40"' in context.text


@pytest.mark.parametrize("given", [-0.1, 1.1, "high", True])
def test_an_importance_that_is_not_a_share_is_refused(memory, given):
    with pytest.raises(InvalidInput, match="min_importance"):
        memory.space("ana").dreams.consolidate(min_importance=given)
