"""Columns: what a table looks like in so many cells."""

from hypothesis import given
from hypothesis import strategies as st

from ricordo.surfaces.columns import count_cells, cut, draw, fit, wrap

WORDS = st.text(st.sampled_from("ab é日🙂 "), max_size=60).map(lambda text: " ".join(text.split()))


@given(WORDS, st.integers(2, 30))
def test_a_wrapped_text_fits_and_loses_nothing(text, width):
    lines = wrap(text, width)

    assert all(count_cells(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(st.lists(st.integers(1, 200), min_size=1, max_size=6), st.integers(80, 200))
def test_columns_fit_and_short_ones_stay_as_they_are(wanted, width):
    widths = fit(wanted, width)

    assert sum(widths) + 2 * (len(widths) - 1) <= width
    assert all(given == asked or given >= 8 for given, asked in zip(widths, wanted, strict=True))


def test_the_widest_columns_give_first_and_alike():
    assert fit([5, 100, 100], 69) == [5, 30, 30]
    assert fit([5, 20, 100], 69) == [5, 20, 40]
    assert fit([5, 20, 30], 80) == [5, 20, 30]


@given(WORDS, st.integers(4, 30))
def test_a_snippet_has_two_lines_that_fit(text, width):
    lines = cut(wrap(text, width), width)

    assert len(lines) <= 2
    assert all(count_cells(line) <= width for line in lines)


def test_a_row_takes_as_many_lines_as_its_longest_cell():
    lines = list(draw(("a", "text"), [("1", "one two three four five")], 14))

    assert lines == ["a  text", "1  one two", "   three four", "   five"]
    assert list(draw(("a", "text"), [("1", "one two three four five")], 14, "text")) == [
        "a  text",
        "1  one two",
        "   three four…",
    ]


def test_a_text_from_right_to_left_does_not_trade_places_with_the_next_column():
    rows = [("مفتاح", "2026-03-05"), ("key", "2026-03-06")]

    lines = list(draw(("name", "at"), rows, 40))

    assert lines == ["name   at", "\u200eمفتاح\u200e  2026-03-05", "key    2026-03-06"]
    assert count_cells(lines[1]) == count_cells(lines[2])


def test_a_family_is_not_torn_where_a_line_ends():
    family = "👨\u200d👩\u200d👧\u200d👦"

    assert wrap(f"aaaa{family}bbbb", 8) == ["aaaa", family, "bbbb"]
