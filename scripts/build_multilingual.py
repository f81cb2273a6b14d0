"""Build the bundled multilingual encoder: a published ONNX conversion in, three small files out.

Run at release time only, never at run time. Needs torch, onnx, onnxruntime and sentencepiece:

    python scripts/build_multilingual.py SOURCE TARGET --license LICENSE --trained RUN

SOURCE is an ONNX file of Google's universal-sentence-encoder-multilingual, version 3, with 8-bit
weights and its SentencePiece model inside, as the package `nanoranker` 1.2 carries it; LICENSE is
the text of the Apache License 2.0; RUN is the folder that `scripts/train/multilingual.py` wrote.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from building import finish, run, write_int8

NOTICE = """\
NOTICE

encoder.onnx, table.npy and pieces.txt in this folder are derived from
universal-sentence-encoder-multilingual, version 3, by Google. They are
licensed under the Apache License, Version 2.0, whose text follows.

Changes: the vectors of the pieces were quantised to 4 bits, the encoder was
trained on questions about memories, written anew as ONNX and quantised to
8-bit integers, and the pieces were written out as plain text.
scripts/train/multilingual.py and scripts/build_multilingual.py in the sources
of ricordo did it.

----------------------------------------------------------------------------

"""
CHECKED = ("encoder.onnx", "table.npy", "pieces.txt")
SHARDS = 17  # the vectors of the pieces stand in so many tables, piece after piece in turn
ORDERS = {2: 0, 3: 1, 5: 2}  # pieces a filter looks at, and how many of them stand before its own
NORM = ("CNN_layers/LayerNorm/gamma", "CNN_layers/LayerNorm/beta")
COMBINE = ("CNN_layers/dense/kernel", "CNN_layers/dense/bias")
HIDDEN = tuple(f"DNN/ResidualHidden_{n}/dense/kernel" for n in range(4))
ADJUST = tuple(f"DNN/ResidualHidden_{n}/AdjustDepth/projection/kernel" for n in (1, 3))
CLIPS = (1.0, 0.9, 0.8, 0.7)  # shares of a row's range; the one with the least error is taken


class Source:
    """The weights of the published file by their names, as floats; trained ones instead of them."""

    def __init__(self, path: Path, trained: Mapping[str, Any] | None = None) -> None:
        import onnx
        from onnx.numpy_helper import to_array

        self.graph = onnx.load(str(path)).graph
        self._known = {each.name: to_array(each) for each in self.graph.initializer}
        self._trained = trained or {}

    def weights(self, ending: str) -> Any:
        import numpy as np

        if ending in self._trained:
            return self._trained[ending]
        (name,) = [n for n in self._known if n.endswith((f"{ending}:0", f"{ending}:0_quantized"))]
        raw = self._known[name]
        if not name.endswith("_quantized"):
            return raw
        scale, zero = (
            self._known[name.replace("_quantized", part)] for part in ("_scale", "_zero_point")
        )
        return ((raw.astype(np.float32) - zero.astype(np.float32)) * scale).astype(np.float32)

    def pieces(self) -> bytes:
        """The SentencePiece model."""
        (node,) = [n for n in self.graph.node if n.op_type == "SentencepieceTokenizer"]
        return bytes(next(each.s for each in node.attribute if each.name == "model"))


def write_table(source: Source, target: Path) -> None:
    """A row for each piece: 256 bytes of two numbers each, then its least value and its step."""
    import numpy as np

    shards = [source.weights(f"input/_{n}") for n in range(1, SHARDS + 1)]
    rows = np.stack(shards, axis=1).reshape(-1, shards[0].shape[1])
    low, high = rows.min(1, keepdims=True), rows.max(1, keepdims=True)
    least = np.full(len(rows), np.inf)
    packed = np.zeros((len(rows), rows.shape[1] // 2 + 4), np.uint8)
    for clip in CLIPS:
        half = (high - low) / 2 * clip
        bounds = np.hstack([(low + high) / 2 - half, half * 2 / 15]).astype("<f2")
        start, step = bounds.astype(np.float32).T[:, :, None]
        steps = np.clip(np.rint((rows - start) / np.where(step > 0, step, 1)), 0, 15)
        error = ((steps * step + start - rows) ** 2).sum(1)
        better = error < least
        least[better] = error[better]
        numbers = steps[better].astype(np.uint8)
        packed[better, :-4] = numbers[:, 0::2] | numbers[:, 1::2] << 4
        packed[better, -4:] = np.ascontiguousarray(bounds[better]).view(np.uint8)
    np.save(target, packed)


def write_pieces(model: bytes, target: Path) -> None:
    """One piece a line with the logarithm of its share; the line number is its id."""
    from sentencepiece import SentencePieceProcessor

    known = SentencePieceProcessor(model_proto=model)
    lines = [
        f"{known.id_to_piece(n)}\t{known.get_score(n):.4f}\n" for n in range(known.vocab_size())
    ]
    target.write_text("".join(lines), "utf-8", newline="\n")


def export(source: Source, target: Path) -> None:
    """Write the encoder: vectors of the pieces of one text in, the vector of the text out."""
    import torch
    from torch.nn.functional import layer_norm, pad

    def read(*endings: str) -> Any:
        """Parameters, so that the export keeps them apart: only then are they quantised."""
        arrays = [torch.from_numpy(source.weights(ending).copy()) for ending in endings]
        return torch.nn.ParameterList(
            torch.nn.Parameter(each, requires_grad=False) for each in arrays
        )

    class Encoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.filters = torch.nn.ModuleList(read(*name_filter(order)) for order in ORDERS)
            self.norm, self.combine, self.hidden, self.adjust = (
                read(*names) for names in (NORM, COMBINE, HIDDEN, ADJUST)
            )

        def forward(self, pieces: Any) -> Any:
            seen = [pieces]
            for (order, before), each in zip(ORDERS.items(), self.filters, strict=True):
                kernel, bias, gamma, beta, *layers = each
                found = layer_norm(pieces @ kernel + bias, (256,), gamma, beta, 1e-6)
                for filters, shift in zip(layers[::2], layers[1::2], strict=True):
                    wide = pad(found, (0, 0, before, order - 1 - before))
                    beside = [wide[n : n + pieces.shape[0]] for n in range(order)]
                    found = found + torch.relu(torch.cat(beside, 1) @ filters + shift)
                seen.append(found)
            joined = layer_norm(torch.cat(seen, 1), (1280,), *self.norm, 1e-6)
            kernel, bias = self.combine
            total = (joined @ kernel + bias).sum(0, keepdim=True) / pieces.shape[0] ** 0.5
            first = torch.relu(total @ self.hidden[0])
            second = torch.relu(total @ self.adjust[0] + first @ self.hidden[1])
            third = torch.relu(second @ self.hidden[2])
            return torch.tanh(second @ self.adjust[1] + third @ self.hidden[3])

    torch.onnx.export(
        Encoder().eval(),
        (torch.zeros(7, 512),),
        str(target),
        input_names=["pieces"],
        output_names=["vector"],
        dynamic_axes={"pieces": {0: "length"}},
        opset_version=17,
        dynamo=False,
    )


def name_filter(order: int) -> list[str]:
    """The names of what a filter over so many pieces is made of, as `forward` takes them."""
    return [
        f"ngram_order_{order}/{ending}"
        for ending in (
            "input_size_projection/dense/kernel",
            "input_size_projection/dense/bias",
            "LayerNorm/gamma",
            "LayerNorm/beta",
            f"Ngram-{order}-Conv/weights",
            f"Ngram-{order}-Conv/bias",
            f"Ngram-{order}-Conv_1/weights",
            f"Ngram-{order}-Conv_1/bias",
        )
    ]


def read_trained(folder: Path | None) -> dict[str, Any]:
    """The weights that training left in a folder."""
    import torch

    if folder is None:
        return {}
    kept = torch.load(folder / "weights.pt", weights_only=True)
    return {name: each.numpy() for name, each in kept.items()}


def build(path: Path, target: Path, license_text: str, trained: Path | None = None) -> str:
    """Build everything from the file at `path` into `target`; return the checksums."""
    source = Source(path, read_trained(trained))
    target.mkdir(parents=True, exist_ok=True)
    write_int8(lambda fp32: export(source, fp32), target / "encoder.onnx")
    write_table(source, target / "table.npy")
    write_pieces(source.pieces(), target / "pieces.txt")
    return finish(target, NOTICE + license_text, CHECKED)


if __name__ == "__main__":
    run(__doc__, build)
