"""BM25: the two documented forms."""

import math
import sqlite3
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.recall.bm25 import Statistics, idf, score
from ricordo.core.text.tokens import entry_terms

terms = st.lists(st.sampled_from(["ab", "cd", "ef", "gh", "ij"]), min_size=1, max_size=8)


def statistics(documents: list[list[str]]) -> Statistics:
    lengths = [len(document) for document in documents]
    holding = Counter(term for document in documents for term in set(document))
    return Statistics(len(documents), sum(lengths) / len(lengths), holding)


def test_the_entry_search_gives_its_reference_figures():
    contents = ["rust rust rust memory", "rust memory lane", "unrelated text entirely"]
    documents = [entry_terms(f"{name} {text}") for name, text in zip("xyz", contents, strict=True)]
    assert [len(document) for document in documents] == [4, 3, 3]

    query = entry_terms("rust memory")
    scores = [score(statistics(documents), query, d, form="entries") for d in documents]

    assert [round(value, 6) for value in scores] == [1.142682, 0.980102, 0.0]


@given(st.lists(terms, min_size=1, max_size=8), terms)
def test_the_fts5_form_equals_the_engine(documents, query):
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE VIRTUAL TABLE fts USING fts5(t)")
        rows = [(n, " ".join(document)) for n, document in enumerate(documents)]
        database.executemany("INSERT INTO fts (rowid, t) VALUES (?, ?)", rows)
        asked = " OR ".join(f'"{term}"' for term in query)
        found = dict(
            database.execute("SELECT rowid, -bm25(fts) FROM fts WHERE fts MATCH ?", [asked])
        )
    database.close()

    for n, document in enumerate(documents):
        ours = score(statistics(documents), query, document)
        assert math.isclose(ours, found.get(n, 0.0), rel_tol=1e-9, abs_tol=1e-12)


def test_a_common_term_weighs_almost_nothing_yet_stays_positive():
    common = Statistics(10, 3.0, {"the": 10})

    assert idf(common, "the") == 1e-6
    assert score(common, ["the"], ["the", "dog"]) > 0
    assert idf(common, "the", form="entries") > 0


def test_a_repeated_query_term_counts_twice_in_fts5_and_once_among_entries():
    stats = Statistics(10, 3.0, {"dog": 1})
    document = ["dog", "bark"]

    for form, times in (("fts5", 2), ("entries", 1)):
        once = score(stats, ["dog"], document, form=form)
        assert score(stats, ["dog", "dog"], document, form=form) == pytest.approx(times * once)


def test_nothing_shared_scores_zero():
    stats = Statistics(10, 3.0, {"dog": 1})

    assert score(stats, ["cat"], ["dog"]) == 0.0
    assert score(stats, [], ["dog"]) == 0.0
    assert score(stats, ["dog"], []) == 0.0
    assert score(Statistics(0, 0.0, {}), ["dog"], ["dog"]) == 0.0


@given(terms, terms)
def test_the_order_of_terms_does_not_matter(query, document):
    stats = Statistics(20, 4.0, {"ab": 1, "cd": 3, "ef": 9})

    for form in ("fts5", "entries"):
        assert score(stats, query, document, form=form) == score(
            stats, query[::-1], document[::-1], form=form
        )
