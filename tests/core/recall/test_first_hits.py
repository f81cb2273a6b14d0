import math

import numpy as np
import pytest

from ricordo.core.recall.first_hits import (
    FirstHit,
    add_reading,
    asks_for_former,
    list_compared,
    only_asks,
    put_newer_first,
    put_telling_first,
)

ALIKE = np.array([1.0, 0.0], np.float32)
OTHER = np.array([0.0, 1.0], np.float32)
NEAR = np.array([0.6, 0.8], np.float32)


def hit(place: int, score: float, text: str = "", **more) -> FirstHit:
    talk = {"session": f"s{place}", "seq": 1}
    given = {"at": place, "confidence": 0.5, "vector": ALIKE, "cosine": 0.6} | talk | more
    return FirstHit(place, score, {"words": score}, text, **given)


def places(hits: list[FirstHit]) -> list[int]:
    return [each.place for each in hits]


def test_what_the_reader_prefers_comes_first_and_the_unread_stay_behind():
    found = add_reading([hit(0, 3.0), hit(1, 2.5), hit(2, 2.4), hit(3, 2.3)], [-2.0, 1.0], 0.5)

    assert places(found) == [1, 0, 2, 3]
    assert [each.parts["reading"] for each in found] == [0.5, -1.0, -1.0, -1.0]
    for each in found:
        assert each.score == pytest.approx(math.fsum(each.parts.values()))


def test_a_reading_counts_at_most_eight():
    first, last = add_reading([hit(0, 1.0), hit(1, 1.0)], [-50.0, 50.0], 1.0)

    assert (first.parts["reading"], last.parts["reading"]) == (8.0, -8.0)


def test_a_later_text_about_the_same_thing_comes_first_and_the_older_is_marked():
    old = hit(0, 3.0, "The depot opens at nine", at=1)
    new = hit(1, 2.0, "The depot now opens at ten", at=2)

    found = put_newer_first([old, new], "When does the depot open?")

    assert places(found) == [1, 0]
    assert found[1].newer == 1
    assert found[0].newer is None
    assert found[0].score == pytest.approx(math.fsum(found[0].parts.values()))
    assert found[0].parts["supersedes"] > 0


def test_a_later_text_that_stands_first_already_stays_and_the_older_is_marked():
    found = put_newer_first([hit(1, 3.0, "now ten", at=2), hit(0, 2.0, "nine", at=1)], "When?")

    assert places(found) == [1, 0]
    assert found[1].newer == 1
    assert "supersedes" not in found[0].parts


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"vector": OTHER}, "about something else"),
        ({"vector": None}, "without a vector"),
        ({"at": 1}, "of the same time"),
        ({"session": None}, "an entry"),
        ({"session": "s0", "seq": 3, "vector": NEAR}, "the next but one of its session"),
        ({"speaker": "Tove", "vector": NEAR}, "what somebody else says"),
        ({"text": "now ten" + " and so on" * 9, "speaker": "Tove"}, "long, and told to others"),
        ({"text": "Is it ten now?"}, "a question"),
        ({"text": "nine", "session": None}, "an entry without a change"),
        ({"text": "ten, with a roof of slates"}, "without a change"),
        ({"cosine": 0.0}, "far from what is asked"),
    ],
)
def test_a_text_supersedes_nothing_if_it_is(changes, why):
    new = hit(1, 2.0, **({"text": "now ten", "at": 2} | changes))

    found = put_newer_first([hit(0, 3.0, "nine", at=1), new], "When?")

    assert places(found) == [0, 1], why
    assert [each.newer for each in found] == [None, None], why


@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        ("The staging password is kiwi", "The production password is mango", "staging password?"),
        ("The staging password is kiwi", "The new production password is fig", "staging password"),
        ("The staging password is kiwi", "The production password is now fig", "staging password"),
        ("Invoice 101 was paid in May", "Invoice 102 is now paid", "When was invoice 101 paid?"),
        ("The office in Oslo opens at 8", "The Bergen office moved to 9", "When does Oslo open?"),
        ("My mother lives in Hamburg", "My father moved to Kiel", "where does my mother live?"),
        ("I am allergic to nuts", "I am now also allergic to eggs", "what am I allergic to?"),
    ],
)
def test_texts_that_are_alike_and_about_two_things_stand_side_by_side(older, newer, query):
    for where in ({}, {"session": None, "seq": 0}):  # messages, entries
        hits = [hit(0, 3.0, older, at=1, **where), hit(1, 2.0, newer, at=2, **where)]

        found = put_newer_first(hits, query)

        assert places(found) == [0, 1]
        assert [each.newer for each in found] == [None, None]


