"""Recalled text stays inside its quotation, and its citation leads back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from logs import START

from ricordo.core.text.quotation import citation, quote_text, read_citation, read_uri

names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30)


@given(names, st.integers(0, 10**12))
def test_a_citation_leads_back_to_its_event(session, seq):
    assert (session, seq) in read_citation(citation(session, seq))


@given(names, st.integers(0, 99))
def test_a_citation_never_breaks_its_line_or_its_quotes(session, seq):
    shown = citation(session, seq)

    assert len(shown.splitlines()) == 1
    assert '"' not in shown


@given(st.text(), names)
def test_no_line_of_quoted_text_passes_for_ours(text, author):
    head, *lines = quote_text(text, "trip#1", "web", START, author).splitlines()

    assert head.startswith('[memory "trip#1" from web')
    assert all(line.startswith("> ") for line in lines)


def test_no_citation_means_an_address_that_a_store_cannot_hold():
    assert read_citation("%00#1") == [("%00", 1)]
    assert read_uri("doc:%00") == ["doc:%00"]
    assert read_uri("doc:%22") == ["doc:%22", 'doc:"']


@pytest.mark.parametrize(
    "name", ["seat", "trip", "#", "#5", "trip#", "trip#x", "trip#-1", "a#" + "9" * 30]
)
def test_what_is_no_citation_of_an_event_leads_nowhere(name):
    assert read_citation(name) == []
