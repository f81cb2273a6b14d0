"""What users may write as an embedder, and what they are told when they may not."""

import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

from ricordo.embed import built_in, resolve, resolve_all
from ricordo.errors import InvalidInput


class Lengths:
    """A caller's own embedder, as small as they come."""

    dim = 2

    def __init__(self, answer=None):
        self.answer, self.asked = answer, []

    def embed(self, texts):
        self.asked.append(list(texts))
        return self.answer if self.answer is not None else [[len(text), 0] for text in texts]


@pytest.mark.parametrize("spec", [None, "none"])
def test_no_embedder_is_a_choice(spec):
    assert resolve(spec) is None


@pytest.mark.parametrize(
    ("spec", "name", "dim"),
    [
        ("minilm", "minilm", 384),
        ("multilingual", "multilingual", 512),
        ("hash", "deterministic-hash-v1", 512),
    ],
)
def test_built_in_embedders_are_found_by_name(spec, name, dim):
    embedder = resolve(spec)

    assert (embedder.name, embedder.dim) == (name, dim)
    assert embedder.fingerprint


def test_an_embedder_that_is_already_one_is_kept():
    embedder = resolve("hash")

    assert resolve(embedder) is embedder


@pytest.mark.parametrize("spec", ["static", "static:"])
def test_static_without_a_path_says_how_to_write_one(spec):
    with pytest.raises(InvalidInput, match="static:/path/to/model"):
        resolve(spec)


def test_static_with_a_path_that_is_no_folder_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="nowhere is not a folder"):
        resolve(f"static:{tmp_path}/nowhere")


@pytest.mark.parametrize("spec", ["", "MiniLM", "ftp://host", 7, object(), Lengths])
def test_anything_else_is_refused_with_the_list_of_what_is_accepted(spec):
    with pytest.raises(InvalidInput, match=r'"minilm", "multilingual", "hash".*ricordo.embedders'):
        resolve(spec)


def test_an_unknown_url_is_refused_without_showing_its_password():
    with pytest.raises(InvalidInput) as refused:
        resolve("ftp://ana:secret@host")

    assert "secret" not in str(refused.value)


def test_an_object_with_embed_and_dim_becomes_an_embedder():
    own = Lengths()

    embedder = resolve(own)
    rows = embedder.embed(["abc", " ", "d"])

    assert np.array_equal(rows, np.array([[1, 0], [0, 0], [1, 0]], np.float32))
    assert rows.dtype == np.float32
    assert own.asked == [["abc", "d"]]  # blank texts are not its business


def test_name_and_fingerprint_are_derived_when_an_object_has_none():
    embedder = resolve(Lengths())

    assert embedder.name == "Lengths"
    assert embedder.fingerprint == f"{__name__}.Lengths:Lengths#2"


def test_name_and_fingerprint_of_an_object_are_kept():
    own = Lengths()
    own.name, own.fingerprint = "mine", "mine-v7"

    embedder = resolve(own)

    assert (embedder.name, embedder.fingerprint) == ("mine", "mine-v7")


@pytest.mark.parametrize("dim", [None, 0, -1, "2", True, 2.0])
def test_an_object_without_a_usable_dim_is_refused(dim):
    own = Lengths()
    own.dim = dim

    with pytest.raises(InvalidInput, match="attribute dim"):
        resolve(own)


@pytest.mark.parametrize(
    "answer",
    [
        [[1, 2, 3]],
        [[1, 2], [3, 4]],
        [1, 2],
        [],
        [[1, 2], [3]],
        "vectors",
        [[np.nan, 1]],
        [[np.inf, 1]],
    ],
)
def test_an_object_that_returns_anything_but_its_matrix_is_refused(answer):
    with pytest.raises(InvalidInput, match="'Lengths' returned"):
        resolve(Lengths(answer)).embed(["one"])


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """A distribution on the path that registers two embedders."""
    (tmp_path / "constant_plugin.py").write_text(
        "class Constant:\n"
        "    dim = 3\n"
        "    def __init__(self, name='constant'):\n"
        "        self.name = name\n"
        "    def embed(self, texts):\n"
        "        return [[1, 0, 0]] * len(texts)\n"
        "def nothing():\n"
        "    return None\n"
    )
    info = tmp_path / "constant_plugin-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: constant-plugin\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[ricordo.embedders]\n"
        "constant = constant_plugin:Constant\nnothing = constant_plugin:nothing\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize(("spec", "name"), [("constant", "constant"), ("constant:big", "big")])
def test_a_registered_embedder_is_found_by_name(plugin, spec, name):
    embedder = resolve(spec)

    assert embedder.name == name
    assert embedder.embed(["a"]).shape == (1, 3)


def test_a_registered_factory_that_makes_nothing_is_refused(plugin):
    with pytest.raises(InvalidInput, match="'nothing' made None"):
        resolve("nothing")


def test_an_unknown_name_lists_what_is_installed(plugin):
    with pytest.raises(InvalidInput, match="installed: constant, nothing"):
        resolve("constnat")


@pytest.mark.parametrize("spec", ["minilm", "multilingual", "hash", "http://127.0.0.1:9/v1#m"])
def test_resolving_loads_no_model_and_no_heavy_package(spec):
    program = (
        "import sys; from ricordo.embed import resolve; resolve(sys.argv[1]); "
        "print({'numpy', 'onnxruntime', 'blake3', 'tokenizers'} & set(sys.modules))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, spec], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "set()"


def test_memories_share_a_bundled_model_until_none_uses_it():
    built_in.cache_clear()
    first, second = resolve("multilingual"), resolve_all("bundled")[1]
    assert first is second
    held = weakref.ref(first)

    del first, second
    gc.collect()

    assert held() is None


@pytest.mark.parametrize(("name", "ours"), [("deterministic", "hash"), ("AllMiniLML6V2", "minilm")])
def test_names_of_other_programs_lead_to_the_same_model(name, ours):
    assert resolve(name).fingerprint == resolve(ours).fingerprint


@pytest.mark.parametrize("name", ["model2vec", "potion_8m", "potion_32m"])
def test_a_known_model_that_is_not_bundled_is_refused_with_the_way_to_it(name):
    with pytest.raises(InvalidInput, match=f"{name}.* is not bundled.*static:/path"):
        resolve(name)
