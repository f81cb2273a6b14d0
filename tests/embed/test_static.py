"""Static models in model2vec format, made on the fly."""

import json
import struct
import sys

import numpy as np
import pytest
import tokenizers

from ricordo.embed.safetensors import read_header
from ricordo.embed.static import StaticEmbedder, wordpiece_of
from ricordo.errors import InvalidInput, Unavailable

VOCABULARY = {"[PAD]": 0, "[UNK]": 1, "red": 2, "green": 3, "##ish": 4, "!": 5}
VECTORS = np.array([[9, 9], [9, 9], [1, 0], [0, 1], [1, 1], [0, 0]], np.float32)
NAMES = {"float32": "F32", "float16": "F16", "int64": "I64", "int8": "I8", "float64": "F64"}


def write_tensors(path, **tensors):
    header, payload = {}, b""
    for name, tensor in tensors.items():
        end = len(payload) + tensor.nbytes
        header[name] = {
            "dtype": NAMES[tensor.dtype.name],
            "shape": tensor.shape,
            "data_offsets": [len(payload), end],
        }
        payload += tensor.tobytes()
    text = json.dumps({"__metadata__": {"format": "np"}, **header}).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + payload)


def wordpiece_settings(**normalizer):
    return {
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": VOCABULARY},
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
            **normalizer,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
    }


@pytest.fixture
def folder(tmp_path):
    model = tmp_path / "colours"
    model.mkdir()
    write_tensors(model / "model.safetensors", embeddings=VECTORS)
    (model / "tokenizer.json").write_text(json.dumps(wordpiece_settings()))
    (model / "config.json").write_text(json.dumps({"normalize": True}))
    return model


def test_a_text_is_the_unit_mean_of_its_known_tokens(folder):
    rows = StaticEmbedder(folder).embed(["Red", "red green", "RED-ish redish", "red unheard"])

    half = np.sqrt(0.5)
    third = np.array([3, 1]) / np.sqrt(10)  # red, red, ##ish; "-" and "ish" are unknown
    assert np.allclose(rows, [[1, 0], [half, half], third, [1, 0]], atol=1e-6)


def test_texts_without_a_known_token_give_zero_vectors(folder):
    assert not StaticEmbedder(folder).embed(["", "unheard", "!"]).any()


def test_weights_scale_tokens_and_a_mapping_shares_vectors(folder):
    write_tensors(
        folder / "model.safetensors",
        embeddings=np.array([[1, 0], [0, 1]], np.float16),
        weights=np.array([1, 1, 3, 4, 1, 1], np.float64),
        mapping=np.array([0, 0, 0, 1, 1, 0], np.int64),
    )

    rows = StaticEmbedder(folder).embed(["red green", "red"])

    assert np.allclose(rows, [[0.6, 0.8], [1, 0]], atol=1e-6)


def test_int8_vectors_are_read(folder):
    write_tensors(folder / "model.safetensors", embeddings=(VECTORS * 10).astype(np.int8))

    assert np.allclose(StaticEmbedder(folder).embed(["green"]), [[0, 1]])


def test_name_dim_and_fingerprint_describe_the_model(folder):
    before = StaticEmbedder(folder)
    assert (before.name, before.dim) == ("static:colours", 2)
    first = before.fingerprint

    write_tensors(folder / "model.safetensors", embeddings=VECTORS + 1)

    assert first.startswith("static-")
    assert StaticEmbedder(folder).fingerprint != first


def test_the_own_tokenizer_and_the_package_agree_on_the_same_file(folder):
    own, count = wordpiece_of(folder / "tokenizer.json")
    package = tokenizers.Tokenizer.from_str(json.dumps({**wordpiece_settings(), **EMPTY_REST}))

    text = "Red, gréen! redish blue"

    wanted = [id for id in package.encode(text).ids if id != VOCABULARY["[UNK]"]]
    assert own(text) == wanted
    assert count == len(VOCABULARY)


EMPTY_REST = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "post_processor": None,
    "decoder": None,
    "model": {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": VOCABULARY,
    },
}


def test_another_kind_of_tokenizer_goes_through_the_package(folder):
    unigram = tokenizers.Tokenizer(
        tokenizers.models.Unigram([("<unk>", 0.0), ("red", -1.0), ("green", -1.0)], unk_id=0)
    )
    unigram.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    unigram.save(str(folder / "tokenizer.json"))
    write_tensors(
        folder / "model.safetensors", embeddings=np.array([[9, 9], [1, 0], [0, 1]], np.float32)
    )

    rows = StaticEmbedder(folder).embed(["green", "red zzz"])

    assert np.allclose(rows, [[0, 1], [1, 0]])


def test_another_kind_of_tokenizer_names_the_package_it_needs(folder):
    (folder / "tokenizer.json").write_text(json.dumps(wordpiece_settings(lowercase=False)))

    with pytest.raises(Unavailable, match="pip install tokenizers"):
        wordpiece_of(folder / "tokenizer.json")


def test_without_the_package_another_kind_of_tokenizer_is_refused_at_once(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"type": "Unigram"}}))

    with pytest.raises(Unavailable, match="pip install tokenizers"):
        StaticEmbedder(folder)


def test_without_the_package_wordpiece_models_work(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)

    assert np.allclose(StaticEmbedder(folder).embed(["red"]), [[1, 0]])


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_a_folder_without_a_needed_file_is_refused(folder, name):
    (folder / name).unlink()

    with pytest.raises(InvalidInput, match=f"lacks {name}"):
        StaticEmbedder(folder)


def test_a_folder_without_the_table_of_vectors_is_refused(folder):
    write_tensors(folder / "model.safetensors", something=VECTORS)

    with pytest.raises(InvalidInput, match=r"no table called 'embeddings' but \['something'\]"):
        StaticEmbedder(folder)


def test_fewer_vectors_than_tokens_are_refused(folder):
    write_tensors(folder / "model.safetensors", embeddings=VECTORS[:3])

    with pytest.raises(InvalidInput, match="vectors for 3 tokens"):
        StaticEmbedder(folder).embed(["red"])


def test_fewer_weights_than_tokens_are_refused(folder):
    write_tensors(folder / "model.safetensors", embeddings=VECTORS, weights=VECTORS[:3, 0])

    with pytest.raises(InvalidInput, match="6 tokens but weights for 3"):
        StaticEmbedder(folder).embed(["red"])


def test_a_tokenizer_that_is_not_json_is_refused(folder):
    (folder / "tokenizer.json").write_text("{")

    with pytest.raises(InvalidInput, match="is not JSON"):
        StaticEmbedder(folder).embed(["red"])


def header(text):
    return struct.pack("<Q", len(text)) + text


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * 16,
        header(b"{not json"),
        header(b"[1]"),
        header(b'{"embeddings": {"dtype": "F32"}}'),
        header(b'{"embeddings": {"dtype": "BF16", "shape": [1, 1], "data_offsets": [0, 2]}}')
        + b"ab",
        header(b'{"embeddings": {"dtype": "F32", "shape": [4, 2], "data_offsets": [0, 32]}}')
        + b"ab",
        header(b'{"embeddings": {"dtype": "F32", "shape": [4, 2], "data_offsets": [-8, 24]}}'),
    ],
)
def test_a_broken_safetensors_file_is_refused(tmp_path, content):
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)

    with pytest.raises(InvalidInput, match="safetensors"):
        read_header(path)
