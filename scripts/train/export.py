"""Write the trained models as the package carries them: one table of word pieces, two graphs.

Needs torch, transformers, tokenizers, onnx and onnxruntime beside ricordo:

    python scripts/train/export.py PAIRS BASE TARGET --license LICENSE --encoder DIR

PAIRS and BASE as for the training, DIR what it wrote, LICENSE the text of the Apache License 2.0;
`--reranker DIR` adds the re-ranker. The table is the base model's, which training leaves as it is.
Each graph reads one row without padding, so it needs no mask.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from bert import Row, Tokens, load_bert, stack
from pairs import read_all_sets, read_held_out, split_sets

sys.path.insert(0, str(Path(__file__).parents[1]))
from building import finish, write_int8, write_vocabulary

EXAMPLES = 6  # texts of each set that show what the products see
EVENNESS = 0.8  # 1 makes all inputs of a product alike, and leaves the unevenness to its weights
SMOOTHED = ("mixed", "wide", "narrow")  # products of a layer
LONGEST = 256  # word pieces of a row: the table of positions is cut there
NOTICE = """\
NOTICE

encoder.onnx, reranker.onnx, table.npy and vocab.txt in this folder are derived
from sentence-transformers/all-MiniLM-L6-v2, by the sentence-transformers
authors, itself based on nreimers/MiniLM-L6-H384-uncased. They are licensed
under the Apache License, Version 2.0, whose text follows.

Changes: both models were trained further on question and memory pairs written
for ricordo (Apache-2.0), exported to ONNX and quantised to 8-bit integers; the
table of word pieces is the original one, quantised to 8-bit integers; the
vocabulary was written out as plain text. scripts/train in the sources of
ricordo did all of this, and docs/models.md describes it.

----------------------------------------------------------------------------