@pytest.mark.parametrize("where", [{}, {"session": None, "seq": 0}])  # messages, entries
def test_where_somebody_moved_comes_before_where_they_lived(where):
    old = hit(0, 3.0, "I live in Berlin", at=1, **where)
    new = hit(1, 2.0, "I moved to Munich", at=2, vector=NEAR, **where)

    assert places(put_newer_first([old, new], "Where do I live?")) == [1, 0]
    for kept, query in (
        ([old, new], "Who lives in Berlin?"),
        ([old, new._replace(vector=OTHER)], "Where do I live?"),
        ([old._replace(speaker="Ana"), new._replace(speaker="Ben")], "Where do I live?"),
    ):
        assert [each.newer for each in put_newer_first(kept, query)] == [None, None]


@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        (
            "the pilot starts on 7 April",
            "pilot slipped, it's 28 April",
            "when does the pilot start?",
        ),
        ("spare key is with me", "handed the spare key to Rhona", "who has the spare key?"),
        ("rent is 1,150", "also the rent goes to 1,225 in the end", "what rent do I ask?"),
    ],
)
def test_what_somebody_says_in_a_chat_is_superseded_by_what_they_say_later(older, newer, query):
    old = hit(0, 3.0, older, at=1, speaker="Dev", vector=NEAR)
    new = hit(1, 2.0, newer, at=2, speaker="Dev")

    found = put_newer_first([old, new], query)

    assert [(each.place, each.newer) for each in found] == [(1, None), (0, 1)]


@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        (
            "Haftalık toplantısı pazartesi",
            "toplantı salıya alındı",
            "Haftalık toplantısı ne zaman?",
        ),
        ("Bartek studiuje weterynarię", "Bartek rzucił weterynarię", "Co studiuje Bartek?"),
        ("車は軽のタント", "車はタントを手放した", "今の車は？"),
        ("العرض أمام المدير الثلاثاء", "أُجّل العرض إلى الخميس", "متى العرض؟"),
    ],
)
def test_a_note_supersedes_another_in_other_forms_of_its_words(older, newer, query):
    entry = {"session": None, "seq": 0, "judged_by": "multilingual"}
    hits = [hit(0, 3.0, older, at=1, **entry), hit(1, 2.0, newer, at=2, **entry)]

    assert places(put_newer_first(hits, query)) == [1, 0]


def test_a_long_text_that_tells_several_things_supersedes_none_of_them():
    older = "Gwendal joue de la bombarde au bagad"
    newer = "Gwendal joue de la bombarde, désormais avec Malo" + " et ainsi de suite" * 8
    entry = {"session": None, "seq": 0, "judged_by": "multilingual"}
    hits = [hit(0, 3.0, older, at=1, **entry), hit(1, 2.0, newer, at=2, **entry)]

    assert places(put_newer_first(hits, "De quoi joue Gwendal ?")) == [0, 1]


def test_texts_less_alike_are_about_the_same_if_the_later_announces_a_change():
    near = np.array([0.55, math.sqrt(1 - 0.55**2)], np.float32)
    old = hit(0, 3.0, "The depot opens at nine", at=1)

    found = [
        put_newer_first([old, hit(1, 2.0, text, at=2, vector=near)], "When?")[0].place
        for text in ("The depot now opens at ten", "The depot has a roof")
    ]

    assert found == [1, 0]


@pytest.mark.parametrize(
    "query",
    [
        "When did it open before?",
        "When did the depot use to open, what was it previously?",
        "What was the original time?",
        "Where did she formerly work?",
        "Where he used to live",
    ],
)
def test_a_question_about_what_was_before_leaves_the_order(query):
    found = put_newer_first([hit(0, 3.0, "nine", at=1), hit(1, 2.0, "now ten", at=2)], query)

    assert asks_for_former(query)
    assert places(found) == [0, 1]
    assert found[0].newer == 1


def test_what_only_asks_stands_behind_all_that_tells_and_is_sure_enough():
    hits = [
        hit(0, 3.0, "Where is the boat?", confidence=0.9),
        hit(1, 2.0, "In Grenaa", confidence=0.4),
        hit(2, 1.0, "It rains", confidence=0.05),
    ]

    found = put_telling_first(hits, "Where is the boat?", 0.1)

    assert places(found) == [1, 0, 2]
    assert found[1].parts["only_asks"] < 0
    assert found[1].score == pytest.approx(math.fsum(found[1].parts.values()))


