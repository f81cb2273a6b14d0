import random

import numpy as np
import pytest
from conversations import (
    START,
    ask,
    entry,
    filled,
    message,
    random_vectors,
    talk,
    vector,
    with_vectors,
)

from ricordo.core.recall.question import read
from ricordo.core.recall.ranking import WEIGHTS, by_cosine, locate, rank
from ricordo.core.recall.space_index import KINDS, View

SESSIONS = [
    [
        ("Tove", "Hey Ruben! Did you finish repairing the old sailing boat?"),
        ("Ruben", "Almost. The mast still needs varnish, and a rope snapped last week."),
        ("Tove", "Sounds like plenty of work. Which harbour will you keep it in?"),
        ("Ruben", "Probably Grenaa, the fees are lower there."),
        ("Tove", "I began pottery classes, my first bowl looks like a shipwreck."),
        ("Ruben", "Everybody starts somewhere! Who teaches you?"),
        ("Tove", "A neighbour called Signe, she has a kiln in her garage."),
    ],
    [
        ("Ruben", "Guess what, I adopted a greyhound yesterday."),
        ("Tove", "Lovely! What is its name?"),
        ("Ruben", "Biscuit. She is afraid of stairs."),
        ("Tove", "My sister had one that slept all day long."),
        ("Ruben", "Same here. She only wakes up when I fry onions."),
        ("Tove", "Is your knee better since the accident?"),
        ("Ruben", "Much better, the doctor allows me to cycle again."),
    ],
    [
        ("Tove", "I sold three vases at the Easter market!"),
        ("Ruben", "Congratulations! What will you do with the money?"),
        ("Tove", "Save it for a trip to Lisbon in the autumn."),
        ("Ruben", "Take me along, I have never seen the Tagus."),
        ("Tove", "Ask your employer first, the bakery opens at five."),
        ("Ruben", "True, and my shift manager is strict about holidays."),
    ],
    [
        ("Ruben", "Biscuit ate a whole rye loaf today."),
        ("Tove", "Poor thing. Does the vet know?"),
        ("Ruben", "She laughed and told me to walk her twice."),
        ("Tove", "I finally learned to glaze, the kiln was too hot before."),
        ("Ruben", "Will you teach me some day?"),
        ("Tove", "Gladly, come over on Sunday with your apron."),
    ],
]
# Question, session and seq of the message that answers it.
ASKED = [
    ("Where does Ruben want to keep his boat?", ("s0", 4)),
    ("What broke on the boat?", ("s0", 2)),
    ("Who teaches Tove pottery?", ("s0", 7)),
    ("What is the greyhound called?", ("s1", 3)),
    ("When did Ruben adopt a dog?", ("s1", 1)),
    ("What wakes the greyhound?", ("s1", 5)),
    ("How is Ruben's knee?", ("s1", 7)),
    ("What is Tove saving for?", ("s2", 3)),
    ("What did Tove sell on 6 March 2024?", ("s2", 1)),
    ("Where does Ruben work?", ("s2", 5)),
    ("What did Biscuit eat?", ("s3", 1)),
    ("What did the vet recommend?", ("s3", 3)),
    ("Why did glazing fail?", ("s3", 4)),
    ("What should Ruben bring on Sunday?", ("s3", 6)),
]


def dialogue(exact_rows: int = 20_000) -> View:
    texts = [f"{author}: {text}" for session in SESSIONS for author, text in session]
    return with_vectors(talk(SESSIONS), texts, exact_rows)


# Weights of their own: the order that features give, whatever the last training learnt.
PLAIN = {
    "meaning": 5.0,
    "words": 1.5,
    "words_covered": 2.5,
    "session_meaning": 1.0,
    "session_words": 0.5,
    "question_meaning": 0.8,
    "question_words": 1.8,
    "previous_meaning": 1.0,
    "previous_words": 1.2,
    "word_pairs": 0.2,
    "speaker": 2.0,
    "mentions": 0.5,
    "tells_time": 0.7,
    "length": 0.5,
    "is_question": -1.0,
    "opens_session": 0.2,
    "date": 2.0,
}