"""


class Smooth(torch.nn.Module):
    """A product whose input was divided by its peaks, and whose weights make up for it.

    The 8-bit scale of a run spans all inputs of a product. A few have far higher peaks than the
    rest, which would be left with a few steps.
    """

    def __init__(self, product: torch.nn.Linear, peaks: torch.Tensor) -> None:
        super().__init__()
        weights = product.weight.abs().amax(0)
        steps = peaks.clamp(min=1e-4) ** EVENNESS / weights.clamp(min=1e-4) ** (1 - EVENNESS)
        product.weight.data *= steps.clamp(min=1e-3)
        self.product = product
        self.inverse = torch.nn.Parameter(1 / steps.clamp(min=1e-3))

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.product(states * self.inverse)
        return result


class Layer(torch.nn.Module):
    """One layer of BERT; query, key and value are one product, and the scale is in the weights."""

    def __init__(self, source: Any, heads: int) -> None:
        super().__init__()
        seen = source.attention.self
        width = seen.query.weight.shape[0]
        self.heads, self.size = heads, width // heads
        scale = self.size**-0.5
        self.mixed = torch.nn.Linear(width, 3 * width)
        self.mixed.weight.data = torch.cat(
            [seen.query.weight * scale, seen.key.weight, seen.value.weight]
        )
        self.mixed.bias.data = torch.cat([seen.query.bias * scale, seen.key.bias, seen.value.bias])
        self.joined, self.first_norm = (
            source.attention.output.dense,
            source.attention.output.LayerNorm,
        )
        self.wide, self.narrow = source.intermediate.dense, source.output.dense
        self.second_norm = source.output.LayerNorm

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        length = states.shape[1]
        parts = self.mixed(states).view(1, length, 3, self.heads, self.size).permute(2, 0, 3, 1, 4)
        shares = torch.softmax(parts[0] @ parts[1].transpose(-1, -2), dim=-1)
        read = (shares @ parts[2]).transpose(1, 2).reshape(1, length, self.heads * self.size)
        states = self.first_norm(states + self.joined(read))
        wide = torch.nn.functional.gelu(self.wide(states))
        result: torch.Tensor = self.second_norm(states + self.narrow(wide))
        return result


class Body(torch.nn.Module):
    """MiniLM from vectors of word pieces to the mean of its states."""

    def __init__(self, bert: Any) -> None:
        super().__init__()
        source = bert.embeddings
        self.kinds = torch.nn.Parameter(source.token_type_embeddings.weight.data)
        self.places = torch.nn.Parameter(source.position_embeddings.weight.data[:LONGEST])
        self.norm = source.LayerNorm
        heads = bert.config.num_attention_heads
        self.layers = torch.nn.ModuleList(Layer(each, heads) for each in bert.encoder.layer)

    def forward(self, pieces: torch.Tensor, kinds: torch.Tensor | None = None) -> torch.Tensor:
        offset = self.kinds[0] if kinds is None else self.kinds[kinds]
        states = self.norm(pieces + self.places[: pieces.shape[1]] + offset)
        for layer in self.layers:
            states = layer(states)
        return states.mean(1)


class Reading(torch.nn.Module):
    """The re-ranker: question and text in one row, and how well one answers the other."""

    def __init__(self, body: Body, head: torch.nn.Module) -> None:
        super().__init__()
        self.body, self.head = body, head

    def forward(self, pieces: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
        score: torch.Tensor = self.head(self.body(pieces, kinds))
        return score


def smooth(model: torch.nn.Module, body: Body, examples: Iterable[tuple[Any, ...]]) -> None:
    """Even out what the products of a model see, by the peaks that examples show."""
    places = [(layer, name) for layer in body.layers for name in SMOOTHED]
    peaks: dict[int, torch.Tensor] = {}

    def watch(product: Any, inputs: tuple[torch.Tensor]) -> None:
        found = inputs[0].abs().amax((0, 1))
        peaks[id(product)] = torch.maximum(peaks.get(id(product), found), found)

    hooks = [getattr(layer, name).register_forward_pre_hook(watch) for layer, name in places]
    with torch.no_grad():
        for each in examples:
            model(*each)
    for hook in hooks:
        hook.remove()
    for layer, name in places:
        product = getattr(layer, name)
        setattr(layer, name, Smooth(product, peaks[id(product)]))


def write_encoder(bert: Any, target: Path, rows: Sequence[Row]) -> None:
    """Write the encoder: `pieces` in, `vector` out."""
    body = Body(bert).eval()
    smooth(body, body, [(look_up(bert, ids),) for ids, *_ in rows])
    example = (torch.randn(1, 9, body.places.shape[1]),)
    write_int8(lambda path: export(body, example, path, ["pieces"], "vector"), target)


def write_reranker(bert: Any, head: torch.nn.Module, target: Path, rows: Sequence[Row]) -> None:
    """Write the re-ranker: `pieces` and `kinds` in, `score` out, which is both logits."""
    body = Body(bert)
    model = Reading(body, head).eval()
    smooth(model, body, [(look_up(bert, row[0]), stack([row])[2]) for row in rows])
    kinds = torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1, 1]])
    example = (torch.randn(1, 9, body.places.shape[1]), kinds)
    write_int8(lambda path: export(model, example, path, ["pieces", "kinds"], "score"), target)


def look_up(bert: Any, ids: list[int]) -> torch.Tensor:
    """Return the vectors of word pieces as the graphs read them."""
    vectors: torch.Tensor = bert.embeddings.word_embeddings(torch.tensor([ids])).detach()
    return vectors


def export(
    model: torch.nn.Module, example: tuple[Any, ...], path: Path, inputs: list[str], output: str
) -> None:
    """Write a graph whose rows have any length."""
    torch.onnx.export(
        model,
        example,
        str(path),
        input_names=inputs,
        output_names=[output],
        dynamic_axes={name: {1: "length"} for name in inputs},
        opset_version=17,
        dynamo=False,
    )


def write_table(bert: Any, target: Path) -> None:
    """Write the vectors of word pieces: 8-bit integers a row, then their step as a float."""
    import numpy as np

    table = bert.embeddings.word_embeddings.weight.detach().numpy()
    steps = (np.abs(table).max(axis=1, keepdims=True) / 127).astype("<f4")
    numbers = np.rint(table / np.where(steps > 0, steps, 1)).astype(np.int8)
    np.save(target, np.hstack([numbers.view(np.uint8), steps.view(np.uint8)]))


def build(arguments: argparse.Namespace) -> str:
    """Write every file; return the checksums."""
    target = arguments.target
    target.mkdir(parents=True, exist_ok=True)
    tokens = Tokens(arguments.base)
    learnt, _ = split_sets(read_all_sets(arguments.pairs), read_held_out())
    bert = load_bert(arguments.base)
    write_table(bert, target / "table.npy")
    write_vocabulary(arguments.base / "tokenizer.json", target / "vocab.txt")
    bert.load_state_dict(torch.load(arguments.encoder / "weights.pt"))
    rows = [tokens.row(text, LONGEST) for each in learnt for text in each.texts[:EXAMPLES]]
    write_encoder(bert, target / "encoder.onnx", rows)
    names = ["encoder.onnx", "table.npy", "vocab.txt"]
    if arguments.reranker is not None:
        from reranker import CUTS, CrossEncoder

        reader = CrossEncoder(load_bert(arguments.base))
        reader.load_state_dict(torch.load(arguments.reranker / "weights.pt"))
        asked = [
            (q.text, text)
            for s in learnt
            for q, text in zip(s.questions, s.texts[:EXAMPLES], strict=False)
        ]
        rows = [tokens.pair(question, text, CUTS) for question, text in asked]
        write_reranker(reader.bert, reader.head, target / "reranker.onnx", rows)
        names.insert(1, "reranker.onnx")
    return finish(target, NOTICE + arguments.license.read_text("utf-8"), names)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--license", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--reranker", type=Path)
    print(build(parser.parse_args()), end="")
