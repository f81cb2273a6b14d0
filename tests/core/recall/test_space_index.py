import random

import numpy as np
import pytest
from conversations import START, entry, filled, message, microseconds, random_vectors

from ricordo.core.recall.features import by_form, days_of_units
from ricordo.core.recall.space_index import Row, View
from ricordo.core.text import tokens
from ricordo.core.text.flags import ASKS, ENDS_ASKING, TELLS_TIME

COLUMNS = (
    *("kind", "marks", "length", "shortw", "answers", "start"),
    *("prev", "prev2", "next", "next2"),
)
WORDS = ("river", "boat", "lantern", "market", "violin", "harbour", "orchard", "kettle", "winter")


def same(a: View, b: View) -> bool:
    """Whether two views tell the same, whatever codes they gave to groups and authors."""
    columns = all(np.array_equal(a.column(name), b.column(name)) for name in COLUMNS)
    addresses = [a.address(u) for u in range(a.units)] == [b.address(u) for u in range(b.units)]
    return (
        columns
        and addresses
        and np.array_equal(a.chunks, b.chunks)
        and days_of_units(a).tolist() == days_of_units(b).tolist()
    )


def chat(count: int, sessions: int = 3) -> list[Row]:
    rng = random.Random(7)
    return [
        message(
            chunk,
            "Tove" if chunk % 2 else "Ruben",
            " ".join(rng.choices(WORDS, k=6)) + rng.choice("?."),
            session=f"s{chunk % sessions}",
        )
        for chunk in range(1, count + 1)
    ]


def test_an_empty_view_has_no_units():
    view = View()

    assert (len(view), view.units, view.last_chunk) == (0, 0, 0)
    view.keep(np.array([1, 2]))
    view.put_vectors(np.array([1]), random_vectors(1))
    assert view.vectors.count == 0


def test_neighbours_are_those_of_the_session():
    rows = [
        message(1, "Tove", "a", session="x"),
        message(2, "Ruben", "b", session="y"),
        message(3, "Tove", "c", session="x"),
        message(4, "Tove", "d", session="x"),
    ]

    view = filled(rows)

    assert view.column("prev").tolist() == [-1, -1, 0, 2]
    assert view.column("next").tolist() == [2, -1, 3, -1]
    assert view.column("prev2").tolist() == [-1, -1, -1, 0]
    assert view.column("next2").tolist() == [3, -1, -1, -1]


def test_chunks_of_one_message_are_one_unit():
    view = filled([message(1, "Tove", "first"), message(2, "Tove", "half", seq=1, part=1)])

    assert view.units == 1
    assert view.rows_of(np.array([0]))[0].tolist() == [0, 1]
    assert view.address(0) == ("one", 1, None, microseconds(START))