def places(view: View, *, vectors: bool) -> list[int]:
    """The rank at which each question finds its answer, 0 for not at all."""
    found = []
    for text, answer in ASKED:
        hits = ask(view, text, vectors=vectors, limit=30, weights=PLAIN)
        addresses = [(hit.session, hit.seq) for hit in hits]
        found.append(addresses.index(answer) + 1 if answer in addresses else 0)
    return found


def test_answers_stand_where_they_stood_when_the_ranking_was_last_changed():
    assert places(dialogue(), vectors=False) == [2, 1, 1, 4, 1, 3, 1, 1, 3, 0, 1, 1, 1, 3]
    assert places(dialogue(), vectors=True) == [1, 1, 1, 3, 1, 3, 1, 1, 4, 19, 1, 2, 1, 1]


@pytest.mark.parametrize("vectors", [True, False])
def test_parts_add_up_to_the_score_and_the_best_come_first(vectors):
    for text, _ in ASKED:
        hits = ask(dialogue(), text, vectors=vectors)

        for hit in hits:
            assert hit.score == pytest.approx(sum(hit.parts.values()), abs=1e-6)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_who_is_talked_about_is_found_by_name_even_if_she_wrote_something_herself():
    rows = [
        message(1, "Tove", "Signe has a kiln in her garage"),
        message(2, "Signe", "Good morning everybody"),
        message(3, "Tove", "The weather is fine"),
    ]

    found = ask(filled(rows), "What does Signe own?", vectors=False, strict=True)

    assert [hit.seq for hit in found] == [1]


def test_a_word_of_the_query_weighs_the_less_the_more_of_it_nobody_has_said():
    view = filled([message(1, "Tove", "kayak"), message(2, "Ruben", "bread")])

    known, unknown = (ask(view, text, vectors=False)[0] for text in ("kayak", "kayak paddle"))

    assert known.parts["words"] > unknown.parts["words"] > 0


def test_the_words_of_an_entry_count_for_its_text_and_not_for_its_surroundings():
    view = filled([entry(1, 1, "kayak"), entry(2, 2, "bread"), message(3, "Tove", "rye")])

    best = ask(view, "kayak", vectors=False)[0]

    assert best.parts.keys() <= {"words", "words_covered", "brief_speaker"}


def test_a_hit_tells_where_it_comes_from():
    best = ask(dialogue(), "Who teaches Tove pottery?")[0]

    assert (best.kind, best.session, best.entry) == ("message", "s0", None)
    assert best.at == talk(SESSIONS)[0].at
    assert best.parts["speaker"] == WEIGHTS["hybrid"]["speaker"]


@pytest.mark.parametrize("vectors", [True, False])
def test_an_empty_view_has_no_hits(vectors):
    assert ask(View(), "anything", vectors=vectors) == []


@pytest.mark.parametrize("text", ["kayak", "the", "Tove", "", "?!", "zzz", "May 2023"])
def test_one_unit_is_found_by_whatever_is_asked_with_a_vector(text):
    view = with_vectors([message(1, "Tove", "My kayak leaks")], ["My kayak leaks"])

    assert [hit.chunk for hit in ask(view, text)] == [1]


def test_a_word_nobody_used_finds_nothing_without_a_vector():
    assert ask(dialogue(), "helicopter", vectors=False) == []
    assert ask(dialogue(), "Did Tove fly a helicopter?", vectors=False) == []
    assert len(ask(dialogue(), "helicopter")) == 10


def test_without_a_vector_strict_finds_only_texts_that_hold_a_word():
    loose = ask(dialogue(), "greyhound", vectors=False)
    strict = ask(dialogue(), "greyhound", vectors=False, strict=True)

    assert [(hit.session, hit.seq) for hit in strict] == [("s1", 1)]
    assert {(hit.session, hit.seq) for hit in loose} == {("s1", 1), ("s1", 2), ("s1", 3)}


