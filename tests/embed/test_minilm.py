"""The bundled model, for real: meaning, reproducibility, and refusal of altered files."""

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from recollect.embed.minilm import FOLDER, MiniLM
from recollect.errors import InvalidInput, Unavailable

TEXTS = [
    "She likes to sit by the window on a plane",
    "On flights her preference is a window seat",
    "The quarterly report is due on Friday",
    "A dog called Rex",
]


@pytest.fixture(scope="module")
def minilm():
    return MiniLM()


@pytest.fixture
def copy(tmp_path):
    """The model's files where a test may alter them."""
    return shutil.copytree(FOLDER, tmp_path / "minilm")


def test_paraphrases_are_nearer_than_unrelated_texts(minilm):
    window, seat, report, dog = minilm.embed(TEXTS)

    assert window @ seat > 0.6
    assert max(window @ report, window @ dog, seat @ report, seat @ dog) < 0.3


def test_a_text_has_the_same_vector_alone_and_in_company(minilm):
    together = minilm.embed(TEXTS)

    for row, text in zip(together, TEXTS, strict=True):
        assert np.array_equal(row, minilm.embed([text])[0])


def test_rows_are_float32_of_unit_length_and_384_wide(minilm):
    rows = minilm.embed([*TEXTS, "word " * 1000, "我", "x"])

    assert rows.dtype == np.float32
    assert rows.shape == (7, minilm.dim) == (7, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_blank_and_invisible_texts_give_zero_vectors(minilm):
    rows = minilm.embed(["", "  ", "\u200b", "text"])

    assert not rows[:3].any()
    assert rows[3].any()


def test_a_bare_text_instead_of_a_list_is_refused(minilm):
    with pytest.raises(InvalidInput, match="list of texts"):
        minilm.embed("text")


def test_threads_share_one_model_and_agree():
    fresh = MiniLM()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(fresh.embed, [TEXTS] * 4))

    assert all(np.array_equal(answers[0], answer) for answer in answers)


def test_the_fingerprint_is_taken_from_the_checksums(minilm, copy):
    sums = (FOLDER / "SHA256SUMS").read_text()
    digest = next(
        line for line in sums.splitlines() if line.endswith("  model.onnx") and line[0] != "#"
    )

    assert minilm.fingerprint == f"minilm-l6-v2-int8-{digest[:12]}"
    assert MiniLM(copy).fingerprint == minilm.fingerprint


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt"])
def test_an_altered_file_of_the_same_size_is_refused_when_loaded(copy, name):
    content = bytearray((copy / name).read_bytes())
    content[-2] ^= 1
    (copy / name).write_bytes(content)
    altered = MiniLM(copy)

    with pytest.raises(Unavailable, match=f"{name}.*altered.*pip install"):
        altered.embed(["text"])


def test_a_file_of_another_size_is_refused_at_once(copy):
    with (copy / "model.onnx").open("ab") as file:
        file.write(b"x")

    with pytest.raises(Unavailable, match="22923067 bytes, not 22923066"):
        MiniLM(copy)


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt", "SHA256SUMS"])
def test_a_missing_file_is_refused_at_once(copy, name):
    (copy / name).unlink()

    with pytest.raises(Unavailable, match=f"incomplete.*{name}.*pip install"):
        MiniLM(copy)


def test_without_onnxruntime_the_install_line_is_named_at_once(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)

    with pytest.raises(Unavailable, match="pip install onnxruntime"):
        MiniLM()


def test_unreadable_checksums_are_refused_at_once(copy):
    (copy / "SHA256SUMS").write_text("nonsense\n")

    with pytest.raises(Unavailable, match="incomplete"):
        MiniLM(copy)


def test_the_licence_and_its_notice_travel_with_the_model():
    text = (FOLDER / "LICENSE").read_text("utf-8")

    assert "sentence-transformers/all-MiniLM-L6-v2" in text
    assert "Apache License" in text