def test_a_message_asks_if_a_chunk_does_and_ends_asking_if_the_last_does():
    texts = ["Is it late?", "It was last week", "so I left", "Did you?"]
    view = filled(
        [message(n, "Tove", text, seq=(n + 1) // 2, part=n % 2) for n, text in enumerate(texts, 1)]
    )

    assert view.column("marks").tolist() == [ASKS | TELLS_TIME, ASKS | ENDS_ASKING]


def test_chunks_of_one_passage_are_one_unit():
    pages = [entry(1, 5, "first page"), entry(2, 5, "more of it"), entry(3, 5, "second page")]
    rows = [
        page._replace(kind="file", seq=seq) for page, seq in zip(pages, (0, 0, 900), strict=True)
    ]

    view = filled(rows)

    assert view.unit_of.tolist() == [0, 0, 1]
    assert view.column("prev").tolist() == [-1, -1]


def test_entries_have_no_neighbours():
    view = filled([entry(1, 1, "one"), entry(2, 2, "two")])

    assert view.column("prev").tolist() == [-1, -1]
    assert by_form(view, slice(0, 2))["opens_session"].tolist() == [0, 0]


@pytest.mark.parametrize("step", [1, 7, 60])
def test_a_view_fed_in_portions_equals_one_fed_at_once(step):
    rows = chat(60)
    view = View()

    for start in range(0, len(rows), step):
        view.add(rows[start : start + step])

    assert same(view, filled(rows))
    assert all(
        np.array_equal(view.postings.find(stem).units, filled(rows).postings.find(stem).units)
        for row in rows
        for stem in np.frombuffer(row.terms, "<u4").tolist()
    )


def test_the_order_of_feeding_does_not_matter():
    rows = chat(40)
    shuffled = rows.copy()
    random.Random(3).shuffle(shuffled)
    view = View()

    for row in shuffled:
        view.add([row])

    assert same(view, filled(rows))


def test_a_message_whose_chunks_arrive_apart_is_one_unit():
    rows = [
        message(1, "Tove", "the lantern burns", length=900),
        message(2, "Tove", "the lantern stands", seq=1, part=1, length=900),
        message(3, "Ruben", "yes", seq=2),
    ]
    view = View()

    view.add(rows[:1])
    view.add(rows[1:])

    assert same(view, filled(rows))
    lantern = int(np.frombuffer(rows[0].terms, "<u4")[1])
    assert view.postings.find(lantern).counts.tolist() == [2]


def test_dropping_chunks_leaves_the_view_of_the_rest():
    rows = chat(50)
    alive = [row for row in rows if row.chunk % 3]
    view = filled(rows)
    vectors = random_vectors(50)
    view.put_vectors(np.arange(1, 51), vectors)

    view.keep(np.array([row.chunk for row in alive]))

    assert same(view, filled(alive))
    assert view.people.brevity().tolist() == filled(alive).people.brevity().tolist()
    kept = vectors[[row.chunk - 1 for row in alive]].astype(np.float32)
    assert np.allclose(view.vectors.cosines(kept[0]), kept @ kept[0], atol=1e-5)


def test_dropping_a_chunk_of_a_message_leaves_the_rest_of_it():
    rows = [message(n, "Tove", f"lantern {n}", seq=n // 3, part=n % 3) for n in range(3, 12)]
    view = filled(rows)

    view.keep(np.array([3, 4, 6, 7, 8, 10]))

    rest = filled([row for row in rows if row.chunk in {3, 4, 6, 7, 8, 10}])
    assert same(view, rest)
    lantern = int(np.frombuffer(rows[0].terms, "<u4")[0])
    assert view.postings.find(lantern).counts.tolist() == [2, 3, 1]


@pytest.mark.parametrize("step", [1, 50])
def test_words_are_found_in_what_is_left_and_only_there(step):
    rows = chat(50)
    view = View()
    for start in range(0, 50, step):
        view.add(rows[start : start + step])
    alive = [row for row in rows if row.chunk % 7 == 2]

    view.keep(np.array([row.chunk for row in alive]))

    rest = filled(alive)
    for stem in {int(stem) for row in rows for stem in np.frombuffer(row.terms + row.extra, "<u4")}:
        for left, right in zip(view.postings.find(stem), rest.postings.find(stem), strict=True):
            assert left.tolist() == right.tolist()


def test_dropping_everything_leaves_an_empty_view_that_can_be_fed_again():
    rows = chat(5)
    view = filled(rows)

    view.keep(np.array([], np.int64))

    assert (len(view), view.units, view.last_chunk) == (0, 0, 0)
    view.add(rows)
    assert same(view, filled(rows))


def test_an_entry_written_anew_replaces_its_chunks():
    view = filled([entry(1, 1, "the old harbour"), entry(2, 2, "a kettle")])

    view.add([entry(3, 1, "the new orchard")])
    view.keep(np.array([2, 3]))

    assert same(view, filled([entry(2, 2, "a kettle"), entry(3, 1, "the new orchard")]))


def test_a_chunk_fed_twice_counts_once():
    rows = chat(6)
    view = filled(rows)

    view.add(rows[2:4])

    assert same(view, filled(rows))


def test_vectors_of_unknown_chunks_are_ignored():
    view = filled(chat(3))

    view.put_vectors(np.array([2, 99]), random_vectors(2))

    assert view.vectors.has.tolist() == [False, True, False]


def test_stems_above_half_of_the_number_range_are_found():
    rows = chat(30)
    view = filled(rows)
    stems = {int(stem) for row in rows for stem in np.frombuffer(row.terms, "<u4")}

    assert max(stems) > 2**31
    assert all(len(view.postings.find(stem).units) for stem in stems)
    assert len(view.postings.find(12345).units) == 0


def test_a_name_one_of_two_authors_is_called_by_means_that_author():
    rows = [
        message(n, "Ruben" if n % 2 else "Tovelise", text)
        for n, text in enumerate(["Hey Tov, hello", "Hi", "Thanks, Tov!", "Fine", "Bye, Tov!"], 1)
    ]

    assert filled(rows).people.names().authors["tov"] == "Tovelise"
    assert "tov" not in filled(rows[:4]).people.names()


def test_the_first_word_of_a_long_name_means_its_author_if_nobody_else_has_it():
    alone = filled([message(1, "Tove Lind", "hello")])
    both = filled([message(1, "Tove Lind", "hello"), message(2, "Tove Berg", "hello")])

    assert alone.people.names().authors["tove"] == "Tove Lind"
    assert "tove" not in both.people.names().authors


def test_brevity_tells_short_writers_from_long_ones():
    rows = [message(n, "user" if n % 2 else "assistant", "x") for n in range(1, 401)]
    rows = [row._replace(length=100 if row.author == "user" else 1000) for row in rows]
    view = filled([*rows, entry(401, 1, "a note")])

    brevity = view.people.brevity()

    assert brevity[view.people.find("user")] == pytest.approx(np.log(10), rel=0.03)
    assert brevity[view.people.find("assistant")] == 0
    assert brevity[view.people.find("")] == 0


def test_who_writes_single_letters_is_briefer_than_who_writes_two():
    texts = {"Tove": "x", "Ruben": "xy", "Signe": "ten letter"}
    rows = [
        message(n, author, text) for n, (author, text) in enumerate([*texts.items()] * 9, start=1)
    ]
    people = filled(rows).people

    tove, ruben, signe = (people.brevity()[people.find(name)] for name in texts)

    assert tove > ruben > signe == 0


def test_the_memory_counted_for_people_grows_with_authors_and_messages():
    one = filled([message(1, "Tove", "hello")]).people.nbytes
    often = filled([message(n, "Tove", "hello") for n in range(1, 9)]).people.nbytes
    many = filled([message(n, f"Tove {n}", "hello") for n in range(1, 9)]).people.nbytes

    assert 0 < one < often < many


def test_rows_are_selected_by_kind_and_session():
    view = filled([*chat(4, sessions=2), entry(5, 1, "note"), entry(6, 2, "x", kind="archive")])

    assert view.select(["note", "archive"]).tolist() == [False] * 4 + [True] * 2
    assert (
        view.select(["message"], session="s0").tolist() == [False, True, False, True] + [False] * 2
    )
    assert not view.select(["message"], session="nowhere").any()


def test_ten_thousand_chunks_take_a_few_megabytes():
    view = filled(chat(10_000))

    assert view.nbytes < 6_000_000


def test_rows_indexed_in_slices_give_the_same_view(monkeypatch):
    rows = [
        message(
            1 + 3 * n + part, "Tove" if n % 2 else "Ruben", f"part {part} of {n}", seq=n, part=part
        )
        for n in range(200)
        for part in range(3 if n % 4 else 1)
    ]
    whole = filled(rows)
    assert whole.units == 200

    monkeypatch.setattr("ricordo.core.recall.space_index._LEAST_AT_ONCE", 7)
    sliced = filled(rows)
    monkeypatch.setattr(View, "_rebuild", None)  # in order as they are, nothing is done twice

    assert same(sliced, whole)
    for word in ("part", "of", "7", "150"):
        ours, theirs = (
            view.postings.find(tokens.number(tokens.stem(word))) for view in (sliced, whole)
        )
        assert [column.tolist() for column in ours] == [column.tolist() for column in theirs]


def test_a_view_that_was_fed_and_not_looked_at_is_in_order():
    view = filled(chat(5))

    assert view.address(4)[0] == "s2"
    view.add([message(6, "Tove", "more", session="s2", seq=9)])
    assert view.rows_of(np.array([5]))[0].tolist() == [5]
