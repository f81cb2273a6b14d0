"""Chunks: windows of 640 characters that overlap by 96."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.text.chunking import OVERLAP, WINDOW, chunks, find_written
from ricordo.core.text.content import digest, normalise

spoken = st.lists(
    st.text(alphabet="ab🦊é", min_size=1, max_size=90) | st.sampled_from(["\n", "\t  "]),
    max_size=60,
).map(" ".join)


@pytest.mark.parametrize("letter", ["x", "🦊"])
@pytest.mark.parametrize(
    ("length", "starts"),
    [
        (1, [0]),
        (640, [0]),
        (641, [0, 544]),
        (1184, [0, 544]),
        (1185, [0, 544, 1088]),
        (1500, [0, 544, 1088]),
    ],
)
def test_windows_start_every_544_characters(letter, length, starts):
    pieces = chunks(letter * length)

    assert [piece.start for piece in pieces] == starts
    assert [len(piece.text) for piece in pieces] == [
        min(WINDOW, length - start) for start in starts
    ]


@pytest.mark.parametrize("text", ["", " \t\n\u3000 "])
def test_blank_text_has_no_chunk(text):
    assert chunks(text) == []


def test_whitespace_runs_do_not_change_the_hash():
    assert chunks("a\t\tb\n c") == chunks("a b c")


def test_a_cut_at_a_blank_leaves_no_blank_at_the_edge():
    text = "x" * 543 + " " + "y" * 95 + " " + "z" * 300  # blanks at 543 and 639

    first, second = chunks(text)

    assert first.text == text[:639]
    assert (second.start, second.text) == (544, text[544:])


def test_a_window_that_opens_on_a_blank_starts_one_later():
    text = "x" * 544 + " " + "y" * 400

    assert chunks(text)[1][:2] == (545, "y" * 400)


@given(spoken)
def test_a_piece_stands_where_it_says_and_is_normalised_and_hashed(text):
    whole = normalise(text)

    for piece in chunks(text):
        assert whole[piece.start : piece.start + len(piece.text)] == piece.text
        assert 0 < len(piece.text) <= WINDOW
        assert piece.text == normalise(piece.text)
        assert piece.hash == digest(piece.text)


@given(spoken)
def test_the_pieces_cover_the_whole_text(text):
    whole, covered = normalise(text), 0

    for piece in chunks(text):
        assert piece.start <= covered + 1  # at most the blank at the cut is left out
        covered = piece.start + len(piece.text)

    assert covered == len(whole)


def test_neighbours_share_the_overlap():
    first, second = chunks("".join(chr(0x4E00 + i) for i in range(700)))

    assert first.text[-OVERLAP:] == second.text[:OVERLAP]


@given(st.text(alphabet="ab \n\t", max_size=200), st.integers(0, 100), st.integers(0, 100))
def test_a_window_is_found_as_it_was_written(passage, start, length):
    window = " ".join(passage[start : start + length].split())

    written = find_written(passage, window)

    assert written.split() == window.split() or "".join(written.split()) == window.replace(" ", "")
    assert not window or written in passage


def test_a_window_that_is_not_there_stays_as_it_is():
    assert find_written("one two", "three") == "three"