def test_dates_and_speakers_of_messages_are_no_words_of_theirs():
    assert ask(dialogue(), "march", vectors=False, strict=True) == []


def test_a_name_alone_finds_what_that_person_wrote():
    hits = ask(dialogue(), "Tove", vectors=False, strict=True, limit=50)
    authors = {
        (f"s{day}", seq): author
        for day, session in enumerate(SESSIONS)
        for seq, (author, _) in enumerate(session, 1)
    }

    assert {authors[hit.session, hit.seq] for hit in hits} == {"Tove"}


def test_a_date_alone_finds_what_was_said_then():
    hits = ask(dialogue(), "What was on 6 March 2024?", vectors=False, limit=3)

    assert {hit.session for hit in hits} == {"s2"}


def test_in_strict_mode_a_date_finds_messages_only_where_nothing_else_is_asked():
    asked = "What about the kiln on 6 March 2024?"
    kiln = {("s0", 7), ("s3", 4)}

    strict = {(hit.session, hit.seq) for hit in ask(dialogue(), asked, vectors=False, strict=True)}
    loose = {(hit.session, hit.seq) for hit in ask(dialogue(), asked, vectors=False, limit=50)}

    assert strict == kiln
    assert loose > kiln | {("s2", seq) for seq in range(1, 7)}


def test_in_strict_mode_a_date_alone_finds_an_entry_of_that_day():
    view = filled([entry(1, 1, "rye bread")])

    that_day = ask(view, "What was on 4 March 2024?", vectors=False, strict=True)

    assert [hit.entry for hit in that_day] == [1]
    assert ask(view, "What was on 5 March 2024?", vectors=False, strict=True) == []


def test_a_date_alone_finds_a_message_that_speaks_of_that_day():
    view = filled([message(1, "Tove", "We sailed in December 2021", at=START)])
    later = filled([message(1, "Tove", "We sailed yesterday", at=START)])

    for strict in (True, False):
        assert ask(view, "What was in December 2021?", vectors=False, strict=strict)
        assert ask(later, "What was on 3 March 2024?", vectors=False, strict=strict)


def test_tags_of_an_entry_are_words_of_it():
    view = filled([entry(1, 1, "prefers window seats", tags="travel"), entry(2, 2, "rye bread")])

    assert [hit.entry for hit in ask(view, "travel", vectors=False, strict=True)] == [1]


def test_equal_texts_keep_the_order_in_which_they_came():
    rows = [message(n, "Tove", "The kettle whistles", session=f"s{n}") for n in range(1, 40)]
    view = with_vectors(rows, ["The kettle whistles"] * 39)

    assert [hit.chunk for hit in ask(view, "kettle")] == list(range(1, 11))


def test_a_filter_removes_hits_and_changes_no_score():
    view = dialogue()
    mask = view.select(KINDS, session="s1")

    every = {hit.chunk: hit.score for hit in ask(view, "What is the greyhound called?", limit=99)}
    some = ask(view, "What is the greyhound called?", limit=99, mask=mask)

    assert {hit.session for hit in some} == {"s1"}
    assert len(some) == len(SESSIONS[1])
    assert all(every[hit.chunk] == pytest.approx(hit.score) for hit in some)


@pytest.mark.parametrize("exact_rows", [20_000, 0])
@pytest.mark.parametrize("vectors", [True, False])
def test_what_is_shown_anyway_is_scored_as_if_it_were_not_there(vectors, exact_rows):
    """CTX-9"""
    question = "What is the greyhound called?"
    talks = [*SESSIONS, [("Tove", question), ("Ruben", "Let me see what the greyhound is called")]]
    texts = [f"{author}: {text}" for session in talks for author, text in session]
    view = with_vectors(talk(talks), texts, exact_rows)
    shown = view.select(KINDS, session=f"s{len(SESSIONS)}")
    parts = ("meaning", "words", "words_nearby", "words_covered", "question_words", "word_pairs")

    found = ask(view, question, vectors=vectors, limit=99, shown=shown)
    without = ask(dialogue(exact_rows), question, vectors=vectors, limit=99)

    assert {hit.chunk for hit in found} == {hit.chunk for hit in without}
    expected = {hit.chunk: hit.parts for hit in without}
    for hit in found:
        for name in parts:
            value = expected[hit.chunk].get(name, 0)
            assert hit.parts.get(name, 0) == pytest.approx(value, abs=0.02), name


