"""Blocks: a view that was loaded from them answers like one that was fed row by row."""

import random
from collections.abc import Sequence
from io import BytesIO

import numpy as np
import pytest
from conversations import WIDTH, entry, message, random_vectors, vector

from ricordo.core.recall import confidence
from ricordo.core.recall.block_words import (
    count_buckets,
    decode_bucket,
    decode_words,
    encode_words,
)
from ricordo.core.recall.blocks import (
    decode_block,
    decode_signs,
    encode_block,
    encode_signs,
    join_blocks,
    join_signs,
    list_probes,
    make_block,
    read_signs,
)
from ricordo.core.recall.postings import segment
from ricordo.core.recall.question import read
from ricordo.core.recall.ranking import WEIGHTS, by_cosine, rank
from ricordo.core.recall.space_index import Row, View

WORDS = ("river", "boat", "lantern", "market", "violin", "harbour", "orchard", "kettle", "winter")
QUESTIONS = (
    "Where is the boat of Tove?",
    "What did Ruben say about the violin market on 4 March 2024?",
    "winter harbour orchard",
    "When did you sell the kettle?",
    "Tove",
    "nothing of that kind",
)


def make_rows(count: int, seed: int = 3) -> list[Row]:
    """Messages of one or more chunks in several sessions, notes, an archive and passages."""
    rng = random.Random(seed)
    rows: list[Row] = []
    while len(rows) < count:
        chunk, text = len(rows) + 1, " ".join(rng.choices(WORDS, k=8)) + rng.choice("?.!")
        kind = rng.randrange(12)
        if kind < 8:
            author = rng.choice(("Tove", "Ruben", "user"))
            session = f"s{rng.randrange(4) + len(rows) // 40}"
            said = [message(chunk, author, f"Biscuit, {text}", session=session, length=1500)]
            said += [said[0]._replace(chunk=chunk + n, part=n) for n in range(1, rng.randrange(4))]
            rows += said if kind == 0 else said[:1]
        elif kind < 10:
            rows.append(entry(chunk, chunk, text, tags="travel", kind=rng.choice(("note", "fact"))))
        elif kind == 10:
            rows.append(entry(chunk, chunk, text * 3, kind="archive"))
        else:
            passage = entry(chunk, 9_000 + chunk // 30, text, kind="file")
            rows += [passage._replace(seq=chunk * 10), passage._replace(chunk=chunk + 1, seq=7)]
    return rows


class Shelf:
    """Blocks as a store would keep them; it counts what is read."""

    def __init__(self, rows: Sequence[Row], spans: Sequence[tuple[int, int]]) -> None:
        self.rows = {row.chunk: row for row in rows}
        self.vectors = dict(zip(self.rows, random_vectors(len(rows)), strict=True))
        self.blocks, self.words, self.signs = [], {}, {}
        for number, (first, last) in enumerate(spans, start=5):
            held = [row for row in rows if first <= row.chunk <= last]
            block, words = make_block(held)
            for bucket, data in encode_words(words).items():
                self.words[number, bucket] = data
            self.blocks.append((number, count_buckets(words), encode_block(block)))
            self.signs[number] = self.sign(held)
        self.read: list[int] = []
        self.scans, self.texts = 0, []

    def sign(self, rows: Sequence[Row]) -> bytes:
        vectors = np.stack([self.vectors[row.chunk] for row in rows])
        return encode_signs(len(rows), np.arange(len(rows)), vectors)

    def read_words(self, places):
        return [self.words.get(place) for place in places]

    def read_vectors(self, chunks, into):
        self.read += chunks.tolist()
        into[:] = [self.vectors[chunk] for chunk in chunks.tolist()]

    def open_signs(self, blocks):
        self.scans += 1
        return [BytesIO(self.signs[block]) for block in blocks]

    def read_stems(self, chunks):
        self.texts += chunks.tolist()
        return [self.rows[chunk].terms for chunk in chunks.tolist()]


def load(shelf: Shelf, spans: Sequence[tuple[int, int]], exact_rows: int) -> View:
    view = View(exact_rows)
    blocks = [(number, buckets, decode_block(data)) for number, buckets, data in shelf.blocks]
    rest = [r for r in shelf.rows.values() if not any(a <= r.chunk <= b for a, b in spans)]
    view.load(blocks, rest)
    view.use(shelf)
    chunks = np.array(list(shelf.rows))
    in_blocks = np.zeros(len(chunks), bool)
    if exact_rows < len(chunks):
        view.expect_signs(shelf.signs, WIDTH)
        for first, last in spans:
            in_blocks |= (chunks >= first) & (chunks <= last)
    put_vectors(view, shelf, chunks[~in_blocks])
    return view


def put_vectors(view: View, shelf: Shelf, chunks: np.ndarray) -> None:
    if len(chunks):
        view.put_vectors(chunks, np.stack([shelf.vectors[chunk] for chunk in chunks.tolist()]))


def feed(shelf: Shelf, exact_rows: int) -> View:
    view = View(exact_rows)
    view.add(shelf.rows.values())
    put_vectors(view, shelf, np.array(list(shelf.rows)))
    return view


def answers(view: View, text: str, full_units: int) -> list[object]:
    """Everything that is asked of a view in a recall."""
    question, found = read(text, view), []
    mask = view.chunks % 3 > 0
    for query in (vector(question.bare), None):
        weights = WEIGHTS["keyword" if query is None else "hybrid"]
        for more in ({}, {"mask": mask}, {"shown": ~mask}, {"strict": True}):
            given = {"weights": weights, "limit": 15, "full_units": full_units, **more}
            hits = rank(view, question, query, **given)
            found.append([(h.chunk, h.kind, h.session, h.seq, h.entry, h.at) for h in hits])
            found.append([h.score for h in hits])
            found += [list(h.parts.items()) for h in hits]
            chunks = [h.chunk for h in hits]
            found.append([list(f) for f in confidence.measure(view, question, query, chunks)])
    found.append([(h.chunk, h.score) for h in by_cosine(view, vector(text), mask=mask)])
    return found


def order(view: View, text: str) -> list[tuple[int, float]]:
    """The chunks that a question finds, with their scores."""
    hits = rank(view, read(text, view), vector(text), weights=WEIGHTS["hybrid"], full_units=30)
    return [(hit.chunk, hit.score) for hit in hits]


def alike(found: object, expected: object) -> bool:
    """Whether two answers are equal, figures within a millionth."""
    if isinstance(expected, float):
        return abs(found - expected) <= 1e-6
    if isinstance(expected, list | tuple):
        return len(found) == len(expected) and all(map(alike, found, expected))
    return found == expected


LAYOUTS = {
    "all of it": [(1, 400)],
    "three blocks": [(1, 90), (91, 222), (223, 400)],
    "blocks and a tail": [(1, 128), (129, 256)],
    "a hole": [(1, 100), (180, 300)],
    "the beginning is missing": [(60, 140), (150, 200), (301, 380)],
}


@pytest.mark.parametrize("exact_rows", [10_000, 50])
@pytest.mark.parametrize("full_units", [10_000, 30])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_a_view_of_blocks_answers_like_one_of_rows(layout, exact_rows, full_units):
    shelf = Shelf(make_rows(400), layout)
    of_rows, of_blocks = feed(shelf, exact_rows), load(shelf, layout, exact_rows)

    for text in QUESTIONS:
        expected = answers(of_rows, text, full_units)
        assert alike(answers(of_blocks, text, full_units), expected)
    assert of_blocks.people.names() == of_rows.people.names()
    assert of_blocks.people.brevity().tolist() == of_rows.people.brevity().tolist()


def test_only_the_vectors_that_are_scored_are_read_and_each_once():
    layout = [(1, 1_500)]
    shelf = Shelf(make_rows(1_500), layout)
    view = load(shelf, layout, 50)

    for text in QUESTIONS * 2:
        by_cosine(view, vector(text), mask=view.chunks < 300)

    assert 0 < len(shelf.read) == len(set(shelf.read)) < 300


def test_one_question_keeps_no_signs_and_the_next_one_keeps_them():
    layout = [(1, 700), (701, 1_500)]
    shelf = Shelf(make_rows(1_500), layout)
    view, of_rows = load(shelf, layout, 50), feed(shelf, 50)
    told = []

    for text in (*QUESTIONS[:1], *QUESTIONS):
        assert order(view, text) == order(of_rows, text)
        told.append((shelf.scans, bool(view.unread_signs)))

    assert told[:3] == [(1, True), (1, True), (2, False)]  # the first one was asked twice
    assert {scans for scans, _ in told[3:]} == {2}


def test_the_stems_of_a_text_are_read_once():
    layout = [(1, 300)]
    shelf = Shelf(make_rows(300), layout)
    view = load(shelf, layout, 50)

    for text in QUESTIONS * 2:
        answers(view, text, 30)

    assert 0 < len(shelf.texts) == len(set(shelf.texts))


def test_rows_that_come_after_one_question_are_ranked_beside_signs_that_are_not_kept():
    layout, rows = [(1, 200)], make_rows(240)
    shelf = Shelf(rows, layout)
    view = load(shelf, layout, 50)
    order(view, QUESTIONS[0])
    more = message(900, "Tove", "The violin is in the harbour", session="s900")
    shelf.rows[900], shelf.vectors[900] = more, vector(QUESTIONS[0])

    view.add([more])
    put_vectors(view, shelf, np.array([900]))

    for text in (QUESTIONS[0], QUESTIONS[1]):
        assert order(view, text) == order(feed(shelf, 50), text)
        assert by_cosine(view, vector(text)) == by_cosine(feed(shelf, 50), vector(text))


@pytest.mark.parametrize("exact_rows", [10_000, 50])
def test_a_view_of_blocks_goes_on_with_rows_that_come_later(exact_rows):
    layout = [(1, 100), (101, 200)]
    rows = make_rows(300)
    shelf = Shelf(rows[:220], layout)
    view = load(shelf, layout, exact_rows)
    answers(view, QUESTIONS[0], 30)
    edited = rows[30]._replace(chunk=1_000)  # of a session that has gone on since
    for more in (rows[220:222], rows[222:], [edited]):
        for row in more:
            shelf.rows[row.chunk] = row
            shelf.vectors[row.chunk] = random_vectors(1, seed=row.chunk)[0]
        view.add(more)
        put_vectors(view, shelf, np.array([row.chunk for row in more]))

        of_rows = feed(shelf, exact_rows)
        for text in QUESTIONS:
            assert alike(answers(view, text, 30), answers(of_rows, text, 30))


def test_joined_blocks_are_the_bytes_of_one_that_was_made_at_once():
    rows = make_rows(300)
    parts = [make_block(rows[start:end]) for start, end in ((0, 90), (90, 91), (91, 300))]
    again = [
        (decode_block(encode_block(block)), decode_words(encode_words(words).values()))
        for block, words in parts
    ]

    for given in (parts, again):
        block, words = join_blocks(*zip(*given, strict=True))
        at_once, words_at_once = make_block(rows)
        assert encode_block(block) == encode_block(at_once)
        assert encode_words(words) == encode_words(words_at_once)


def test_joined_signs_are_the_bytes_of_those_made_at_once():
    vectors = random_vectors(50)
    places = np.array([n for n in range(50) if n not in (3, 20, 49)])
    parts = [places[places < 20], places[places >= 20]]
    halves = [
        encode_signs(20, parts[0], vectors[parts[0]]),
        encode_signs(30, parts[1] - 20, vectors[parts[1]]),
    ]

    joined = join_signs([decode_signs(half) for half in halves])

    assert joined == encode_signs(50, places, vectors[places])
    assert np.flatnonzero(~decode_signs(joined).has).tolist() == [3, 20, 49]


def test_the_signs_of_a_vector_stand_in_its_block_as_an_erasure_looks_for_them():
    vectors = random_vectors(9)
    data = encode_signs(9, np.arange(9), vectors)

    probes = list_probes([row.tobytes() for row in vectors])

    assert all(probe in data for probe in probes)
    assert list_probes([random_vectors(1, seed=77)[0].tobytes()])[0] not in data


def test_counts_beyond_half_a_byte_are_kept():
    units = np.repeat(np.arange(3), (2, 40, 300))
    own = np.arange(342) % 2 == 0
    stems = np.repeat(np.array([7, 9], np.uint32), 342)
    words = segment(np.tile(units, 2), stems, np.append(~own, own))

    (data,) = encode_words(words).values()
    found = decode_bucket(data, 100)

    for stem in (7, 9):
        columns = [column.tolist() for column in found.find(stem)]
        assert columns == [[100, 101, 102], [2, 40, 255], [1, 20, 150]]
    assert found.find(8) is None
    assert decode_bucket(None).find(9) is None


def test_a_block_of_another_version_is_not_read():
    block, _ = make_block(make_rows(5))
    data = encode_block(block)

    assert decode_block(data) is not None
    assert decode_block(bytes([99, 0]) + data[2:]) is None
    assert (
        decode_signs(bytes([99, 0]) + encode_signs(1, np.arange(1), random_vectors(1))[2:]) is None
    )


def test_a_view_counts_what_it_has_fetched():
    layout = [(1, 1_500)]
    shelf = Shelf(make_rows(1_500), layout)
    view = load(shelf, layout, 50)
    before, rank_bytes = view.nbytes, feed(shelf, 50).nbytes

    answers(view, QUESTIONS[1], 30)

    assert before < view.nbytes
    assert before < rank_bytes


def test_signs_are_the_same_in_pieces_and_at_once():
    places = np.flatnonzero(np.arange(2_500) % 900)
    data = encode_signs(2_500, places, random_vectors(len(places)))

    pieces = [(rows.copy(), bits.copy()) for rows, bits in read_signs(BytesIO(data))]

    whole = decode_signs(data)
    assert len(pieces) == 3
    assert np.concatenate([rows for rows, _ in pieces]).tolist() == places.tolist()
    assert (np.concatenate([bits for _, bits in pieces]) == whole.bits[whole.has]).all()


def test_signs_that_are_cut_off_are_refused_and_those_of_another_version_not_read():
    data = encode_signs(1, np.arange(1), random_vectors(1))

    assert [*read_signs(BytesIO(bytes([99, 0]) + data[2:]))] == []
    with pytest.raises(ValueError, match="cut off"):
        [*read_signs(BytesIO(data[:-1]))]
