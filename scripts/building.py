"""What the builds of the bundled models share: arguments, quantising, licence and checksums."""

import argparse
import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path


def run(page: str, build: Callable[[Path, Path, str, Path | None], str]) -> None:
    """Read the command line, build, and print the checksums."""
    parser = argparse.ArgumentParser(description=page)
    parser.add_argument("source", type=Path, help="the upstream model")
    parser.add_argument("target", type=Path, help="folder to write")
    parser.add_argument("--license", type=Path, required=True, help="Apache-2.0 text")
    parser.add_argument("--trained", type=Path, help="folder with trained weights")
    arguments = parser.parse_args()
    license_text = arguments.license.read_text("utf-8")
    print(build(arguments.source, arguments.target, license_text, arguments.trained), end="")


def write_int8(export: Callable[[Path], None], target: Path) -> None:
    """Export a model, quantise it, and take out what the exporter notes about itself."""
    with tempfile.TemporaryDirectory() as scratch:
        fp32 = Path(scratch) / "fp32.onnx"
        export(fp32)
        quantise(fp32, target)
    strip_notes(target)


def finish(folder: Path, license_text: str, names: Iterable[str]) -> str:
    """Write the licence, then the checksums of these files and of it; return the checksums."""
    (folder / "LICENSE").write_text(license_text, "utf-8", newline="\n")
    return write_checksums(folder, [*names, "LICENSE"])


def quantise(source: Path, target: Path) -> None:
    """Quantise the weights to int8 per channel.

    The reduced range keeps products from saturating on CPUs without 8-bit dot-product instructions.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        source, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True
    )


def strip_notes(model: Path) -> None:
    """Remove what the exporter notes about itself: source lines differ between machines."""
    import onnx

    proto = onnx.load(str(model))
    proto.doc_string = ""
    proto.graph.doc_string = ""
    del proto.graph.value_info[:]
    for node in proto.graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
    onnx.checker.check_model(proto)
    model.write_bytes(proto.SerializeToString(deterministic=True))


def write_vocabulary(tokenizer: Path, target: Path) -> None:
    """Write the WordPiece vocabulary, one token per line; the line number is the token's id."""
    vocabulary = json.loads(tokenizer.read_text("utf-8"))["model"]["vocab"]
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    if [vocabulary[token] for token in tokens] != list(range(len(tokens))):
        raise SystemExit(f"{tokenizer}: the ids of the vocabulary have gaps")
    target.write_text("".join(f"{token}\n" for token in tokens), "utf-8", newline="\n")


def write_checksums(folder: Path, names: Iterable[str]) -> str:
    """Write SHA256SUMS, readable by `sha256sum -c`, and return its text.

    The sizes are comments to that tool; ricordo compares them before it trusts the files.
    """
    sizes, digests = [], []
    for name in names:
        payload = (folder / name).read_bytes()
        sizes.append(f"# {len(payload)}  {name}\n")
        digests.append(f"{hashlib.sha256(payload).hexdigest()}  {name}\n")
    text = "".join(sizes + digests)
    (folder / "SHA256SUMS").write_text(text, "utf-8", newline="\n")
    return text