def test_where_everything_is_shown_there_are_no_hits():
    view = dialogue()

    assert ask(view, "greyhound", shown=np.ones(len(view), bool)) == []


def test_a_unit_without_a_vector_is_found_by_its_words():
    view = dialogue()
    view.add([message(90, "Tove", "The seaplane landed", session="s9", seq=1)])

    best = ask(view, "seaplane", weights=PLAIN)[0]

    assert best.chunk == 90
    assert best.parts["meaning"] == pytest.approx(0.4 * PLAIN["meaning"])


def test_an_archive_does_not_crowd_out_notes():
    long = "The boat is in Grenaa. The dog is Biscuit. " * 4
    rows = [entry(n, n, long, kind="archive") for n in range(1, 9)]
    rows += [entry(9, 9, "Boat berth: Grenaa"), entry(10, 10, "Feeds the dog at six")]
    texts = [long] * 8 + ["Boat berth: Grenaa", "Feeds the dog at six"]

    assert ask(with_vectors(rows, texts), "Where is the boat?")[0].entry == 9
    assert ask(filled(rows), "Where is the boat?", vectors=False)[0].entry == 9


def test_archives_come_on_top_of_the_limit():
    rows = [entry(n, n, f"boat {n}", kind="archive" if n < 20 else "note") for n in range(1, 30)]
    view = filled(rows)
    archives_first = WEIGHTS["keyword"] | {"archive": 3.0}

    hits = rank(view, read("boat", view), None, weights=archives_first, limit=4)

    assert [hit.kind for hit in hits] == ["archive"] * 4 + ["note"] * 4


def test_a_note_is_not_put_behind_short_messages():
    rows = [
        message(n, "user" if n % 2 else "assistant", "hello", length=40 if n % 2 else 900)
        for n in range(1, 20)
    ]
    view = filled([*rows, entry(20, 1, "a note about tea")])

    hit = ask(view, "tea", vectors=False)[0]

    assert hit.entry == 1
    assert hit.parts["brief_speaker"] == pytest.approx(
        WEIGHTS["keyword"]["brief_speaker"] * view.people.brevity().max()
    )


def test_a_note_that_names_the_person_counts_as_theirs():
    rows = [*talk(SESSIONS), entry(50, 1, "Ruben dislikes coriander")]

    hit = ask(filled(rows), "What does Ruben dislike?", vectors=False)[0]

    assert hit.entry == 1
    assert "speaker" in hit.parts


def test_a_message_does_not_mention_whoever_wrote_it():
    def find(text: str) -> dict[tuple[str | None, int], set[str]]:
        hits = ask(dialogue(), text, vectors=False)
        return {(hit.session, hit.seq): hit.parts.keys() & {"speaker", "mentions"} for hit in hits}

    assert find("What did Tove sell at the market?")["s2", 1] == {"speaker"}
    assert find("Did Ruben finish repairing?")["s0", 1] == {"mentions"}


def test_a_word_counts_less_in_a_text_beyond_400_characters():
    lengths = {1: 40, 2: 400, 3: 4_000}
    rows = [
        message(n, "Tove", "kayak", session=f"s{n}", length=length) for n, length in lengths.items()
    ]
    rows.append(message(4, "Tove", "bread", session="s4"))

    words = {hit.chunk: hit.parts["words"] for hit in ask(filled(rows), "kayak", vectors=False)}

    assert words[1] == words[2] > words[3]