def test_an_answer_stands_in_front_of_its_question_however_little_it_says():
    hits = [
        hit(0, 3.0, "Where do you like to sit?", session="s", seq=4),
        hit(1, 1.0, "By the window", session="s", seq=5, confidence=0.01),
        hit(2, 0.5, "It rains", confidence=0.01),
    ]

    assert places(put_telling_first(hits, "Which seat?", 0.1)) == [1, 0, 2]


def test_a_question_is_not_moved_if_nothing_tells_or_if_it_is_what_is_asked_for():
    asking = hit(0, 3.0, "Where is the boat?")

    assert places(put_telling_first([asking, hit(1, 2.0, "Is it?")], "boat", 0.1)) == [0, 1]
    assert places(put_telling_first([asking, hit(1, 2.0, "rye")], "What did he ask?", 0.1)) == [
        0,
        1,
    ]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Where is it?", True),
        ("Hey Tom! Where is it?", True),
        ("Where is it? And who has the key?", True),
        ("你住在哪里？", True),
        ("أين تسكن؟", True),
        ("どこに住んでいますか。", True),
        ("我住在北京的朝阳区。你呢？", False),
        ("Sounds like plenty of work. Which harbour?", False),
        ("In Grenaa", False),
        ("", False),
    ],
)
def test_a_text_only_asks_if_hardly_a_word_stands_beside_its_questions(text, asks):
    assert only_asks(text) is asks


def read_hit(place: int, score: float, text: str, reading: float = 1.0, **more) -> FirstHit:
    return hit(place, score, text, **more)._replace(reading=reading)


def test_pairs_that_a_model_compares_are_alike_and_read_and_the_later_one_may_answer():
    first = read_hit(0, 5.0, "The depot opens at nine", at=1)
    worse = read_hit(1, 4.0, "The depot is red", reading=-1.6, at=2)
    other = read_hit(2, 3.0, "Mia likes tea", at=3, vector=OTHER)
    later = read_hit(3, 2.0, "The depot opens at ten", at=4)
    unread = hit(4, 1.0, "The depot closes at six", at=5)

    found = list_compared([first, worse, other, later, unread], "When does the depot open?")

    assert found == [(0, 3)]


FREE = "Free accounts may send 60 mails a day"


@pytest.mark.parametrize(
    ("older", "newer", "query", "is_compared"),
    [
        ("Staging runs Redis 7.2", "Production runs Redis 6.2", "Redis of staging?", False),
        ("Staging runs Redis 7.2", "Staging runs Redis 7.4", "Redis of staging?", True),
        (FREE, "Paid accounts may send 600 mails a day", "mails of free accounts", False),
        (FREE, "Everybody may send 80 since May", "mails of free accounts", True),
        ("Tom drives a Volvo", "Marta bought a Skoda", "What car does Tom drive?", False),
        ("Marta drives a Panda", "Marta bought a Skoda", "What car does Marta drive?", True),
    ],
)
def test_look_alikes_are_not_compared(older, newer, query, is_compared):
    hits = [read_hit(0, 2.0, older, at=1), read_hit(1, 1.0, newer, at=2)]

    assert list_compared(hits, query) == [(0, 1)] * is_compared


def test_at_most_three_pairs_are_compared_those_that_are_most_alike():
    turned = [np.array([math.cos(n / 5), math.sin(n / 5)], np.float32) for n in range(4)]
    hits = [read_hit(n, 9.0 - n, f"text {n}", at=n, vector=turned[n]) for n in range(4)]

    assert sorted(list_compared(hits, "What is told?")) == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize(
    ("logit", "text", "order"),
    [
        (2.0, "The depot opens at ten", [1, 0]),  # the model is sure
        (1.0, "The depot opens at ten", [0, 1]),  # it is in doubt, and nothing is announced
        (1.0, "The depot now opens at ten", [1, 0]),
        (-1.0, "The depot now opens at ten", [0, 1]),  # it is sure of the contrary
    ],
)
def test_a_model_that_has_compared_two_texts_decides_unless_it_is_in_doubt(logit, text, order):
    old = read_hit(0, 3.0, "The depot opens at nine", at=1)
    new = read_hit(1, 2.0, text, at=2)

    found = put_newer_first([old, new], "When does the depot open?", {(0, 1): logit})

    assert places(found) == order
    assert found[order.index(0)].newer == (1 if order == [1, 0] else None)


def test_what_is_sure_by_itself_needs_no_model():
    old = read_hit(0, 3.0, "I live in Berlin", at=1, session=None, speaker="")
    new = read_hit(1, 2.0, "I moved to Munich", at=2, session=None, speaker="")

    assert places(put_newer_first([old, new], "Where do I live?", {})) == [1, 0]
