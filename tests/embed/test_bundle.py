"""The bundled models, for real: meaning, reproducibility, and refusal of altered files."""

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ricordo.embed import minilm, multilingual
from ricordo.embed.minilm import MiniLM
from ricordo.embed.multilingual import Multilingual
from ricordo.errors import InvalidInput, Unavailable

TEXTS = [
    "She likes to sit by the window on a plane",
    "On flights her preference is a window seat",
    "The quarterly report is due on Friday",
    "A dog called Rex",
]
FOLDERS = {MiniLM: minilm.FOLDER, Multilingual: multilingual.FOLDER}
FILES = [(kind, name) for kind in FOLDERS for name in kind.files]
EACH = pytest.mark.parametrize("kind", FOLDERS, ids=lambda kind: kind.name)
EACH_FILE = pytest.mark.parametrize(
    ("kind", "name"), FILES, ids=lambda part: getattr(part, "name", part)
)


@pytest.fixture(scope="module")
def loaded():
    """Each model, loaded once."""
    return {kind: kind() for kind in FOLDERS}


@pytest.fixture
def copy(tmp_path):
    """The files of a model where a test may alter them."""
    return lambda kind: shutil.copytree(FOLDERS[kind], tmp_path / kind.name)


@EACH
def test_paraphrases_are_nearer_than_unrelated_texts(loaded, kind):
    window, seat, report, dog = loaded[kind].embed(TEXTS)

    assert window @ seat > 0.5
    assert max(window @ report, window @ dog, seat @ report, seat @ dog) < 0.3


def test_the_same_in_other_languages_is_near(loaded):
    told = loaded[Multilingual].embed(
        [
            "I adopted a dog from the shelter",
            "Ich habe einen Hund aus dem Tierheim geholt",
            "Adopté un perro del refugio",
            "保護施設から犬を引き取りました",
            "Я взял собаку из приюта",
        ]
    )
    other = loaded[Multilingual].embed(["Der Zug nach Hamburg hatte eine Stunde Verspätung"])[0]

    assert (told[1:] @ told[0]).min() > 0.5
    assert (told @ other).max() < 0.3


@EACH
def test_a_text_has_the_same_vector_alone_and_in_company(loaded, kind):
    together = loaded[kind].embed(TEXTS)

    for row, text in zip(together, TEXTS, strict=True):
        assert np.array_equal(row, loaded[kind].embed([text])[0])


@EACH
def test_rows_are_float32_of_unit_length(loaded, kind):
    rows = loaded[kind].embed([*TEXTS, "word " * 1000, "我", "x", "a" * 100_000])

    assert rows.dtype == np.float32
    assert rows.shape == (8, {MiniLM: 384, Multilingual: 512}[kind])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_the_end_of_a_full_chunk_counts_in_every_script(loaded):
    for said in ("昨日は友達と映画を見ました", "우리는 어제 시장에 갔다", "昨天我们一起去了市场"):
        beginning = (said * 60)[:600]
        one, other = loaded[Multilingual].embed([beginning + "犬" * 40, beginning + "港" * 40])

        assert one @ other < 0.9999


@EACH
def test_blank_and_invisible_texts_give_zero_vectors(loaded, kind):
    rows = loaded[kind].embed(["", "  ", "\u200b", "text"])

    assert not rows[:3].any()
    assert rows[3].any()


@EACH
def test_a_bare_text_instead_of_a_list_is_refused(loaded, kind):
    with pytest.raises(InvalidInput, match="list of texts"):
        loaded[kind].embed("text")


@EACH
def test_threads_share_one_model_and_agree(kind):
    fresh = kind()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(fresh.embed, [TEXTS] * 4))

    assert all(np.array_equal(answers[0], answer) for answer in answers)


@EACH_FILE
def test_each_file_decides_the_fingerprint_of_its_model(loaded, copy, kind, name):
    folder = copy(kind)
    sums = (folder / "SHA256SUMS").read_text()
    line = next(each for each in sums.splitlines() if each.endswith(name) and each[0] != "#")
    assert kind(folder).fingerprint == loaded[kind].fingerprint

    (folder / "SHA256SUMS").write_text(sums.replace(line, "0" * 64 + line[64:]))

    assert kind(folder).fingerprint != loaded[kind].fingerprint
    assert kind(folder).fingerprint.startswith(kind.label)


@EACH_FILE
def test_an_altered_file_of_the_same_size_is_refused_when_loaded(copy, kind, name):
    folder = copy(kind)
    content = bytearray((folder / name).read_bytes())
    content[-2] ^= 1
    (folder / name).write_bytes(content)
    altered = kind(folder)

    with pytest.raises(Unavailable, match=f"{name}.*altered.*pip install"):
        altered.embed(["text"])


@EACH_FILE
def test_a_file_of_another_size_is_refused_at_once(copy, kind, name):
    folder = copy(kind)
    size = (folder / name).stat().st_size
    with (folder / name).open("ab") as file:
        file.write(b"x")

    with pytest.raises(Unavailable, match=f"{size + 1} bytes, not {size}"):
        kind(folder)


@EACH_FILE
def test_a_missing_file_is_refused_at_once(copy, kind, name):
    folder = copy(kind)
    (folder / name).unlink()

    with pytest.raises(Unavailable, match=f"incomplete.*{name}.*pip install"):
        kind(folder)


@EACH
def test_missing_and_unreadable_checksums_are_refused_at_once(copy, kind):
    folder = copy(kind)

    (folder / "SHA256SUMS").write_text("nonsense\n")
    with pytest.raises(Unavailable, match="incomplete"):
        kind(folder)
    (folder / "SHA256SUMS").unlink()
    with pytest.raises(Unavailable, match=r"incomplete.*SHA256SUMS"):
        kind(folder)


@EACH
def test_without_onnxruntime_the_install_line_is_named_at_once(monkeypatch, kind):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)

    with pytest.raises(Unavailable, match=f"{kind.name}.*pip install onnxruntime"):
        kind()


@EACH
def test_the_licence_and_its_notice_travel_with_the_model(kind):
    source = {
        MiniLM: "sentence-transformers/all-MiniLM-L6-v2",
        Multilingual: "universal-sentence-encoder-multilingual",
    }[kind]
    text = (FOLDERS[kind] / "LICENSE").read_text("utf-8")

    assert text.startswith("NOTICE")
    assert source in text
    assert text.count("TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION") == 1