def test_of_a_long_message_the_chunk_that_fits_is_shown():
    rows = [
        message(1, "Tove", "kettles and pans and pots", length=1000),
        message(2, "Tove", "a seaplane landed", seq=1, part=1, length=1000),
        message(3, "Ruben", "nice", session="two"),
    ]
    texts = ["kettles and pans and pots", "a seaplane landed", "nice"]

    assert ask(with_vectors(rows, texts), "seaplane")[0].chunk == 2
    assert ask(filled(rows), "seaplane", vectors=False)[0].chunk == 2


def test_by_cosine_orders_units_by_their_best_chunk():
    rows = [
        message(1, "Tove", "kettle", length=1000),
        message(2, "Tove", "seaplane", seq=1, part=1, length=1000),
        message(3, "Ruben", "a seaplane and a kite", seq=2),
    ]
    view = with_vectors(rows, ["kettle", "seaplane", "a seaplane and a kite"])

    hits = by_cosine(view, vector("seaplane"), limit=5)

    assert [hit.chunk for hit in hits] == [2, 3]
    assert hits[0].score == pytest.approx(hits[0].parts["cosine"], abs=1e-5)
    masked = by_cosine(view, vector("seaplane"), mask=np.array([0, 0, 1], bool), limit=5)
    assert [hit.chunk for hit in masked] == [3]


def test_by_cosine_gives_as_many_units_as_asked_for_beside_long_messages():
    rows = [message(n, "Tove", "seaplane", seq=1, part=n - 1, length=9000) for n in range(1, 60)]
    rows += [message(n, "Tove", "kite", seq=n) for n in range(60, 66)]
    view = with_vectors(rows, ["seaplane"] * 59 + ["kite"] * 6)

    assert [hit.seq for hit in by_cosine(view, vector("seaplane"), limit=3)] == [1, 60, 61]


@pytest.mark.parametrize("more", [{}, {"full_units": 0}])
@pytest.mark.parametrize("exact_rows", [20_000, 4])
def test_each_unit_is_located_where_it_ranks(more, exact_rows):
    view = dialogue(exact_rows)
    question = read("When did Tove paint the boat?", view)
    given = {"weights": WEIGHTS["hybrid"], "limit": view.units, **more}
    ranked = rank(view, question, vector(question.bare), **given)

    assert len(ranked) == view.units
    for item in ranked:
        target = np.array([item.chunk])
        order, found = locate(view, question, vector(question.bare), target, **given)
        assert order == [each.chunk for each in ranked]
        assert found == item


def test_what_does_not_match_is_located_nowhere():
    view = dialogue()
    given = {"weights": WEIGHTS["keyword"], "limit": view.units}

    assert locate(view, read("helicopter", view), None, np.array([1]), **given) == ([], None)
    assert locate(View(), read("boat", View()), None, np.array([1]), **given) == ([], None)


def test_a_filter_that_lets_nothing_through_gives_no_hits():
    view = dialogue()
    nothing = np.zeros(len(view), bool)

    assert ask(view, "boat", mask=nothing) == []
    assert ask(view, "boat", mask=nothing, full_units=0) == []
    assert ask(view, "boat", vectors=False, mask=nothing) == []
    assert by_cosine(view, vector("boat"), mask=nothing) == []


def test_weights_without_the_author_prior_leave_it_out():
    view = dialogue()
    weights = dict(WEIGHTS["keyword"])
    del weights["brief_speaker"]

    hits = rank(view, read("boat", view), None, weights=weights, limit=9)

    assert hits
    assert not any("brief_speaker" in hit.parts for hit in hits)


def test_hits_do_not_depend_on_how_the_view_was_fed():
    rows = talk(SESSIONS)
    shuffled = rows.copy()
    random.Random(1).shuffle(shuffled)
    view = View()
    for row in shuffled:
        view.add([row])
        view.put_vectors(np.array([row.chunk]), random_vectors(1, seed=row.chunk))
    other = filled(rows)
    other.put_vectors(
        np.array([row.chunk for row in rows]),
        np.concatenate([random_vectors(1, seed=row.chunk) for row in rows]),
    )

    assert all(ask(view, text) == ask(other, text) for text, _ in ASKED)
