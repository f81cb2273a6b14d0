"""The hash embedder gives exactly the numbers its label promises."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.embed.hashing import HashEmbedder
from ricordo.errors import Unavailable

HASH = HashEmbedder()


def test_the_vector_of_abc_has_the_reference_figures():
    vector = HASH.embed(["abc"])[0]

    assert np.allclose(vector[:4], [-0.047279, -0.124645, 0.088541, 0.076506], atol=1e-6)
    assert np.isclose(np.linalg.norm(vector), 1.0)
    assert vector.shape == (512,)
    assert not vector[64:].any()


def test_abc_and_abd_have_the_reference_cosine():
    abc, abd = HASH.embed(["abc", "abd"])

    assert np.isclose(abc @ abd, 0.034125, atol=1e-6)


def test_blank_texts_give_zero_vectors():
    assert not HASH.embed(["", " \t\n"]).any()


def test_no_texts_give_an_empty_matrix():
    assert HASH.embed([]).shape == (0, 512)


def test_the_label_names_the_vectors():
    assert HASH.name == HASH.fingerprint == "deterministic-hash-v1"


def test_without_blake3_there_is_no_other_hash(monkeypatch):
    monkeypatch.setitem(sys.modules, "blake3", None)

    with pytest.raises(Unavailable, match="pip install blake3"):
        HashEmbedder()


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",))), max_size=5))
def test_a_text_has_the_same_vector_alone_and_in_company(texts):
    together = HASH.embed(texts)

    assert together.dtype == np.float32
    for row, text in zip(together, texts, strict=True):
        assert np.array_equal(row, HASH.embed([text])[0])
