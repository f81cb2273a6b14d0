"""Write the trained models as the package carries them: one table of word pieces, two graphs.

Needs torch, transformers, onnx and onnxruntime:

    python scripts/train/export.py BASE TARGET --license LICENSE --encoder DIR [--reranker DIR]

BASE is a folder with the upstream files of sentence-transformers/all-MiniLM-L6-v2, DIR one that
training wrote; LICENSE is the text of the Apache License 2.0. The table is the base model's, which
training leaves as it is. Each graph reads one row without padding, so it needs no mask.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import torch
from bert import load_bert

sys.path.insert(0, str(Path(__file__).parents[1]))
from building import finish, write_int8, write_vocabulary

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


def write_encoder(bert: Any, target: Path) -> None:
    """Write the encoder: `pieces` in, `vector` out."""
    body = Body(bert).eval()
    example = (torch.randn(1, 9, body.places.shape[1]),)
    write_int8(lambda path: export(body, example, path, ["pieces"], "vector"), target)


def write_reranker(bert: Any, head: torch.nn.Module, target: Path) -> None:
    """Write the re-ranker: `pieces` and `kinds` in, `score` out."""
    body = Body(bert)
    model = Reading(body, head).eval()
    kinds = torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1, 1]])
    example = (torch.randn(1, 9, body.places.shape[1]), kinds)
    write_int8(lambda path: export(model, example, path, ["pieces", "kinds"], "score"), target)


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
    bert = load_bert(arguments.base)
    write_table(bert, target / "table.npy")
    write_vocabulary(arguments.base / "tokenizer.json", target / "vocab.txt")
    bert.load_state_dict(torch.load(arguments.encoder / "weights.pt"))
    write_encoder(bert, target / "encoder.onnx")
    names = ["encoder.onnx", "table.npy", "vocab.txt"]
    if arguments.reranker is not None:
        from reranker import CrossEncoder

        reader = CrossEncoder(load_bert(arguments.base))
        reader.load_state_dict(torch.load(arguments.reranker / "weights.pt"))
        write_reranker(reader.bert, reader.head, target / "reranker.onnx")
        names.insert(1, "reranker.onnx")
    return finish(target, NOTICE + arguments.license.read_text("utf-8"), names)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--license", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--reranker", type=Path)
    print(build(parser.parse_args()), end="")
